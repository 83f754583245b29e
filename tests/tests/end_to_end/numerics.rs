//! Every operation in every kind of shape, checked against its error bounds.

use std::sync::OnceLock;

use tessera_isa_tensix::{Arch, Opcode};
use tessera_ops::{AttributeValue, ComputeConfig, MathFidelity};
use tessera_program::{Binary, DataType, Op, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::tensix::{Figures, TensixOptions};

use crate::bench::{
    compile, compile_for, compile_with, function, inputs, judge, keeps_bounds, on_reference,
    on_tensix, only,
};

/// Operation, operands, result.
type Row = (&'static str, &'static [&'static str], &'static str);

const PRODUCTS: &[Row] = &[
    ("matmul", &["1x1", "1x1"], "1x1"),
    ("matmul", &["31x32", "32x33"], "31x33"),
    ("matmul", &["33x65", "65x97"], "33x97"),
    ("matmul", &["97x1", "1x97"], "97x97"),
    ("matmul", &["1x97", "97x1"], "1x1"),
    ("matmul", &["64x128", "128x96"], "64x96"),
    // A vector is a row; of more than two dimensions, all but two count matrices.
    ("matmul", &["40", "40x35"], "35"),
    ("matmul", &["2x33x40", "40x35"], "2x33x35"),
    ("matmul", &["2x33x40", "1x40x35"], "2x33x35"),
    ("matmul", &["33x40", "2x40x35"], "2x33x35"),
    ("matmul", &["2x33x40", "2x40x35"], "2x33x35"),
    ("matmul", &["2x3x5x40", "1x1x40x35"], "2x3x5x35"),
    ("matmul", &["2x3x5x40", "2x3x40x7"], "2x3x5x7"),
    ("linear", &["33x65", "65x97"], "33x97"),
    ("linear", &["33x65", "65x97", "97"], "33x97"),
    ("linear", &["33x65", "65x97", "1x97"], "33x97"),
    ("linear", &["33x65", "65x97", "33x1"], "33x97"),
    ("linear", &["33x65", "65x97", "1x1"], "33x97"),
    ("linear", &["33x65", "65x97", "1"], "33x97"),
    ("linear", &["33x65", "65x97", "33x97"], "33x97"),
    ("linear", &["32x32", "32x32", "32"], "32x32"),
    ("linear", &["1x1", "1x1", "1"], "1x1"),
    ("linear", &["2x33x40", "40x35", "35"], "2x33x35"),
    ("linear", &["2x33x40", "40x35", "33x1"], "2x33x35"),
    ("linear", &["2x33x40", "40x35", "2x1x35"], "2x33x35"),
    ("linear", &["2x33x40", "2x40x35", "2x33x35"], "2x33x35"),
    ("linear", &["33x40", "40x35", "2x33x35"], "2x33x35"),
];

/// Shapes of the left operand, the right operand and the result of binary operations.
const PAIRS: &[[&str; 3]] = &[
    ["1", "1", "1"],
    ["97", "97", "97"],
    ["32x32", "32x32", "32x32"],
    ["31x33", "31x33", "31x33"],
    ["97x65", "97x65", "97x65"],
    // A row, a column, one element; on either side.
    ["33x97", "1x97", "33x97"],
    ["1x97", "33x97", "33x97"],
    ["33x97", "97", "33x97"],
    ["97", "33x97", "33x97"],
    ["97x33", "97x1", "97x33"],
    ["97x1", "97x33", "97x33"],
    ["33x65", "1x1", "33x65"],
    ["1x1", "33x65", "33x65"],
    ["33x65", "1", "33x65"],
    ["64x64", "1x64", "64x64"],
    ["64x64", "64x1", "64x64"],
    ["1x33", "1x1", "1x33"],
    ["33x1", "1x1", "33x1"],
    // Sequences of matrices, each with its own or all with the same.
    ["2x3x33x40", "2x3x33x40", "2x3x33x40"],
    ["2x33x40", "33x40", "2x33x40"],
    ["2x33x40", "33x1", "2x33x40"],
    ["33x1", "2x33x40", "2x33x40"],
    ["2x33x40", "2x1x40", "2x33x40"],
    ["2x1x1", "2x33x40", "2x33x40"],
    ["2x33x40", "40", "2x33x40"],
    ["40", "2x33x40", "2x33x40"],
    ["2x3x5x40", "1x1x1x40", "2x3x5x40"],
    ["2x3x5x40", "2x3x5x1", "2x3x5x40"],
    ["2x3x5x1", "2x3x5x40", "2x3x5x40"],
    ["2x3x5x40", "1x1x1x1", "2x3x5x40"],
];

const SINGLES: &[&str] = &["1", "97", "1x1", "31x32", "33x97", "64x64", "2x3x33x40"];

/// Returns all rows: operation, operands, result.
fn rows() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    let products = PRODUCTS
        .iter()
        .map(|(op, operands, result)| (*op, operands.to_vec(), *result));
    let binary = ["add", "subtract", "multiply"].into_iter();
    let pairs = binary.flat_map(|op| {
        PAIRS
            .iter()
            .map(move |[a, b, result]| (op, vec![*a, *b], *result))
    });
    let unary = ["relu", "neg"].into_iter();
    let singles = unary.flat_map(|op| SINGLES.iter().map(move |shape| (op, vec![*shape], *shape)));
    products.chain(pairs).chain(singles).collect()
}

/// Returns a function of one operation, named after the operation and its shapes.
fn named(op: &str, operands: &[&str], result: &str, element: &str) -> String {
    let name = format!("{op}_{}", operands.join("_and_"));
    function(&name, op, operands, result, element)
}

/// Returns the program files of all rows, compiled once, one file for each operation. A program is
/// named after its operation and shapes.
pub fn operations() -> &'static [Binary] {
    static OPERATIONS: OnceLock<Vec<Binary>> = OnceLock::new();
    OPERATIONS.get_or_init(|| {
        let rows = rows();
        let of_one_operation = rows.chunk_by(|a, b| a.0 == b.0);
        let compile_all = |rows: &[(&str, Vec<&str>, &str)]| {
            let functions = rows
                .iter()
                .map(|(op, operands, result)| named(op, operands, result, "bf16"));
            let binary = compile(
                &format!("operations_{}", rows[0].0),
                &functions.collect::<String>(),
            );
            assert_eq!(binary.programs.len(), rows.len());
            binary
        };
        of_one_operation.map(compile_all).collect()
    })
}

#[test]
fn operations_are_within_their_bounds() {
    for binary in operations() {
        for (program, seed) in binary.programs.iter().zip(0..) {
            judge(binary, program, &inputs(program, seed));
        }
    }
}

/// Products of f32, whose factors are truncated to TF32, and linear operations, whose bias is not.
#[test]
fn products_of_f32_are_within_their_bounds() {
    let functions = PRODUCTS
        .iter()
        .map(|(op, operands, result)| named(op, operands, result, "f32"));
    let text: String = functions.collect();
    for arch in Arch::ALL {
        let binary = compile_for(arch, "", &format!("products_of_f32_{arch}"), &text);
        assert_eq!(binary.programs.len(), PRODUCTS.len());
        for (program, seed) in binary.programs.iter().zip(0..) {
            judge(&binary, program, &inputs(program, seed));
        }
    }
}

/// Resident operands may take a mebibyte of L1. Results then have addresses that do not fit half a
/// GPR.
#[test]
fn results_beyond_a_mebibyte_are_addressed() {
    let text = function("far", "matmul", &["33x128", "128x1888"], "33x1888", "f32");
    for arch in Arch::ALL {
        let binary = compile_for(arch, "block=1x1", "results_behind_a_mebibyte", &text);
        let program = only(&binary);
        judge(&binary, program, &inputs(program, 0));
    }
}

/// The matrix unit reads ten fraction bits of the left f32 factor and nine of the right one.
#[test]
fn factors_of_f32_are_truncated() {
    let text = function("cut", "matmul", &["1x1", "1x1"], "1x1", "f32");
    let one_and = |k: i32| 1.0 + 2f64.powi(-k);
    for arch in Arch::ALL {
        let binary = compile_for(arch, "", "cut", &text);
        for (a, b, expect) in [
            (one_and(10), 1.0, one_and(10)),
            (1.0, one_and(9), one_and(9)),
            (one_and(10), -one_and(9), -one_and(10) * one_and(9)),
            (one_and(11), 3.0, 3.0),
            (-3.0, one_and(10), -3.0),
            (one_and(10) + 2f64.powi(-11), 1.0, one_and(10)),
        ] {
            let factors = [a, b].map(|value| {
                Tensor::from_f64s(vec![1, 1], DataType::F32, &[value]).expect("exact")
            });
            let run = on_tensix(&binary, only(&binary), &factors, TensixOptions::default());
            let (found, _) = run.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(found[0].to_f64s(), [expect], "{a} times {b} on {arch}");
        }
    }
}

/// Products are within the error bounds of the requested fidelity, and outside of those of the next
/// higher one.
#[test]
fn fidelities_are_within_their_bounds() {
    let shapes = [
        ["33x65", "65x97", "97", "33x97"],
        ["64x256", "256x64", "64", "64x64"],
    ];
    let text = |element| -> String {
        let functions = shapes
            .iter()
            .enumerate()
            .map(|(number, [a, b, bias, result])| {
                function(
                    &format!("product_{number}"),
                    "matmul",
                    &[a, b],
                    result,
                    element,
                ) + &function(
                    &format!("linear_{number}"),
                    "linear",
                    &[a, b, bias],
                    result,
                    element,
                )
            });
        functions.collect()
    };
    use MathFidelity::{HiFi2, HiFi3, HiFi4, LoFi};
    for (fidelity, next) in [
        (LoFi, Some(HiFi2)),
        (HiFi2, Some(HiFi3)),
        (HiFi3, Some(HiFi4)),
        (HiFi4, None),
    ] {
        for element in ["bf16", "f32"] {
            let pipeline =
                format!("--ttir-to-tensix-pipeline=compute-cfg-math-fidelity={fidelity}");
            let name = format!("fidelity_{fidelity}_{element}");
            let binary = compile_with(&pipeline, &name, &text(element));
            check_fidelity(&binary, fidelity, next);
        }
    }
}

fn check_fidelity(binary: &Binary, fidelity: MathFidelity, next: Option<MathFidelity>) {
    for program in &binary.programs {
        let inputs = inputs(program, 9);
        let runs = judge(binary, program, &inputs);
        let steps = Figures::from_run(&runs[0]).steps;
        assert!(
            steps > 0
                && runs[0].stats.count(Opcode::Mvmul) == 16 * u64::from(fidelity.phases()) * steps
        );
        // What HiFi4 adds to HiFi3 is too little to show.
        let Some(next) = next.filter(|next| *next != MathFidelity::HiFi4) else {
            continue;
        };
        let mut claimed = program.clone();
        claim(&mut claimed, next);
        assert!(
            !keeps_bounds(binary, &claimed, &inputs),
            "{} at {fidelity} keeps the bounds of {next}",
            program.name
        );
    }
}

/// Changes the fidelity that a program declares for its products.
fn claim(program: &mut Program, fidelity: MathFidelity) {
    for operation in &mut program.operations {
        let Op::Kernel(group) = &mut operation.op else {
            continue;
        };
        for inner in &mut group.operations {
            let Some(product) = inner.op.product() else {
                continue;
            };
            let config = product.compute_config.expect("the pipeline sets it");
            let config = ComputeConfig {
                math_fidelity: fidelity,
                ..config
            };
            if let Op::Tensor(op) = &mut inner.op {
                let value = AttributeValue::ComputeConfig(config);
                op.attributes.set("compute_config", value);
            }
        }
    }
}

/// Returns all bf16 values of exponents -111 to 127, and zeros: 240 x 256.
///
/// Smaller ones are left out: to the chip denormals are zeros, and the later fidelity phases of a
/// product below 2^-114 underflow, so its last bits are lost. Nor do products overflow by 24
/// binades or more: there a later phase aligns the infinity that an earlier one has left, a finite
/// number to it, and shifts it out.
fn values() -> Tensor {
    let exponents = std::iter::once(0).chain(16..255);
    let with_signs = exponents.flat_map(|e| [e << 7, 1 << 15 | e << 7]);
    let bits = with_signs.flat_map(|first: u16| {
        (0..128).map(move |m| {
            if first & 0x7f80 == 0 {
                first
            } else {
                first | m
            }
        })
    });
    let bytes = bits.flat_map(u16::to_le_bytes).collect();
    Tensor::new(vec![240, 256], DataType::BF16, bytes).expect("240 exponents of 256 values")
}

/// One operand runs through all values. The other one is a single element, below the size at which
/// results overflow.
#[test]
fn every_value_is_an_operand_of_every_elementwise_operation() {
    let mut text = String::new();
    for op in ["add", "subtract", "multiply"] {
        text += &function(op, op, &["240x256", "1x1"], "240x256", "bf16");
        text += &function(
            &format!("{op}_from"),
            op,
            &["1x1", "240x256"],
            "240x256",
            "bf16",
        );
    }
    for op in ["relu", "neg"] {
        text += &function(op, op, &["240x256"], "240x256", "bf16");
    }
    let binary = compile("every_value", &text);
    for program in &binary.programs {
        let largest = if program.name.starts_with("multiply") {
            -255.0
        } else {
            3.0e38
        };
        for other in [0.0, -1.0, 1.0078125, largest] {
            let other =
                Tensor::from_f64s(vec![1, 1], DataType::BF16, &[other]).expect("one element");
            let is_other = |id| program.tensor(id).is_some_and(|desc| desc.elements() == 1);
            let inputs: Vec<_> = program
                .inputs
                .iter()
                .map(|&id| {
                    if is_other(id) {
                        other.clone()
                    } else {
                        values()
                    }
                })
                .collect();
            judge(&binary, program, &inputs);
        }
    }
}

/// Chains of operations, operands used twice, creation operations, tensors in host memory, several
/// results, and calls.
#[test]
fn chains_are_within_their_bounds() {
    let binary = compile("chains", include_str!("../../data/chains.mlir"));
    let public: Vec<_> = binary
        .programs
        .iter()
        .filter(|program| !program.private)
        .collect();
    assert_eq!(public.len(), 7);
    for program in public {
        judge(&binary, program, &inputs(program, 1));
    }
}

/// Programs without kernels are for the reference device.
#[test]
fn f32_runs_on_the_reference() {
    let text = function("sum", "add", &["2x2", "1x2"], "2x2", "f32");
    let binary = compile_with("--ttir-to-ttnn-runtime-pipeline", "sum", &text);
    let tensor = |shape: &[u64], values: &[f64]| {
        Tensor::from_f64s(shape.to_vec(), DataType::F32, values).expect("small")
    };
    let (left, right) = ([1.5, 2.0, 3.0, 2.0_f64.powi(-23)], [0.25, 1.0]);
    let inputs = [tensor(&[2, 2], &left), tensor(&[1, 2], &right)];
    let outputs = on_reference(only(&binary), &inputs);
    assert_eq!(
        outputs[0].to_f64s(),
        [1.75, 3.0, 3.25, 1.0 + 2.0_f64.powi(-23)]
    );
}
