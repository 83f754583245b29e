//! Regenerates what is generated and committed: the code of the program file.

use anyhow::Result;

use crate::process::{cargo, run};
use crate::setup;

/// Regenerates the code of `runtime/program`. The compiler of the schema is built from source on
/// the way (about 90 s), which is why nothing else does it.
///
/// # Errors
/// The machine lacks what that needs, or the schema is refused.
pub fn codegen() -> Result<()> {
    setup::setup(setup::CODEGEN)?;
    run(&mut cargo([
        "run",
        "--package",
        "tessera-program",
        "--features",
        "codegen",
        "--bin",
        "program-codegen",
    ]))
}
