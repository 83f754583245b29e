//! The element-wise program: subtraction with a broadcast row, negation by the vector unit, relu
//! and edge masks of the packer.

mod common;

use common::mutants::check_mutants;
use common::{bf16, program, run, tile, Tile};
use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Opcode;
use tessera_tensix::Stats;

const SUBTRACT_ROW: &str = include_str!("programs/subtract_row.tensix");

/// Input values: small quarters, so that differences are exact.
fn a(t: usize, i: usize, j: usize) -> f32 {
    ((i * 7 + j * 3 + t) % 29) as f32 / 4.0 - 3.0
}

fn b(t: usize, i: usize, j: usize) -> f32 {
    ((i * 5 + j * 11 + t) % 23) as f32 / 4.0 - 2.0
}

/// Returns the expected element (i, j) of tile t.
fn element(t: usize, i: usize, j: usize) -> u16 {
    let difference = a(t, i, j) - b(t, 0, j);
    let result = match t {
        0 => difference,
        1 => -difference,
        _ => difference.max(0.0),
    };
    // The packer writes +0 for -0, and zeros outside the mask.
    if j < 31 - t && result != 0.0 {
        bf16(result)
    } else {
        0
    }
}

fn expected() -> Vec<Tile> {
    (0..3)
        .map(|t| std::array::from_fn(|i| std::array::from_fn(|j| element(t, i, j))))
        .collect()
}

fn subtract_row(lists: &Lists, seed: u64) -> Result<(Vec<Tile>, Stats), String> {
    let tiles = |f: fn(usize, usize, usize) -> f32| -> Vec<Tile> {
        (0..3).map(|t| tile(|i, j| f(t, i, j))).collect()
    };
    run(lists, &[&tiles(a), &tiles(b)], 3, seed).map_err(|trap| trap.to_string())
}

#[test]
fn every_schedule_gives_the_right_bits() {
    let lists = program(SUBTRACT_ROW);
    for seed in 0..100 {
        let (out, stats) =
            subtract_row(&lists, seed).unwrap_or_else(|trap| panic!("seed {seed}: {trap}"));
        assert_eq!(out, expected(), "seed {seed}");
        assert_eq!(
            (stats.count(Opcode::Elwsub), stats.count(Opcode::Sfpstore)),
            (24, 32)
        );
    }
}

#[test]
fn nothing_that_synchronises_can_be_left_out() {
    let expected = expected();
    // Six SETC16 already separate the last matrix instruction from the first vector load; three are
    // sufficient.
    let redundant = ["math entry 54, `ttstallwait 256, 128`, removed"];
    check_mutants(&program(SUBTRACT_ROW), &redundant, |mutant, seed| {
        subtract_row(mutant, seed).is_ok_and(|(out, _)| out == expected)
    });
}
