//! Groups of every supported form, small enough to run often.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{Options, PrecisionChoice};
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, TensorType, TileType, Unary,
};

use crate::board::integers;
use crate::groups::{matrices, over_tiles, product, product_of, product_of_roots, singles, TILE};
use crate::reduced::softmax;

/// A group and its options.
pub struct Case {
    pub name: &'static str,
    pub group: Group,
    pub options: Options,
}

/// Returns the groups.
pub fn cases() -> Vec<Case> {
    let case = |name, group| Case {
        name,
        group,
        options: Options::default(),
    };
    let in_precision = |name, group, precision| Case {
        options: Options {
            precision: PrecisionChoice::Fixed(precision),
            ..Options::default()
        },
        ..case(name, group)
    };
    vec![
        case("sums", sums([33, 65])),
        case("sums of many vectors", sums([300, 600])),
        case("a row over a function", function([40, 70])),
        case("a product", plain([16, 16, 16])),
        case("many blocks of rows", plain([600, 48, 100])),
        case("chunks, brought ahead", plain([8, 4200, 8])),
        case("work behind a product", behind([33, 65, 40])),
        case("work before a product", product_of_roots([20, 70, 24])),
        case("softmax along rows", softmax_along(Axis::Rows, [40, 70])),
        case(
            "softmax along columns",
            softmax_along(Axis::Columns, [40, 70]),
        ),
        case("bf16", narrow([33, 65, 97])),
        in_precision("half", narrow([600, 48, 100]), Precision::Half),
        in_precision(
            "depth over MABs",
            narrow([100, 128, 128]),
            Precision::Pseudo,
        ),
        in_precision("single", plain([33, 65, 97]), Precision::Single),
        in_precision("double", plain([33, 65, 31]), Precision::Double),
    ]
}

/// Returns inputs of a group: small integers.
pub fn inputs_of(group: &Group) -> Vec<Vec<f32>> {
    let inputs = &group.tensors[..group.tensors.len() - 1];
    let numbered = inputs.iter().zip(1..);
    numbered
        .map(|(tensor, seed)| integers(tensor.elements().unwrap_or(0) as usize, seed))
        .collect()
}

/// relu(a + b)
fn sums([rows, columns]: [u32; 2]) -> Group {
    over_tiles(&[singles(rows, columns); 3], |builder, row, column| {
        let a = builder.load(0, row, column, TILE);
        let b = builder.load(1, row, column, TILE);
        let sum = builder.binary(Binary::Add, a, b);
        builder.unary(Unary::Relu, sum)
    })
}

/// exp(a) · b, where b has one row
fn function([rows, columns]: [u32; 2]) -> Group {
    let tensors = [
        singles(rows, columns),
        singles(1, columns),
        singles(rows, columns),
    ];
    over_tiles(&tensors, |builder, row, column| {
        let zero = builder.constant(0);
        let a = builder.load(0, row, column, TILE);
        let b = builder.load(1, zero, column, TILE);
        let a = builder.unary(Unary::Exp, a);
        builder.compute(
            Compute::Binary(Binary::Multiply, Broadcast::Row),
            &[a, b],
            TILE,
        )
    })
}

/// a·b
fn plain([m, k, n]: [u32; 3]) -> Group {
    let tensors = [singles(m, k), singles(k, n), singles(m, n)];
    over_tiles(&tensors, |builder, row, column| {
        product(builder, row, column, k)
    })
}

/// a·b, of bf16
fn narrow([m, k, n]: [u32; 3]) -> Group {
    let element = Element::Bf16;
    let tensors = [singles(m, k), singles(k, n), singles(m, n)];
    let tensors = tensors.map(|tensor| TensorType { element, ..tensor });
    let tile = TileType { element, ..TILE };
    over_tiles(&tensors, |builder, row, column| {
        let product = product_of(builder, row, column, k, [tile; 2]);
        builder.compute(Compute::Convert, &[product], tile)
    })
}

/// relu(a·b + bias) + residual
fn behind([m, k, n]: [u32; 3]) -> Group {
    let tensors = [
        singles(m, k),
        singles(k, n),
        singles(1, n),
        singles(m, n),
        matrices(1, m, n),
    ];
    over_tiles(&tensors, |builder, row, column| {
        let sum = product(builder, row, column, k);
        let zero = builder.constant(0);
        let bias = builder.load(2, zero, column, TILE);
        let sum = builder.compute(
            Compute::Binary(Binary::Add, Broadcast::Row),
            &[sum, bias],
            TILE,
        );
        let sum = builder.unary(Unary::Relu, sum);
        let residual = builder.load(3, row, column, TILE);
        builder.binary(Binary::Add, sum, residual)
    })
}

fn softmax_along(axis: Axis, extents: [u32; 2]) -> Group {
    let tensor = singles(extents[0], extents[1]);
    over_tiles(&[tensor; 2], |builder, row, column| {
        softmax(builder, axis, extents, [row, column])
    })
}
