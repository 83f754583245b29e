//! Statistics of kernel runs, as text and as JSON.

use std::cmp::Reverse;
use std::fmt::Write;

use serde_json::{json, Map, Value};
use tessera_isa_tensix::tile::CORES;
use tessera_tensix::issue::cycles::Busy;
use tessera_tensix::Stats;

use super::{Figures, KernelRun};
use crate::device_info::KernelRuns;
use crate::statistics::{Section, Table};

/// Threads that push words.
const THREADS: [&str; 3] = ["T0", "T1", "T2"];

/// Titles of the columns of figures.
const TITLES: [&str; 14] = [
    "cycles", "bound by", "tiles", "FPU peak", "/step", "T0", "T1", "T2", "T0 w/i", "T1 w/i",
    "T2 w/i", "#", "kernel", "location",
];

/// The columns of names.
const NAMES: [usize; 3] = [1, 12, 13];

impl KernelRuns for Vec<KernelRun> {
    fn statistics(&self) -> Vec<Section> {
        let text = instructions_text(self) + &riscv_text(self) + &stalls_text(self);
        let mut sections = vec![Section::Text(text)];
        sections.extend(figures(self));
        sections
    }

    fn to_json(&self) -> Vec<Value> {
        self.iter().map(kernel_json).collect()
    }
}

/// Returns the number of instructions of all kernels by mnemonic, the most frequent first, and in
/// total.
fn instructions_text(runs: &[KernelRun]) -> String {
    let mut text = format!(
        "kernels ran: {}; instructions executed, MOP and REPLAY expanded:\n",
        runs.len()
    );
    let sum = sum(runs);
    let mut counts: Vec<_> = sum.by_mnemonic().collect();
    counts.sort_by_key(|&(mnemonic, count)| (Reverse(count), mnemonic));
    for (mnemonic, count) in counts {
        writeln!(text, "{count:>12}  {mnemonic}").expect("a string takes all");
    }
    writeln!(text, "{:>12}  in all", sum.total()).expect("a string takes all");
    text
}

/// Returns the statistics of the RISC-V cores, if any ran.
fn riscv_text(runs: &[KernelRun]) -> String {
    let retired = sum(runs).retired();
    if retired == [0; 5] {
        return String::new();
    }
    let tiles = runs.iter().map(|run| run.workers.len()).max();
    let mut text = format!(
        "RISC-V instructions, on up to {} tiles; rounds of polling while nothing changes do not \
         count:\n",
        tiles.unwrap_or_default()
    );
    for (core, count) in CORES.iter().zip(retired) {
        writeln!(text, "{count:>12}  {core}").expect("a string takes all");
    }
    text
}

/// Returns what instructions waited for, if any did.
fn stalls_text(runs: &[KernelRun]) -> String {
    let sum = sum(runs);
    let mut text = String::new();
    for (cause, [t0, t1, t2]) in sum.stalls() {
        if text.is_empty() {
            text += "instructions of T0, T1, T2 that waited, however long, under this schedule:\n";
        }
        writeln!(text, "{t0:>12} {t1:>8} {t2:>8}  for {}", cause.name())
            .expect("a string takes all");
    }
    text
}

fn sum(runs: &[KernelRun]) -> Stats {
    let mut sum = Stats::default();
    runs.iter().for_each(|run| sum.add(&run.stats));
    sum
}

/// Returns a row for each kernel, and what the time of all goes to; nothing if none ran.
fn figures(runs: &[KernelRun]) -> Vec<Section> {
    let Some(arch) = runs.first().map(|run| run.arch) else {
        return Vec::new();
    };
    let all: Vec<Figures> = runs.iter().map(Figures::from_run).collect();
    let head = format!(
        "modelled on {arch}, as if nothing waited: cycles of the busiest part of the busiest tile; \
         those of a 32x32x32 product, and\n\
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
    let table = Table {
        titles: TITLES.to_vec(),
        names: NAMES.to_vec(),
        rows,
    };
    let line = |Busy { part, cycles, rate }: &Busy| match cycles {
        Some(cycles) => format!("{cycles:>12}  {part:<18}  {rate}\n"),
        None => format!(
            "{:>12}  {part:<18}  its rate is not documented on {arch}\n",
            "?"
        ),
    };
    let mut text = "cycles that each part is busy, on the busiest tile:\n".to_owned();
    text.extend(sum.busy.iter().map(line));
    text += "with the traffic of all tiles, which the cycles above do not include:\n";
    text.extend(sum.dram.iter().map(line));
    vec![
        Section::Text(head),
        Section::Table(table),
        Section::Text(text),
    ]
}

fn cells(figures: &Figures, [run, kernel, loc]: [&str; 3]) -> Vec<String> {
    let peak = figures.share_of_peak();
    let [i0, i1, i2] = [0, 1, 2].map(|thread| number(figures.issue_per_step(thread)));
    let [w0, w1, w2] = [0, 1, 2].map(|thread| number(figures.words_per_instruction(thread)));
    vec![
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

/// Returns a number that may be undefined.
fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.1}"))
}

fn kernel_json(run: &KernelRun) -> Value {
    let instructions: Map<_, _> = run
        .stats
        .by_mnemonic()
        .map(|(mnemonic, count)| (mnemonic.to_owned(), count.into()))
        .collect();
    let retired = |stats: &Stats| {
        let by_core = CORES.iter().zip(stats.retired());
        by_core
            .map(|(core, count)| ((*core).to_owned(), count.into()))
            .collect::<Map<_, _>>()
    };
    let stalls: Map<_, _> = run
        .stats
        .stalls()
        .map(|(cause, counts)| (cause.name().to_owned(), json!(counts)))
        .collect();
    json!({
        "kernel": run.kernel,
        "loc": run.loc,
        "instructions": instructions,
        "total": run.stats.total(),
        "riscv": retired(&run.stats),
        "stalls": stalls,
        "figures": figures_json(run),
        "workers": run.workers.iter().map(|stats| json!({
            "total": stats.total(),
            "riscv": retired(stats),
        })).collect::<Vec<_>>(),
    })
}

fn figures_json(run: &KernelRun) -> Value {
    let figures = Figures::from_run(run);
    let of_threads = |of: fn(&Figures, usize) -> Option<f64>| {
        let threads = THREADS.iter().enumerate();
        threads
            .map(|(thread, name)| ((*name).to_owned(), json!(of(&figures, thread))))
            .collect::<Map<_, _>>()
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
        "busy": busy.collect::<Map<_, _>>(),
        "dram": figures.dram.and_then(|dram| dram.cycles),
        "share_of_peak": figures.share_of_peak(),
        "products": figures.steps,
        "cycles_per_product": figures.cycles_per_step(),
        "issue_cycles_per_product": of_threads(Figures::issue_per_step),
        "words_per_instruction": of_threads(Figures::words_per_instruction),
    })
}
