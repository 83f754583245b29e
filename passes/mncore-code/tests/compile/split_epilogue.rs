//! Products with a split epilogue, in two passes over half of the rows each: all such candidates
//! compute the expected result.
//!
//! With `TESSERA_LONG_TESTS` set, for all candidates of more shapes.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::Kernel;
use tessera_mncore_ir::kernel::Stage;
use tessera_pto::kernel::Element;
use tessera_test_support::is_long_run;

use crate::given::{Given, ALL};

/// Whether there are loops for all iterations but the last, for those before that make more, and
/// for both times of the last.
fn goes_twice(kernel: &Kernel) -> bool {
    let multiplies = |stage: &&Stage| matches!(stage, Stage::Loop("multiply", _));
    kernel.stages.iter().filter(multiplies).count() == 4
}

#[test]
fn products_that_go_twice() {
    let mut shapes = vec![([300, 300, 300], 20), ([512, 256, 100], 20)];
    if is_long_run() {
        shapes.extend([([1024, 512, 512], 20), ([200, 1024, 1000], 20)]);
    }
    for (extents, every) in shapes {
        for element in [Element::F32, Element::Bf16] {
            let given = Given::product(extents, element);
            for precision in [Precision::Pseudo, Precision::Single, Precision::Double] {
                given.check(precision, every, &goes_twice, ALL);
            }
        }
    }
}
