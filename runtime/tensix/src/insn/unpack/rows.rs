//! Unpacking whole rows at once: the fast path for the common cases.
//!
//! It handles rows of 16 datums that begin in column 0 of the register, without compression,
//! upsampling, column shift or wrapping addresses, and whole faces if they are transposed.
//! [`super::datums`] handles the rest and gives the same results.
//!
//! Rows are converted in pieces of up to 64, the capacity of Src.

use super::address::{Output, OutputRow, Transfer};
use super::compressed::in_l1;
use super::input::Input;
use super::unit::Unpackers;
use crate::arith::{Row, COLUMNS};
use crate::state::l1::L1;
use crate::state::unpacker::{Exponents, Target};
use crate::trap::Fault;

/// Rows that are converted together.
const PIECE: usize = 64;

/// The rows of the register that a transfer writes.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    first: usize,
    count: usize,
}

/// Returns the destination rows of a transfer that the fast path supports.
///
/// # Errors
/// Those of [`Output::row`] for the last one.
pub(super) fn contiguous(t: &Transfer) -> Result<Option<Rows>, Fault> {
    const ROW: u32 = COLUMNS as u32;
    let (input, output) = (&t.input, &t.output);
    let Some(count) = input.count else {
        return Ok(None);
    };
    let faces = |first: u32, count: u32| first % (ROW * ROW) == 0 && count % (ROW * ROW) == 0;
    let are_whole = count & (input.row - 1) == 0
        && output.first % ROW == 0
        && output.gap == 0
        && output.shift == 0
        && input.compressed.is_none()
        && input.datums % 8 == 0
        && (!output.transpose || faces(output.first, count))
        && match input.exponents {
            Exponents::All(_) => true,
            Exponents::At(place) => place % 16 == 0,
        }
        && (input.fifo.size == 0 || !wraps(input, count, t.conversion.bits));
    match are_whole {
        true => lie_together(output, count / ROW),
        false => Ok(None),
    }
}

/// Returns `count` destination rows, if they are contiguous.
fn lie_together(output: &Output, count: u32) -> Result<Option<Rows>, Fault> {
    let Ok(OutputRow::Row(first)) = output.row(output.first) else {
        return Ok(None);
    };
    let last = output.first + (count - 1) * COLUMNS as u32;
    let (last, count) = (output.row(last)?, count as usize);
    let together = last == OutputRow::Row(first + count - 1);
    Ok(together.then_some(Rows { first, count }))
}

/// Returns whether an address wraps. (With a row stride, the end is beyond the last datum.)
fn wraps(input: &Input, count: u32, bits: u32) -> bool {
    let rows = u64::from(count / input.row);
    let stride = u64::from(input.stride.max(input.row * bits / 8));
    let exponents = match input.exponents {
        Exponents::All(_) => 0,
        Exponents::At(place) => place / 16 + u64::from(count) / 16,
    };
    (input.datums / 8 + rows * stride).max(exponents) > input.fifo.limit
}

/// Unpacks a transfer to its destination rows.
pub(super) fn unpack(t: &Transfer, rows: Rows, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    (0..rows.count).step_by(PIECE).try_for_each(|from| {
        let piece = Rows {
            first: rows.first + from,
            count: (rows.count - from).min(PIECE),
        };
        unpack_piece(t, from as u32, piece, unit)
    })
}

/// Unpacks the transfer's rows from `from` on to the rows `to`.
fn unpack_piece(t: &Transfer, from: u32, to: Rows, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    let Rows { first, count } = to;
    match t.output.target {
        Target::Src(src) if !t.output.transpose => {
            let bank = unit.banks.unpacker_bank(src);
            let rows = unit.src[src as usize].rows_mut(bank, first, count);
            convert(t, from, unit.l1, rows)
        }
        target => {
            let mut rows = [[0; COLUMNS]; PIECE];
            let rows = &mut rows[..count];
            convert(t, from, unit.l1, rows)?;
            match target {
                Target::Src(src) => {
                    let bank = unit.banks.unpacker_bank(src);
                    let bank = unit.src[src as usize].rows_mut(bank, first, count);
                    for (to, from) in bank.chunks_mut(COLUMNS).zip(rows.chunks(COLUMNS)) {
                        transpose(from, to);
                    }
                }
                Target::Dst => unit.dst_rows().write(first, rows, t.conversion.wide),
            }
            Ok(())
        }
    }
}

/// Transposes a face of 16 rows.
fn transpose(from: &[Row], to: &mut [Row]) {
    for (r, to) in to.iter_mut().enumerate() {
        for (c, to) in to.iter_mut().enumerate() {
            *to = from[c][r];
        }
    }
}

/// Reads and converts rows from `from` on, or returns zeros in their place.
fn convert(t: &Transfer, from: u32, l1: &mut L1, rows: &mut [Row]) -> Result<(), Fault> {
    let (input, conversion) = (&t.input, &t.conversion);
    let len = rows.len() * conversion.row_bytes();
    let side_by_side = input.row as usize * conversion.bits as usize / 8;
    let first = (from * COLUMNS as u32) >> input.row.trailing_zeros();
    let datums = input.datums / 8 + u64::from(first) * u64::from(input.stride);
    let starts = || {
        let count = len.div_ceil(side_by_side) as u64;
        (0..count).map(|k| datums + k * u64::from(input.stride))
    };
    if t.selection.key.zeros {
        for start in starts() {
            l1.drop_read(in_l1(start)?, side_by_side)?;
        }
        rows.fill([0; COLUMNS]);
        return Ok(());
    }
    let mut exponents = [0; PIECE];
    let exponents = &mut exponents[..rows.len()];
    read_exponents(input, from, l1, exponents)?;
    if input.stride as usize == side_by_side {
        return conversion.rows(l1.read(in_l1(datums)?, len)?, exponents, rows);
    }
    // 64 rows of 16 datums of 4 bytes.
    let mut bytes = [0; PIECE * COLUMNS * 4];
    for (start, bytes) in starts().zip(bytes[..len].chunks_mut(side_by_side)) {
        bytes.copy_from_slice(l1.read(in_l1(start)?, side_by_side)?);
    }
    conversion.rows(&bytes[..len], exponents, rows)
}

/// Reads the exponents of rows from `from` on.
fn read_exponents(
    input: &Input,
    from: u32,
    l1: &mut L1,
    exponents: &mut [u8],
) -> Result<(), Fault> {
    match input.exponents {
        Exponents::All(exponent) => exponents.fill(exponent),
        Exponents::At(place) => {
            let start = in_l1(place / 16 + u64::from(from))?;
            exponents.copy_from_slice(l1.read(start, exponents.len())?);
        }
    }
    Ok(())
}
