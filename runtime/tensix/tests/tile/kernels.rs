//! Kernels as images compute the same bits as their lists, and need all of their synchronisation.

use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Opcode;
use tessera_test_support::is_long_run;

use crate::common::mutants::check_mutants;
use crate::common::{noise, program, run, run_by, tile, Tile};
use crate::images::{launch, of_dm, of_lists, Code, CONFIG};

const ONE_TILE: &str = include_str!("../programs/matmul_one_tile.tensix");
const THREE_TILES: &str = include_str!("../programs/matmul_three_tiles.tensix");

type Outcome = Result<Vec<Tile>, String>;

fn run_images(
    images: &[Vec<u32>; 5],
    lists: &Lists,
    inputs: &[&[Tile]],
    seed: u64,
    order: Option<u64>,
) -> Outcome {
    run_by(inputs, 1, |machine, args| {
        machine.run_images(&launch(images, lists, args, order), seed)
    })
    .map(|(out, _)| out)
    .map_err(|trap| trap.to_string())
}

/// Returns schedules with memory in order, then as many with weakly ordered memory: 20 of each,
/// 2000 in long tests.
fn runs() -> impl Iterator<Item = (u64, Option<u64>)> {
    let count = if is_long_run() { 2000 } else { 20 };
    let in_order = (0..count).map(|seed| (seed, None));
    in_order.chain((0..count).map(|seed| (seed, Some(seed))))
}

/// Returns inputs of `pages` tiles.
fn inputs(pages: u64) -> [Vec<Tile>; 2] {
    [1, 100].map(|seed| {
        (0..pages)
            .map(|t| tile(|i, j| noise(seed + t, i, j)))
            .collect()
    })
}

#[test]
fn images_do_what_lists_do() {
    for (text, reads, writes) in [(ONE_TILE, 1, 1), (THREE_TILES, 6, 3)] {
        let lists = program(text);
        let [a, b] = inputs(reads);
        let (expect, stats) = run(&lists, &[&a, &b], writes, 0).unwrap();
        let images = of_lists(&lists);
        for (seed, order) in runs() {
            let (out, by_images) = run_by(&[&a, &b], writes, |machine, args| {
                machine.run_images(&launch(&images, &lists, args, order), seed)
            })
            .unwrap_or_else(|trap| panic!("{writes} tiles, {seed}, {order:?}: {trap}"));
            assert_eq!(out, expect, "{writes} tiles, {seed}, {order:?}");
            assert_eq!(by_images.count(Opcode::Mvmul), stats.count(Opcode::Mvmul));
            if writes == 1 {
                // The math thread never polls.
                assert_eq!(by_images.retired()[2], images[2].len() as u64);
            }
            // B's marker is one instruction more.
            assert_eq!(by_images.total(), stats.total() + 1);
        }
    }
}

/// As with lists, no wait, post or flip of the kernel is redundant. Cores take many more steps than
/// lists, so that data movement is rarely late; more schedules are needed to show it.
#[test]
fn nothing_that_synchronises_can_be_left_out() {
    let lists = program(THREE_TILES);
    let [a, b] = inputs(6);
    let expect = run(&lists, &[&a, &b], 3, 0).unwrap().0;
    check_mutants(&lists, &[], |mutant, seed| {
        let images = of_lists(mutant);
        let mut schedules = (0..4).map(|k| seed + 100 * k);
        schedules.all(|seed| {
            let out = run_by(&[&a, &b], 3, |machine, args| {
                machine.run_images(&launch(&images, mutant, args, Some(seed)), seed)
            });
            out.is_ok_and(|(out, _)| out == expect)
        })
    });
}

/// Runs a program in which NC moves the pages instead of the data movement list.
fn run_with_noc(text: &str, reads: u64, writes: u32, seed: u64, waits: bool) -> Outcome {
    let lists = program(text);
    let [a, b] = inputs(reads);
    run_by(&[&a, &b], writes, |machine, args| {
        let mut images = of_lists(&lists);
        images[4] = of_dm(&lists.dm, args, waits).words();
        let mut launch = launch(&images, &lists, args, Some(seed));
        launch.dm = &[];
        machine.run_images(&launch, seed)
    })
    .map(|(out, _)| out)
    .map_err(|trap| trap.to_string())
}

#[test]
fn pages_move_through_the_noc() {
    for (text, reads, writes) in [(ONE_TILE, 1, 1), (THREE_TILES, 6, 3)] {
        let [a, b] = inputs(reads);
        let expect = run(&program(text), &[&a, &b], writes, 0).unwrap().0;
        for seed in 0..50 {
            let out = run_with_noc(text, reads, writes, seed, true);
            assert_eq!(out.as_ref(), Ok(&expect), "seed {seed}");
        }
        let late = (0..50)
            .filter(|&seed| run_with_noc(text, reads, writes, seed, false).as_ref() != Ok(&expect));
        assert_ne!(late.count(), 0, "a missing wait for pages is not detected");
    }
}

/// Returns the one-tile program with the address of unpacker 1 (word 104) stored to Config by T0
/// instead of written in band.
fn with_config_store(guard: impl Fn(Code) -> Code) -> [Vec<u32>; 5] {
    let mut images = of_lists(&program(ONE_TILE));
    let in_band = Code::default().push("ttwrcfg 16, 0, 104").words()[0];
    let at = images[1].iter().position(|&word| word == in_band).unwrap();
    let code = guard(Code::default().store(CONFIG + 4 * 104, 6399));
    // The code is position-independent and has no branches, so it can be inserted anywhere.
    images[1].splice(at..=at, code.words());
    images
}

#[test]
fn stores_to_configuration_have_to_be_waited_for() {
    let lists = program(ONE_TILE);
    let [a, b] = inputs(1);
    let expect = Ok(run(&lists, &[&a, &b], 1, 0).unwrap().0);
    let waits: [fn(Code) -> Code; 2] = [|code| code.push("ttstallwait 8, 8192"), Code::read_back];
    for wait in waits {
        let images = with_config_store(wait);
        for (seed, order) in runs() {
            let out = run_images(&images, &lists, &[&a, &b], seed, order);
            assert_eq!(out, expect, "{seed}, {order:?}");
        }
    }
    for short in [|code| code, |code: Code| code.push("ttstallwait 8, 4")] {
        let images = with_config_store(short);
        for seed in 0..20 {
            let error = run_images(&images, &lists, &[&a, &b], seed, None).unwrap_err();
            let hazard = "hazard: uses configuration word 104, which the RISC-V core stores \
                          without a wait; put a STALLWAIT with C13 between them, or read the word \
                          back";
            assert!(error.contains(hazard), "{error}");
        }
    }
}
