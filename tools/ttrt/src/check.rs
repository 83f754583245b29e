//! `ttrt check`.

use std::path::PathBuf;

use anyhow::Result;

use crate::{print, read_binary, Verdict};

/// Says what keeps a program file from running on the Tensix model, without running it.
#[derive(clap::Args)]
pub struct Arguments {
    /// The program file; one file, not a directory.
    file: PathBuf,
}

/// Checks every program of the file.
pub fn check(arguments: &Arguments) -> Result<Verdict> {
    let binary = read_binary(&arguments.file)?;
    let problems: Vec<_> = binary
        .programs
        .iter()
        .flat_map(|program| tessera_runtime::check(&binary, program))
        .collect();
    for problem in &problems {
        eprintln!("error: {}: {problem}", arguments.file.display());
    }
    if problems.is_empty() {
        print(&format!("{}: can run\n", arguments.file.display()))?;
        Ok(Verdict::Pass)
    } else {
        Ok(Verdict::Fail)
    }
}
