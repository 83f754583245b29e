//! Timelines of kernel runs.

use std::io::{self, Write};

use tessera_program::Binary;
use tessera_tensix::issue::timeline;

use super::KernelRun;
use crate::device_info::{runs_of, KernelRuns};

/// Writes the activity of the coprocessors of recorded tiles, one run after the other, as JSON for
/// Perfetto.
///
/// # Errors Errors of `out`.
pub fn write_trace(_: &Binary, runs: &[&dyn KernelRuns], out: &mut dyn Write) -> io::Result<()> {
    let runs = runs_of::<Vec<KernelRun>>(runs)?;
    let kernels = runs
        .into_iter()
        .flatten()
        .map(|run| (&*run.kernel, &*run.timelines));
    timeline::write_kernels(&kernels.collect::<Vec<_>>(), out)
}
