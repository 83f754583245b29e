//! Figures of products and of compilation: `cargo bench -p tessera-tests --bench figures`.
//!
//! Measures the wall time of products of 1024 x 1024 matrices on the Tensix model, by fidelity,
//! number of tiles and host threads, and the share of the chip's peak that the model of its time
//! gives. With numpy installed, the time from MLIR to the result on two threads is compared with
//! sgemm on one thread. Operations on elements of MiniLM's shapes are measured with one and two
//! host threads. Further figures are the wall times of both tools for the digits' network and for a
//! graph of 200 operations, including process start. All come from one run, so that they are
//! comparable.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::{run_on_tensix, Bench};
use tessera_ops::MathFidelity;
use tessera_program::Binary;
use tessera_runtime::devices::tensix::Figures;
use tessera_test_support::bench::{Figure, Goal, Suite};

/// Rows and columns of the products.
const SIZE: u64 = 1024;
/// The number of runs of a tool or program; the shortest time is printed.
const RUNS: usize = 5;
/// The products: the goals are the share of the chip's peak in percent, and the time from MLIR to
/// the result on two threads as a multiple of sgemm's on one.
const PRODUCTS: [(MathFidelity, Option<f64>, Option<f64>); 3] = [
    (MathFidelity::LoFi, Some(50.0), Some(6.0)),
    (MathFidelity::HiFi2, None, None),
    (MathFidelity::HiFi4, None, Some(15.0)),
];
/// The number of operations of the graph to compile.
const OPERATIONS: usize = 200;

fn main() {
    let bench = Bench::new("figures");
    let mut suite = Suite::new("figures", env!("CARGO_TARGET_TMPDIR"));
    let sgemm = sgemm();
    match sgemm {
        Some(seconds) => println!("sgemm on one thread takes {:.2} ms", 1e3 * seconds),
        None => println!("no python3 with numpy, so no comparison with its sgemm"),
    }
    for (fidelity, share, times) in PRODUCTS {
        product(&bench, &mut suite, fidelity, (share, times), sgemm);
    }
    for (op, rows, columns) in [("gelu", 512, 1536), ("add", 512, 384)] {
        elementwise(&bench, &mut suite, op, [rows, columns]);
    }
    let digits = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/digits/mlp.mlir");
    let digits = fs::read_to_string(digits).expect("the network is there");
    compiling(&bench, &mut suite, "digits", &digits, "epilogue");
    compiling(&bench, &mut suite, "200 operations", &graph(), "epilogue");
    compiling(&bench, &mut suite, "200 operations apart", &graph(), "none");
    suite.finish();
}

/// Measures a product of a fidelity: goals are the share of the chip's peak in percent, and the
/// time from MLIR to the result as a multiple of sgemm's.
fn product(
    bench: &Bench,
    suite: &mut Suite,
    fidelity: MathFidelity,
    (share, times): (Option<f64>, Option<f64>),
    sgemm: Option<f64>,
) {
    let name = format!("{fidelity} {SIZE}^3");
    if !suite.wants(&name) {
        return;
    }
    let ttir = format!(
        "func.func @forward(%a: tensor<{SIZE}x{SIZE}xbf16>, %b: tensor<{SIZE}x{SIZE}xbf16>) -> \
         tensor<{SIZE}x{SIZE}xbf16> {{\n  %0 = \"ttir.matmul\"(%a, %b) : \
         (tensor<{SIZE}x{SIZE}xbf16>, tensor<{SIZE}x{SIZE}xbf16>) -> tensor<{SIZE}x{SIZE}xbf16>\n  \
         return %0 : tensor<{SIZE}x{SIZE}xbf16>\n}}\n"
    );
    let options = format!("compute-cfg-math-fidelity={fidelity}");
    let (binary, compiling) = compile(bench, &ttir, &options);
    let compiling = compiling.iter().sum::<Duration>().as_secs_f64();
    suite.add(Figure::new(format!("{name}, compiling"), compiling, "s"));
    best_run(suite, &name, &binary, (1, 1));
    let (two, figures) = two_threads(suite, &name, &binary);
    suite.add(Figure {
        goal: share.map(Goal::AtLeast),
        bound: Some(figures.bound()),
        ..Figure::new(
            format!("{name}, modelled share of peak"),
            100.0 * figures.share_of_peak().unwrap_or_default(),
            "%",
        )
    });
    if let Some(sgemm) = sgemm {
        let times = Figure {
            goal: times.map(Goal::AtMost),
            ..Figure::new(
                format!("{name}, from MLIR to result, by sgemm's time"),
                (compiling + two) / sgemm,
                "x",
            )
        };
        suite.add(times.or_bound_by(Some("MVMULs, and LLVM for the RISC-V cores")));
    }
}

/// Compiles TTIR; returns the program file and the least times of both tools.
fn compile(bench: &Bench, ttir: &str, options: &str) -> (Binary, [Duration; 2]) {
    let (binary, mut least) = bench.compile(ttir, options);
    for _ in 1..RUNS {
        let (_, times) = bench.compile(ttir, options);
        least = [0, 1].map(|tool| times[tool].min(least[tool]));
    }
    (binary, least)
}

/// Measures an operation on elements of such a shape, as MiniLM has them.
fn elementwise(bench: &Bench, suite: &mut Suite, op: &str, [rows, columns]: [u32; 2]) {
    let name = format!("{op} {rows}x{columns}");
    if !suite.wants(&name) {
        return;
    }
    let tensor = format!("tensor<{rows}x{columns}xbf16>");
    let (arguments, operands, types) = match op {
        "add" => (
            format!("%a: {tensor}, %b: {tensor}"),
            "%a, %b",
            format!("{tensor}, {tensor}"),
        ),
        _ => (format!("%a: {tensor}"), "%a", tensor.clone()),
    };
    let ttir = format!(
        "func.func @forward({arguments}) -> {tensor} {{\n  %0 = \"ttir.{op}\"({operands}) : \
         ({types}) -> {tensor}\n  return %0 : {tensor}\n}}\n"
    );
    let (binary, _) = bench.compile(&ttir, "fusion=epilogue");
    two_threads(suite, &name, &binary);
}

/// Adds the times of a program on all tiles with one and with two host threads, and their ratio.
/// Returns the time in seconds with two threads, and what the first kernel did.
fn two_threads(suite: &mut Suite, name: &str, binary: &Binary) -> (f64, Figures) {
    let [(one, _), (two, figures)] =
        [1, 2].map(|threads| best_run(suite, name, binary, (64, threads)));
    let ratio = Figure {
        goal: Some(Goal::AtLeast(1.85)),
        ..Figure::new(format!("{name}, speed of two threads"), one / two, "x")
    };
    suite.add(ratio.or_bound_by(Some("deliveries by the NoC between epochs")));
    (two, figures)
}

/// Adds the least time of some runs of a program on so many tiles and host threads. Returns it in
/// seconds, and what the first kernel did.
fn best_run(
    suite: &mut Suite,
    name: &str,
    binary: &Binary,
    (tiles, threads): (u32, usize),
) -> (f64, Figures) {
    let runs = [(); RUNS].map(|()| run_on_tensix(binary, Some(tiles), threads));
    let seconds = runs.iter().map(|(seconds, _)| *seconds);
    let seconds = seconds.fold(f64::INFINITY, f64::min);
    let name = format!("{name}, tiles: {tiles}, threads: {threads}");
    suite.add(Figure::new(name, seconds, "s"));
    (seconds, Figures::from_run(&runs[0].1[0]))
}

/// Returns the shortest time in seconds that numpy takes for the product of two such float32
/// matrices on one thread.
fn sgemm() -> Option<f64> {
    let program = format!(
        "import numpy, time\n\
         a, b = [numpy.random.randn({SIZE}, {SIZE}).astype(numpy.float32) for _ in range(2)]\n\
         def once():\n    start = time.perf_counter()\n    a @ b\n    \
         return time.perf_counter() - start\n\
         print(min(once() for _ in range(20)))"
    );
    let threads = ["OPENBLAS", "MKL", "OMP"].map(|of| (format!("{of}_NUM_THREADS"), "1"));
    let mut python = Command::new("python3");
    let output = python.envs(threads).args(["-c", &program]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

fn compiling(bench: &Bench, suite: &mut Suite, name: &str, ttir: &str, fusion: &str) {
    if !suite.wants(name) {
        return;
    }
    let (binary, times) = compile(bench, ttir, &format!("fusion={fusion}"));
    let kernels = binary.kernels.len();
    for (what, time) in ["to Tensix", "to a program file"].into_iter().zip(times) {
        let name = format!("{name}, {kernels} kernels, {what}");
        suite.add(Figure::new(name, time.as_secs_f64(), "s"));
    }
}

/// Returns products of three shapes, each followed by a bias, a relu and a negation.
fn graph() -> String {
    const SHAPES: [u32; 3] = [64, 96, 128];
    let mut arguments = vec!["%n0: tensor<64x64xbf16>".to_owned()];
    let mut body = String::new();
    let mut last = SHAPES[0];
    for number in 0..OPERATIONS / 4 {
        let (depth, width) = (SHAPES[number % 3], SHAPES[(number + 1) % 3]);
        let (next, result) = (number + 1, format!("tensor<64x{width}xbf16>"));
        let (input, bias) = (
            format!("tensor<64x{depth}xbf16>"),
            format!("tensor<{width}xbf16>"),
        );
        let weight = format!("tensor<{depth}x{width}xbf16>");
        arguments.extend([
            format!("%w{number}: {weight}"),
            format!("%b{number}: {bias}"),
        ]);
        body += &format!(
            "  %m{number} = \"ttir.matmul\"(%n{number}, %w{number}) : ({input}, {weight}) -> \
             {result}\n  %s{number} = \"ttir.add\"(%m{number}, %b{number}) : ({result}, {bias}) -> \
             {result}\n  %r{number} = \"ttir.relu\"(%s{number}) : ({result}) -> {result}\n  \
             %n{next} = \"ttir.neg\"(%r{number}) : ({result}) -> {result}\n"
        );
        last = width;
    }
    format!(
        "func.func @forward({}) -> tensor<64x{last}xbf16> {{\n\
         {body}  return %n{} : tensor<64x{last}xbf16>\n}}\n",
        arguments.join(", "),
        OPERATIONS / 4
    )
}
