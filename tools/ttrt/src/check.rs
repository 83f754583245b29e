//! `ttrt check`.

use std::path::PathBuf;

use anyhow::Result;
use tessera_runtime::devices::DEFAULT;
use tessera_runtime::DeviceInfo;

use crate::devices::chip;
use crate::{files, print, Verdict};

/// Checks whether a program file can run on the model of a chip, without running it.
#[derive(clap::Args)]
pub struct Arguments {
    /// The program file; one file, not a directory; `-` for the standard input.
    file: PathBuf,
    /// The chip to check for.
    #[arg(long, default_value = DEFAULT.name, value_parser = chip())]
    device: &'static DeviceInfo,
}

/// Checks every program of the file.
pub fn check(arguments: &Arguments) -> Result<Verdict> {
    let (name, binary) = files::read_binary(&arguments.file)?;
    let model = arguments.device.chip.iter();
    let problems: Vec<_> = model
        .flat_map(|model| binary.programs.iter().map(move |program| (model, program)))
        .flat_map(|(model, program)| (model.check)(&binary, program))
        .collect();
    for problem in &problems {
        tessera_cli::print_message(format_args!("error: {name}: {problem}"));
    }
    if problems.is_empty() {
        print(&format!("{name}: can run\n"))?;
        Ok(Verdict::Pass)
    } else {
        Ok(Verdict::Fail)
    }
}
