//! Unpacking datum by datum, as documented: supports all modes.
//!
//! [`super::rows`] is the fast path for the common cases; tests compare the two.
//!
//! Dst does not record which part of a row is written. A row that is written in part must therefore
//! have been written completely before, with datums of the same width.
//!
//! Source: ISA documentation, `UNPACR_Regular.md` ("Main unpack loop").

use super::address::{Output, OutputRow, Transfer};
use super::compressed::in_l1;
use super::input::{Compressed, Input};
use super::unit::Unpackers;
use crate::arith::COLUMNS;
use crate::state::l1::L1;
use crate::state::unpacker::{Conversion, Exponents, Target};
use crate::trap::Fault;

/// Unpacks datums, or zeros in their place.
pub(super) fn unpack(t: &Transfer, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    let zeros = t.selection.key.zeros;
    let mut source = Source::new(&t.input, t.conversion.bits, zeros);
    let mut sink = Sink::new(&t.output, &t.conversion);
    let mut drop = t.input.compressed.map_or(0, |c| c.drop);
    let mut keep = t.input.compressed.and_then(|c| c.keep).unwrap_or(u32::MAX);
    let count = t.input.count.unwrap_or(u32::MAX);
    let mut read = 0;
    while read < count && keep > 0 {
        read += 1;
        let (bits, exponent, follow) = source.next(unit.l1)?;
        let mut datum = match zeros {
            true => 0,
            false => t.conversion.datum(bits, exponent)?,
        };
        for _ in 0..=follow {
            if drop > 0 {
                drop -= 1;
            } else {
                sink.push(datum, unit)?;
                keep -= 1;
            }
            datum = 0;
            if keep == 0 {
                break;
            }
        }
    }
    sink.end(unit)
}

/// Iterates over the datums in L1.
struct Source<'a> {
    input: &'a Input,
    /// Bits of a datum.
    bits: u64,
    /// Whether fetched datums are dropped.
    dropped: bool,
    datums: u64,
    exponents: Exponents,
    /// Address of the next number of zeros, in half bytes.
    zeros: u64,
    /// Number of datums read.
    read: u32,
}

impl<'a> Source<'a> {
    fn new(input: &'a Input, bits: u32, dropped: bool) -> Self {
        Source {
            input,
            bits: bits.into(),
            dropped,
            datums: input.datums,
            exponents: input.exponents,
            zeros: input.compressed.map_or(0, |c| c.zeros),
            read: 0,
        }
    }

    /// Returns the next datum's bits, its exponent, and the number of zeros after it.
    fn next(&mut self, l1: &mut L1) -> Result<(u32, u8, u32), Fault> {
        let fifo = &self.input.fifo;
        let datum = self.bits_at(self.datums, self.bits, l1)?;
        self.datums += self.bits;
        self.read += 1;
        if self.read % self.input.row == 0 {
            self.datums -= u64::from(self.input.row) * self.bits;
            self.datums = fifo.wrap(self.datums + u64::from(self.input.stride) * 8, 8);
        }
        let exponent = match self.exponents {
            Exponents::All(exponent) => exponent,
            Exponents::At(place) => {
                let next = place + 1;
                let next = match next % (16 * 16) {
                    0 => fifo.wrap(next, 16),
                    _ => next,
                };
                self.exponents = Exponents::At(next);
                self.bits_at(place / 16 * 8, 8, l1)? as u8
            }
        };
        let follow = match self.input.compressed {
            Some(Compressed { .. }) => self.count(l1)?,
            None => 0,
        };
        Ok((datum, exponent, follow))
    }

    /// Returns the number of zeros after a datum.
    fn count(&mut self, l1: &mut L1) -> Result<u32, Fault> {
        let count = self.bits_at(self.zeros * 4, 4, l1)?;
        self.zeros += 1;
        if self.zeros % 32 == 0 {
            // 32 datums and 32 counts alternate.
            self.datums += 16 * 8;
            self.zeros = self.input.fifo.wrap(self.zeros + 8 * self.bits, 2);
        }
        Ok(if self.dropped { 0 } else { count })
    }

    /// Reads up to 32 bits that are naturally aligned.
    fn bits_at(&self, place: u64, bits: u64, l1: &mut L1) -> Result<u32, Fault> {
        let (address, len) = (in_l1(place / 8)?, (bits as usize).div_ceil(8));
        if self.dropped {
            return l1.drop_read(address, len).map(|()| 0);
        }
        let bytes = l1.read(address, len)?;
        let word = bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u32::from(byte));
        Ok(word >> (place % 8) & (u32::MAX >> (32 - bits)))
    }
}

/// Writes datums to the register.
struct Sink<'a> {
    output: &'a Output,
    wide: bool,
    /// The place of the next datum, counted like [`Output::first`].
    next: u32,
    /// The row of Dst that is being written, and its columns that have been.
    row: Option<(usize, [u32; COLUMNS], u16)>,
}

impl<'a> Sink<'a> {
    fn new(output: &'a Output, conversion: &Conversion) -> Self {
        Sink {
            output,
            wide: conversion.wide,
            next: output.first,
            row: None,
        }
    }

    /// Writes a datum, and the zeros of upsampling.
    fn push(&mut self, datum: u32, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
        for k in 0..=self.output.gap {
            let at = self.next;
            self.next += 1;
            if k == 0 {
                self.write(at, datum, unit)?;
            } else if !self.output.skip {
                self.write(at, 0, unit)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, at: u32, datum: u32, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
        let place = self.output.row(at)?;
        let column = at as usize % COLUMNS;
        let Target::Src(src) = self.output.target else {
            let OutputRow::Row(row) = place else {
                return Ok(());
            };
            return self.write_dst(row, column, datum, unit);
        };
        let bank = unit.banks.unpacker_bank(src);
        let file = &mut unit.src[src as usize];
        let Some(column) = column.checked_sub(self.output.shift as usize) else {
            return Ok(());
        };
        match place {
            OutputRow::Lost(row) => file.forget(bank, row),
            OutputRow::Row(row) if self.output.transpose => {
                file.write(bank, row & !15 | column, row & 15, datum);
            }
            OutputRow::Row(row) => file.write(bank, row, column, datum),
        }
        Ok(())
    }

    fn write_dst(
        &mut self,
        row: usize,
        column: usize,
        datum: u32,
        unit: &mut Unpackers<'_>,
    ) -> Result<(), Fault> {
        if self.row.is_some_and(|(current, ..)| current != row) {
            self.end(unit)?;
        }
        let (_, datums, written) = self.row.get_or_insert((row, [0; COLUMNS], 0));
        datums[column] = datum;
        *written |= 1 << column;
        Ok(())
    }

    /// Writes the last row of Dst.
    fn end(&mut self, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
        let Some((row, mut datums, written)) = self.row.take() else {
            return Ok(());
        };
        let old = |column: usize| written >> column & 1 == 0;
        if written != u16::MAX && !unit.dst.holds_row(row, self.wide) {
            return Err(Fault::unmodelled(format!(
                "unpacking a part of row {row} of Dst, which does not hold {}-bit datums; write \
                 the whole row first",
                if self.wide { 32 } else { 16 }
            )));
        }
        if self.wide {
            if written != u16::MAX {
                let before = unit.dst_rows().read32(row)?;
                (0..COLUMNS)
                    .filter(|&c| old(c))
                    .for_each(|c| datums[c] = before[c]);
            }
            unit.dst_rows().write32(row, datums);
        } else {
            if written != u16::MAX {
                let before = unit.dst_rows().read16(row)?;
                (0..COLUMNS)
                    .filter(|&c| old(c))
                    .for_each(|c| datums[c] = before[c].into());
            }
            unit.dst_rows().write16(row, datums.map(|x| x as u16));
        }
        Ok(())
    }
}
