//! The memory accesses of transfers: regions of PDM, DRAM and L2BM.

use std::ops::Range;

use crate::board::{L2BM_WORDS, PDM_WORDS};
use crate::dram::DRAM_WORDS;

/// A memory that MV instructions access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The PDM of a group.
    Pdm(usize),
    /// The DRAM of a group.
    Dram(usize),
    /// The L2BM of a group's L2B.
    L2bm(usize, usize),
}

impl Memory {
    /// Returns the size in long words.
    pub const fn size(self) -> u64 {
        match self {
            Memory::Pdm(_) => PDM_WORDS as u64,
            Memory::Dram(_) => DRAM_WORDS,
            Memory::L2bm(..) => L2BM_WORDS as u64,
        }
    }
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Memory::Pdm(group) => write!(f, "the PDM of group {group}"),
            Memory::Dram(group) => write!(f, "the DRAM of group {group}"),
            Memory::L2bm(group, l2b) => write!(f, "the L2BM of group {group}, L2B {l2b}"),
        }
    }
}

/// A range of long words in a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The memory.
    pub memory: Memory,
    /// The range; it does not wrap around.
    pub words: Range<u64>,
}

impl Region {
    /// Returns the one or two regions of `count` long words starting at `start` in a memory of
    /// `size`, which wraps around.
    pub fn wrapping(memory: Memory, start: u64, count: u64, size: u64) -> Vec<Region> {
        let region = |words: Range<u64>| Region { memory, words };
        let start = start % size;
        if count >= size {
            vec![region(0..size)]
        } else if start + count <= size {
            vec![region(start..start + count)]
        } else {
            vec![region(start..size), region(0..start + count - size)]
        }
    }

    /// Returns whether the regions have a word in common.
    pub fn overlaps(&self, other: &Region) -> bool {
        self.memory == other.memory
            && self.words.start < other.words.end
            && other.words.start < self.words.end
    }
}

/// The memory accesses of an instruction.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// The regions that are read.
    pub reads: Vec<Region>,
    /// The regions that are written.
    pub writes: Vec<Region>,
}

/// Records an access to `count` long words at `address`; extends the region that ends there, if
/// any.
pub fn add_region(regions: &mut Vec<Region>, memory: Memory, address: u64, count: u64) {
    let (size, start) = (memory.size(), address % memory.size());
    if start + count <= size {
        return add_straight(regions, memory, start..start + count);
    }
    for region in Region::wrapping(memory, address, count, size) {
        add_straight(regions, memory, region.words);
    }
}

/// Records an access to a range that does not wrap around.
fn add_straight(regions: &mut Vec<Region>, memory: Memory, words: Range<u64>) {
    let before = regions
        .iter_mut()
        .rev()
        .find(|before| before.memory == memory && before.words.end == words.start);
    match before {
        Some(before) => before.words.end = words.end,
        None => regions.push(Region { memory, words }),
    }
}
