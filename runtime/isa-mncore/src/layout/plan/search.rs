//! The search for chains of instructions.
//!
//! Between two known layouts, best first: in turns the chain with the cheapest bound, and of those
//! that change least between up and down. A state says which index bits may be in which place bit,
//! given what the hardware carries and the operands name; two chains with the same state go on
//! alike, so the cheaper is kept. The bound adds to the instructions so far those that must follow:
//! up to the memory that tells apart what has to change its owner, and down to the target, each at
//! the best rate there is. What is returned is the cheapest plan among the states looked at, of
//! which there may be [`MAX_STATES`]; a plan that shuffles much may have cheaper ones.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::super::leg::Stage;
use super::super::mover::{Level, Renaming, TransferOp};
use super::super::place::{Memory, Place, Slot};
use super::super::{Bit, Layout};
use super::state::{
    advance, change, rank, repeated, IndexBits, Sets, Size, TransferSet, COPIED, SAME,
};
use super::way::Way;
use super::{Plan, PlanError, Region, ScratchRegions};
use crate::table::Rrn;

/// The longest chain.
const MAX_LEGS: usize = 10;

/// How many states are looked at before the search gives up.
const MAX_STATES: usize = 50_000;

/// A chain that may go on.
struct Node {
    /// Instructions, and the rooms they write: of the last it may be the target itself.
    chain: Vec<(usize, Option<Region>)>,
    memory: Memory,
    spent: u64,
    sets: Sets,
    /// How often the chain changed between up and down, and which it does now.
    turns: usize,
    upward: Option<bool>,
}

/// The chains that may go on, in two orders: by bound, and by turns first.
#[derive(Default)]
struct Open {
    heaps: [BinaryHeap<Reverse<(usize, u64, usize, usize)>>; 2],
    done: HashSet<usize>,
    pops: usize,
}

impl Open {
    fn push(&mut self, node: &Node, bound: u64, number: usize) {
        for (heap, turns) in self.heaps.iter_mut().zip([0, node.turns]) {
            heap.push(Reverse((turns, bound, node.chain.len(), number)));
        }
    }

    /// The next of one order or the other: its bound and its number.
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

/// The states met so far: what the cheapest chains to each took, and how many of them there are.
#[derive(Default)]
struct Seen(HashMap<(Memory, Sets), (u64, usize)>);

impl Seen {
    /// Whether a chain is worth going on with: bounds tell chains to the same state only roughly
    /// apart, so of equals a few are kept.
    fn is_new(&mut self, node: &Node) -> bool {
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

/// A search between two known layouts.
struct Search<'a> {
    kit: TransferSet,
    size: Size,
    tokens: IndexBits,
    from: Stage,
    to: Stage,
    extents: Vec<u64>,
    rooms: &'a ScratchRegions,
    rrn: Option<Rrn>,
    /// For each rank the least cycles of an instruction up from there, and down to there.
    up: [u64; 3],
    down: [u64; 3],
    /// The least cycles of a write to a matrix register and a read.
    matrix: u64,
}

/// The cheapest plan between two layouts.
pub fn between(
    from: &Layout,
    to: &Layout,
    rooms: &ScratchRegions,
    rrn: Option<Rrn>,
) -> Result<Plan, PlanError> {
    let mut search = Search {
        kit: TransferSet::new(rrn, from.element()),
        size: Size {
            elements: from.elements(),
            element: from.element(),
        },
        tokens: IndexBits::of(&Stage::of(from)),
        from: Stage::of(from),
        to: Stage::of(to),
        extents: from.extents(),
        rooms,
        rrn,
        up: [0; 3],
        down: [0; 3],
        matrix: 0,
    };
    for number in 0..3 {
        search.up[number] = search.least(number, number + 1);
        search.down[number] = search.least(number + 1, number);
    }
    search.matrix = 2 * search.least(0, 0);
    search.run().ok_or_else(|| PlanError::None {
        from: from.to_string(),
        to: to.to_string(),
        legs: MAX_LEGS,
        hint: if from.summed() != to.summed() && rrn.is_none() {
            "partial sums need a reduction"
        } else {
            "give it more rooms, in PE memory or DRAM, or choose layouts that differ in less"
        },
    })
}

impl Search<'_> {
    /// The least cycles of an instruction between two ranks.
    fn least(&self, from: usize, to: usize) -> u64 {
        let between =
            |renaming: &&Renaming| (rank(renaming.source), rank(renaming.target)) == (from, to);
        let renamings = self.kit.movers.iter().map(|(_, renaming)| renaming);
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
            sets: self.tokens.sets(&self.from),
            turns: 0,
            upward: None,
        }];
        let mut open = Open::default();
        open.push(&nodes[0], 0, 0);
        let mut seen = Seen::default();
        let mut cheapest: Option<Plan> = None;
        while let Some((bound, number)) = open.pop() {
            if nodes.len() > MAX_STATES {
                break;
            }
            if cheapest.as_ref().is_some_and(|plan| plan.cycles() <= bound) {
                continue;
            }
            for node in self.next(&nodes[number]) {
                if node.memory == self.to.memory && self.may_be_there(&node.sets) {
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
                if seen.is_new(&node) {
                    let bound = node.spent + self.rest(&node);
                    open.push(&node, bound, nodes.len());
                    nodes.push(node);
                }
            }
        }
        cheapest
    }

    /// The chains that go on from one.
    fn next(&self, node: &Node) -> Vec<Node> {
        let mut all = Vec::new();
        for (number, (_, renaming)) in self.kit.movers.iter().enumerate() {
            if renaming.source != node.memory.level() {
                continue;
            }
            let Some(sets) = advance(&node.sets, renaming, &self.tokens) else {
                continue;
            };
            let repeated = repeated(&node.sets, renaming, &self.tokens);
            let repeats = self.tokens.values(repeated, &self.extents) * renaming.cycles;
            let bound = repeats.max(self.size.bound(renaming));
            let mut rooms: Vec<Option<Region>> = self.rooms.of(renaming.target).map(Some).collect();
            let is_target =
                |room: &Option<Region>| room.is_some_and(|room| room.memory == self.to.memory);
            if self.to.memory.level() == renaming.target && !rooms.iter().any(is_target) {
                rooms.push(None);
            }
            for room in rooms {
                let memory = room.map_or(self.to.memory, |room| room.memory);
                let mut chain = node.chain.clone();
                chain.push((number, room));
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

    /// Whether every bit of the target may have arrived.
    fn may_be_there(&self, sets: &Sets) -> bool {
        Slot::all().all(|slot| self.may_hold(sets[slot.index()], slot))
    }

    /// Whether a set has what the target wants in a slot.
    fn may_hold(&self, set: u64, slot: Slot) -> bool {
        match self.to.bit(slot) {
            Bit::Replicated => set & (SAME | COPIED) != 0,
            bit => set & self.tokens.mask(bit) == self.tokens.mask(bit),
        }
    }

    /// The least cycles of what must follow.
    fn rest(&self, node: &Node) -> u64 {
        let here = rank(node.memory.level());
        let there = rank(self.to.memory.level());
        let mut top = here.max(there);
        for slot in Slot::all() {
            let place = slot.place().0;
            if !node.memory.has(place) || !self.to.memory.has(place) {
                continue;
            }
            if !self.may_hold(node.sets[slot.index()], slot) {
                top = top.max(change(place));
            }
        }
        let up = |from: usize, to: usize| self.up[from.min(to)..to].iter().sum::<u64>();
        let down = |from: usize, to: usize| self.down[to.min(from)..from].iter().sum::<u64>();
        let transposes = self.transposes(node);
        if !transposes && !self.goes_to_pes(node) {
            return up(here, top) + down(top, there);
        }
        let low_first = down(here, 0) + up(0, top) + down(top, there);
        let high_first = up(here, top) + down(top, 0) + up(0, there);
        let matrix = if transposes { self.matrix } else { 0 };
        low_first.min(high_first) + matrix
    }

    /// Whether a matrix register must take part: above the PEs the two lowest address bits never
    /// change, up and down they are the PE's number, and only matrix registers exchange that with
    /// anything.
    fn transposes(&self, node: &Node) -> bool {
        let low = |memory: Memory, bit: u8| match memory.level() {
            Level::Pe => Place::Pe.slot(bit),
            _ => Slot::address(bit),
        };
        let level = node.memory.level();
        level != Level::Matrix
            && (0..2).any(|bit| {
                let wanted = self.to.bit(low(self.to.memory, bit));
                let set = node.sets[low(node.memory, bit).index()];
                matches!(wanted, Bit::Index { .. }) && set & self.tokens.mask(wanted) == 0
            })
    }

    /// Whether the PEs must take part for the third address bit: above them it never changes
    /// either.
    fn goes_to_pes(&self, node: &Node) -> bool {
        let slot = Slot::address(2);
        let above = |memory: Memory| rank(memory.level()) > 0;
        let wanted = self.to.bit(slot);
        above(node.memory)
            && above(self.to.memory)
            && matches!(wanted, Bit::Index { .. })
            && node.sets[slot.index()] & self.tokens.mask(wanted) == 0
    }

    /// The plan of a chain, if it takes the tensor to the target.
    fn complete(&self, chain: &[(usize, Option<Region>)]) -> Option<Plan> {
        let (movers, renamings): (Vec<TransferOp>, Vec<&Renaming>) = chain
            .iter()
            .map(|(number, _)| (self.kit.movers[*number].0, &self.kit.movers[*number].1))
            .unzip();
        let rooms = chain[..chain.len() - 1].iter().map(|(_, room)| *room);
        let rooms: Option<Vec<Region>> = rooms.collect();
        let way = Way {
            movers: &movers,
            renamings: &renamings,
            rooms: &rooms?,
            extents: &self.extents,
            element: self.size.element,
            rrn: self.rrn,
        };
        way.plan(Some(&self.from), &self.to, None)
            .map(|found| found.1)
    }
}
