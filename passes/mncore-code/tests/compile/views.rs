//! Tensors that are transposed or read in two layouts; selection.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Binary, Compute, Value};

use crate::check;
use crate::groups::{over_tiles, product, singles, TILE};
use crate::matmul;

fn turned(builder: &mut Builder, tile: Value) -> Value {
    builder.compute(Compute::Transpose, &[tile], TILE)
}

/// Returns an element of a matrix with this many columns, or of its transpose.
fn transpose(matrix: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let element = |at: usize| matrix[at % rows * columns + at / rows];
    (0..rows * columns).map(element).collect()
}

#[test]
fn transposes() {
    for (rows, columns) in [(1, 3), (33, 65), (100, 600)] {
        let tensors = [singles(columns, rows), singles(rows, columns)];
        let group = over_tiles(&tensors, |builder, row, column| {
            let tile = builder.load(0, column, row, TILE);
            turned(builder, tile)
        });
        check(&group, |inputs| {
            transpose(&inputs[0], columns as usize, rows as usize)
        });
    }
}

/// x + xᵀ.
#[test]
fn tensors_read_in_two_ways() {
    for extent in [1, 40, 130] {
        let tensor = singles(extent, extent);
        let group = over_tiles(&[tensor, tensor], |builder, row, column| {
            let tile = builder.load(0, row, column, TILE);
            let other = builder.load(0, column, row, TILE);
            let other = turned(builder, other);
            builder.binary(Binary::Add, tile, other)
        });
        check(&group, |inputs| {
            let other = transpose(&inputs[0], extent as usize, extent as usize);
            inputs[0].iter().zip(other).map(|(a, b)| a + b).collect()
        });
    }
}

/// (a·b)ᵀ: both factors change sides, and are turned over.
#[test]
fn transposes_of_products() {
    for [m, k, n] in [[16, 16, 16], [33, 65, 97], [600, 48, 40]] {
        let tensors = [singles(m, k), singles(k, n), singles(n, m)];
        let group = over_tiles(&tensors, |builder, row, column| {
            let sum = product(builder, column, row, k);
            turned(builder, sum)
        });
        check(&group, |inputs| {
            let product = matmul(&inputs[0], &inputs[1], [m, k, n]);
            transpose(&product, m as usize, n as usize)
        });
    }
}

/// a where b is not 0, else b - a.
#[test]
fn choices() {
    let tensor = singles(70, 40);
    let group = over_tiles(&[tensor, tensor, tensor], |builder, row, column| {
        let a = builder.load(0, row, column, TILE);
        let b = builder.load(1, row, column, TILE);
        let other = builder.binary(Binary::Subtract, b, a);
        builder.compute(Compute::Select, &[b, a, other], TILE)
    });
    check(&group, |inputs| {
        let choose = |(a, b): (&f32, &f32)| if *b != 0.0 { *a } else { b - a };
        inputs[0].iter().zip(&inputs[1]).map(choose).collect()
    });
}

/// Tests the product of a matrix with itself.
#[test]
fn squares_of_matrices() {
    for extent in [8, 70] {
        let tensor = singles(extent, extent);
        let group = over_tiles(&[tensor, tensor], |builder, row, column| {
            let zero = builder.constant(0);
            let tiles = i64::from(extent.div_ceil(32));
            let [a, b] = [(row, zero), (zero, column)].map(|(r, c)| builder.load(0, r, c, TILE));
            let first = builder.compute(Compute::Matmul, &[a, b], TILE);
            let bounds = [1, tiles, 1].map(|number| builder.constant(number));
            builder.for_loop(bounds, &[first], |builder, step, sum| {
                let a = builder.load(0, row, step, TILE);
                let b = builder.load(0, step, column, TILE);
                vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
            })[0]
        });
        check(&group, |inputs| {
            matmul(&inputs[0], &inputs[0], [extent, extent, extent])
        });
    }
}
