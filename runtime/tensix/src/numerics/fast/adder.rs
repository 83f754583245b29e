//! The adder at the end of the Matrix Unit's path: [`crate::numerics::fpu`]'s `accumulate` for all lanes of a row.

use std::array::from_fn;

use super::Halves;
use crate::numerics::bits;
use crate::regs::COLUMNS;

/// Sixteen lanes.
pub(super) type Lanes<T> = [T; COLUMNS];

/// Rows of Dst at once, at most.
pub(super) const ROWS: usize = 8;
const LANES: usize = ROWS * COLUMNS;
/// The lanes of so many rows.
pub(super) type Block<T> = [T; LANES];

/// A format of Dst, all of whose figures are constants of the loops that are made for it.
pub(super) trait Format {
    /// Stored mantissa bits.
    const MANTISSA: u32;
    /// Bits of the exponent field.
    const EXPONENT: u32;
    /// Place of the sign.
    const SIGN: u32 = Self::MANTISSA + Self::EXPONENT;
    /// The largest exponent field.
    const LARGEST: i32;
    /// What is too large becomes, without its sign.
    const OVERFLOW: u32;
    /// Addends keep all their bits.
    const WIDE: bool;

    /// What Dst holds, in IEEE order.
    fn read(high: u16, low: u16) -> u32;
    /// What goes into the high half of Dst; the low one takes the low bits.
    fn high(x: u32) -> u16;
}

/// FP32.
pub(super) struct F32;
/// BF16.
pub(super) struct Bf16;
/// FP16.
pub(super) struct Fp16;

impl Format for F32 {
    const MANTISSA: u32 = 23;
    const EXPONENT: u32 = 8;
    const LARGEST: i32 = 254;
    const OVERFLOW: u32 = 255 << 23;
    const WIDE: bool = true;

    #[inline(always)]
    fn read(high: u16, low: u16) -> u32 {
        u32::from(bits::bf16_from_dst(high)) << 16 | u32::from(low)
    }

    #[inline(always)]
    fn high(x: u32) -> u16 {
        bits::dst_from_bf16((x >> 16) as u16)
    }
}

impl Format for Bf16 {
    const MANTISSA: u32 = 7;
    const EXPONENT: u32 = 8;
    const LARGEST: i32 = 254;
    const OVERFLOW: u32 = 255 << 7;
    const WIDE: bool = false;

    #[inline(always)]
    fn read(high: u16, _: u16) -> u32 {
        bits::bf16_from_dst(high).into()
    }

    #[inline(always)]
    fn high(x: u32) -> u16 {
        bits::dst_from_bf16(x as u16)
    }
}

impl Format for Fp16 {
    const MANTISSA: u32 = 10;
    const EXPONENT: u32 = 5;
    const LARGEST: i32 = 31;
    const OVERFLOW: u32 = 0x7FFF;
    const WIDE: bool = false;

    #[inline(always)]
    fn read(high: u16, _: u16) -> u32 {
        bits::fp16_from_dst(high).into()
    }

    #[inline(always)]
    fn high(x: u32) -> u16 {
        bits::dst_from_fp16(x as u16)
    }
}

/// A number in a lane: its (biased) exponent, and twice its value at that, as `Term` of the reference has it. No value has more than 29 bits and a
/// sign, nor an exponent below zero.
pub(super) type Term = (i32, i32);

/// All ones or none: a choice that is no branch.
#[inline(always)]
pub(super) fn mask(condition: bool) -> i32 {
    i32::from(condition).wrapping_neg()
}

/// `doubled / 2^(by + 1)`, ties towards +∞; `by` is not negative.
#[inline(always)]
fn shift_round(doubled: i32, by: i32) -> i32 {
    // Vector instructions shift so, where they shift by as much as one likes.
    let shifted = match (by as u32) < 32 {
        true => doubled >> by,
        false => doubled >> 31,
    };
    shifted.wrapping_add(1) >> 1
}

/// What an addend keeps beside others in 16 bits.
#[inline(always)]
fn keep<F: Format>(value: i32) -> i32 {
    match F::WIDE {
        true => value,
        false => value.wrapping_add(1 << 12) & !((1 << 13) - 1),
    }
}

/// What Dst holds in a lane: its exponent.
#[inline(always)]
fn exponent<F: Format>(dst: u32) -> i32 {
    (dst >> F::MANTISSA & ((1 << F::EXPONENT) - 1)) as i32
}

/// `dst + terms` in a lane at the exponent that is common to them. Nothing wraps.
#[inline(always)]
fn add<F: Format, const TERMS: usize>(common: i32, terms: [Term; TERMS], dst: u32) -> i32 {
    let exponent = exponent::<F>(dst);
    let mantissa = (dst & ((1 << F::MANTISSA) - 1) | 1 << F::MANTISSA) << (24 - F::MANTISSA);
    let held = mantissa as i32 & mask(exponent != 0);
    let magnitude = keep::<F>(shift_round(held, common.wrapping_sub(exponent)));
    let negative = (dst << (31 - F::SIGN)) as i32 >> 31;
    let mut sum = (magnitude ^ negative).wrapping_sub(negative);
    for (exponent, doubled) in terms {
        sum = sum.wrapping_add(keep::<F>(shift_round(
            doubled,
            common.wrapping_sub(exponent),
        )));
    }
    sum
}

/// Normalises `sum`, whose bit 23 is worth `2^common`, and rounds it.
///
/// Becoming a float of 32 bits is what normalises it; that is exact but for a sum of more than 24 bits, which only 32-bit sums are. Twice such a one is made odd:
/// then the float, which is rounded to even, was no tie, and what would have been one is rounded up.
#[inline(always)]
fn round<F: Format>(minus_one_bug: bool, common: i32, sum: i32) -> u32 {
    let magnitude = sum.wrapping_abs();
    let odd = if F::WIDE {
        i32::from(magnitude >> 24 != 0)
    } else {
        0
    };
    let normal = ((magnitude << 1 | odd) as f32).to_bits() as i32;
    let rounded = match F::MANTISSA {
        23 => normal,
        mantissa => (normal >> (22 - mantissa)).wrapping_add(1) >> 1,
    };
    // Fields count from 127, and that of twice the sum's bit 23 is worth 2^common.
    let miscounted = 27 & mask(minus_one_bug & (sum == -1));
    let more = common.wrapping_add(miscounted - (127 + 24));
    let exponent = (rounded >> F::MANTISSA).wrapping_add(more);
    let magnitude = (more << F::MANTISSA).wrapping_add(rounded) as u32;
    let magnitude = if exponent > F::LARGEST {
        F::OVERFLOW
    } else {
        magnitude
    };
    let sign = sum as u32 >> 31 << F::SIGN;
    (sign | magnitude) & mask((exponent > 0) & (sum != 0)) as u32
}

/// Adds terms, given by lane, to rows of Dst, eight at most, whose high and low halves these are. Terms are asked for twice; keeping what they are
/// takes longer.
///
/// One step after the other for all rows: each is a chain of instructions that wait for one another, and the processor does those of several
/// rows at once only if they are close together.
#[inline(always)]
pub(super) fn accumulate<F: Format, const TERMS: usize>(
    minus_one_bug: bool,
    terms: impl Fn(usize) -> [Term; TERMS],
    (high, low): Halves,
) {
    let upper = Aligned(block(high));
    let lower = Aligned(if F::WIDE { block(low) } else { [0; LANES] });
    let held = Aligned::<u32>(from_fn(|lane| F::read(upper.0[lane], lower.0[lane])));
    let common = Aligned::<i32>(from_fn(|lane| {
        let exponents = terms(lane).map(|(exponent, _)| exponent);
        exponents
            .into_iter()
            .fold(exponent::<F>(held.0[lane]), i32::max)
    }));
    let sums = Aligned::<i32>(from_fn(|lane| {
        add::<F, TERMS>(common.0[lane], terms(lane), held.0[lane])
    }));
    let sums = Aligned::<u32>(from_fn(|lane| {
        round::<F>(minus_one_bug, common.0[lane], sums.0[lane])
    }));
    put(|lane| F::high(sums.0[lane]), high);
    if F::WIDE {
        put(|lane| sums.0[lane] as u16, low);
    }
}

/// A block that no vector of straddles two lines of the cache.
#[repr(align(64))]
struct Aligned<T>(Block<T>);

/// The lanes of rows; those of rows that there are not hold anything.
#[inline(always)]
fn block(rows: &[Lanes<u16>]) -> Block<u16> {
    // Mostly there are all, and an array takes less time to copy than a slice.
    match rows.first_chunk::<ROWS>() {
        Some(all) => bytemuck::cast(*all),
        None => bytemuck::cast::<[Lanes<u16>; ROWS], _>(from_fn(|row| rows[row % rows.len()])),
    }
}

/// Puts lanes back into the rows that there are.
#[inline(always)]
fn put(lane: impl Fn(usize) -> u16, rows: &mut [Lanes<u16>]) {
    match rows.first_chunk_mut::<ROWS>() {
        Some(all) => {
            let all: &mut Block<u16> = bytemuck::cast_mut(all);
            for (i, x) in all.iter_mut().enumerate() {
                *x = lane(i);
            }
        }
        None => {
            for (i, x) in rows.as_flattened_mut().iter_mut().enumerate() {
                *x = lane(i);
            }
        }
    }
}
