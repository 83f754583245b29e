//! Address assignment: best fit in decreasing order of size.
//!
//! Blocks with given addresses come first, then blocks that are always live, then blocks with live
//! ranges; within each class the largest first. Each goes into the smallest gap that holds it.
//!
//! Invariants of the result: every address is aligned, and given ones are kept; every block lies in
//! the room; blocks with overlapping lifetimes do not overlap in memory. A block is refused only if
//! no gap between those placed before holds it. For blocks of equal size with one live interval
//! each, that means that no assignment exists.

use std::cmp::Reverse;
use std::ops::Range;

/// Lifetime of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// The whole kernel.
    Always,
    /// These time intervals.
    During(Vec<Range<u64>>),
}

impl Lifetime {
    /// Returns whether two lifetimes overlap.
    fn overlaps(&self, other: &Lifetime) -> bool {
        match (self, other) {
            (Lifetime::During(these), Lifetime::During(those)) => overlap(these, those),
            _ => true,
        }
    }

    /// Returns the sort key: always-live blocks first, the others by their first time.
    fn order(&self) -> (bool, u64) {
        match self {
            Lifetime::Always => (false, 0),
            Lifetime::During(times) => {
                let begin = times.iter().map(|time| time.start).min();
                (true, begin.unwrap_or(0))
            }
        }
    }
}

/// Returns whether any interval of one set overlaps any of the other.
pub fn overlap(these: &[Range<u64>], those: &[Range<u64>]) -> bool {
    let overlaps = |one: &Range<u64>| {
        let mut those = those.iter();
        those.any(|two| one.start < two.end && two.start < one.end)
    };
    these.iter().any(overlaps)
}

/// A block of memory to place.
#[derive(Clone, Debug)]
pub struct MemoryBlock {
    /// Size in bytes.
    pub bytes: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// The required address, if given.
    pub at: Option<u64>,
    /// When it is live.
    pub lifetime: Lifetime,
}

/// Why a block cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The given address is not aligned.
    Misaligned,
    /// The given address range exceeds the room.
    Outside,
    /// The given address range overlaps that of another block.
    Overlap(usize),
    /// No gap is large enough; holds the largest gap's size.
    Full(u64),
}

/// A block that cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its number.
    pub block: usize,
    /// The reason.
    pub reason: Reason,
    /// The addresses of blocks placed before.
    pub placed: Vec<Option<u64>>,
}

/// Assigns an address to each block.
///
/// # Errors
/// The first block that cannot be placed.
pub fn allocate(room: &Range<u64>, pieces: &[MemoryBlock]) -> Result<Vec<u64>, Refused> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|index| {
        let block = &pieces[*index];
        let (at_times, begin) = block.lifetime.order();
        match block.at {
            // Given addresses are checked in textual order.
            Some(_) => (false, false, Reverse(0), 0, *index),
            None => (true, at_times, Reverse(block.bytes), begin, *index),
        }
    });
    let mut placed = vec![None; pieces.len()];
    for index in order {
        let found = match pieces[index].at {
            Some(at) => check(room, pieces, &placed, index, at),
            None => fit(room, pieces, &placed, index),
        };
        match found {
            Ok(at) => placed[index] = Some(at),
            Err(reason) => {
                return Err(Refused {
                    block: index,
                    reason,
                    placed,
                })
            }
        }
    }
    Ok(placed.into_iter().flatten().collect())
}

/// Iterates over the placed blocks whose lifetimes overlap that of block `index`.
fn neighbours<'p>(
    pieces: &'p [MemoryBlock],
    placed: &'p [Option<u64>],
    index: usize,
) -> impl Iterator<Item = (usize, Range<u64>)> + 'p {
    let all = placed.iter().enumerate();
    all.filter_map(move |(other, at)| {
        let at = (*at)?;
        let overlaps = pieces[other].lifetime.overlaps(&pieces[index].lifetime);
        overlaps.then(|| (other, at..at.saturating_add(pieces[other].bytes)))
    })
}

fn check(
    room: &Range<u64>,
    pieces: &[MemoryBlock],
    placed: &[Option<u64>],
    index: usize,
    at: u64,
) -> Result<u64, Reason> {
    let block = &pieces[index];
    let end = at.saturating_add(block.bytes);
    if at % block.align != 0 {
        return Err(Reason::Misaligned);
    }
    if at < room.start || end > room.end {
        return Err(Reason::Outside);
    }
    let mut all = neighbours(pieces, placed, index);
    match all.find(|(_, other)| at < other.end && other.start < end) {
        Some((other, _)) => Err(Reason::Overlap(other)),
        None => Ok(at),
    }
}

/// Returns the address of the smallest gap that is large enough.
fn fit(
    room: &Range<u64>,
    pieces: &[MemoryBlock],
    placed: &[Option<u64>],
    index: usize,
) -> Result<u64, Reason> {
    let block = &pieces[index];
    let mut taken: Vec<_> = neighbours(pieces, placed, index)
        .map(|(_, range)| range)
        .collect();
    taken.push(room.end..room.end);
    taken.sort_by_key(|range| range.start);
    let mut free = room.start;
    let mut gaps = Vec::new();
    for range in taken {
        let begin = free.next_multiple_of(block.align);
        gaps.push((range.start.saturating_sub(begin), begin));
        free = free.max(range.end);
    }
    let fitting = gaps.iter().filter(|(bytes, _)| *bytes >= block.bytes).min();
    match fitting {
        Some((_, at)) => Ok(*at),
        None => {
            let largest = gaps.iter().map(|(bytes, _)| *bytes).max();
            Err(Reason::Full(largest.unwrap_or(0)))
        }
    }
}

#[cfg(test)]
mod tests;
