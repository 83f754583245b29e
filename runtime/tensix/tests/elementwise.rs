//! The element-wise program: subtraction with a broadcast row, negation by the vector unit, relu and edge masks of the
//! packer.

mod common;

use common::{bf16, program, run, tile, Tile};
use tessera_isa_tensix::Opcode;

const SUBTRACT_ROW: &str = include_str!("programs/subtract_row.tensix");

/// Small quarters, so that differences are exact.
fn a(t: usize, i: usize, j: usize) -> f32 {
    ((i * 7 + j * 3 + t) % 29) as f32 / 4.0 - 3.0
}

fn b(t: usize, i: usize, j: usize) -> f32 {
    ((i * 5 + j * 11 + t) % 23) as f32 / 4.0 - 2.0
}

fn expect(t: usize, i: usize, j: usize) -> u16 {
    let difference = a(t, i, j) - b(t, 0, j);
    let result = match t {
        0 => difference,
        1 => -difference,
        _ => difference.max(0.0),
    };
    // The packer writes +0 for -0, and zeros beyond the mask.
    if j < 31 - t && result != 0.0 {
        bf16(result)
    } else {
        0
    }
}

#[test]
fn three_tiles_under_all_schedules() {
    let lists = program(SUBTRACT_ROW);
    let tiles = |f: fn(usize, usize, usize) -> f32| -> Vec<Tile> {
        (0..3).map(|t| tile(|i, j| f(t, i, j))).collect()
    };
    let (lhs, rhs) = (tiles(a), tiles(b));
    for seed in 0..100 {
        let (out, stats) = run(&lists, &[&lhs, &rhs], 3, seed)
            .unwrap_or_else(|trap| panic!("seed {seed}: {trap}"));
        for (t, tile) in out.iter().enumerate() {
            for (i, row) in tile.iter().enumerate() {
                for (j, &bits) in row.iter().enumerate() {
                    assert_eq!(bits, expect(t, i, j), "seed {seed}: tile {t}, ({i}, {j})");
                }
            }
        }
        assert_eq!(
            (stats.count(Opcode::Elwsub), stats.count(Opcode::Sfpstore)),
            (24, 32)
        );
    }
}
