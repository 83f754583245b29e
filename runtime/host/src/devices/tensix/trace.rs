//! The time line of kernels that ran on the chip.

use std::io::{self, Write};

use tessera_tensix::timeline;

use super::KernelRun;

/// Writes what the coprocessors of the recorded tiles did in these runs, one after the other, as
/// JSON for Perfetto.
///
/// # Errors
/// What `out` gives.
pub fn write_trace(runs: &[KernelRun], out: impl Write) -> io::Result<()> {
    let kernels = runs.iter().map(|run| (&*run.kernel, &*run.timelines));
    timeline::write_kernels(&kernels.collect::<Vec<_>>(), out)
}
