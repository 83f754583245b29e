//! Choice of the block shape: the tiles of the result that a kernel computes at a time.

use tessera_isa_tensix::{tile, Arch};

use super::accumulator;
use super::convert_pto_to_tensix::{MAX_TILES, SLOTS};
use crate::targets::tensix::worker_grid::worker_grid;
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
/// 2. whether tiles read operands independently instead of multicasting them ([`worker_grid`]): the
///    whole chip then waits for DRAM;
/// 3. the estimated time of the busiest worker: the maximum of matrix unit, unpackers and vector
///    unit, plus the packers' time if a block uses all of Dst, so that packing does not overlap
///    with the next block;
/// 4. the tiles read from memory.
pub fn block(arch: Arch, steps: &[Step], result: Extent, costs: Costs) -> [u64; 2] {
    let Costs {
        phases,
        bytes: [bytes, packed],
        depth,
        room,
    } = costs;
    let [down, across] = result.tiles();
    let product = matches!(steps.first(), Some(Step::Product(..)));
    let [left, right] = before(steps).map(|steps| u64::from(!steps.is_empty()));
    let workers = match left + right {
        0 => tile::workers(arch),
        _ => tile::clusters(arch),
    };
    let cost = |[rows, columns]: [u64; 2]| {
        let blocks = result.matrices * down.div_ceil(rows) * across.div_ceil(columns);
        let area = rows * columns;
        let computed = left * rows + right * columns;
        // Cycles: 16 MVMULs per phase; 256 per tile in the vector unit. A product keeps one operand
        // from tile to tile.
        let (unpacked, read) = if product {
            (area + 1, rows + columns)
        } else {
            (2 * area, 2 * area)
        };
        let turn = (16 * phases * area)
            .max(UNPACK * bytes / 2 * unpacked)
            .max(256 * computed);
        let grid = match product && computed == 0 {
            true => worker_grid(
                arch,
                result.matrices,
                [down.div_ceil(rows), across.div_ceil(columns)],
            ),
            false => None,
        };
        let (turn, turns, read) = match &grid {
            Some(grid) => {
                let [down, across] = grid.passes_along().map(u64::from);
                // Rows of tiles retain the left operand while they pass along a row, if they can.
                let retains = depth >= SLOTS.into() && depth * rows <= MAX_TILES.into();
                let left = down * rows * if retains { 1 } else { across };
                let read = result.matrices * (left + down * across * columns);
                let turns = result.matrices * down * across;
                (turn.max(MULTICAST), turns, read)
            }
            None => {
                let turns = blocks.div_ceil(workers.into());
                (turn, turns, turns * read)
            }
        };
        let alone = match area > HALF_TILES {
            true => PACK * packed / 2 * area,
            false => 0,
        };
        let time = turns * (depth * turn + alone);
        (blocks * computed, grid.is_none(), time, read)
    };
    let shapes = (1..=room).flat_map(|rows| (1..=room).map(move |columns| [rows, columns]));
    let inside = shapes.filter(|shape| shape[0] <= down && shape[1] <= across);
    let fitting = inside.filter(|shape| has_room(steps, *shape, room));
    fitting.min_by_key(|shape| cost(*shape)).unwrap_or([1, 1])
}

#[cfg(test)]
mod tests;
