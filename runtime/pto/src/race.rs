//! Detection of races for elements of global memory, by vector clocks (Fidge 1988, Mattern 1989).
//!
//! An access happens before another if a chain of messages orders the two: the agent made the
//! access before a push or free, and the other agent has popped that tile or received that credit,
//! possibly through other agents. Two accesses of an element race if at least one writes and
//! neither happens before the other. The kernels of a launch begin together, after all kernels of
//! the previous launch.
//!
//! Local tensors cannot race: only one agent accesses them.
//!
//! Elements are tracked in *cells*. Every tile that a group loads or stores consists of whole
//! cells, so two tiles share a cell exactly if they share an element.

use std::collections::HashMap;

use crate::kernel::{Group, Kernel, OpKind, Region, TensorType, Type};

/// A vector clock: for each agent, the number of its events that are known to have happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VectorClock(Vec<u64>);

impl VectorClock {
    /// Returns the number of known events of an agent.
    fn component(&self, agent: usize) -> u64 {
        self.0.get(agent).copied().unwrap_or(0)
    }

    /// Takes the maximum with another clock, component by component.
    pub fn merge(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(*other);
        }
    }

    /// Counts an event of an agent.
    pub fn tick(&mut self, agent: usize) {
        if self.0.len() <= agent {
            self.0.resize(agent + 1, 0);
        }
        self.0[agent] += 1;
    }
}

/// A cell of a tensor: the tensor, row and column in cells.
type Place = (usize, u64, u64);

/// The cells of one tensor.
#[derive(Clone, Copy, Debug)]
struct Grid {
    tensor: TensorType,
    cell: [u32; 2],
}

impl Grid {
    /// Returns the cells of a tile that contain elements of the tensor.
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
    /// The agent that accesses.
    pub agent: usize,
    /// The agent's own component of its clock.
    time: u64,
    /// Source location, an index of [`crate::kernel::Group::locations`].
    pub location: usize,
    /// Whether it writes.
    pub writes: bool,
}

/// The tile that is accessed: the tensor, row and column in tiles, and the shape of a tile.
pub type AccessedTile = (usize, [u64; 2], [u32; 2]);

/// The last accesses of every cell.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    grids: Vec<Grid>,
    history: HashMap<Place, Vec<Access>>,
}

impl Accesses {
    /// Creates an empty history for the tensors of a group.
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

    /// Records an access; returns a previous one that races with it, if there is any.
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
        // An access that happened before this one and does not write more is redundant: whatever is
        // ordered after this one is ordered after it, too.
        history.retain(|one| !(before(one) && (writes || !one.writes)));
        history.push(access);
        races
    }
}

/// Shrinks cells to the greatest common divisor of the tile shapes of a region.
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
        // A local tensor has no cells.
        if let (Some(cell), Type::Tile(tile)) = (cells.get_mut(tensor), kernel.values[tile]) {
            for (cell, extent) in cell.iter_mut().zip(tile.shape()) {
                *cell = common_divisor(*cell, extent);
            }
        }
    }
}

/// Returns the greatest common divisor; 0 is divisible by every number.
fn common_divisor(a: u32, b: u32) -> u32 {
    match b {
        0 => a,
        _ => common_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests;
