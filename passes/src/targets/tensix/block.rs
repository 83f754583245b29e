//! How many tiles of the result a kernel computes at a time.

use tessera_isa_tensix::{tile, Arch};

use super::accumulator;
use crate::ttnn::fusion::extent::Extent;
use crate::ttnn::fusion::steps::Step;
use crate::ttnn::fusion::values::{before, has_room, values};

/// Tiles of a half of Dst, which the values of a block share.
pub const HALF_TILES: u64 = accumulator::HALF_TILES as u64;

/// Tiles of Dst that the values of a block may take: all of Dst if only the matrix unit and the
/// packers work on them. The vector unit has one half while the matrix unit has the other.
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

/// Whether beside the values of what is reduced there is room in half of Dst for what is kept of
/// that, and beside those of what is done then.
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

/// Cycles in which an unpacker brings a tile of 16-bit elements. One of 32-bit elements takes twice
/// as long.
const UNPACK: u64 = 32;

/// Cycles in which the packers take a tile of 16-bit elements, with what is set up for it; of
/// 32-bit elements as many again.
const PACK: u64 = 64;

/// What the time that a block takes depends on.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Fidelity phases.
    pub phases: u64,
    /// Bytes of an element that is unpacked, and of one that is packed.
    pub bytes: [u64; 2],
    /// Tiles along which products are summed.
    pub depth: u64,
    /// Tiles of Dst that there are.
    pub room: u64,
}

/// Rows and columns of tiles that are computed at a time.
///
/// Of those that fit, the ones for which least is computed more than once; then those that take
/// least of the matrix unit's, the unpackers' and the vector unit's time on the busiest worker, and
/// of the packers' where these have to wait for a block's end and the next block for them; then
/// those that read least from memory.
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
        // Cycles: 16 MVMUL a phase, 256 a tile that the vector unit computes. A product keeps one
        // operand from a tile to the next.
        let (unpacked, read) = if product {
            (area + 1, rows + columns)
        } else {
            (2 * area, 2 * area)
        };
        let turn = (16 * phases * area)
            .max(UNPACK * bytes / 2 * unpacked)
            .max(256 * computed);
        let turns = blocks.div_ceil(workers.into());
        let alone = match area > HALF_TILES {
            true => PACK * packed / 2 * area,
            false => 0,
        };
        let time = turns * (depth * turn + alone);
        (blocks * computed, time, turns * read)
    };
    let shapes = (1..=room).flat_map(|rows| (1..=room).map(move |columns| [rows, columns]));
    let inside = shapes.filter(|shape| shape[0] <= down && shape[1] <= across);
    let fitting = inside.filter(|shape| has_room(steps, *shape, room));
    fitting.min_by_key(|shape| cost(*shape)).unwrap_or([1, 1])
}

#[cfg(test)]
mod tests;
