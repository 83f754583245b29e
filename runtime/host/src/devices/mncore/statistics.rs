//! Statistics of kernel runs, as text and as JSON.

use std::fmt::Write;

use serde_json::{json, Map, Value};

use super::{Figures, MncoreKernelRun};
use crate::device_info::KernelRuns;
use crate::statistics::{Section, Table};

/// Titles of the columns of figures.
const TITLES: [&str; 10] = [
    "cycles", "steps", "MAU", "MV", "packed", "relayout", "unpacked", "#", "kernel", "location",
];

/// The columns of names.
const NAMES: [usize; 2] = [8, 9];

impl KernelRuns for Vec<MncoreKernelRun> {
    /// Returns a row for each kernel, what the time of all goes to, and on what the manual leaves
    /// open their results depend.
    fn statistics(&self) -> Vec<Section> {
        let all: Vec<Figures> = self.iter().map(Figures::from_run).collect();
        let sum = Figures::sum(&all);
        vec![
            Section::Text(head(self.len())),
            Section::Table(table(self, &all, &sum)),
            Section::Text(units_text(&sum) + &marks_text(self)),
        ]
    }

    fn to_json(&self) -> Vec<Value> {
        self.iter().map(kernel_json).collect()
    }
}

fn head(count: usize) -> String {
    format!(
        "kernels ran: {count}\n\
         modelled on MN-Core 2: a step takes four cycles, transfers run beside steps at documented \
         rates, one after the other; the share of\n\
         the time that the MAU computes and MV transfers move; bytes that the host moved into \
         DRAM, rearranged there, and moved out\n",
    )
}

fn table(runs: &[MncoreKernelRun], all: &[Figures], sum: &Figures) -> Table {
    let kernels = all.iter().zip(runs).enumerate();
    let mut rows: Vec<_> = kernels
        .map(|(number, (figures, run))| {
            cells(figures, [&number.to_string(), &run.kernel, &run.loc])
        })
        .collect();
    if all.len() > 1 {
        rows.push(cells(sum, ["", "in all", ""]));
    }
    Table {
        titles: TITLES.to_vec(),
        names: NAMES.to_vec(),
        rows,
    }
}

fn cells(figures: &Figures, [run, kernel, loc]: [&str; 3]) -> Vec<String> {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    vec![
        figures.cycles.to_string(),
        figures.steps.to_string(),
        percent(figures.mau_share()),
        percent(figures.mv_share()),
        figures.packed_bytes.to_string(),
        figures.relayout_bytes.to_string(),
        figures.unpacked_bytes.to_string(),
        run.to_owned(),
        kernel.to_owned(),
        loc.to_owned(),
    ]
}

fn units_text(sum: &Figures) -> String {
    let mut text = "steps with work for each unit, and with none:\n".to_owned();
    let units = sum.units().chain([("none", sum.idle)]);
    for (unit, steps) in units.filter(|(_, steps)| *steps > 0) {
        writeln!(text, "{steps:>12}  {unit}").expect("a string takes all");
    }
    writeln!(text, "{:>12}  long words moved by MV", sum.mv_words).expect("a string takes all");
    text
}

fn marks_text(runs: &[MncoreKernelRun]) -> String {
    let mut text = String::new();
    for run in runs {
        for point in run.marks() {
            writeln!(text, "{} depends on: {point}", run.kernel).expect("a string takes all");
        }
    }
    text
}

fn kernel_json(run: &MncoreKernelRun) -> Value {
    let figures = Figures::from_run(run);
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
        "relayout_bytes": figures.relayout_bytes,
        "unpacked_bytes": figures.unpacked_bytes,
        "depends_on": run.marks().map(|point| point.id).collect::<Vec<_>>(),
    })
}
