//! Runs one test file.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use super::{parse, ScriptError, Substitutions, TestFile};
use crate::tools::Tools;

/// The exit code of coreutils' `timeout` after it ended the command.
const TIMED_OUT: i32 = 124;

/// Why a test file failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It has no runnable script.
    #[error("{0}")]
    Script(#[from] ScriptError),
    /// A file could not be accessed, or a process not be started.
    #[error("{what}: {source}")]
    Io {
        /// What was attempted.
        what: String,
        /// The reason.
        source: io::Error,
    },
    /// It exceeded the time limit and was killed.
    #[error("no end after {0:?}")]
    TimedOut(Duration, Report),
    /// A command failed.
    #[error("{0}")]
    Failed(Report),
}

/// A failed script and its output.
#[derive(Debug)]
pub struct Report {
    script: String,
    output: Output,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.output.status)?;
        writeln!(f, "--- script\n{}", self.script)?;
        writeln!(
            f,
            "--- stdout\n{}",
            String::from_utf8_lossy(&self.output.stdout)
        )?;
        write!(
            f,
            "--- stderr\n{}",
            String::from_utf8_lossy(&self.output.stderr)
        )
    }
}

/// Runs `test` with the programs of `tools` in a directory of its own below `scratch`, which is
/// emptied first.
///
/// # Errors
/// The file has no runnable script, a command of it fails, or it takes longer than `limit`.
pub fn run(test: &TestFile, tools: &Tools, scratch: &Path, limit: Duration) -> Result<(), Failure> {
    let dir = scratch.join(&test.name);
    let text = fs::read_to_string(&test.path).map_err(io_error("cannot read the test"))?;
    let script = parse(&text, &substitutions(test, &dir))?;
    if dir.exists() {
        fs::remove_dir_all(&dir).map_err(io_error("cannot empty the test's directory"))?;
    }
    fs::create_dir_all(&dir).map_err(io_error("cannot make the test's directory"))?;
    // `timeout` puts the script into a process group of its own and ends all of it, pipelines
    // included.
    let output = Command::new("timeout")
        .args([
            "--kill-after=5",
            &limit.as_secs().to_string(),
            "bash",
            "-c",
            &script,
        ])
        .env("PATH", tools.search_path())
        .current_dir(&dir)
        .output()
        .map_err(io_error("cannot start `timeout` (coreutils)"))?;
    let code = output.status.code();
    let report = Report { script, output };
    match code {
        Some(0) => Ok(()),
        Some(TIMED_OUT) => Err(Failure::TimedOut(limit, report)),
        _ => Err(Failure::Failed(report)),
    }
}

fn substitutions(test: &TestFile, dir: &Path) -> Substitutions {
    let file = test.path.file_name().unwrap_or_default().to_string_lossy();
    Substitutions {
        source: test.path.display().to_string(),
        source_dir: test
            .path
            .parent()
            .unwrap_or(Path::new("."))
            .display()
            .to_string(),
        temp: dir.join(format!("{file}.tmp")).display().to_string(),
        temp_dir: dir.display().to_string(),
    }
}

fn io_error(what: &str) -> impl FnOnce(io::Error) -> Failure + '_ {
    move |source| Failure::Io {
        what: what.to_owned(),
        source,
    }
}
