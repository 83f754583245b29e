//! Tests of the matmul programs: rows and columns, counts, one result under every schedule, and no
//! redundant wait, post or flip.

mod common;

use common::mutants::check_mutants;
use common::product::{product, Shape};
use common::{bf16, noise, program, run, run_on, run_with, tile, value, Tile};
use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::{Arch, Opcode};
use tessera_tensix::arith::spec::bits::src_from_bf16;
use tessera_tensix::arith::spec::fpu::{Mode, Phase, SrcStyle};
use tessera_tensix::arith::spec::packer::early::{EarlyConversion, Type};
use tessera_tensix::Model;

const ONE_TILE: &str = include_str!("programs/matmul_one_tile.tensix");
const THREE_TILES: &str = include_str!("programs/matmul_three_tiles.tensix");

/// Returns a permutation of 0..32 without structure in faces or halves.
fn permuted(i: usize) -> usize {
    (i * 13 + 7) % 32
}

fn one_tile(a: &Tile, b: &Tile, seed: u64) -> Tile {
    let (c, _) =
        run(&program(ONE_TILE), &[&[*a], &[*b]], 1, seed).unwrap_or_else(|trap| panic!("{trap}"));
    c[0]
}

/// One operand selects, the other encodes its row or its column: four runs reproduce rows and
/// columns exactly.
#[test]
fn selection() {
    let picks_rows = tile(|i, k| f32::from(u8::from(k == permuted(i))));
    let picks_columns = tile(|k, j| f32::from(u8::from(k == permuted(j))));
    let row = tile(|i, _| i as f32 + 1.0);
    let column = tile(|_, j| j as f32 + 1.0);
    let cases = [
        (picks_rows, row, tile(|i, _| permuted(i) as f32 + 1.0)),
        (picks_rows, column, column),
        (row, picks_columns, row),
        (column, picks_columns, tile(|_, j| permuted(j) as f32 + 1.0)),
    ];
    for (k, (a, b, expect)) in cases.iter().enumerate() {
        assert_eq!(one_tile(a, b, k as u64), *expect, "case {k}");
    }
}

/// The fast and the reference model give the same bits.
#[test]
fn models() {
    let tiles = |seed: u64| [0, 1, 2, 3, 4, 5].map(|k| tile(|i, j| noise(seed + k, i, j)));
    let (a, b) = (tiles(1), tiles(7));
    let [fast, reference] = [Model::fast(), Model::Reference].map(|model| {
        let run = run_with(model, &program(THREE_TILES), &[&a, &b], 3, 0);
        run.unwrap_or_else(|trap| panic!("{trap}")).0
    });
    assert_eq!(fast, reference);
    assert_ne!(fast[0], fast[1]);
}

/// Every output is within the error bound of the arithmetic (16 products in two groups of 8, one
/// rounding at the end).
#[test]
fn values() {
    let a = tile(|i, k| noise(1, i, k));
    let b = tile(|k, j| noise(2, k, j));
    let c = one_tile(&a, &b, 0);
    for i in 0..32 {
        for j in 0..32 {
            let product = |k: usize| value(a[i][k]) * value(b[k][j]);
            let exact: f64 = (0..32).map(product).sum();
            let groups: f64 = (0..4)
                .map(|g| {
                    (8 * g..8 * g + 8)
                        .map(|k| product(k).abs())
                        .fold(0.0, f64::max)
                })
                .sum();
            let bound = (exact.abs() + 1.04 * groups) / 256.0;
            let error = (value(c[i][j]) - exact).abs();
            assert!(
                error <= bound,
                "({i}, {j}): {} for {exact}, bound {bound}",
                value(c[i][j])
            );
        }
    }
}

/// Products of matrices of tiles, at the lowest and the highest fidelity. Nothing is rounded: each
/// row of a tile of A selects a row of a tile of B, whose numbers have four bits.
#[test]
fn matrices_of_tiles() {
    let picks = |page: usize, i: usize| (permuted(i) + 5 * page) % 32;
    let picked = |page: usize, k: usize, j: usize| (1 + (7 * page + 3 * k + 5 * j) % 13) as f32;
    let cases = [([1, 1, 1], 1), ([1, 3, 2], 4), ([2, 2, 3], 1)];
    for (arch, ([rows, columns, depth], phases)) in Arch::ALL
        .into_iter()
        .flat_map(|arch| cases.map(|case| (arch, case)))
    {
        let shape = Shape {
            rows,
            columns,
            depth,
        };
        let [a_pages, b_pages, pages] = shape.tiles();
        let a_tile = |page| tile(|i, k| f32::from(u8::from(k == picks(page, i))));
        let b_tile = |page| tile(|k, j| picked(page, k, j));
        let a: Vec<Tile> = (0..a_pages).map(a_tile).collect();
        let b: Vec<Tile> = (0..b_pages).map(b_tile).collect();
        let lists = product(arch, shape, phases);
        let (c, stats) = run_on((arch, Model::fast()), &lists, &[&a, &b], pages as u32, 7)
            .unwrap_or_else(|trap| panic!("{arch}: {trap}"));
        let passes = phases * rows * columns * depth;
        assert_eq!(stats.count(Opcode::Mvmul), 16 * passes as u64);
        for (page, c) in c.iter().enumerate() {
            let (row, column) = (page / columns, page % columns);
            let of_step = |k: usize, i: usize, j: usize| {
                picked(k * columns + column, picks(row * depth + k, i), j)
            };
            let expect = tile(|i, j| (0..depth).map(|k| of_step(k, i, j)).sum());
            assert_eq!(*c, expect, "{arch}, {shape:?}, tile {page}");
        }
    }
}

/// Computes a tile of the product of a row of tiles of A and a column of tiles of B with the
/// reference arithmetic alone: tile by tile, phase by phase, the first sixteen products before the
/// second, in 32 bits, rounded once.
fn reference(arch: Arch, a: &[Tile], b: &[Tile], phases: u32) -> Tile {
    let mode = Mode {
        style: SrcStyle::Bf16,
        dst32: true,
        minus_one_bug: arch == Arch::WormholeB0,
    };
    let mut c = [[0; 32]; 32];
    let faces = (0..32).flat_map(|i| [(i, 0), (i, 16)]);
    for (i, first) in faces {
        let mut sums = [0; 16];
        for ((a, b), phase) in a
            .iter()
            .zip(b)
            .flat_map(|tiles| (0..phases).map(move |phase| (tiles, Phase::new(phase))))
        {
            for half in [0, 16] {
                let datum = |tile: &Tile, i: usize, j: usize| src_from_bf16(tile[i][j]);
                let b_row = |k| std::array::from_fn(|j| datum(b, half + k, first + j));
                let b = std::array::from_fn(|k| mode.decode_a(&b_row(k), phase));
                let a = std::array::from_fn(|k| datum(a, i, half + k));
                sums = mode.dot(phase, &b, &mode.decode_b(&a, phase), &sums);
            }
        }
        for (c, sum) in c[i][first..].iter_mut().zip(sums) {
            *c = (EarlyConversion::Round8.apply(Type::Bf16, sum) >> 16) as u16;
        }
    }
    c
}

/// On both chips and with either model, unpacking, multiplying and packing gives bit for bit the
/// result of the arithmetic alone. Row 5 of the products evaluates to -2^-23 with 1 and -1 in
/// between, which only Blackhole normalises.
#[test]
fn products_on_both_chips() {
    const TINY: f32 = 1.0 / 2048.0;
    let shape = Shape {
        rows: 2,
        columns: 2,
        depth: 3,
    };
    let [a_pages, b_pages, pages] = shape.tiles();
    let a_tile = |page: usize| {
        let last = page % shape.depth + 1 == shape.depth;
        tile(|i, k| match (i, k) {
            (5, 0) if last => -TINY / 2.0,
            (5, 16) if last => 1.0,
            (5, 24) if last => -1.0,
            (5, _) => 0.0,
            _ => noise(1 + page as u64, i, k),
        })
    };
    let b_tile = |page: usize| {
        tile(|k, j| match k {
            0 => TINY,
            16 | 24 => 1.0,
            _ => noise(100 + page as u64, k, j),
        })
    };
    let a: Vec<Tile> = (0..a_pages).map(a_tile).collect();
    let b: Vec<Tile> = (0..b_pages).map(b_tile).collect();
    for (arch, phases, row_5) in [
        (Arch::WormholeB0, 1, -16.0),
        (Arch::WormholeB0, 4, -16.0),
        (Arch::Blackhole, 1, -TINY * TINY / 2.0),
        (Arch::Blackhole, 4, -TINY * TINY / 2.0),
    ] {
        let expect = |page: usize| {
            let (row, column) = (page / shape.columns, page % shape.columns);
            let of_row = &a[row * shape.depth..][..shape.depth];
            let of_column = b.iter().skip(column).step_by(shape.columns);
            let of_column: Vec<Tile> = of_column.copied().collect();
            reference(arch, of_row, &of_column, phases)
        };
        let expect: Vec<Tile> = (0..pages).map(expect).collect();
        assert_eq!(expect[0][5], [bf16(row_5); 32], "{arch}, {phases} phases");
        let lists = product(arch, shape, phases as usize);
        for (model, seed) in [
            (Model::fast(), 0),
            (Model::fast(), 1),
            (Model::Reference, 2),
        ] {
            let run = run_on((arch, model), &lists, &[&a, &b], pages as u32, seed);
            let (c, _) = run.unwrap_or_else(|trap| panic!("{arch}, {phases} phases: {trap}"));
            assert!(
                c == expect,
                "{arch}, {phases} phases, {model:?}, seed {seed}"
            );
        }
    }
}

#[test]
fn counts() {
    let zero = tile(|_, _| 0.0);
    let (_, stats) =
        run(&program(ONE_TILE), &[&[zero], &[zero]], 1, 0).unwrap_or_else(|trap| panic!("{trap}"));
    assert_eq!(stats.of_thread(1, Opcode::Mvmul), 64);
    assert_eq!(
        (
            stats.count(Opcode::Mvmul),
            stats.count(Opcode::Unpacr),
            stats.count(Opcode::Pacr)
        ),
        (64, 2, 1)
    );
    let (_, stats) = three_tiles(&program(THREE_TILES), 0).unwrap();
    assert_eq!(
        (stats.count(Opcode::Mvmul), stats.count(Opcode::Pacr)),
        (6 * 64, 3)
    );
}

/// Computes three tiles, each the sum of two products of different inputs; returns them with the
/// statistics that do not depend on the schedule.
fn three_tiles(lists: &Lists, seed: u64) -> Result<(Vec<Tile>, tessera_tensix::Stats), String> {
    let inputs = |first: u64| -> Vec<Tile> {
        (first..first + 6)
            .map(|n| tile(|i, j| noise(n, i, j)))
            .collect()
    };
    let (tiles, stats) =
        run(lists, &[&inputs(3), &inputs(9)], 3, seed).map_err(|trap| trap.to_string())?;
    Ok((tiles, stats.without_stalls()))
}

#[test]
fn every_schedule_gives_the_same_bits() {
    let lists = program(THREE_TILES);
    let expect = three_tiles(&lists, 0).unwrap();
    assert_ne!(expect.0[0], expect.0[1]);
    for seed in 1..100 {
        assert_eq!(three_tiles(&lists, seed), Ok(expect.clone()), "seed {seed}");
    }
}

#[test]
fn nothing_that_synchronises_can_be_left_out() {
    let lists = program(THREE_TILES);
    let expect = three_tiles(&lists, 0).unwrap().0;
    check_mutants(&lists, &[], |mutant, seed| {
        three_tiles(mutant, seed).is_ok_and(|(out, _)| out == expect)
    });
}
