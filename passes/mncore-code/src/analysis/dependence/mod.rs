//! Dependence analysis of the memory accesses of a body.
//!
//! The analysis is exact: it enumerates all iterations and tracks, cell by cell, the last writers
//! and the readers since. The result is a set of [`Edge`]s with a distance and a latency, the form
//! that modulo scheduling needs (Rau 1994). An item in iteration `n + distance` issues at least
//! `steps` steps after another one in iteration `n`. The hazard table of the ISA crate gives the
//! latency of each pair. Memories that the body only reads are skipped.
//!
//! A step reads before it writes. A write may therefore issue in the same step as an earlier read
//! of the cell. Two writes of a cell are at least one step apart; two if they reach an L1BM by
//! paths of different length.
//!
//! MV instructions run asynchronously until the `wait` for their tag. From issue to `wait` they own
//! the regions that they read and write. Accesses to these regions in the meantime are an error of
//! the body. A `wait` without an MV instruction in the loop belongs to one issued before the loop.
//! Later accesses to MV memories are ordered after it.
//!
//! Dependences through values are not found here: they are explicit in the items.
//!
//! | file | holds |
//! |---|---|
//! | `cells.rs` | last accesses to cells, and the distances of dependences |
//! | `accesses.rs` | the accesses of items to PE memories, matrix registers and L1BM |
//! | `alias.rs` | which accesses to L2BM, DRAM and PDM may alias a write |
//! | `moves.rs` | the effects of `wait`, MV instructions and L2BM transfers on L2BM, DRAM and PDM |

pub(crate) mod accesses;
mod alias;
mod cells;
mod moves;

use std::collections::{HashMap, HashSet};

use tessera_isa_mncore::check::hazard::Effects;
use thiserror::Error;

use self::accesses::{item_accesses, space_size, MemoryAccess, SPACES};
use self::alias::AliasAnalysis;
use self::cells::{Access, Cell, DependenceDistances, DependenceKind};
use self::moves::InFlightMove;
use crate::analysis::probe;
use crate::emit::{EmitError, Emitter, ReadSource};
use crate::ir::regions;
use tessera_mncore_ir::body::{indices, Body};
use tessera_mncore_ir::item::{Item, Op};
use tessera_mncore_ir::schedule::Schedule;

/// A dependence edge between two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The item that comes first.
    pub from: usize,
    /// The item that depends on it.
    pub to: usize,
    /// Iterations between the two.
    pub distance: u32,
    /// Least number of steps between the two.
    pub steps: u32,
}

/// Why dependences cannot be determined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DependenceError {
    /// An item cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// An item accesses a region that an MV instruction in flight owns.
    #[error("item {item} touches {memory} {address}, which the MV instruction of item {mover} moves, in iteration {iteration}; put a `wait` for its tag before it")]
    InFlight {
        /// The item.
        item: usize,
        /// The memory.
        memory: &'static str,
        /// The first address that both access, in long words.
        address: u64,
        /// The MV instruction.
        mover: usize,
        /// The iteration of the item that touches it.
        iteration: u64,
    },
}

/// Returns the dependence edges of a body.
///
/// # Errors
/// See [`DependenceError`].
pub fn dependences(body: &Body) -> Result<Vec<Edge>, DependenceError> {
    let probe = probe::forwarding_schedule(body);
    let mut walk = Walk::new(body, &probe)?;
    if walk.is_needed() {
        let mut known = HashSet::new();
        for outer in indices(&body.outer) {
            if known.insert(walk.signature(&outer)) {
                walk.visit_iterations(&outer)?;
            }
        }
    }
    Ok(walk.edges())
}

/// The enumeration of iterations.
struct Walk<'a> {
    body: &'a Body,
    emitter: Emitter<'a>,
    /// The accesses of each item, reads first, to PE memories, matrix registers and L1BM that the
    /// body writes.
    accesses: Vec<Vec<MemoryAccess>>,
    /// The cells of these memories; none of a memory that the body only reads.
    spaces: [Vec<Cell>; SPACES],
    /// Alias analysis of the memories that MV instructions reach.
    alias: AliasAnalysis,
    /// Cells of the memories that MV instructions reach, by block.
    blocks: HashMap<(regions::Memory, u64), Cell>,
    /// Cells of the tags.
    tags: HashMap<u32, Cell>,
    /// MV instructions in flight.
    moving: Vec<InFlightMove>,
    /// The first access of each item that waits for an MV instruction issued before the loop.
    earlier: Vec<Access>,
    /// Whether there are MV instructions, `wait`s, or L2BM transfers that write L2BM.
    has_moves: bool,
    /// The index of the loops around the body.
    outer: Vec<u32>,
    distances: DependenceDistances,
    /// The edges found so far.
    found: Vec<Edge>,
}

impl<'a> Walk<'a> {
    fn new(body: &'a Body, probe: &'a Schedule) -> Result<Self, DependenceError> {
        let emitter = Emitter::with_source(body, probe, ReadSource::ForwardingRegisters);
        let mut accesses = Vec::with_capacity(body.items.len());
        for (number, item) in body.items.iter().enumerate() {
            accesses.push(item_accesses(item, &emitter, number)?);
        }
        let mut written = [false; SPACES];
        accesses
            .iter()
            .flatten()
            .for_each(|memory_access| written[memory_access.space] |= memory_access.write);
        for of_item in &mut accesses {
            of_item.retain(|memory_access| written[memory_access.space]);
        }
        let spaces = std::array::from_fn(|space| match written[space] {
            true => vec![Cell::default(); space_size(space) as usize],
            false => Vec::new(),
        });
        let moves = |item: &Item| matches!(item.op, Op::Mv(_) | Op::Wait(_));
        Ok(Walk {
            body,
            emitter,
            accesses,
            spaces,
            alias: AliasAnalysis::new(body),
            blocks: HashMap::new(),
            tags: HashMap::new(),
            moving: Vec::new(),
            earlier: Vec::new(),
            has_moves: body.items.iter().any(moves) || moves::writes_l2bm(body),
            outer: vec![0; body.outer.len()],
            distances: DependenceDistances::new(body.items.len()),
            found: Vec::new(),
        })
    }

    fn is_needed(&self) -> bool {
        self.has_moves || self.accesses.iter().any(|accesses| !accesses.is_empty())
    }

    /// Returns a signature of an iteration of the outer loops: guards that hold and relative
    /// displacements of addresses. Equal signatures have equal dependences. Addresses in the same
    /// ring, or outside of rings, that move together keep their relative positions.
    fn signature(&self, outer: &[u32]) -> Vec<u64> {
        let guards = self.body.items.iter().flat_map(|item| &item.when);
        let guards = guards.filter(|guard| guard.dimension < outer.len());
        let mut signature: Vec<u64> = guards.map(|guard| guard.holds(outer).into()).collect();
        let mut first: HashMap<usize, (Option<u32>, u32, u64)> = HashMap::new();
        for memory_access in self.accesses.iter().flatten() {
            let (ring, offset) = (memory_access.address.ring, memory_access.address.offset);
            let now = memory_access.address.outer_displacement(outer);
            let (first_ring, first_offset, start) = *first
                .entry(memory_access.space)
                .or_insert((ring, offset, now));
            let size = u64::from(ring.unwrap_or(space_size(memory_access.space)));
            match ring == first_ring && (ring.is_none() || offset == first_offset) {
                true => signature.push((now % size + size - start % size) % size),
                // Different rings: each displacement counts by itself.
                false => signature.extend([now, start]),
            }
        }
        if self.has_moves {
            self.alias.extend_signature(outer, &mut signature);
        }
        signature
    }

    /// Visits all iterations of the body within one iteration of the outer loops, from an empty
    /// state.
    fn visit_iterations(&mut self, outer: &[u32]) -> Result<(), DependenceError> {
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
                for of_item in 0..self.accesses[number].len() {
                    self.visit_access(number, of_item, iteration, &index)?;
                }
                if self.has_moves {
                    self.visit_transfer(number, item, iteration, &index)?;
                }
            }
        }
        Ok(())
    }

    /// Visits an access to a PE memory, a matrix register or an L1BM. An item's reads precede its
    /// writes.
    fn visit_access(
        &mut self,
        number: usize,
        which: usize,
        iteration: u64,
        index: &[u32],
    ) -> Result<(), DependenceError> {
        let memory_access = &self.accesses[number][which];
        let size = space_size(memory_access.space);
        let address = memory_access.address.eval(index);
        let cells = &mut self.spaces[memory_access.space];
        let distances = &mut self.distances;
        for part in &memory_access.cells {
            let cell = &mut cells[((address + part.offset) % size) as usize];
            let access = Access {
                item: number as u32,
                iteration,
                cycle: part.cycle,
                set: memory_access.set,
                kind: memory_access.kind,
            };
            let mut record = |kind, before: &Access| distances.record(kind, before, &access);
            if memory_access.write {
                cell.write(access, memory_access.whole, &mut record);
            } else {
                cell.read(access, &mut record);
            }
        }
        self.emit_edges()
    }

    /// Converts the newly shortened dependences to edges with their latencies.
    fn emit_edges(&mut self) -> Result<(), DependenceError> {
        while let Some((kind, before, after)) = self.distances.shortened.pop() {
            let waited = matches!(self.body.items[before.item as usize].op, Op::Wait(_));
            let steps = match kind {
                DependenceKind::WriteAfterRead | DependenceKind::WaitAfterMove => 0,
                // A `wait` stalls its own step.
                DependenceKind::ReadAfterWrite if waited => 0,
                DependenceKind::WriteAfterWrite if before.kind != after.kind => 2,
                DependenceKind::WriteAfterWrite | DependenceKind::MoveAfterAccess => 1,
                DependenceKind::ReadAfterWrite | DependenceKind::MoveAfterWrite => {
                    self.latency(before, after)?.max(1)
                }
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

    /// Returns the minimum number of steps between a write and a later read, by the hazard table.
    fn latency(&self, before: Access, after: Access) -> Result<u32, DependenceError> {
        let earlier = self.access_effects(before)?;
        let later = self.access_effects(after)?;
        Ok(later.min_distance(&earlier))
    }

    fn access_effects(&self, access: Access) -> Result<Effects, DependenceError> {
        let mut index = self.outer.clone();
        index.resize(self.body.dimensions(), 0);
        self.body.index_into(access.iteration, &mut index);
        probe::item_effects(&self.emitter, access.item as usize, &index)
            .map_err(DependenceError::Emit)
    }

    /// Returns the edges found, without those that another edge of the same two items implies.
    fn edges(&self) -> Vec<Edge> {
        let mut edges = self.found.clone();
        edges.sort_unstable();
        // An edge is redundant if another one of the pair is at most as far and at least as long.
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
