//! Detection of races with MV transfers that are in flight.
//!
//! Manual, sections 1.2, 3.5.4 and 3.6.13. MV instructions run asynchronously until a `wait` for
//! their tag. This model completes them at once, which would hide a missing `wait`. So between an
//! MV instruction and its `wait`, its target is *in flight* (any access is a race) and its source
//! is *borrowed* (a write is a race). This applies to L2BM instructions and to other MV
//! instructions alike.
//!
//! An MV instruction without a tag counts as complete once a later one with a tag has been waited
//! for. Section 3.5.1, example 2, relies on that for two transfers of the same kind. The check does
//! not require them to be of the same kind.

use std::ops::Range;
use std::sync::Arc;

use crate::board::L2BM_WORDS;
use crate::footprint::{Footprint, Memory, Region};
use crate::trap::Reason;

/// For each kind of memory, PDM, DRAM and L2BM, a range that contains all accesses of an
/// instruction, whatever the group and L2B. It tells most pairs of instructions apart.
#[derive(Clone, Debug)]
struct Hull([Range<u64>; 3]);

impl Hull {
    /// The range without words.
    const NONE: Range<u64> = 0..0;

    /// Returns the ranges of all accesses of a footprint.
    fn new(footprint: &Footprint) -> Hull {
        let mut hull = Hull([Hull::NONE; 3]);
        for region in footprint.reads.iter().chain(&footprint.writes) {
            hull.add(region.memory, &region.words);
        }
        hull
    }

    fn add(&mut self, memory: Memory, words: &Range<u64>) {
        let range = &mut self.0[match memory {
            Memory::Pdm(_) => 0,
            Memory::Dram(_) => 1,
            Memory::L2bm(..) => 2,
        }];
        *range = match range.is_empty() {
            true => words.clone(),
            false => range.start.min(words.start)..range.end.max(words.end),
        };
    }

    /// Returns whether there may be a word in both.
    fn meets(&self, other: &Hull) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        pairs.any(|(one, other)| one.start < other.end && other.start < one.end)
    }
}

/// The reaction to a race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RacePolicy {
    /// Traps.
    #[default]
    Error,
    /// Reports the race and continues.
    Warn,
    /// Disables the check.
    Off,
}

/// Adds words of all L2BM, which wrap around.
fn add_l2bm_words(hull: &mut Hull, address: u64, count: u64) {
    let (size, start) = (L2BM_WORDS as u64, address % L2BM_WORDS as u64);
    let words = match start + count <= size {
        true => start..start + count,
        false => 0..size,
    };
    hull.add(Memory::L2bm(0, 0), &words);
}

/// Number of tags of MV instructions, counting 0, which means no tag.
pub const TAGS: usize = 256;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tag {
    #[default]
    Free,
    /// In use by the MV instruction on this line.
    Pending(u32),
    /// Completed by the host.
    Armed,
}

#[derive(Clone, Debug)]
struct Transfer {
    line: u32,
    tag: u8,
    footprint: Arc<Footprint>,
    hull: Hull,
}

/// The transfers in flight and the state of the tags.
#[derive(Clone, Debug)]
pub struct InFlight {
    races: RacePolicy,
    transfers: Vec<Transfer>,
    tags: [Tag; TAGS],
}

impl InFlight {
    /// Creates the state without transfers.
    pub fn new(races: RacePolicy) -> Self {
        InFlight {
            races,
            transfers: Vec::new(),
            tags: [Tag::Free; TAGS],
        }
    }

    /// Marks `tag` as completed by the host.
    pub fn arm(&mut self, tag: u8) {
        self.tags[usize::from(tag)] = Tag::Armed;
    }

    /// Returns whether races are checked.
    pub fn is_enabled(&self) -> bool {
        self.races != RacePolicy::Off
    }

    /// Returns whether races of an access to `count` long words at `address` of all L2BM are
    /// possible.
    pub fn may_race_in_l2bms(&self, address: u64, count: u64) -> bool {
        let mut hull = Hull([Hull::NONE; 3]);
        add_l2bm_words(&mut hull, address, count);
        let mut transfers = self.transfers.iter();
        transfers.any(|transfer| transfer.hull.meets(&hull))
    }

    /// Returns the race of `footprint` with a transfer in flight, if any.
    pub fn find_race(&self, footprint: &Footprint) -> Option<Reason> {
        if self.transfers.is_empty() {
            return None;
        }
        let hull = Hull::new(footprint);
        let possible = |transfer: &&Transfer| transfer.hull.meets(&hull);
        self.transfers.iter().filter(possible).find_map(|transfer| {
            let meet = |mine: &[Region], theirs: &[Region], what| {
                let met = mine
                    .iter()
                    .find(|one| theirs.iter().any(|other| one.overlaps(other)))?;
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
                "reads a region being written",
            )
            .or_else(|| {
                meet(
                    &footprint.writes,
                    &under_way.writes,
                    "writes a region being written",
                )
            })
            .or_else(|| {
                meet(
                    &footprint.writes,
                    &under_way.reads,
                    "writes a region being read",
                )
            })
        })
    }

    /// Returns whether a race stops the machine.
    pub fn races_trap(&self) -> bool {
        self.races == RacePolicy::Error
    }

    /// Starts an MV instruction; tag 0 means none. A tag in use cannot be reused.
    pub fn issue(
        &mut self,
        line: u32,
        tag: u8,
        footprint: impl Into<Arc<Footprint>>,
    ) -> Result<(), Reason> {
        if tag != 0 {
            let state = &mut self.tags[usize::from(tag)];
            if let Tag::Pending(first) = *state {
                return Err(Reason::TagInUse { tag, line: first });
            }
            *state = Tag::Pending(line);
        }
        if self.is_enabled() {
            let footprint = footprint.into();
            self.transfers.push(Transfer {
                line,
                tag,
                hull: Hull::new(&footprint),
                footprint,
            });
        }
        Ok(())
    }

    /// Executes a `wait`: completes the transfer with this tag and all earlier ones without a tag.
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
