//! Data movement: every element of the result is bit-identical to its source element, on both chips
//! and in the interpreter, for all shapes.
//!
//! The reference copies bytes by the index map of the operation table. Shapes cover full and
//! partial tiles, matrices smaller than a face, and several matrices.

use tessera_isa_tensix::Arch;
use tessera_program::{Binary, DataType, Program, TensorDesc};
use tessera_reference::Tensor;
use tessera_runtime::devices::interpreter::InterpreterDevice;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions};
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::{run, Device};

use crate::bench::{compile_for, compile_with, on_reference};
use tessera_test_support::random::Rng;

/// An operation with its attributes, the shapes of its operands, and the shape of its result.
type Case = (String, Vec<&'static str>, &'static str);

/// Shapes, permutations, and permuted shapes.
const PERMUTATIONS: &[(&str, &str, &str)] = &[
    ("3x40x50", "1, 0, 2", "40x3x50"),
    ("5x33x7", "2, 0, 1", "7x5x33"),
    ("2x32x64", "1, 0, 2", "32x2x64"),
    ("2x3x33x65", "1, 0, 2, 3", "3x2x33x65"),
    ("2x3x32x64", "1, 0, 2, 3", "3x2x32x64"),
    ("40", "0", "40"),
    ("2x3x4x37", "3, 0, 2, 1", "37x2x4x3"),
    ("2x3x2x17x3", "4, 3, 2, 1, 0", "3x17x2x3x2"),
];

/// Reshapes, whose attributes follow from the shapes.
const RESHAPES: &[(&str, &str)] = &[
    // Tiles stay as they are, or elements go to others.
    ("64x96", "2x32x96"),
    ("64x96", "32x192"),
    ("2x3x33x65", "6x33x65"),
    ("33x65", "65x33"),
    ("3x40", "120"),
    ("1", "1x1x1x1x1"),
    ("2x3x4x5x7", "840"),
    ("840", "7x5x4x3x2"),
    ("5x7x3", "1x105"),
    ("1025", "1025x1"),
    ("17x3x31", "31x51"),
    ("40x33", "4x10x33"),
    ("2x1x50x2", "100x2"),
];

/// Concatenations: the operands, the dimension, and the result.
const CONCATENATIONS: &[(&[&str], &str, &str)] = &[
    // Tiles stay as they are.
    (&["64x96", "33x96"], "0", "97x96"),
    (&["33x32", "33x65"], "1", "33x97"),
    (&["2x33x65", "1x33x65"], "0", "3x33x65"),
    // They do not.
    (&["33x65", "2x65", "7x65"], "0", "42x65"),
    (&["33x5", "33x1", "33x70", "33x5"], "-1", "33x81"),
    (&["3", "1", "40"], "0", "44"),
    (&["2x3x5", "2x4x5"], "1", "2x7x5"),
    (&["2x3x2x5", "2x1x2x5"], "1", "2x4x2x5"),
    (&["2x3x2x17x3", "2x3x2x17x30"], "4", "2x3x2x17x33"),
    (
        &["2x3x2x17x3", "1x3x2x17x3", "2x3x2x17x3"],
        "0",
        "5x3x2x17x3",
    ),
    (&["40x50"], "1", "40x50"),
];

/// Slices: the operand; begins, ends and steps; the result.
const SLICES: &[(&str, [&[i64]; 3], &str)] = &[
    // Tiles stay as they are.
    ("4x64x96", [&[1, 0, 0], &[4, 64, 96], &[2, 1, 1]], "2x64x96"),
    ("96x64", [&[32, 0], &[96, 32], &[1, 1]], "64x32"),
    // They do not.
    ("40x50", [&[1, 2], &[40, -1], &[1, 1]], "39x47"),
    ("40x50", [&[39, 0], &[2, 50], &[-3, 7]], "13x8"),
    ("100", [&[97], &[0], &[-1]], "97"),
    (
        "2x9x9x5",
        [&[0, 1, 0, 0], &[2, 9, 9, 5], &[1, 2, 2, 1]],
        "2x4x5x5",
    ),
    (
        "2x3x2x17x3",
        [&[1, 0, 0, 3, 2], &[2, 3, 1, 15, 3], &[1, 1, 1, 2, 1]],
        "1x3x1x6x1",
    ),
];

/// Paddings: the operand; numbers of elements in front of each dimension and after it; the result.
const PADDINGS: &[(&str, &[i64], &str)] = &[
    ("40x50", &[0, 0, 3, 7], "40x60"),
    ("64x64", &[32, 0, 0, 32], "96x96"),
    ("7", &[40, 1], "48"),
    ("2x5x6x3", &[0, 0, 1, 1, 1, 2, 0, 0], "2x7x9x3"),
    ("40x50", &[-1, 2, -20, -10], "41x20"),
    ("2x3", &[-2, 4, 0, 0], "4x3"),
];

/// Reversals: the operand, which has the shape of the result, and dimensions.
const REVERSALS: &[(&str, &str)] = &[
    ("40x50", "1"),
    ("3x40x50", "0, 2"),
    ("64x64", "0"),
    ("2x3x2x17x3", "0, 1, 2, 3, 4"),
    ("33", ""),
];

/// Repetitions of the whole operand along each dimension.
const REPETITIONS: &[(&str, &str, &str)] = &[
    ("40x50", "2, 1", "80x50"),
    ("3x7", "11, 13", "33x91"),
    ("32x64", "1, 2", "32x128"),
    ("2x3x5", "1, 4, 1", "2x12x5"),
    ("1", "70", "70"),
];

/// Repetitions along dimensions of extent 1.
const BROADCASTS: &[(&str, &str, &str)] = &[
    ("1x50", "40, 1", "40x50"),
    ("40x1", "1, 70", "40x70"),
    ("1x1", "33, 65", "33x65"),
    ("2x1x1x16", "1, 5, 33, 1", "2x5x33x16"),
];

/// Repetitions of each element: the operand, their number, the dimension, the result.
const INTERLEAVINGS: &[(&str, u64, i64, &str)] = &[
    ("40x50", 2, 1, "40x100"),
    ("40x50", 3, 0, "120x50"),
    ("2x3x33", 2, -2, "2x6x33"),
    ("5", 40, 0, "200"),
];

/// Dimensions of extent 1, removed and inserted.
const SQUEEZES: &[(&str, &str, i64, &str)] = &[
    ("squeeze", "40x1x50", 1, "40x50"),
    ("squeeze", "33x1", -1, "33"),
    ("unsqueeze", "33", 1, "33x1"),
    ("unsqueeze", "40x50", 0, "1x40x50"),
    ("unsqueeze", "40x50", -1, "40x50x1"),
];

/// Returns a function for each case, of an element type.
fn functions(cases: &[Case], element: &str) -> String {
    let r#type = |shape: &str| format!("tensor<{shape}x{element}>");
    let text = cases
        .iter()
        .enumerate()
        .map(|(number, (op, operands, result))| {
            let (name, attributes) = op.split_once(' ').expect("an operation has attributes");
            let types: Vec<String> = operands.iter().map(|shape| r#type(shape)).collect();
            let names: Vec<String> = (0..operands.len()).map(|at| format!("%{at}")).collect();
            let arguments: Vec<String> = names
                .iter()
                .zip(&types)
                .map(|(name, r#type)| format!("{name}: {type}"))
                .collect();
            let (arguments, names, types) =
                (arguments.join(", "), names.join(", "), types.join(", "));
            let result = r#type(result);
            format!(
                "func.func @case_{number}({arguments}) -> {result} {{\n  \
                 %r = {name}({names}) {attributes} : ({types}) -> {result}\n  \
                 return %r : {result}\n\
                 }}\n"
            )
        });
    text.collect()
}

/// Returns elements of arbitrary bits, without NaN if `numbers`.
fn elements(desc: &TensorDesc, numbers: bool, rng: &mut Rng) -> Tensor {
    let count = desc.shape.iter().product::<u64>();
    let mut bits = || loop {
        let bits = rng.below(1 << 32) as u32;
        let bits = match desc.data_type {
            DataType::BF16 => bits & 0xffff_0000,
            _ => bits,
        };
        let is_number = desc.data_type == DataType::SI32 || !f32::from_bits(bits).is_nan();
        if is_number || !numbers {
            return bits;
        }
    };
    let data = (0..count).flat_map(|_| {
        let bytes = bits().to_le_bytes();
        let skipped = 4 - desc.data_type.size();
        bytes.into_iter().skip(skipped)
    });
    let data = data.collect();
    Tensor::new(desc.shape.clone(), desc.data_type, data).expect("it is a tensor")
}

fn inputs(program: &Program, numbers: bool) -> Vec<Tensor> {
    let mut rng = Rng::new(7);
    let descs = program.inputs.iter().filter_map(|&id| program.tensor(id));
    descs
        .map(|desc| elements(desc, numbers, &mut rng))
        .collect()
}

#[track_caller]
fn check<'a, D: Device>(
    binary: &'a Binary,
    numbers: bool,
    what: &str,
    device: impl Fn(&'a Binary, &'a Program) -> D,
) {
    for program in &binary.programs {
        let given = inputs(program, numbers);
        let name = format!("{what}: {}", program.name);
        let found = run(&mut device(binary, program), program, given.clone(), None);
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = on_reference(program, &given);
        for (found, expected) in found.iter().zip(&expected) {
            let pairs = found.data().iter().zip(expected.data());
            let wrong = pairs.into_iter().position(|(a, b)| a != b);
            assert_eq!(wrong, None, "{name}: the first byte that differs");
        }
    }
}

/// Runs cases in all element types on both chips and in the interpreter.
fn check_all(name: &str, cases: &[Case]) {
    check_texts(name, |element| functions(cases, element));
}

/// Runs programs in all element types on both chips and in the interpreter.
fn check_texts(name: &str, text: impl Fn(&str) -> String) {
    for element in ["bf16", "f32", "si32"] {
        let text = text(element);
        let name = format!("movements_{name}_{element}");
        for arch in Arch::ALL.iter().copied() {
            let binary = compile_for(arch, "", &name, &text);
            let options = TensixOptions::default();
            check(
                &binary,
                false,
                &format!("{element} on {arch}"),
                |binary, program| {
                    TensixDevice::new(binary, program, options).expect("there is a chip")
                },
            );
            if arch == Arch::WormholeB0 {
                check(
                    &binary,
                    true,
                    &format!("{element} interpreted"),
                    |binary, program| InterpreterDevice::new(binary, program, None),
                );
            }
        }
        let name = format!("{name}_mncore");
        let binary = compile_with("--ttir-to-mncore-pipeline", &name, &text);
        check(
            &binary,
            true,
            &format!("{element} on MN-Core 2"),
            |binary, program| MncoreDevice::new(binary, program, MncoreOptions::default()),
        );
    }
}

#[test]
fn concatenations() {
    let case = |(operands, dim, result): &(&[&'static str], &str, &'static str)| {
        let op = format!(r#""ttir.concat" <{{dim = {dim} : si32}}>"#);
        (op, operands.to_vec(), *result)
    };
    let cases: Vec<Case> = CONCATENATIONS.iter().map(case).collect();
    check_all("concatenations", &cases);
}

/// Concatenates a tensor with itself, and with a part of itself.
#[test]
fn repeated_operands() {
    let text = |element: &str| {
        let [one, both, all] = ["5x40", "10x40", "15x40"].map(|s| format!("tensor<{s}x{element}>"));
        format!(
            "func.func @repeated(%a: {one}) -> {all} {{\n  \
             %0 = \"ttir.concat\"(%a, %a) <{{dim = 0 : si32}}> : ({one}, {one}) -> {both}\n  \
             %1 = \"ttir.concat\"(%a, %0) <{{dim = 0 : si32}}> : ({one}, {both}) -> {all}\n  \
             return %1 : {all}\n}}\n"
        )
    };
    check_texts("repeated", text);
}

#[test]
fn reshapes() {
    let case = |(operand, result): &(&'static str, &'static str)| {
        let extents: Vec<String> = result
            .split('x')
            .map(|extent| format!("{extent} : i32"))
            .collect();
        let op = format!(r#""ttir.reshape" <{{shape = [{}]}}>"#, extents.join(", "));
        (op, vec![*operand], *result)
    };
    let cases: Vec<Case> = RESHAPES.iter().map(case).collect();
    check_all("reshapes", &cases);
}

#[test]
fn permutations() {
    let case = |(operand, dims, result): &(&'static str, &str, &'static str)| {
        let op = format!(r#""ttir.permute" <{{permutation = array<i64: {dims}>}}>"#);
        (op, vec![*operand], *result)
    };
    let cases: Vec<Case> = PERMUTATIONS.iter().map(case).collect();
    check_all("permutations", &cases);
}

/// Returns an array attribute.
fn array(values: &[i64]) -> String {
    let values: Vec<String> = values
        .iter()
        .map(|value| format!("{value} : i32"))
        .collect();
    format!("[{}]", values.join(", "))
}

#[test]
fn slices() {
    let case = |(operand, bounds, result): &(&'static str, [&[i64]; 3], &'static str)| {
        let [begins, ends, step] = bounds.map(array);
        let op =
            format!(r#""ttir.slice_static" <{{begins = {begins}, ends = {ends}, step = {step}}}>"#);
        (op, vec![*operand], *result)
    };
    let cases: Vec<Case> = SLICES.iter().map(case).collect();
    check_all("slices", &cases);
}

/// Each with three values; one of them has another bf16 than f32, none another integer.
#[test]
fn paddings() {
    for (name, value) in [
        ("zero", "0.0"),
        ("huge", "-2147483648.0"),
        ("prime", "257.0"),
    ] {
        let case = |(operand, padding, result): &(&'static str, &[i64], &'static str)| {
            let padding: Vec<String> = padding.iter().map(i64::to_string).collect();
            let padding = padding.join(", ");
            let op = format!(
                r#""ttir.pad" <{{padding = array<i32: {padding}>, value = {value} : f32}}>"#
            );
            (op, vec![*operand], *result)
        };
        let cases: Vec<Case> = PADDINGS.iter().map(case).collect();
        check_all(&format!("paddings_{name}"), &cases);
    }
}

#[test]
fn reversals() {
    let case = |(operand, dims): &(&'static str, &str)| {
        let separator = if dims.is_empty() { "" } else { ": " };
        let op = format!(r#""ttir.reverse" <{{dimensions = array<i64{separator}{dims}>}}>"#);
        (op, vec![*operand], *operand)
    };
    let cases: Vec<Case> = REVERSALS.iter().map(case).collect();
    check_all("reversals", &cases);
}

#[test]
fn repetitions() {
    let case = |name| {
        move |(operand, counts, result): &(&'static str, &str, &'static str)| {
            let op = format!(r#""ttir.{name}" <{{{name}_dimensions = array<i64: {counts}>}}>"#);
            (op, vec![*operand], *result)
        }
    };
    let mut cases: Vec<Case> = REPETITIONS.iter().map(case("repeat")).collect();
    cases.extend(BROADCASTS.iter().map(case("broadcast")));
    check_all("repetitions", &cases);
}

#[test]
fn interleavings() {
    let case = |(operand, repeats, dim, result): &(&'static str, u64, i64, &'static str)| {
        let op = format!(
            r#""ttir.repeat_interleave" <{{repeats = {repeats} : ui32, dim = {dim} : si32}}>"#
        );
        (op, vec![*operand], *result)
    };
    let cases: Vec<Case> = INTERLEAVINGS.iter().map(case).collect();
    check_all("interleavings", &cases);
}

#[test]
fn squeezes() {
    let case = |(name, operand, dim, result): &(&str, &'static str, i64, &'static str)| {
        let op = format!(r#""ttir.{name}" <{{dim = {dim} : si32}}>"#);
        (op, vec![*operand], *result)
    };
    let cases: Vec<Case> = SQUEEZES.iter().map(case).collect();
    check_all("squeezes", &cases);
}
