//! Timelines of kernel runs.

use std::io::{self, Write};

use tessera_mncore::trace::TraceWriter;
use tessera_program::{Binary, KernelBody, MncoreStatement};

use super::MncoreKernelRun;
use crate::device_info::{runs_of, KernelRuns};

/// Writes the activity of the units, one run after the other, as JSON for Perfetto.
///
/// The times depend on the statements alone; see [`tessera_mncore::timeline`].
///
/// # Errors Errors of `out`, and units that do not decode.
pub fn write_trace(
    binary: &Binary,
    runs: &[&dyn KernelRuns],
    out: &mut dyn Write,
) -> io::Result<()> {
    let runs = runs_of::<Vec<MncoreKernelRun>>(runs)?;
    let mut trace = TraceWriter::new(out)?;
    for run in runs.into_iter().flatten() {
        let kernel = binary.kernels.get(run.index as usize);
        let Some(KernelBody::Mncore(body)) = kernel.map(|kernel| &kernel.body) else {
            let missing = format!("kernel '{}' is not of this file", run.kernel);
            return Err(io::Error::other(missing));
        };
        for statement in body.statements().map_err(io::Error::other)? {
            let MncoreStatement {
                statement, word, ..
            } = statement.map_err(io::Error::other)?;
            trace.statement(&statement, body.place(word))?;
        }
        trace.end_program(Some(&run.kernel))?;
    }
    trace.finish()
}
