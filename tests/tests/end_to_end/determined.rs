//! Programs on MN-Core 2 whose operands lie inside the domains of their functions. None reaches
//! behaviour that the manual leaves undetermined, not even in padding, and every result is within
//! its error bound.
//!
//! Padding is the risk: an operation may compute `1 / 0` there, and the next one multiply it by
//! zero.
//!
//! `TESSERA_LONG_TESTS=1` makes 10,000 random programs instead of a few, and
//! `TESSERA_PROGRAMS=2000..4000` those of them with these numbers, so that a long run can be split
//! and resumed.

mod generate;

use std::ops::Range;

use tessera_program::{Binary, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions};
use tessera_runtime::run;
use tessera_test_support::is_long_run;

use self::generate::{graph, LEAST, MOST};
use crate::bench::{judge_on, lower, translate, try_lower};
use crate::models::some;
use tessera_test_support::random::Rng;

/// The fusion modes.
const FUSIONS: &[&str] = &["epilogue", "none", "all", "auto"];

/// Shapes with padding along either dimension, both or none. In the last ones some cycles are not
/// transferred.
const SHAPES: &[[u64; 2]] = &[
    [64, 160],
    [33, 17],
    [512, 512],
    [1, 1],
    [600, 40],
    [40, 600],
];

/// Returns inputs within the bounds that [`generate`] assumes.
fn positive(program: &Program, seed: u64) -> Vec<Tensor> {
    let mut rng = Rng::new(seed);
    let descs = program.inputs.iter().filter_map(|&id| program.tensor(id));
    descs
        .map(|desc| {
            let mut element = || LEAST + (MOST - LEAST) * rng.below(4097) as f64 / 4096.0;
            let elements = desc.shape.iter().product::<u64>();
            let values: Vec<f64> = (0..elements).map(|_| element()).collect();
            Tensor::from_f64s(desc.shape.clone(), desc.data_type, &values)
                .expect("the values are such as the type has")
        })
        .collect()
}

/// Returns a device whose memories are filled before each kernel if `canaries`, and empty
/// otherwise.
fn device<'a>(binary: &'a Binary, program: &'a Program, canaries: bool) -> MncoreDevice<'a> {
    let options = MncoreOptions {
        memory_canaries: canaries,
        ..MncoreOptions::default()
    };
    MncoreDevice::new(binary, program, options)
}

/// Runs all programs of a file with empty memories, and checks the error bounds with filled ones.
fn check(binary: &Binary) {
    for program in &binary.programs {
        let given = positive(program, 1);
        let mut empty = device(binary, program, false);
        let found = run(&mut empty, program, given.clone(), None);
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let mut other = device(binary, program, true);
        let same = found == judge_on(&mut other, program, &given);
        assert!(same, "{}", program.name);
    }
}

/// Functions of `%x`, and perhaps `%y`, or of [`FRACTION`].
const FUNCTIONS: &[(&str, &str)] = &[
    ("abs", "%x"),
    ("neg", "%x"),
    ("relu", "%x"),
    ("exp", "%x"),
    ("log", "%x"),
    ("log1p", "%x"),
    ("sin", "%x"),
    ("cos", "%x"),
    ("floor", "%x"),
    ("ceil", "%x"),
    ("trunc", "%x"),
    ("round", "%x"),
    ("frac", "%x"),
    ("sign", "%x"),
    ("signbit", "%x"),
    ("isfinite", "%x"),
    ("exp2", "%x"),
    ("expm1", "%x"),
    ("cbrt", "%x"),
    ("tan", "%x"),
    ("asin", "%fraction"),
    ("acos", "%fraction"),
    ("atan", "%x"),
    ("asinh", "%x"),
    ("erfc", "%x"),
    ("sqrt", "%x"),
    ("rsqrt", "%x"),
    ("reciprocal", "%x"),
    ("sigmoid", "%x"),
    ("tanh", "%x"),
    ("erf", "%x"),
    ("gelu", "%x"),
    ("silu", "%x"),
    ("logical_not", "%x"),
    ("add", "%x, %y"),
    ("subtract", "%x, %y"),
    ("multiply", "%x, %y"),
    ("div", "%x, %y"),
    ("pow", "%x, %y"),
    ("remainder", "%x, %y"),
    ("atan2", "%x, %y"),
    ("maximum", "%x, %y"),
    ("minimum", "%x, %y"),
    ("lt", "%x, %y"),
    ("logical_and", "%x, %y"),
];

/// A value between 0.6 and 0.9, for functions that are not defined above 1.
const FRACTION: &str = "%fraction = \"ttir.sigmoid\"(%x) : (tensor<RxCx?>) -> tensor<RxCx?>\n  ";

/// What follows a function. `?` stands for the element type, `R` and `C` for the numbers of rows
/// and columns.
const FOLLOWERS: &[(&str, &str)] = &[
    (
        "times",
        r#"%1 = "ttir.multiply"(%0, %z) : (tensor<RxCx?>, tensor<RxCx?>) -> tensor<RxCx?>"#,
    ),
    (
        "less_log",
        r#"%2 = "ttir.log"(%z) : (tensor<RxCx?>) -> tensor<RxCx?>
           %1 = "ttir.subtract"(%2, %0) : (tensor<RxCx?>, tensor<RxCx?>) -> tensor<RxCx?>"#,
    ),
    (
        "less_mean_of_rows_times",
        r#"%2 = "ttir.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}>
             : (tensor<RxCx?>) -> tensor<Rx1x?>
           %3 = "ttir.subtract"(%0, %2) : (tensor<RxCx?>, tensor<Rx1x?>) -> tensor<RxCx?>
           %1 = "ttir.multiply"(%3, %z) : (tensor<RxCx?>, tensor<RxCx?>) -> tensor<RxCx?>"#,
    ),
    (
        "over_sum_of_columns_times",
        r#"%2 = "ttir.sum"(%0) <{dim_arg = [0 : i32], keep_dim = true}>
             : (tensor<RxCx?>) -> tensor<1xCx?>
           %3 = "ttir.abs"(%2) : (tensor<1xCx?>) -> tensor<1xCx?>
           %4 = "ttir.exp"(%z) : (tensor<RxCx?>) -> tensor<RxCx?>
           %5 = "ttir.add"(%4, %3) : (tensor<RxCx?>, tensor<1xCx?>) -> tensor<RxCx?>
           %6 = "ttir.div"(%0, %5) : (tensor<RxCx?>, tensor<RxCx?>) -> tensor<RxCx?>
           %1 = "ttir.multiply"(%6, %z) : (tensor<RxCx?>, tensor<RxCx?>) -> tensor<RxCx?>"#,
    ),
    (
        "softmax_times",
        r#"%2 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<RxCx?>) -> tensor<RxCx?>
           %1 = "ttir.multiply"(%2, %z) : (tensor<RxCx?>, tensor<RxCx?>) -> tensor<RxCx?>"#,
    ),
    (
        "matmul",
        r#"%2 = "ttir.matmul"(%0, %z) <{transpose_b = true}>
             : (tensor<RxCx?>, tensor<RxCx?>) -> tensor<RxRx?>
           %3 = "ttir.abs"(%2) : (tensor<RxRx?>) -> tensor<RxRx?>
           %4 = "ttir.exp"(%w) : (tensor<RxRx?>) -> tensor<RxRx?>
           %5 = "ttir.add"(%3, %4) : (tensor<RxRx?>, tensor<RxRx?>) -> tensor<RxRx?>
           %6 = "ttir.rsqrt"(%5) : (tensor<RxRx?>) -> tensor<RxRx?>
           %7 = "ttir.multiply"(%6, %w) : (tensor<RxRx?>, tensor<RxRx?>) -> tensor<RxRx?>
           %1 = "ttir.matmul"(%7, %z) : (tensor<RxRx?>, tensor<RxCx?>) -> tensor<RxCx?>"#,
    ),
];

/// Returns every function with this follower, for an element type and a shape.
fn followed((name, text): (&str, &str), element: &str, [rows, columns]: [u64; 2]) -> String {
    let functions = FUNCTIONS.iter().map(|(function, operands)| {
        let type_of_operands = vec!["tensor<RxCx?>"; operands.split(',').count()].join(", ");
        let prologue = match operands.contains("%fraction") {
            true => FRACTION,
            false => "",
        };
        let function = format!(
            "func.func @{function}_{name}(%x: tensor<RxCx?>, %y: tensor<RxCx?>, %z: tensor<RxCx?>, \
             %w: tensor<RxRx?>) -> tensor<RxCx?> {{\n  \
             {prologue}%0 = \"ttir.{function}\"({operands}) : ({type_of_operands}) \
             -> tensor<RxCx?>\n  \
             {text}\n  return %1 : tensor<RxCx?>\n}}\n"
        );
        let [rows, columns] = [rows, columns].map(|extent| format!("{extent}x"));
        function
            .replace("RxRx", &rows.repeat(2))
            .replace("RxC", &format!("{rows}C"))
            .replace("Rx", &rows)
            .replace("Cx", &columns)
            .replace('?', element)
    });
    functions.collect()
}

/// Checks a follower. A long run covers every shape, type and fusion mode; otherwise each shape has
/// one type and one mode.
#[track_caller]
fn check_follower(number: usize) {
    let follower = FOLLOWERS[number];
    for (shape, at) in some(SHAPES, 2).iter().zip(number..) {
        let mut elements = ["bf16", "f32"];
        let mut fusions = FUSIONS.to_vec();
        elements.rotate_left(at % 2);
        fusions.rotate_left(at % FUSIONS.len());
        for fusion in some(&fusions, 1) {
            for element in some(&elements, 1) {
                let [rows, columns] = shape;
                let name = format!("{}_{element}_{rows}x{columns}_{fusion}", follower.0);
                let ttir = followed(follower, element, *shape);
                let pipeline = format!("--ttir-to-mncore-pipeline=fusion={fusion}");
                check(&translate(&name, &lower(&[&pipeline], &name, &ttir)));
            }
        }
    }
}

#[test]
fn functions_times_an_argument() {
    check_follower(0);
}

#[test]
fn functions_minus_a_logarithm() {
    check_follower(1);
}

#[test]
fn functions_minus_their_mean() {
    check_follower(2);
}

#[test]
fn functions_divided_by_their_sum() {
    check_follower(3);
}

#[test]
fn softmax_of_functions_times_an_argument() {
    check_follower(4);
}

#[test]
fn products_of_functions() {
    check_follower(5);
}

/// Programs in one file.
const BATCH: u64 = 20;

/// Returns the numbers of the files of programs to run.
fn batches() -> Range<u64> {
    if let Ok(text) = std::env::var("TESSERA_PROGRAMS") {
        let range = text
            .split_once("..")
            .expect("TESSERA_PROGRAMS is as 2000..4000");
        let [first, end] = [range.0, range.1].map(|number| number.parse::<u64>());
        let numbers = first.and_then(|first| end.map(|end| [first, end]));
        let [first, end] = numbers.expect("TESSERA_PROGRAMS is a range of numbers");
        return first / BATCH..end.div_ceil(BATCH);
    }
    if is_long_run() {
        0..10_000 / BATCH
    } else {
        0..2
    }
}

/// Programs of random operations; none may trap.
#[test]
fn random_programs() {
    let mut count = 0;
    for batch in batches() {
        let graphs: Vec<String> = (batch * BATCH..(batch + 1) * BATCH).map(graph).collect();
        let fusion = FUSIONS[batch as usize % FUSIONS.len()];
        for binary in compiled(batch, fusion, &graphs) {
            for program in &binary.programs {
                let mut device = device(&binary, program, batch % 2 == 1);
                let ran = run(&mut device, program, positive(program, batch), None);
                ran.unwrap_or_else(|error| panic!("{}, fusion={fusion}: {error}", program.name));
                count += 1;
            }
        }
    }
    let all = batches();
    assert_eq!(count, (all.end - all.start) * BATCH);
    println!(
        "programs {} to {}: none stopped",
        all.start * BATCH,
        all.end * BATCH
    );
}

/// Compiles programs together, or one by one if one of them does not fit a kernel.
fn compiled(batch: u64, fusion: &str, graphs: &[String]) -> Vec<Binary> {
    let compile = |name: &str, fusion: &str, ttir: &str| {
        let name = format!("determined_{name}_{fusion}");
        let pipeline = format!("--ttir-to-mncore-pipeline=fusion={fusion}");
        try_lower(&[&pipeline], &name, ttir).map(|lowered| translate(&name, &lowered))
    };
    if let Ok(all) = compile("batch", fusion, &graphs.concat()) {
        return vec![all];
    }
    let alone = graphs.iter().zip(0..).map(|(graph, number)| {
        let name = format!("{batch}_{number}");
        compile(&name, fusion, graph).or_else(|refusal| {
            assert!(refusal.contains("compile with fusion=none"), "{refusal}");
            compile(&name, "none", graph)
        })
    });
    let alone: Result<_, _> = alone.collect();
    alone.unwrap_or_else(|refusal| panic!("{refusal}"))
}
