//! `cargo xtask`: sets the machine up, tests the repository, runs the demo.
//!
//! Invariant: this program needs neither LLVM nor any crate that does, since it is what installs
//! them.

mod codegen;
mod demo;
mod docs;
mod lint_words;
mod process;
mod setup;
mod summary;
mod test;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "Set-up, tests, pages and the demo of Tessera"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what is missing on this machine (Debian and Ubuntu: with apt-get)
    Setup,
    /// Set up, build, and run every test
    Test,
    /// Set up, build, and classify handwritten digits on the model
    Demo {
        /// Show a model in JAX instead (builds the Python package and installs it into target).
        #[arg(long)]
        model: Option<demo::Model>,
    },
    /// Build the pages below docs as a book (installs mdBook into target when it is missing)
    Docs,
    /// Build the Python package as a wheel (installs maturin into target)
    Wheel {
        /// Install it into a new environment, and run its tests there.
        #[arg(long)]
        test: bool,
        /// Build with the profile of the tests, which is faster to build and slower to run.
        #[arg(long)]
        dev: bool,
    },
    /// Find retired terms, and comments and pages wider than 100 columns
    LintWords,
    /// Regenerate the code of the program file after a change of its schema (needs cmake)
    Codegen,
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Setup => setup::setup(setup::BUILD),
        Task::Test => test::test(),
        Task::Demo { model: None } => demo::demo(),
        Task::Demo { model: Some(model) } => demo::show(model),
        Task::Docs => docs::docs(),
        Task::Wheel { test, dev: true } => wheel::wheel(wheel::Profile::Dev, test),
        Task::Wheel { test, dev: false } => wheel::wheel(wheel::Profile::Release, test),
        Task::LintWords => lint_words::lint_words(&root()),
        Task::Codegen => codegen::codegen(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
