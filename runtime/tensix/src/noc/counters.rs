//! The counters of an NIU: of its own requests at each stage, and of requests that it has served.
//!
//! Source: ISA documentation, `NoC/Counters.md`.

use super::location::Location;
use super::operation::Operation;
use super::request::RequestSpec;
use crate::map::Coordinate;

/// Number of counters of an NIU.
const COUNT: usize = 64;

/// Numbers of counters (ISA documentation, `NoC/Counters.md`). Counters of posted requests, if
/// separate, follow those of requests with responses.
mod counter {
    pub(crate) const ATOMIC_RESPONSES: usize = 0;
    pub(crate) const WRITE_ACKS: usize = 1;
    pub(crate) const READ_RESPONSES: usize = 2;
    pub(crate) const READ_WORDS: usize = 3;
    pub(crate) const ACCEPTED: usize = 4;
    pub(crate) const READS_SENT: usize = 5;
    pub(crate) const ATOMICS_SENT: usize = 6;
    pub(crate) const WRITE_WORDS_SENT: usize = 8;
    pub(crate) const WRITES_SENT: usize = 10;
    pub(crate) const WRITES_STARTED: usize = 12;
    pub(crate) const READS_STARTED: usize = 14;
    pub(crate) const ATOMICS_STARTED: usize = 15;
    pub(crate) const OUTSTANDING: usize = 16;
    pub(crate) const OUTGOING: usize = 32;
    pub(crate) const SERVED_ATOMIC_RESPONSES: usize = 48;
    pub(crate) const SERVED_WRITE_ACKS: usize = 49;
    pub(crate) const SERVED_READ_RESPONSES: usize = 50;
    pub(crate) const SERVED_READ_WORDS: usize = 51;
    pub(crate) const SERVED_ACCEPTED: usize = 52;
    pub(crate) const SERVED_READS: usize = 53;
    pub(crate) const SERVED_ATOMICS: usize = 54;
    pub(crate) const SERVED_WRITE_WORDS: usize = 56;
    pub(crate) const SERVED_WRITES: usize = 58;
    pub(crate) const SERVED_WRITES_STARTED: usize = 60;
}

/// A request as counted by the tile that served it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Served {
    pub(super) operation: Operation,
    pub(super) is_marked: bool,
    pub(super) words: u32,
    pub(super) bytes: u32,
    /// The tile that served it.
    pub(crate) tile: Option<Coordinate>,
}

impl Served {
    /// Returns the bytes that the tile received and sent.
    pub(super) fn moved(&self) -> [u64; 2] {
        let bytes = u64::from(self.bytes);
        match self.operation {
            Operation::Read => [0, bytes],
            Operation::Write { .. } | Operation::Inline { .. } => [bytes, 0],
            Operation::Atomic(_) => [0, 0],
        }
    }
}

/// Returns the number of `flit`-byte words that a transfer counts as.
pub(super) fn lines(flit: u32, at: Location, length: u32) -> u32 {
    let start = at.low_bits() % flit;
    (start + length).div_ceil(flit)
}

/// The counters.
#[derive(Clone, Debug)]
pub(super) struct Counters([u32; COUNT]);

impl Counters {
    pub(super) fn new() -> Self {
        Counters([0; COUNT])
    }

    /// Returns a counter as software reads it, if it exists.
    pub(super) fn read(&self, k: usize) -> Option<u32> {
        match k {
            counter::OUTSTANDING..counter::SERVED_ATOMIC_RESPONSES => Some(self.0[k] & 0xff),
            // The last two counters do not exist.
            _ if k < COUNT - 2 => Some(self.0[k]),
            _ => None,
        }
    }

    /// Sets the counter of outstanding requests of a transaction to 0.
    pub(super) fn clear_outstanding(&mut self, transaction: usize) {
        self.0[counter::OUTSTANDING + transaction] = 0;
    }

    fn count(&mut self, counter: usize, by: u32) {
        self.0[counter] = self.0[counter].wrapping_add(by);
    }

    pub(super) fn note_issued(&mut self, spec: &RequestSpec) {
        if spec.is_marked {
            self.count(counter::OUTSTANDING + spec.transaction, 1);
        }
        if matches!(spec.operation, Operation::Write { .. }) {
            self.count(counter::OUTGOING + spec.transaction, 1);
        }
    }

    pub(super) fn note_started(&mut self, spec: &RequestSpec) {
        let posted = usize::from(!spec.is_marked);
        self.count(counter::ACCEPTED, 1);
        match spec.operation {
            Operation::Read => self.count(counter::READS_STARTED, 1),
            Operation::Write { .. } => self.count(counter::WRITES_STARTED + posted, 1),
            Operation::Inline { .. } => {
                self.count(counter::WRITES_STARTED + posted, 1);
                self.count(counter::WRITES_SENT + posted, 1);
            }
            Operation::Atomic(_) if spec.is_marked => {
                self.count(counter::ATOMICS_STARTED, 1);
            }
            Operation::Atomic(_) => {}
        }
    }

    /// Counts a request that has been sent, in `flit`-byte words.
    pub(super) fn note_sent(&mut self, spec: &RequestSpec, flit: u32) {
        let posted = usize::from(!spec.is_marked);
        match spec.operation {
            Operation::Read => self.count(counter::READS_SENT, 1),
            Operation::Write { .. } => {
                self.count(counter::WRITES_SENT + posted, 1);
                let words = lines(flit, spec.from, spec.length);
                self.count(counter::WRITE_WORDS_SENT + posted, words);
                self.count(counter::OUTGOING + spec.transaction, u32::MAX);
            }
            Operation::Inline { .. } => {}
            Operation::Atomic(_) => self.count(counter::ATOMICS_SENT + posted, 1),
        }
    }

    /// Counts a response. Returns whether the counter of outstanding requests of its transaction
    /// has fallen to 0.
    pub(super) fn note_answered(&mut self, served: Served, transaction: usize) -> bool {
        if !served.is_marked {
            return false;
        }
        self.count(counter::OUTSTANDING + transaction, u32::MAX);
        match served.operation {
            Operation::Read => {
                self.count(counter::READ_RESPONSES, 1);
                self.count(counter::READ_WORDS, served.words);
            }
            Operation::Write { .. } | Operation::Inline { .. } => {
                self.count(counter::WRITE_ACKS, 1);
            }
            Operation::Atomic(_) => self.count(counter::ATOMIC_RESPONSES, 1),
        }
        self.0[counter::OUTSTANDING + transaction] & 0xff == 0
    }

    /// Counts a request that this tile has served.
    pub(super) fn note_served(&mut self, served: Served) {
        let posted = usize::from(!served.is_marked);
        let answers = u32::from(served.is_marked);
        self.count(counter::SERVED_ACCEPTED, 1);
        match served.operation {
            Operation::Read => {
                self.count(counter::SERVED_READS, 1);
                self.count(counter::SERVED_READ_RESPONSES, 1);
                self.count(counter::SERVED_READ_WORDS, served.words);
            }
            Operation::Write { .. } | Operation::Inline { .. } => {
                self.count(counter::SERVED_WRITES_STARTED + posted, 1);
                self.count(counter::SERVED_WRITES + posted, 1);
                let words = match served.operation {
                    Operation::Inline { .. } => 1,
                    _ => served.words,
                };
                self.count(counter::SERVED_WRITE_WORDS + posted, words);
                self.count(counter::SERVED_WRITE_ACKS, answers);
            }
            Operation::Atomic(_) => {
                self.count(counter::SERVED_ATOMICS + posted, 1);
                self.count(counter::SERVED_ATOMIC_RESPONSES, answers);
            }
        }
    }
}
