//! A tool's run as a test sees it: exit code and what it wrote.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// How long a program may take, in seconds, before it counts as hanging and is ended.
#[derive(Clone, Copy)]
struct Limits {
    /// Of the processor: what else the machine does lengthens that little.
    processor: u32,
    /// Of the clock, for what waits and computes nothing.
    clock: u32,
}

const LIMITS: Limits = Limits {
    processor: 120,
    clock: 1200,
};

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    output: Output,
}

impl Run {
    /// Runs `program` in `dir`. If it takes two minutes of the processor or twenty of the clock it counts as hanging and is ended.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn of<S: AsRef<OsStr>>(
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
        dir: &Path,
    ) -> io::Result<Self> {
        Self::within(LIMITS, program, arguments, dir)
    }

    fn within<S: AsRef<OsStr>>(
        limits: Limits,
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
        dir: &Path,
    ) -> io::Result<Self> {
        let mut command = Command::new("timeout");
        let Limits { processor, clock } = limits;
        command
            .args(["--kill-after=1", &clock.to_string(), "sh", "-c"])
            .arg(format!("ulimit -t {processor} && exec \"$0\" \"$@\""))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What computes without end and what waits without end both come to one.
    #[test]
    fn a_hang_is_ended() {
        let limits = [(1, 600), (600, 1)];
        let loops = ["while :; do :; done", "sleep 600"];
        for ((processor, clock), text) in limits.into_iter().zip(loops) {
            let limits = Limits { processor, clock };
            let run = Run::within(limits, Path::new("sh"), ["-c", text], Path::new("."));
            let verdict = run.expect("the shell starts").verdict();
            let wrong = verdict.expect_err(text);
            assert!(wrong.starts_with("it ended with "), "{text}: {wrong}");
        }
        let echo = Run::of(Path::new("echo"), ["a"], Path::new("."));
        let verdict = echo.expect("echo starts").verdict();
        assert_eq!(verdict, Ok(Verdict::Accepted));
    }
}
