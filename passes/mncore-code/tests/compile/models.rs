//! Compiled kernels on all models of the board give the same result, bit for bit.
//!
//! `TESSERA_LONG_TESTS=1` takes every group instead of one: the reference model is slow.

use tessera_mncore::machine::Model;
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::kernel::Element;
use tessera_test_support::is_long_run;

use crate::board::{kernel_with, run};
use crate::cases::{cases, inputs_of};

#[test]
fn models_agree() {
    let long = is_long_run();
    for case in cases().into_iter().take(if long { usize::MAX } else { 1 }) {
        let kernel = kernel_with(&case.group, &case.options);
        let mut inputs = inputs_of(&case.group);
        for (tensor, values) in case.group.tensors.iter().zip(&mut inputs) {
            // What is not exact must be rounded alike.
            let factors = (1u16..=999).cycle().map(|at| 1.0 + f32::from(at) / 999.0);
            for (value, factor) in values.iter_mut().zip(factors) {
                let bits = (*value * factor).to_bits();
                *value = f32::from_bits(match tensor.element {
                    Element::Bf16 => bits & 0xffff_0000,
                    _ => bits,
                });
            }
        }
        let of = |model| run(&kernel, &inputs, IssueOrder::Scheduled, model);
        let fast = of(Model::Fast);
        for model in [Model::Timed, Model::Reference] {
            let other = of(model);
            let bits = |one: &[f32]| one.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert!(bits(&fast) == bits(&other), "{}, {model:?}", case.name);
        }
    }
}
