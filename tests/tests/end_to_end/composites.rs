//! Composites of movements, reductions and products, and reductions along any dimensions: each
//! operation that they are made of is within its bound on both chips and on the interpreter.
//!
//! `TESSERA_LONG_TESTS=1` tests reductions of both element types on both chips instead of one each.
//!
//! That composites have the values of their definitions is tested beside the operation table.

use tessera_isa_tensix::Arch;
use tessera_program::Binary;
use tessera_runtime::devices::interpreter::InterpreterDevice;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions};
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};

use crate::bench::{compile_for, compile_with, inputs, judge_on, linked, on_reference};
use crate::functions::integers;
use crate::models::some;

const COMPOSITES: &str = include_str!("../../data/composites.mlir");

/// Shapes that are reduced along every set of dimensions.
const REDUCED: &[&[u64]] = &[
    &[40],
    &[33, 40],
    &[3, 33, 5],
    &[2, 3, 33, 5],
    &[2, 1, 3, 2, 5],
];

const REDUCTIONS: &[&str] = &["sum", "max", "mean", "min"];

fn on_tensix(binary: &Binary) {
    for program in &linked(binary) {
        let options = TensixOptions {
            padding_canaries: true,
            ..TensixOptions::default()
        };
        let device = TensixDevice::new(binary, program, options);
        let mut device = device.unwrap_or_else(|error| panic!("{}: {error}", program.name));
        judge_on(&mut device, program, &inputs(program, 1));
        let mut interpreter = InterpreterDevice::new(binary, program, None);
        judge_on(&mut interpreter, program, &inputs(program, 1));
    }
}

fn on_mncore(binary: &Binary) {
    for program in &linked(binary) {
        let options = MncoreOptions {
            memory_canaries: true,
            ..MncoreOptions::default()
        };
        let mut device = MncoreDevice::new(binary, program, options);
        judge_on(&mut device, program, &inputs(program, 1));
    }
}

fn composites(element: &str) -> String {
    COMPOSITES.replace("?>", &format!("{element}>"))
}

#[test]
fn composites_on_tensix() {
    for element in ["bf16", "f32"] {
        let name = format!("composites_{element}");
        on_tensix(&compile_for(
            Arch::WormholeB0,
            "",
            &name,
            &composites(element),
        ));
    }
}

#[test]
fn composites_on_mncore() {
    for element in ["bf16", "f32"] {
        let name = format!("composites_mncore_{element}");
        let pipeline = "--ttir-to-mncore-pipeline";
        on_mncore(&compile_with(pipeline, &name, &composites(element)));
    }
}

/// Returns a reduction along each set of dimensions, with and without them in the result. The
/// function is another one for each.
fn reductions(element: &str, functions: &[&str]) -> String {
    let r#type = |shape: &[u64]| {
        let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
        format!("tensor<{extents}{element}>")
    };
    let mut text = String::new();
    let mut number = 0;
    for shape in REDUCED {
        for set in 1..1_usize << shape.len() {
            let is_reduced = |dim: usize| set >> dim & 1 == 1;
            let dims: Vec<usize> = (0..shape.len()).filter(|dim| is_reduced(*dim)).collect();
            let keeps = set % 2 == 0;
            let extents = shape.iter().enumerate();
            let result: Vec<u64> = extents
                .filter_map(|(dim, &extent)| match (is_reduced(dim), keeps) {
                    (false, _) => Some(extent),
                    (true, true) => Some(1),
                    (true, false) => None,
                })
                .collect();
            let dims: Vec<String> = dims.iter().map(|dim| format!("{dim} : i32")).collect();
            let (dims, function) = (dims.join(", "), functions[number % functions.len()]);
            let (from, to) = (r#type(shape), r#type(&result));
            text += &format!(
                "func.func @{function}_{number}(%a: {from}) -> {to} {{\n  \
                 %0 = \"ttir.{function}\"(%a) <{{dim_arg = [{dims}], keep_dim = {keeps}}}> \
                 : ({from}) -> {to}\n  return %0 : {to}\n}}\n"
            );
            number += 1;
        }
    }
    text
}

#[test]
fn reductions_on_tensix() {
    for element in some(&["bf16", "f32"], 1) {
        let name = format!("reductions_{element}");
        let text = reductions(element, REDUCTIONS);
        on_tensix(&compile_for(Arch::WormholeB0, "", &name, &text));
    }
}

#[test]
fn reductions_on_mncore() {
    for element in some(&["f32", "bf16"], 1) {
        let name = format!("reductions_mncore_{element}");
        let text = reductions(element, REDUCTIONS);
        on_mncore(&compile_with("--ttir-to-mncore-pipeline", &name, &text));
    }
}

/// Integer reductions give the bits of the reference.
#[test]
fn reductions_of_integers() {
    let text = reductions("si32", &["sum", "max", "min"]);
    let binary = compile_for(Arch::WormholeB0, "", "reductions_si32", &text);
    for program in &binary.programs {
        let given = integers(program, 1);
        let device = TensixDevice::new(&binary, program, TensixOptions::default());
        let mut device = device.unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let found = judge_on(&mut device, program, &given);
        assert!(found == on_reference(program, &given), "{}", program.name);
    }
    let binary = compile_with("--ttir-to-mncore-pipeline", "reductions_mncore_si32", &text);
    for program in &binary.programs {
        let given = integers(program, 1);
        let mut device = MncoreDevice::new(&binary, program, MncoreOptions::default());
        let found = judge_on(&mut device, program, &given);
        assert!(found == on_reference(program, &given), "{}", program.name);
    }
}
