//! All candidates of a product, not only the chosen one: results, and the accuracy of cost
//! estimates.

use tessera_isa_mncore::memory::{Precision, L2BM_WORDS};
use tessera_mncore::geometry::{Geometry, CYCLES};
use tessera_mncore::machine::Model;
use tessera_mncore::stats::Stats;
use tessera_mncore_code::compile::{candidates, Kernel};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_ir::item::{Move, MoveMemory, Op};
use tessera_mncore_ir::kernel::Stage;
use tessera_pto::kernel::{Axis, Element, Reduce};

use crate::given::{options, tried, Given};
use crate::groups::product_of_elements;
use crate::reduced::Reduced;
use crate::reductions::exact;

/// The scheduled order on the timed model.
const TIMED: &[(IssueOrder, Model)] = &[(IssueOrder::Scheduled, Model::Timed)];

#[track_caller]
fn check(given: &Given, precision: Precision, every: usize) {
    given.check(precision, every, &|_| true, TIMED);
}

#[test]
fn all_compute_the_same() {
    for (batch, extents, precision, every) in [
        (3, [70, 40, 600], Precision::Pseudo, 20),
        (1, [330, 100, 1100], Precision::Pseudo, 30),
        (2, [170, 130, 90], Precision::Pseudo, 30),
        (2, [170, 200, 600], Precision::Half, 50),
        (2, [170, 130, 90], Precision::Single, 20),
        (2, [170, 130, 90], Precision::Double, 20),
    ] {
        check(&Given::products(batch, extents), precision, every);
    }
    check(&Given::finished([170, 100, 600]), Precision::Pseudo, 30);
}

/// As above, with elements of 16 bits.
#[test]
fn all_compute_the_same_of_halves() {
    for (extents, precision, every) in [
        ([170, 400, 300], Precision::Half, 40),
        ([330, 200, 1100], Precision::Pseudo, 80),
        ([140, 300, 600], Precision::Pseudo, 80),
        ([600, 200, 140], Precision::Half, 80),
        ([170, 400, 300], Precision::Single, 40),
        ([170, 400, 300], Precision::Double, 40),
    ] {
        check(&Given::product(extents, Element::Bf16), precision, every);
    }
}

/// Tests reductions, with the reduced axis in cycles or not.
#[test]
fn all_compute_the_same_of_reductions() {
    for (extents, axis) in [
        ([300, 1100], Axis::Rows),
        ([1100, 75], Axis::Columns),
        ([31, 5], Axis::Rows),
    ] {
        for reduce in [Reduce::Sum, Reduce::Max] {
            let reduced = Reduced::along(reduce, axis, extents);
            let given = Given::new(reduced.group(), move |inputs| {
                let negated: Vec<f32> = inputs[0].iter().map(|x| -x).collect();
                exact(reduced, &negated)
            });
            check(&given, Precision::Pseudo, 1);
        }
    }
}

/// Returns the ends of the rings in L2BM that the MV instructions of stages address.
fn rings_in_l2bm(stages: &[Stage]) -> Vec<u32> {
    let of_move = |transfer: &Move| {
        let places = [&transfer.source, &transfer.target].into_iter();
        let places = places.filter(|place| place.memory == MoveMemory::L2bm);
        let ends = places.filter_map(|place| Some(place.address.offset + place.address.ring?));
        ends.collect::<Vec<_>>()
    };
    let of_stage = |stage: &Stage| match stage {
        Stage::Repeat(_, stages) => rings_in_l2bm(stages),
        Stage::Loop(_, body) => {
            let moves = body.items.iter().filter_map(|item| match &item.op {
                Op::Mv(transfer) => Some(transfer),
                _ => None,
            });
            moves.flat_map(of_move).collect()
        }
    };
    stages.iter().flat_map(of_stage).collect()
}

/// Tiles of half precision that are not converted in advance are the largest.
#[test]
fn buffers_end_in_l2bm() {
    let group = product_of_elements([600, 48, 600], Element::F32);
    let kernels = candidates(&group, &options(Precision::Half));
    let kernels = kernels.unwrap_or_else(|error| panic!("{error}"));
    let ends = kernels
        .iter()
        .flat_map(|kernel| rings_in_l2bm(&kernel.stages));
    assert_eq!(ends.max(), Some(L2BM_WORDS));
}

/// Returns the modelled steps of a kernel, from DRAM to DRAM.
pub fn modelled(kernel: &Kernel) -> u64 {
    let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
    let mut stats = Stats::new(Geometry::BOARD);
    program::stream(&program, IssueOrder::Scheduled, &mut |statement, _| {
        stats.add(std::slice::from_ref(statement));
        Ok(())
    })
    .unwrap_or_else(|error| panic!("{error}"));
    stats.cycles().div_ceil(CYCLES as u64)
}

/// Tolerance of an estimate: a fraction, and steps.
const SHARE: f64 = 0.08;
const STEPS: f64 = 60.0;
/// Tolerance of the chosen candidate's steps against the best.
const LONGER: f64 = 1.05;

/// Candidates with more than this ratio to the best need no accurate estimate.
const NEAR: f64 = 1.25;

/// Checks the cost estimates of every `every`-th candidate of a product.
#[track_caller]
fn check_estimates(extents: [u32; 3], precision: Precision, element: Element, every: usize) {
    let group = product_of_elements(extents, element);
    let kernels = candidates(&group, &options(precision));
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
            "{extents:?} of {element}, candidate {number}: {estimate} steps estimated, {modelled} modelled"
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
        ([256, 256, 256], Precision::Single, Element::F32, 20),
        ([256, 256, 256], Precision::Single, Element::Bf16, 20),
        ([1024, 1024, 1024], Precision::Single, Element::F32, 70),
        ([256, 256, 256], Precision::Double, Element::F32, 20),
        ([256, 256, 256], Precision::Double, Element::Bf16, 20),
        ([1024, 1024, 1024], Precision::Double, Element::F32, 70),
    ] {
        check_estimates(extents, precision, element, every);
    }
}
