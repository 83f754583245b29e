//! Products whose column side stays resident for several blocks of rows: all such candidates
//! compute the expected result.
//!
//! With `TESSERA_LONG_TESTS` set, for all candidates and more shapes.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{compile, Kernel};
use tessera_mncore_ir::kernel::Stage;
use tessera_pto::kernel::Element;
use tessera_test_support::is_long_run;

use crate::given::{options, Given, ALL};
use crate::groups::product_of_elements;

/// Returns whether the results of the last block are stored by a loop of their own, after the loop
/// over blocks.
fn stays(kernel: &Kernel) -> bool {
    let is = |stage: &Stage| matches!(stage, Stage::Loop("finish", _));
    let repeats = |stage: &Stage| matches!(stage, Stage::Repeat(..));
    kernel.stages.iter().any(repeats) && kernel.stages.iter().any(is)
}

#[test]
fn products_that_keep_their_columns() {
    let is_long = is_long_run();
    // Results leave in as many iterations of the next block as that has.
    for (precision, least) in [
        (Precision::Pseudo, 128),
        (Precision::Half, 256),
        (Precision::Single, 128),
        (Precision::Double, 128),
    ] {
        let mut shapes = vec![[140, least, 400]];
        if is_long {
            shapes.extend([[300, 256, 600], [700, 520, 1000], [130, 1000, 500]]);
        }
        for extents in shapes {
            for element in [Element::F32, Element::Bf16] {
                Given::product(extents, element).check(precision, 4, &stays, ALL);
            }
        }
    }
}

#[test]
fn a_tall_product_keeps_its_columns() {
    let group = product_of_elements([4096, 1024, 1024], Element::Bf16);
    let chosen = compile(&group, &options(Precision::Pseudo)).expect("it compiles");
    assert!(stays(&chosen));
}
