//! Performance figures of kernel runs: modelled cycles, utilization of the matrix unit, and
//! instruction overhead.
//!
//! Cycles are those of [`tessera_tensix::issue::cycles`]: the time of the busiest unit of the
//! busiest tile at its documented rate, without stalls. They are a lower bound, and do not include
//! the time of DRAM, which is given beside them.

use tessera_isa_tensix::Opcode;
use tessera_tensix::issue::cycles::{self, Busy};
use tessera_tensix::Stats;

use super::KernelRun;

/// Number of MVMULs of a 32x32x32 product, for each fidelity phase.
const MVMULS: u64 = 16;
/// The threads that push words, by the index of the core that drives each.
const THREADS: [usize; 3] = [1, 2, 3];

/// The figures of one kernel run, or of several consecutive ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Number of tiles that took part; the maximum over several kernels.
    pub tiles: usize,
    /// Modelled cycles.
    pub cycles: u64,
    /// Busy cycles of each unit of the busiest tile.
    pub busy: Vec<Busy>,
    /// Busy cycles of DRAM, with the traffic of all tiles.
    pub dram: Option<Busy>,
    /// Number of 32x32x32 products on all tiles.
    pub steps: u64,
    /// MVMULs on all tiles.
    mvmuls: u64,
    /// Number of MVMULs that the tiles could have executed in these cycles.
    slots: u64,
    /// For each thread, the cycles that its front end or core takes to issue on the busiest tile.
    issue: [u64; 3],
    issue_steps: u64,
    /// For each thread, the words executed and RISC-V instructions on all tiles.
    words: [u64; 3],
    instructions: [u64; 3],
}

impl Figures {
    /// Returns the figures of a run.
    pub fn from_run(run: &KernelRun) -> Self {
        let busiest = run
            .workers
            .iter()
            .max_by_key(|stats| cycles::bound(run.arch, stats).1);
        let Some(busiest) = busiest else {
            return Self::default();
        };
        let busy = cycles::busy(run.arch, busiest);
        let (_, cycles) = cycles::bound(run.arch, busiest);
        let steps = |stats: &Stats| match run.phases {
            0 => 0,
            phases => stats.count(Opcode::Mvmul) / (MVMULS * u64::from(phases)),
        };
        let words = [0, 1, 2].map(|thread| run.stats.by_thread(thread));
        Figures {
            tiles: run.workers.len(),
            cycles,
            dram: Some(cycles::dram(run.arch, run.stats.dram())),
            steps: steps(&run.stats),
            mvmuls: run.stats.count(Opcode::Mvmul),
            slots: cycles * run.workers.len() as u64,
            issue: THREADS.map(|core| busy[core].cycles.unwrap_or_default()),
            issue_steps: steps(busiest),
            words,
            instructions: THREADS.map(|core| run.stats.retired()[core]),
            busy,
        }
    }

    /// Returns the figures of kernels that run one after the other.
    pub fn sum(all: &[Figures]) -> Self {
        let mut sum = Self::default();
        for next in all {
            sum.tiles = sum.tiles.max(next.tiles);
            sum.cycles += next.cycles;
            sum.steps += next.steps;
            sum.mvmuls += next.mvmuls;
            sum.slots += next.slots;
            sum.issue_steps += next.issue_steps;
            for busy in &next.busy {
                match sum.busy.iter_mut().find(|known| known.part == busy.part) {
                    Some(known) => add(known, busy),
                    None => sum.busy.push(*busy),
                }
            }
            match (&mut sum.dram, &next.dram) {
                (Some(known), Some(more)) => add(known, more),
                (known, more) => *known = known.or(*more),
            }
            for thread in 0..3 {
                sum.issue[thread] += next.issue[thread];
                sum.words[thread] += next.words[thread];
                sum.instructions[thread] += next.instructions[thread];
            }
        }
        sum
    }

    /// Returns the unit that is busy longest.
    pub fn bound(&self) -> &'static str {
        let longest = self.busy.iter().rev().max_by_key(|busy| busy.cycles);
        longest.map_or("nothing", |busy| busy.part)
    }

    /// Returns the ratio of executed MVMULs to those possible in the time, or `None` without
    /// products.
    pub fn share_of_peak(&self) -> Option<f64> {
        (self.mvmuls > 0).then(|| ratio(self.mvmuls, self.slots))?
    }

    /// Returns the modelled cycles of a tile for each 32x32x32 product.
    pub fn cycles_per_step(&self) -> Option<f64> {
        ratio(self.slots, self.steps)
    }

    /// Returns the cycles that a thread takes to issue a 32x32x32 product.
    pub fn issue_per_step(&self, thread: usize) -> Option<f64> {
        ratio(self.issue[thread], self.issue_steps)
    }

    /// Returns the words that a thread executed for each instruction of its RISC-V core, or `None`
    /// for a list program.
    pub fn words_per_instruction(&self, thread: usize) -> Option<f64> {
        ratio(self.words[thread], self.instructions[thread])
    }
}

/// Adds the cycles of the same part in another kernel.
fn add(known: &mut Busy, more: &Busy) {
    let both = known.cycles.zip(more.cycles);
    known.cycles = both.map(|(known, more)| known + more);
}

fn ratio(a: u64, b: u64) -> Option<f64> {
    (b > 0).then(|| a as f64 / b as f64)
}

#[cfg(test)]
mod tests;
