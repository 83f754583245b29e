//! Results of `ttrt run`, as text and as JSON.

use std::path::PathBuf;

use serde_json::{json, Value};
use tessera_ops::shape::Extents;
use tessera_program::DataType;
use tessera_reference::Tensor;
use tessera_runtime::golden::numerics::Erratum;
use tessera_runtime::golden::Report as GoldenReport;
use tessera_runtime::{KernelRuns, Outcome};

use crate::{golden_table, table, Verdict};

/// Number of elements of an output that are printed.
const SHOWN: usize = 8;

/// A completed run.
pub struct Report {
    pub file: String,
    pub program: String,
    pub device: &'static str,
    pub seconds: f64,
    pub outcome: Outcome,
    /// The file of each output; empty if none are written.
    pub output_files: Vec<PathBuf>,
    pub golden: Option<Vec<GoldenReport>>,
}

/// Returns the verdict on several runs.
pub fn verdict(reports: &[Report]) -> Verdict {
    match reports
        .iter()
        .all(|report| report.verdict() == Verdict::Pass)
    {
        true => Verdict::Pass,
        false => Verdict::Fail,
    }
}

/// Returns the results as JSON: an array for several runs, an object for one.
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

    /// Returns the first failed comparison with the reference, if any.
    pub fn failure(&self) -> Option<String> {
        let failure = golden_table::failure(self.golden.as_deref()?)?;
        Some(format!(
            "{}: program '{}': {failure}",
            self.file, self.program
        ))
    }

    /// Formats the report as text.
    pub fn text(&self, with_stats: bool) -> String {
        let mut text = String::new();
        for (index, output) in self.outcome.outputs.iter().enumerate() {
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
        if with_stats {
            text += &self.statistics();
        }
        text
    }

    /// Returns the statistics of all kernels. Those of cached calls are listed apart.
    fn statistics(&self) -> String {
        let outcome = &self.outcome;
        let render = |kernels: &dyn KernelRuns| table::render_all(&kernels.statistics());
        let own = outcome.kernels.as_deref().map(render).unwrap_or_default();
        match outcome.cached_kernels.as_deref() {
            None => own,
            Some(kernels) => format!(
                "once for each set of weights\n{}in each run\n{own}",
                render(kernels)
            ),
        }
    }

    /// Returns the kernels that ran, in groups of consecutive ones.
    pub fn kernels(&self) -> impl Iterator<Item = &dyn KernelRuns> {
        let groups = [&self.outcome.cached_kernels, &self.outcome.kernels];
        groups.into_iter().filter_map(|kernels| kernels.as_deref())
    }

    /// Returns the erratum of the device that may explain wrong elements.
    fn erratum(&self) -> Option<&'static Erratum> {
        let mut reports = self.golden.iter().flatten();
        let found = reports.find(|report| report.miscount_candidates > 0)?;
        found.erratum
    }

    /// Formats the report as JSON.
    pub fn to_json(&self) -> Value {
        let kernels = |runs: &Option<Box<dyn KernelRuns>>| {
            runs.as_ref()
                .map_or_else(Vec::new, |kernels| kernels.to_json())
        };
        let outputs = self
            .outcome
            .outputs
            .iter()
            .enumerate()
            .map(|(index, output)| {
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
            "kernels": kernels(&self.outcome.kernels),
            "cached_kernels": kernels(&self.outcome.cached_kernels),
        })
    }
}

/// Formats an element with the fewest digits that identify it, with an exponent if it is very small
/// or large.
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
mod tests;
