//! Small models on MN-Core 2, with every fusion mode: results are within the error bounds of the
//! chip.
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

/// Runs the programs of a file on a model of the chip, checks error bounds, and returns the
/// results. Memories are filled before each kernel, so that reads of unwritten words show.
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

/// Returns the models with another element type.
fn models_of(element: &str, extents: [u64; 3]) -> String {
    models(extents).replace("bf16", element)
}

/// Compiles and checks the models with these extents.
fn check(element: &str, extents: [u64; 3], fusion: &str) {
    let name = format!("mncore_{element}_{extents:?}_{fusion}");
    let given = |program: &Program| inputs(program, 1);
    let options = format!("fusion={fusion}");
    check_text(&name, &models_of(element, extents), &options, &given);
}

/// Checks that the timed model, which traps on data that has not arrived yet, gives the results of
/// the fast one.
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
fn integers_match_the_reference_on_mncore() {
    for fusion in some(FUSIONS, 1) {
        let name = format!("mncore_integers_{fusion}");
        let options = format!("fusion={fusion}");
        check_text(&name, INTEGERS, &options, &|program| integers(program, 1));
    }
}

/// Operations on views of their operands: along any dimension, transposed, as a column.
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

/// An f32 factor that the kernel computes or transposes itself keeps all its bits.
#[test]
fn computed_factors_are_not_rounded_on_mncore() {
    let ttir = r#"
        func.func @computed(%a: tensor<40x70xf32>, %b: tensor<50x70xf32>) -> tensor<40x50xf32> {
          %0 = "ttir.tanh"(%a) : (tensor<40x70xf32>) -> tensor<40x70xf32>
          %1 = "ttir.relu"(%b) : (tensor<50x70xf32>) -> tensor<50x70xf32>
          %2 = "ttir.matmul"(%0, %1) <{transpose_b = true}>
            : (tensor<40x70xf32>, tensor<50x70xf32>) -> tensor<40x50xf32>
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

/// The factor 0.5 of a mean of two elements is also a constant of the next operation; both share
/// one word.
#[test]
fn shared_constants_on_mncore() {
    for function in ["gelu", "silu", "erf"] {
        let ttir = format!(
            r#"
        func.func @mean(%a: tensor<2x2xf32>) -> tensor<2x1xf32> {{
          %0 = "ttir.mean"(%a) <{{dim_arg = [1 : i32], keep_dim = true}}>
            : (tensor<2x2xf32>) -> tensor<2x1xf32>
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

/// A matrix times itself has two layouts, but is one argument.
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

/// Each precision is checked against its own error bound.
#[test]
fn precisions_keep_their_bounds_on_mncore() {
    let ttir = r#"
        func.func @linear(%a: tensor<40x70xf32>, %b: tensor<70x50xf32>, %c: tensor<50xf32>)
            -> tensor<40x50xf32> {
          %0 = "ttir.linear"(%a, %b, %c)
            : (tensor<40x70xf32>, tensor<70x50xf32>, tensor<50xf32>) -> tensor<40x50xf32>
          return %0 : tensor<40x50xf32>
        }
    "#;
    let given = |program: &Program| inputs(program, 1);
    for precision in ["half", "single", "double"] {
        let options = format!("precision={precision}");
        check_text(&format!("mncore_{precision}"), ttir, &options, &given);
    }
}
