//! Groups of every form that there is code for, small enough to be run often.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Binary, Broadcast, Compute, Group, Unary, Value};

use crate::board::integers;
use crate::groups::{matrices, over_tiles, product, singles, TILE};

/// The groups, each with a name.
pub fn cases() -> Vec<(&'static str, Group)> {
    vec![
        ("sums", sums([33, 65])),
        ("sums of many vectors", sums([300, 600])),
        ("a row over a function", function([40, 70])),
        ("a product", plain([16, 16, 16])),
        ("a product of many blocks of rows", plain([600, 48, 100])),
        ("a product of chunks, brought ahead", plain([8, 4200, 8])),
        ("work behind a product", behind([33, 65, 40])),
        ("work before a product", before([20, 70, 24])),
    ]
}

/// Inputs of a group: small integers.
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

/// sqrt(a·a)·b, in which the first product is of elements
fn before([m, k, n]: [u32; 3]) -> Group {
    let tensors = [singles(m, k), singles(k, n), singles(m, n)];
    over_tiles(&tensors, |builder, row, column| {
        let factors = |builder: &mut Builder, step: Value| {
            let a = builder.load(0, row, step, TILE);
            let square = builder.binary(Binary::Multiply, a, a);
            let a = builder.unary(Unary::Sqrt, square);
            [a, builder.load(1, step, column, TILE)]
        };
        let zero = builder.constant(0);
        let first = factors(builder, zero);
        let sum = builder.compute(Compute::Matmul, &first, TILE);
        let bounds = [1, i64::from(k.div_ceil(32)), 1].map(|number| builder.constant(number));
        builder.count(bounds, &[sum], |builder, step, sum| {
            let [a, b] = factors(builder, step);
            vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
        })[0]
    })
}
