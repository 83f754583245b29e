use super::*;
use crate::ttnn::fusion::steps::Factor;
use crate::ttnn::fusion::tensor::Element;
use tessera_dialects::pto::Broadcast;
use tessera_ops::Binary;
use tessera_pto::target::Precision;

fn binary(input: usize) -> Step {
    Step::Binary {
        function: Binary::Multiply,
        input,
        broadcast: Broadcast::None,
        left: false,
        precision: Precision::F32,
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
        // Enough for all workers: the tiles of a row keep their left operands for four passes.
        (&product[..], [32, 32], [4, 1]),
        // Few tiles: each is a worker's.
        (&product[..], [8, 8], [1, 1]),
        (&product[..], [1, 1], [1, 1]),
        (&product[..], [1, 1000], [1, 4]),
        (&gated[..], [1, 1000], [1, 2]),
        // Values that are computed for a row or column of blocks are used for as many tiles as
        // possible.
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
    for (phases, depth, expect) in [(1, 32, [4, 2]), (1, 2, [2, 2]), (4, 32, [4, 1])] {
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
