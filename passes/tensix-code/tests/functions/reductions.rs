//! Reductions of a tile.

use tessera_isa_tensix::{Arch, Instruction};
use tessera_ops::Reduce;
use tessera_pto::kernel::Element;
use tessera_tensix_code::reduce::Reduction;
use tessera_tensix_code::TilePart;

use crate::machine::{run_on_tile, Tile};
use crate::sample::Rng;

/// A tile of floats that are small integers, so that sums are exact, or of any integers.
fn tile(seed: u64, integer: bool) -> Tile {
    let mut rng = Rng::new(seed);
    std::array::from_fn(|_| {
        std::array::from_fn(|_| match integer {
            true => rng.next_u32(),
            false => ((rng.next_u32() % 2001) as f32 - 1000.0).to_bits(),
        })
    })
}

/// Returns the expected reduction of words.
fn expected(reduce: Reduce, integer: bool, words: impl Iterator<Item = u32>) -> u32 {
    if integer {
        let words = words.map(|word| f64::from(word as i32));
        return reduce.eval(Element::I32, words) as i32 as u32;
    }
    let words = words.map(|word| f64::from(f32::from_bits(word)));
    (reduce.eval(Element::F32, words) as f32).to_bits()
}

#[test]
fn every_row_and_column_is_reduced() {
    for (seed, &reduce) in (1..).zip(Reduce::ALL) {
        for integer in [false, true] {
            for valid in [32, 1, 2, 5, 15, 16, 17, 18, 30, 31] {
                for axis in [0, 1] {
                    let of = tile(seed, integer);
                    let reduction = Reduction {
                        reduce,
                        integer,
                        axis,
                        valid,
                    };
                    let instructions = reduction.instructions(128);
                    let on = |arch| run_on_tile(arch, &of, &instructions, 128);
                    let [found, on_blackhole] = Arch::ALL.map(on);
                    assert_eq!(found, on_blackhole, "{reduction:?}");
                    for at in 0..32 {
                        let valid = 0..valid as usize;
                        let (found, expect) = match axis {
                            0 => {
                                let column = valid.map(|row| of[row][at]);
                                (found[0][at], expected(reduce, integer, column))
                            }
                            _ => {
                                let row = valid.map(|column| of[at][column]);
                                (found[at][0], expected(reduce, integer, row))
                            }
                        };
                        assert_eq!(found, expect, "{reduction:?} {at}");
                    }
                }
            }
        }
    }
}

/// The rows of the upper half have the same sums and extremes; those of the lower half stay.
#[test]
fn rows_of_the_upper_half_are_reduced() {
    for (seed, &reduce) in (1..).zip(Reduce::ALL) {
        let of = tile(seed, false);
        let reduction = Reduction {
            reduce,
            integer: false,
            axis: 1,
            valid: 30,
        };
        let run = |instructions: &[_]| run_on_tile(Arch::ALL[0], &of, instructions, 128);
        let whole = run(&reduction.instructions(128));
        let upper = TilePart::UpperHalf;
        let half = run(&reduction.instructions_for(128, upper));
        let combined = Reduction::combine_tiles(&[reduction], [128, 128], upper, false);
        let combined = run(&combined);
        for row in 0..32 {
            let is_upper = row < 16;
            let expect = if is_upper { whole[row][0] } else { of[row][0] };
            assert_eq!(half[row][0], expect, "{reduction:?} {row}");
            let words = [of[row][0]; 2].into_iter();
            let both = expected(reduce, false, words);
            let expect = if is_upper { both } else { of[row][0] };
            assert_eq!(combined[row][0], expect, "{reduction:?} {row}");
        }
    }
}

/// A reduced tile that is combined with itself has sums twice as large, and the same extremes.
#[test]
fn reduced_tiles_are_combined() {
    for (seed, &reduce) in (1..).zip(Reduce::ALL) {
        for integer in [false, true] {
            for axes in [&[0][..], &[1], &[1, 0]] {
                let reductions: Vec<Reduction> = axes
                    .iter()
                    .map(|&axis| Reduction {
                        reduce,
                        integer,
                        axis,
                        valid: 32,
                    })
                    .collect();
                let of = tile(seed, integer);
                let reduced = reductions.iter().flat_map(|one| one.instructions(128));
                let reduced: Vec<_> = reduced.collect();
                let combined =
                    Reduction::combine_tiles(&reductions, [128, 128], TilePart::Whole, false);
                let copied =
                    Reduction::combine_tiles(&reductions, [128, 128], TilePart::Whole, true);
                let run = |more: &[_]| {
                    let instructions = [&reduced[..], more].concat();
                    run_on_tile(Arch::ALL[0], &of, &instructions, 128)
                };
                let (once, twice, copy) = (run(&[]), run(&combined), run(&copied));
                let results: Vec<[usize; 2]> = match axes {
                    [0] => (0..32).map(|column| [0, column]).collect(),
                    [1] => (0..32).map(|row| [row, 0]).collect(),
                    _ => vec![[0, 0]],
                };
                for [row, column] in results {
                    let word = once[row][column];
                    let both = expected(reduce, integer, [word, word].into_iter());
                    assert_eq!(twice[row][column], both, "{reductions:?} {row} {column}");
                    assert_eq!(copy[row][column], word, "{reductions:?} {row} {column}");
                }
            }
        }
    }
}

/// Vectors that are combined in turn fill the delay slots of sums and rotations.
#[test]
fn delay_slots_are_filled() {
    let nops = |reduce, axis| {
        let reduction = Reduction {
            reduce,
            integer: false,
            axis,
            valid: 32,
        };
        let instructions = reduction.instructions(0);
        let is_nop = |one: &&Instruction| matches!(one, Instruction::Sfpnop(_));
        instructions.iter().filter(is_nop).count()
    };
    assert_eq!(
        [Reduce::Sum, Reduce::Max].map(|reduce| nops(reduce, 1)),
        [0, 0]
    );
    // The sums of four rows depend on each other.
    assert_eq!(nops(Reduce::Sum, 0), 4);
}
