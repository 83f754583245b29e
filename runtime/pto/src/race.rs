//! Who touched which elements of global memory before whom: vector clocks.
//!
//! An access happens before another if its agent did it before pushing, or freeing, what the
//! other's agent had popped, or been given as a free slot, by then; through any number of agents.
//! Two accesses of an element of which at least one writes race if neither happens before the
//! other. Kernels of one launch begin together, and after all of the launch before.
//!
//! Elements are kept in *cells*: every tile that a group loads from a tensor or stores to it is
//! made of whole ones, so two tiles have a cell in common just when they have an element in common.

use std::collections::HashMap;

use crate::kernel::{Group, Kernel, OpKind, Region, TensorType, Type};

/// What an agent knows of the time of all agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VectorClock(Vec<u64>);

impl VectorClock {
    fn component(&self, agent: usize) -> u64 {
        self.0.get(agent).copied().unwrap_or(0)
    }

    /// Learns what another clock knows.
    pub fn merge(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(*other);
        }
    }

    /// The agent's own time goes on.
    pub fn tick(&mut self, agent: usize) {
        if self.0.len() <= agent {
            self.0.resize(agent + 1, 0);
        }
        self.0[agent] += 1;
    }
}

/// A cell of a tensor: which tensor, row and column in cells.
type Place = (usize, u64, u64);

/// The cells of one tensor.
#[derive(Clone, Copy, Debug)]
struct Grid {
    tensor: TensorType,
    cell: [u32; 2],
}

impl Grid {
    /// The cells that a tile has, as far as the tensor has elements there.
    fn cells(self, place: [u64; 2], shape: [u32; 2]) -> impl Iterator<Item = [u64; 2]> {
        let [tall, wide] = self.cell.map(u64::from);
        let window = self.tensor.window(place, shape);
        let above = window.matrix * u64::from(self.tensor.rows).div_ceil(tall);
        let (rows, columns) = (window.rows, window.columns);
        let rows = rows.start / tall..rows.end.div_ceil(tall);
        let columns = columns.start / wide..columns.end.div_ceil(wide);
        rows.flat_map(move |row| columns.clone().map(move |column| [above + row, column]))
    }
}

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Who.
    pub agent: usize,
    /// When, by the agent's own time.
    time: u64,
    /// Where in the source, a number of [`crate::kernel::Group::locations`].
    pub location: usize,
    /// Whether it writes.
    pub writes: bool,
}

/// The tile that an access is of: which tensor, row and column in tiles, and the shape of these.
pub type AccessedTile = (usize, [u64; 2], [u32; 2]);

/// The last accesses of every cell.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    grids: Vec<Grid>,
    history: HashMap<Place, Vec<Access>>,
}

impl Accesses {
    /// None yet, of the tensors of a group.
    pub fn new(group: &Group) -> Self {
        let mut cells = vec![[0; 2]; group.tensors.len()];
        for kernel in &group.kernels {
            refine_cells(kernel, &kernel.body, &mut cells);
        }
        let grid = |(tensor, cell): (&TensorType, [u32; 2])| Grid {
            tensor: *tensor,
            cell: cell.map(|extent| extent.max(1)),
        };
        Accesses {
            grids: group.tensors.iter().zip(cells).map(grid).collect(),
            history: HashMap::new(),
        }
    }

    /// Notes an access; returns one that it races with.
    pub fn record(
        &mut self,
        (tensor, place, shape): AccessedTile,
        agent: usize,
        clock: &VectorClock,
        (location, writes): (usize, bool),
    ) -> Option<Access> {
        let access = Access {
            agent,
            time: clock.component(agent),
            location,
            writes,
        };
        let cells = self.grids[tensor].cells(place, shape);
        let mut races = None;
        for [row, column] in cells {
            let other = self.record_cell((tensor, row, column), access, clock);
            races = races.or(other);
        }
        races
    }

    fn record_cell(&mut self, place: Place, access: Access, clock: &VectorClock) -> Option<Access> {
        let Access { agent, writes, .. } = access;
        let history = self.history.entry(place).or_default();
        let before = |one: &Access| one.agent == agent || one.time <= clock.component(one.agent);
        let races = history
            .iter()
            .find(|one| (one.writes || writes) && !before(one))
            .copied();
        // What happened before this one, and is no more than it, need not be kept: who comes after
        // this comes after that.
        history.retain(|one| !(before(one) && (writes || !one.writes)));
        history.push(access);
        races
    }
}

/// Makes cells as small as the tiles of a region need.
fn refine_cells(kernel: &Kernel, region: &Region, cells: &mut [[u32; 2]]) {
    for op in &region.ops {
        let (tensor, tile) = match &op.kind {
            OpKind::For(body) => {
                refine_cells(kernel, body, cells);
                continue;
            }
            OpKind::If(branches) => {
                branches
                    .iter()
                    .for_each(|one| refine_cells(kernel, one, cells));
                continue;
            }
            OpKind::Load { tensor } => (*tensor, op.results[0]),
            OpKind::Store { tensor } => (*tensor, op.operands[0]),
            _ => continue,
        };
        if let Type::Tile(tile) = kernel.values[tile] {
            for (cell, extent) in cells[tensor].iter_mut().zip(tile.shape()) {
                *cell = common_divisor(*cell, extent);
            }
        }
    }
}

/// Returns the greatest number that divides both; 0 is divided by every number.
fn common_divisor(a: u32, b: u32) -> u32 {
    match b {
        0 => a,
        _ => common_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests;
