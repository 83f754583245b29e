//! Functions without rounding, or with one rounding, bit by bit.

use tessera_isa_mncore::memory::Width;
use tessera_mncore::geometry::{Geometry, CYCLES, PES};
use tessera_mncore_code::functions::Function;
use tessera_ops::Unary;

use crate::machine::{Argument, Kernel, LONG};
use crate::sample::{mixture, number, Words};

/// Vectors in a test.
const VECTORS: u32 = 2;
const SIGN: u32 = 1 << 31;
const ONE: u32 = 0x3f80_0000;

fn truth(holds: bool) -> u32 {
    if holds {
        ONE
    } else {
        0
    }
}

/// Flushes a result as the MAU does: denormals and NaN become zero.
fn flushed(result: f32) -> u32 {
    if result.is_normal() || result.is_infinite() {
        result.to_bits()
    } else {
        0
    }
}

fn floor(word: u32) -> u32 {
    match word >> 23 & 0xff {
        0 | 255 => word,
        _ => f32::from_bits(word).floor().to_bits(),
    }
}

/// Maps normal numbers; zeros, denormals and infinities keep their bits.
fn integral(word: u32, map: fn(f32) -> f32) -> u32 {
    match word >> 23 & 0xff {
        0 | 255 => word,
        _ => map(f32::from_bits(word)).to_bits(),
    }
}

fn fraction(word: u32) -> u32 {
    match word >> 23 & 0xff {
        0 | 255 => 0,
        // The difference of equal numbers is +0.
        _ => (f32::from_bits(word).fract() + 0.0).to_bits(),
    }
}

fn sign(word: u32) -> u32 {
    match word >> 23 & 0xff {
        0 => 0,
        _ => word & SIGN | ONE,
    }
}

/// Returns the bits of a word rounded to bf16, ties to even, computed in wider integers than on the
/// chip.
fn bf16(word: u32) -> u32 {
    if word >> 23 & 0xff == 0 {
        return 0;
    }
    let (upper, lower) = (word >> 16, word & 0xffff);
    let up = lower > 0x8000 || lower == 0x8000 && upper % 2 == 1;
    upper + u32::from(up)
}

/// A function, and its reference on words.
type Case = (Function, fn(&[u32]) -> u32);

#[rustfmt::skip]
const NUMBERS: &[Case] = &[
    (Function::Neg, |x| x[0] ^ SIGN),
    (Function::Abs, |x| x[0] & !SIGN),
    (Function::Max, |x| if number(x[0]) >= number(x[1]) { x[0] } else { x[1] }),
    (Function::Min, |x| if number(x[0]) <= number(x[1]) { x[0] } else { x[1] }),
    (Function::Unary(Unary::Floor), |x| floor(x[0])),
    (Function::Unary(Unary::Ceil), |x| integral(x[0], f32::ceil)),
    (Function::Unary(Unary::Trunc), |x| integral(x[0], f32::trunc)),
    (Function::Unary(Unary::Round), |x| match x[0] >> 23 & 0xff {
        0 => x[0] & SIGN,
        _ => integral(x[0], f32::round_ties_even),
    }),
    (Function::Unary(Unary::Frac), |x| fraction(x[0])),
    (Function::Unary(Unary::Sign), |x| sign(x[0])),
    (Function::Unary(Unary::Signbit), |x| truth(x[0] & SIGN != 0)),
    (Function::Unary(Unary::IsFinite), |x| truth(number(x[0]).is_finite())),
    (Function::Relu, |x| if x[0] & SIGN == 0 { x[0] } else { SIGN }),
    (Function::Lt, |x| truth(number(x[0]) < number(x[1]))),
    (Function::Le, |x| truth(number(x[0]) <= number(x[1]))),
    (Function::Gt, |x| truth(number(x[0]) > number(x[1]))),
    (Function::Ge, |x| truth(number(x[0]) >= number(x[1]))),
    (Function::Eq, |x| truth(number(x[0]) == number(x[1]))),
    (Function::Ne, |x| truth(number(x[0]) != number(x[1]))),
    (Function::Where, |x| if number(x[0]) != 0.0 { x[1] } else { x[2] }),
    (Function::ToInt, |x| (number(x[0]) as i32) as u32),
    (Function::ToBf16, |x| bf16(x[0]) << 16 | bf16(x[1])),
    (Function::RoundBf16, |x| bf16(x[0]) << 16),
];

#[rustfmt::skip]
const INTEGERS: &[Case] = &[
    (Function::FromInt, |x| (x[0] as i32 as f32).to_bits()),
    (Function::IntAdd, |x| x[0].wrapping_add(x[1])),
    (Function::IntSub, |x| x[0].wrapping_sub(x[1])),
    (Function::IntMul, |x| x[0].wrapping_mul(x[1])),
    (Function::IntAnd, |x| x[0] & x[1]),
    (Function::IntOr, |x| x[0] | x[1]),
    (Function::IntXor, |x| x[0] ^ x[1]),
    (Function::IntNot, |x| !x[0]),
    (Function::IntShiftLeft, |x| x[0].checked_shl(x[1] % 64).unwrap_or(0)),
    (Function::IntShiftRight, |x| ((x[0] as i32) >> (x[1] % 64).min(31)) as u32),
    (Function::IntShiftRightUnsigned, |x| x[0].checked_shr(x[1] % 64).unwrap_or(0)),
    (Function::IntDiv, |x| match x[1] {
        0 => u32::MAX,
        y => (x[0] as i32).wrapping_div(y as i32) as u32,
    }),
    (Function::IntRem, |x| match x[1] {
        0 => x[0],
        y => (x[0] as i32).wrapping_rem(y as i32) as u32,
    }),
    (Function::IntMax, |x| (x[0] as i32).max(x[1] as i32) as u32),
    (Function::IntMin, |x| (x[0] as i32).min(x[1] as i32) as u32),
    (Function::IntLt, |x| u32::from((x[0] as i32) < x[1] as i32)),
    (Function::IntLe, |x| u32::from(x[0] as i32 <= x[1] as i32)),
    (Function::IntGt, |x| u32::from(x[0] as i32 > x[1] as i32)),
    (Function::IntGe, |x| u32::from(x[0] as i32 >= x[1] as i32)),
    (Function::IntEq, |x| u32::from(x[0] == x[1])),
    (Function::IntNe, |x| u32::from(x[0] != x[1])),
    (Function::IntWhere, |x| if x[0] != 0 { x[1] } else { x[2] }),
];

/// Returns the functions in the tables above.
pub fn functions() -> impl Iterator<Item = Function> {
    NUMBERS.iter().chain(INTEGERS).map(|case| case.0)
}

/// Runs a function and compares each word with the reference.
#[track_caller]
fn check(&(function, expect): &Case, operands: &[Vec<u32>]) {
    let arguments = vec![LONG; function.row().arity];
    let mut kernel = Kernel::new(function, &arguments, VECTORS);
    let operands: Vec<&[u32]> = operands[..arguments.len()]
        .iter()
        .map(Vec::as_slice)
        .collect();
    let results = kernel.run(&operands).remove(0);
    for (index, result) in results.into_iter().enumerate() {
        let x: Vec<u32> = operands.iter().map(|words| words[index]).collect();
        let expect = expect(&x);
        assert_eq!(
            result, expect,
            "{function:?} {x:#010x?}: {result:#010x}, not {expect:#010x}"
        );
    }
}

/// Returns the number of words of the vectors of a test.
fn length() -> usize {
    Kernel::new(Function::Neg, &[LONG], VECTORS).len()
}

#[test]
fn functions_of_numbers() {
    let length = length();
    let first = mixture(length, 4.0, 1);
    // Some pairs are equal, but for the sign of a zero perhaps; some differ in their last bit; all
    // specials meet others.
    let mut words = Words(2);
    let partner = |(index, &word): (usize, &u32)| match index % 8 {
        0 => word,
        1 if number(word) == 0.0 => word ^ SIGN,
        1 if number(word).is_finite() => word ^ 1,
        _ => first[words.next() as usize % first.len()],
    };
    let second: Vec<u32> = first.iter().enumerate().map(partner).collect();
    let third = mixture(length, 100.0, 3);
    let operands = [first, second, third];
    for case in NUMBERS {
        check(case, &operands);
    }
}

#[test]
fn functions_of_integers() {
    let length = length();
    let mut words = Words(4);
    let first: Vec<u32> = mixture(length, 1.0, 5);
    let small = |index: usize, word: u32| if index % 2 == 0 { word % 70 } else { word };
    // Some pairs are equal.
    let partner = |index: usize| match index % 8 {
        1 => first[index],
        _ => small(index, words.next()),
    };
    let second: Vec<u32> = (0..length).map(partner).collect();
    let third = mixture(length, 1.0, 6);
    for case in INTEGERS {
        check(case, &[first.clone(), second.clone(), third.clone()]);
    }
    for case in INTEGERS {
        check(case, &[second.clone(), first.clone(), third.clone()]);
    }
}

#[test]
fn words_of_two_bf16_become_two_numbers() {
    let mut kernel = Kernel::new(Function::FromBf16, &[LONG], VECTORS);
    let mut words = Words(6);
    let operand: Vec<u32> = (0..kernel.len()).map(|_| words.next()).collect();
    let results = kernel.run(&[&operand]);
    for (index, word) in operand.into_iter().enumerate() {
        assert_eq!(results[0][index], word & 0xffff_0000);
        assert_eq!(results[1][index], word << 16);
    }
}

/// Converts a half to a single.
fn single(half: u32) -> u32 {
    let sign = (half & 0x8000) << 16;
    match half >> 9 & 0x3f {
        0 => 0,
        0x3f => sign | 0x7f80_0000,
        exponent => sign | (exponent + 127 - 31) << 23 | (half & 0x1ff) << 14,
    }
}

/// Rounds a single to a half, ties to even.
fn half(single: u32) -> u32 {
    let sign = single >> 16 & 0x8000;
    let magnitude = single & !SIGN;
    let rounded = magnitude + 0x1fff + (magnitude >> 14 & 1);
    match (rounded >> 23) as i32 - 127 + 31 {
        exponent if exponent <= 0 => 0,
        exponent if exponent >= 0x3f => sign | 0x7e00,
        exponent => sign | (exponent as u32) << 9 | rounded >> 14 & 0x1ff,
    }
}

/// Returns, for a single in two long words per cycle, the index of the word that contains the
/// corresponding half in one long word per cycle, and its shift.
fn half_of(index: usize) -> (usize, u32) {
    let lanes = lanes();
    let (row, in_row) = (index / (2 * lanes), index % (2 * lanes));
    let (lane, word) = (in_row / 2, in_row % 2);
    let (cycle, long) = (row / 2, row % 2);
    ((cycle * lanes + lane) * 2 + long, 16 - 16 * word as u32)
}

fn lanes() -> usize {
    Geometry::BOARD.block_count() * Geometry::BOARD.lanes()
}

#[test]
fn halves_and_singles() {
    let wide = Argument::Vector(Width::Double);
    let mut kernel = Kernel::new(Function::FromHalf, &[LONG], VECTORS);
    let mut words = Words(7);
    let operand: Vec<u32> = (0..kernel.len()).map(|_| words.next()).collect();
    let results = kernel.run(&[&operand]).remove(0);
    for (index, result) in results.into_iter().enumerate() {
        let (at, shift) = half_of(index);
        let half = operand[at] >> shift & 0xffff;
        assert_eq!(result, single(half), "{half:#06x}");
    }
    let mut kernel = Kernel::new(Function::ToHalf, &[wide], VECTORS);
    let mut operand = mixture(2 * kernel.len(), 1e10, 8);
    // Ties, and their neighbours.
    for (index, word) in operand.iter_mut().enumerate().skip(4096).step_by(3) {
        *word = *word & !0x3fff | [0x1fff, 0x2000, 0x2001][index / 3 % 3];
    }
    let results = kernel.run(&[&operand]).remove(0);
    for (index, word) in operand.into_iter().enumerate() {
        let (at, shift) = half_of(index);
        assert_eq!(results[at] >> shift & 0xffff, half(word), "{word:#010x}");
    }
}

/// Returns the index of a word, given vector and cycle, the PE of the chip, and the word of the
/// long word.
fn index_of(row: usize, lane: usize, word: usize) -> usize {
    (row * lanes() + lane) * 2 + word
}

/// A binary operation with the arithmetic of the chip.
type Join = fn(u32, u32) -> u32;

#[test]
fn reductions_inside_a_mab() {
    let sum: Join = |x, y| flushed(f32::from_bits(x) + f32::from_bits(y));
    let max: Join = |x, y| if number(x) >= number(y) { x } else { y };
    let min: Join = |x, y| if number(x) <= number(y) { x } else { y };
    let int_sum: Join = u32::wrapping_add;
    let int_max: Join = |x, y| (x as i32).max(y as i32) as u32;
    let int_min: Join = |x, y| (x as i32).min(y as i32) as u32;
    let mut words = Words(9);
    let mut random = |length: usize| -> Vec<u32> {
        let number = |word: u32| (word as i32 as f32 * 1e-6).to_bits();
        (0..length).map(|_| number(words.next())).collect()
    };
    for (function, join, argument) in [
        (Function::SumWords, sum, LONG),
        (Function::MaxWords, max, LONG),
        (Function::MinWords, min, LONG),
        (Function::IntSumWords, int_sum, LONG),
        (Function::IntMaxWords, int_max, LONG),
        (Function::IntMinWords, int_min, LONG),
        (Function::IntSumPes, int_sum, LONG),
        (Function::IntMaxPes, int_max, LONG),
        (Function::IntMinPes, int_min, LONG),
        (Function::SumPes, sum, LONG),
        (Function::MaxPes, max, LONG),
        (Function::MinPes, min, LONG),
        (Function::SumCycles, sum, Argument::InMemory),
        (Function::MaxCycles, max, Argument::InMemory),
        (Function::MinCycles, min, Argument::InMemory),
        (Function::IntSumCycles, int_sum, Argument::InMemory),
        (Function::IntMaxCycles, int_max, Argument::InMemory),
        (Function::IntMinCycles, int_min, Argument::InMemory),
    ] {
        let mut kernel = Kernel::new(function, &[argument], VECTORS);
        let operand = random(kernel.len());
        let results = kernel.run(&[&operand]).remove(0);
        for (index, result) in results.into_iter().enumerate() {
            let (row, rest) = (index / (2 * lanes()), index % (2 * lanes()));
            let (lane, word) = (rest / 2, rest % 2);
            let expect = match function {
                Function::SumWords
                | Function::MaxWords
                | Function::MinWords
                | Function::IntSumWords
                | Function::IntMaxWords
                | Function::IntMinWords => join(
                    operand[index_of(row, lane, 0)],
                    operand[index_of(row, lane, 1)],
                ),
                Function::SumPes
                | Function::MaxPes
                | Function::MinPes
                | Function::IntSumPes
                | Function::IntMaxPes
                | Function::IntMinPes => {
                    let (mab, pe) = (lane / PES * PES, lane % PES);
                    let of =
                        |back: usize| operand[index_of(row, mab + (pe + PES - back) % PES, word)];
                    join(join(of(0), of(2)), join(of(1), of(3)))
                }
                _ => {
                    let of =
                        |cycle: usize| operand[index_of(row / CYCLES * CYCLES + cycle, lane, word)];
                    join(join(join(of(0), of(1)), of(2)), of(3))
                }
            };
            assert_eq!(result, expect, "{function:?} at {index}");
        }
    }
}
