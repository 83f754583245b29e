//! Compiles, schedules and runs groups of kernels over tiles on the emulator. Results are exact for
//! small numbers.

mod blocks;
mod board;
mod candidates;
mod cases;
mod columns_over_groups;
mod elementwise;
mod figures;
mod forms;
mod functions;
mod given;
mod groups;
mod k_over_mabs;
mod layout_assignment;
mod models;
mod mutations;
mod numbers;
mod pairs;
mod precisions;
mod rearranged;
mod reduced;
mod reductions;
mod refusals;
mod resident;
mod row_ordered_drain;
mod split_epilogue;
mod split_k;
mod stage_forms;
mod staged;
mod stages;
mod storage;
mod views;

use board::{first_wrong, kernel, kernel_with, run};
use cases::inputs_of;
use groups::{batched, matrices, over_tiles, product, product_of_roots, singles, TILE};
use tessera_mncore::machine::Model;
use tessera_mncore_code::compile::Options;
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Binary, Broadcast, Compute, Element, Group, ScalarOp, TensorType, TileType, Unary, Value,
};

#[track_caller]
fn check(group: &Group, expect: impl Fn(&[Vec<f32>]) -> Vec<f32>) {
    check_with(group, &Options::default(), expect);
}

#[track_caller]
fn check_with(group: &Group, options: &Options, expect: impl Fn(&[Vec<f32>]) -> Vec<f32>) {
    let kernel = kernel_with(group, options);
    let inputs = inputs_of(group);
    let expected = expect(&inputs);
    for (form, model) in [
        (IssueOrder::Scheduled, Model::Timed),
        (IssueOrder::Scheduled, Model::Fast),
        (IssueOrder::Sequential, Model::Fast),
    ] {
        let result = run(&kernel, &inputs, form, model);
        assert_eq!(first_wrong(&result, &expected), None, "{form:?} {model:?}");
    }
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
    for [m, k, n] in [
        [1, 1, 1],
        [16, 16, 16],
        [33, 65, 97],
        [100, 256, 31],
        [1797, 64, 10],
        [1000, 32, 3],
        [600, 48, 600],
        [256, 256, 256],
    ] {
        let tensors = [singles(m, k), singles(k, n), singles(m, n)];
        let group = over_tiles(&tensors, |builder, row, column| {
            product(builder, row, column, k)
        });
        check(&group, |inputs| matmul(&inputs[0], &inputs[1], [m, k, n]));
    }
}

#[test]
fn spread_operands() {
    for (m, n, row) in [
        (40, 70, [1, 70]),
        (40, 70, [40, 1]),
        (70, 40, [1, 1]),
        (1000, 3, [1, 3]),
    ] {
        let tensors = [singles(m, n), singles(row[0], row[1]), singles(m, n)];
        let broadcast = match row {
            [1, 1] => Broadcast::Scalar,
            [1, _] => Broadcast::Row,
            _ => Broadcast::Column,
        };
        let group = over_tiles(&tensors, |builder, r, c| {
            let zero = builder.constant(0);
            let [own_r, own_c] = [
                if row[0] == 1 { zero } else { r },
                if row[1] == 1 { zero } else { c },
            ];
            let a = builder.load(0, r, c, TILE);
            let b = builder.load(1, own_r, own_c, TILE);
            let sum = builder.compute(Compute::Binary(Binary::Subtract, broadcast), &[a, b], TILE);
            builder.binary(Binary::Multiply, sum, a)
        });
        check(&group, |inputs| {
            let element = |at: usize| {
                let (r, c) = (at / n as usize, at % n as usize);
                let other = r % row[0] as usize * row[1] as usize + c % row[1] as usize;
                (inputs[0][at] - inputs[1][other]) * inputs[0][at]
            };
            (0..(m * n) as usize).map(element).collect()
        });
    }
}

/// relu(relu(a)·b + bias) + residual, of several matrices.
#[test]
fn work_around_products() {
    for ([m, k, n], batch) in [
        ([33, 65, 97], 1),
        ([40, 24, 20], 3),
        ([600, 40, 600], 1),
        ([8, 4200, 8], 2),
    ] {
        let tensors = [
            matrices(batch, m, k),
            matrices(batch, k, n),
            singles(1, n),
            matrices(batch, m, n),
            matrices(batch, m, n),
        ];
        let group = batched(&tensors, batch, |builder, x, r, c| {
            let rows = |extent: u32| i64::from(extent.div_ceil(32));
            let at = |builder: &mut Builder, own: Value, extent: u32| {
                let down = builder.constant(rows(extent));
                let first = builder.scalar(ScalarOp::Multiply, x, down);
                builder.scalar(ScalarOp::Add, first, own)
            };
            let zero = builder.constant(0);
            let factors = |builder: &mut Builder, step: Value| {
                let row = at(builder, r, m);
                let a = builder.load(0, row, step, TILE);
                let a = builder.unary(Unary::Relu, a);
                let depth = at(builder, step, k);
                [a, builder.load(1, depth, c, TILE)]
            };
            let first = factors(builder, zero);
            let mut sum = builder.compute(Compute::Matmul, &first, TILE);
            if rows(k) > 1 {
                let bounds = [1, rows(k), 1].map(|number| builder.constant(number));
                sum = builder.for_loop(bounds, &[sum], |builder, step, sum| {
                    let [a, b] = factors(builder, step);
                    vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
                })[0];
            }
            let bias = builder.load(2, zero, c, TILE);
            let sum = builder.compute(
                Compute::Binary(Binary::Add, Broadcast::Row),
                &[sum, bias],
                TILE,
            );
            let sum = builder.unary(Unary::Relu, sum);
            let row = at(builder, r, m);
            let residual = builder.load(3, row, c, TILE);
            builder.binary(Binary::Add, sum, residual)
        });
        check(&group, |inputs| {
            let relu: Vec<f32> = inputs[0].iter().map(|a| a.max(0.0)).collect();
            let sizes = [m * k, k * n, m * n].map(|size| size as usize);
            let mut out = Vec::new();
            for x in 0..batch as usize {
                let product = matmul(&relu[x * sizes[0]..], &inputs[1][x * sizes[1]..], [m, k, n]);
                let whole = product.iter().enumerate().map(|(at, sum)| {
                    (sum + inputs[2][at % n as usize]).max(0.0) + inputs[3][x * sizes[2] + at]
                });
                out.extend(whole);
            }
            out
        });
    }
}

/// Tests the rounding of all kinds of singles to bf16.
#[test]
fn rounding() {
    let tensor = singles(64, 512);
    let bf16 = TensorType {
        element: Element::Bf16,
        ..tensor
    };
    let group = over_tiles(&[tensor, bf16], |builder, r, c| {
        let a = builder.load(0, r, c, TILE);
        builder.compute(
            Compute::Convert,
            &[a],
            TileType::full(32, 32, Element::Bf16),
        )
    });
    let kernel = kernel(&group);
    let mut state = 1u64;
    let inputs: Vec<f32> = (0..64 * 512)
        .map(|number: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(number.into());
            // Normal numbers, ties among them.
            let exponent = 1 + (state >> 56) as u32 % 253;
            let mantissa = (state >> 20) as u32
                & if number % 2 == 0 {
                    0x7f_8000
                } else {
                    0x7f_ffff
                };
            f32::from_bits((state as u32 & 1) << 31 | exponent << 23 | mantissa)
        })
        .collect();
    let result = run(
        &kernel,
        std::slice::from_ref(&inputs),
        IssueOrder::Scheduled,
        Model::Fast,
    );
    for (given, result) in inputs.iter().zip(result) {
        let bits = given.to_bits();
        let expect = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000;
        assert_eq!(result.to_bits(), expect, "{given}");
    }
}

/// Tests a function that needs registers, on a factor that is loaded in chunks, while GRF0 holds
/// sums.
#[test]
fn functions_of_factors_leave_sums_alone() {
    let [m, k, n] = [8, 4200, 8];
    let group = product_of_roots([m, k, n]);
    check(&group, |inputs| {
        let a: Vec<f32> = inputs[0].iter().map(|a| a.abs()).collect();
        matmul(&a, &inputs[1], [m, k, n])
    });
}
