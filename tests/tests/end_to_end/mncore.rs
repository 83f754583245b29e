//! Small models on MN-Core 2: within the bounds of the chip, by every way to form kernels.
//!
//! `TESSERA_LONG_TESTS=1` takes every size and way instead of a few.

use tessera_program::Binary;
use tessera_reference::Tensor;
use tessera_runtime::{Chip, MncoreDevice, MncoreOptions, Model};

use crate::bench::{compile_with, inputs, judge_by};
use crate::models::{models, some, SIZES};

/// How operations share kernels.
const FUSIONS: &[&str] = &["epilogue", "all", "none", "auto"];

/// What each program of a file gives on a model of the chip, after the golden has judged it. What a kernel does not write it must
/// not read: memories hold something else before.
fn on_board(binary: &Binary, model: Model) -> Vec<Vec<Tensor>> {
    let programs = binary.programs.iter();
    programs
        .map(|program| {
            let options = MncoreOptions {
                model,
                memory_canaries: true,
                ..MncoreOptions::default()
            };
            let mut device = MncoreDevice::new(binary, program, options);
            judge_by(Chip::Mncore, &mut device, program, &inputs(program, 1))
        })
        .collect()
}

/// The models with other elements.
fn models_of(element: &str, extents: [u64; 3]) -> String {
    models(extents).replace("bf16", element)
}

/// The model that stops where something would not have arrived yet gives what the fast one gives.
fn check(element: &str, extents: [u64; 3], fusion: &str) {
    let name = format!("mncore_{element}_{extents:?}_{fusion}");
    let pipeline = format!("--ttir-to-mncore-pipeline=fusion={fusion}");
    let binary = compile_with(&pipeline, &name, &models_of(element, extents));
    let found = on_board(&binary, Model::Timed);
    assert!(found == on_board(&binary, Model::Fast), "{name}");
}

#[test]
fn models_are_within_their_bounds_on_mncore() {
    for extents in some(SIZES, 1) {
        for fusion in some(FUSIONS, 2) {
            check("bf16", *extents, fusion);
        }
    }
}

#[test]
fn models_of_singles_are_within_their_bounds_on_mncore() {
    for extents in some(SIZES, 1) {
        for fusion in some(FUSIONS, 1) {
            check("f32", *extents, fusion);
        }
    }
}
