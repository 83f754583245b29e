//! `ttrt check`.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;

use crate::{files, print, Verdict};

/// Says what keeps a program file from running on the model of a chip, without running it.
#[derive(clap::Args)]
pub struct Arguments {
    /// The program file; one file, not a directory; `-` for the standard input.
    file: PathBuf,
    /// The chip.
    #[arg(long, value_enum, default_value_t = Device::Tensix)]
    device: Device,
}

#[derive(Clone, Copy, ValueEnum)]
enum Device {
    /// The Tensix model.
    Tensix,
    /// The model of MN-Core 2.
    Mncore,
}

/// Checks every program of the file.
pub fn check(arguments: &Arguments) -> Result<Verdict> {
    let (name, binary) = files::read_binary(&arguments.file)?;
    let check = match arguments.device {
        Device::Tensix => tessera_runtime::devices::tensix::check,
        Device::Mncore => tessera_runtime::devices::mncore::check,
    };
    let problems: Vec<_> = binary
        .programs
        .iter()
        .flat_map(|program| check(&binary, program))
        .collect();
    for problem in &problems {
        tessera_cli::tell(format_args!("error: {name}: {problem}"));
    }
    if problems.is_empty() {
        print(&format!("{name}: can run\n"))?;
        Ok(Verdict::Pass)
    } else {
        Ok(Verdict::Fail)
    }
}
