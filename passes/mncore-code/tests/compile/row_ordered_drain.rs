//! Products with a row-ordered drain of the last quarter of the depth: all such candidates compute
//! the expected result.
//!
//! With `TESSERA_LONG_TESTS` set, for more shapes.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{compile, Kernel};
use tessera_mncore_ir::kernel::Stage;
use tessera_pto::kernel::Element;
use tessera_test_support::is_long_run;

use crate::given::{options, Given, ALL};
use crate::groups::product_of_elements;

/// Returns whether there is a loop over three quarters of the units, and one over row tiles.
fn goes_by_rows(kernel: &Kernel) -> bool {
    let multiplies = |stage: &&Stage| matches!(stage, Stage::Loop("multiply", _));
    let mut loops = kernel.stages.iter().filter(multiplies);
    let first = loops.next();
    matches!(first, Some(Stage::Loop(_, body)) if body.trip.len() == 2 && body.trip[1] == 3)
        && loops.count() == 1
}

#[test]
fn products_by_rows() {
    let mut shapes = vec![[300, 160, 600], [1000, 256, 1000]];
    if is_long_run() {
        shapes.extend([
            [1024; 3],
            [512, 1000, 513],
            [1000, 150, 300],
            [200, 700, 1000],
        ]);
    }
    for extents in shapes {
        for element in [Element::Bf16, Element::F32] {
            let given = Given::product(extents, element);
            // The larger ones take long on the reference model.
            let every = if extents[0] < 500 { 1 } else { 4 };
            for precision in [Precision::Pseudo, Precision::Single] {
                given.check(precision, every, &goes_by_rows, ALL);
            }
        }
    }
}

#[test]
fn a_square_goes_by_rows() {
    for (precision, element) in [
        (Precision::Pseudo, Element::Bf16),
        (Precision::Single, Element::F32),
    ] {
        let group = product_of_elements([1024; 3], element);
        let chosen = compile(&group, &options(precision)).expect("it compiles");
        assert!(goes_by_rows(&chosen), "{precision:?}");
    }
}
