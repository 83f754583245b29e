//! Zeros, infinities, NaN, negative and large operands: every function has the result that the
//! pages of the vector libraries document, on both chips, in both types.
//!
//! The reference follows IEEE 754. [`Kind::exception`] lists where a chip differs.

use tessera_isa_tensix::Arch;
use tessera_ops::Arithmetic;
use tessera_program::{Binary, DataType, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions};
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::{run, Device};

use crate::bench::{compile_for, compile_with, on_reference};
use crate::elementwise;

/// The operands to test.
const SPECIALS: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    100.0,
    -100.0,
    3e38,
    -3e38,
    // 2^-120; dividends below 2^-124 may count as zeros.
    7.523_163_845_262_64e-37,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// A chip and an element type, for which a page documents the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Tensix(DataType),
    Mncore(DataType),
}

/// The expected result.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    /// This number, or NaN.
    Number(f64),
    /// An infinity of either sign.
    Infinity,
    /// More than 1e37 in magnitude, with this sign.
    Large(f64),
}

impl Expected {
    fn is(self, found: f64) -> bool {
        match self {
            Expected::Number(wanted) if wanted.is_nan() => found.is_nan(),
            Expected::Number(wanted) if wanted.is_infinite() => found == wanted,
            // What is nearer to zero than the least normalised number may become zero.
            Expected::Number(wanted) => (found - wanted).abs() <= 0.01 * wanted.abs() + 3e-38,
            Expected::Infinity => found.is_infinite(),
            Expected::Large(sign) => found.abs() > 1e37 && found.signum() == sign.signum(),
        }
    }
}

impl Kind {
    fn element(self) -> DataType {
        match self {
            Kind::Tensix(element) | Kind::Mncore(element) => element,
        }
    }

    /// Returns whether the operands exist on the chip and the function is determined for them.
    fn takes(self, function: &str, operands: &[f64], reference: f64) -> bool {
        let any = |is: fn(f64) -> bool| operands.iter().any(|x| is(*x));
        match self {
            Kind::Mncore(_) => {
                let is_open = matches!(function, "add" | "subtract" | "multiply");
                !(any(f64::is_nan) || is_open && reference.is_nan())
            }
            // Tensors of bf16 have no NaN there, and the matrix unit, which adds and multiplies
            // them, has no infinities: it takes them for large numbers, and makes none.
            Kind::Tensix(DataType::BF16) => {
                let is_matrix_unit = matches!(function, "add" | "subtract" | "multiply");
                let is_finite = !any(f64::is_infinite) && reference.is_finite();
                !any(f64::is_nan) && (is_finite || !is_matrix_unit)
            }
            Kind::Tensix(_) => true,
        }
    }

    /// Returns the expected result of a function whose reference result is given.
    fn expected(self, function: &str, operands: &[f64], reference: f64) -> Expected {
        let instead = self.exception(function, operands);
        let wanted = instead.unwrap_or(Expected::Number(reference));
        match (self, wanted) {
            (Kind::Tensix(DataType::BF16), Expected::Number(nan)) if nan.is_nan() => {
                Expected::Infinity
            }
            (_, wanted) => wanted,
        }
    }

    /// Returns the result of functions for operands that are too large.
    fn large_operand_result(self) -> f64 {
        match self {
            Kind::Tensix(_) => f64::NAN,
            Kind::Mncore(_) => f64::INFINITY,
        }
    }

    /// Returns the expected result where it differs from IEEE 754.
    fn exception(self, function: &str, operands: &[f64]) -> Option<Expected> {
        use Expected::{Infinity, Large, Number};
        let x = operands[0];
        let y = operands.last().copied().unwrap_or(x);
        let is_negative = x < 0.0;
        let common = match function {
            "gelu" if x == f64::NEG_INFINITY => Some(Number(0.0)),
            "rsqrt" if x == 0.0 => Some(Number(f64::INFINITY)),
            // Larger angles are not reduced.
            "sin" | "cos" | "tan" if x.abs() >= 65_536.0 => {
                Some(Number(self.large_operand_result()))
            }
            // Larger quotients are not computed.
            "remainder" if (x / y).abs() >= 2_097_152.0 => {
                Some(Number(self.large_operand_result()))
            }
            _ => None,
        };
        let own = match (self, function) {
            (Kind::Mncore(_), "sqrt") if is_negative => Some(Number(0.0)),
            (Kind::Mncore(_), "rsqrt") if is_negative => Some(Number(f64::INFINITY)),
            (Kind::Mncore(_), "remainder") if (x % y).is_nan() => Some(Number(f64::INFINITY)),
            (Kind::Mncore(_), "frac") if x.is_infinite() => Some(Number(0.0)),
            (Kind::Mncore(_), "asin") => Some(Number(x.clamp(-1.0, 1.0).asin())),
            (Kind::Mncore(_), "acos") => Some(Number(x.clamp(-1.0, 1.0).acos())),
            (Kind::Mncore(_), "log1p") if x < -1.0 => Some(Number(f64::NEG_INFINITY)),
            (Kind::Mncore(_), "pow") if x.powf(y).is_nan() => Some(Number(f64::INFINITY)),
            (Kind::Mncore(_), "log") if is_negative => Some(Number(f64::NEG_INFINITY)),
            (Kind::Mncore(_), "silu") if x == f64::NEG_INFINITY => Some(Number(0.0)),
            (Kind::Mncore(_), "div") if x == 0.0 && y == 0.0 => Some(Infinity),
            (Kind::Mncore(_), "div") if y.is_infinite() => Some(Number(0.0)),
            // An infinite dividend counts as the largest number.
            (Kind::Mncore(_), "div") if x.is_infinite() && y.abs() <= 1.0 => {
                Some(Large(x.signum() * y.signum()))
            }
            (Kind::Mncore(_), "div") if x.is_infinite() => {
                Some(Number(x.signum() * f64::from(f32::MAX) / y))
            }
            // NaN is above infinity.
            (Kind::Tensix(_), "maximum") if x.is_nan() || y.is_nan() => Some(Number(f64::NAN)),
            (Kind::Tensix(_), "minimum") if x.is_nan() => Some(Number(y)),
            (Kind::Tensix(_), "minimum") if y.is_nan() => Some(Number(x)),
            // Zeros have no sign in tensors of bf16.
            (Kind::Tensix(DataType::BF16), "reciprocal") if x == 0.0 => Some(Infinity),
            (Kind::Tensix(DataType::BF16), "signbit") if x == 0.0 => Some(Number(0.0)),
            (Kind::Tensix(DataType::BF16), "atan2") if x == 0.0 => {
                Some(Number(0f64.atan2(y + 0.0)))
            }
            (Kind::Tensix(DataType::BF16), "div") if y == 0.0 => Some(Infinity),
            (Kind::Tensix(DataType::BF16), "pow") if x == 0.0 && y < 0.0 => Some(Infinity),
            _ => None,
        };
        own.or(common)
    }
}

/// Returns all operands, or all pairs of them.
fn operands(function: &str) -> Vec<Vec<f64>> {
    if elementwise::unary(Arithmetic::Float).contains(&function) {
        return SPECIALS.map(|x| vec![x]).to_vec();
    }
    let pairs = SPECIALS
        .into_iter()
        .flat_map(|x| SPECIALS.map(|y| vec![x, y]));
    pairs.collect()
}

/// Returns the TTIR of a function on `arity` operands with `count` elements each.
fn text(function: &str, count: usize, arity: usize, element: &str) -> String {
    let of = format!("tensor<1x{count}x{element}>");
    let names = ["%x", "%y"];
    let arguments: Vec<_> = names[..arity]
        .iter()
        .map(|name| format!("{name}: {of}"))
        .collect();
    format!(
        "func.func @{function}({}) -> {of} {{\n  \
         %0 = \"ttir.{function}\"({}) : ({}) -> {of}\n  return %0 : {of}\n}}\n",
        arguments.join(", "),
        names[..arity].join(", "),
        vec![of.as_str(); arity].join(", ")
    )
}

fn all_functions(element: DataType) -> String {
    let element = if element == DataType::BF16 {
        "bf16"
    } else {
        "f32"
    };
    let [unary, binary] =
        [elementwise::unary, elementwise::binary].map(|all| all(Arithmetic::Float));
    let functions = unary.into_iter().chain(binary).map(|function| {
        let operands = operands(function);
        text(function, operands.len(), operands[0].len(), element)
    });
    functions.collect()
}

/// Returns a tensor of the first operands, and one of the second operands.
fn given(program: &Program, operands: &[Vec<f64>], element: DataType) -> Vec<Tensor> {
    let numbers = 0..program.inputs.len();
    let tensors = numbers.map(|number| {
        let values: Vec<f64> = operands.iter().map(|one| one[number]).collect();
        Tensor::from_f64s(vec![1, values.len() as u64], element, &values)
    });
    tensors
        .map(|tensor| tensor.expect("the type has all of them"))
        .collect()
}

fn check<'a, D: Device + 'a>(kind: Kind, binary: &'a Binary, device: impl Fn(&'a Program) -> D) {
    for program in &binary.programs {
        let function = program.name.as_str();
        let mut operands = operands(function);
        let element = kind.element();
        let reference = |operands: &[Vec<f64>]| {
            on_reference(program, &given(program, operands, element))[0].to_f64s()
        };
        // What the kind does not take becomes ones.
        let values = reference(&operands);
        for (one, value) in operands.iter_mut().zip(values) {
            if !kind.takes(function, one, value) {
                one.fill(1.0);
            }
        }
        let expect = reference(&operands);
        let found = run(
            &mut device(program),
            program,
            given(program, &operands, element),
            None,
        );
        let found = found.unwrap_or_else(|error| panic!("{kind:?} {function}: {error}"));
        for ((operands, expect), found) in operands.iter().zip(expect).zip(found[0].to_f64s()) {
            let wanted = kind.expected(function, operands, expect);
            let is = wanted.is(found);
            assert!(
                is,
                "{kind:?} {function} {operands:?}: {found}, not {wanted:?}"
            );
        }
    }
}

fn check_tensix(arch: Arch) {
    for element in [DataType::F32, DataType::BF16] {
        let name = format!("specials_{element:?}");
        let binary = compile_for(arch, "", &name, &all_functions(element));
        check(Kind::Tensix(element), &binary, |program| {
            TensixDevice::new(&binary, program, TensixOptions::default())
                .unwrap_or_else(|error| panic!("{}: {error}", program.name))
        });
    }
}

#[test]
fn specials_on_wormhole() {
    check_tensix(Arch::WormholeB0);
}

#[test]
fn specials_on_blackhole() {
    check_tensix(Arch::Blackhole);
}

#[test]
fn specials_on_mncore() {
    for element in [DataType::F32, DataType::BF16] {
        let name = format!("specials_mncore_{element:?}");
        let binary = compile_with("--ttir-to-mncore-pipeline", &name, &all_functions(element));
        check(Kind::Mncore(element), &binary, |program| {
            MncoreDevice::new(&binary, program, MncoreOptions::default())
        });
    }
}

/// Where the manual leaves an element undetermined, the run traps with the place and a remedy.
#[test]
fn undetermined_elements_on_mncore() {
    let ttir = text("multiply", 2, 2, "f32");
    let binary = compile_with("--ttir-to-mncore-pipeline", "specials_open", &ttir);
    let program = &binary.programs[0];
    let operands = [vec![f64::INFINITY, 0.0], vec![1.0, 1.0]];
    let given = given(program, &operands, DataType::F32);
    let mut device = MncoreDevice::new(&binary, program, MncoreOptions::default());
    let error = run(&mut device, program, given, None)
        .expect_err("it is open")
        .to_string();
    for part in [
        "kernel 'multiply_multiply_0",
        " at specials_open.tensix.mlir:",
        "mau-infinity-times-zero",
        "'--undetermined mark' continues",
    ] {
        assert!(error.contains(part), "{error}");
    }
}
