//! The cost model: a timeline of two resources.
//!
//! Instruction steps and MV transfers proceed in parallel. The estimate of a plan therefore
//! advances a [`Timeline`] of two resources through its loops, in the order of issue. A loop that
//! waits for its transfers ends when both resources are done with it.

use super::arithmetic::Arithmetic;
use super::problem::Blocking;
use crate::compile::data::geometry::OWN_STEPS;

/// Steps of prologue and epilogue, of short and of long loops.
pub(crate) const SHORT_LOOP_OVERHEAD: u64 = 3;
pub(crate) const LONG_LOOP_OVERHEAD: u64 = 10;
/// Steps to pack two result vectors into one bf16 vector.
pub(crate) const PACK_STEPS: u64 = 11;
/// Transfer steps of results that overlap with what follows their loop.
const STORE_OVERLAP: u64 = 4 * 4 * OWN_STEPS;

/// The costs of a block's results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultCost {
    /// Steps to zero the sums.
    pub clear: u64,
    /// Steps until the first result is stored, steps to store all to L1BM or LM1, and transfers and
    /// steps to store them to DRAM.
    pub first_store: u64,
    pub store: u64,
    pub to_dram: [u64; 2],
}

impl ResultCost {
    /// Returns the costs of results in the layout of their mapping.
    pub fn new(blocking: &Blocking, arithmetic: Arithmetic) -> Self {
        let distribution = &blocking.distribution;
        let [sums, results, cycles] = [
            distribution.vectors(),
            blocking.results(),
            distribution.cycles,
        ]
        .map(u64::from);
        // Steps to pack two results into one.
        let pack = if results < sums { PACK_STEPS } else { 1 };
        ResultCost {
            clear: sums.div_ceil(2),
            first_store: LONG_LOOP_OVERHEAD + pack + arithmetic.rounding_steps(sums),
            store: results * pack + arithmetic.rounding_steps(sums),
            to_dram: [
                results * cycles * OWN_STEPS,
                results * u64::from(distribution.results_layout().transfers(distribution.cycles)),
            ],
        }
    }
}

/// A timeline of two resources: the times at which the steps and the transfers issued so far end.
/// `rows` is the end of the first row-side transfers of the next chunk, `results` that of the last
/// stored results.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timeline {
    pub steps: u64,
    pub transfers: u64,
    pub rows: u64,
    pub results: u64,
}

impl Timeline {
    /// Issues transfers.
    pub fn issue_transfers(&mut self, transfers: u64) {
        self.transfers = self.transfers.max(self.steps) + transfers;
    }

    /// Runs a loop that waits for its transfers, except `later` steps of them.
    pub fn run_overlapped(&mut self, steps: u64, transfers: u64, later: u64) {
        let begin = self.steps;
        self.steps += steps;
        if transfers > 0 {
            self.transfers = self.transfers.max(begin) + transfers;
            self.steps = self.steps.max(self.transfers.saturating_sub(later));
        }
    }

    /// Stores results to DRAM after those of the previous block.
    pub fn store_results(&mut self, of: &ResultCost) {
        let [transfers, steps] = of.to_dram;
        self.steps = self.steps.max(self.results) + of.first_store;
        self.run_overlapped(steps, transfers, STORE_OVERLAP.min(of.to_dram[0]));
        self.results = self.transfers;
    }

    /// Stores results to L1BM; they leave during the next block.
    pub fn park_results(&mut self, of: &ResultCost) {
        self.steps += of.store + 2 * SHORT_LOOP_OVERHEAD;
    }

    /// Repeats a stage. Beyond the third time it is extrapolated from the third.
    pub fn repeat(&mut self, count: u32, once: &mut dyn FnMut(&mut Timeline)) {
        const EACH: u32 = 3;
        for number in 0..count.min(EACH) {
            let before = *self;
            once(self);
            if number + 1 == EACH {
                let more = u64::from(count - EACH);
                self.steps += more * (self.steps - before.steps);
                let on = |now: &mut u64, before: u64| *now += more * now.saturating_sub(before);
                on(&mut self.transfers, before.transfers);
                on(&mut self.rows, before.rows);
                on(&mut self.results, before.results);
            }
        }
    }

    /// Returns the time at which both resources are done.
    pub fn end(&self) -> u64 {
        self.steps.max(self.transfers)
    }
}
