//! The search for a plan between two given layouts: best-first search over chains of instructions.
//!
//! A search state says which index bits can be in which place bit, given what the hardware moves
//! and what operands name. Chains with the same state have the same continuations, so only the
//! cheapest are kept. The priority of a chain is its cost plus a lower bound for the rest, as in
//! A*. The bound covers the moves up to the memory where the differing owner bits can be changed,
//! and down to the target, each at the best available rate. A second queue orders chains by the
//! number of changes of direction between up and down first; nodes are taken from both queues
//! alternately.
//!
//! The result is the cheapest plan among the states visited, at most [`MAX_STATES`]. For transfers
//! with much rearrangement it may not be optimal.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::super::leg::Stage;
use super::super::place::{Memory, Place, Slot};
use super::super::transfer::{BitRenaming, Level, TransferOp};
use super::super::{Bit, Layout};
use super::chain::Chain;
use super::state::{
    advance, rank, rank_to_change, repeated, IndexBits, Size, State, TransferSet, COPIED,
    REPLICATED,
};
use super::{Plan, PlanError, Region, ScratchRegions};
use crate::table::Rrn;

/// The maximum chain length.
const MAX_LEGS: usize = 10;

/// The maximum number of states before the search stops.
const MAX_STATES: usize = 50_000;

/// A partial chain.
struct Node {
    /// Instructions with the regions they write; `None` for a last instruction that writes the
    /// target itself.
    chain: Vec<(usize, Option<Region>)>,
    memory: Memory,
    spent: u64,
    sets: State,
    /// The number of changes between up and down, and the current direction.
    turns: usize,
    upward: Option<bool>,
}

/// The priority queues of partial chains: by bound, and by number of turns first.
#[derive(Default)]
struct OpenQueue {
    heaps: [BinaryHeap<Reverse<(usize, u64, usize, usize)>>; 2],
    done: HashSet<usize>,
    pops: usize,
}

impl OpenQueue {
    fn push(&mut self, node: &Node, bound: u64, number: usize) {
        for (heap, turns) in self.heaps.iter_mut().zip([0, node.turns]) {
            heap.push(Reverse((turns, bound, node.chain.len(), number)));
        }
    }

    /// Returns the bound and number of the next chain, from both queues alternately.
    fn pop(&mut self) -> Option<(u64, usize)> {
        loop {
            self.pops += 1;
            let Reverse((_, bound, _, number)) = self.heaps[self.pops % 2].pop()?;
            if self.done.insert(number) {
                return Some((bound, number));
            }
        }
    }
}

/// For each visited state, the least cost and the number of kept chains with this cost.
#[derive(Default)]
struct VisitedStates(HashMap<(Memory, State), (u64, usize)>);

impl VisitedStates {
    /// Records a chain and returns whether to expand it. Since costs are lower bounds, up to three
    /// chains with equal cost are kept per state.
    fn record(&mut self, node: &Node) -> bool {
        let (spent, count) = self
            .0
            .entry((node.memory, node.sets))
            .or_insert((u64::MAX, 0));
        if node.spent < *spent {
            (*spent, *count) = (node.spent, 0);
        }
        *count += 1;
        node.spent == *spent && *count <= 3
    }
}

/// A search between two given layouts.
struct Search<'a> {
    transfers: TransferSet,
    size: Size,
    index_bits: IndexBits,
    from: Stage,
    to: Stage,
    extents: Vec<u64>,
    regions: &'a ScratchRegions,
    rrn: Option<Rrn>,
    /// The least cycles of an instruction from each rank to the next higher one, and back.
    up: [u64; 3],
    down: [u64; 3],
    /// The least cycles of writing and reading a matrix register.
    matrix: u64,
}

/// Returns the cheapest plan between two layouts.
pub fn find_plan(
    from: &Layout,
    to: &Layout,
    regions: &ScratchRegions,
    rrn: Option<Rrn>,
) -> Result<Plan, PlanError> {
    let mut search = Search {
        transfers: TransferSet::new(rrn, from.element()),
        size: Size {
            elements: from.elements(),
            element: from.element(),
        },
        index_bits: IndexBits::new(&Stage::from_layout(from)),
        from: Stage::from_layout(from),
        to: Stage::from_layout(to),
        extents: from.extents(),
        regions,
        rrn,
        up: [0; 3],
        down: [0; 3],
        matrix: 0,
    };
    for number in 0..3 {
        search.up[number] = search.min_cycles(number, number + 1);
        search.down[number] = search.min_cycles(number + 1, number);
    }
    search.matrix = 2 * search.min_cycles(0, 0);
    search.run().ok_or_else(|| PlanError::None {
        from: from.to_string(),
        to: to.to_string(),
        legs: MAX_LEGS,
        hint: if from.summed() != to.summed() && rrn.is_none() {
            "partial sums need a reduction"
        } else {
            "provide scratch regions in PE memory or DRAM, or choose more similar layouts"
        },
    })
}

impl Search<'_> {
    /// Returns the least cycles of an instruction between two ranks.
    fn min_cycles(&self, from: usize, to: usize) -> u64 {
        let between =
            |renaming: &&BitRenaming| (rank(renaming.source), rank(renaming.target)) == (from, to);
        let renamings = self.transfers.ops.iter().map(|(_, renaming)| renaming);
        let bounds = renamings
            .filter(between)
            .map(|renaming| self.size.bound(renaming));
        bounds.min().unwrap_or(0)
    }

    fn run(&self) -> Option<Plan> {
        if self.from == self.to {
            return Some(Plan::default());
        }
        let mut nodes = vec![Node {
            chain: Vec::new(),
            memory: self.from.memory,
            spent: 0,
            sets: self.index_bits.sets(&self.from),
            turns: 0,
            upward: None,
        }];
        let mut open = OpenQueue::default();
        open.push(&nodes[0], 0, 0);
        let mut visited = VisitedStates::default();
        let mut cheapest: Option<Plan> = None;
        while let Some((bound, number)) = open.pop() {
            if nodes.len() > MAX_STATES {
                break;
            }
            if cheapest.as_ref().is_some_and(|plan| plan.cycles() <= bound) {
                continue;
            }
            for node in self.next(&nodes[number]) {
                if node.memory == self.to.memory && self.may_be_complete(&node.sets) {
                    let plan = self.complete(&node.chain);
                    let dearer = |plan: &Plan| {
                        cheapest
                            .as_ref()
                            .is_some_and(|other| other.cycles() <= plan.cycles())
                    };
                    cheapest = plan.filter(|plan| !dearer(plan)).or(cheapest);
                }
                if node.chain.len() >= MAX_LEGS
                    || node.chain.last().is_some_and(|last| last.1.is_none())
                {
                    continue;
                }
                if visited.record(&node) {
                    let bound = node.spent + self.remaining_bound(&node);
                    open.push(&node, bound, nodes.len());
                    nodes.push(node);
                }
            }
        }
        cheapest
    }

    /// Returns the extensions of a chain by one instruction.
    fn next(&self, node: &Node) -> Vec<Node> {
        let mut all = Vec::new();
        for (number, (_, renaming)) in self.transfers.ops.iter().enumerate() {
            if renaming.source != node.memory.level() {
                continue;
            }
            let Some(sets) = advance(&node.sets, renaming, &self.index_bits) else {
                continue;
            };
            let repeated = repeated(&node.sets, renaming, &self.index_bits);
            let repeats = self.index_bits.values(repeated, &self.extents) * renaming.cycles;
            let bound = repeats.max(self.size.bound(renaming));
            let mut regions: Vec<Option<Region>> =
                self.regions.at_level(renaming.target).map(Some).collect();
            let is_target = |region: &Option<Region>| {
                region.is_some_and(|region| region.memory == self.to.memory)
            };
            if self.to.memory.level() == renaming.target && !regions.iter().any(is_target) {
                regions.push(None);
            }
            for region in regions {
                let memory = region.map_or(self.to.memory, |region| region.memory);
                let mut chain = node.chain.clone();
                chain.push((number, region));
                let upward = rank(renaming.target) > rank(renaming.source);
                let turned = node.upward.is_some_and(|before| before != upward);
                all.push(Node {
                    chain,
                    memory,
                    spent: node.spent + bound,
                    sets,
                    turns: node.turns + usize::from(turned),
                    upward: Some(upward),
                });
            }
        }
        all
    }

    /// Returns whether every bit of the target may have the required content.
    fn may_be_complete(&self, sets: &State) -> bool {
        Slot::all().all(|slot| self.may_hold(sets[slot.index()], slot))
    }

    /// Returns whether a set contains the content that the target requires in a slot.
    fn may_hold(&self, set: u64, slot: Slot) -> bool {
        match self.to.bit(slot) {
            Bit::Replicated => set & (REPLICATED | COPIED) != 0,
            bit => set & self.index_bits.mask(bit) == self.index_bits.mask(bit),
        }
    }

    /// Returns a lower bound on the remaining cycles.
    fn remaining_bound(&self, node: &Node) -> u64 {
        let here = rank(node.memory.level());
        let there = rank(self.to.memory.level());
        let mut top = here.max(there);
        for slot in Slot::all() {
            let place = slot.place().0;
            if !node.memory.has(place) || !self.to.memory.has(place) {
                continue;
            }
            if !self.may_hold(node.sets[slot.index()], slot) {
                top = top.max(rank_to_change(place));
            }
        }
        let up = |from: usize, to: usize| self.up[from.min(to)..to].iter().sum::<u64>();
        let down = |from: usize, to: usize| self.down[to.min(from)..from].iter().sum::<u64>();
        let requires_matrix = self.requires_matrix(node);
        if !requires_matrix && !self.requires_pes(node) {
            return up(here, top) + down(top, there);
        }
        let low_first = down(here, 0) + up(0, top) + down(top, there);
        let high_first = up(here, top) + down(top, 0) + up(0, there);
        let matrix = if requires_matrix { self.matrix } else { 0 };
        low_first.min(high_first) + matrix
    }

    /// Returns whether a matrix register must take part. Above the PEs, the two lowest address bits
    /// never change. Transfers between L1BM and PEs turn them into the PE number, and only matrix
    /// registers exchange that with other bits.
    fn requires_matrix(&self, node: &Node) -> bool {
        let low = |memory: Memory, bit: u8| match memory.level() {
            Level::Pe => Place::Pe.slot(bit),
            _ => Slot::address(bit),
        };
        let level = node.memory.level();
        level != Level::Matrix
            && (0..2).any(|bit| {
                let wanted = self.to.bit(low(self.to.memory, bit));
                let set = node.sets[low(node.memory, bit).index()];
                matches!(wanted, Bit::Index { .. }) && set & self.index_bits.mask(wanted) == 0
            })
    }

    /// Returns whether the data must go through the PEs to change the third address bit, which
    /// never changes above them.
    fn requires_pes(&self, node: &Node) -> bool {
        let slot = Slot::address(2);
        let above = |memory: Memory| rank(memory.level()) > 0;
        let wanted = self.to.bit(slot);
        above(node.memory)
            && above(self.to.memory)
            && matches!(wanted, Bit::Index { .. })
            && node.sets[slot.index()] & self.index_bits.mask(wanted) == 0
    }

    /// Returns the plan of a chain, if the chain leads to the target layout.
    fn complete(&self, chain: &[(usize, Option<Region>)]) -> Option<Plan> {
        let (ops, renamings): (Vec<TransferOp>, Vec<&BitRenaming>) = chain
            .iter()
            .map(|(number, _)| {
                (
                    self.transfers.ops[*number].0,
                    &self.transfers.ops[*number].1,
                )
            })
            .unzip();
        let regions = chain[..chain.len() - 1].iter().map(|(_, region)| *region);
        let regions: Option<Vec<Region>> = regions.collect();
        let candidate = Chain {
            ops: &ops,
            renamings: &renamings,
            regions: &regions?,
            extents: &self.extents,
            element: self.size.element,
            rrn: self.rrn,
        };
        candidate
            .plan(Some(&self.from), &self.to, None)
            .map(|found| found.1)
    }
}
