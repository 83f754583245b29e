//! When the tiles of a product form a grid and multicast operands to each other.
//!
//! The grid must divide the rows and columns of blocks, so it may have fewer tiles than could work
//! independently. In return every operand tile is read from DRAM once for a row or column of
//! tiles instead of once for each tile.

use tessera_isa_tensix::worker_grid::WorkerGrid;
use tessera_isa_tensix::{tile, Arch};

/// The fewest tiles for which multicast pays: with fewer, DRAM is no bottleneck.
const MIN_TILES: u32 = 16;

/// Returns the grid of tiles for `matrices` grids of blocks with these rows and columns, or `None`
/// if tiles work independently: if the grid would be a single row or column or have fewer than
/// [`MIN_TILES`] tiles, or if it would take more than 5/4 of the time because tiles are idle.
pub fn worker_grid(arch: Arch, matrices: u64, blocks: [u64; 2]) -> Option<WorkerGrid> {
    let [rows, columns] = blocks.map(|extent| u32::try_from(extent).ok());
    let pieces = [rows?, columns?];
    rows?.checked_mul(columns?)?;
    let workers = tile::workers(arch);
    let grid = WorkerGrid::largest(arch, workers, pieces);
    let turns = (matrices * blocks[0] * blocks[1]).div_ceil(workers.into());
    let in_grid = matrices * u64::from(grid.passes());
    let is_large = grid.tiles() >= MIN_TILES && grid.extents().iter().all(|extent| *extent > 1);
    (is_large && 4 * in_grid <= 5 * turns).then_some(grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_large_and_busy() {
        let extents = |matrices, blocks| {
            let grid = worker_grid(Arch::WormholeB0, matrices, blocks);
            grid.map(|grid| grid.extents())
        };
        for (matrices, blocks, expected) in [
            (1, [8, 8], Some([8, 8])),
            (1, [16, 24], Some([8, 8])),
            (1, [4, 4], Some([4, 4])),
            (1, [2, 8], Some([2, 8])),
            // Fewer than 16 tiles, one row, idle tiles.
            (1, [3, 4], None),
            (1, [1, 64], None),
            (12, [4, 4], None),
            (1, [11, 64], None),
            (1, [1 << 20, 1 << 20], None),
        ] {
            assert_eq!(extents(matrices, blocks), expected, "{matrices} {blocks:?}");
        }
    }
}
