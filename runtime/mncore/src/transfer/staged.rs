//! MV instructions that a batch of steps executes.
//!
//! A transfer from DRAM or PDM to L2BM reads its words when it is staged, as no step writes DRAM or
//! PDM. Each L2B writes its own L2BM when the batch arrives at the transfer. A transfer from L2BM
//! reads its words there, L2B by L2B. They are written to DRAM or PDM after the batch.
//!
//! So a transfer that reads what an earlier one of the batch writes cannot be staged, nor can one
//! that compares L2BM with one another or reduces them: these run between batches.

use super::memories;
use super::plan::{Move, StagingPlan, Write};
use crate::board::{read_wrapping, write_wrapping, Board};
use crate::footprint::{add_region, Region};
use crate::geometry::Geometry;
use crate::memory::MemoryWords;

/// Long words that may be staged before a batch is executed, so that memory use does not grow with
/// the program.
const MAX_WORDS: usize = 1 << 20;

/// The transfers of a batch.
#[derive(Clone, Debug, Default)]
pub struct StagedTransfers {
    /// The words that were read from DRAM and PDM.
    received: Vec<u64>,
    /// What each L2B moves.
    moves: Vec<Moves>,
    /// What is written to DRAM and PDM, in order.
    writes: Vec<Write>,
    /// The regions of DRAM and PDM that are written.
    written: Vec<Region>,
}

/// What an L2B moves in a batch.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The moves, in order.
    moves: Vec<Move>,
    /// The number of long words that all moves send.
    sending: usize,
    /// The words that were sent.
    sent: Vec<u64>,
}

impl Moves {
    /// Returns whether two L2B move the same words to the same addresses, and send from the same
    /// ones.
    fn are_equal(&self, other: &Moves, received: &[u64]) -> bool {
        let words = |one: &Move| one.received.map(|at| &received[at..at + one.count]);
        let is_same = |(one, other): (&Move, &Move)| {
            (one.item, one.address, one.count) == (other.item, other.address, other.count)
                && words(one) == words(other)
        };
        self.moves.len() == other.moves.len() && self.moves.iter().zip(&other.moves).all(is_same)
    }

    /// Executes the moves of the transfer with index `item`, in the L2BM `memory`. `done` counts
    /// those that were executed.
    pub fn run(
        &mut self,
        item: usize,
        done: &mut usize,
        received: &[u64],
        memory: &mut MemoryWords,
    ) {
        while let Some(one) = self.moves.get(*done).filter(|one| one.item == item) {
            match one.received {
                Some(at) => write_wrapping(memory, one.address, &received[at..at + one.count]),
                None => {
                    let start = self.sent.len();
                    self.sent.resize(start + one.count, 0);
                    read_wrapping(memory, one.address, &mut self.sent[start..]);
                }
            }
            *done += 1;
        }
    }
}

impl StagedTransfers {
    /// Creates an empty batch.
    pub fn new(geometry: &Geometry) -> Self {
        StagedTransfers {
            moves: vec![Moves::default(); geometry.l2_count()],
            ..StagedTransfers::default()
        }
    }

    /// Stages a transfer as item `item` of the batch. Returns `None` if it must run after the
    /// batch, or fails.
    pub fn stage(
        &mut self,
        plan: &StagingPlan,
        item: usize,
        board: &Board,
        geometry: &Geometry,
    ) -> Option<()> {
        if self.received.len() > MAX_WORDS {
            return None;
        }
        let mut reads = plan.footprint.reads.iter();
        if reads.any(|read| self.written.iter().any(|written| written.overlaps(read))) {
            return None;
        }
        let received = self.received.len();
        self.received.resize(received + plan.received, 0);
        for read in &plan.reads {
            let words = &mut self.received[received + read.start..][..read.count];
            if memories::read(board, geometry, (read.memory, read.address), words).is_err() {
                self.received.truncate(received);
                return None;
            }
        }
        for write in &plan.writes {
            let sending = self.moves[write.l2].sending;
            self.writes.push(Write {
                item,
                words: write.words.start + sending..write.words.end + sending,
                ..*write
            });
        }
        for one in &plan.moves {
            let moves = &mut self.moves[one.l2];
            moves.sending += if one.received.is_none() { one.count } else { 0 };
            moves.moves.push(Move {
                item,
                received: one.received.map(|at| at + received),
                ..*one
            });
        }
        if !plan.writes.is_empty() {
            for region in &plan.footprint.writes {
                let count = region.words.end - region.words.start;
                add_region(&mut self.written, region.memory, region.words.start, count);
            }
        }
        Some(())
    }

    /// Returns whether two L2B move the same words in the same way.
    pub fn are_same(&self, one: usize, other: usize) -> bool {
        self.moves[one].are_equal(&self.moves[other], &self.received)
    }

    /// Lets L2B `to` send what L2B `from` has sent, which moves the same words in the same way.
    pub fn share_sent(&mut self, from: usize, to: usize) {
        let sent = std::mem::take(&mut self.moves[from].sent);
        self.moves[to].sent.clone_from(&sent);
        self.moves[from].sent = sent;
    }

    /// Returns the words that were read, and what each L2B moves.
    pub fn parts(&mut self) -> (&[u64], &mut [Moves]) {
        (&self.received, &mut self.moves)
    }

    /// Writes to DRAM and PDM what the transfers before item `end` of the batch have sent, and
    /// empties the batch.
    pub fn finish(&mut self, end: usize, board: &mut Board, geometry: &Geometry) {
        for write in self.writes.drain(..).filter(|write| write.item < end) {
            let words = &self.moves[write.l2].sent[write.words];
            memories::write(board, geometry, (write.memory, write.address), words);
        }
        for moves in &mut self.moves {
            moves.moves.clear();
            moves.sent.clear();
            moves.sending = 0;
        }
        self.received.clear();
        self.written.clear();
    }
}
