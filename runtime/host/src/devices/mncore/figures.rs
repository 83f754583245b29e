//! Performance figures of kernel runs: modelled cycles, utilization of units, and transfers.
//!
//! Cycles are those of [`tessera_mncore::timeline`]. A step takes four cycles. Transfers run
//! concurrently with steps, one after the other, at their documented rates; a wait stalls the
//! steps. Latency of DRAM and contention are not included.

use serde::Serialize;
use tessera_mncore::geometry::CYCLES;
use tessera_mncore::stats::UNITS;

use super::MncoreKernelRun;

/// Index of the MAU's arithmetic among the units.
const MAU: usize = 0;

/// The figures of one kernel run, or of several consecutive ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Modelled cycles.
    pub cycles: u64,
    /// Steps.
    pub steps: u64,
    /// Number of steps that issue only `nop` or a wait.
    pub idle: u64,
    /// Number of steps with an expression for each unit, in the order of [`UNITS`].
    pub occupied: [u64; UNITS.len()],
    /// Long words moved by MV instructions, as the instructions count them: a transfer of all
    /// groups counts the words of one.
    pub mv_words: u64,
    /// Cycles that they took.
    pub mv_cycles: u64,
    /// Bytes of arguments that the host wrote to DRAM.
    pub packed_bytes: u64,
    /// Bytes of arguments that the host moved or converted to another layout, because another
    /// kernel had left them elsewhere.
    pub relayout_bytes: u64,
    /// Bytes of results that the host read from DRAM.
    pub unpacked_bytes: u64,
}

impl Figures {
    /// Returns the figures of a run.
    pub fn from_run(run: &MncoreKernelRun) -> Self {
        let (stats, moved) = (&run.launch.stats, run.moved);
        let transfers = stats.transfers.values();
        Figures {
            cycles: stats.cycles(),
            steps: stats.steps,
            idle: stats.idle,
            occupied: stats.occupied,
            mv_words: transfers.map(|transfers| transfers.words).sum(),
            mv_cycles: stats.transfer_cycles(),
            packed_bytes: moved.packed,
            relayout_bytes: moved.relayout,
            unpacked_bytes: moved.unpacked,
        }
    }

    /// Returns the figures of kernels that run one after the other.
    pub fn sum(all: &[Figures]) -> Self {
        let mut sum = Self::default();
        for next in all {
            sum.cycles += next.cycles;
            sum.steps += next.steps;
            sum.idle += next.idle;
            let units = sum.occupied.iter_mut().zip(next.occupied);
            units.for_each(|(sum, next)| *sum += next);
            sum.mv_words += next.mv_words;
            sum.mv_cycles += next.mv_cycles;
            sum.packed_bytes += next.packed_bytes;
            sum.relayout_bytes += next.relayout_bytes;
            sum.unpacked_bytes += next.unpacked_bytes;
        }
        sum
    }

    /// Returns the fraction of modelled cycles in which the MAU computes.
    pub fn mau_share(&self) -> f64 {
        self.share(self.occupied[MAU] * CYCLES as u64)
    }

    /// Returns the fraction of modelled cycles in which an MV instruction transfers data.
    pub fn mv_share(&self) -> f64 {
        self.share(self.mv_cycles)
    }

    fn share(&self, cycles: u64) -> f64 {
        cycles as f64 / self.cycles.max(1) as f64
    }

    /// Iterates over the names of units and the number of steps of each.
    pub fn units(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let names = UNITS.iter().map(|unit| unit.name());
        names.zip(self.occupied)
    }
}
