//! Compiled kernels on all models of the board: the same result, bit for bit.
//!
//! `TESSERA_LONG_TESTS=1` takes every group instead of one: the reference model is slow.

use tessera_mncore::machine::Model;
use tessera_mncore_code::program::Form;

use crate::board::{kernel, run};
use crate::cases::{cases, inputs_of};

#[test]
fn models_agree() {
    let long = std::env::var_os("TESSERA_LONG_TESTS").is_some();
    for (name, group) in cases().into_iter().take(if long { usize::MAX } else { 1 }) {
        let kernel = kernel(&group);
        let mut inputs = inputs_of(&group);
        // What is not exact must be rounded alike.
        let values = inputs.iter_mut().flatten();
        let factors = (1u16..=999).cycle().map(|at| 1.0 + f32::from(at) / 999.0);
        values
            .zip(factors)
            .for_each(|(value, factor)| *value *= factor);
        let of = |model| run(&kernel, &inputs, Form::Scheduled, model);
        let fast = of(Model::Fast);
        for model in [Model::Timed, Model::Reference] {
            let other = of(model);
            let bits = |one: &[f32]| one.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert!(bits(&fast) == bits(&other), "{name}, {model:?}");
        }
    }
}
