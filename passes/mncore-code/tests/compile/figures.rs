//! Performance targets of products. From DRAM to DRAM a product takes at most 10/9 of its lower
//! bound. With operands in LM and L1BM the matrix unit is busy in 95 % of steps.
//!
//! Deep bf16 products may take 5/4 of their bound: reducing partial sums delays their results.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore_code::compile::{compile, Kernel};
use tessera_pto::kernel::Element;

use crate::candidates::modelled;
use crate::given::options;
use crate::groups::product_of_elements;
use crate::resident::resident;

const END_TO_END: f64 = 0.90;
const END_TO_END_OF_SOME: f64 = 0.80;
const KERNEL: f64 = 0.95;

const SMALL: [u32; 3] = [256; 3];
const SQUARE: [u32; 3] = [1024; 3];
const TALL: [u32; 3] = [4096, 1024, 1024];
const DEEP: [u32; 3] = [16, 16384, 16];

const NARROW: [Precision; 2] = [Precision::Half, Precision::Pseudo];
const WIDE: [Precision; 2] = [Precision::Single, Precision::Double];

fn all(precisions: [Precision; 2]) -> impl Iterator<Item = (Precision, Element)> {
    let precisions = precisions.into_iter();
    precisions
        .flat_map(|precision| [Element::F32, Element::Bf16].map(|element| (precision, element)))
}

fn chosen(extents: [u32; 3], (precision, element): (Precision, Element)) -> Kernel {
    let group = product_of_elements(extents, element);
    compile(&group, &options(precision)).expect("products compile")
}

#[test]
fn end_to_end() {
    let narrow = [SMALL, SQUARE, TALL, DEEP].map(|extents| (extents, NARROW));
    let wide = [SQUARE, TALL].map(|extents| (extents, WIDE));
    for (extents, precisions) in narrow.into_iter().chain(wide) {
        for kind in all(precisions) {
            let kernel = chosen(extents, kind);
            let bound = kernel.bound.expect("products have a bound").steps() as f64;
            let share = bound / modelled(&kernel) as f64;
            let least = match (extents, kind) {
                (DEEP, (_, Element::Bf16)) => END_TO_END_OF_SOME,
                _ => END_TO_END,
            };
            assert!(share >= least, "{extents:?} {kind:?}: {share:.3}");
        }
    }
}

#[test]
fn kernels() {
    for extents in [SMALL, SQUARE, TALL, DEEP] {
        for kind in all(NARROW) {
            let (program, _) = chosen(extents, kind).program().expect("it is scheduled");
            let ratio = resident(&program).ratio();
            assert!(ratio >= KERNEL, "{extents:?} {kind:?}: {ratio:.3}");
        }
    }
}
