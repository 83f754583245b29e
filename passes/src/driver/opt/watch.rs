//! IR dumps before and after passes, and the execution time report.

use super::{Options, Reports};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use tessera_dialects::mlir::{user_time, Invalid, Observer, Op};

/// The passes before or after which the IR is printed.
#[derive(Debug, Clone, Default)]
pub struct PassFilter {
    /// All passes.
    pub all: bool,
    /// The passes with these names.
    pub passes: Vec<String>,
}

impl PassFilter {
    fn contains(&self, pass: &str) -> bool {
        self.all || self.passes.iter().any(|name| name == pass)
    }
}

/// The observer of a run. It writes IR dumps immediately, so that they are available even if the
/// next pass crashes.
pub(super) struct Watch<'o> {
    options: &'o Options,
    messages: &'o mut dyn Write,
    progress: &'o dyn Fn(&str),
    /// The first write error.
    failed: io::Result<()>,
    times: Times,
}

impl<'o> Watch<'o> {
    pub(super) fn new(options: &'o Options, reports: &'o mut Reports) -> Self {
        Self {
            options,
            messages: &mut *reports.messages,
            progress: reports.progress,
            failed: Ok(()),
            times: Times::default(),
        }
    }

    /// Runs and times a phase other than a pass.
    pub(super) fn phase<R>(&mut self, name: &str, run: impl FnOnce() -> R) -> R {
        self.times.start();
        let result = run();
        self.times.stop(name);
        result
    }

    /// Prints the execution time report, if requested.
    ///
    /// # Errors
    /// The first write error of the run.
    pub(super) fn finish(self) -> io::Result<()> {
        self.failed?;
        match self.options.timing {
            true => self.messages.write_all(self.times.report().as_bytes()),
            false => Ok(()),
        }
    }

    fn dump(&mut self, when: &str, pass: &str, op: Op) {
        let ir = op.print(self.options.print);
        let text = format!("// -----// IR Dump {when} {pass} //----- //\n{ir}\n\n");
        if self.failed.is_ok() {
            self.failed = self.messages.write_all(text.as_bytes());
        }
    }
}

impl Observer for Watch<'_> {
    fn before(&mut self, pass: &str, op: Op) {
        (self.progress)(pass);
        if self.options.print_ir_before.contains(pass) {
            self.dump("Before", pass, op);
        }
        self.times.start();
    }

    fn ran(&mut self, pass: &str) {
        self.times.stop(pass);
    }

    fn verify(&mut self, verify: &mut dyn FnMut() -> Result<(), Invalid>) -> Result<(), Invalid> {
        self.times.start();
        let verified = verify();
        self.times.stop("(verifier)");
        verified
    }

    fn after(&mut self, pass: &str, op: Op) {
        if self.options.print_ir_after.contains(pass) {
            self.dump("After", pass, op);
        }
    }
}

/// User and wall time.
#[derive(Debug, Clone, Copy, Default)]
struct Time {
    user: Duration,
    wall: Duration,
}

/// The execution times of phases and passes, accumulated by name.
#[derive(Debug)]
struct Times {
    began: (Duration, Instant),
    started: (Duration, Instant),
    rows: Vec<(String, Time)>,
}

impl Default for Times {
    fn default() -> Self {
        let now = (user_time(), Instant::now());
        Self {
            began: now,
            started: now,
            rows: Vec::new(),
        }
    }
}

impl Times {
    fn start(&mut self) {
        self.started = (user_time(), Instant::now());
    }

    fn stop(&mut self, name: &str) {
        let time = since(self.started);
        let row = match self.rows.iter().position(|(row, _)| row == name) {
            Some(row) => row,
            None => {
                self.rows.push((name.into(), Time::default()));
                self.rows.len() - 1
            }
        };
        let sum = &mut self.rows[row].1;
        sum.user += time.user;
        sum.wall += time.wall;
    }

    /// Returns the report in the format of MLIR's `-mlir-timing`.
    fn report(&self) -> String {
        let total = since(self.began);
        let mut rest = total;
        for (_, time) in &self.rows {
            rest.user = rest.user.saturating_sub(time.user);
            rest.wall = rest.wall.saturating_sub(time.wall);
        }
        let line = "-".repeat(73);
        let mut text = format!(
            "===-{line}-===\n{:>54}\n===-{line}-===\n  Total Execution Time: {:.4} seconds\n\n  \
             ----User Time----  ----Wall Time----  ----Name----\n",
            "... Execution time report ...",
            total.wall.as_secs_f64()
        );
        let ends = [("(rest)", rest), ("Total", total)];
        let rows = self.rows.iter().map(|(name, time)| (name.as_str(), *time));
        for (name, time) in rows.chain(ends) {
            let user = column(time.user, total.user);
            let _ = writeln!(text, "  {user}  {}  {name}", column(time.wall, total.wall));
        }
        text
    }
}

fn since((user, wall): (Duration, Instant)) -> Time {
    Time {
        user: user_time().saturating_sub(user),
        wall: wall.elapsed(),
    }
}

/// Formats a time in seconds and as a percentage of the total.
fn column(time: Duration, total: Duration) -> String {
    let (time, total) = (time.as_secs_f64(), total.as_secs_f64());
    let part = if total > 0.0 { time / total } else { 0.0 };
    format!("{time:>8.4} ({:>5.1}%)", 100.0 * part)
}
