//! Moves of blocks of rows between Src and Dst, and from SrcB to SrcA.
//!
//! Each is a loop over all datums whose body is a function of [`bits`], so that the compiler turns
//! it into vector instructions.

use super::{vectors, Halves, Level, Set};
use crate::arith::spec::bits::{self, SRC_EXPONENT};
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::{Row, COLUMNS};

/// The part of a row of Dst that is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DstPart {
    /// All 32 bits of datums, as TF32.
    Whole,
    /// The high halves, or 16-bit rows.
    High,
    /// The low halves.
    Low,
}

/// The conversion of datums by a move.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// The layout of datums in Src.
    pub style: SrcStyle,
    /// What is moved.
    pub part: DstPart,
    /// Whether datums with a zero exponent become zero on the way to Dst or SrcA.
    pub flush: bool,
}

for_each_level! {
    /// Moves rows of Src to rows of Dst; a single row is repeated. With `column`, the first datum
    /// of a row is repeated.
    to_dst = to_dst_with, (how: Conversion, column: bool, rows: &[Row], dst: Halves)
}

#[inline(always)]
fn to_dst_with<V: vectors::Vector>(
    how: Conversion,
    column: bool,
    rows: &[Row],
    (high, low): Halves,
) {
    let from = (how.flush, column, rows);
    let of_low = |x| bits::dst32_from_src_tf32(x) as u16;
    match (how.part, how.style) {
        (DstPart::Whole, _) => {
            to_halves(from, high, bits::dst16_from_src_exp8);
            to_halves(from, low, of_low);
        }
        (DstPart::High, SrcStyle::Fp16) => to_halves(from, high, bits::dst16_from_src_exp5),
        (DstPart::High, _) => to_halves(from, high, bits::dst16_from_src_exp8),
        (DstPart::Low, SrcStyle::Fp16) => to_halves(from, low, bits::dst16_from_src_exp5),
        (DstPart::Low, _) => to_halves(from, low, bits::dst16_from_src_exp8),
    }
}

#[inline(always)]
fn to_halves(
    (flush, column, rows): (bool, bool, &[Row]),
    halves: &mut [[u16; COLUMNS]],
    half: impl Fn(u32) -> u16,
) {
    match rows {
        [row] => halves.fill(convert(flush, column, row, half)),
        _ if column => {
            for (halves, row) in halves.iter_mut().zip(rows) {
                *halves = convert(flush, true, row, &half);
            }
        }
        _ => {
            for (halves, row) in halves.iter_mut().zip(rows) {
                *halves = convert(flush, false, row, &half);
            }
        }
    }
}

/// Converts a row, or its first datum for all columns.
#[inline(always)]
fn convert(flush: bool, column: bool, row: &Row, half: impl Fn(u32) -> u16) -> [u16; COLUMNS] {
    if column {
        return [half(flushed(flush, row[0])); COLUMNS];
    }
    let mut converted = [0; COLUMNS];
    for (converted, &x) in converted.iter_mut().zip(row) {
        *converted = half(flushed(flush, x));
    }
    converted
}

/// Returns zero for a datum with a zero exponent, if `flush`.
#[inline(always)]
fn flushed(flush: bool, x: u32) -> u32 {
    let kept = if flush { 0 } else { SRC_EXPONENT };
    match (x | kept) & SRC_EXPONENT {
        0 => 0,
        _ => x,
    }
}

for_each_level! {
    /// Moves rows of Dst, given by their high and low halves, to rows of Src.
    from_dst = from_dst_with, (
        how: Conversion,
        high: &[[u16; COLUMNS]],
        low: &[[u16; COLUMNS]],
        rows: &mut [Row],
    )
}

#[inline(always)]
fn from_dst_with<V: vectors::Vector>(
    how: Conversion,
    high: &[[u16; COLUMNS]],
    low: &[[u16; COLUMNS]],
    rows: &mut [Row],
) {
    match (how.part, how.style) {
        (DstPart::Whole, _) => {
            for ((row, high), low) in rows.iter_mut().zip(high).zip(low) {
                for column in 0..COLUMNS {
                    let x = u32::from(high[column]) << 16 | u32::from(low[column]);
                    row[column] = bits::src_from_dst_fp32(x);
                }
            }
        }
        (DstPart::High, SrcStyle::Fp16) => from_halves(high, rows, bits::src_from_dst_fp16),
        (DstPart::High, _) => from_halves(high, rows, bits::src_from_dst_bf16),
        (DstPart::Low, SrcStyle::Fp16) => from_halves(low, rows, bits::src_from_dst_fp16),
        (DstPart::Low, SrcStyle::Bf16) => from_halves(low, rows, bits::src_from_dst_bf16),
        (DstPart::Low, SrcStyle::Tf32) => from_halves(low, rows, bits::src_from_dst_low),
    }
}

#[inline(always)]
fn from_halves(halves: &[[u16; COLUMNS]], rows: &mut [Row], datum: impl Fn(u16) -> u32) {
    for (row, half) in rows.iter_mut().zip(halves) {
        for (x, &half) in row.iter_mut().zip(half) {
            *x = datum(half);
        }
    }
}

for_each_level! {
    /// Moves four rows of SrcB to SrcA, unless a datum has some of the `refused` bits. Returns
    /// whether it has moved them.
    within_src = within_src_with, (
        flush: bool,
        refused: u32,
        from: &[Row; 4],
        to: &mut [Row; 4],
    ) -> bool
}

#[inline(always)]
fn within_src_with<V: vectors::Vector>(
    flush: bool,
    refused: u32,
    from: &[Row; 4],
    to: &mut [Row; 4],
) -> bool {
    let from = from.as_flattened();
    if from.iter().fold(0, |all, datum| all | datum) & refused != 0 {
        return false;
    }
    for (to, &x) in to.as_flattened_mut().iter_mut().zip(from) {
        *to = flushed(flush, x);
    }
    true
}
