//! Runs of tools in tests: exit code, standard error, time and memory.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// Limits on the resources of a run. A run that takes longer counts as a hang and is killed.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Processor time in seconds, which depends little on the load of the machine.
    pub processor: u32,
    /// Wall-clock time in seconds, for a program that waits without computing.
    pub clock: u32,
    /// Resident memory in bytes, checked after the run.
    pub memory: u64,
    /// Address space in bytes. Larger allocations fail, which protects the machine.
    pub address_space: u64,
}

/// Two minutes of processor time, twenty of wall-clock time, any memory.
pub const LIMITS: Limits = Limits {
    processor: 120,
    clock: 1200,
    memory: u64::MAX,
    address_space: u64::MAX,
};

/// The greatest number of bytes of standard error that are read.
const MOST_STDERR: u64 = 64 << 20;

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    status: ExitStatus,
    stderr: Vec<u8>,
    limits: Limits,
    /// Wall-clock time.
    pub time: Duration,
    /// Processor time in user mode, on all threads.
    pub user: Duration,
    /// Peak resident memory in bytes.
    pub memory: u64,
}

impl Run {
    /// Runs `program` in `dir` within [`LIMITS`].
    ///
    /// # Errors
    /// It cannot be started.
    pub fn execute<S: AsRef<OsStr>>(
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
        dir: &Path,
    ) -> io::Result<Self> {
        Self::execute_within(LIMITS, program, arguments, dir)
    }

    /// Runs `program` in `dir` with an empty standard input.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn execute_within<S: AsRef<OsStr>>(
        limits: Limits,
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
        dir: &Path,
    ) -> io::Result<Self> {
        let started = Instant::now();
        let mut child = Command::new("timeout")
            .args(["--kill-after=1", &limits.clock.to_string(), "sh", "-c"])
            .arg(script(&limits))
            .arg(program)
            .args(arguments)
            .current_dir(dir)
            // A backtrace only lengthens the message of a panic, which fails the test anyway.
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stderr = Vec::new();
        if let Some(pipe) = child.stderr.take() {
            pipe.take(MOST_STDERR).read_to_end(&mut stderr)?;
        }
        let used = child.wait4()?;
        Ok(Self {
            status: used.status,
            stderr,
            limits,
            time: started.elapsed(),
            user: used.rusage.utime,
            memory: used.rusage.maxrss,
        })
    }

    /// Returns the text on standard error.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Returns whether the tool accepted its input (exit code 0) or refused it (exit code 1 and a
    /// message).
    ///
    /// # Errors
    /// The tool ended otherwise: panic, signal, hang, another exit code, no message. The text says
    /// which.
    pub fn verdict(&self) -> Result<Verdict, String> {
        match self.ending()? {
            Ending::Done => Ok(Verdict::Accepted),
            Ending::Refused => Ok(Verdict::Refused),
            Ending::Usage => Err(format!("it ended with exit code 2: {}", self.stderr())),
        }
    }

    /// Returns how the tool ended: exit code 0, or exit code 1 or 2 and a message.
    ///
    /// # Errors
    /// The tool ended otherwise: panic, signal, hang, too much memory, another exit code, no
    /// message. The text says which.
    pub fn ending(&self) -> Result<Ending, String> {
        let stderr = self.stderr();
        if stderr.contains("panicked at") {
            return Err(format!("it panicked: {stderr}"));
        }
        if self.memory > self.limits.memory {
            return Err(format!("it took {} MiB of memory", self.memory >> 20));
        }
        let ending = match self.status.code() {
            Some(0) => return Ok(Ending::Done),
            Some(1) => Ending::Refused,
            Some(2) => Ending::Usage,
            _ => return Err(format!("it ended with {}: {stderr}", self.status)),
        };
        match stderr.contains("error: ") {
            true => Ok(ending),
            false => Err(format!("it failed without an error message: {stderr}")),
        }
    }
}

/// Returns the shell script that limits itself and becomes the program.
fn script(limits: &Limits) -> String {
    let space = match limits.address_space {
        u64::MAX => "unlimited".to_owned(),
        bytes => (bytes >> 10).to_string(),
    };
    let processor = limits.processor;
    format!("ulimit -c 0 && ulimit -t {processor} && ulimit -v {space} && exec \"$0\" \"$@\"")
}

/// How a tool may end if its command line is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Exit code 0.
    Accepted,
    /// Exit code 1, and an error message.
    Refused,
}

/// How a tool may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Exit code 0.
    Done,
    /// Exit code 1, and an error message: the input is bad.
    Refused,
    /// Exit code 2, and an error message: the command line is bad.
    Usage,
}

#[cfg(test)]
mod tests;
