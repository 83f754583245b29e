//! Steps that stay inside L1 blocks, run together: each block through all of them, blocks in
//! parallel, as they share nothing.
//!
//! What a batch comes to does not depend on the number of threads: the first trap in program order
//! counts, of the first block that has it, and so do the open points met up to there. Memories of
//! other blocks may be a few steps ahead of it.

use std::num::NonZero;
use std::sync::Arc;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tessera_isa_mncore::diagnostic::Span;

use crate::block::Block;
use crate::geometry::Geometry;
use crate::step::{Plan, Scratch};
use crate::trap::{Reason, Trap};
use crate::undetermined::{UndeterminedPolicy, UndeterminedSet};

/// Steps, and where they stand.
pub type Batch = [(Span, Plan)];

/// Steps from which on a batch is run, so that it does not grow with the program.
pub const MAX_BATCH_STEPS: usize = 4096;

/// Steps times blocks from which a batch is worth threads.
const WORTH_THREADS: usize = 64;

/// Threads, and room for their intermediate values.
#[derive(Clone, Debug)]
pub struct Workers {
    scratch: Vec<Scratch>,
    /// Threads of our own; without them, those all machines share.
    pool: Option<Arc<ThreadPool>>,
}

impl Workers {
    /// So many threads, as many as there are cores without it, for the blocks of a machine. More
    /// threads than blocks would have nothing to do.
    pub fn new(threads: Option<NonZero<usize>>, geometry: &Geometry) -> Self {
        let blocks = geometry.block_count();
        let threads = threads.map(|threads| threads.get().min(blocks));
        let pool = threads.filter(|&threads| threads > 1).and_then(|threads| {
            // Where the system gives no more threads, the shared ones do.
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.ok().map(Arc::new)
        });
        let threads = threads.unwrap_or_else(rayon::current_num_threads);
        Workers {
            scratch: vec![Scratch::new(geometry.lanes()); threads],
            pool,
        }
    }

    /// Runs steps in all blocks; adds the open points met to `marks`.
    pub fn run(
        &mut self,
        batch: &Batch,
        blocks: &mut [Block],
        policy: UndeterminedPolicy,
        marks: &mut UndeterminedSet,
    ) -> Result<(), Trap> {
        if batch.iter().all(|(_, plan)| plan.has_external_transfer()) {
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
        // Of blocks that come after the one that stops, the step that stops it does not count.
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

/// What a batch came to in some blocks.
#[derive(Default)]
struct Outcome {
    /// Steps that met open points which no earlier one met.
    met: Vec<(usize, UndeterminedSet)>,
    /// The first step that trapped, and why.
    stop: Option<(usize, Reason)>,
}

impl Outcome {
    /// Runs steps in one more block.
    fn run(
        &mut self,
        batch: &Batch,
        block: &mut Block,
        scratch: &mut Scratch,
        policy: UndeterminedPolicy,
    ) {
        // What comes after a trap in another block does not count.
        let end = self.stop.as_ref().map_or(batch.len(), |(index, _)| *index);
        for (index, (_, plan)) in batch[..end].iter().enumerate() {
            if plan.has_external_transfer() {
                continue;
            }
            let mut undetermined = UndeterminedSet::NONE;
            let ran = plan
                .block
                .run(plan.holds, block, scratch, &mut undetermined);
            if !undetermined.is_empty() {
                self.meet(index, undetermined);
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
    fn meet(&mut self, index: usize, undetermined: UndeterminedSet) {
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
