//! Transfers that are still under way, as far as a program may know.
//!
//! Manual, sections 1.2, 3.5.4 and 3.6.13: MV instructions run beside the instruction stream until
//! a `wait` for their tag. This model completes them at once, which would hide a missing `wait`; so
//! from the MV instruction to the wait its destination is *in flight* (touching it is a race) and
//! its source is *borrowed* (writing it is a race), for L2BM instructions and for other MV
//! instructions alike.
//!
//! An MV instruction without a tag counts as complete once a later one with a tag is waited for:
//! section 3.5.1, example 2, relies on that for two transfers of a kind. Not checked: whether the
//! two are of a kind.

use std::ops::Range;

use crate::board::{L2BM_WORDS, PDM_WORDS};
use crate::dram::DRAM_WORDS;
use crate::trap::Reason;

/// A memory that MV instructions reach.
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
    /// Its long words.
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

/// Long words of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Which memory.
    pub memory: Memory,
    /// Which long words; the end lies within the memory.
    pub words: Range<u64>,
}

impl Region {
    /// The regions of `count` long words from `start` on in a memory of `size`, one or two.
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

    fn meets(&self, other: &Region) -> bool {
        self.memory == other.memory
            && self.words.start < other.words.end
            && other.words.start < self.words.end
    }
}

/// What an instruction reads and writes.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// What it reads.
    pub reads: Vec<Region>,
    /// What it writes.
    pub writes: Vec<Region>,
}

/// Adds `count` long words from `address` on to what was touched, to the region they continue if
/// there is one.
pub fn add_region(regions: &mut Vec<Region>, memory: Memory, address: u64, count: u64) {
    for region in Region::wrapping(memory, address, count, memory.size()) {
        let before = regions
            .iter_mut()
            .rev()
            .find(|before| before.memory == memory && before.words.end == region.words.start);
        match before {
            Some(before) => before.words.end = region.words.end,
            None => regions.push(region),
        }
    }
}

/// What to do about a race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RacePolicy {
    /// Stop there.
    #[default]
    Error,
    /// Go on, and tell.
    Warn,
    /// Do not look.
    Off,
}

/// Tags of MV instructions: 1 to 255. Tag 0 is none.
pub const TAGS: usize = 256;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tag {
    #[default]
    Free,
    /// An MV instruction of this line carries it.
    Pending(u32),
    /// The host did what it stands for.
    Armed,
}

#[derive(Clone, Debug)]
struct Transfer {
    line: u32,
    tag: u8,
    footprint: Footprint,
}

/// The transfers under way and the state of the tags.
#[derive(Clone, Debug)]
pub struct InFlight {
    races: RacePolicy,
    transfers: Vec<Transfer>,
    tags: [Tag; TAGS],
}

impl InFlight {
    /// Nothing under way.
    pub fn new(races: RacePolicy) -> Self {
        InFlight {
            races,
            transfers: Vec::new(),
            tags: [Tag::Free; TAGS],
        }
    }

    /// The host completed what `tag` stands for.
    pub fn arm(&mut self, tag: u8) {
        self.tags[usize::from(tag)] = Tag::Armed;
    }

    /// Whether footprints are looked at.
    pub fn watches(&self) -> bool {
        self.races != RacePolicy::Off
    }

    /// Whether `footprint` meets what is under way: the race, to be raised or told.
    pub fn check(&self, footprint: &Footprint) -> Option<Reason> {
        self.transfers.iter().find_map(|transfer| {
            let meet = |mine: &[Region], theirs: &[Region], what| {
                let met = mine
                    .iter()
                    .find(|one| theirs.iter().any(|other| one.meets(other)))?;
                Some(Reason::Race {
                    what,
                    memory: met.memory,
                    words: met.words.clone(),
                    line: transfer.line,
                })
            };
            let under_way = &transfer.footprint;
            meet(
                &footprint.reads,
                &under_way.writes,
                "reads what is being written",
            )
            .or_else(|| {
                meet(
                    &footprint.writes,
                    &under_way.writes,
                    "writes what is being written",
                )
            })
            .or_else(|| {
                meet(
                    &footprint.writes,
                    &under_way.reads,
                    "writes what is being read",
                )
            })
        })
    }

    /// Whether races stop the machine.
    pub fn stops(&self) -> bool {
        self.races == RacePolicy::Error
    }

    /// An MV instruction of a line begins; tag 0 is none. A tag in use cannot be used again.
    pub fn issue(&mut self, line: u32, tag: u8, footprint: Footprint) -> Result<(), Reason> {
        if tag != 0 {
            let state = &mut self.tags[usize::from(tag)];
            if let Tag::Pending(first) = *state {
                return Err(Reason::TagInUse { tag, line: first });
            }
            *state = Tag::Pending(line);
        }
        if self.watches() {
            self.transfers.push(Transfer {
                line,
                tag,
                footprint,
            });
        }
        Ok(())
    }

    /// A `wait` for a tag: completes its transfer, and those without a tag before it.
    pub fn wait(&mut self, tag: u8) -> Result<(), Reason> {
        let state = &mut self.tags[usize::from(tag)];
        if *state == Tag::Free {
            return Err(Reason::TagUnknown { tag });
        }
        *state = Tag::Free;
        let issued = self
            .transfers
            .iter()
            .position(|transfer| transfer.tag == tag);
        if let Some(issued) = issued {
            let mut index = 0;
            self.transfers.retain(|transfer| {
                let done = index == issued || index < issued && transfer.tag == 0;
                index += 1;
                !done
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
