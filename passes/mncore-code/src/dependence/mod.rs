//! What must come how far after what.
//!
//! Places that items name are looked at in every iteration, word by word: who wrote a word last,
//! who has read it since. What is found is a set of [`Edge`]s: an item in iteration `n + distance`
//! issues at least `steps` steps after another one in iteration `n`. How many steps says the table
//! of hazards of the ISA crate, asked about the two expressions. A memory that nobody writes costs
//! nothing.
//!
//! A step reads everything before it writes anything, so what is read may be written in the same
//! step. Two writes of a word are at least a step apart; two steps if they come to an L1BM by ways
//! of different length.
//!
//! MV instructions run beside the steps until the `wait` for their tag. They read and write their
//! regions from their issue to that `wait`; to touch a region meanwhile is an error of the body,
//! not of a schedule. A `wait` for what was issued before the loop stands before everything behind
//! it that touches such memories.
//!
//! Values are not followed here: who writes and reads them is in the items.
//!
//! | file | holds |
//! |---|---|
//! | `cells.rs` | who touched a cell of a memory last, and how near the touches of two items come |
//! | `touches.rs` | what items do to the memories of PEs, the matrix registers and L1BM |
//! | `outside.rs` | which accesses to L2BM, DRAM and PDM can meet a write |
//! | `moves.rs` | what `wait`, MV instructions and transfers of L2BM do to L2BM, DRAM and PDM |

mod cells;
mod moves;
mod outside;
pub(crate) mod touches;

use std::collections::{HashMap, HashSet};

use tessera_isa_mncore::check::hazard::Effects;
use thiserror::Error;

use self::cells::{Access, Cell, TieKind, Ties};
use self::moves::Moving;
use self::outside::Outside;
use self::touches::{size_of_space, touches_of, Touch, SPACES};
use crate::emit::{EmitError, Emitter, Reads};
use crate::probe;
use crate::regions;
use tessera_mncore_ir::body::{indices, Body};
use tessera_mncore_ir::item::{Item, Op};
use tessera_mncore_ir::schedule::Schedule;

/// An order of two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Who is first.
    pub from: usize,
    /// Who comes later.
    pub to: usize,
    /// By how many iterations.
    pub distance: u32,
    /// And by how many steps at least.
    pub steps: u32,
}

/// Why there is no order.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DependenceError {
    /// An item cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// An item touches what an MV instruction still moves.
    #[error("item {item} touches {memory} {address}, which the MV instruction of item {mover} moves, in iteration {iteration}; put a `wait` for its tag before it")]
    UnderWay {
        /// Who touches it.
        item: usize,
        /// The memory.
        memory: &'static str,
        /// The first address of what both touch, in long words.
        address: u64,
        /// The MV instruction.
        mover: usize,
        /// The iteration of the item that touches it.
        iteration: u64,
    },
}

/// The edges of a body.
///
/// # Errors
/// See [`DependenceError`].
pub fn dependences(body: &Body) -> Result<Vec<Edge>, DependenceError> {
    let probe = probe::bare(body);
    let mut walk = Walk::new(body, &probe)?;
    if walk.is_needed() {
        let mut known = HashSet::new();
        for outer in indices(&body.outer) {
            if known.insert(walk.pattern(&outer)) {
                walk.all(&outer)?;
            }
        }
    }
    Ok(walk.edges())
}

/// Going through the iterations.
struct Walk<'a> {
    body: &'a Body,
    emitter: Emitter<'a>,
    touches: Vec<Vec<Touch>>,
    spaces: [Vec<Cell>; SPACES],
    /// Which accesses to memories that MV instructions reach are followed.
    outside: Outside,
    /// Blocks of memories that MV instructions reach, and what is under way.
    blocks: HashMap<(regions::Memory, u64), Cell>,
    tags: HashMap<u32, Cell>,
    moving: Vec<Moving>,
    /// Of each item that waits for what was issued before the loop, the first time.
    earlier: Vec<Access>,
    has_moves: bool,
    /// Where the loops around are.
    outer: Vec<u32>,
    ties: Ties,
    found: Vec<Edge>,
}

impl<'a> Walk<'a> {
    fn new(body: &'a Body, probe: &'a Schedule) -> Result<Self, DependenceError> {
        let emitter = Emitter::reading(body, probe, Reads::Forwards);
        let mut touches = Vec::with_capacity(body.items.len());
        for (number, item) in body.items.iter().enumerate() {
            touches.push(touches_of(item, &emitter, number)?);
        }
        let mut written = [false; SPACES];
        touches
            .iter()
            .flatten()
            .for_each(|touch| written[touch.space] |= touch.write);
        for of_item in &mut touches {
            of_item.retain(|touch| written[touch.space]);
        }
        let spaces = std::array::from_fn(|space| match written[space] {
            true => vec![Cell::default(); size_of_space(space) as usize],
            false => Vec::new(),
        });
        let moves = |item: &Item| matches!(item.op, Op::Mv(_) | Op::Wait(_));
        Ok(Walk {
            body,
            emitter,
            touches,
            spaces,
            outside: Outside::of(body),
            blocks: HashMap::new(),
            tags: HashMap::new(),
            moving: Vec::new(),
            earlier: Vec::new(),
            has_moves: body.items.iter().any(moves) || moves::writes_l2bm(body),
            outer: vec![0; body.outer.len()],
            ties: Ties::new(body.items.len()),
            found: Vec::new(),
        })
    }

    fn is_needed(&self) -> bool {
        self.has_moves || self.touches.iter().any(|touches| !touches.is_empty())
    }

    /// What an iteration of the loops around has to do with the order of items: which conditions
    /// hold, and by how much addresses have moved. Addresses around the same ring, or without one,
    /// that move together stay as they are to one another.
    fn pattern(&self, outer: &[u32]) -> Vec<u64> {
        let guards = self.body.items.iter().flat_map(|item| &item.when);
        let guards = guards.filter(|guard| guard.dimension < outer.len());
        let mut pattern: Vec<u64> = guards.map(|guard| guard.holds(outer).into()).collect();
        let mut first: HashMap<usize, (Option<u32>, u32, u64)> = HashMap::new();
        for touch in self.touches.iter().flatten() {
            let (ring, offset) = (touch.address.ring, touch.address.offset);
            let now = touch.address.moved(outer);
            let (first_ring, first_offset, start) =
                *first.entry(touch.space).or_insert((ring, offset, now));
            let size = u64::from(ring.unwrap_or(size_of_space(touch.space)));
            match ring == first_ring && (ring.is_none() || offset == first_offset) {
                true => pattern.push((now % size + size - start % size) % size),
                // Not of one kind: how far each has moved by itself.
                false => pattern.extend([now, start]),
            }
        }
        if self.has_moves {
            self.outside.add_pattern(outer, &mut pattern);
        }
        pattern
    }

    /// Goes through all iterations in one of the loops around. Nothing is known of what was before.
    fn all(&mut self, outer: &[u32]) -> Result<(), DependenceError> {
        let body = self.body;
        for space in &mut self.spaces {
            space.iter_mut().for_each(|cell| *cell = Cell::default());
        }
        self.blocks.clear();
        self.tags.clear();
        self.moving.clear();
        self.earlier.clear();
        let mut index = outer.to_vec();
        index.resize(body.dimensions(), 0);
        self.outer = outer.to_vec();
        for iteration in 0..body.iterations() {
            body.index_into(iteration, &mut index);
            for (number, item) in body.items.iter().enumerate() {
                if !item.issues(&index) {
                    continue;
                }
                for of_item in 0..self.touches[number].len() {
                    self.touch(number, of_item, iteration, &index)?;
                }
                if self.has_moves {
                    self.beside(number, item, iteration, &index)?;
                }
            }
        }
        Ok(())
    }

    /// An access to a PE memory, a matrix register or an L1BM. Reads of an item stand before its
    /// writes.
    fn touch(
        &mut self,
        number: usize,
        which: usize,
        iteration: u64,
        index: &[u32],
    ) -> Result<(), DependenceError> {
        let touch = &self.touches[number][which];
        let size = size_of_space(touch.space);
        let address = touch.address.at(index);
        let cells = &mut self.spaces[touch.space];
        let ties = &mut self.ties;
        for part in &touch.parts {
            let cell = &mut cells[((address + part.offset) % size) as usize];
            let access = Access {
                item: number as u32,
                iteration,
                cycle: part.cycle,
                set: touch.set,
                kind: touch.kind,
            };
            let mut tie = |kind, before: &Access| ties.note(kind, before, &access);
            if touch.write {
                cell.written(access, touch.whole, &mut tie);
            } else {
                cell.read(access, &mut tie);
            }
        }
        self.measure()
    }

    /// Asks how many steps the ties are that are nearer than those known.
    fn measure(&mut self) -> Result<(), DependenceError> {
        while let Some((kind, before, after)) = self.ties.fresh.pop() {
            let waited = matches!(self.body.items[before.item as usize].op, Op::Wait(_));
            let steps = match kind {
                TieKind::ReadWrite | TieKind::MoveWait => 0,
                // A `wait` holds its own step.
                TieKind::WriteRead if waited => 0,
                TieKind::WriteWrite if before.kind != after.kind => 2,
                TieKind::WriteWrite | TieKind::BeforeMove => 1,
                TieKind::WriteRead | TieKind::WriteMove => self.latency(before, after)?.max(1),
            };
            self.found.push(Edge {
                from: before.item as usize,
                to: after.item as usize,
                distance: (after.iteration - before.iteration) as u32,
                steps,
            });
        }
        Ok(())
    }

    /// How many steps a read comes after a write.
    fn latency(&self, before: Access, after: Access) -> Result<u32, DependenceError> {
        let earlier = self.effects(before)?;
        let later = self.effects(after)?;
        Ok(later.min_distance(&earlier))
    }

    fn effects(&self, access: Access) -> Result<Effects, DependenceError> {
        let mut index = self.outer.clone();
        index.resize(self.body.dimensions(), 0);
        self.body.index_into(access.iteration, &mut index);
        probe::effects(&self.emitter, access.item as usize, &index).map_err(DependenceError::Emit)
    }

    /// What was found, without what follows from the rest.
    fn edges(&self) -> Vec<Edge> {
        let mut edges = self.found.clone();
        edges.sort_unstable();
        // Of the same pair, one that is as near and asks for as much is enough.
        let mut kept: Vec<Edge> = Vec::with_capacity(edges.len());
        for edge in edges {
            let covered = kept
                .iter()
                .rev()
                .take_while(|k| k.from == edge.from && k.to == edge.to);
            let mut covered =
                covered.filter(|k| k.distance <= edge.distance && k.steps >= edge.steps);
            if covered.next().is_some() {
                continue;
            }
            kept.retain(|k| {
                (k.from, k.to, k.distance) != (edge.from, edge.to, edge.distance)
                    || k.steps > edge.steps
            });
            kept.push(edge);
        }
        kept
    }
}

#[cfg(test)]
mod tests;
