//! What lies above the L1 blocks: the PDM, DRAM and DRAM address registers of the groups, and the
//! L2BM.
//!
//! Manual, sections 1.5, 3.5.2, 3.6.1.1, 3.6.1.3 and 3.6.7.10. All of these memories wrap around at
//! their ends.

use crate::dram::Dram;
use crate::geometry::Geometry;

/// Long words of a group's PDM: 4 MiB.
pub const PDM_WORDS: usize = 512 << 10;
/// Long words of an L2B's memory: 256 KiB.
pub const L2BM_WORDS: usize = 32 << 10;
/// Entries of a group's DRAM address registers.
pub const DAR_ENTRIES: usize = 1024;
/// Entries of a group's buffer in front of the DRAM address registers.
pub const DARBUF_ENTRIES: usize = 512;

/// What every group has of its own.
#[derive(Clone, Debug)]
pub struct Group {
    /// The memory the host sees, in long words.
    pub pdm: Box<[u64]>,
    /// The main memory.
    pub dram: Dram,
    /// DRAM addresses, in units of 16 long words.
    pub dar: Box<[u32; DAR_ENTRIES]>,
    /// DRAM addresses on their way from the L2BM to the registers.
    pub darbuf: Box<[u32; DARBUF_ENTRIES]>,
}

/// The groups and the L2BM.
#[derive(Clone, Debug)]
pub struct Board {
    /// The groups' memories.
    pub groups: Vec<Group>,
    /// The L2BM, group by group, L2B by L2B.
    pub l2bm: Vec<Box<[u64]>>,
    /// The entry the next transfer to the DRAM address registers writes, the same in all groups.
    pub dar_write: usize,
    /// The entry of the buffer that transfer reads.
    pub darbuf_read: usize,
}

impl Board {
    /// On-chip memories at zero; `zero_dram` says whether DRAM never written reads as zero.
    pub fn new(geometry: &Geometry, zero_dram: bool) -> Self {
        let group = || Group {
            pdm: vec![0; PDM_WORDS].into(),
            dram: Dram::new(zero_dram),
            dar: Box::new([0; DAR_ENTRIES]),
            darbuf: Box::new([0; DARBUF_ENTRIES]),
        };
        Board {
            groups: (0..geometry.groups).map(|_| group()).collect(),
            l2bm: (0..geometry.l2_count())
                .map(|_| vec![0; L2BM_WORDS].into())
                .collect(),
            dar_write: 0,
            darbuf_read: 0,
        }
    }
}

/// Reads `words.len()` long words from `address` on, around the end of `memory`.
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

/// Writes long words from `address` on, around the end of `memory`.
pub fn write_wrapping(memory: &mut [u64], address: usize, words: &[u64]) {
    let start = address % memory.len();
    if let Some(straight) = memory.get_mut(start..start + words.len()) {
        straight.copy_from_slice(words);
    } else {
        for (offset, word) in words.iter().enumerate() {
            memory[(start + offset) % memory.len()] = *word;
        }
    }
}

#[cfg(test)]
mod tests;
