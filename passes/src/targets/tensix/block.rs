//! Choice of the block shape: the tiles of the result that a kernel computes at a time.

use tessera_isa_tensix::{tile, Arch};

use super::accumulator;
use super::convert_pto_to_tensix::{MAX_TILES, SLOTS};
use super::machine::DRAM_BYTES_PER_CYCLE;
use super::worker_grid::worker_grid;
use crate::ttnn::fusion::extent::Extent;
use crate::ttnn::fusion::steps::Step;
use crate::ttnn::fusion::values::{before, has_room, values};

/// Tiles in half of Dst, which the values of a block share.
pub const HALF_TILES: u64 = accumulator::HALF_TILES as u64;

/// Returns the tiles of Dst available to a block: all of Dst if only the matrix unit and the
/// packers use them. Otherwise half, as the vector unit works on one half while the matrix unit
/// works on the other.
pub fn room(steps: &[Step]) -> u64 {
    let is_of_matrix_unit = |step: &Step| matches!(step, Step::Accumulate(..) | Step::PackRelu);
    match steps {
        [Step::Product(..), rest @ ..]
            if before(steps).concat().is_empty() && rest.iter().all(is_of_matrix_unit) =>
        {
            accumulator::DST_TILES.into()
        }
        _ => HALF_TILES,
    }
}

/// Returns whether half of Dst has room for the running reduction beside the values that are
/// reduced, and for the values computed afterwards.
pub fn has_room_for_reduction(steps: &[Step]) -> bool {
    match steps.first() {
        Some(Step::Transpose(before)) => {
            has_room_for_reduction(before) && values(&steps[1..]) <= HALF_TILES
        }
        Some(Step::Reduce(_, before)) => {
            values(before) < HALF_TILES && values(&steps[1..]) <= HALF_TILES
        }
        _ => true,
    }
}

/// Cycles to unpack a tile of 16-bit elements. A tile of 32-bit elements takes twice as long.
const UNPACK: u64 = 32;

/// Cycles to pack a tile of 16-bit elements, including its configuration. A tile of 32-bit elements
/// takes twice as long.
const PACK: u64 = 64;

/// The least cycles between two steps of a tile that multicasts operands: the instructions of NC.
const MULTICAST: u64 = 250;

/// Inputs of the cost model of a block.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Fidelity phases.
    pub phases: u64,
    /// Bytes per element when unpacked, and when packed.
    pub bytes: [u64; 2],
    /// Tiles along the summed dimension of products.
    pub depth: u64,
    /// Tiles of Dst available.
    pub room: u64,
}

/// Chooses the block shape: rows and columns of tiles that are computed at a time.
///
/// Among the shapes that fit, minimizes lexicographically
///
/// 1. the recomputation of factors;
/// 2. the estimated time of the busiest worker: the maximum of matrix unit, unpackers, vector unit
///    and, with multicast, NC, plus the packers' time if a block uses all of Dst, so that packing
///    does not overlap with the next block;
/// 3. the tiles read from memory.
///
/// This is done for the shapes with which tiles multicast operands ([`worker_grid`]), and for those
/// with which every tile reads its own. Of both results, takes the one for which the maximum of
/// this time and DRAM's is less.
pub fn block(arch: Arch, steps: &[Step], result: Extent, costs: Costs) -> [u64; 2] {
    let [down, across] = result.tiles();
    let room = costs.room;
    let shapes = (1..=room).flat_map(|rows| (1..=room).map(move |columns| [rows, columns]));
    let inside = shapes.filter(|shape| shape[0] <= down && shape[1] <= across);
    let fitting = inside.filter(|shape| has_room(steps, *shape, room));
    let of_shape = |shape| (shape, Estimate::new(arch, steps, result, costs, shape));
    let (in_grid, alone): (Vec<_>, Vec<_>) = fitting
        .map(of_shape)
        .partition(|(_, estimate)| estimate.is_multicast);
    let best = [alone, in_grid].into_iter().filter_map(|all| {
        let rank = |estimate: &Estimate| (estimate.computed, estimate.time, estimate.read);
        all.into_iter().min_by_key(|(_, estimate)| rank(estimate))
    });
    let whole = |estimate: &Estimate| (estimate.computed, estimate.time.max(estimate.dram));
    let best = best.min_by_key(|(_, estimate)| whole(estimate));
    best.map_or([1, 1], |(shape, _)| shape)
}

/// The estimate for a block shape.
struct Estimate {
    /// Whether tiles multicast operands.
    is_multicast: bool,
    /// Tiles of computed factors, of all blocks.
    computed: u64,
    /// Cycles of the busiest worker.
    time: u64,
    /// Tiles that this worker reads in each step of a product, or in a block.
    read: u64,
    /// Cycles of DRAM for the operands of all workers.
    dram: u64,
}

impl Estimate {
    fn new(
        arch: Arch,
        steps: &[Step],
        result: Extent,
        costs: Costs,
        [rows, columns]: [u64; 2],
    ) -> Self {
        let Costs {
            phases,
            bytes: [bytes, packed],
            depth,
            ..
        } = costs;
        let [down, across] = result.tiles();
        let grid_of_blocks = [down.div_ceil(rows), across.div_ceil(columns)];
        let blocks = result.matrices * grid_of_blocks[0] * grid_of_blocks[1];
        let product = matches!(steps.first(), Some(Step::Product(..)));
        let [left, right] = before(steps).map(|steps| u64::from(!steps.is_empty()));
        let (area, computed) = (rows * columns, left * rows + right * columns);
        // Cycles: 16 MVMULs per phase; 256 per tile in the vector unit. A product keeps one operand
        // from tile to tile.
        let unpacked = if product { area + 1 } else { 2 * area };
        let turn = (16 * phases * area)
            .max(UNPACK * bytes / 2 * unpacked)
            .max(256 * computed);
        let grid = (product && computed == 0)
            .then(|| worker_grid(arch, result.matrices, grid_of_blocks))
            .flatten();
        // A worker retains the left operand along a row of blocks, if it can.
        let retains = depth >= SLOTS.into() && depth * rows <= MAX_TILES.into();
        let (turn, turns, read, read_by_all) = match &grid {
            Some(grid) => {
                let [down, across] = grid.passes_along().map(u64::from);
                let lefts = if retains { down } else { down * across };
                let [left, right] = [lefts * rows, down * across * columns];
                let [tiles_down, tiles_across] = grid.extents().map(u64::from);
                (
                    turn.max(MULTICAST),
                    result.matrices * down * across,
                    result.matrices * (left + right),
                    result.matrices * (left * tiles_down + right * tiles_across),
                )
            }
            None => {
                let workers = match left + right {
                    0 => tile::workers(arch),
                    _ => tile::clusters(arch),
                };
                let turns = blocks.div_ceil(workers.into());
                let lefts = if retains {
                    turns.div_ceil(grid_of_blocks[1])
                } else {
                    turns
                };
                let all = blocks.min(workers.into()) * (lefts * rows + turns * columns);
                let read = turns * if product { rows + columns } else { 2 * area };
                (turn, turns, read, all)
            }
        };
        let alone = match area > HALF_TILES {
            true => PACK * packed / 2 * area,
            false => 0,
        };
        Estimate {
            is_multicast: grid.is_some(),
            computed: blocks * computed,
            time: turns * (depth * turn + alone),
            read,
            dram: depth * read_by_all * 1024 * bytes / DRAM_BYTES_PER_CYCLE,
        }
    }
}

#[cfg(test)]
mod tests;
