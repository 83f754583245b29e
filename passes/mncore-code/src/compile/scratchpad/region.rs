//! Regions of on-chip memories, and the check that those alive together are disjoint.

use tessera_isa_mncore::memory::{Bank, L1BM_WORDS, L2BM_WORDS, PDM_WORDS};

use super::phase::Phases;

/// A memory of the chip, or the tags of MV instructions, which are allocated in the same way.
///
/// L2BM, L1BM and PDM count long words, the memories of PEs single words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Memory {
    L2bm,
    L1bm,
    Pdm,
    Tags,
    Pe(Bank),
}

impl Memory {
    /// Tags of MV instructions.
    const TAGS: u32 = 256;

    const fn size(self) -> u32 {
        match self {
            Memory::L2bm => L2BM_WORDS,
            Memory::L1bm => L1BM_WORDS,
            Memory::Pdm => PDM_WORDS,
            Memory::Tags => Memory::TAGS,
            Memory::Pe(bank) => bank.words() as u32,
        }
    }

    const fn is(self, other: Memory) -> bool {
        match (self, other) {
            (Memory::L2bm, Memory::L2bm)
            | (Memory::L1bm, Memory::L1bm)
            | (Memory::Pdm, Memory::Pdm)
            | (Memory::Tags, Memory::Tags) => true,
            (Memory::Pe(one), Memory::Pe(other)) => one as u8 == other as u8,
            _ => false,
        }
    }
}

/// A region of a memory: its place, its maximal extent, and the phases in which it is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Region {
    pub memory: Memory,
    /// The first word or tag.
    pub start: u32,
    /// The words or tags of the largest kernel.
    pub words: u32,
    pub(super) phases: Phases,
}

impl Region {
    /// Returns the first word and the number of words.
    pub const fn range(self) -> (u32, u32) {
        (self.start, self.words)
    }

    /// Returns the end.
    pub const fn end(self) -> u32 {
        self.start + self.words
    }

    /// Returns the number of slots of this size.
    pub const fn slots(self, words: u32) -> u32 {
        self.words / words
    }

    /// Returns whether another region of the same memory lies in this one.
    pub(super) const fn contains(self, other: Region) -> bool {
        self.memory.is(other.memory) && self.start <= other.start && other.end() <= self.end()
    }

    const fn conflicts(self, other: Region) -> bool {
        self.memory.is(other.memory)
            && self.phases.intersects(other.phases)
            && self.start < other.end()
            && other.start < self.end()
    }
}

/// Checks that each region fits in its memory, and that no two that may be alive together overlap.
/// In a constant, a violation is an error of compilation that names the region.
pub(super) const fn check(regions: &[(&str, Region)]) {
    let mut number = 0;
    while number < regions.len() {
        let (name, region) = regions[number];
        if region.words == 0 || region.end() > region.memory.size() {
            panic!("{}", name);
        }
        let mut other = 0;
        while other < number {
            if region.conflicts(regions[other].1) {
                panic!("{}", name);
            }
            other += 1;
        }
        number += 1;
    }
}
