//! Every function of tensors on Tensix: within the bounds of its library, by every way to form kernels and wherever they run; integers bit by
//! bit as on the reference device.
//!
//! `TESSERA_LONG_TESTS=1` takes every way and type instead of a few.

use tessera_program::{DataType, Program};
use tessera_reference::Tensor;
use tessera_runtime::{Chip, TensixDevice, TensixOptions};

use crate::bench::{compile_with, inputs, judge_by, on_reference};
use crate::functions::{integers, FUNCTIONS, INTEGERS};
use crate::models::some;

/// How operations share kernels, and where these run.
const WAYS: &[&str] = &[
    "fusion=epilogue",
    "fusion=all placement=cluster",
    "fusion=none",
    "fusion=auto",
];

/// Operations that Tensix has no code for.
const MISSING: &[&str] = &["ttir.transpose", "ttir.permute", "@mean_without_columns"];

/// The functions of a file that none of some texts is in.
fn without(file: &str, texts: &[&str]) -> String {
    let functions = file.split_inclusive("\n}\n");
    let has = |function: &&str| !texts.iter().any(|text| function.contains(text));
    functions.filter(has).collect()
}

/// Compiles, runs and judges; padding is filled with something else than zeros, where nobody may read it.
fn check(name: &str, way: &str, ttir: &str, given: fn(&Program, u64) -> Vec<Tensor>) {
    let name = format!("tensix_{name}_{}", way.replace([' ', '='], "_"));
    let binary = compile_with(&format!("--ttir-to-tensix-pipeline={way}"), &name, ttir);
    for program in &binary.programs {
        let options = TensixOptions {
            padding_canaries: true,
            ..TensixOptions::default()
        };
        let device = TensixDevice::new(&binary, program, options);
        let mut device = device.unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let given = given(program, 1);
        let found = judge_by(Chip::Tensix, &mut device, program, &given);
        let expect = on_reference(program, &given);
        if expect.iter().all(|one| one.data_type() == DataType::SI32) {
            assert!(found == expect, "{name} {}", program.name);
        }
    }
}

#[test]
fn functions_are_within_their_bounds_on_tensix() {
    for way in some(WAYS, 2) {
        let ttir = FUNCTIONS.replace("x?>", "xbf16>");
        check("bf16", way, &without(&ttir, MISSING), inputs);
    }
}

/// But for products, whose factors the unpacker would cut.
#[test]
fn functions_of_singles_are_within_their_bounds_on_tensix() {
    for way in some(WAYS, 1) {
        let ttir = FUNCTIONS.replace("x?>", "xf32>");
        let ttir = without(&without(&ttir, MISSING), &["ttir.matmul"]);
        check("f32", way, &ttir, inputs);
    }
}

#[test]
fn integers_are_those_of_the_reference_on_tensix() {
    for way in some(WAYS, 1) {
        check("i32", way, &without(INTEGERS, MISSING), integers);
    }
}
