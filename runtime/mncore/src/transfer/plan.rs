//! What a batch does to execute an MV instruction.
//!
//! Only transfers through the DRAM address registers depend on the state of the board. All others
//! are planned once for all their executions.

use std::ops::Range;
use std::sync::Arc;

use tessera_isa_mncore::ast::{MvMemory, Transfer};

use super::copies::{self, Copy};
use super::{check, Ends, Side, BURST};
use crate::board::Group;
use crate::footprint::{add_region, Footprint, Memory};
use crate::geometry::Geometry;

/// What a batch does to execute a transfer to or from L2BM.
#[derive(Clone, Debug, Default)]
pub struct StagingPlan {
    /// The memory accesses.
    pub footprint: Arc<Footprint>,
    /// What is read from DRAM and PDM, in order.
    pub(super) reads: Vec<Read>,
    /// The number of long words that are read from them.
    pub(super) received: usize,
    /// What the L2B move, each of them in order.
    pub(super) moves: Vec<Move>,
    /// What is written to DRAM and PDM, in order.
    pub(super) writes: Vec<Write>,
}

/// Words that are read from DRAM or PDM.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub memory: Memory,
    pub address: u64,
    /// The index of the first one among the received words.
    pub start: usize,
    pub count: usize,
}

/// Words that enter or leave an L2BM.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The index of the transfer in the batch.
    pub item: usize,
    /// The L2B.
    pub l2: usize,
    /// The address in L2BM.
    pub address: usize,
    pub count: usize,
    /// The index of the received words; `None` to send.
    pub received: Option<usize>,
}

/// Words to write after the batch.
#[derive(Clone, Debug)]
pub(super) struct Write {
    /// The index of the transfer in the batch.
    pub item: usize,
    pub memory: Memory,
    pub address: u64,
    /// The L2B that sends the words.
    pub l2: usize,
    /// Which of the words that it sends.
    pub words: Range<usize>,
}

/// Returns whether the addresses of a transfer depend on the DRAM address registers.
pub fn is_indirect(transfer: &Transfer) -> bool {
    let ends = [transfer.source.memory, transfer.target.memory];
    let mut ends = ends.iter();
    ends.any(|memory| matches!(memory, MvMemory::DramIndirect(_)))
}

impl StagingPlan {
    /// Plans a transfer. `groups` hold the DRAM address registers; other transfers than indirect
    /// ones do not need them. Returns `None` if it cannot be staged, or fails.
    pub fn new(transfer: &Transfer, groups: &[Group], geometry: &Geometry) -> Option<Self> {
        check(transfer, geometry).ok()?;
        let ends = Ends::new(transfer, geometry);
        let is_l2bm = |memory| matches!(memory, MvMemory::L2bm(_));
        let receives = is_l2bm(transfer.target.memory);
        if receives == is_l2bm(transfer.source.memory) || ends.reads_replicas() {
            return None;
        }
        let copies = copies::of_unit(transfer, geometry)?;
        match receives {
            true => StagingPlan::of_receiving(ends, &copies, groups),
            false => Some(StagingPlan::of_sending(ends, &copies, groups)),
        }
    }

    /// Plans a transfer to L2BM.
    fn of_receiving(ends: Ends, copies: &[Copy], groups: &[Group]) -> Option<Self> {
        let mut plan = StagingPlan::default();
        let mut footprint = Footprint::default();
        let mut words = 0;
        let mut read = None;
        for (unit, copy) in each_unit(ends, copies) {
            if read != Some((unit, copy.source)) {
                words = plan.received;
                for offset in (0..copy.count).step_by(BURST as usize) {
                    let offset = offset as u64;
                    let (memory, address) =
                        ends.locate(groups, Side::Source, copy.source, unit, offset);
                    add_region(&mut footprint.reads, memory, address, BURST);
                    plan.add_read(memory, address);
                }
                read = Some((unit, copy.source));
            }
            let (memory, address) = ends.locate(groups, Side::Target, copy.target, unit, 0);
            let Memory::L2bm(group, l2b) = memory else {
                return None;
            };
            add_region(&mut footprint.writes, memory, address, copy.count as u64);
            plan.moves.push(Move {
                item: 0,
                l2: ends.geometry.l2_index(group, l2b),
                address: address as usize,
                count: copy.count,
                received: Some(words),
            });
        }
        plan.footprint = Arc::new(footprint);
        plan.join_moves();
        Some(plan)
    }

    /// Plans a transfer from L2BM.
    fn of_sending(ends: Ends, copies: &[Copy], groups: &[Group]) -> Self {
        let mut plan = StagingPlan::default();
        let mut footprint = Footprint::default();
        let mut sent = vec![0; ends.geometry.l2_count()];
        for (unit, copy) in each_unit(ends, copies) {
            let (memory, address) = ends.locate(groups, Side::Source, copy.source, unit, 0);
            let Memory::L2bm(group, l2b) = memory else {
                continue;
            };
            add_region(&mut footprint.reads, memory, address, copy.count as u64);
            let l2 = ends.geometry.l2_index(group, l2b);
            plan.moves.push(Move {
                item: 0,
                l2,
                address: address as usize,
                count: copy.count,
                received: None,
            });
            for offset in (0..copy.count).step_by(BURST as usize) {
                let (memory, address) =
                    ends.locate(groups, Side::Target, copy.target, unit, offset as u64);
                add_region(&mut footprint.writes, memory, address, BURST);
                plan.add_write(memory, address, l2, sent[l2] + offset);
            }
            sent[l2] += copy.count;
        }
        plan.footprint = Arc::new(footprint);
        plan.join_moves();
        plan
    }

    /// Adds a read of a burst; joins it with the last one if it continues that one.
    fn add_read(&mut self, memory: Memory, address: u64) {
        let start = self.received;
        self.received += BURST as usize;
        match self.reads.last_mut() {
            Some(last) if last.memory == memory && last.address + last.count as u64 == address => {
                last.count += BURST as usize;
            }
            _ => self.reads.push(Read {
                memory,
                address,
                start,
                count: BURST as usize,
            }),
        }
    }

    /// Adds a write of a burst; joins it with the last one if it continues that one.
    fn add_write(&mut self, memory: Memory, address: u64, l2: usize, start: usize) {
        let end = start + BURST as usize;
        match self.writes.last_mut() {
            Some(last)
                if (last.memory, last.l2, last.words.end) == (memory, l2, start)
                    && last.address + last.words.len() as u64 == address =>
            {
                last.words.end = end;
            }
            _ => self.writes.push(Write {
                item: 0,
                memory,
                address,
                l2,
                words: start..end,
            }),
        }
    }

    /// Joins the moves of an L2B that continue one another.
    fn join_moves(&mut self) {
        self.moves.sort_by_key(|one| one.l2);
        self.moves.dedup_by(|next, last| {
            let received = last.received.map(|at| at + last.count);
            let continues = last.l2 == next.l2
                && last.address + last.count == next.address
                && received == next.received;
            if continues {
                last.count += next.count;
            }
            continues
        });
    }
}

/// Returns the copies of all units, in order.
fn each_unit<'a>(ends: Ends, copies: &'a [Copy]) -> impl Iterator<Item = (u64, &'a Copy)> {
    (0..ends.units()).flat_map(move |unit| copies.iter().map(move |copy| (unit, copy)))
}
