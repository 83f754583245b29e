//! A request on its way: how far it has come, and which of its bytes are still to arrive.

use super::request::{Location, Operation, RequestSpec};
use crate::tile::map::Coordinate;

/// Bytes of the units in which data arrives.
const UNIT: u32 = 16;
/// Bytes in whose pieces streams alternate.
const LINE: u32 = 32;

/// How far a request has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Made,
    Started,
    Sent,
}

/// A request that has been made and not ended.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) core: usize,
    /// Where the instruction was that made it.
    pub(super) pc: u32,
    pub(super) initiator: usize,
    pub(super) stage: Stage,
    pub(super) spec: RequestSpec,
    pub(super) channel: Option<u32>,
    /// The bytes of a write, as they were when it was made.
    pub(super) data: Vec<u8>,
    /// Which of the places it is on its way to.
    pub(super) target: usize,
    /// Which bytes are still to arrive there, in each stream; those of a request in one piece are
    /// in the first.
    pub(super) left: [std::ops::Range<u32>; 2],
    pub(super) split: bool,
}

impl Request {
    /// Returns the next bytes of a stream.
    pub(super) fn next(&self, stream: usize) -> Option<std::ops::Range<u32>> {
        let left = &self.left[stream];
        if left.is_empty() {
            return None;
        }
        if !self.split {
            return Some(left.clone());
        }
        // Units are aligned at the destination, which agrees with the source modulo 16.
        let phase = self.phase();
        let unit_end = (left.start + phase) / UNIT * UNIT + UNIT - phase;
        Some(left.start..unit_end.min(self.spec.length))
    }

    pub(super) fn to(&self) -> Location {
        self.spec.to[self.target]
    }

    /// Returns the destination modulo 32.
    fn phase(&self) -> u32 {
        self.to().low_bits() % LINE
    }

    /// Returns the bytes of a stream from `start` on, which lies in it or before it.
    fn stream_from(&self, stream: u32, start: u32) -> std::ops::Range<u32> {
        let at = start + self.phase();
        let start = if at / UNIT % 2 == stream {
            start
        } else {
            at / UNIT * UNIT + UNIT - self.phase()
        };
        start.min(self.spec.length)..self.spec.length
    }

    /// Everything is still to arrive at the target.
    pub(super) fn begin_target(&mut self) {
        self.left = match self.split {
            true => [0, 1].map(|stream| self.stream_from(stream, 0)),
            false => [0..self.spec.length, 0..0],
        };
    }

    /// Takes what `next` said out of what is left.
    pub(super) fn carried(&mut self, stream: usize, bytes: &std::ops::Range<u32>) {
        self.left[stream] = match self.split {
            true => self.stream_from(stream as u32, bytes.end),
            false => 0..0,
        };
    }

    /// Returns whether it keeps its order with another that was made before.
    pub(super) fn is_ordered_after(&self, other: &Self) -> bool {
        self.channel.is_some()
            && self.channel == other.channel
            && destination(self) == destination(other)
    }
}

/// Returns the places of a request, without the addresses.
fn destination(request: &Request) -> Vec<Option<Coordinate>> {
    let far: &[Location] = match request.spec.operation {
        Operation::Read => std::slice::from_ref(&request.spec.from),
        _ => &request.spec.to,
    };
    far.iter().map(|&l| tile_with_devices(l)).collect()
}

/// Returns the tile of a location, if it has registers of its own.
pub(super) fn tile_with_devices(location: Location) -> Option<Coordinate> {
    match location {
        Location::L1 { tile, .. } | Location::Device { tile, .. } => Some(tile),
        Location::Dram { .. } => None,
    }
}
