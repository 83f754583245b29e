//! `ttmlir-opt`: parses MLIR, verifies it, runs passes over it, prints it.
//!
//! Exit code 0: done; 1: something is wrong with the input; 2: with the command line.

mod arguments;

use anyhow::Result;
use arguments::{Action, Arguments};
use std::process::ExitCode;
use tessera_dialects::mlir::Context;
use tessera_passes::{files, opt, registry};

/// Exit code for a command line that asks for what there is not.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments = match arguments::parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    run(&arguments).unwrap_or_else(|error| {
        tessera_cli::tell(format_args!("error: {error:#}"));
        ExitCode::FAILURE
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (options, passes, without) = match &arguments.action {
        Action::ShowDialects => {
            let text = format!(
                "Available Dialects: {}\n",
                Context::new().dialects().join(",")
            );
            files::write(&arguments.output, text.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        Action::ListPasses => {
            files::write(&arguments.output, registry::listing().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        Action::Run {
            options,
            passes,
            without,
        } => (options, passes, without),
    };
    let mut pipeline = match passes.build() {
        Ok(pipeline) => pipeline,
        Err(error) => {
            tessera_cli::tell(format_args!("error: {error}"));
            return Ok(ExitCode::from(USAGE));
        }
    };
    if let Some(pass) = without {
        opt::leave_out(&mut pipeline, pass);
    }
    let (name, text) = files::read(&arguments.input)?;
    let outcome = opt::run(options, &pipeline, &name, text, &mut tessera_cli::Messages)?;
    if !outcome.output.is_empty() {
        files::write(&arguments.output, outcome.output.as_bytes())?;
    }
    Ok(if outcome.success {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
