//! Products that go through their last iterations twice, with half of the rows each: every such way computes what is expected.
//!
//! With `TESSERA_LONG_TESTS` set, all ways of more shapes.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{ways, Kernel, Stage};
use tessera_pto::kernel::Element;

use crate::board::first_wrong;
use crate::cases::inputs_of;
use crate::groups::product_of_elements;
use crate::matmul;
use crate::split::{results, ALL};
use crate::storage::rounded;
use crate::ways::{options, tried};

/// Whether there are loops for all iterations but the last, for those before that make more, and for both times of the last.
fn goes_twice(kernel: &Kernel) -> bool {
    let multiplies = |stage: &&Stage| matches!(stage, Stage::Loop("multiply", _));
    kernel.stages.iter().filter(multiplies).count() == 4
}

#[test]
fn products_that_go_twice() {
    let mut shapes = vec![([300, 300, 300], 20), ([512, 256, 100], 20)];
    if std::env::var_os("TESSERA_LONG_TESTS").is_some() {
        shapes.extend([([1024, 512, 512], 20), ([200, 1024, 1000], 20)]);
    }
    for (extents, every) in shapes {
        for element in [Element::F32, Element::Bf16] {
            let group = product_of_elements(extents, element);
            let inputs = inputs_of(&group);
            let sums = matmul(&inputs[0], &inputs[1], extents).into_iter();
            let expected: Vec<f32> = match element {
                Element::Bf16 => sums.map(rounded).collect(),
                _ => sums.collect(),
            };
            let all = ways(&group, &options(Precision::Pseudo)).expect("products compile");
            let all = tried(all.into_iter().filter(goes_twice).collect(), every);
            assert!(!all.is_empty(), "{extents:?} of {element}");
            for (number, kernel) in all.iter().enumerate() {
                let result = results(kernel, &inputs, ALL);
                let wrong = first_wrong(&result, &expected);
                assert_eq!(wrong, None, "{extents:?} of {element}, way {number}");
            }
        }
    }
}
