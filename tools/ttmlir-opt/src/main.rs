//! `ttmlir-opt`: parses, verifies, transforms and prints MLIR modules.
//!
//! Exit codes: 0 on success, 1 for an error in the input, 2 for an error in the command line.

mod arguments;

use anyhow::Result;
use arguments::{Action, Arguments};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use tessera_cli::command_line::{completions, print_completions, with_completions};
use tessera_cli::{Messages, Progress};
use tessera_dialects::mlir::{crash, Context};
use tessera_dialects::spelling;
use tessera_passes::driver::opt::Reports;
use tessera_passes::driver::{files, opt, registry};

/// Exit code for an invalid command line.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    crash::install();
    if let Some(shell) = completions(std::env::args_os()) {
        let command = with_completions(arguments::command());
        return tessera_cli::finish(print_completions(command, shell));
    }
    let arguments = match arguments::parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    run(&arguments).unwrap_or_else(|error| {
        tessera_cli::print_message(format_args!("error: {error:#}"));
        ExitCode::FAILURE
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (options, passes, disabled_pass) = match &arguments.action {
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
        Action::ListOperations(dialect) => {
            return list_operations(dialect.as_deref(), &arguments.output)
        }
        Action::Run {
            options,
            passes,
            disabled_pass,
        } => (options, passes, disabled_pass),
    };
    let mut pipeline = match passes.build() {
        Ok(pipeline) => pipeline,
        Err(error) => {
            tessera_cli::print_message(format_args!("error: {error}"));
            return Ok(ExitCode::from(USAGE));
        }
    };
    if let Some(pass) = disabled_pass {
        opt::remove_pass(&mut pipeline, pass);
    }
    if let Err(error) = opt::check_names(options, &pipeline) {
        tessera_cli::print_message(format_args!("error: {error}"));
        return Ok(ExitCode::from(USAGE));
    }
    let (name, text) = files::read(&arguments.input)?;
    let progress = Progress::start(None);
    let mut reports = Reports {
        messages: &mut SuspendingStderr(&progress),
        progress: &|pass| progress.set_message(pass.to_owned()),
    };
    let outcome = opt::run(options, &pipeline, &name, text, &mut reports)?;
    drop(progress);
    if !outcome.output.is_empty() {
        files::write(&arguments.output, &outcome.output)?;
    }
    Ok(if outcome.success {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Standard error; suspends the progress bar while writing.
struct SuspendingStderr<'p>(&'p Progress);

impl Write for SuspendingStderr<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| Messages.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Messages.flush()
    }
}

/// Prints the operations of one dialect, or of all dialects.
fn list_operations(dialect: Option<&str>, output: &Path) -> Result<ExitCode> {
    let context = Context::new();
    let mut dialects = context.dialects();
    if let Some(name) = dialect {
        if !dialects.iter().any(|known| known == name) {
            let nearest = spelling::suggestion(name, dialects.iter().map(String::as_str));
            let known = dialects.join(", ");
            tessera_cli::print_message(format_args!(
                "error: unknown dialect '{name}'{nearest}; known: {known}"
            ));
            return Ok(ExitCode::from(USAGE));
        }
        dialects = vec![name.to_owned()];
    }
    let names: Vec<String> = dialects
        .iter()
        .flat_map(|dialect| context.operations(dialect))
        .map(|name| format!("{name}\n"))
        .collect();
    files::write(output, names.concat().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
