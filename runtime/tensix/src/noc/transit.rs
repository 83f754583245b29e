//! A request in transit: its stage, and the ranges of bytes that have not arrived yet.

use std::sync::Arc;

use super::location::Location;
use super::operation::Operation;
use super::request::RequestSpec;
use crate::map::Coordinate;

/// Bytes of a unit of transfer. Units are aligned at the destination.
const UNIT: u32 = 16;
/// Bytes that hold one unit of each stream.
const LINE: u32 = 32;

/// Stage of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Issued,
    Started,
    Sent,
}

/// A request that has been issued and has not completed.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) core: usize,
    /// Address of the instruction that issued it.
    pub(super) pc: u32,
    pub(super) initiator: usize,
    pub(super) stage: Stage,
    pub(super) spec: RequestSpec,
    pub(super) channel: Option<u32>,
    /// The bytes of a write, as they were when the request was issued.
    pub(super) data: Arc<[u8]>,
    /// Index of the current target in `spec.to`.
    pub(super) target: usize,
    /// Bytes that have not arrived at the current target, for each stream. A request that is not
    /// split uses the first stream only.
    pub(super) left: [std::ops::Range<u32>; 2],
    /// Whether the bytes arrive unit by unit, in two streams with no order between them, instead of
    /// all at once.
    pub(super) split: bool,
}

impl Request {
    /// Returns the bytes of a stream that arrive next, or none if all have arrived.
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

    /// Returns the bytes of a stream from `start` on: from the unit of `start` if that unit belongs
    /// to the stream, otherwise from the next unit.
    fn stream_from(&self, stream: u32, start: u32) -> std::ops::Range<u32> {
        let at = start + self.phase();
        let start = if at / UNIT % 2 == stream {
            start
        } else {
            at / UNIT * UNIT + UNIT - self.phase()
        };
        start.min(self.spec.length)..self.spec.length
    }

    /// Marks all bytes as not arrived at the current target.
    pub(super) fn begin_target(&mut self) {
        self.left = match self.split {
            true => [0, 1].map(|stream| self.stream_from(stream, 0)),
            false => [0..self.spec.length, 0..0],
        };
    }

    /// Marks bytes that [`Request::next`] returned as arrived.
    pub(super) fn carried(&mut self, stream: usize, bytes: &std::ops::Range<u32>) {
        self.left[stream] = match self.split {
            true => self.stream_from(stream as u32, bytes.end),
            false => 0..0,
        };
    }

    /// Returns whether the request must not overtake another that was issued before it: both have
    /// the same static virtual channel and the same destinations.
    pub(super) fn is_ordered_after(&self, other: &Self) -> bool {
        self.channel.is_some()
            && self.channel == other.channel
            && destination(self) == destination(other)
    }
}

/// Returns the tiles a request goes to, without addresses.
fn destination(request: &Request) -> Vec<Option<Coordinate>> {
    let far: &[Location] = match request.spec.operation {
        Operation::Read => std::slice::from_ref(&request.spec.from),
        _ => &request.spec.to,
    };
    far.iter().map(|&l| tile_with_devices(l)).collect()
}

/// Returns the tile of a location, or none for DRAM, which has no registers.
pub(super) fn tile_with_devices(location: Location) -> Option<Coordinate> {
    match location {
        Location::L1 { tile, .. } | Location::Device { tile, .. } => Some(tile),
        Location::Dram { .. } => None,
    }
}
