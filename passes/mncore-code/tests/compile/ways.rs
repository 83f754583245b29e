//! Every way of a product, not only the one that is chosen: what it computes, and that it takes about as long as estimated.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore::geometry::{Geometry, CYCLES};
use tessera_mncore::machine::Model;
use tessera_mncore::stats::Stats;
use tessera_mncore_code::compile::{ways, Kernel, Options, Wanted};
use tessera_mncore_code::program::Form;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, ScalarOp, Unary, Value,
};

use crate::board::{execute, first_wrong};
use crate::cases::inputs_of;
use crate::groups::{batched, matrices, product, product_of_elements, singles, TILE};
use crate::matmul;
use crate::reduced::Reduced;
use crate::reductions::exact;
use crate::storage::rounded;

/// A product of so many matrices.
pub fn products(batch: u32, [m, k, n]: [u32; 3]) -> Group {
    let tensors = [
        matrices(batch, m, k),
        matrices(batch, k, n),
        matrices(batch, m, n),
    ];
    batched(&tensors, batch, |builder, x, row, column| {
        let at = |builder: &mut Builder, own: Value, extent: u32| {
            let down = builder.constant(i64::from(extent.div_ceil(32)));
            let first = builder.scalar(ScalarOp::Multiply, x, down);
            builder.scalar(ScalarOp::Add, first, own)
        };
        let factors = |builder: &mut Builder, step: Value| {
            let row = at(builder, row, m);
            let depth = at(builder, step, k);
            let a = builder.load(0, row, step, TILE);
            [a, builder.load(1, depth, column, TILE)]
        };
        let zero = builder.constant(0);
        let first = factors(builder, zero);
        let first = builder.compute(Compute::Matmul, &first, TILE);
        let steps = i64::from(k.div_ceil(32));
        if steps == 1 {
            return first;
        }
        let bounds = [1, steps, 1].map(|number| builder.constant(number));
        builder.count(bounds, &[first], |builder, step, sum| {
            let [a, b] = factors(builder, step);
            vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
        })[0]
    })
}

/// relu(a·b + bias) + residual.
pub fn finished([m, k, n]: [u32; 3]) -> Group {
    let tensors = [
        singles(m, k),
        singles(k, n),
        singles(1, n),
        singles(m, n),
        singles(m, n),
    ];
    batched(&tensors, 1, |builder, _, row, column| {
        let zero = builder.constant(0);
        let sum = product(builder, row, column, k);
        let bias = builder.load(2, zero, column, TILE);
        let op = Compute::Binary(Binary::Add, Broadcast::Row);
        let sum = builder.compute(op, &[sum, bias], TILE);
        let sum = builder.unary(Unary::Relu, sum);
        let residual = builder.load(3, row, column, TILE);
        builder.binary(Binary::Add, sum, residual)
    })
}

/// What [`products`] gives.
pub fn products_expected(inputs: &[Vec<f32>], batch: u32, extents: [u32; 3]) -> Vec<f32> {
    let [m, k, n] = extents.map(|extent| extent as usize);
    (0..batch as usize)
        .flat_map(|x| matmul(&inputs[0][x * m * k..], &inputs[1][x * k * n..], extents))
        .collect()
}

/// What [`finished`] gives.
pub fn finished_expected(inputs: &[Vec<f32>], extents: [u32; 3]) -> Vec<f32> {
    let sums = matmul(&inputs[0], &inputs[1], extents).into_iter();
    let finished = sums.enumerate().map(|(at, sum)| {
        let column = at % extents[2] as usize;
        (sum + inputs[2][column]).max(0.0) + inputs[3][at]
    });
    finished.collect()
}

/// Which of the ways are tried: each of these, or all in a long run.
pub fn tried(kernels: Vec<Kernel>, every: usize) -> Vec<Kernel> {
    let every = match std::env::var_os("TESSERA_LONG_TESTS") {
        Some(_) => 1,
        None => every,
    };
    kernels.into_iter().step_by(every).collect()
}

#[track_caller]
fn check(
    group: &Group,
    precision: Precision,
    every: usize,
    expect: impl Fn(&[Vec<f32>]) -> Vec<f32>,
) {
    let kernels = ways(group, &options(precision)).unwrap_or_else(|error| panic!("{error}"));
    let inputs = inputs_of(group);
    let expected = expect(&inputs);
    for (number, kernel) in tried(kernels, every).into_iter().enumerate() {
        let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
        let statements = program.statements(Form::Scheduled);
        let statements = statements.unwrap_or_else(|error| panic!("{error}"));
        let result = execute(&kernel, &inputs, &statements, Model::Timed);
        let result = result.unwrap_or_else(|trap| panic!("way {number}: {trap}"));
        let wrong = first_wrong(&result, &expected);
        assert_eq!(wrong, None, "{precision:?}, way {number}");
    }
}

pub fn options(precision: Precision) -> Options {
    Options {
        precision: Wanted::Exactly(precision),
        ..Options::default()
    }
}

#[test]
fn all_compute_the_same() {
    for (batch, extents, precision, every) in [
        (3, [70, 40, 600], Precision::Pseudo, 20),
        (1, [600, 100, 1100], Precision::Pseudo, 30),
        (2, [300, 130, 90], Precision::Pseudo, 30),
        (3, [170, 300, 600], Precision::Half, 50),
    ] {
        check(&products(batch, extents), precision, every, |inputs| {
            products_expected(inputs, batch, extents)
        });
    }
    let extents = [300, 100, 600];
    check(&finished(extents), Precision::Pseudo, 30, |inputs| {
        finished_expected(inputs, extents)
    });
}

/// The same of elements in 16 bits.
#[test]
fn all_compute_the_same_of_halves() {
    for (extents, precision, every) in [
        ([300, 600, 300], Precision::Half, 40),
        ([600, 300, 1100], Precision::Pseudo, 80),
        ([200, 300, 1000], Precision::Pseudo, 80),
        ([1000, 200, 200], Precision::Half, 80),
    ] {
        let group = product_of_elements(extents, Element::Bf16);
        check(&group, precision, every, |inputs| {
            let sums = matmul(&inputs[0], &inputs[1], extents);
            sums.into_iter().map(rounded).collect()
        });
    }
}

/// Reductions, with what is reduced in cycles or not.
#[test]
fn all_compute_the_same_of_reductions() {
    for (extents, axis) in [
        ([300, 1100], Axis::Rows),
        ([1100, 75], Axis::Columns),
        ([31, 5], Axis::Rows),
    ] {
        for reduce in [Reduce::Sum, Reduce::Max] {
            let reduced = Reduced::along(reduce, axis, extents);
            let exact = |inputs: &[Vec<f32>]| {
                let negated: Vec<f32> = inputs[0].iter().map(|x| -x).collect();
                exact(reduced, &negated)
            };
            check(&reduced.group(), Precision::Pseudo, 1, exact);
        }
    }
}

/// Steps as modelled, from DRAM to DRAM.
pub fn modelled(kernel: &Kernel) -> u64 {
    let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
    let mut stats = Stats::new(Geometry::BOARD);
    program
        .stream(Form::Scheduled, &mut |statement, _| {
            stats.add(std::slice::from_ref(statement));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    stats.cycles().div_ceil(CYCLES as u64)
}

/// What an estimate may be off: a share, and steps.
const SHARE: f64 = 0.08;
const STEPS: f64 = 60.0;
/// How much longer than the best way the chosen one may take.
const LONGER: f64 = 1.05;

/// How much longer than the best a way may take for its estimate to matter.
const NEAR: f64 = 1.25;

/// Of a shape, every so many of its ways.
#[track_caller]
fn check_estimates(extents: [u32; 3], precision: Precision, element: Element, every: usize) {
    let group = product_of_elements(extents, element);
    let kernels = ways(&group, &options(precision));
    let kernels = kernels.unwrap_or_else(|error| panic!("{error}"));
    let kernels = tried(kernels, every);
    let estimate = |kernel: &Kernel| kernel.estimate.expect("products are estimated") as f64;
    let steps = |kernel: &Kernel| (estimate(kernel), modelled(kernel) as f64);
    let found: Vec<(f64, f64)> = kernels.iter().map(steps).collect();
    for (kernel, (_, modelled)) in kernels.iter().zip(&found) {
        let bound = kernel.bound.expect("products have a bound").steps() as f64;
        let at_least = bound <= *modelled;
        assert!(
            at_least,
            "{extents:?} of {element}: {modelled} steps, bound {bound}"
        );
    }
    let best = found
        .iter()
        .map(|found| found.1)
        .fold(f64::INFINITY, f64::min);
    for (number, (estimate, modelled)) in found.iter().enumerate() {
        let near = (estimate - modelled).abs() <= STEPS + SHARE * modelled;
        assert!(
            near || *modelled > NEAR * best,
            "{extents:?} of {element}, way {number}: {estimate} steps estimated, {modelled} modelled"
        );
    }
    let chosen = found[0].1;
    assert!(
        chosen <= LONGER * best + STEPS,
        "{extents:?} of {element}: {chosen} steps chosen, {best} possible"
    );
}

#[test]
fn estimates_are_near() {
    for (extents, precision, element, every) in [
        ([256, 256, 256], Precision::Pseudo, Element::F32, 20),
        ([256, 256, 256], Precision::Pseudo, Element::Bf16, 20),
        ([1024, 1024, 1024], Precision::Pseudo, Element::F32, 70),
        ([1024, 1024, 1024], Precision::Pseudo, Element::Bf16, 70),
        ([2048, 512, 1024], Precision::Pseudo, Element::F32, 90),
        ([2048, 512, 1024], Precision::Pseudo, Element::Bf16, 90),
        ([1797, 64, 64], Precision::Pseudo, Element::F32, 20),
        ([64, 64, 1797], Precision::Pseudo, Element::Bf16, 20),
        ([100, 1000, 100], Precision::Pseudo, Element::F32, 20),
        ([16, 4096, 16], Precision::Pseudo, Element::F32, 4),
        ([600, 48, 600], Precision::Pseudo, Element::F32, 30),
        ([256, 256, 256], Precision::Half, Element::Bf16, 20),
        ([1024, 1024, 1024], Precision::Half, Element::F32, 70),
        ([1024, 1024, 1024], Precision::Half, Element::Bf16, 70),
        ([2048, 512, 1024], Precision::Half, Element::Bf16, 90),
    ] {
        check_estimates(extents, precision, element, every);
    }
}
