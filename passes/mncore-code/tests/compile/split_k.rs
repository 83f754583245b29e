//! Split-K products: all such candidates compute the expected result within the error bound of
//! their precision, whatever follows the product.
//!
//! With `TESSERA_LONG_TESTS` set, for all candidates and more shapes.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::mau::block_terms;
use tessera_isa_mncore::table::{Rrn, RrnKind};
use tessera_mncore_code::compile::Kernel;
use tessera_mncore_ir::item::Op;
use tessera_mncore_ir::kernel::Stage;
use tessera_pto::kernel::Element;
use tessera_test_support::is_long_run;

use crate::board::random;
use crate::given::{chosen, results, Given, ALL};
use crate::groups::product_of_elements;

/// Returns whether partial sums are reduced by the networks of L1Bs, and whether by those of MV
/// instructions. Candidates that agree in this add in the same order.
pub fn parts(kernel: &Kernel) -> [bool; 2] {
    let adds = |rrn: Option<Rrn>| rrn.is_some_and(|rrn| rrn.kind == RrnKind::FloatAdd);
    let in_l1b = |op: &Op| matches!(op, Op::L1bm(op, _) if adds(op.rrn));
    let above = |op: &Op| matches!(op, Op::Mv(transfer) if adds(transfer.rrn));
    [has(&kernel.stages, &in_l1b), has(&kernel.stages, &above)]
}

pub fn has(stages: &[Stage], test: &dyn Fn(&Op) -> bool) -> bool {
    stages.iter().any(|stage| match stage {
        Stage::Repeat(_, stages) => has(stages, test),
        Stage::Loop(_, body) => body.items.iter().any(|item| test(&item.op)),
    })
}

/// Returns whether a kernel reduces partial sums.
fn is_split(kernel: &Kernel) -> bool {
    parts(kernel)[0]
}

#[track_caller]
fn check(given: &Given, precision: Precision, every: usize) {
    given.check(precision, every, &is_split, ALL);
}

#[test]
fn all_compute_the_same() {
    for (batch, extents, precision, every) in [
        (1, [16, 16, 16], Precision::Pseudo, 30),
        (2, [20, 2100, 10], Precision::Pseudo, 30),
        (1, [3, 1000, 33], Precision::Half, 40),
        (1, [31, 1100, 3], Precision::Single, 40),
        (2, [70, 300, 1], Precision::Half, 40),
        (1, [1, 3000, 100], Precision::Single, 40),
    ] {
        check(&Given::products(batch, extents), precision, every);
    }
}

/// As above, with elements of 16 bits.
#[test]
fn all_compute_the_same_of_halves() {
    for (extents, precision, every) in [
        ([16, 2048, 16], Precision::Half, 40),
        ([40, 700, 20], Precision::Pseudo, 40),
    ] {
        check(&Given::product(extents, Element::Bf16), precision, every);
    }
}

/// relu(a·b + bias) + residual.
#[test]
fn what_follows_is_done_with_joined_sums() {
    for (extents, every) in [([70, 1100, 5], 30), ([9, 2100, 40], 30)] {
        check(&Given::finished(extents), Precision::Pseudo, every);
    }
}

/// Returns numbers of both signs and of several magnitudes.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let number = |bits: u32| f32::from_bits(bits & 0x807f_ffff | (122 + (bits >> 23) % 8) << 23);
    random(seed).take(count).map(number).collect()
}

/// Returns the error bound of an element: the precision that factors lose in block floats, and the
/// roundings of sums, two for each of five network stages.
fn bound(precision: Precision, a: &[f32], b: &[f32]) -> f64 {
    let (terms, loss) = match precision {
        Precision::Half => (16, 2.05 / 512.0),
        Precision::Single => (8, 1.01 / (1u64 << 23) as f64),
        _ => (8, 1.01 / (1u64 << 18) as f64),
    };
    let magnitude = |values: &[f32]| values.iter().map(|v| f64::from(v.abs())).sum::<f64>();
    let most = |values: &[f32]| values.iter().fold(0.0f32, |m, v| m.max(v.abs()));
    let blocks = a.chunks(terms).zip(b.chunks(terms));
    let lost: f64 = blocks
        .map(|(a, b)| f64::from(most(a)) * magnitude(b) + f64::from(most(b)) * magnitude(a))
        .sum();
    let products = a.iter().zip(b).map(|(a, b)| f64::from((a * b).abs()));
    let sums = a.len().div_ceil(block_terms(precision).into()) as f64 + 10.0;
    loss * lost + sums / (1u64 << 24) as f64 * products.sum::<f64>()
}

#[test]
fn within_the_bound() {
    const SIZES: [u32; 8] = [1, 3, 16, 31, 32, 100, 256, 1000];
    let mut shapes = vec![[16, 3000, 16], [3, 1000, 31]];
    if is_long_run() {
        let few = SIZES.iter().filter(|size| **size <= 100);
        for m in few.clone() {
            for n in few.clone() {
                shapes.extend([16, 100, 256, 1000].map(|k| [*m, k, *n]));
            }
        }
    }
    let mut worst: f64 = 0.0;
    for [m, k, n] in shapes {
        let [rows, depth, columns] = [m, k, n].map(|extent| extent as usize);
        let a = numbers(rows * depth, m * 7919 + k);
        let b = numbers(depth * columns, n * 7919 + k + 1);
        let turned: Vec<f32> = (0..depth * columns)
            .map(|at| b[at % depth * columns + at / depth])
            .collect();
        let group = product_of_elements([m, k, n], Element::F32);
        for precision in [Precision::Half, Precision::Pseudo, Precision::Single] {
            let kernels = chosen(&group, precision, usize::MAX, &is_split);
            // The cheapest, and the dearest.
            let chosen = [kernels.first(), kernels.last()];
            for kernel in chosen.into_iter().flatten() {
                let inputs = [a.clone(), b.clone()];
                let result = results(kernel, &inputs, &ALL[..2]);
                for (at, &found) in result.iter().enumerate() {
                    let a = &a[at / columns * depth..][..depth];
                    let b = &turned[at % columns * depth..][..depth];
                    let exact = a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b));
                    let error = (f64::from(found) - exact.sum::<f64>()).abs();
                    let share = error / bound(precision, a, b);
                    worst = worst.max(share);
                    assert!(share <= 1.0, "{m}x{k}x{n} {precision:?} at {at}: {share}");
                }
            }
        }
    }
    println!("errors of at most {worst:.3} of the bound");
}
