//! Small products with the depth distributed over the MABs of an L1B: all such candidates compute
//! the expected result.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{compile, Kernel};
use tessera_mncore_ir::item::Op;
use tessera_pto::kernel::Element;

use crate::given::{options, Given, ALL};
use crate::groups::product_of_elements;
use crate::split_k::{has, parts};

/// Returns whether a candidate distributes its depth so: L1Bs reduce sums, and nothing above them
/// does.
fn is_in_l1bs(kernel: &Kernel) -> bool {
    let adds = |op: &Op| matches!(op, Op::L2bm { op, .. } if op.rrn.is_some());
    parts(kernel) == [true, false] && !has(&kernel.stages, &adds)
}

#[track_caller]
fn check(extents: [u32; 3], precision: Precision, element: Element) {
    Given::product(extents, element).check(precision, 3, &is_in_l1bs, ALL);
}

#[test]
fn all_compute_the_same() {
    for extents in [
        [1, 1, 1],
        [16, 16, 16],
        [33, 65, 97],
        [100, 256, 3],
        [2, 300, 500],
        [130, 100, 600],
        [256, 256, 256],
    ] {
        for precision in [Precision::Half, Precision::Pseudo] {
            for element in [Element::F32, Element::Bf16] {
                check(extents, precision, element);
            }
        }
    }
}

#[test]
fn a_small_square_is_in_l1bs() {
    for precision in [Precision::Half, Precision::Pseudo] {
        for element in [Element::F32, Element::Bf16] {
            let group = product_of_elements([256; 3], element);
            let chosen = compile(&group, &options(precision)).expect("it compiles");
            assert!(is_in_l1bs(&chosen));
        }
    }
}

/// Tests operations after a product, for all candidates.
#[test]
fn a_function_behind_it() {
    for (extents, every) in [([100, 64, 130], 9), ([300, 160, 600], 40)] {
        for element in [Element::F32, Element::Bf16] {
            let given = Given::cut_off(extents, element);
            given.check(Precision::Pseudo, every, &|_| true, &ALL[..1]);
        }
    }
}
