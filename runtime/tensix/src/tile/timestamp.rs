//! Time stamps that cores write to L1.
//!
//! Source: ISA documentation, `DebugTimestamper.md` of both chips, which defines them by a program.
//! Undefined there: other kinds of events, and mixed sizes of events within a buffer of 16 bytes.

use crate::map;
use crate::trap::Fault;

/// RISCV_DEBUG_REG_TIMESTAMP and the registers after it.
const COMMAND: u32 = map::CONTROL + 0x1fc;
const CONTROL: u32 = COMMAND + 4;
const STATUS: u32 = COMMAND + 8;
/// The bounds of each buffer.
const BOUNDS: u32 = COMMAND + 12;
const END: u32 = BOUNDS + 16;

/// A buffer in L1, in pieces of 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Buffer {
    bounds: [u32; 2],
    position: u32,
    full: bool,
    overflow: bool,
}

/// 16 bytes for L1 and their address.
pub(crate) type Piece = (u32, [u8; 16]);

/// The time stamp streams.
#[derive(Clone, Debug)]
pub(crate) struct Timestamps {
    buffers: [Buffer; 2],
    /// The stored control word: bits 0 and 1 select the buffers, bit 31 holds the streams in reset.
    control: u32,
    /// Words that have not been written to L1.
    words: Vec<u32>,
    /// The size of these events in words.
    size: Option<usize>,
}

impl Timestamps {
    pub(crate) fn new() -> Self {
        Timestamps {
            buffers: [Buffer::default(); 2],
            control: 3,
            words: Vec::with_capacity(4),
            size: None,
        }
    }

    /// Returns whether an address is one of these registers.
    pub(crate) fn has(addr: u32) -> bool {
        (COMMAND..END).contains(&addr)
    }

    pub(crate) fn load(&self, addr: u32) -> u32 {
        match addr {
            COMMAND => 0,
            CONTROL => self.control,
            STATUS => self.status(),
            _ => {
                let k = (addr - BOUNDS) as usize / 4;
                self.buffers[k / 2].bounds[k % 2]
            }
        }
    }

    fn status(&self) -> u32 {
        let [a, b] = &self.buffers;
        let held = self.words.len() as u32;
        let of_size = |size, value| if self.size == Some(size) { value } else { 0 };
        u32::from(a.full)
            | u32::from(b.full) << 1
            | u32::from(a.overflow) << 4
            | u32::from(b.overflow) << 5
            | of_size(2, held / 2) << 8
            | of_size(1, held) << 9
            | of_size(3, (4 - held) & 3) << 11
            | (a.position & 0x3_ffff) << 14
    }

    /// Executes a store at a time; returns the data to be written to L1.
    pub(crate) fn store(
        &mut self,
        addr: u32,
        value: u32,
        clock: u64,
    ) -> Result<Option<Piece>, Fault> {
        match addr {
            COMMAND => return self.append(value, clock),
            CONTROL => {
                self.control = value;
                self.reset_if_held();
            }
            STATUS => {
                for (k, buffer) in self.buffers.iter_mut().enumerate() {
                    if value >> k & 1 != 0 {
                        buffer.full = false;
                        buffer.position = 0;
                    }
                    buffer.overflow &= value >> (4 + k) & 1 == 0;
                }
            }
            _ => {
                let k = (addr - BOUNDS) as usize / 4;
                self.buffers[k / 2].bounds[k % 2] = value;
            }
        }
        Ok(None)
    }

    fn reset_if_held(&mut self) {
        if self.control >> 31 != 0 {
            for buffer in &mut self.buffers {
                buffer.full = false;
                buffer.overflow = false;
            }
            self.words.clear();
            self.size = None;
        }
    }

    fn append(&mut self, value: u32, clock: u64) -> Result<Option<Piece>, Fault> {
        let (low, high) = (clock as u32, (clock >> 32) as u32);
        let event = match value & 7 {
            0 => vec![value, low, high, 0],
            4 => vec![value, low, high],
            1 => vec![value, low],
            2 => vec![value & 0xffff | (low & 0x001f_ffe0) << 11],
            // Flushes of events of two and of three words.
            3 | 7 => vec![],
            kind => {
                return Err(Fault::undefined(format!(
                    "stores {value:#x} to RISCV_DEBUG_REG_TIMESTAMP; there are no events of kind \
                     {kind}"
                )))
            }
        };
        let size = match value & 7 {
            3 => 2,
            7 => 3,
            _ => event.len(),
        };
        if let Some(before) = self.size.filter(|&before| before != size) {
            return Err(Fault::undefined(format!(
                "appends a time stamp of {size} words to some of {before} words; flush them first"
            )));
        }
        self.size = Some(size);
        // An event that does not fit into the rest begins the next 16 bytes.
        let mut piece = None;
        let flushes = event.is_empty();
        for word in event {
            self.words.push(word);
            if self.words.len() == 4 {
                let rest = self.flush();
                piece = piece.or(rest);
            }
        }
        if flushes {
            piece = self.flush();
        }
        self.reset_if_held();
        Ok(piece)
    }

    /// Returns the buffered words, padded with zeros, for the first buffer that has space.
    fn flush(&mut self) -> Option<Piece> {
        let mut bytes = [0; 16];
        for (place, word) in bytes.chunks_exact_mut(4).zip(self.words.drain(..)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        self.size = None;
        let used = |k: usize| self.control >> k & 1 != 0;
        let last = |b: &Buffer| u64::from(b.bounds[0]) + u64::from(b.position);
        let room =
            |&k: &usize| used(k) && last(&self.buffers[k]) <= u64::from(self.buffers[k].bounds[1]);
        let Some(k) = (0..2).find(room) else {
            for k in (0..2).filter(|&k| used(k)) {
                self.buffers[k].overflow = true;
            }
            return None;
        };
        let buffer = &mut self.buffers[k];
        let at = last(buffer) as u32;
        buffer.position += 1;
        buffer.full |= last(buffer) > u64::from(buffer.bounds[1]);
        Some((at << 4, bytes))
    }
}

#[cfg(test)]
mod tests;
