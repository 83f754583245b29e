//! Batched execution of steps that stay inside L1 blocks. Each block runs through all steps of the
//! batch; blocks run in parallel, as they share no state.
//!
//! The outcome does not depend on the number of threads. It is the first trap in program order, in
//! the first block that has it, together with the undetermined points recorded before it. Memories
//! of other blocks may be a few steps ahead of the trap.

use std::num::NonZero;
use std::sync::Arc;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tessera_isa_mncore::diagnostic::Span;

use crate::block::Block;
use crate::geometry::Geometry;
use crate::step::{DecodedStep, Scratch};
use crate::trap::{Reason, Trap};
use crate::undetermined::{UndeterminedPolicy, UndeterminedSet};

/// Decoded steps with their source locations.
pub type Batch = [(Span, DecodedStep)];

/// The number of steps after which a batch is executed, so that memory use does not grow with the
/// program.
pub const MAX_BATCH_STEPS: usize = 4096;

/// The minimum of steps times blocks for which threads are used.
const WORTH_THREADS: usize = 64;

/// A thread pool with buffers for intermediate values.
#[derive(Clone, Debug)]
pub struct Workers {
    scratch: Vec<Scratch>,
    /// A private thread pool; `None` uses the global pool.
    pool: Option<Arc<ThreadPool>>,
}

impl Workers {
    /// Creates workers for a machine with `threads` threads, or as many as there are cores, but no
    /// more than blocks.
    pub fn new(threads: Option<NonZero<usize>>, geometry: &Geometry) -> Self {
        let blocks = geometry.block_count();
        let threads = threads.map(|threads| threads.get().min(blocks));
        let pool = threads.filter(|&threads| threads > 1).and_then(|threads| {
            // If no private pool can be created, the global pool is used.
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.ok().map(Arc::new)
        });
        let threads = threads.unwrap_or_else(rayon::current_num_threads);
        Workers {
            scratch: vec![Scratch::new(geometry.lanes()); threads],
            pool,
        }
    }

    /// Executes a batch in all blocks; adds the undetermined points to `marks`.
    pub fn run(
        &mut self,
        batch: &Batch,
        blocks: &mut [Block],
        policy: UndeterminedPolicy,
        marks: &mut UndeterminedSet,
    ) -> Result<(), Trap> {
        if batch.iter().all(|(_, plan)| plan.leaves_blocks_unchanged()) {
            return Ok(());
        }
        let run = |blocks: &mut [Block], scratch: &mut Scratch| {
            let mut outcome = Outcome::default();
            blocks
                .iter_mut()
                .for_each(|block| outcome.run(batch, block, scratch, policy));
            outcome
        };
        let outcomes = if self.scratch.len() == 1 || batch.len() * blocks.len() < WORTH_THREADS {
            vec![run(blocks, &mut self.scratch[0])]
        } else {
            let share = blocks.len().div_ceil(self.scratch.len());
            let scratch = &mut self.scratch;
            let mut all = || {
                let shares = blocks.par_chunks_mut(share).zip(scratch.par_iter_mut());
                shares
                    .map(|(blocks, scratch)| run(blocks, scratch))
                    .collect()
            };
            match &self.pool {
                Some(pool) => pool.install(all),
                None => all(),
            }
        };
        // Among several traps, the first in program order counts, then that of the first block.
        let stops = outcomes.iter().enumerate().filter_map(|(share, outcome)| {
            let (index, reason) = outcome.stop.as_ref()?;
            Some((*index, share, reason))
        });
        let stop = stops.min_by_key(|(index, share, _)| (*index, *share));
        let last = stop.map_or((batch.len(), 0), |(index, share, _)| (index, share));
        for (share, outcome) in outcomes.iter().enumerate() {
            for (index, met) in &outcome.met {
                if (*index, share) <= last {
                    marks.merge(*met);
                }
            }
        }
        stop.map_or(Ok(()), |(index, _, reason)| {
            Err(Trap {
                span: batch[index].0,
                reason: reason.clone(),
            })
        })
    }
}

/// The outcome of a batch in some of the blocks.
#[derive(Default)]
struct Outcome {
    /// Steps with undetermined points that no earlier step recorded.
    met: Vec<(usize, UndeterminedSet)>,
    /// The first step that trapped, with the reason.
    stop: Option<(usize, Reason)>,
}

impl Outcome {
    /// Executes the batch in another block.
    fn run(
        &mut self,
        batch: &Batch,
        block: &mut Block,
        scratch: &mut Scratch,
        policy: UndeterminedPolicy,
    ) {
        // Steps after a trap in another block do not count.
        let end = self.stop.as_ref().map_or(batch.len(), |(index, _)| *index);
        for (index, (_, plan)) in batch[..end].iter().enumerate() {
            if plan.leaves_blocks_unchanged() {
                continue;
            }
            let mut undetermined = UndeterminedSet::NONE;
            let ran = plan
                .block
                .run(plan.keeps_registers, block, scratch, &mut undetermined);
            if !undetermined.is_empty() {
                self.record_undetermined(index, undetermined);
            }
            let stopped = match policy.stop(undetermined) {
                Some(point) => Err(Reason::Undetermined(point)),
                None => ran,
            };
            if let Err(reason) = stopped {
                self.stop = Some((index, reason));
                return;
            }
        }
    }

    #[cold]
    fn record_undetermined(&mut self, index: usize, undetermined: UndeterminedSet) {
        let mut earlier = UndeterminedSet::NONE;
        for (at, met) in &self.met {
            if *at <= index {
                earlier.merge(*met);
            }
        }
        if !undetermined.iter().all(|point| earlier.contains(point)) {
            self.met.push((index, undetermined));
        }
    }
}
