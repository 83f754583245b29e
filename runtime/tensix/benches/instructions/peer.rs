//! Times of ttsim for the same instructions.
//!
//! They were measured on one machine, beside the scalar computation of
//! [`tessera_test_support::bench::scalar_nanoseconds`], which gives the speed of the machine then
//! and now. `docs/performance.md` says how to repeat the measurement.

use std::collections::HashMap;

use tessera_isa_tensix::Arch;
use tessera_test_support::bench::scalar_nanoseconds;

/// Lines of a name and the nanoseconds on both chips; comments begin with `#`.
const TIMES: &str = include_str!("ttsim.tsv");
/// The name of the line with the time of the scalar computation.
const SCALAR: &str = "scalar";

/// The times, for the present speed of this machine.
pub struct Peer {
    times: HashMap<&'static str, [f64; Arch::ALL.len()]>,
    /// The time of the scalar computation now, relative to then.
    slowdown: f64,
}

impl Peer {
    /// Reads the times and measures the speed of this machine.
    pub fn read() -> Peer {
        let lines = TIMES.lines().filter(|line| !line.starts_with('#'));
        let times: HashMap<_, _> = lines.filter_map(fields).collect();
        let then = times.get(SCALAR).expect("the file has this line")[0];
        let now = scalar_nanoseconds();
        println!("the scalar computation takes {now:.3} ns here, {then} ns beside ttsim");
        Peer {
            slowdown: now / then,
            times,
        }
    }

    /// Returns the ratio of ttsim's time for an instruction to one that was measured just now, if
    /// ttsim has it.
    pub fn ratio(&self, arch: Arch, name: &str, nanoseconds: f64) -> Option<f64> {
        let theirs = self.times.get(name)?[arch as usize] * self.slowdown;
        Some(theirs / nanoseconds)
    }
}

fn fields(line: &'static str) -> Option<(&'static str, [f64; 2])> {
    let (name, rest) = line.split_once('\t')?;
    let (first, second) = rest.split_once('\t')?;
    Some((name, [first.parse().ok()?, second.parse().ok()?]))
}
