//! Every element-wise function on Tensix, with every fusion mode and placement: floats within the
//! bounds of the library, integers bit for bit as on the reference device.
//!
//! `TESSERA_LONG_TESTS=1` tests every mode and type instead of a few.

use tessera_isa_tensix::Arch;
use tessera_program::{Binary, DataType, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};

use crate::bench::{compile_for, inputs, judge_on, on_reference};
use crate::functions::{integers, FUNCTIONS, INTEGERS, TRANSPOSED};
use crate::models::some;

/// Fusion modes and placements.
const OPTIONS: &[&str] = &[
    "fusion=epilogue",
    "fusion=all placement=cluster",
    "fusion=none",
    "fusion=auto",
];

/// Compiles for both generations, runs, and checks error bounds.
fn check(name: &str, options: &str, ttir: &str, given: fn(&Program, u64) -> Vec<Tensor>) {
    let name = format!("tensix_{name}_{}", options.replace([' ', '='], "_"));
    for arch in Arch::ALL {
        let binary = compile_for(arch, options, &name, ttir);
        check_on(&format!("{arch} {name}"), &binary, given);
    }
}

/// Runs and checks error bounds. Padding that no kernel may read is filled with values other than
/// zero.
fn check_on(name: &str, binary: &Binary, given: fn(&Program, u64) -> Vec<Tensor>) {
    for program in &binary.programs {
        let options = TensixOptions {
            padding_canaries: true,
            ..TensixOptions::default()
        };
        let device = TensixDevice::new(binary, program, options);
        let mut device = device.unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let given = given(program, 1);
        let found = judge_on(&mut device, program, &given);
        let expect = on_reference(program, &given);
        if expect.iter().all(|one| one.data_type() == DataType::SI32) {
            assert!(found == expect, "{name} {}", program.name);
        }
    }
}

#[test]
fn functions_are_within_their_bounds_on_tensix() {
    for options in some(OPTIONS, 2) {
        let ttir = FUNCTIONS.replace("x?>", "xbf16>");
        check("bf16", options, &ttir, inputs);
    }
}

#[test]
fn functions_of_singles_are_within_their_bounds_on_tensix() {
    for options in some(OPTIONS, 1) {
        let ttir = FUNCTIONS.replace("x?>", "xf32>");
        check("f32", options, &ttir, inputs);
    }
}

#[test]
fn transposed_factors_are_within_their_bounds_on_tensix() {
    for element in some(&["bf16", "f32"], 2) {
        let ttir = TRANSPOSED.replace("?>", &format!("{element}>"));
        check(&format!("transposed_{element}"), OPTIONS[0], &ttir, inputs);
    }
}

#[test]
fn integers_match_the_reference_on_tensix() {
    for options in some(OPTIONS, 1) {
        check("i32", options, INTEGERS, integers);
    }
}
