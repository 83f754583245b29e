//! The output stage of a packer: 16-byte buffers, written to L1 when full or when the output ends.
//!
//! Datums of block floats are collected in groups of sixteen; their exponents have a buffer and an
//! address of their own.
//!
//! Source: ISA documentation, `Packers/OutputAddressGenerator.md`. It does not say what happens at
//! the end of an output with an incomplete block, or with a partial buffer while accumulating; both
//! are refused.

use crate::arith::spec::format::Format;
use crate::arith::spec::packer::{accumulate, block};
use crate::state::l1::L1;
use crate::state::packer::{Output, Stream, LINE};
use crate::trap::Fault;

impl Stream {
    /// Creates a stream at an address in units of 16 bytes; only 17 bits are significant.
    fn new(units: u32) -> Stream {
        Stream {
            address: (units & 0x1_FFFF) << 4,
            filled: 0,
            buffer: [0; LINE],
        }
    }

    /// Returns whether L1 has the places of the next bytes.
    fn fits(&self, bytes: usize, l1: &L1) -> bool {
        let lines = (self.filled as usize + bytes).next_multiple_of(LINE);
        l1.check(self.address, lines).is_ok()
    }

    fn push(&mut self, mut bytes: &[u8], add: Option<Format>, l1: &mut L1) -> Result<(), Fault> {
        if self.filled == 0 && add.is_none() {
            let lines = bytes.len() / LINE * LINE;
            let (whole, rest) = bytes.split_at(lines);
            if lines > 0 {
                l1.write(self.address, whole)?;
            }
            self.address += lines as u32;
            bytes = rest;
        }
        while !bytes.is_empty() {
            let filled = self.filled as usize;
            let count = bytes.len().min(LINE - filled);
            self.buffer[filled..][..count].copy_from_slice(&bytes[..count]);
            self.filled += count as u32;
            bytes = &bytes[count..];
            if self.filled as usize == LINE {
                self.write(add, l1)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, add: Option<Format>, l1: &mut L1) -> Result<(), Fault> {
        if let Some(format) = add {
            let mut stored = [0; LINE];
            stored.copy_from_slice(l1.read(self.address, LINE)?);
            self.buffer = sums(format, stored, self.buffer);
        }
        l1.write(self.address, &std::mem::take(&mut self.buffer))?;
        self.address += LINE as u32;
        self.filled = 0;
        Ok(())
    }

    /// Pads the buffer with zeros and writes it, unless it is empty.
    fn flush(&mut self, l1: &mut L1) -> Result<(), Fault> {
        if self.filled == 0 {
            return Ok(());
        }
        self.buffer[self.filled as usize..].fill(0);
        self.write(None, l1)
    }
}

/// Adds datums to the stored ones; returns sixteen bytes.
fn sums(format: Format, stored: [u8; LINE], datums: [u8; LINE]) -> [u8; LINE] {
    let mut sums = [0; LINE];
    if format == Format::FP32 {
        for k in (0..LINE).step_by(4) {
            let word =
                |of: &[u8; LINE]| u32::from_le_bytes([of[k], of[k + 1], of[k + 2], of[k + 3]]);
            let sum = accumulate::fp32(word(&stored), word(&datums));
            sums[k..k + 4].copy_from_slice(&sum.to_le_bytes());
        }
        return sums;
    }
    let add = match format {
        Format::FP16 => accumulate::fp16,
        _ => accumulate::bf16,
    };
    for k in (0..LINE).step_by(2) {
        let half = |of: &[u8; LINE]| u16::from_le_bytes([of[k], of[k + 1]]);
        sums[k..k + 2].copy_from_slice(&add(half(&stored), half(&datums)).to_le_bytes());
    }
    sums
}

impl Output {
    /// Begins an output at an address in units of 16 bytes, of which the first `room` are for
    /// exponents.
    pub(super) fn begin(units: u32, room: u32, (format, accumulate): (Format, bool)) -> Output {
        Output {
            format,
            add: accumulate.then_some(format),
            data: Stream::new(units.wrapping_add(room)),
            exponents: Stream::new(units),
            block: [0; block::DATUMS],
            in_block: 0,
        }
    }

    /// Returns whether exponents come first in outputs of a format; 8-bit formats reserve space for
    /// them, too.
    pub(super) fn has_room(format: Format) -> bool {
        format.bits().is_some_and(|bits| bits <= 8)
    }

    /// Checks that the output can continue with datums of this format.
    ///
    /// # Errors
    /// Undefined if it cannot.
    pub(super) fn check_goes_on(&self, format: Format, accumulate: bool) -> Result<(), Fault> {
        if (self.format, self.add) == (format, accumulate.then_some(format)) {
            return Ok(());
        }
        Err(Fault::undefined(format!(
            "packing {format} after {} in one output; end it first (last)",
            self.format
        )))
    }

    /// Appends a datum after late conversion.
    pub(super) fn push(&mut self, datum: u32, l1: &mut L1) -> Result<(), Fault> {
        if !self.format.is_block() {
            let bytes = self.format.bits().unwrap_or(32) as usize / 8;
            return self.data.push(&datum.to_le_bytes()[..bytes], self.add, l1);
        }
        self.block[self.in_block as usize] = datum as u16;
        self.in_block += 1;
        if (self.in_block as usize) < block::DATUMS {
            return Ok(());
        }
        self.in_block = 0;
        let block = std::mem::take(&mut self.block);
        self.push_block(block, l1)
    }

    /// Returns whether a whole block of sixteen datums may be pushed.
    pub(super) fn is_between_blocks(&self) -> bool {
        self.in_block == 0
    }

    /// Appends sixteen datums of a block.
    fn push_block(&mut self, datums: [u16; block::DATUMS], l1: &mut L1) -> Result<(), Fault> {
        let bits = self.format.bits().unwrap_or(8);
        let block = block::Block::from_datums(datums, bits);
        let bytes = block.bytes(bits);
        self.push_bytes(&bytes[..2 * bits as usize], l1)?;
        self.push_exponents(&[block.exponent], l1)
    }

    /// Appends shared exponents.
    pub(super) fn push_exponents(&mut self, exponents: &[u8], l1: &mut L1) -> Result<(), Fault> {
        self.exponents.push(exponents, None, l1)
    }

    /// Returns whether the line of 16 bytes that is next has begun.
    pub(super) fn is_within_line(&self) -> bool {
        self.data.filled != 0
    }

    /// Returns the address of the line of 16 bytes that is next.
    pub(super) fn address(&self) -> u32 {
        self.data.address
    }

    /// Appends the bytes of whole datums, which are not added to L1.
    pub(super) fn push_bytes(&mut self, bytes: &[u8], l1: &mut L1) -> Result<(), Fault> {
        self.data.push(bytes, None, l1)
    }

    /// Returns whether L1 has the places of the next bytes and exponents.
    pub(super) fn fits(&self, bytes: usize, exponents: usize, l1: &L1) -> bool {
        self.data.fits(bytes, l1) && self.exponents.fits(exponents, l1)
    }

    /// Returns the places of the next bytes for the caller to replace, or `None` unless they are
    /// whole lines.
    pub(super) fn next<'a>(&mut self, bytes: usize, l1: &'a mut L1) -> Option<&'a mut [u8]> {
        let data = &mut self.data;
        if data.filled != 0 || bytes % LINE != 0 {
            return None;
        }
        let place = l1.writable(data.address, bytes).ok()?;
        data.address += bytes as u32;
        Some(place)
    }

    /// Ends the output and writes the buffered data.
    ///
    /// # Errors
    /// Undefined for an incomplete block, and for a partial line that is to be accumulated.
    pub(super) fn end(&mut self, l1: &mut L1) -> Result<(), Fault> {
        if self.in_block != 0 {
            return Err(Fault::undefined(format!(
                "ends an output of {} after {} of 16 datums that share an exponent; pack whole \
                 blocks",
                self.format, self.in_block
            )));
        }
        if self.add.is_some() && self.data.filled != 0 {
            return Err(Fault::undefined(format!(
                "ends an output that is added to L1 after {} of 16 bytes; accumulate whole lines",
                self.data.filled
            )));
        }
        self.data.flush(l1)?;
        self.exponents.flush(l1)
    }
}
