//! Set-up, then everything that can fail: format, lints, tests.

use std::fmt;
use std::process::Command;
use std::time::Instant;

use anyhow::{bail, Result};

use crate::process::{cargo, run, succeeds, watch};
use crate::setup;
use crate::summary::Summary;
use crate::wheel::{self, Profile};

/// Runs every check of the repository and ends with the runners' summary lines.
///
/// # Errors
/// The machine cannot be set up, or a check fails; all tests are run even if some fail.
pub fn test() -> Result<()> {
    let started = Instant::now();
    setup::setup(setup::BUILD)?;
    let lints = LINTS.map(|lint| (lint.name, check(&lint)));
    // First, so that errors do not hide among test results. With the tests in the same command,
    // crates are built once, with the features that all of them need.
    run(&mut cargo(["build", "--workspace", "--bins", "--tests"]))?;
    let mut summary = Summary::default();
    let passed = watch(&cargo(["test", "--workspace", "--no-fail-fast"]), |line| {
        summary.line(line)
    })?;
    let package = check_package();
    let seconds = started.elapsed().as_secs_f64();
    println!();
    for (name, outcome) in lints.iter().chain([&package]) {
        println!("{name}: {outcome}");
    }
    println!(
        "{} test suites, {seconds:.0} s\n\n{summary}",
        summary.suites()
    );
    let mut outcomes = lints.iter().chain([&package]);
    if !passed || outcomes.any(|(_, outcome)| *outcome == Outcome::Failed) {
        bail!("something above FAILED");
    }
    Ok(())
}

/// Tests the Python package if this machine can.
fn check_package() -> (&'static str, Outcome) {
    let outcome = match wheel::find_obstacle() {
        Some(obstacle) => Outcome::Skipped(obstacle),
        None => Outcome::from_result(&wheel::wheel(Profile::Dev, true)),
    };
    ("Python package", outcome)
}

/// A checker of the source text.
struct Lint {
    name: &'static str,
    /// The component of the Rust toolchain it comes with.
    component: &'static str,
    /// A file that proves that the component is installed.
    probe: &'static [&'static str],
    arguments: &'static [&'static str],
}

const LINTS: [Lint; 3] = [
    Lint {
        name: "format",
        component: "rustfmt",
        probe: &["fmt", "--version"],
        arguments: &["fmt", "--all", "--check"],
    },
    Lint {
        name: "clippy",
        component: "clippy",
        probe: &["clippy", "--version"],
        arguments: &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
    },
    Lint {
        name: "documentation",
        component: "rustc",
        probe: &["--version"],
        // The workspace's lints deny what rustdoc would warn of.
        arguments: &["doc", "--quiet", "--workspace", "--no-deps"],
    },
];

#[derive(PartialEq, Eq)]
enum Outcome {
    Ok,
    Failed,
    /// The toolchain lacks the component. The tests run nevertheless.
    Absent(&'static str),
    /// The machine lacks something that the test needs.
    Skipped(&'static str),
}

impl Outcome {
    /// Prints the error, if there is one.
    fn from_result(result: &Result<()>) -> Self {
        match result {
            Ok(()) => Outcome::Ok,
            Err(error) => {
                eprintln!("error: {error:#}");
                Outcome::Failed
            }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("ok"),
            Self::Failed => f.write_str("FAILED"),
            Self::Skipped(obstacle) => write!(f, "NOT TESTED: {obstacle}"),
            Self::Absent(component) => {
                write!(
                    f,
                    "NOT CHECKED, this toolchain lacks it (rustup component add {component})"
                )
            }
        }
    }
}

fn check(lint: &Lint) -> Outcome {
    let present = || succeeds(&mut cargo(lint.probe));
    if !present() {
        // An error here (no rustup, no network) shows in the next line.
        let _ = run(Command::new("rustup").args(["component", "add", lint.component]));
        if !present() {
            return Outcome::Absent(lint.component);
        }
    }
    Outcome::from_result(&run(&mut cargo(lint.arguments)))
}
