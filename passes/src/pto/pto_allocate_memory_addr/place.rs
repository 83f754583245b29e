//! Puts pieces of memory next to each other: given addresses first, then what lives always, then
//! what lives at times; the largest first, each into the smallest gap that holds it.
//!
//! Invariants of what is returned: every address is aligned and given ones are kept; every piece
//! lies in the room; pieces that live at the same time do not overlap. A piece is refused only if
//! no gap between those placed before holds it: of pieces of one size, with one time each, that
//! means that there is no other order either.

use std::cmp::Reverse;
use std::ops::Range;

/// When a piece holds something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// As long as the kernel runs.
    Always,
    /// At these times of the kernel.
    During(Vec<Range<u64>>),
}

impl Lifetime {
    /// Whether there is a moment that both contain.
    fn overlaps(&self, other: &Lifetime) -> bool {
        match (self, other) {
            (Lifetime::During(these), Lifetime::During(those)) => overlap(these, those),
            _ => true,
        }
    }

    /// What lives always is placed before what lives at times, which is placed in the order of its
    /// first time.
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

/// Whether any time of the one overlaps any of the other.
pub fn overlap(these: &[Range<u64>], those: &[Range<u64>]) -> bool {
    let overlaps = |one: &Range<u64>| {
        let mut those = those.iter();
        those.any(|two| one.start < two.end && two.start < one.end)
    };
    these.iter().any(overlaps)
}

/// A piece of memory that is wanted.
#[derive(Clone, Debug)]
pub struct MemoryBlock {
    /// How large it is.
    pub bytes: u64,
    /// What its address is a multiple of.
    pub align: u64,
    /// Where it has to be, if that is given.
    pub at: Option<u64>,
    /// When it is used.
    pub lifetime: Lifetime,
}

/// Why a piece cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The given address is not aligned.
    Misaligned,
    /// The given addresses are not all in the room.
    Outside,
    /// The given addresses overlap those given to another piece.
    Overlap(usize),
    /// No gap is large enough; this is the largest.
    Full(u64),
}

/// A piece that cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Which.
    pub block: usize,
    /// Why.
    pub reason: Reason,
    /// The addresses of those placed before.
    pub placed: Vec<Option<u64>>,
}

/// An address for each piece.
///
/// # Errors
/// The first piece that cannot be placed.
pub fn allocate(room: &Range<u64>, pieces: &[MemoryBlock]) -> Result<Vec<u64>, Refused> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|index| {
        let block = &pieces[*index];
        let (at_times, begin) = block.lifetime.order();
        match block.at {
            // Those that are given come in the order that they are written in.
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

/// The pieces placed so far that live at the same time as one, with their addresses.
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

/// The begin of the smallest gap that is large enough.
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
