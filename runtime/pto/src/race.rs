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
pub struct Clock(Vec<u64>);

impl Clock {
    fn of(&self, agent: usize) -> u64 {
        self.0.get(agent).copied().unwrap_or(0)
    }

    /// Learns what another clock knows.
    pub fn merge(&mut self, other: &Clock) {
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
        let cover = self.tensor.cover(place, shape);
        let above = cover.matrix * u64::from(self.tensor.rows).div_ceil(tall);
        let (rows, columns) = (cover.rows, cover.columns);
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
pub type Touched = (usize, [u64; 2], [u32; 2]);

/// The last accesses of every cell.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    grids: Vec<Grid>,
    known: HashMap<Place, Vec<Access>>,
}

impl Accesses {
    /// None yet, of the tensors of a group.
    pub fn new(group: &Group) -> Self {
        let mut cells = vec![[0; 2]; group.tensors.len()];
        for kernel in &group.kernels {
            divide(kernel, &kernel.body, &mut cells);
        }
        let grid = |(tensor, cell): (&TensorType, [u32; 2])| Grid {
            tensor: *tensor,
            cell: cell.map(|extent| extent.max(1)),
        };
        Accesses {
            grids: group.tensors.iter().zip(cells).map(grid).collect(),
            known: HashMap::new(),
        }
    }

    /// Notes an access; returns one that it races with.
    pub fn note(
        &mut self,
        (tensor, place, shape): Touched,
        agent: usize,
        clock: &Clock,
        (location, writes): (usize, bool),
    ) -> Option<Access> {
        let access = Access {
            agent,
            time: clock.of(agent),
            location,
            writes,
        };
        let cells = self.grids[tensor].cells(place, shape);
        let mut races = None;
        for [row, column] in cells {
            let other = self.note_cell((tensor, row, column), access, clock);
            races = races.or(other);
        }
        races
    }

    fn note_cell(&mut self, place: Place, access: Access, clock: &Clock) -> Option<Access> {
        let Access { agent, writes, .. } = access;
        let known = self.known.entry(place).or_default();
        let before = |one: &Access| one.agent == agent || one.time <= clock.of(one.agent);
        let races = known
            .iter()
            .find(|one| (one.writes || writes) && !before(one))
            .copied();
        // What happened before this one, and is no more than it, need not be kept: who comes after
        // this comes after that.
        known.retain(|one| !(before(one) && (writes || !one.writes)));
        known.push(access);
        races
    }
}

/// Makes cells as small as the tiles of a region need.
fn divide(kernel: &Kernel, region: &Region, cells: &mut [[u32; 2]]) {
    for op in &region.ops {
        let (tensor, tile) = match &op.kind {
            OpKind::For(body) => {
                divide(kernel, body, cells);
                continue;
            }
            OpKind::If(branches) => {
                branches.iter().for_each(|one| divide(kernel, one, cells));
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

/// The greatest number that divides both; 0 is divided by every number.
fn common_divisor(a: u32, b: u32) -> u32 {
    match b {
        0 => a,
        _ => common_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Builder;
    use crate::kernel::{Element, TileType};

    /// Two tensors of 3 matrices of 40 x 50, the second of which is accessed in tiles of 8 x 12 and
    /// of 4 x 18.
    fn accesses() -> Accesses {
        let tensor = TensorType {
            matrices: 3,
            rows: 40,
            columns: 50,
            element: Element::F32,
        };
        let kernel = Builder::kernel("k", |builder| {
            let zero = builder.constant(0);
            for (rows, columns) in [(8, 12), (4, 18)] {
                let tile = TileType::full(rows, columns, Element::F32);
                builder.repeat(1, |builder, _| {
                    builder.load(1, zero, zero, tile);
                });
            }
        });
        Accesses::new(&Group {
            tensors: vec![tensor; 2],
            kernels: vec![kernel],
            ..Group::default()
        })
    }

    #[test]
    fn tiles_have_a_cell_in_common_if_they_have_an_element_in_common() {
        let accesses = accesses();
        let grid = accesses.grids[1];
        assert_eq!(grid.cell, [4, 6]);
        let elements = |place, shape| {
            let cover = grid.tensor.cover(place, shape);
            let (rows, columns) = (cover.rows, cover.columns);
            rows.flat_map(move |row| columns.clone().map(move |column| (row, column)))
                .map(move |(row, column)| (cover.matrix, row, column))
        };
        let (large, flat) = ([8, 12], [4, 18]);
        let [rows, columns] = grid.tensor.tiles(large);
        let [flat_rows, flat_columns] = grid.tensor.tiles(flat);
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))) {
            let own: Vec<_> = elements([row, column], large).collect();
            let cells: Vec<_> = grid.cells([row, column], large).collect();
            for other in (0..flat_rows).flat_map(|r| (0..flat_columns).map(move |c| [r, c])) {
                let common = elements(other, flat).any(|one| own.contains(&one));
                let cell = grid.cells(other, flat).any(|one| cells.contains(&one));
                assert_eq!(common, cell, "{row} {column} {other:?}");
            }
        }
    }

    #[test]
    fn accesses_race_unless_one_is_known() {
        const AT: Touched = (0, [1, 2], [1, 1]);
        let mut accesses = accesses();
        let (mut one, mut other) = (Clock::default(), Clock::default());
        one.tick(0);
        other.tick(1);
        assert_eq!(accesses.note(AT, 0, &one, (7, true)), None);
        assert_eq!(
            accesses.note((0, [0, 2], [1, 1]), 1, &other, (8, true)),
            None
        );
        let race = accesses.note(AT, 1, &other, (9, false)).expect("a race");
        assert_eq!((race.agent, race.location, race.writes), (0, 7, true));
        // Now that it knows, it may write; and the first one, which does not know, may not even
        // read.
        other.merge(&one);
        other.tick(1);
        assert_eq!(accesses.note(AT, 1, &other, (10, true)), None);
        one.tick(0);
        assert!(accesses.note(AT, 0, &one, (11, false)).is_some());
        // Reads do not race.
        let mut third = Clock::default();
        third.merge(&other);
        third.tick(2);
        let place = (1, [0, 0], [8, 12]);
        assert_eq!(accesses.note(place, 0, &one, (0, false)), None);
        assert_eq!(accesses.note(place, 2, &third, (0, false)), None);
        assert!(accesses.note(place, 1, &other, (0, true)).is_some());
    }
}
