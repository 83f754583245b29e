//! The figures of kernels of MN-Core 2 as text and as JSON.

use std::fmt::Write;

use serde_json::{json, Map, Value};
use tessera_runtime::devices::mncore::{Figures, MncoreKernelRun};

use crate::table;

/// A line for each kernel, what the time of all goes to, and on what the manual leaves open their results depend.
pub fn text(runs: &[MncoreKernelRun]) -> String {
    let all: Vec<Figures> = runs.iter().map(Figures::of).collect();
    let mut text = format!(
        "kernels ran: {}\n\
         modelled on MN-Core 2: a step takes four cycles, transfers run beside steps at documented rates, one after the other; the share of\n\
         the time that the MAU computes and MV transfers move; bytes that the host moved into DRAM, laid out anew there, and took out\n",
        runs.len()
    );
    let titles = [
        "cycles", "steps", "MAU", "MV", "packed", "relaid", "taken", "#", "kernel", "location",
    ];
    let kernels = all.iter().zip(runs).enumerate();
    let mut rows: Vec<_> = kernels
        .map(|(number, (figures, run))| {
            cells(figures, [&number.to_string(), &run.kernel, &run.loc])
        })
        .collect();
    let sum = Figures::sum(&all);
    if all.len() > 1 {
        rows.push(cells(&sum, ["", "in all", ""]));
    }
    text += &table::render(titles, &[8, 9], &rows);
    text += "steps with work for each unit, and with none:\n";
    let units = sum.units().chain([("none", sum.idle)]);
    for (unit, steps) in units.filter(|(_, steps)| *steps > 0) {
        writeln!(text, "{steps:>12}  {unit}").expect("a string takes all");
    }
    writeln!(text, "{:>12}  long words moved by MV", sum.mv_words).expect("a string takes all");
    for run in runs {
        for point in run.marks() {
            writeln!(text, "{} depends on: {point}", run.kernel).expect("a string takes all");
        }
    }
    text
}

fn cells(figures: &Figures, [run, kernel, loc]: [&str; 3]) -> [String; 10] {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    [
        figures.cycles.to_string(),
        figures.steps.to_string(),
        percent(figures.mau_share()),
        percent(figures.mv_share()),
        figures.packed_bytes.to_string(),
        figures.relaid_bytes.to_string(),
        figures.unpacked_bytes.to_string(),
        run.to_owned(),
        kernel.to_owned(),
        loc.to_owned(),
    ]
}

/// What is known of one kernel.
pub fn json(run: &MncoreKernelRun) -> Value {
    let figures = Figures::of(run);
    let units = figures.units();
    let units = units.map(|(unit, steps)| (unit.to_owned(), json!(steps)));
    json!({
        "kernel": run.kernel,
        "loc": run.loc,
        "cycles": figures.cycles,
        "steps": figures.steps,
        "idle": figures.idle,
        "units": units.collect::<Map<_, _>>(),
        "mau_share": figures.mau_share(),
        "mv_share": figures.mv_share(),
        "mv_words": figures.mv_words,
        "mv_cycles": figures.mv_cycles,
        "packed_bytes": figures.packed_bytes,
        "relaid_bytes": figures.relaid_bytes,
        "unpacked_bytes": figures.unpacked_bytes,
        "depends_on": run.marks().map(|point| point.id).collect::<Vec<_>>(),
    })
}
