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
pub fn has_room_to_keep(steps: &[Step]) -> bool {
    match steps.first() {
        Some(Step::Transpose(before)) => {
            has_room_to_keep(before) && values(&steps[1..]) <= HALF_TILES
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
mod tests {
    use super::*;
    use crate::ttnn::fusion::steps::Factor;
    use crate::ttnn::fusion::tensor::Element;
    use tessera_dialects::pto::Broadcast;
    use tessera_ops::Binary;

    fn binary(input: usize) -> Step {
        Step::Binary {
            function: Binary::Multiply,
            input,
            spread: Broadcast::None,
            left: false,
        }
    }

    fn extent(matrices: u64, [down, across]: [u64; 2]) -> Extent {
        Extent {
            matrices,
            rows: 32 * down,
            columns: 32 * across,
        }
    }

    fn costs(phases: u64, bytes: u64, depth: u64) -> Costs {
        Costs {
            phases,
            bytes: [bytes, 2],
            depth,
            room: HALF_TILES,
        }
    }

    #[test]
    fn blocks_fit() {
        let input = Factor::Input;
        let product = [Step::Product(input(0), input(1))];
        let gated = [Step::Product(input(0), input(1)), Step::Cross, binary(2)];
        let computed = |inputs: &[usize]| {
            let steps = inputs.iter().map(|input| binary(*input));
            let steps = [Step::WidenVector(0, Broadcast::None)]
                .into_iter()
                .chain(steps);
            Factor::Computed(steps.collect(), Element::Bf16)
        };
        let left = [Step::Product(computed(&[]), input(1))];
        let left_of_two = [Step::Product(computed(&[3]), input(1))];
        let right = [Step::Product(input(1), computed(&[]))];
        let both = [Step::Product(computed(&[]), computed(&[]))];
        for (steps, tiles, expect) in [
            // Enough for all workers: as many products as possible for each tile that is unpacked.
            (&product[..], [32, 32], [2, 2]),
            // Few tiles: each is a worker's.
            (&product[..], [8, 8], [1, 1]),
            (&product[..], [1, 1], [1, 1]),
            (&product[..], [1, 1000], [1, 4]),
            (&gated[..], [1, 1000], [1, 2]),
            // What is computed for a row or column of blocks is used for as many tiles as possible.
            (&left[..], [8, 8], [1, 4]),
            (&left[..], [8, 3], [1, 3]),
            (&left_of_two[..], [8, 8], [1, 4]),
            (&right[..], [8, 8], [4, 1]),
            (&both[..], [8, 8], [2, 2]),
        ] {
            let found = block(Arch::WormholeB0, steps, extent(1, tiles), costs(4, 2, 8));
            assert_eq!(found, expect, "{steps:?} {tiles:?}");
        }
        // In four phases the matrix unit has most to do, unless what it multiplies is f32: then it
        // pays to unpack less for each product.
        let found = [costs(4, 2, 8), costs(4, 4, 8)]
            .map(|costs| block(Arch::WormholeB0, &product, extent(1, [59, 59]), costs));
        assert_eq!(found, [[1, 1], [1, 4]]);
    }

    /// All of Dst is worth its packers' time if products are long enough and unpackers have most to
    /// do.
    #[test]
    fn blocks_take_all_of_dst() {
        let product = Step::Product(Factor::Input(0), Factor::Input(1));
        let accumulate = Step::Accumulate(Binary::Add, 2, Broadcast::Row);
        let of_matrix_unit = [product.clone(), accumulate, Step::PackRelu];
        assert_eq!(room(&of_matrix_unit), 8);
        assert_eq!(room(&[product.clone(), Step::Cross, binary(2)]), 4);
        for (phases, depth, expect) in [(1, 32, [2, 4]), (1, 2, [2, 2]), (4, 32, [2, 2])] {
            let costs = Costs {
                room: 8,
                ..costs(phases, 2, depth)
            };
            let found = block(
                Arch::WormholeB0,
                &of_matrix_unit,
                extent(1, [32, 32]),
                costs,
            );
            assert_eq!(found, expect, "{phases} phases, {depth} tiles deep");
        }
    }
}
