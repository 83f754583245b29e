//! The memories above the L1 blocks: PDM, DRAM and DRAM address registers of the groups, and the
//! L2BM.
//!
//! Manual, sections 1.5, 3.5.2, 3.6.1.1, 3.6.1.3 and 3.6.7.10. Addresses wrap around at the end of
//! each memory.

use crate::copy_on_write::{CopyOnWrite, State};
use crate::dram::Dram;
use crate::geometry::Geometry;
use crate::memory::MemoryWords;

/// Size of a group's PDM in long words: 4 MiB.
pub const PDM_WORDS: usize = 512 << 10;
/// Size of an L2BM in long words: 256 KiB.
pub const L2BM_WORDS: usize = 32 << 10;
/// Number of DRAM address registers of a group.
pub const DAR_ENTRIES: usize = 1024;
/// Number of entries in a group's DRAM address buffer, through which the registers are written.
pub const DARBUF_ENTRIES: usize = 512;

/// Number of long words of a PDM or L2BM that are cleared together.
const ROW_WORDS: usize = 256;

/// The memories of one group.
#[derive(Clone, Debug)]
pub struct Group {
    /// PDM, the memory that the host accesses, in long words.
    pub pdm: MemoryWords,
    /// DRAM, the main memory.
    pub dram: Dram,
    /// The DRAM address registers, in units of 16 long words.
    pub dar: Box<[u32; DAR_ENTRIES]>,
    /// The buffer of DRAM addresses between L2BM and the registers.
    pub darbuf: Box<[u32; DARBUF_ENTRIES]>,
}

/// The memories of all groups.
#[derive(Clone, Debug)]
pub struct Board {
    /// The memories of each group.
    pub groups: Vec<Group>,
    /// The L2BM, ordered by group, then L2B.
    pub l2bm: CopyOnWrite<MemoryWords>,
    /// The DAR entry that the next transfer writes, the same in all groups.
    pub dar_write: usize,
    /// The buffer entry that this transfer reads.
    pub darbuf_read: usize,
}

impl Board {
    /// Creates a board with zeroed on-chip memories; `zero_dram` makes unwritten DRAM read as zero.
    pub fn new(geometry: &Geometry, zero_dram: bool) -> Self {
        let group = || Group {
            pdm: MemoryWords::new(PDM_WORDS / ROW_WORDS, ROW_WORDS),
            dram: Dram::new(zero_dram),
            dar: Box::new([0; DAR_ENTRIES]),
            darbuf: Box::new([0; DARBUF_ENTRIES]),
        };
        let mut l2bm: CopyOnWrite<_> = (0..geometry.l2_count())
            .map(|_| MemoryWords::new(L2BM_WORDS / ROW_WORDS, ROW_WORDS))
            .collect();
        l2bm.clear();
        Board {
            groups: (0..geometry.groups).map(|_| group()).collect(),
            l2bm,
            dar_write: 0,
            darbuf_read: 0,
        }
    }

    /// Returns the board to the state after [`Board::new`].
    pub fn clear(&mut self) {
        for group in &mut self.groups {
            group.pdm.clear();
            group.dram.clear();
            group.dar.fill(0);
            group.darbuf.fill(0);
        }
        self.l2bm.clear();
        (self.dar_write, self.darbuf_read) = (0, 0);
    }
}

/// Reads `words.len()` long words starting at `address`, wrapping around the end of `memory`.
pub fn read_wrapping(memory: &[u64], address: usize, words: &mut [u64]) {
    let start = address % memory.len();
    if let Some(straight) = memory.get(start..start + words.len()) {
        words.copy_from_slice(straight);
    } else {
        for (offset, word) in words.iter_mut().enumerate() {
            *word = memory[(start + offset) % memory.len()];
        }
    }
}

/// Writes long words starting at `address`, wrapping around the end of `memory`.
pub fn write_wrapping(memory: &mut MemoryWords, address: usize, words: &[u64]) {
    let start = address % memory.len();
    if let Some(straight) = memory.range_mut(start..start + words.len()) {
        straight.copy_from_slice(words);
    } else {
        for (offset, word) in words.iter().enumerate() {
            let size = memory.len();
            memory[(start + offset) % size] = *word;
        }
    }
}

#[cfg(test)]
mod tests;
