//! Small models on MN-Core 2, with every fusion mode: results are within the bounds of the chip.
//!
//! `TESSERA_LONG_TESTS=1` tests every size and mode instead of a few.

use tessera_program::{Binary, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions, Model};

use crate::bench::{compile_with, inputs, judge_on};
use crate::functions::{integers, FUNCTIONS, INTEGERS, TRANSPOSED};
use crate::models::{models, some, SIZES};

const VECTORS: &str = include_str!("../../data/vectors.mlir");
const VIEWS: &str = include_str!("../../data/views.mlir");

/// The fusion modes.
const FUSIONS: &[&str] = &["epilogue", "all", "none", "auto"];

/// What each program of a file gives on a model of the chip, after the golden has judged it. What a
/// kernel does not write it must not read: memories hold something else before.
fn on_board(
    binary: &Binary,
    model: Model,
    given: &dyn Fn(&Program) -> Vec<Tensor>,
) -> Vec<Vec<Tensor>> {
    let programs = binary.programs.iter();
    programs
        .map(|program| {
            let options = MncoreOptions {
                model,
                memory_canaries: true,
                ..MncoreOptions::default()
            };
            let mut device = MncoreDevice::new(binary, program, options);
            judge_on(&mut device, program, &given(program))
        })
        .collect()
}

/// The models with other elements.
fn models_of(element: &str, extents: [u64; 3]) -> String {
    models(extents).replace("bf16", element)
}

/// Models of these extents.
fn check(element: &str, extents: [u64; 3], fusion: &str) {
    let name = format!("mncore_{element}_{extents:?}_{fusion}");
    let given = |program: &Program| inputs(program, 1);
    let options = format!("fusion={fusion}");
    check_text(&name, &models_of(element, extents), &options, &given);
}

/// Returns the model that stops where something would not have arrived yet gives what the fast one
/// gives.
fn check_text(name: &str, ttir: &str, options: &str, given: &dyn Fn(&Program) -> Vec<Tensor>) {
    let pipeline = format!("--ttir-to-mncore-pipeline={options}");
    let binary = compile_with(&pipeline, name, ttir);
    let found = on_board(&binary, Model::Timed, given);
    assert!(found == on_board(&binary, Model::Fast, given), "{name}");
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

#[test]
fn functions_are_within_their_bounds_on_mncore() {
    for fusion in some(FUSIONS, 1) {
        for element in some(&["f32", "bf16"], 1) {
            let ttir = FUNCTIONS.replace("x?>", &format!("x{element}>"));
            let name = format!("mncore_functions_{element}_{fusion}");
            let given = |program: &Program| inputs(program, 1);
            check_text(&name, &ttir, &format!("fusion={fusion}"), &given);
        }
    }
}

#[test]
fn integers_are_those_of_the_reference_on_mncore() {
    for fusion in some(FUSIONS, 1) {
        let name = format!("mncore_integers_{fusion}");
        let options = format!("fusion={fusion}");
        check_text(&name, INTEGERS, &options, &|program| integers(program, 1));
    }
}

/// What operations see otherwise than the tensors lie: along any dimension, transposed, as a
/// column.
#[test]
fn views_are_within_their_bounds_on_mncore() {
    for (name, ttir) in [
        ("views", VIEWS),
        ("vectors", VECTORS),
        ("transposed", TRANSPOSED),
    ] {
        for element in some(&["f32", "bf16"], 2) {
            let ttir = ttir.replace("?>", &format!("{element}>"));
            let given = |program: &Program| inputs(program, 1);
            let name = format!("mncore_{name}_{element}");
            check_text(&name, &ttir, "fusion=epilogue", &given);
        }
    }
    let ttir = VIEWS.replace("?>", "i32>");
    let given = |program: &Program| integers(program, 1);
    check_text("mncore_views_i32", &ttir, "fusion=epilogue", &given);
}

/// A factor of singles that the kernel computes itself keeps all its bits, and one that it
/// transposes.
#[test]
fn computed_factors_are_not_rounded_on_mncore() {
    let ttir = r#"
        func.func @computed(%a: tensor<40x70xf32>, %b: tensor<50x70xf32>) -> tensor<40x50xf32> {
          %0 = "ttir.tanh"(%a) : (tensor<40x70xf32>) -> tensor<40x70xf32>
          %1 = "ttir.relu"(%b) : (tensor<50x70xf32>) -> tensor<50x70xf32>
          %2 = "ttir.matmul"(%0, %1) <{transpose_b = true}> : (tensor<40x70xf32>, tensor<50x70xf32>) -> tensor<40x50xf32>
          return %2 : tensor<40x50xf32>
        }
    "#;
    let given = |program: &Program| inputs(program, 1);
    for precision in ["auto", "double"] {
        let options = format!("fusion=all precision={precision}");
        check_text(
            &format!("mncore_computed_{precision}"),
            ttir,
            &options,
            &given,
        );
    }
}

/// The half by which a mean of two is multiplied is one of the constants of what follows: it has
/// one place for both.
#[test]
fn constants_that_two_need_on_mncore() {
    for function in ["gelu", "silu", "erf"] {
        let ttir = format!(
            r#"
        func.func @mean(%a: tensor<2x2xf32>) -> tensor<2x1xf32> {{
          %0 = "ttir.mean"(%a) <{{dim_arg = [1 : i32], keep_dim = true}}> : (tensor<2x2xf32>) -> tensor<2x1xf32>
          %1 = "ttir.{function}"(%0) : (tensor<2x1xf32>) -> tensor<2x1xf32>
          return %1 : tensor<2x1xf32>
        }}
    "#
        );
        let given = |program: &Program| inputs(program, 1);
        let name = format!("mncore_mean_{function}");
        check_text(&name, &ttir, "fusion=epilogue", &given);
    }
}

/// A matrix times itself is read in two ways, and given once.
#[test]
fn squares_on_mncore() {
    let ttir = r#"
        func.func @square(%a: tensor<70x70xf32>) -> tensor<70x70xf32> {
          %0 = "ttir.matmul"(%a, %a) : (tensor<70x70xf32>, tensor<70x70xf32>) -> tensor<70x70xf32>
          return %0 : tensor<70x70xf32>
        }
    "#;
    let given = |program: &Program| inputs(program, 1);
    check_text("mncore_square", ttir, "fusion=auto", &given);
}

/// Each is held to the bound of its own.
#[test]
fn precisions_keep_their_bounds_on_mncore() {
    let ttir = r#"
        func.func @linear(%a: tensor<40x70xf32>, %b: tensor<70x50xf32>, %c: tensor<50xf32>) -> tensor<40x50xf32> {
          %0 = "ttir.linear"(%a, %b, %c) : (tensor<40x70xf32>, tensor<70x50xf32>, tensor<50xf32>) -> tensor<40x50xf32>
          return %0 : tensor<40x50xf32>
        }
    "#;
    let given = |program: &Program| inputs(program, 1);
    for precision in ["half", "single", "double"] {
        let options = format!("precision={precision}");
        check_text(&format!("mncore_{precision}"), ttir, &options, &given);
    }
}
