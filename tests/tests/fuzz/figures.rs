//! Statistics of the runs of a target.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use tessera_tests::process::{Ending, Run};

use crate::runner::is_accepted_crash;

/// Counts and times of the runs of a target.
#[derive(Default)]
pub struct Figures {
    /// Cases that ran.
    pub cases: u64,
    /// Runs of tools in them.
    pub runs: u64,
    endings: BTreeMap<&'static str, u64>,
    accepted_crashes: u64,
    longest: (Duration, u64, String),
    largest: (u64, u64, String),
}

impl Figures {
    /// Counts a run; without an ending it is a failure.
    pub fn add(&mut self, run: &Run, ending: Option<Ending>, case: u64, command: &str) {
        self.runs += 1;
        let ending = match ending {
            Some(Ending::Done) => "0",
            Some(Ending::Refused) => "1",
            Some(Ending::Usage) => "2",
            None => "failed",
        };
        *self.endings.entry(ending).or_default() += 1;
        self.accepted_crashes += u64::from(is_accepted_crash(&run.stderr()));
        if run.time > self.longest.0 {
            self.longest = (run.time, case, command.to_owned());
        }
        if run.memory > self.largest.0 {
            self.largest = (run.memory, case, command.to_owned());
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let endings: Vec<_> = self
            .endings
            .iter()
            .map(|(code, n)| format!("{code}: {n}"))
            .collect();
        let (time, slow, slow_command) = &self.longest;
        let (memory, large, large_command) = &self.largest;
        write!(
            f,
            "{} runs in {} cases; exit codes {}; {} crashes of MLIR's parser or printer\n  \
             longest {:.1} s (case {slow}: {slow_command})\n  \
             largest {} MiB (case {large}: {large_command})",
            self.runs,
            self.cases,
            endings.join(", "),
            self.accepted_crashes,
            time.as_secs_f64(),
            memory >> 20,
        )
    }
}
