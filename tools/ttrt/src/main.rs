//! `ttrt`: runs, reads and checks program files.
//!
//! Only arguments and output; `tessera_runtime` runs and judges programs. A file called
//! `-` is a standard stream. Exit codes: 0 on success, 1 for invalid input or a failed
//! comparison, 2 for an invalid command line.

mod check;
mod devices;
mod files;
mod golden_table;
mod progress_device;
mod read;
mod report;
mod run;
mod table;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use tessera_allocator as _;

/// Runs, reads and checks program files, which ttmlir-translate --ttnn-to-flatbuffer writes.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Read(read::Arguments),
    Check(check::Arguments),
    /// Prints the devices and their capabilities as JSON.
    Query,
}

/// Whether all comparisons are within their bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Pass,
    Fail,
}

fn main() -> ExitCode {
    tessera_cli::main(run)
}

fn run(cli: Cli) -> ExitCode {
    let result = match cli.command {
        Command::Run(arguments) => match arguments.find_conflict() {
            Some(problem) => usage(&problem),
            None => run::run(&arguments),
        },
        Command::Read(arguments) => read::read(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Query => {
            print(&format!("{:#}\n", tessera_runtime::query())).map(|()| Verdict::Pass)
        }
    };
    match result {
        Ok(Verdict::Pass) => ExitCode::SUCCESS,
        Ok(Verdict::Fail) => ExitCode::FAILURE,
        Err(error) => {
            tessera_cli::print_message(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Exits with the exit code for an invalid command line.
fn usage(message: &str) -> ! {
    Cli::command()
        .error(ErrorKind::ArgumentConflict, message)
        .exit()
}

/// Writes to the standard output. A broken pipe is not an error.
fn print(text: &str) -> Result<()> {
    files::write(Path::new("-"), text)
}
