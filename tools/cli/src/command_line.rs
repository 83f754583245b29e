//! Command lines: parsing them, and the option that prints shell completions for them.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Arg, Command, Parser};
use clap_complete::Shell;

/// The option that every tool has.
const COMPLETIONS: &str = "completions";

/// Parses the command line and runs the tool with it.
///
/// Like clap's `parse`, it ends the process for a command line that is wrong or asks for help.
pub fn main<C: Parser>(run: impl FnOnce(C) -> ExitCode) -> ExitCode {
    let command = with_completions(C::command());
    if let Some(shell) = completions(std::env::args_os()) {
        return crate::finish(print_completions(command, shell));
    }
    let parsed = C::from_arg_matches(&command.clone().get_matches());
    match parsed {
        Ok(arguments) => run(arguments),
        Err(error) => error.format(&mut command.clone()).exit(),
    }
}

/// Adds `--completions SHELL` to a command.
pub fn with_completions(command: Command) -> Command {
    command.arg(
        Arg::new(COMPLETIONS)
            .long(COMPLETIONS)
            .value_name("SHELL")
            .help("Prints the completions of this tool for a shell")
            .value_parser(clap::value_parser!(Shell))
            .exclusive(true),
    )
}

/// Returns the shell whose completions a command line asks for, if it asks for nothing else.
///
/// Arguments that the tool requires, such as a subcommand, may be missing then.
pub fn completions(arguments: impl IntoIterator<Item = OsString>) -> Option<Shell> {
    let matches = with_completions(Command::new(COMPLETIONS)).try_get_matches_from(arguments);
    matches.ok()?.get_one(COMPLETIONS).copied()
}

/// Prints the completions of a command for a shell.
pub fn print_completions(mut command: Command, shell: Shell) -> Result<()> {
    let (name, mut script) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(shell, &mut command, name, &mut script);
    crate::write(None, &script)
}

#[cfg(test)]
mod tests;
