//! Steps of compiled matrix products: `cargo bench -p tessera-mncore-code --bench figures
//! [-- PRECISION] [-- --phases]`.
//!
//! | column | is |
//! |---|---|
//! | bound | steps of the resource that needs most, from DRAM to DRAM, with bf16 in 16 bits everywhere |
//! | modelled | steps of the estimate in `tessera_mncore::timeline` |
//! | end to end | the first over the second |
//! | idle | of the bound, if it is the matrix unit or MV instructions: steps before they begin, in between, and after their last |
//! | kernel | matrix operations over the steps between the first and the last of each of the loops that multiply, taken together, if their operands lie in LM and L1BM: what else they do is left out, and the rest scheduled; and what that could be, if the busiest of their units were so in each step |
//! | loops | the same loops as they are: the steps that their busiest unit, or their MV instructions, need at least, over those that they take |
//! | compile | compiling, scheduling and packing; and steps packed a second |
//!
//! With `--phases`, the steps of each loop follow.
//!
//! Then the steps of small programs for which public hand-written code exists, and those of that
//! code.

#[path = "../../tests/common/by_hand/mod.rs"]
mod by_hand;
#[path = "../../tests/compile/groups.rs"]
#[allow(dead_code)]
mod groups;
mod idle;
#[path = "../elements/phases.rs"]
mod phases;
#[path = "../../tests/compile/resident.rs"]
mod resident;
mod streamed;

use std::time::Instant;

use by_hand::BY_HAND;
use groups::product_of_elements;
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::word::Mode;
use tessera_isa_mncore::StatementKind;
use tessera_mncore::geometry::{Geometry, CYCLES};
use tessera_mncore::stats::Stats;
use tessera_mncore_code::compile::{compile, Options, PrecisionChoice};
use tessera_mncore_code::program::{CheckedProgram, IssueOrder};
use tessera_mncore_code::sched::{self, schedule};
use tessera_pto::kernel::{Element, Group};

const SHAPES: [[u32; 3]; 8] = [
    [256, 256, 256],
    [1024, 1024, 1024],
    [4096, 1024, 1024],
    [1797, 64, 64],
    [4096, 4096, 4096],
    [16, 16384, 16],
    [256, 1024, 16],
    [1, 1000, 1000],
];

/// Precisions, elements, and how many of the shapes are shown in each.
const PRODUCTS: [(Precision, Element, usize); 8] = [
    (Precision::Pseudo, Element::F32, SHAPES.len()),
    (Precision::Pseudo, Element::Bf16, SHAPES.len()),
    (Precision::Half, Element::F32, 3),
    (Precision::Half, Element::Bf16, 3),
    (Precision::Single, Element::F32, 3),
    (Precision::Single, Element::Bf16, 3),
    (Precision::Double, Element::F32, 3),
    (Precision::Double, Element::Bf16, 3),
];

fn main() {
    // `cargo test --benches` only builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let only = std::env::args().skip(1).find(|one| !one.starts_with('-'));
    for (precision, element, count) in PRODUCTS {
        let options = Options {
            precision: PrecisionChoice::Fixed(precision),
            ..Options::default()
        };
        if only
            .as_ref()
            .is_some_and(|only| *only != options.precision.to_string())
        {
            continue;
        }
        println!("precision {}, elements of {element}", options.precision);
        println!(
            "{:>16} {:>26} {:>9} {:>9} {:>10} {:>15} {:>15} {:>7}  compile",
            "", "bound (mau l1bm l2bm mv)", "", "modelled", "end to end", "idle", "kernel", "loops"
        );
        for &[m, k, n] in &SHAPES[..count] {
            let name = format!("{m}x{k}x{n}");
            row(&name, &product_of_elements([m, k, n], element), &options);
        }
    }
    println!("{:>16} {:>9} {:>9}", "", "steps", "by hand");
    for program in BY_HAND {
        let scheduled = schedule(&(program.body)(), &sched::Options::default());
        let (_, report) = scheduled.expect("it has a schedule");
        let (name, by_hand) = (program.name, program.steps);
        println!("{name:>16} {:>9} {by_hand:>9}", report.length);
    }
}

fn row(name: &str, group: &Group, options: &Options) {
    let start = Instant::now();
    let kernel = compile(group, options).expect("products compile");
    let (program, reports) = kernel.program().expect("products are scheduled");
    let checked = CheckedProgram::new(&program, IssueOrder::Scheduled).expect("schedules hold");
    let units = checked.pack(Mode::AutoStride).expect("schedules hold");
    let took = start.elapsed().as_secs_f64();
    let statements = checked.statements().expect("schedules hold");

    let mut stats = Stats::new(Geometry::BOARD);
    stats.add(&statements.statements);
    let modelled = stats.cycles().div_ceil(CYCLES as u64);
    let bound = kernel.bound.expect("products have a bound");
    let parts = [bound.mau, bound.l1bm, bound.l2bm, bound.mv].map(|steps| steps.to_string());
    let steps = statements
        .statements
        .iter()
        .filter(|s| matches!(s.kind, StatementKind::Step(_)));
    let busy = resident::resident(&program);
    let idle = idle::idle(&program, &bound).map_or_else(String::new, |idle| {
        let steps = [idle.start, idle.gaps, idle.end].map(|cycles| cycles.div_ceil(CYCLES as u64));
        steps.map(|steps| steps.to_string()).join(" + ")
    });
    println!(
        "{name:>16} {:>26} {:>9} {modelled:>9} {:>9.1}% {idle:>15} {:>5.1} of {:>4.0}% {:>6.1}%  {took:.2} s, {} kB, {:.0} steps/s",
        parts.join(" "),
        bound.steps(),
        100.0 * bound.steps() as f64 / modelled as f64,
        100.0 * busy.ratio(),
        100.0 * busy.bound(),
        100.0 * streamed::share(&program, &reports),
        units.len() / 1000,
        steps.count() as f64 / took,
    );
    if std::env::args().any(|argument| argument == "--phases") {
        phases::print(&kernel);
    }
}
