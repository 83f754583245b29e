//! Runs one test file.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use super::precise::{self, PreciseError};
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
    /// The output cannot be compared with the file.
    #[error("{0}")]
    Precise(#[from] PreciseError),
    /// The output is not the one in the file.
    #[error("{}:{line}: the output differs; run with TESSERA_BLESS=1 to accept\n{diff}", path.display())]
    Differs {
        /// The test file.
        path: PathBuf,
        /// The first line that differs, counted from 1.
        line: usize,
        /// The unified diff from the file to the accepted one.
        diff: String,
    },
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

/// Runs test files.
#[derive(Debug)]
pub struct Runner<'a> {
    /// The programs of the tests.
    pub tools: &'a Tools,
    /// Each test runs in a directory of its own below this one.
    pub scratch: PathBuf,
    /// How long a test may take.
    pub limit: Duration,
    /// Whether outputs are written into the files instead of being compared.
    pub accept: bool,
}

impl Runner<'_> {
    /// Runs `test`. Its directory is emptied first.
    ///
    /// # Errors
    /// The file has no runnable script, a command of it fails, it takes longer than the limit, or
    /// its output differs.
    pub fn run(&self, test: &TestFile) -> Result<(), Failure> {
        let dir = self.scratch.join(&test.name);
        let output = dir.join("output");
        let text = fs::read_to_string(&test.path).map_err(io_error("cannot read the test"))?;
        let script = parse(&text, &substitutions(test, &dir, &output))?;
        if !script.writes_output {
            precise::check_absent(&text)?;
        }
        if dir.exists() {
            fs::remove_dir_all(&dir).map_err(io_error("cannot empty the test's directory"))?;
        }
        fs::create_dir_all(&dir).map_err(io_error("cannot make the test's directory"))?;
        self.execute(script.text, &dir)?;
        if script.writes_output {
            let output = fs::read_to_string(output).map_err(io_error("cannot read %output"))?;
            let accepted = precise::accept(&text, &output)?;
            if accepted != text {
                self.accept(test, &text, &accepted, &dir)?;
            }
        }
        Ok(())
    }

    /// Runs a script in the directory `dir`.
    fn execute(&self, script: String, dir: &Path) -> Result<(), Failure> {
        // `timeout` puts the script into a process group of its own and ends all of it, pipelines
        // included.
        let output = Command::new("timeout")
            .args([
                "--kill-after=5",
                &self.limit.as_secs().to_string(),
                "bash",
                "-c",
                &script,
            ])
            .env("PATH", self.tools.search_path())
            .current_dir(dir)
            .output()
            .map_err(io_error("cannot start `timeout` (coreutils)"))?;
        let code = output.status.code();
        let report = Report { script, output };
        match code {
            Some(0) => Ok(()),
            Some(TIMED_OUT) => Err(Failure::TimedOut(self.limit, report)),
            _ => Err(Failure::Failed(report)),
        }
    }

    /// Writes the accepted text into the file, or returns how they differ.
    fn accept(
        &self,
        test: &TestFile,
        text: &str,
        accepted: &str,
        dir: &Path,
    ) -> Result<(), Failure> {
        if self.accept {
            return fs::write(&test.path, accepted).map_err(io_error("cannot write the test"));
        }
        let equal = text
            .lines()
            .zip(accepted.lines())
            .take_while(|(a, b)| a == b);
        Err(Failure::Differs {
            path: test.path.clone(),
            line: equal.count() + 1,
            diff: unified_diff(&test.path, accepted, dir)?,
        })
    }
}

/// Returns the differences between a file and another text. `dir` is for temporary files.
fn unified_diff(path: &Path, other: &str, dir: &Path) -> Result<String, Failure> {
    let file = dir.join("accepted");
    fs::write(&file, other).map_err(io_error("cannot write the output"))?;
    let output = Command::new("diff")
        .args(["--unified", "--label"])
        .arg(path)
        .args(["--label", "output"])
        .args([path, &file])
        .output()
        .map_err(io_error("cannot start `diff` (diffutils)"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn substitutions(test: &TestFile, dir: &Path, output: &Path) -> Substitutions {
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
        output: output.display().to_string(),
    }
}

fn io_error(what: &str) -> impl FnOnce(io::Error) -> Failure + '_ {
    move |source| Failure::Io {
        what: what.to_owned(),
        source,
    }
}
