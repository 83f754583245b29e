//! Broadcasting as in NumPy, in element-wise operations of every rank, on every device and with
//! every fusion mode.
//!
//! `TESSERA_LONG_TESTS=1` tests every function and mode for each pair of shapes instead of one.

use tessera_isa_tensix::Arch;
use tessera_program::{Binary, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::interpreter::InterpreterDevice;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions};
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::Device;

use crate::bench::{compile_for, compile_with, inputs, judge_on, on_reference};
use crate::functions::integers;
use crate::models::some;

/// Shapes of two operands.
const PAIRS: &[[&[u64]; 2]] = &[
    [&[64, 1], &[1, 10]],
    [&[2, 1, 32, 32], &[2, 3, 32, 32]],
    [&[4, 1, 8], &[1, 5, 8]],
    [&[2, 3, 7, 5], &[2, 1, 7, 1]],
    [&[2, 1, 7, 1], &[1, 3, 1, 50]],
    [&[2, 1, 3, 1, 5], &[4, 1, 6, 1]],
    [&[], &[]],
    [&[], &[33, 40]],
    [&[33], &[1]],
    [&[7, 1], &[33]],
    [&[3, 1, 1], &[1, 40]],
    [&[1, 1, 1, 1], &[2, 33]],
    [&[40, 1], &[3, 1, 33]],
    [&[2, 1, 1, 33], &[3, 34, 1]],
    [&[2, 1, 5, 33, 1], &[3, 1, 1, 33]],
];

/// Shapes of three operands.
const TRIPLES: &[[&[u64]; 3]] = &[
    [&[], &[4, 1, 3], &[5, 1]],
    [&[7, 1], &[1, 40], &[]],
    [&[2, 1, 33, 1], &[3, 1, 1], &[2, 3, 1, 34]],
    [&[1, 4], &[3, 4], &[3, 1]],
];

const FLOATS: &[&str] = &["add", "subtract", "multiply", "maximum", "lt", "div"];
const INTEGERS: &[&str] = &[
    "subtract",
    "logical_right_shift",
    "multiply",
    "minimum",
    "gt",
    "add",
];
const FUSIONS: &[&str] = &["epilogue", "none", "auto", "all"];

/// Returns the shape that operands broadcast to.
fn broadcast(shapes: &[&[u64]]) -> Vec<u64> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let extent = |dim: usize| {
        let own = |shape: &&[u64]| (dim + shape.len()).checked_sub(rank).map(|dim| shape[dim]);
        let extents = shapes.iter().filter_map(own);
        extents.max().unwrap_or(1)
    };
    (0..rank).map(extent).collect()
}

fn tensor(shape: &[u64], element: &str) -> String {
    let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
    format!("tensor<{extents}{element}>")
}

/// Returns a function of operations that each read values by name.
fn function(
    name: &str,
    element: &str,
    arguments: &[&[u64]],
    ops: &[(&str, &[usize], Vec<u64>)],
) -> String {
    let mut values: Vec<(String, String)> = Vec::new();
    for shape in arguments {
        values.push((format!("%a{}", values.len()), tensor(shape, element)));
    }
    let given: Vec<_> = values
        .iter()
        .map(|(name, kind)| format!("{name}: {kind}"))
        .collect();
    let mut lines = String::new();
    for (op, operands, shape) in ops {
        let read: Vec<_> = operands.iter().map(|&number| &values[number]).collect();
        let names: Vec<&str> = read.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<&str> = read.iter().map(|(_, kind)| kind.as_str()).collect();
        let (made, result) = (format!("%v{}", values.len()), tensor(shape, element));
        lines += &format!(
            "  {made} = \"ttir.{op}\"({}) : ({}) -> {result}\n",
            names.join(", "),
            types.join(", ")
        );
        values.push((made, result));
    }
    let (last, kind) = &values[values.len() - 1];
    format!(
        "func.func @{name}({}) -> {kind} {{\n{lines}  return {last} : {kind}\n}}\n",
        given.join(", ")
    )
}

/// Returns functions with one operation on each pair, `where` and `clamp` on each triple, and
/// chains with several broadcasts and scalars.
fn functions(element: &str) -> String {
    let names = if element == "i32" { INTEGERS } else { FLOATS };
    let mut text = String::new();
    for (number, pair) in PAIRS.iter().enumerate() {
        let result = broadcast(pair);
        let mut turned = names.to_vec();
        turned.rotate_left(number % names.len());
        for (op, order) in some(&turned, 1)
            .iter()
            .zip([[0, 1], [1, 0]].into_iter().cycle())
        {
            let name = format!("pair_{number}_{op}");
            text += &function(&name, element, pair, &[(op, &order[..], result.clone())]);
        }
    }
    for (number, triple) in TRIPLES.iter().enumerate() {
        let result = broadcast(triple);
        for op in some(&["where", "clamp_tensor"], 2) {
            let name = format!("triple_{number}_{op}");
            text += &function(&name, element, triple, &[(op, &[0, 1, 2], result.clone())]);
        }
    }
    let full = || vec![4, 5, 8];
    text += &function(
        "chain",
        element,
        &[&[4, 1, 8], &[1, 5, 8], &[4, 1, 1], &[8]],
        &[
            ("add", &[0, 1], full()),
            ("multiply", &[2, 4], full()),
            ("where", &[3, 5, 0], full()),
            ("maximum", &[6, 3], full()),
        ],
    );
    // The value of a chain is broadcast.
    text += &function(
        "grows",
        element,
        &[&[33, 1], &[1, 40], &[2, 1, 1], &[]],
        &[
            ("neg", &[0], vec![33, 1]),
            ("add", &[4, 3], vec![33, 1]),
            ("multiply", &[5, 1], vec![33, 40]),
            ("subtract", &[2, 6], vec![2, 33, 40]),
            ("abs", &[7], vec![2, 33, 40]),
        ],
    );
    let scalar = Vec::new;
    text + &function(
        "scalars",
        element,
        &[&[], &[]],
        &[
            ("subtract", &[0, 1], scalar()),
            ("abs", &[2], scalar()),
            ("add", &[3, 0], scalar()),
        ],
    )
}

fn given(program: &Program, element: &str) -> Vec<Tensor> {
    match element {
        "i32" => integers(program, 1),
        _ => inputs(program, 1),
    }
}

/// Makes a device for a program of a file.
type Open = for<'a> fn(&'a Binary, &'a Program) -> Box<dyn Device + 'a>;

fn tensix<'a>(binary: &'a Binary, program: &'a Program) -> Box<dyn Device + 'a> {
    let options = TensixOptions {
        padding_canaries: true,
        ..TensixOptions::default()
    };
    let device = TensixDevice::new(binary, program, options);
    Box::new(device.unwrap_or_else(|error| panic!("{}: {error}", program.name)))
}

fn mncore<'a>(binary: &'a Binary, program: &'a Program) -> Box<dyn Device + 'a> {
    let options = MncoreOptions {
        memory_canaries: true,
        ..MncoreOptions::default()
    };
    Box::new(MncoreDevice::new(binary, program, options))
}

/// Runs on the interpreter, which computes integers as the reference does, and on a chip.
fn check(element: &str, binary: &Binary, chip: Open) {
    for program in &binary.programs {
        let given = given(program, element);
        let mut interpreter = InterpreterDevice::new(binary, program, None);
        judge_on(&mut interpreter, program, &given);
        let found = judge_on(&mut *chip(binary, program), program, &given);
        if element == "i32" {
            assert!(found == on_reference(program, &given), "{}", program.name);
        }
    }
}

fn check_tensix(arch: Arch, elements: &[&str]) {
    for (number, element) in elements.iter().enumerate() {
        let mut ways = FUSIONS.to_vec();
        ways.rotate_left(number);
        for fusion in some(&ways, 1) {
            let name = format!("broadcasts_{element}_{fusion}");
            let options = format!("fusion={fusion}");
            let binary = compile_for(arch, &options, &name, &functions(element));
            check(element, &binary, tensix);
        }
    }
}

#[test]
fn broadcasts_on_wormhole() {
    check_tensix(Arch::WormholeB0, some(&["bf16", "i32", "f32"], 2));
}

#[test]
fn broadcasts_on_blackhole() {
    check_tensix(Arch::Blackhole, some(&["f32", "bf16", "i32"], 1));
}

#[test]
fn broadcasts_on_mncore() {
    for (number, element) in ["bf16", "f32", "i32"].into_iter().enumerate() {
        let mut ways = FUSIONS.to_vec();
        ways.rotate_left(number);
        for fusion in some(&ways, 1) {
            let name = format!("broadcasts_mncore_{element}_{fusion}");
            let pipeline = format!("--ttir-to-mncore-pipeline=fusion={fusion}");
            let binary = compile_with(&pipeline, &name, &functions(element));
            check(element, &binary, mncore);
        }
    }
}

/// The reference device broadcasts like NumPy, compared element by element by the strides of each
/// operand.
#[test]
fn the_reference_broadcasts_as_numpy() {
    let pairs = PAIRS.iter().enumerate().map(|(number, pair)| {
        let ops = [("maximum", &[0, 1][..], broadcast(pair))];
        function(&format!("maximum_{number}"), "i32", pair, &ops)
    });
    let text: String = pairs.collect();
    let pipeline = "--ttir-to-ttnn-runtime-pipeline";
    let binary = compile_with(pipeline, "broadcasts_reference", &text);
    for (program, pair) in binary.programs.iter().zip(PAIRS) {
        let given = integers(program, 1);
        let found = on_reference(program, &given);
        let operands: Vec<Vec<f64>> = given.iter().map(Tensor::to_f64s).collect();
        let result = broadcast(pair);
        let element = |number: usize| {
            let values = pair.iter().zip(&operands).map(|(shape, values)| {
                let (mut rest, mut stride, mut at) = (number, 1, 0);
                for (from_end, extent) in result.iter().rev().enumerate() {
                    let index = rest % *extent as usize;
                    rest /= *extent as usize;
                    if let Some(own) = shape.iter().rev().nth(from_end) {
                        at += index % *own as usize * stride;
                        stride *= *own as usize;
                    }
                }
                values[at]
            });
            values.fold(f64::NEG_INFINITY, f64::max)
        };
        let count = result.iter().product::<u64>() as usize;
        let expect: Vec<f64> = (0..count).map(element).collect();
        assert_eq!(found[0].to_f64s(), expect, "{pair:?}");
    }
}
