//! Kernels of real models on Tensix against their bounds: `cargo bench -p tessera-tests --bench
//! kernels`.
//!
//! The value of a figure is the modelled time of a kernel: the busiest part of the busiest tile, or
//! DRAM if that takes longer. The ratio divides it by the bound, which no kernel with the same
//! instructions of the coprocessor can beat: the unit with the most work if all tiles of the chip
//! shared its work evenly, or the time in which DRAM moves every operand and result once. So it
//! tells what RISC-V cores, front ends, uneven shares and repeated reads cost.

mod common;

use common::{run_on_tensix, Bench};
use tessera_isa_tensix::{tile, Arch};
use tessera_runtime::devices::tensix::KernelRun;
use tessera_tensix::issue::cycles;
use tessera_test_support::bench::{Figure, Goal, Suite};

/// The ratio to the bound that a kernel should have.
const GOAL: Goal = Goal::AtMost(1.25);
/// Parts of a tile that only control others.
const CONTROL: [&str; 5] = ["B", "T0", "T1", "T2", "NC"];
/// The chip, whose DRAM has a documented rate.
const CHIP: Arch = Arch::WormholeB0;

/// An operation, with the types of its operands and its result, and further attributes.
type Case = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
);

const CASES: [Case; 13] = [
    ("add", "add", &["1024x1024", "1024x1024"], "1024x1024", ""),
    (
        "add of a row",
        "add",
        &["1024x1024", "1024"],
        "1024x1024",
        "",
    ),
    ("gelu", "gelu", &["1024x1024"], "1024x1024", ""),
    ("exp", "exp", &["1024x1024"], "1024x1024", ""),
    ("relu", "relu", &["1024x1024"], "1024x1024", ""),
    (
        "sum of rows",
        "sum",
        &["1024x1024"],
        "1024x1",
        "<{dim_arg = [1 : i32], keep_dim = true}>",
    ),
    (
        "max of rows",
        "max",
        &["1024x1024"],
        "1024x1",
        "<{dim_arg = [1 : i32], keep_dim = true}>",
    ),
    (
        "softmax",
        "softmax",
        &["1024x1024"],
        "1024x1024",
        "<{dimension = 1 : si32}>",
    ),
    (
        "layer_norm",
        "layer_norm",
        &["1024x768", "768", "768"],
        "1024x768",
        "<{normalized_shape = array<i64: 768>, epsilon = 1.0e-5 : f32, \
         operandSegmentSizes = array<i32: 1, 1, 1>}>",
    ),
    (
        "attention",
        "scaled_dot_product_attention",
        &["1x8x512x64", "1x8x512x64", "1x8x512x64"],
        "1x8x512x64",
        "<{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}>",
    ),
    (
        "matmul LoFi",
        "matmul",
        &["1024x1024", "1024x1024"],
        "1024x1024",
        "",
    ),
    (
        "matmul HiFi2",
        "matmul",
        &["1024x1024", "1024x1024"],
        "1024x1024",
        "",
    ),
    (
        "matmul HiFi4",
        "matmul",
        &["1024x1024", "1024x1024"],
        "1024x1024",
        "",
    ),
];

fn main() {
    let bench = Bench::new("kernels");
    let mut suite = Suite::new("tensix-kernels", env!("CARGO_TARGET_TMPDIR"));
    for case in CASES {
        if suite.wants(case.0) {
            let (runs, moved) = runs(&bench, case);
            suite.add(figure(case.0, &runs, moved));
        }
    }
    suite.finish();
}

fn ttir((_, op, operands, result, attributes): Case) -> String {
    let tensor = |shape: &str| format!("tensor<{shape}xbf16>");
    let types: Vec<_> = operands.iter().map(|shape| tensor(shape)).collect();
    let names: Vec<_> = (0..types.len()).map(|k| format!("%{k}")).collect();
    let arguments: Vec<_> = (names.iter().zip(&types))
        .map(|(name, of)| format!("{name}: {of}"))
        .collect();
    format!(
        "func.func @forward({}) -> {result} {{\n  %r = \"ttir.{op}\"({}) {attributes} : ({}) -> \
         {result}\n  return %r : {result}\n}}\n",
        arguments.join(", "),
        names.join(", "),
        types.join(", "),
        result = tensor(result),
    )
}

/// Compiles and runs a case. Returns its kernels, and the bytes of all operands and results.
fn runs(bench: &Bench, case: Case) -> (Vec<KernelRun>, u64) {
    let fidelity = case.0.rsplit(' ').next().filter(|word| word.contains("Fi"));
    let fidelity = fidelity.unwrap_or("HiFi4").to_lowercase();
    let options = format!("compute-cfg-math-fidelity={fidelity}");
    let (binary, _) = bench.compile(&ttir(case), &options);
    let (_, runs) = run_on_tensix(&binary, None, 1);
    let (_, _, operands, result, _) = case;
    let elements = |shape: &&str| -> u64 {
        let extents = shape.split('x');
        extents
            .map(|extent| extent.parse::<u64>().expect("a number"))
            .product()
    };
    let moved = operands.iter().chain([&result]).map(elements).sum::<u64>() * 2;
    (runs, moved)
}

/// Returns the figure of kernels that run one after the other.
fn figure(name: &str, runs: &[KernelRun], moved: u64) -> Figure {
    let tiles = u64::from(tile::workers(CHIP));
    let dram = |bytes| cycles::dram(CHIP, bytes).cycles.unwrap_or_default();
    let (mut modelled, mut longest, mut bound) = (0, ("nothing", 0), 0);
    for run in runs {
        let bounds = run.workers.iter().map(|stats| cycles::bound(CHIP, stats));
        let of_dram = ("DRAM", dram(run.stats.dram()));
        let parts = bounds.chain([of_dram]).max_by_key(|part| part.1);
        let part = parts.unwrap_or(longest);
        modelled += part.1;
        if part.1 > longest.1 {
            longest = part;
        }
        // The sum of all tiles' work: rates are linear, up to rounding.
        let all = cycles::busy(CHIP, &run.stats).into_iter();
        let units = all.filter(|busy| !CONTROL.contains(&busy.part));
        let most = units.filter_map(|busy| busy.cycles).max();
        bound += most.unwrap_or_default().div_ceil(tiles);
    }
    let bound = bound.max(dram(moved));
    Figure {
        name: name.to_owned(),
        value: modelled as f64,
        unit: "cycles",
        ratio: Some((modelled as f64 / bound as f64, "bound")),
        goal: Some(GOAL),
        bound: Some(longest.0),
    }
}
