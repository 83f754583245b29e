//! Random long chains of all element-wise functions, with few or many other operands. Each compiles
//! with every fusion mode, for both Tensix chips and for MN-Core 2. Results are within their error
//! bounds; integers are exact.
//!
//! `TESSERA_LONG_TESTS=1` makes many more, and longer ones.

use std::sync::LazyLock;

use tessera_isa_tensix::Arch;
use tessera_ops::Arithmetic;
use tessera_program::{Binary, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::interpreter::InterpreterDevice;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions};
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::Device;
use tessera_test_support::is_long_run;

use crate::bench::{compile_for, compile_with, inputs, judge_on, on_reference};
use crate::elementwise;
use crate::functions::integers;
use tessera_test_support::random::Rng;

/// Unary functions whose operand may be any float.
const TAME: &[&str] = &[
    "neg",
    "abs",
    "relu",
    "floor",
    "ceil",
    "trunc",
    "round",
    "frac",
    "sign",
    "signbit",
    "isfinite",
    "cbrt",
    "atan",
    "asinh",
    "erfc",
    "sigmoid",
    "tanh",
    "erf",
    "gelu",
    "silu",
    "logical_not",
];
/// Unary functions whose operand is clamped to 0.5 to 4 before.
const POSITIVE: &[&str] = &[
    "exp",
    "exp2",
    "expm1",
    "log",
    "log1p",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
];
/// The binary function whose base is clamped like that; its exponent is not.
const POWER: &str = "pow";
/// Unary and binary functions of integers.
static INTEGER: LazyLock<Vec<&str>> = LazyLock::new(|| elementwise::unary(Arithmetic::Integer));
static INTEGER_PAIRS: LazyLock<Vec<&str>> =
    LazyLock::new(|| elementwise::binary(Arithmetic::Integer));
/// Binary functions of floats, without quotients and powers, whose results may have any size.
static PAIRS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let all = elementwise::binary(Arithmetic::Float);
    all.into_iter()
        .filter(|name| !["div", POWER].contains(name))
        .collect()
});
const FUSIONS: [&str; 4] = ["epilogue", "auto", "all", "none"];

struct Chain<'d> {
    rng: &'d mut Rng,
    element: &'static str,
    shape: [u64; 2],
    /// Other operands: their names and types.
    arguments: Vec<[String; 2]>,
    lines: String,
    /// The number of the last value.
    last: usize,
}

/// Returns a chain of `length` functions, and the clamps that bring their operands into the
/// domains.
fn chain(seed: u64, element: &'static str, length: usize) -> String {
    let mut rng = Rng::new(seed);
    let shape = [rng.pick(&[1, 7, 33, 40]), rng.pick(&[1, 5, 32, 65])];
    let mut chain = Chain {
        rng: &mut rng,
        element,
        shape,
        arguments: Vec::new(),
        lines: String::new(),
        last: 0,
    };
    let r#type = chain.r#type(shape);
    chain.lines += &format!(
        "  %v0 = \"ttir.abs\"(%x) : ({type}) -> {type}\n",
        r#type = r#type
    );
    (0..length).for_each(|_| chain.grow());
    let others = chain
        .arguments
        .iter()
        .map(|[name, kind]| format!(", {name}: {kind}"));
    format!(
        "func.func @chain_{seed}(%x: {type}{}) -> {type} {{\n{}  return %v{} : {type}\n}}\n",
        others.collect::<String>(),
        chain.lines,
        chain.last,
        r#type = r#type,
    )
}

impl Chain<'_> {
    fn r#type(&self, [rows, columns]: [u64; 2]) -> String {
        format!("tensor<{rows}x{columns}x{}>", self.element)
    }

    fn value(&self) -> [String; 2] {
        [format!("%v{}", self.last), self.r#type(self.shape)]
    }

    /// Returns a second operand: an earlier value, or a new argument that may be broadcast.
    fn other(&mut self) -> [String; 2] {
        if !self.arguments.is_empty() && self.rng.percent(60) {
            return self.arguments[self.rng.below(self.arguments.len())].clone();
        }
        let [rows, columns] = self.shape;
        let shape = self
            .rng
            .pick(&[[rows, columns], [1, columns], [rows, 1], [1, 1]]);
        let argument = [format!("%a{}", self.arguments.len()), self.r#type(shape)];
        self.arguments.push(argument.clone());
        argument
    }

    fn operation(&mut self, name: &str, operands: &[[String; 2]], attributes: &str) {
        self.last += 1;
        let names: Vec<&str> = operands.iter().map(|[name, _]| name.as_str()).collect();
        let types: Vec<&str> = operands.iter().map(|[_, kind]| kind.as_str()).collect();
        self.lines += &format!(
            "  %v{} = \"ttir.{name}\"({}){attributes} : ({}) -> {}\n",
            self.last,
            names.join(", "),
            types.join(", "),
            self.r#type(self.shape)
        );
    }

    fn clamp(&mut self, min: &str, max: &str) {
        let kind = if self.element == "i32" { "i32" } else { "f32" };
        let attributes = format!(" <{{max = {max} : {kind}, min = {min} : {kind}}}>");
        let value = self.value();
        self.operation("clamp_scalar", &[value], &attributes);
    }

    fn pair(&mut self, name: &str) {
        let mut operands = [self.value(), self.other()];
        if self.rng.percent(50) {
            operands.reverse();
        }
        self.operation(name, &operands, "");
    }

    fn grow(&mut self) {
        let is_integer = self.element == "i32";
        match self.rng.below(10) {
            0..=2 => {
                let name = self.rng.pick(if is_integer { &INTEGER } else { TAME });
                let value = self.value();
                self.operation(name, &[value], "");
            }
            3 if is_integer => self.clamp("-100000", "70000"),
            3 => {
                let name = self.rng.pick(POSITIVE);
                self.clamp("0.5", "4.0");
                let value = self.value();
                self.operation(name, &[value], "");
            }
            4 if !is_integer && self.rng.percent(30) => {
                self.clamp("0.5", "4.0");
                let operands = [self.value(), self.other()];
                self.operation(POWER, &operands, "");
                self.clamp("-8.0", "8.0");
            }
            4 => {
                let mut operands = [self.value(), self.other(), self.other()];
                let first = self.rng.below(3);
                operands.rotate_left(first);
                self.operation("where", &operands, "");
            }
            _ => {
                let name = self
                    .rng
                    .pick(if is_integer { &INTEGER_PAIRS } else { &PAIRS });
                self.pair(name);
                // Products of products would overflow.
                if name == "multiply" && !is_integer {
                    self.clamp("-8.0", "8.0");
                }
            }
        }
    }
}

/// Returns the length of every chain to test.
fn lengths() -> Vec<usize> {
    if is_long_run() {
        (0..60).map(|number| 4 + number).collect()
    } else {
        vec![6, 14, 30]
    }
}

fn given(program: &Program, element: &str) -> Vec<Tensor> {
    match element {
        "i32" => integers(program, 1),
        _ => inputs(program, 1),
    }
}

fn judge(element: &str, device: &mut dyn Device, program: &Program) {
    let given = given(program, element);
    let found = judge_on(device, program, &given);
    if element == "i32" {
        assert!(found == on_reference(program, &given), "{}", program.name);
    }
}

fn interpret(element: &str, binary: &Binary) {
    for program in &binary.programs {
        let mut device = InterpreterDevice::new(binary, program, None);
        judge(element, &mut device, program);
    }
}

/// Returns the chains of an element type for each fusion mode.
fn batches(element: &'static str) -> Vec<(&'static str, String)> {
    let mut batches: Vec<(&'static str, String)> = FUSIONS
        .iter()
        .map(|fusion| (*fusion, String::new()))
        .collect();
    for (seed, length) in (0..).zip(lengths()) {
        let count = batches.len();
        batches[seed as usize % count].1 += &chain(seed, element, length);
    }
    batches.retain(|(_, text)| !text.is_empty());
    batches
}

fn check_tensix(element: &'static str) {
    for (fusion, ttir) in batches(element) {
        for arch in Arch::ALL {
            let name = format!("chains_{element}_{fusion}");
            let binary = compile_for(arch, &format!("fusion={fusion}"), &name, &ttir);
            interpret(element, &binary);
            for program in &binary.programs {
                let options = TensixOptions {
                    padding_canaries: true,
                    ..TensixOptions::default()
                };
                let device = TensixDevice::new(&binary, program, options);
                let mut device = device.unwrap_or_else(|error| panic!("{}: {error}", program.name));
                judge(element, &mut device, program);
            }
        }
    }
}

#[test]
fn chains_of_bf16_on_tensix() {
    check_tensix("bf16");
}

#[test]
fn chains_of_singles_on_tensix() {
    check_tensix("f32");
}

#[test]
fn chains_of_integers_on_tensix() {
    check_tensix("i32");
}

#[test]
fn chains_on_mncore() {
    for element in ["bf16", "f32", "i32"] {
        for (fusion, ttir) in batches(element) {
            let name = format!("chains_mncore_{element}_{fusion}");
            let pipeline = format!("--ttir-to-mncore-pipeline=fusion={fusion}");
            let binary = compile_with(&pipeline, &name, &ttir);
            interpret(element, &binary);
            for program in &binary.programs {
                let options = MncoreOptions {
                    memory_canaries: true,
                    ..MncoreOptions::default()
                };
                let mut device = MncoreDevice::new(&binary, program, options);
                judge(element, &mut device, program);
            }
        }
    }
}
