//! Sums of the packers' datums and those in L1.
//!
//! These use additions of the host in FP32, which are rounded to nearest even as the packers' are.

#![allow(clippy::float_arithmetic)]

use crate::arith::fast::{vectors, Level, Set};
use crate::arith::spec::packer::{accumulate, exponent8};
use crate::arith::{Row, COLUMNS};

/// A format that is added to L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    /// 4 bytes.
    Fp32,
    /// 2 bytes.
    Bf16,
    /// 2 bytes.
    Fp16,
}

for_each_level! {
    /// Adds datums to those of bytes as in L1 ([`accumulate`]).
    add = add_with, (format: Addend, rows: &[Row], bytes: &mut [u8])
}

#[inline(always)]
fn add_with<V: vectors::Vector>(format: Addend, rows: &[Row], bytes: &mut [u8]) {
    match format {
        Addend::Fp32 => {
            let places = bytes.as_chunks_mut::<4>().0.iter_mut();
            for (place, &x) in places.zip(rows.as_flattened()) {
                *place = add_fp32(u32::from_le_bytes(*place), x).to_le_bytes();
            }
        }
        Addend::Bf16 => add_halves(rows, bytes, accumulate::bf16, plain_bf16),
        Addend::Fp16 => add_halves(rows, bytes, accumulate::fp16, plain_fp16),
    }
}

/// Does what [`accumulate::fp32`] does. The sum of two normal numbers is exact where it is
/// denormal.
#[inline(always)]
fn add_fp32(stored: u32, datum: u32) -> u32 {
    let sum = (f32::from_bits(flush32(stored)) + f32::from_bits(flush32(datum))).to_bits();
    match sum & 0x7FFF_FFFF > 0x7F80_0000 {
        true => 0x7FC0_0000,
        false => flush32(sum),
    }
}

/// Replaces a denormal by a zero of its sign.
#[inline(always)]
fn flush32(x: u32) -> u32 {
    match exponent8(x) {
        0 => x & 1 << 31,
        _ => x,
    }
}

/// The number of rows that are tested together for special values.
const TOGETHER: usize = 4;

/// Adds 16-bit datums: by `plain`, which also tells whether its result holds, or by `sum`.
#[inline(always)]
fn add_halves(
    rows: &[Row],
    bytes: &mut [u8],
    sum: impl Fn(u16, u16) -> u16,
    plain: impl Fn(u32, u32) -> (u32, bool),
) {
    let pieces = bytes.chunks_mut(2 * COLUMNS * TOGETHER);
    for (bytes, rows) in pieces.zip(rows.chunks(TOGETHER)) {
        let mut sums = [0; COLUMNS * TOGETHER];
        let mut holds = true;
        let places = bytes.as_chunks_mut::<2>().0;
        for ((place, &x), result) in places.iter().zip(rows.as_flattened()).zip(&mut sums) {
            let (plain, is_right) = plain(u16::from_le_bytes(*place).into(), x & 0xFFFF);
            *result = plain as u16;
            holds &= is_right;
        }
        for ((place, &x), plain) in places.iter_mut().zip(rows.as_flattened()).zip(sums) {
            let result = match holds {
                true => plain,
                false => sum(u16::from_le_bytes(*place), x as u16),
            };
            *place = result.to_le_bytes();
        }
    }
}

/// Adds BF16 in FP32, which is exact or innocuous for the second rounding (24 >= 2·8 + 2 bits, as
/// shown by Figueroa, "When is double rounding innocuous?", 1995). Holds for exponents below 255.
#[inline(always)]
fn plain_bf16(stored: u32, datum: u32) -> (u32, bool) {
    let sum = f32::from_bits(flush32(stored << 16)) + f32::from_bits(flush32(datum << 16));
    let sum = sum.to_bits();
    let rounded = sum.wrapping_add(0x7FFF + (sum >> 16 & 1)) >> 16;
    let flushed = if rounded & 0x7F80 == 0 {
        rounded & 0x8000
    } else {
        rounded
    };
    let is_number = |x: u32| x & 0x7F80 != 0x7F80;
    (flushed, is_number(stored) & is_number(datum))
}

/// Adds FP16 in FP32 (24 >= 2·11 + 2 bits). Holds for exponents below 30.
#[inline(always)]
fn plain_fp16(stored: u32, datum: u32) -> (u32, bool) {
    const REBASE: u32 = 127 - 15;
    let float = |x: u32| {
        let magnitude = match x & 0x7C00 {
            0 => 0,
            _ => ((x & 0x7FFF) << 13) + (REBASE << 23),
        };
        f32::from_bits((x & 0x8000) << 16 | magnitude)
    };
    let sum = (float(stored) + float(datum)).to_bits();
    let (sign, magnitude) = (sum >> 16 & 0x8000, sum & 0x7FFF_FFFF);
    let rounded = magnitude.wrapping_add(0xFFF + (magnitude >> 13 & 1)) >> 13;
    let exponent = rounded >> 10;
    // Only a sum that is zero has exponent 0; below the range comes the largest number.
    let small = if exponent == REBASE || exponent == 0 {
        0
    } else {
        0x7FFF
    };
    let result = if exponent <= REBASE {
        small
    } else {
        rounded.wrapping_sub(REBASE << 10)
    };
    let is_small = |x: u32| x & 0x7C00 < 30 << 10;
    (sign | result, is_small(stored) & is_small(datum))
}
