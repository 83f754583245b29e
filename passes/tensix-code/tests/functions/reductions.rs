//! Reductions of a tile.

use tessera_isa_tensix::Arch;
use tessera_ops::Reduce;
use tessera_pto::kernel::Element;
use tessera_tensix_code::reduce::Reduction;

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
