//! `ttmlir-opt`: parses MLIR, verifies it, runs passes over it, prints it.
//!
//! Exit code 0: done; 1: something is wrong with the input; 2: with the command line.

mod arguments;

use anyhow::{Context as _, Result};
use arguments::{Action, Arguments};
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use tessera_dialects::mlir::Context;
use tessera_passes::{opt, registry};

/// Exit code for a command line that asks for what there is not.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments = match arguments::parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    run(&arguments).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (options, passes) = match &arguments.action {
        Action::ShowDialects => {
            let text = format!(
                "Available Dialects: {}\n",
                Context::new().dialects().join(",")
            );
            return write(&arguments.output, &text).map(|()| ExitCode::SUCCESS);
        }
        Action::ListPasses => {
            return write(&arguments.output, &registry::listing()).map(|()| ExitCode::SUCCESS);
        }
        Action::Run(options, passes) => (options, passes),
    };
    let pipeline = match passes.build() {
        Ok(pipeline) => pipeline,
        Err(error) => {
            eprintln!("error: {error}");
            return Ok(ExitCode::from(USAGE));
        }
    };
    let (name, text) = read(&arguments.input)?;
    let outcome = opt::run(
        options,
        &pipeline,
        &name,
        text,
        &mut std::io::stderr().lock(),
    )?;
    if !outcome.output.is_empty() {
        write(&arguments.output, &outcome.output)?;
    }
    Ok(if outcome.success {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn read(path: &Path) -> Result<(String, Vec<u8>)> {
    if path == Path::new("-") {
        let mut text = Vec::new();
        std::io::stdin()
            .read_to_end(&mut text)
            .context("cannot read standard input")?;
        return Ok(("<stdin>".into(), text));
    }
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((path.display().to_string(), text))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if path == Path::new("-") {
        return std::io::stdout()
            .write_all(text.as_bytes())
            .context("cannot write standard output");
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
