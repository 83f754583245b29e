//! The counters of an NIU: of its own requests at each stage, and of requests that it has served.
//!
//! Source: ISA documentation, `NoC/Counters.md`.

use super::niu::Niu;
use super::registers::counter;
use super::request::{Location, Operation, RequestSpec};
use crate::map::Coordinate;

/// A request as counted by the tile that served it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Served {
    pub(super) operation: Operation,
    pub(super) is_marked: bool,
    pub(super) words: u32,
    /// The tile that served it.
    pub(crate) tile: Option<Coordinate>,
}

/// Returns the number of `flit`-byte words that a transfer counts as.
pub(super) fn lines(flit: u32, at: Location, length: u32) -> u32 {
    let start = at.low_bits() % flit;
    (start + length).div_ceil(flit)
}

impl Niu {
    fn count(&mut self, counter: usize, by: u32) {
        self.counters[counter] = self.counters[counter].wrapping_add(by);
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

    pub(super) fn note_sent(&mut self, spec: &RequestSpec) {
        let posted = usize::from(!spec.is_marked);
        match spec.operation {
            Operation::Read => self.count(counter::READS_SENT, 1),
            Operation::Write { .. } => {
                self.count(counter::WRITES_SENT + posted, 1);
                let words = lines(self.layout().flit, spec.from, spec.length);
                self.count(counter::WRITE_WORDS_SENT + posted, words);
                self.count(counter::OUTGOING + spec.transaction, u32::MAX);
            }
            Operation::Inline { .. } => {}
            Operation::Atomic(_) => self.count(counter::ATOMICS_SENT + posted, 1),
        }
    }

    pub(super) fn note_answered(&mut self, served: Served, transaction: usize) {
        if !served.is_marked {
            return;
        }
        self.count(counter::OUTSTANDING + transaction, u32::MAX);
        if self.counters[counter::OUTSTANDING + transaction] & 0xff == 0 {
            self.interrupts.fell_to_zero(transaction);
        }
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
    }

    /// Counts a request that this tile has served.
    pub(crate) fn note_served(&mut self, served: Served) {
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
