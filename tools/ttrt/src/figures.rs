//! The figures of kernels as text and as JSON.

use std::fmt::Write;

use serde_json::{json, Value};
use tessera_runtime::devices::tensix::{Busy, Figures, KernelRun};

use crate::table;

/// Threads that push words.
const THREADS: [&str; 3] = ["T0", "T1", "T2"];

/// Titles of the columns.
const TITLES: [&str; 14] = [
    "cycles", "bound by", "tiles", "FPU peak", "/step", "T0", "T1", "T2", "T0 w/i", "T1 w/i",
    "T2 w/i", "#", "kernel", "location",
];

/// The columns of names.
const NAMES: [usize; 3] = [1, 12, 13];

/// A line for each kernel, and what the time of all goes to; nothing if none ran.
pub fn text(runs: &[KernelRun]) -> String {
    let Some(arch) = runs.first().map(|run| run.arch) else {
        return String::new();
    };
    let all: Vec<Figures> = runs.iter().map(Figures::of).collect();
    let mut text = format!(
        "modelled on {arch}, as if nothing waited: cycles of the busiest part of the busiest tile; those of a 32x32x32 product, and\n\
         what each thread takes to issue it; words executed for each RISC-V instruction\n"
    );
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
    text += &table::render(TITLES, &NAMES, &rows);
    text += "cycles that each part is busy, on the busiest tile:\n";
    for Busy { part, cycles, rate } in sum.busy {
        match cycles {
            Some(cycles) => writeln!(text, "{cycles:>12}  {part:<18}  {rate}"),
            None => writeln!(
                text,
                "{:>12}  {part:<18}  no source gives its rate on {arch}",
                "?"
            ),
        }
        .expect("a string takes all");
    }
    text
}

fn cells(figures: &Figures, [run, kernel, loc]: [&str; 3]) -> [String; TITLES.len()] {
    let peak = figures.share_of_peak();
    let [i0, i1, i2] = [0, 1, 2].map(|thread| number(figures.issue_per_step(thread)));
    let [w0, w1, w2] = [0, 1, 2].map(|thread| number(figures.words_per_instruction(thread)));
    [
        figures.cycles.to_string(),
        figures.bound().to_owned(),
        figures.tiles.to_string(),
        peak.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share)),
        number(figures.cycles_per_step()),
        i0,
        i1,
        i2,
        w0,
        w1,
        w2,
        run.to_owned(),
        kernel.to_owned(),
        loc.to_owned(),
    ]
}

/// A number that may be undefined.
fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.1}"))
}

/// What is known of one kernel.
pub fn json(run: &KernelRun) -> Value {
    let figures = Figures::of(run);
    let of_threads = |of: fn(&Figures, usize) -> Option<f64>| {
        let threads = THREADS.iter().enumerate();
        threads
            .map(|(thread, name)| ((*name).to_owned(), json!(of(&figures, thread))))
            .collect::<serde_json::Map<_, _>>()
    };
    let busy = figures
        .busy
        .iter()
        .map(|busy| (busy.part.to_owned(), json!(busy.cycles)));
    json!({
        "arch": run.arch.to_string(),
        "tiles": figures.tiles,
        "cycles": figures.cycles,
        "bound": figures.bound(),
        "busy": busy.collect::<serde_json::Map<_, _>>(),
        "share_of_peak": figures.share_of_peak(),
        "products": figures.steps,
        "cycles_per_product": figures.cycles_per_step(),
        "issue_cycles_per_product": of_threads(Figures::issue_per_step),
        "words_per_instruction": of_threads(Figures::words_per_instruction),
    })
}
