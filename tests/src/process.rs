//! A tool's run as a test sees it: exit code and what it wrote.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    output: Output,
}

impl Run {
    /// Runs `program` in `dir` with a minute's time; after that it counts as hanging and is ended.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn of<S: AsRef<OsStr>>(
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
        dir: &Path,
    ) -> io::Result<Self> {
        let mut command = Command::new("timeout");
        command
            .args(["--kill-after=1", "60"])
            .arg(program)
            .args(arguments)
            .current_dir(dir);
        // A backtrace would only lengthen the message of a panic, which fails the test in any case.
        command.env("RUST_BACKTRACE", "0");
        Ok(Self {
            output: command.output()?,
        })
    }

    /// What it wrote to standard error.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Whether it ended as a tool should that accepts its input or refuses it: exit code 0, or exit code 1 and a message.
    ///
    /// # Errors
    /// It did not: a panic, a signal, a hang, another code, silence. The text says which.
    pub fn verdict(&self) -> Result<Verdict, String> {
        let stderr = self.stderr();
        let status = self.output.status;
        match status.code() {
            _ if stderr.contains("panicked at") => Err(format!("it panicked: {stderr}")),
            Some(0) => Ok(Verdict::Accepted),
            Some(1) if stderr.contains("error: ") => Ok(Verdict::Refused),
            Some(1) => Err(format!("it failed without an error message: {stderr}")),
            _ => Err(format!("it ended with {status}: {stderr}")),
        }
    }
}

/// The two ways in which a tool may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Exit code 0.
    Accepted,
    /// Exit code 1, and an error message.
    Refused,
}
