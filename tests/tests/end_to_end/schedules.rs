//! Compiled kernels give one result under every schedule and memory order, and none of their
//! synchronisation is redundant.

use tessera_isa_tensix::{tile, Arch};
use tessera_program::Binary;
use tessera_reference::Tensor;
use tessera_runtime::devices::tensix::TensixOptions;

use crate::bench::{
    compile_for, function, inputs, judge, lower, on_tensix, only, translate, UNFORMED,
};
use crate::casts::{cast, CASTS};
use crate::models::some;

/// Returns each case with each generation of Tensix.
fn on_both<T: Copy>(cases: &[T]) -> impl Iterator<Item = (Arch, T)> + '_ {
    let archs = Arch::ALL.into_iter();
    archs.flat_map(|arch| cases.iter().map(move |case| (arch, *case)))
}

/// Returns passes that lower to Tensix programs without MOP and REPLAY, for a generation.
fn unformed(arch: Arch) -> [String; 3] {
    let mut passes = UNFORMED.map(str::to_owned);
    passes[0] += &format!("=mock-system-desc-arch={arch}");
    passes
}

/// Runs the only program of a file under a schedule. One tile does all work, so that slots are
/// reused.
pub fn on_one_tile(
    binary: &Binary,
    inputs: &[Tensor],
    schedule_seed: Option<u64>,
    order_seed: Option<u64>,
) -> Result<Vec<Tensor>, String> {
    let options = TensixOptions {
        schedule_seed,
        order_seed,
        workers: Some(1),
        ..TensixOptions::default()
    };
    let run = on_tensix(binary, only(binary), inputs, options);
    run.map(|(outputs, _)| outputs)
}

#[test]
fn every_schedule_gives_the_same_bits() {
    let cases = [
        ("matmul", &["64x64", "64x64"][..], "64x64"),
        ("linear", &["33x65", "65x97", "97"][..], "33x97"),
        ("subtract", &["97x1", "97x33"][..], "97x33"),
        ("neg", &["97x97"][..], "97x97"),
    ];
    for (arch, (op, operands, result)) in on_both(&cases) {
        let ttir = function(op, op, operands, result, "bf16");
        let binary = compile_for(arch, "", &format!("schedules_{op}"), &ttir);
        let op = format!("{op} on {arch}");
        let inputs = inputs(only(&binary), 5);
        let bits = |schedule, order| on_one_tile(&binary, &inputs, schedule, order);
        let expect = bits(None, None).unwrap_or_else(|error| panic!("{op}: {error}"));
        for seed in 1..100 {
            assert_eq!(
                bits(Some(seed), None).as_ref(),
                Ok(&expect),
                "{op}, seed {seed}"
            );
        }
        for seed in 0..20 {
            let found = bits(Some(seed), Some(seed));
            assert_eq!(found.as_ref(), Ok(&expect), "{op}, order seed {seed}");
        }
    }
}

/// Operand tiles stay in L1 between work items, in strips whose width suits all workers. With fewer
/// workers, each may begin and end anywhere in a strip.
#[test]
fn any_number_of_workers_gives_the_same_bits() {
    let cases = [
        ("matmul", &["320x160", "160x384"][..], "320x384"),
        ("matmul", &["1056x128", "128x64"][..], "1056x64"),
        ("matmul", &["64x32", "32x1056"][..], "64x1056"),
        ("matmul", &["3x96x160", "160x384"][..], "3x96x384"),
        ("matmul", &["3x96x160", "3x160x384"][..], "3x96x384"),
        ("linear", &["320x96", "96x384", "384"][..], "320x384"),
    ];
    for (number, (arch, (op, operands, result))) in on_both(&cases).enumerate() {
        let ttir = function(op, op, operands, result, "bf16");
        let binary = compile_for(arch, "", &format!("workers_{number}"), &ttir);
        let program = only(&binary);
        let inputs = inputs(program, 7);
        let runs = judge(&binary, program, &inputs);
        let tiles = runs[0].workers.len() as u32;
        let bits = |workers| {
            let options = TensixOptions {
                workers: Some(workers),
                padding_canaries: true,
                ..TensixOptions::default()
            };
            let run = on_tensix(&binary, program, &inputs, options);
            run.map(|(outputs, _)| outputs)
                .map_err(|error| format!("{operands:?}: {error}"))
        };
        let expect = bits(tile::workers(arch));
        assert!(expect.is_ok(), "{arch}: {expect:?}");
        for workers in [1, 2, 3, 5, 7, 11, tiles - 1] {
            assert_eq!(bits(workers), expect, "{arch}, {operands:?} on {workers}");
        }
    }
}

/// Instructions that only synchronise, as they are printed.
const SYNCHRONISES: [&str; 9] = [
    "tensix.await",
    "tensix.post ",
    "tensix.noc_wait",
    "tensix.stallwait",
    "tensix.semwait",
    "tensix.sempost",
    "tensix.semget",
    "tensix.store_semget",
    "tensix.poll_sem",
];

/// Returns a module without each line that only synchronises, with the number of that line.
fn mutants(module: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let lines: Vec<&str> = module.lines().collect();
    let synchronises = |line: &str| {
        SYNCHRONISES
            .iter()
            .any(|op| line.trim_start().starts_with(op))
    };
    (0..lines.len())
        .filter(move |&at| synchronises(module.lines().nth(at).unwrap_or_default()))
        .map(move |at| {
            let kept = [&lines[..at], &lines[at + 1..]].concat();
            (at, kept.join("\n"))
        })
}

/// Returns the lines without which the kernel still gives the same bits in each of many runs.
fn survivors(name: &str, module: &str, inputs: &[Tensor]) -> Vec<String> {
    let survives = |(at, mutant): &(usize, String)| {
        survives_without(&format!("{name}_{at}"), (module, mutant), inputs, 1)
    };
    let line = |(at, _)| module.lines().nth(at).unwrap_or_default().trim().to_owned();
    mutants(module).filter(survives).map(line).collect()
}

/// Returns whether a kernel and a mutant of it give the same bits in each of many runs on this many
/// tiles.
fn survives_without(
    name: &str,
    (module, mutant): (&str, &str),
    inputs: &[Tensor],
    workers: u32,
) -> bool {
    let run = |binary: &_, seed, weak| {
        let options = TensixOptions {
            schedule_seed: Some(seed),
            order_seed: if weak { Some(seed) } else { None },
            workers: Some(workers),
            limit: Some(10_000_000),
            padding_canaries: true,
        };
        on_tensix(binary, only(binary), inputs, options).map(|(outputs, _)| outputs)
    };
    let expect = run(&translate(name, module), 0, false).unwrap_or_else(|error| panic!("{error}"));
    let mutant = translate(name, mutant);
    (0..200).all(|seed| run(&mutant, seed, seed % 2 == 1).as_ref() == Ok(&expect))
}

/// The kernel adds a bias and reuses slots. Each tile has one product only, so a missing wait shows
/// at once.
#[test]
fn synchronisation_of_a_linear_layer_is_not_redundant() {
    let ttir = function(
        "forward",
        "linear",
        &["33x32", "32x96", "96"],
        "33x96",
        "bf16",
    );
    for arch in Arch::ALL {
        let name = format!("mutants_{arch}");
        let module = lower(&unformed(arch).each_ref().map(String::as_str), &name, &ttir);
        let inputs = inputs(only(&translate(&name, &module)), 3);
        assert_eq!(
            survivors(&name, &module, &inputs),
            Vec::<String>::new(),
            "these lines can be left out on {arch}"
        );
    }
}

/// Here a block takes all of Dst, so that the next one waits for the packers. All operand tiles
/// have slots of their own, so nothing waits for a free slot.
#[test]
fn synchronisation_of_dst_is_not_redundant_for_blocks_of_all_of_it() {
    let ttir = function("forward", "matmul", &["65x32", "32x160"], "65x160", "bf16");
    let of_slots = [
        "tensix.stallwait  (stall_res 2, wait_res 6)",
        "tensix.post counter 1",
        "tensix.await counter 1 at_least %12",
    ];
    let [to_ttnn, _, to_tensix] = UNFORMED;
    let passes = [to_ttnn, "--convert-ttnn-to-pto=block=1x8", to_tensix];
    let module = lower(&passes, "mutants_all_of_dst", &ttir);
    assert!(
        module.contains("tensix.zeroacc  (clear_mode 3)"),
        "{module}"
    );
    let inputs = inputs(only(&translate("mutants_all_of_dst", &module)), 3);
    assert_eq!(
        survivors("mutants_all_of_dst", &module, &inputs),
        of_slots,
        "these lines can be left out"
    );
}

/// Two tiles multicast operands to each other. As a row they share the left operand, as a column
/// the right one. Whoever does not wait for free slots, for arrivals, or for what was sent before
/// it announces that, is noticed.
#[test]
fn synchronisation_of_multicast_is_not_redundant() {
    let cases = [
        // Slots are free, operands have arrived, and have been sent.
        (
            ["160x256", "256x128"],
            "160x128",
            ["await counter 7", "await counter 5", "noc_wait"],
        ),
        (
            ["128x256", "256x160"],
            "128x160",
            ["await counter 8", "await counter 6", "noc_wait"],
        ),
    ];
    for (operands, result, waits) in cases {
        let name = format!("multicast_{result}");
        let ttir = function("forward", "matmul", &operands, result, "bf16");
        let [to_ttnn, _, to_tensix] = UNFORMED;
        let passes = [to_ttnn, "--convert-ttnn-to-pto=block=1x1", to_tensix];
        let module = lower(&passes, &name, &ttir);
        assert!(module.contains("work 20 grid ["), "{module}");
        let inputs = inputs(only(&translate(&name, &module)), 3);
        for wait in waits {
            let is_kept = |line: &&str| {
                let line = line.trim_start();
                let is_wait = line.starts_with(&format!("tensix.{wait} "));
                !is_wait || wait == "noc_wait" && !line.contains(" until ")
            };
            let mutant: Vec<&str> = module.lines().filter(is_kept).collect();
            let is_changed = mutant.len() < module.lines().count();
            assert!(is_changed, "{result} has no {wait}");
            let survives = survives_without(&name, (&module, &mutant.join("\n")), &inputs, 2);
            assert!(!survives, "{result} does not need {wait}");
        }
    }
}

/// Tiles of f32 go to Dst past the matrix unit, when that has opened it, and before it goes on.
/// Only one tile goes at a time, so nothing can happen but what was waited for already; and the
/// matrix unit has nothing to do.
#[test]
fn little_synchronisation_of_a_cast_is_redundant() {
    let waits = [
        "tensix.stallwait  (stall_res 2, wait_res 6)",
        "tensix.stallwait  (stall_res 128, wait_res 6)",
        "tensix.stallwait  (stall_res 2, wait_res 128)",
        "tensix.stallwait  (stall_res 2, wait_res 128)",
    ];
    let [narrows, widens] = CASTS;
    for (types, expect) in some(&[(narrows, &waits[..]), (widens, &[])], 1) {
        let name = format!("mutants_from_{}", types[0]);
        let module = lower(&UNFORMED, &name, &cast("33x96", *types));
        let inputs = inputs(only(&translate(&name, &module)), 3);
        assert_eq!(
            survivors(&name, &module, &inputs),
            *expect,
            "these lines can be left out"
        );
    }
}
