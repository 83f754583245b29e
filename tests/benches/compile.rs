//! Time and memory of compilation: `cargo bench -p tessera-tests --bench compile`.
//!
//! Compiles MLIR to a program file, for each target: a chain of operations that has five kernels at
//! any length, and a module whose kernels are all different. Prints user time and wall time of both
//! tools, and the peak memory of one. All come from one run, so that they are comparable.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tessera_test_support::bench::{Figure, Suite};
use tessera_tests::process::{Run, Verdict};
use tessera_tests::tools::Tools;

/// The pipelines, by target.
const PIPELINES: [(&str, &str); 2] = [
    ("tensix", "--ttir-to-tensix-pipeline"),
    ("mncore", "--ttir-to-mncore-pipeline"),
];
/// The numbers of operations of the chains.
const CHAINS: [usize; 3] = [100, 1_000, 10_000];
/// The numbers of kernels of the modules of different kernels.
const DIFFERENT: [usize; 2] = [100, 1_000];

fn main() {
    let bench = Bench {
        tools: Tools::build().expect("the tools build"),
        dir: Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile"),
    };
    fs::create_dir_all(&bench.dir).expect("a directory below target can be made");
    let mut suite = Suite::new("compile", env!("CARGO_TARGET_TMPDIR"));
    for (target, pipeline) in PIPELINES {
        let chains = CHAINS.map(|count| (format!("chain of {count}, {target}"), chain(count)));
        let others = DIFFERENT.map(|count| {
            let name = format!("{count} different kernels, {target}");
            (name, different(count))
        });
        for (name, ttir) in chains.into_iter().chain(others) {
            if suite.wants(&name) {
                let cost = bench.compile(pipeline, &ttir);
                report(&mut suite, &name, cost);
            }
        }
    }
    suite.finish();
}

/// Adds the figures of a module.
fn report(suite: &mut Suite, name: &str, cost: Cost) {
    let figures = [
        ("user time", cost.user.as_secs_f64(), "s"),
        ("wall time", cost.wall.as_secs_f64(), "s"),
        ("memory", (cost.memory >> 20) as f64, "MiB"),
    ];
    for (what, value, unit) in figures {
        suite.add(Figure::new(format!("{name}, {what}"), value, unit));
    }
}

struct Bench {
    tools: Tools,
    dir: PathBuf,
}

/// The time and memory of the tools.
#[derive(Clone, Copy, Default)]
struct Cost {
    user: Duration,
    wall: Duration,
    memory: u64,
}

impl Bench {
    /// Compiles TTIR to a program file.
    fn compile(&self, pipeline: &str, ttir: &str) -> Cost {
        fs::write(self.dir.join("model.mlir"), ttir).expect("the directory can be written to");
        let lower = [pipeline, "model.mlir", "-o", "lowered.mlir"];
        let translate = ["--ttnn-to-flatbuffer", "lowered.mlir", "-o", "model.ttnn"];
        let mut cost = Cost::default();
        for (tool, arguments) in [("ttmlir-opt", lower), ("ttmlir-translate", translate)] {
            let run = Run::execute(&self.tools.path(tool), arguments, &self.dir);
            let run = run.expect("the tool starts");
            assert_eq!(run.verdict(), Ok(Verdict::Accepted), "{}", run.stderr());
            cost.user += run.user;
            cost.wall += run.time;
            cost.memory = cost.memory.max(run.memory);
        }
        cost
    }
}

/// Returns a chain that repeats a matrix product, a sum, a hyperbolic tangent, an element-wise
/// product and a softmax.
fn chain(count: usize) -> String {
    const TYPE: &str = "tensor<64x64xbf16>";
    let mut body = String::new();
    let mut last = "%a".to_owned();
    for number in 0..count {
        let (operation, operands, attributes) = match number % 5 {
            0 => ("matmul", format!("{last}, %w"), ""),
            1 => ("add", format!("{last}, %b"), ""),
            2 => ("tanh", last, ""),
            3 => ("multiply", format!("{last}, %c"), ""),
            _ => ("softmax", last, " <{dimension = 1 : si32}>"),
        };
        let types = if operands.contains(',') {
            format!("{TYPE}, {TYPE}")
        } else {
            TYPE.into()
        };
        writeln!(
            body,
            "  %v{number} = \"ttir.{operation}\"({operands}){attributes} : ({types}) -> {TYPE}"
        )
        .expect("a string takes all");
        last = format!("%v{number}");
    }
    format!(
        "func.func @chain(%a: {TYPE}, %w: {TYPE}, %b: {TYPE}, %c: {TYPE}) -> {TYPE} {{\n\
         {body}  return {last} : {TYPE}\n}}\n"
    )
}

/// Returns equally many kernels of element-wise functions and of products, all of different shapes.
fn different(count: usize) -> String {
    const FUNCTIONS: [&str; 8] = [
        "tanh", "exp", "sigmoid", "neg", "relu", "abs", "gelu", "log",
    ];
    let mut module = String::new();
    for number in 0..count / 2 {
        let rows = number + 1;
        let function = FUNCTIONS[number % FUNCTIONS.len()];
        let (input, weight) = (format!("tensor<{rows}x64xbf16>"), "tensor<64x96xbf16>");
        let result = format!("tensor<{rows}x96xbf16>");
        write!(
            module,
            "func.func @elements_{number}(%a: {input}, %b: {input}) -> {input} {{\n  \
             %0 = \"ttir.add\"(%a, %b) : ({input}, {input}) -> {input}\n  \
             %1 = \"ttir.{function}\"(%0) : ({input}) -> {input}\n  return %1 : {input}\n}}\n\
             func.func @product_{number}(%a: {input}, %w: {weight}) -> {result} {{\n  \
             %0 = \"ttir.matmul\"(%a, %w) : ({input}, {weight}) -> {result}\n  \
             return %0 : {result}\n}}\n"
        )
        .expect("a string takes all");
    }
    module
}
