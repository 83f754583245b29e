//! Element-wise functions in kernels: of tensors, and of results of a product.

use tessera_mncore::machine::Model;
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::kernel::{Binary, Unary};

use crate::board::{integers, kernel, run};
use crate::groups::{over_tiles, product, product_after, singles, TILE};
use crate::matmul;

const UNARIES: [(Unary, fn(f64) -> f64); 10] = [
    (Unary::Neg, |x| -x),
    (Unary::Abs, f64::abs),
    (Unary::Relu, |x| x.max(0.0)),
    (Unary::Exp, f64::exp),
    (Unary::Log, |x| x.max(0.0).ln()),
    (Unary::Sqrt, |x| x.max(0.0).sqrt()),
    (Unary::Rsqrt, |x| x.max(0.0).sqrt().abs().recip()),
    (Unary::Reciprocal, f64::recip),
    (Unary::Sigmoid, |x| (1.0 + (-x).exp()).recip()),
    (Unary::Tanh, f64::tanh),
];

/// Compares a result with the exact one: three units in the last place, or both infinite, or too
/// small.
#[track_caller]
fn check(result: &[f32], exact: impl Iterator<Item = f64>, what: &str) {
    for (at, (&result, exact)) in result.iter().zip(exact).enumerate() {
        let (result, single) = (f64::from(result), f64::from(exact as f32));
        let near = (result - exact).abs() <= 3.0 * 2.0f64.powi(-23) * exact.abs();
        let small = result == 0.0 && exact.abs() < 1.5 * f64::from(f32::MIN_POSITIVE);
        assert!(
            near || small || result == single,
            "{what} at {at}: {result:e}, not {exact:e}"
        );
    }
}

#[test]
fn functions_of_tensors() {
    let tensor = singles(40, 70);
    let inputs = [integers(40 * 70, 1), integers(40 * 70, 2)];
    for (unary, exact) in UNARIES {
        let group = over_tiles(&[tensor, tensor], |builder, row, column| {
            let a = builder.load(0, row, column, TILE);
            builder.unary(unary, a)
        });
        let result = run(
            &kernel(&group),
            &inputs[..1],
            IssueOrder::Scheduled,
            Model::Timed,
        );
        let exact = inputs[0].iter().map(|&x| exact(x.into()));
        check(&result, exact, &format!("{unary:?}"));
    }
    let group = over_tiles(&[tensor; 3], |builder, row, column| {
        let a = builder.load(0, row, column, TILE);
        let b = builder.load(1, row, column, TILE);
        builder.binary(Binary::Divide, a, b)
    });
    // A quotient of zeros would be open.
    let inputs = inputs.map(|words| words.into_iter().map(|x| x + 0.25).collect::<Vec<_>>());
    let result = run(
        &kernel(&group),
        &inputs,
        IssueOrder::Scheduled,
        Model::Timed,
    );
    let pairs = inputs[0].iter().zip(&inputs[1]);
    check(
        &result,
        pairs.map(|(&a, &b)| f64::from(a) / f64::from(b)),
        "quotient",
    );
}

#[test]
fn functions_of_products() {
    // With the second shape the sums fill GRF0.
    for [m, k, n] in [[33, 16, 40], [600, 16, 600]] {
        let inputs = [integers((m * k) as usize, 3), integers((k * n) as usize, 4)];
        let sums = matmul(&inputs[0], &inputs[1], [m, k, n]);
        for (unary, exact) in UNARIES {
            let tensors = [singles(m, k), singles(k, n), singles(m, n)];
            let group = over_tiles(&tensors, |builder, row, column| {
                let sum = product(builder, row, column, k);
                builder.unary(unary, sum)
            });
            let result = run(&kernel(&group), &inputs, IssueOrder::Scheduled, Model::Fast);
            let exact = sums.iter().map(|&x| exact(x.into()));
            check(&result, exact, &format!("{unary:?} of {m}x{k}x{n}"));
        }
    }
}

/// A function of a factor needs registers while sums fill GRF0, so a candidate with fewer sums is
/// used.
#[test]
fn functions_of_factors_beside_full_sums() {
    let [m, k, n] = [40, 9000, 3000];
    for unary in [Unary::Sqrt, Unary::Tanh] {
        let tensors = [singles(m, k), singles(k, n), singles(m, n)];
        let group = over_tiles(&tensors, |builder, row, column| {
            let tiles = [TILE, TILE];
            product_after(
                builder,
                [row, column],
                k,
                tiles,
                &|builder, factor, tile| match factor {
                    0 => builder.unary(unary, tile),
                    _ => tile,
                },
            )
        });
        let scheduled = kernel(&group).program();
        assert!(scheduled.is_ok(), "{unary}: {:?}", scheduled.err());
    }
}
