//! GMPOOL's maxima ([`crate::arith::spec::pool`]) of all columns at once.
//!
//! The loops over columns have the specification of one datum as their body, with the formats as
//! constants, so that the compiler turns them into vector instructions.

use super::{vectors, Level, Set};
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::spec::pool::{
    next_eight, visited_row, Datum, DstFormat, Pooling, SrcReading, SCRAMBLED,
};
use crate::arith::{Row, COLUMNS};

/// Four 16-bit rows of Dst, or halves of 32-bit ones.
type Four = [[u16; COLUMNS]; 4];

for_each_level! {
    /// Returns the new datums of the first row of Dst ([`Pooling::column`]).
    maxima = maxima_with,
    (pooling: Pooling, rows: &[Row; COLUMNS], scales: &Row, held: &Row) -> Row
}

#[inline(always)]
fn maxima_with<V: vectors::Vector>(
    pooling: Pooling,
    rows: &[Row; COLUMNS],
    scales: &Row,
    held: &Row,
) -> Row {
    use SrcReading::{Floats, Integers};
    use SrcStyle::{Bf16, Fp16, Tf32};
    let of = |from, to, indices| Pooling { from, to, indices };
    let from = (rows, scales, held);
    match (pooling.indices, pooling.from, pooling.to) {
        (false, Floats(Bf16), DstFormat::Tf32) => {
            columns(of(Floats(Bf16), DstFormat::Tf32, false), from)
        }
        (false, Floats(Tf32), DstFormat::Tf32) => {
            columns(of(Floats(Tf32), DstFormat::Tf32, false), from)
        }
        (false, Floats(Bf16), DstFormat::Bf16) => {
            columns(of(Floats(Bf16), DstFormat::Bf16, false), from)
        }
        (false, Floats(Fp16), DstFormat::Fp16) => {
            columns(of(Floats(Fp16), DstFormat::Fp16, false), from)
        }
        (false, Integers, DstFormat::Integers) => {
            columns(of(Integers, DstFormat::Integers, false), from)
        }
        _ => columns(pooling, from),
    }
}

for_each_level! {
    /// Replaces the first of four rows of Dst by the maxima and clears the others. The rows are
    /// given by their high and low halves.
    pool = pool_with,
    (pooling: Pooling, rows: &[Row; COLUMNS], scales: &Row, high: &mut Four, low: Option<&mut Four>)
}

#[inline(always)]
fn pool_with<V: vectors::Vector>(
    pooling: Pooling,
    rows: &[Row; COLUMNS],
    scales: &Row,
    high: &mut Four,
    low: Option<&mut Four>,
) {
    let mut held = [0; COLUMNS];
    for column in 0..COLUMNS {
        held[column] = u32::from(high[0][column]) << 16;
    }
    if let Some(low) = &low {
        for column in 0..COLUMNS {
            held[column] |= u32::from(low[0][column]);
        }
    }
    let maxima = maxima_with::<V>(pooling, rows, scales, &held);
    clear_but_first(&maxima, 16, high);
    if let Some(low) = low {
        clear_but_first(&maxima, 0, low);
    }
}

/// Writes halves of datums to the first row, and zeros to the others.
#[inline(always)]
fn clear_but_first(datums: &Row, shift: u32, rows: &mut Four) {
    *rows = [[0; COLUMNS]; 4];
    for column in 0..COLUMNS {
        rows[0][column] = (datums[column] >> shift) as u16;
    }
}

#[inline(always)]
fn columns(pooling: Pooling, (rows, scales, held): (&[Row; COLUMNS], &Row, &Row)) -> Row {
    // Of floats, no zero is negative, so that the key determines the datum.
    let has_signs = pooling.to == DstFormat::Integers;
    let (mut signs, mut keys, mut indices) = ([0; COLUMNS], [0; COLUMNS], [0; COLUMNS]);
    for column in 0..COLUMNS {
        let datum = Datum::from_dst(held[column], pooling.to);
        signs[column] = datum.sign;
        keys[column] = datum.key();
        indices[column] = held[column] & 0xFF;
    }
    for visited in 0..COLUMNS {
        let row = visited_row(visited);
        let scale = scales[row];
        for column in 0..COLUMNS {
            let datum = Datum::from_src(rows[row][column], scale, pooling.from);
            let key = datum.key();
            if has_signs {
                let is_last = key >= keys[column];
                signs[column] = if is_last { datum.sign } else { signs[column] };
            }
            keys[column] = keys[column].max(key);
        }
        if let (true, Some(scrambled)) = (pooling.indices, SCRAMBLED.get(row)) {
            for column in 0..COLUMNS {
                let datum = Datum::from_src(rows[row][column], scale, pooling.from);
                let is_greatest = datum.key() == keys[column];
                let index = (next_eight(held[column]) >> 4) + scrambled;
                indices[column] = if is_greatest { index } else { indices[column] };
            }
        }
    }
    let mut results = [0; COLUMNS];
    for column in 0..COLUMNS {
        let key: i32 = keys[column];
        let is_negative = u32::from(key < 0);
        let greatest = Datum {
            sign: if has_signs {
                signs[column]
            } else {
                is_negative
            },
            exponent: key.unsigned_abs() >> 10,
            mantissa: key.unsigned_abs() & 0x3FF,
        };
        let index = next_eight(held[column]) | indices[column];
        results[column] = pooling.result(greatest, index);
    }
    results
}
