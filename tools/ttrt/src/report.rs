//! What `ttrt run` tells about a run, as text and as JSON.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::{json, Map, Value};
use tessera_ops::shape::Extents;
use tessera_program::DataType;
use tessera_reference::Tensor;
use tessera_runtime::devices::mncore::MncoreKernelRun;
use tessera_runtime::devices::tensix::{KernelRun, Stats, CORES};
use tessera_runtime::golden::numerics::Erratum;
use tessera_runtime::golden::Report as GoldenReport;

use crate::{board_figures, figures, golden_table, Verdict};

/// Elements that are printed of an output.
const SHOWN: usize = 8;

/// A run that reached its end.
pub struct Report {
    pub file: String,
    pub program: String,
    pub device: String,
    pub seconds: f64,
    pub outputs: Vec<Tensor>,
    /// One for each output, or none.
    pub output_files: Vec<PathBuf>,
    pub kernels: Kernels,
    pub golden: Option<Vec<GoldenReport>>,
}

/// The kernels that ran.
pub enum Kernels {
    /// On no chip.
    None,
    /// On Tensix.
    Tensix(Vec<KernelRun>),
    /// On MN-Core 2.
    Mncore(Vec<MncoreKernelRun>),
}

/// The verdict on several runs.
pub fn verdict(reports: &[Report]) -> Verdict {
    match reports
        .iter()
        .all(|report| report.verdict() == Verdict::Pass)
    {
        true => Verdict::Pass,
        false => Verdict::Fail,
    }
}

/// Several runs for programs; a single one is told as such.
pub fn to_json(reports: &[Report]) -> Value {
    match reports {
        [report] => report.to_json(),
        _ => json!({
            "result": result(verdict(reports)),
            "programs": reports.iter().map(Report::to_json).collect::<Vec<_>>(),
        }),
    }
}

fn result(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
    }
}

impl Report {
    pub fn verdict(&self) -> Verdict {
        if self.golden.iter().flatten().all(|report| report.pass) {
            Verdict::Pass
        } else {
            Verdict::Fail
        }
    }

    /// What makes the comparison with the reference fail, if it does.
    pub fn failure(&self) -> Option<String> {
        let failure = golden_table::failure(self.golden.as_deref()?)?;
        Some(format!(
            "{}: program '{}': {failure}",
            self.file, self.program
        ))
    }

    /// For people.
    pub fn text(&self, with_stats: bool) -> String {
        let mut text = String::new();
        for (index, output) in self.outputs.iter().enumerate() {
            text += &format!(
                "output {index}: {} {}",
                Extents(output.shape()),
                output.data_type()
            );
            text += &match self.output_files.get(index) {
                Some(path) => format!(", written to {}\n", path.display()),
                None => format!(": {}\n", first_elements(output)),
            };
        }
        if let Some(reports) = &self.golden {
            text += &golden_table::text(reports);
            if let Some(erratum) = self.erratum() {
                text += &format!("hint: {}\n", erratum.hint);
            }
        }
        match &self.kernels {
            Kernels::Tensix(runs) if with_stats => text += &self.tensix_text(runs),
            Kernels::Mncore(runs) if with_stats => text += &board_figures::text(runs),
            _ => {}
        }
        text
    }

    /// The erratum of the device that elements of a product may be as they are for.
    fn erratum(&self) -> Option<&'static Erratum> {
        let mut reports = self.golden.iter().flatten();
        let found = reports.find(|report| report.miscount_candidates > 0)?;
        found.erratum
    }

    fn tensix_text(&self, runs: &[KernelRun]) -> String {
        let mut text = format!(
            "kernels ran: {}; instructions executed, MOP and REPLAY expanded:\n",
            runs.len()
        );
        let (counts, total) = counts(runs);
        for (mnemonic, count) in counts {
            writeln!(text, "{count:>12}  {mnemonic}").expect("a string takes all");
        }
        writeln!(text, "{total:>12}  in all").expect("a string takes all");
        text += &riscv_text(runs);
        text += &stalls_text(runs);
        text += &figures::text(runs);
        text
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let outputs = self.outputs.iter().enumerate().map(|(index, output)| {
            json!({
                "shape": output.shape(),
                "data_type": output.data_type(),
                "file": self.output_files.get(index),
            })
        });
        json!({
            "result": result(self.verdict()),
            "file": self.file,
            "program": self.program,
            "device": self.device,
            "seconds": self.seconds,
            "outputs": outputs.collect::<Vec<_>>(),
            "golden": self.golden,
            "kernels": self.kernels_json(),
        })
    }

    fn kernels_json(&self) -> Vec<Value> {
        match &self.kernels {
            Kernels::None => Vec::new(),
            Kernels::Tensix(runs) => {
                let runs = runs.iter();
                runs.map(kernel_json).collect()
            }
            Kernels::Mncore(runs) => runs.iter().map(board_figures::json).collect(),
        }
    }
}

/// What the RISC-V cores did, if any ran.
fn riscv_text(runs: &[KernelRun]) -> String {
    let retired = sum(runs).retired();
    if retired == [0; 5] {
        return String::new();
    }
    let tiles = runs.iter().map(|run| run.workers.len()).max();
    let mut text = format!(
        "RISC-V instructions, on up to {} tiles; rounds of polling while nothing changes do not count:\n",
        tiles.unwrap_or_default()
    );
    for (core, count) in CORES.iter().zip(retired) {
        writeln!(text, "{count:>12}  {core}").expect("a string takes all");
    }
    text
}

/// What instructions waited for, if some did.
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

/// Instructions of all kernels by mnemonic, the most frequent first, and in all.
fn counts(runs: &[KernelRun]) -> (Vec<(&'static str, u64)>, u64) {
    let sum = sum(runs);
    let mut counts: Vec<_> = sum.by_mnemonic().collect();
    counts.sort_by_key(|&(mnemonic, count)| (std::cmp::Reverse(count), mnemonic));
    (counts, sum.total())
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
        "figures": figures::json(run),
        "workers": run.workers.iter().map(|stats| json!({
            "total": stats.total(),
            "riscv": retired(stats),
        })).collect::<Vec<_>>(),
    })
}

/// An element with the fewest digits that tell it from its neighbours, and with an exponent if it
/// is very small or large.
fn element(value: f64, data_type: DataType) -> String {
    let is_plain = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
    match (data_type, is_plain) {
        (DataType::BF16 | DataType::F32, true) => (value as f32).to_string(),
        (DataType::BF16 | DataType::F32, false) => format!("{:e}", value as f32),
        (_, true) => value.to_string(),
        (_, false) => format!("{value:e}"),
    }
}

fn first_elements(tensor: &Tensor) -> String {
    let values = tensor.first_f64s(SHOWN + 1);
    let shown = values.iter().take(SHOWN);
    let shown: Vec<_> = shown.map(|v| element(*v, tensor.data_type())).collect();
    let more = if values.len() > SHOWN { ", …" } else { "" };
    format!("[{}{more}]", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_a_sane_width() {
        use DataType::{BF16, F32, SI32};
        for (value, data_type, expect) in [
            (3.09375, BF16, "3.09375"),
            (0.100_000_001_490_116_12, F32, "0.1"),
            (f64::from(f32::MAX), F32, "3.4028235e38"),
            (-2f64.powi(-23), BF16, "-1.1920929e-7"),
            (1e9, F32, "1000000000"),
            (-0.0, F32, "-0"),
            (f64::INFINITY, F32, "inf"),
            (f64::NAN, BF16, "NaN"),
            (-2_147_483_648.0, SI32, "-2147483648"),
        ] {
            assert_eq!(element(value, data_type), expect);
        }
    }
}
