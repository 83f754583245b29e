//! Moves of blocks of rows between Src and Dst, and from SrcB to SrcA.
//!
//! Most are loops over all datums whose bodies are functions of [`bits`], so that the compiler
//! turns them into vector instructions. Moves to Dst are written in vectors: of a loop, compilers
//! shuffle the datums of several rows.

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
    match (how.part, how.style) {
        (DstPart::Whole, _) => {
            to_halves::<V>(from, high, Half::EXP8);
            to_halves::<V>(from, low, Half::LOW);
        }
        (DstPart::High, SrcStyle::Fp16) => to_halves::<V>(from, high, Half::EXP5),
        (DstPart::High, _) => to_halves::<V>(from, high, Half::EXP8),
        (DstPart::Low, SrcStyle::Fp16) => to_halves::<V>(from, low, Half::EXP5),
        (DstPart::Low, _) => to_halves::<V>(from, low, Half::EXP8),
    }
}

/// How the bits of a datum of Src become those of a 16-bit row: the bits that stay, and those that
/// are shifted right by three or left by five.
#[derive(Clone, Copy)]
struct Half {
    kept: i32,
    right: i32,
    left: i32,
}

impl Half {
    /// [`bits::dst16_from_src_exp8`].
    const EXP8: Half = Half {
        kept: 0xFF,
        right: 0xFF00,
        left: 0,
    };
    /// [`bits::dst16_from_src_exp5`].
    const EXP5: Half = Half {
        kept: 0x1F,
        right: 0xFFE0,
        left: 0,
    };
    /// The lower half of [`bits::dst32_from_src_tf32`].
    const LOW: Half = Half {
        kept: 0,
        right: 0,
        left: 0xE000,
    };
}

/// A row of Src, or its first datum for all columns, on the way to Dst.
struct Moved<'a> {
    row: &'a [i32; COLUMNS],
    column: bool,
    half: Half,
    /// Datums with none of these bits become zero.
    bits: i32,
}

impl<V: vectors::Vector> vectors::Parts<V, 1> for Moved<'_> {
    #[inline(always)]
    fn part(&mut self, lane: usize) -> [V::Ints; 1] {
        let x = match self.column {
            true => V::int(self.row[0]),
            false => V::ints(self.row, lane),
        };
        let x = V::only(V::has(x, V::int(self.bits)), x);
        let kept = V::and(x, V::int(self.half.kept));
        let right = V::and(V::right(x, 3), V::int(self.half.right));
        let left = V::and(V::left(x, 5), V::int(self.half.left));
        [V::or(V::or(kept, right), left)]
    }
}

/// Converts rows; a single one is repeated.
#[inline(always)]
fn to_halves<V: vectors::Vector>(
    (flush, column, rows): (bool, bool, &[Row]),
    halves: &mut [[u16; COLUMNS]],
    half: Half,
) {
    let bits = if flush { SRC_EXPONENT as i32 } else { !0 };
    match rows {
        [row] => {
            let mut converted = [0; COLUMNS];
            convert::<V>((bits, column, row), half, &mut converted);
            halves.fill(converted);
        }
        _ => {
            for (halves, row) in halves.iter_mut().zip(rows) {
                convert::<V>((bits, column, row), half, halves);
            }
        }
    }
}

#[inline(always)]
fn convert<V: vectors::Vector>(
    (bits, column, row): (i32, bool, &Row),
    half: Half,
    converted: &mut [u16; COLUMNS],
) {
    let mut moved = Moved {
        row: bytemuck::cast_ref(row),
        column,
        half,
        bits,
    };
    let [row] = V::rows(&mut moved);
    V::store_lower(row, converted);
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
