//! MV instructions that a batch of steps executes.
//!
//! A transfer from DRAM or PDM to L2BM reads its words when it is staged, as no step writes DRAM or
//! PDM. Each L2B writes its own L2BM when the batch arrives at the transfer. A transfer from L2BM
//! reads its words there, L2B by L2B. They are written to DRAM or PDM after the batch.
//!
//! So a transfer that reads what an earlier one of the batch writes cannot be staged, nor can one
//! that compares L2BM with one another or reduces them: these run between batches.

use std::ops::Range;

use tessera_isa_mncore::ast::{MvMemory, Transfer};

use super::copies::{self, Copy};
use super::memories;
use super::{check, Ends, Side, BURST};
use crate::board::{read_wrapping, write_wrapping, Board};
use crate::geometry::Geometry;
use crate::memory::MemoryWords;
use crate::race::{add_region, Footprint, Memory, Region};

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

/// Words that enter or leave an L2BM.
#[derive(Clone, Debug)]
struct Move {
    /// The index of the transfer in the batch.
    item: usize,
    /// The address in L2BM.
    address: usize,
    count: usize,
    /// The index of the received words; `None` to send.
    received: Option<usize>,
}

/// Words to write after the batch.
#[derive(Clone, Debug)]
struct Write {
    /// The index of the transfer in the batch.
    item: usize,
    memory: Memory,
    address: u64,
    /// The L2B that sends the words.
    l2: usize,
    /// Which of the words that it sends.
    words: Range<usize>,
}

impl Moves {
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

    /// Adds a move; joins it with the last one if it continues that one.
    fn push(&mut self, new: Move) {
        if let Some(last) = self.moves.last_mut() {
            let continues = |at: Option<usize>| at.map(|at| at + last.count) == new.received;
            if last.item == new.item
                && last.address + last.count == new.address
                && continues(last.received)
            {
                last.count += new.count;
                return;
            }
        }
        self.moves.push(new);
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

    /// Stages a transfer as item `item` of the batch and returns its memory accesses. Returns
    /// `None` if it must run after the batch, or fails.
    pub fn stage(
        &mut self,
        transfer: &Transfer,
        item: usize,
        board: &Board,
        geometry: &Geometry,
    ) -> Option<Footprint> {
        check(transfer, geometry).ok()?;
        let ends = Ends::new(transfer, geometry);
        let is_l2bm = |memory| matches!(memory, MvMemory::L2bm(_));
        let receives = is_l2bm(transfer.target.memory);
        if receives == is_l2bm(transfer.source.memory)
            || ends.reads_replicas()
            || self.received.len() > MAX_WORDS
        {
            return None;
        }
        let copies = copies::of_unit(transfer, geometry)?;
        match receives {
            true => self.stage_receiving(ends, &copies, item, board),
            false => Some(self.stage_sending(ends, &copies, item, board)),
        }
    }

    /// Stages a transfer to L2BM, unless it reads what is not written yet.
    fn stage_receiving(
        &mut self,
        ends: Ends,
        copies: &[Copy],
        item: usize,
        board: &Board,
    ) -> Option<Footprint> {
        let mut footprint = Footprint::default();
        let start = self.received.len();
        let mut words = start;
        let mut read = None;
        for (unit, copy) in each_unit(ends, copies) {
            if read != Some((unit, copy.source)) {
                words = self.received.len();
                self.received.resize(words + copy.count, 0);
                let bursts = self.received[words..].chunks_mut(BURST as usize);
                for (offset, burst) in (0..).step_by(BURST as usize).zip(bursts) {
                    let (memory, address) =
                        ends.locate(&board.groups, Side::Source, copy.source, unit, offset);
                    let place = (memory, address);
                    let known = memories::read(board, ends.geometry, place, burst);
                    add_region(&mut footprint.reads, memory, address, BURST);
                    if known.is_err() {
                        return self.cancel(start, item);
                    }
                }
                read = Some((unit, copy.source));
            }
            let target = ends.locate(&board.groups, Side::Target, copy.target, unit, 0);
            let (memory, address) = target;
            let Memory::L2bm(group, l2b) = memory else {
                return self.cancel(start, item);
            };
            add_region(&mut footprint.writes, memory, address, copy.count as u64);
            self.moves[ends.geometry.l2_index(group, l2b)].push(Move {
                item,
                address: address as usize,
                count: copy.count,
                received: Some(words),
            });
        }
        let mut reads = footprint.reads.iter();
        if reads.any(|read| self.written.iter().any(|written| written.overlaps(read))) {
            return self.cancel(start, item);
        }
        Some(footprint)
    }

    /// Removes what has been staged of a transfer.
    fn cancel<T>(&mut self, received: usize, item: usize) -> Option<T> {
        self.received.truncate(received);
        for moves in &mut self.moves {
            while moves.moves.pop_if(|last| last.item == item).is_some() {}
        }
        None
    }

    /// Stages a transfer from L2BM.
    fn stage_sending(
        &mut self,
        ends: Ends,
        copies: &[Copy],
        item: usize,
        board: &Board,
    ) -> Footprint {
        let mut footprint = Footprint::default();
        for (unit, copy) in each_unit(ends, copies) {
            let source = ends.locate(&board.groups, Side::Source, copy.source, unit, 0);
            let (memory, address) = source;
            let Memory::L2bm(group, l2b) = memory else {
                continue;
            };
            add_region(&mut footprint.reads, memory, address, copy.count as u64);
            let l2 = ends.geometry.l2_index(group, l2b);
            let moves = &mut self.moves[l2];
            moves.push(Move {
                item,
                address: address as usize,
                count: copy.count,
                received: None,
            });
            for offset in (0..copy.count).step_by(BURST as usize) {
                let target = (Side::Target, copy.target, unit, offset as u64);
                let (memory, address) =
                    ends.locate(&board.groups, target.0, target.1, target.2, target.3);
                add_region(&mut footprint.writes, memory, address, BURST);
                let start = moves.sending + offset;
                self.writes.push(Write {
                    item,
                    memory,
                    address,
                    l2,
                    words: start..start + BURST as usize,
                });
            }
            moves.sending += copy.count;
        }
        for region in &footprint.writes {
            let count = region.words.end - region.words.start;
            add_region(&mut self.written, region.memory, region.words.start, count);
        }
        footprint
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

/// Returns the copies of all units, in order.
fn each_unit<'a>(ends: Ends, copies: &'a [Copy]) -> impl Iterator<Item = (u64, &'a Copy)> {
    (0..ends.units()).flat_map(move |unit| copies.iter().map(move |copy| (unit, copy)))
}
