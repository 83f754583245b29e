//! MAU arithmetic (manual, section 3.6.9).

use tessera_isa_mncore::ast::{Convert, Input, Mau};
use tessera_isa_mncore::memory::{Precision, Side};
use tessera_isa_mncore::table::mau::Port;
use tessera_isa_mncore::table::{Half as Halves, MauKind};

use super::{matrix, operands, Longs, Nibbles, Words};
use crate::block::Block;
use crate::geometry::CYCLES;
use crate::numerics::format::{Double, Format, Half, Single};
use crate::numerics::matrix::{
    fma, DoubleBlocks, HalfBlocks, Precision as _, PseudoSingleBlocks, SingleBlocks,
};
use crate::numerics::{convert, oracle, vector};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// Splits two long words into elements of 16, 32 or 64 bits.
fn split(longs: Longs, bits: u32) -> Vec<u64> {
    let in_long = |long: u64| {
        (0..64 / bits)
            .map(move |index| long >> (64 - bits * (index + 1)) & (u64::MAX >> (64 - bits)))
    };
    longs.into_iter().flat_map(in_long).collect()
}

/// The inverse of [`split`]; missing elements are zero.
fn join(elements: &[u64], bits: u32) -> Longs {
    let mut longs = [0; 2];
    for (index, element) in elements.iter().enumerate() {
        let at = index as u32 * bits;
        longs[at as usize / 64] |= element << (64 - bits - at % 64);
    }
    longs
}

/// Converts and negates an operand in one PE and cycle (sections 3.6.9.22 to 3.6.9.24). `used` is
/// the number of elements whose bits are observable; 0 for arithmetic.
fn converted(
    input: &Input,
    precision: Precision,
    used: usize,
    longs: Longs,
    undetermined: &mut UndeterminedSet,
) -> Longs {
    let bits = precision.bits();
    let mut elements = match input.convert {
        Convert::None => split(longs, bits),
        Convert::Narrow => {
            let singles = split(longs, 32).into_iter().enumerate();
            let halves = singles.map(|(index, single)| {
                let mut met = UndeterminedSet::NONE;
                let half = convert::narrow::<Single, Half>(single, &mut met);
                if index < used {
                    undetermined.merge(met);
                }
                half
            });
            halves.collect()
        }
        Convert::Widen => {
            let narrow = split(longs, bits / 2).into_iter().enumerate();
            // Two long words of narrow elements would give four of wide ones; only the first half
            // is used.
            let wide = narrow.take(128 / bits as usize).map(|(index, word)| {
                let mut met = UndeterminedSet::NONE;
                let point = Undetermined::WidenedMatrixInput;
                let wide = match precision {
                    Precision::Double => {
                        convert::widen_visible::<Single, Double>(word, point, &mut met)
                    }
                    _ => convert::widen_visible::<Half, Single>(word, point, &mut met),
                };
                if index < used {
                    undetermined.merge(met);
                }
                wide
            });
            wide.collect()
        }
    };
    if precision == Precision::Double && input.convert == Convert::Widen {
        // Each single in an upper word becomes a double; lower words are unused.
        elements.truncate(1);
    }
    let mut longs = join(&elements, bits);
    if input.negate {
        let signs = join(&vec![1 << (bits - 1); 128 / bits as usize], bits);
        longs = [longs[0] ^ signs[0], longs[1] ^ signs[1]];
    }
    longs
}

/// Returns the data written to a matrix register, one or two rows a cycle.
pub fn stored_input(
    input: &Input,
    precision: Precision,
    wide: bool,
    block: &Block,
    undetermined: &mut UndeterminedSet,
) -> Words {
    let elements = match precision {
        Precision::Pseudo => Precision::Single,
        other => other,
    };
    let used = if wide { 128 } else { 64 } / elements.bits() as usize;
    let read = operands::read_all(block, input, precision.bits());
    read.into_iter()
        .map(|cycles| cycles.map(|longs| converted(input, elements, used, longs, undetermined)))
        .collect()
}

/// Executes a MAU expression; returns results and mask flags.
pub fn run(mau: &Mau, block: &Block, undetermined: &mut UndeterminedSet) -> (Words, Nibbles) {
    let op = mau.op;
    let mut ports: [Option<Words>; 3] = [None, None, None];
    for (input, port) in mau.inputs.iter().zip(op.kind.row().ports) {
        let (index, precision) = match (port, op.precision) {
            (Port::C, Precision::Half) => (2, Precision::Single),
            (Port::C, Precision::Pseudo) => (2, Precision::Single),
            (Port::Vector | Port::A, Precision::Pseudo) => (0, Precision::Single),
            (Port::Vector | Port::A, precision) => (0, precision),
            (Port::B, precision) => (1, precision),
            (Port::C, precision) => (2, precision),
        };
        let words = operands::read_all(block, input, op.precision.bits());
        let words = words
            .into_iter()
            .map(|cycles| cycles.map(|longs| converted(input, precision, 0, longs, undetermined)));
        ports[index] = Some(words.collect());
    }
    let result_bits = accumulator(op.precision).bits() / if op.narrow { 2 } else { 1 };
    let mut words = vec![[[0; 2]; CYCLES]; block.lanes()];
    let mut nibbles = vec![[0; CYCLES]; block.lanes()];
    for mab in 0..block.lanes() / 4 {
        for cycle in 0..CYCLES {
            let port = |index: usize| -> [Longs; 4] {
                std::array::from_fn(|pe| {
                    ports[index]
                        .as_ref()
                        .map_or([0; 2], |words| words[4 * mab + pe][cycle])
                })
            };
            let results = match mau.matrix {
                Some(side) => {
                    execute_product(mau, side, block, mab, &port(0), &port(2), undetermined)
                }
                None => execute_element_wise(mau, &port(0), &port(1), &port(2), undetermined),
            };
            for (pe, results) in results.iter().enumerate() {
                words[4 * mab + pe][cycle] = join(results, result_bits);
                nibbles[4 * mab + pe][cycle] = result_flags(results, result_bits);
            }
        }
    }
    (words, nibbles)
}

/// Returns the precision of the third input and of results that are not narrowed (section 3.6.9.1).
fn accumulator(precision: Precision) -> Precision {
    match precision {
        Precision::Double => Precision::Double,
        _ => Precision::Single,
    }
}

/// Returns the inverted signs, repeated to four flags (section 3.6.9.26).
fn result_flags(results: &[u64], bits: u32) -> u8 {
    let copies = 4 / results.len();
    let mut nibble = 0;
    for result in results {
        for _ in 0..copies {
            nibble = nibble << 1 | u8::from(result >> (bits - 1) & 1 == 0);
        }
    }
    nibble
}

/// Returns one element of a vector operation: `a · b + c`.
fn one<A: vector::Factor, O: Format>(
    a: u64,
    b: u64,
    c: u64,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    let plain = vector::fma::<A, O>(a, b, c, undetermined);
    oracle::vector_fma::<A, A::Accumulator, O>(a, b, c).unwrap_or(plain)
}

/// Executes `vfma` and its special cases in the four PEs of a MAB (sections 3.6.9.10 to 3.6.9.21).
fn execute_element_wise(
    mau: &Mau,
    x: &[Longs; 4],
    y: &[Longs; 4],
    z: &[Longs; 4],
    undetermined: &mut UndeterminedSet,
) -> Vec<Vec<u64>> {
    let op = mau.op;
    let bits = op.precision.bits();
    let constant_one = match op.precision {
        Precision::Double => Double::ONE,
        Precision::Half => Half::ONE,
        _ => Single::ONE,
    };
    let factor_is_one = matches!(op.kind, MauKind::Vadd | MauKind::Vpassa);
    (0..4)
        .map(|pe| {
            let x = split(x[pe], bits);
            let y = split(y[pe], bits);
            let z = split(z[pe], accumulator(op.precision).bits());
            (0..64 / bits as usize)
                .map(|index| {
                    let a = x[index];
                    let b = if factor_is_one {
                        constant_one
                    } else {
                        y[index]
                    };
                    let c = z[index];
                    match (op.precision, op.narrow) {
                        (Precision::Double, narrow) => {
                            let counts = match op.half {
                                None => true,
                                Some(Halves::Upper) => pe == 0 || pe == 1,
                                Some(Halves::Lower) => pe == 2 || pe == 3,
                            };
                            let (a, b) = if counts { (a, b) } else { (0, 0) };
                            if narrow {
                                one::<Double, Single>(a, b, c, undetermined)
                            } else {
                                one::<Double, Double>(a, b, c, undetermined)
                            }
                        }
                        (Precision::Half, true) => one::<Half, Half>(a, b, c, undetermined),
                        (Precision::Half, false) => one::<Half, Single>(a, b, c, undetermined),
                        _ => one::<Single, Single>(a, b, c, undetermined),
                    }
                })
                .collect()
        })
        .collect()
}

/// Executes `mfma` and `mmul` in a MAB (sections 3.6.9.2 to 3.6.9.9); returns the results of each
/// PE.
fn execute_product(
    mau: &Mau,
    side: Side,
    block: &Block,
    mab: usize,
    x: &[Longs; 4],
    y: &[Longs; 4],
    undetermined: &mut UndeterminedSet,
) -> Vec<Vec<u64>> {
    let precision = mau.op.precision;
    let row = |i: usize| matrix::row(block, side, mab, precision, i);
    let x = x.map(|longs| longs[0]);
    // src_data_y, PE after PE.
    let per_pe = match precision {
        Precision::Double => 1,
        Precision::Half => 4,
        _ => 2,
    };
    let addends = y.iter().flat_map(|longs| {
        let mut all = split(*longs, accumulator(precision).bits());
        all.truncate(per_pe);
        all
    });
    let addends: Vec<u64> = addends.collect();
    let results: Vec<u64> = addends
        .iter()
        .enumerate()
        .map(|(i, &c)| match precision {
            Precision::Double => compute_double_row(mau, i, &row(i), &x, c, undetermined),
            Precision::Half => {
                let words = |longs: [u64; 4]| -> [u64; 16] {
                    std::array::from_fn(|j| longs[j / 4] >> (48 - 16 * (j % 4)) & 0xffff)
                };
                compute_half_row(mau.op.narrow, &words(row(i)), &words(x), c, undetermined)
            }
            Precision::Pseudo => {
                let words = |longs: [u64; 4]| -> [u64; 8] {
                    std::array::from_fn(|j| longs[j / 2] >> (32 - 32 * (j % 2)) & 0xffff_ffff)
                };
                let (a, x) = (words(row(i)), words(x));
                let blocks = [a, x].map(|words| PseudoSingleBlocks::decode(&words, undetermined));
                let plain =
                    fma::<PseudoSingleBlocks, Single>(&blocks[0], &blocks[1], c, undetermined);
                oracle::pseudo_single_matrix_fma(&a, &x, c).unwrap_or(plain)
            }
            _ => {
                // Columns 0, 2, 4 and 6 of eight, and the single words of four PEs.
                let (a, x) = (row(i).map(|long| long >> 32), x.map(|long| long >> 32));
                let blocks = [a, x].map(|words| SingleBlocks::decode(&words, undetermined));
                let plain = fma::<SingleBlocks, Single>(&blocks[0], &blocks[1], c, undetermined);
                oracle::single_matrix_fma(&a, &x, c).unwrap_or(plain)
            }
        })
        .collect();
    results.chunks(per_pe).map(<[u64]>::to_vec).collect()
}

/// Computes a row of `dmfma`; two of the four rows are used.
fn compute_double_row(
    mau: &Mau,
    i: usize,
    a: &[u64; 4],
    x: &[u64; 4],
    c: u64,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    let offset = match mau.op.half {
        Some(Halves::Lower) => 2,
        _ => 0,
    };
    if !(offset..offset + 2).contains(&i) {
        return if mau.op.narrow {
            one::<Double, Single>(0, 0, c, undetermined)
        } else {
            one::<Double, Double>(0, 0, c, undetermined)
        };
    }
    let blocks = [a, x].map(|words| DoubleBlocks::decode(words, undetermined));
    if mau.op.narrow {
        let plain = fma::<DoubleBlocks, Single>(&blocks[0], &blocks[1], c, undetermined);
        oracle::double_matrix_fma::<Single>(a, x, c).unwrap_or(plain)
    } else {
        let plain = fma::<DoubleBlocks, Double>(&blocks[0], &blocks[1], c, undetermined);
        oracle::double_matrix_fma::<Double>(a, x, c).unwrap_or(plain)
    }
}

/// Computes a row of `hmfma`.
fn compute_half_row(
    narrow: bool,
    a: &[u64; 16],
    x: &[u64; 16],
    c: u64,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    let blocks = [a, x].map(|words| HalfBlocks::decode(words, undetermined));
    if narrow {
        let plain = fma::<HalfBlocks, Half>(&blocks[0], &blocks[1], c, undetermined);
        oracle::half_matrix_fma::<Half>(a, x, c).unwrap_or(plain)
    } else {
        let plain = fma::<HalfBlocks, Single>(&blocks[0], &blocks[1], c, undetermined);
        oracle::half_matrix_fma::<Single>(a, x, c).unwrap_or(plain)
    }
}
