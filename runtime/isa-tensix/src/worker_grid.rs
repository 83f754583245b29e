//! The distribution of a grid of pieces of work over a grid of tiles that exchange operands.
//!
//! Pieces in a row share operands, and so do pieces in a column. A worker grid of `r` rows and `c`
//! columns of tiles is laid over the grid of pieces, first along its rows, then down: the pieces
//! under it are executed at the same time, one by each tile. In each row and each column of the
//! worker grid, a *group*, one tile is the leader. It reads the operands that the group shares and
//! broadcasts them: rows communicate through NoC 0, columns through NoC 1.
//!
//! Invariant: `r` and `c` divide the rows and columns of pieces, so every tile always has a piece.

use crate::noc::{self, on_noc, upper_half};
use crate::tile::{self, Argument, Coordinate};
use crate::Arch;

/// Number of groups of a tile: its row and its column.
pub const GROUPS: usize = 2;

/// A grid of workers, and the grid of pieces that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerGrid {
    arch: Arch,
    /// Rows and columns of tiles.
    extents: [u32; 2],
    /// How often the grid is laid down and across.
    passes: [u32; 2],
}

impl WorkerGrid {
    /// Returns the largest grid of at most `workers` tiles for rows and columns of pieces; of those
    /// the one with the fewest operands to read, which is closest to a square.
    #[must_use]
    pub fn largest(arch: Arch, workers: u32, pieces: [u32; 2]) -> Self {
        let columns = tile::worker_columns(arch);
        let most = [tile::workers(arch) / columns, columns];
        let divisors = |axis: usize| {
            let all = 1..=most[axis].min(pieces[axis]);
            all.filter(move |extent| pieces[axis] % extent == 0)
        };
        let extents = divisors(0)
            .flat_map(|rows| divisors(1).map(move |columns| [rows, columns]))
            .filter(|[rows, columns]| rows * columns <= workers)
            .max_by_key(|[rows, columns]| (rows * columns, u32::MAX - (rows + columns)))
            .unwrap_or([1, 1]);
        WorkerGrid {
            arch,
            extents,
            passes: [0, 1].map(|axis| pieces[axis] / extents[axis]),
        }
    }

    /// Returns the rows and columns of tiles.
    #[must_use]
    pub fn extents(&self) -> [u32; 2] {
        self.extents
    }

    /// Returns the number of tiles.
    #[must_use]
    pub fn tiles(&self) -> u32 {
        self.extents[0] * self.extents[1]
    }

    /// Returns how often the grid is laid over the pieces, down and across.
    #[must_use]
    pub fn passes_along(&self) -> [u32; 2] {
        self.passes
    }

    /// Returns how many pieces of one grid a tile executes.
    #[must_use]
    pub fn passes(&self) -> u32 {
        self.passes[0] * self.passes[1]
    }

    /// Returns row and column of the tile with a number; tiles are counted row by row.
    fn place(&self, tile: u32) -> [u32; 2] {
        [tile / self.extents[1], tile % self.extents[1]]
    }

    fn coordinate_at(&self, [row, column]: [u32; 2]) -> Coordinate {
        tile::worker(self.arch, row * tile::worker_columns(self.arch) + column)
    }

    /// Returns the coordinates of a tile on NoC 0.
    #[must_use]
    pub fn coordinate(&self, tile: u32) -> Coordinate {
        self.coordinate_at(self.place(tile))
    }

    /// Returns the place of the leader of a tile's group. No tile leads both its row and its column
    /// if there are several of both.
    fn leader(&self, tile: u32, group: u32) -> [u32; 2] {
        let ([row, column], [rows, columns]) = (self.place(tile), self.extents);
        match group {
            0 => [row, row % columns],
            _ => [(column + 1) % rows, column],
        }
    }

    /// Returns the upper half of the address of a broadcast to a tile's group.
    fn rectangle(&self, tile: u32, group: u32) -> u32 {
        let ([row, column], [rows, columns]) = (self.place(tile), self.extents);
        let ends = match group {
            0 => [[row, 0], [row, columns - 1]],
            _ => [[0, column], [rows - 1, column]],
        };
        let [a, b] = ends.map(|place| on_noc(self.arch, group as usize, self.coordinate_at(place)));
        let least = (a.0.min(b.0), a.1.min(b.1));
        let greatest = (a.0.max(b.0), a.1.max(b.1));
        noc::rectangle(self.arch, least, greatest)
    }

    /// Returns a word of a tile's arguments, or `None` for arguments that do not concern the grid.
    #[must_use]
    pub fn argument(&self, tile: u32, argument: Argument) -> Option<u32> {
        Some(match argument {
            Argument::Passes(axis) => self.passes[axis as usize],
            Argument::Extent(axis) => self.extents[axis as usize],
            Argument::Place(axis) => self.place(tile)[axis as usize],
            Argument::Leads(group) => u32::from(self.leader(tile, group) == self.place(tile)),
            Argument::Leader(group) => {
                let leader = self.coordinate_at(self.leader(tile, group));
                upper_half(self.arch, on_noc(self.arch, group as usize, leader))
            }
            Argument::Group(group) => self.rectangle(tile, group),
            Argument::Base(_)
            | Argument::Imm(_)
            | Argument::First
            | Argument::Last
            | Argument::Peer(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests;
