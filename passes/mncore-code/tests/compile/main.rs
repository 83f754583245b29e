//! Groups of kernels over tiles, compiled, scheduled and run on the emulator: exact where numbers are small.

mod board;

use board::{integers, kernel, run};
use tessera_mncore_code::program::Form;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Binary, Compute, Element, Group, TensorType, TileType, Type, Unary, Value,
};

/// A tensor of singles.
fn singles(rows: u32, columns: u32) -> TensorType {
    TensorType {
        matrices: 1,
        rows,
        columns,
        element: Element::F32,
    }
}

const TILE: TileType = TileType::full(32, 32, Element::F32);

/// A loop over the tiles of the last tensor, which stores what `value` makes.
fn over_tiles(
    tensors: &[TensorType],
    value: impl FnOnce(&mut Builder, Value, Value) -> Value,
) -> Group {
    let last = tensors.len() - 1;
    let [down, across] = tensors[last].tiles([32, 32]).map(|count| count as i64);
    let kernel = Builder::kernel("test", |builder| {
        builder.repeat(down, |builder, row| {
            builder.repeat(across, |builder, column| {
                let tile = value(builder, row, column);
                builder.store(last, tile, row, column);
            });
        });
    });
    Group {
        tensors: tensors.to_vec(),
        kernels: vec![kernel],
        locations: vec!["here".into()],
        ..Group::default()
    }
}

/// A product of the first two tensors.
fn product(builder: &mut Builder, row: Value, column: Value, depth: u32) -> Value {
    let zero = builder.constant(0);
    let a = builder.load(0, row, zero, TILE);
    let b = builder.load(1, zero, column, TILE);
    let first = builder.compute(Compute::Matmul, &[a, b], TILE);
    let tiles = i64::from(depth.div_ceil(32));
    if tiles == 1 {
        return first;
    }
    let bounds = [1, tiles, 1].map(|number| builder.constant(number));
    let sum = builder.count(bounds, &[first], |builder, step, sum| {
        let a = builder.load(0, row, step, TILE);
        let b = builder.load(1, step, column, TILE);
        vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
    });
    assert_eq!(builder.type_of(sum[0]), Type::Tile(TILE));
    sum[0]
}

#[track_caller]
fn check(group: &Group, expect: impl Fn(&[Vec<f32>]) -> Vec<f32>) {
    let kernel = kernel(group);
    for tensor in &kernel.tensors {
        println!("{} {}", tensor.kind, tensor.layout);
    }
    let inputs: Vec<Vec<f32>> = group.tensors[..group.tensors.len() - 1]
        .iter()
        .zip(1..)
        .map(|(tensor, seed)| integers(tensor.elements().unwrap() as usize, seed))
        .collect();
    let expected = expect(&inputs);
    let scheduled = run(&kernel, &inputs, Form::Scheduled);
    assert_eq!(scheduled, expected, "scheduled");
}

#[test]
fn elements() {
    for (rows, columns) in [(1, 1), (3, 5), (33, 65), (100, 600)] {
        let tensor = singles(rows, columns);
        let group = over_tiles(&[tensor, tensor, tensor], |builder, row, column| {
            let a = builder.load(0, row, column, TILE);
            let b = builder.load(1, row, column, TILE);
            let sum = builder.binary(Binary::Add, a, b);
            builder.unary(Unary::Relu, sum)
        });
        check(&group, |inputs| {
            let pairs = inputs[0].iter().zip(&inputs[1]);
            pairs.map(|(a, b)| (a + b).max(0.0)).collect()
        });
    }
}

fn matmul(a: &[f32], b: &[f32], [m, k, n]: [u32; 3]) -> Vec<f32> {
    let [m, k, n] = [m, k, n].map(|extent| extent as usize);
    let element = |at: usize| {
        (0..k)
            .map(|k_| a[at / n * k + k_] * b[k_ * n + at % n])
            .sum()
    };
    (0..m * n).map(element).collect()
}

#[test]
fn products() {
    for [m, k, n] in [[1, 1, 1], [16, 16, 16], [33, 65, 97], [100, 256, 31]] {
        let tensors = [singles(m, k), singles(k, n), singles(m, n)];
        let group = over_tiles(&tensors, |builder, row, column| {
            product(builder, row, column, k)
        });
        check(&group, |inputs| matmul(&inputs[0], &inputs[1], [m, k, n]));
    }
}
