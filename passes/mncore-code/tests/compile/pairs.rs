//! Products whose rows are distributed over L1B pairs or over all L1Bs of a group: all such
//! candidates compute the expected result, whatever follows the product.
//!
//! With `TESSERA_LONG_TESTS` set, for all candidates and more shapes, and on the reference model.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::MvMode;
use tessera_mncore::machine::Model;
use tessera_mncore_code::compile::{candidates, compile, Kernel};
use tessera_mncore_code::program::IssueOrder;
use tessera_mncore_ir::item::Op;
use tessera_pto::kernel::Element;
use tessera_test_support::is_long_run;

use crate::board::{first_wrong, random};
use crate::given::{options, results, Given, ALL};
use crate::groups::product_of_elements;
use crate::split_k::{has, parts};

/// Returns whether both L1Bs of a pair receive the same part of the column side.
fn is_of_pairs(kernel: &Kernel) -> bool {
    let scatters = |op: &Op| matches!(op, Op::L2bm { op, .. } if op.kind == L2bmKind::PairScatter);
    has(&kernel.stages, &scatters)
}

/// Returns whether all L1Bs of an L2B, and all groups, receive the same part.
fn is_of_l1bs(kernel: &Kernel) -> bool {
    let is_to_sides =
        |op: &Op| matches!(op, Op::Mv(transfer) if transfer.mode == MvMode::DramBroadcast4);
    has(&kernel.stages, &is_to_sides)
}

#[track_caller]
fn check(given: &Given, precision: Precision) {
    given.check(precision, 24, &is_of_pairs, ALL);
    given.check(precision, 24, &is_of_l1bs, ALL);
}

#[test]
fn products_of_pairs() {
    for (element, precision) in [
        (Element::F32, Precision::Pseudo),
        (Element::Bf16, Precision::Pseudo),
        (Element::F32, Precision::Half),
        (Element::Bf16, Precision::Half),
    ] {
        // Of few columns cycles are empty; of many there are blocks, and several vectors in each.
        let mut shapes = vec![[256, 256, 256], [170, 100, 70], [300, 140, 600]];
        if is_long_run() {
            shapes.extend([[256, 64, 40], [200, 256, 100], [1000, 300, 32]]);
        }
        for extents in shapes {
            check(&Given::product(extents, element), precision);
        }
    }
}

#[test]
fn work_behind_products_of_pairs() {
    for precision in [Precision::Pseudo, Precision::Half] {
        let extents = [150, 130, 200];
        check(&Given::finished(extents), precision);
        check(&Given::products(3, extents), precision);
    }
}

/// Such a product is within the same error bound as others.
#[test]
fn numbers_of_pairs() {
    let extents = if is_long_run() {
        [256; 3]
    } else {
        [256, 64, 64]
    };
    let [m, k, n] = extents;
    let group = product_of_elements(extents, Element::Bf16);
    let number = |bits: u32| {
        let exponent = 120 + (bits >> 20) % 12;
        f32::from_bits(bits & 1 << 31 | exponent << 23 | bits & 0x7f_0000)
    };
    let inputs = [(1, m * k), (2, k * n)].map(|(seed, count)| {
        let numbers = random(seed).map(number);
        numbers.take(count as usize).collect::<Vec<f32>>()
    });
    let all = candidates(&group, &options(Precision::Pseudo)).expect("products compile");
    let (pairs, others): (Vec<Kernel>, _) = all.into_iter().partition(is_of_pairs);
    let (l1bs, others): (Vec<Kernel>, _) = others.into_iter().partition(is_of_l1bs);
    let mut models = ALL.to_vec();
    models.push((IssueOrder::Scheduled, Model::Reference));
    // Partial sums are rounded differently.
    let other = others.iter().find(|kernel| !parts(kernel)[0]);
    let other = results(other.expect("there is one"), &inputs, &ALL[..2]);
    for kernels in [pairs, l1bs] {
        let found = results(&kernels[0], &inputs, &models);
        assert_eq!(first_wrong(&found, &other), None);
    }
}

#[test]
fn a_deeper_product_is_of_l1bs() {
    let group = product_of_elements([256, 1024, 256], Element::Bf16);
    let chosen = compile(&group, &options(Precision::Pseudo)).expect("it compiles");
    assert!(is_of_l1bs(&chosen));
}
