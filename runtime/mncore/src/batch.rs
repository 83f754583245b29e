//! Batched execution of steps that stay inside L2B: on PEs, L1BM and L2BM, and of the MV
//! instructions between them ([`StagedTransfers`]). L2B run in parallel, as they share no state.
//! Inside an L2B, each L1 block runs through all steps up to the next transfer that L2BM takes part
//! in.
//!
//! The outcome does not depend on the number of threads. It is the first trap in program order, in
//! the first block that has it, together with the undetermined points recorded before it. Memories
//! of other blocks and L2B may be a few steps ahead of the trap.

use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};
use tessera_isa_mncore::diagnostic::Span;

use crate::block::Block;
use crate::geometry::Geometry;
use crate::memory::MemoryWords;
use crate::step::{DecodedStep, Scratch};
use crate::transfer::{Moves, StagedTransfers};
use crate::trap::{Reason, Trap};
use crate::undetermined::{Undetermined, UndeterminedPolicy, UndeterminedSet};

/// A statement of a batch.
#[derive(Clone, Debug)]
pub struct Item {
    /// The source location.
    pub span: Span,
    /// The step; `None` for a staged transfer.
    pub step: Option<Arc<DecodedStep>>,
}

impl Item {
    /// Returns whether L2BM takes part.
    fn uses_l2bm(&self) -> bool {
        self.step.as_ref().is_none_or(|step| step.l2bm.is_some())
    }
}

/// The statements of a batch.
pub type Batch = [Item];

/// A trap, and the index of its item.
pub type Stop = (usize, Trap);

/// The number of steps after which a batch is executed, so that memory use does not grow with the
/// program.
pub const MAX_BATCH_STEPS: usize = 4096;

/// The minimum of steps times blocks for which threads are used.
const WORTH_THREADS: usize = 512;

/// A point in the execution of a batch at which it can stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    /// The index of the step.
    step: usize,
    phase: Phase,
}

/// The parts of a step, in their order. All L2B complete the first one before the second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// Reading the data of a transfer between L2BM and L1BM.
    Collect,
    /// Execution inside each L1 block.
    Blocks,
}

/// An L2B: its memory, its L1 blocks, and its part in transfers.
struct L2b<'a> {
    memory: &'a mut MemoryWords,
    blocks: &'a mut [Block],
    moves: &'a mut Moves,
    /// The words that transfers bring to all L2B.
    received: &'a [u64],
}

/// A thread pool with buffers for intermediate values.
#[derive(Clone, Debug)]
pub struct Workers {
    scratch: Vec<Scratch>,
    /// A private thread pool; `None` uses the global pool.
    pool: Option<Arc<ThreadPool>>,
}

impl Workers {
    /// Creates workers for a machine with `threads` threads, or as many as there are cores, but no
    /// more than L2B.
    pub fn new(threads: Option<NonZero<usize>>, geometry: &Geometry) -> Self {
        let l2bs = geometry.l2_count();
        let threads = threads.map(|threads| threads.get().min(l2bs));
        let pool = threads.filter(|&threads| threads > 1).and_then(|threads| {
            // The calling thread executes a share, too. If no private pool can be created, the
            // global pool is used.
            let pool = ThreadPoolBuilder::new().num_threads(threads - 1).build();
            pool.ok().map(Arc::new)
        });
        let threads = threads.unwrap_or_else(|| rayon::current_num_threads().min(l2bs));
        Workers {
            scratch: vec![Scratch::new(geometry.lanes()); threads],
            pool,
        }
    }

    /// Returns blocks to their initial state.
    pub fn clear(&self, blocks: &mut [Block]) {
        let share = blocks.len().div_ceil(self.scratch.len());
        let shares = blocks.chunks_mut(share);
        for_each_share(&self.pool, shares, |blocks| {
            blocks.iter_mut().for_each(Block::clear);
        });
    }

    /// Executes a batch in all L2B, given by their memories and their blocks. Adds the undetermined
    /// points to `marks`.
    pub fn run(
        &mut self,
        batch: &Batch,
        transfers: &mut StagedTransfers,
        memories: &mut [MemoryWords],
        blocks: &mut [Block],
        policy: UndeterminedPolicy,
        marks: &mut UndeterminedSet,
    ) -> Result<(), Stop> {
        if batch.is_empty() {
            return Ok(());
        }
        let (work, l1bs) = (batch.len() * blocks.len(), blocks.len() / memories.len());
        let (received, moves) = transfers.parts();
        let mut l2bs: Vec<L2b> = memories
            .iter_mut()
            .zip(blocks.chunks_mut(l1bs))
            .zip(moves)
            .map(|((memory, blocks), moves)| L2b {
                memory,
                blocks,
                moves,
                received,
            })
            .collect();
        let run = |l2bs: &mut [L2b], scratch: &mut Scratch| {
            let mut outcome = Outcome::default();
            for l2b in l2bs {
                outcome.run(batch, l2b, scratch, policy);
            }
            outcome
        };
        let outcomes = if self.scratch.len() == 1 || work < WORTH_THREADS {
            vec![run(&mut l2bs, &mut self.scratch[0])]
        } else {
            let share = l2bs.len().div_ceil(self.scratch.len());
            let shares = l2bs.chunks_mut(share).zip(&mut self.scratch);
            for_each_share(&self.pool, shares, |(l2bs, scratch)| run(l2bs, scratch))
        };
        combine(batch, &outcomes, policy, marks)
    }
}

/// Executes `work` on each share: on the first one in this thread, which would be idle otherwise,
/// and on the others in a pool, or in the global one, which a single share does not create. Returns
/// the results in order.
fn for_each_share<S: Send, R: Send>(
    pool: &Option<Arc<ThreadPool>>,
    shares: impl ExactSizeIterator<Item = S>,
    work: impl Fn(S) -> R + Sync,
) -> Vec<R> {
    if shares.len() <= 1 {
        return shares.map(work).collect();
    }
    let mut results: Vec<Option<R>> = (0..shares.len()).map(|_| None).collect();
    let (work, places) = (&work, &mut results);
    run_in_scope(pool, |scope| {
        let mut jobs = shares.zip(places);
        let first = jobs.next();
        for (share, result) in jobs {
            scope.spawn(move |_| *result = Some(work(share)));
        }
        if let Some((share, result)) = first {
            *result = Some(work(share));
        }
    });
    results.into_iter().flatten().collect()
}

/// Executes `work`, and what it spawns in a pool, or in the global one.
fn run_in_scope<'scope>(pool: &'scope Option<Arc<ThreadPool>>, work: impl FnOnce(&Scope<'scope>)) {
    match pool {
        Some(pool) => pool.in_place_scope(work),
        None => rayon::in_place_scope(work),
    }
}

/// Combines the outcomes in shares of the L2B, in their order.
fn combine(
    batch: &Batch,
    outcomes: &[Outcome],
    policy: UndeterminedPolicy,
    marks: &mut UndeterminedSet,
) -> Result<(), Stop> {
    // Among several traps, the first in program order counts, then that of the first block. `min`
    // returns the first of equal points.
    let stops = outcomes.iter().enumerate();
    let stops = stops.filter_map(|(share, outcome)| Some((share, outcome.stop.as_ref()?)));
    let Some((last, (stop, reason))) = stops.min_by_key(|(_, (point, _))| *point) else {
        let met = outcomes.iter().flat_map(|outcome| &outcome.met);
        met.for_each(|(_, met)| marks.merge(*met));
        return Ok(());
    };
    let mut collected = UndeterminedSet::NONE;
    for (share, outcome) in outcomes.iter().enumerate() {
        // All L2B collect before a trap counts.
        let counts = |point: Point| match stop.phase {
            Phase::Blocks if share > last => point < *stop,
            _ => point <= *stop,
        };
        for (point, met) in outcome.met.iter().filter(|(point, _)| counts(*point)) {
            marks.merge(*met);
            if *point == *stop {
                collected.merge(*met);
            }
        }
    }
    let reason = match (stop.phase, reason) {
        (Phase::Collect, Reason::Undetermined(point)) => {
            Reason::Undetermined(policy.stop(collected).unwrap_or(*point))
        }
        _ => reason.clone(),
    };
    let span = batch[stop.step].span;
    Err((stop.step, Trap { span, reason }))
}

/// The outcome of a batch in some of the L2B.
#[derive(Default)]
struct Outcome {
    /// Where undetermined points were met that were not recorded before.
    met: Vec<(Point, UndeterminedSet)>,
    /// The first point that trapped, with the reason.
    stop: Option<(Point, Reason)>,
}

impl Outcome {
    /// Executes the batch in another L2B.
    fn run(
        &mut self,
        batch: &Batch,
        l2b: &mut L2b,
        scratch: &mut Scratch,
        policy: UndeterminedPolicy,
    ) {
        let mut start = 0;
        let mut moved = 0;
        while start < batch.len() {
            let mut rest = batch[start..].iter();
            let next = rest.position(|item| item.uses_l2bm());
            let end = next.map_or(batch.len(), |index| start + index);
            self.run_blocks(batch, start..end, l2b, scratch, policy);
            start = end + 1;
            let is_reached = match batch.get(end).map(|item| &item.step) {
                None => return,
                Some(Some(step)) => self.run_l2bm_step(batch, end, step, l2b, scratch, policy),
                Some(None) => {
                    let is_reached = self.is_reached(Point {
                        step: end,
                        phase: Phase::Collect,
                    });
                    if is_reached {
                        l2b.moves.run(end, &mut moved, l2b.received, l2b.memory);
                    }
                    is_reached
                }
            };
            if !is_reached {
                return;
            }
        }
    }

    /// Executes a step with a transfer between L2BM and L1BM. Returns whether all of it is reached.
    fn run_l2bm_step(
        &mut self,
        batch: &Batch,
        index: usize,
        step: &DecodedStep,
        l2b: &mut L2b,
        scratch: &mut Scratch,
        policy: UndeterminedPolicy,
    ) -> bool {
        let point = |phase| Point { step: index, phase };
        let Some(transfer) = step.l2bm else {
            return true;
        };
        if !self.is_reached(point(Phase::Collect)) {
            return false;
        }
        self.collect(index, step, l2b, scratch, policy);
        self.run_blocks(batch, index..index + 1, l2b, scratch, policy);
        let is_reached = self.is_reached(point(Phase::Blocks));
        if is_reached {
            transfer.deliver(&scratch.collected, l2b.memory, l2b.blocks);
        }
        is_reached
    }

    /// Returns whether no L2B so far has trapped before `point`. If one trapped while it collected
    /// data, all others collect them, too.
    fn is_reached(&self, point: Point) -> bool {
        self.stop.as_ref().is_none_or(|(stop, _)| match stop.phase {
            Phase::Collect => point <= *stop,
            Phase::Blocks => point < *stop,
        })
    }

    /// Reads the data of a transfer between L2BM and L1BM.
    fn collect(
        &mut self,
        index: usize,
        step: &DecodedStep,
        l2b: &L2b,
        scratch: &mut Scratch,
        policy: UndeterminedPolicy,
    ) {
        let Some(transfer) = step.l2bm else { return };
        let mut undetermined = UndeterminedSet::NONE;
        let (memory, collected) = (&*l2b.memory, &mut scratch.collected);
        let ran = transfer.collect(memory, l2b.blocks, collected, &mut undetermined);
        if ran.is_ok() {
            let sent = step.block.l1bm_write_range();
            let twice = sent.is_some_and(|sent| transfer.overlaps(l2b.blocks.len(), sent));
            undetermined.add_if(twice, Undetermined::WrittenTwice);
        }
        let point = Point {
            step: index,
            phase: Phase::Collect,
        };
        self.record(point, ran, undetermined, policy);
    }

    /// Executes steps inside the blocks of an L2B.
    fn run_blocks(
        &mut self,
        batch: &Batch,
        steps: Range<usize>,
        l2b: &mut L2b,
        scratch: &mut Scratch,
        policy: UndeterminedPolicy,
    ) {
        for block in &mut *l2b.blocks {
            for (index, item) in steps.clone().zip(&batch[steps.clone()]) {
                let Some(step) = &item.step else {
                    continue;
                };
                if step.block.is_empty() {
                    continue;
                }
                let point = Point {
                    step: index,
                    phase: Phase::Blocks,
                };
                if !self.is_reached(point) {
                    break;
                }
                let mut undetermined = UndeterminedSet::NONE;
                let ran = (step.block).run(step.keeps_registers, block, scratch, &mut undetermined);
                self.record(point, ran, undetermined, policy);
            }
        }
    }

    /// Records what happened at a point that was reached.
    #[inline(always)]
    fn record(
        &mut self,
        point: Point,
        ran: Result<(), Reason>,
        undetermined: UndeterminedSet,
        policy: UndeterminedPolicy,
    ) {
        if ran.is_err() || !undetermined.is_empty() {
            self.record_event(point, ran, undetermined, policy);
        }
    }

    #[cold]
    fn record_event(
        &mut self,
        point: Point,
        ran: Result<(), Reason>,
        undetermined: UndeterminedSet,
        policy: UndeterminedPolicy,
    ) {
        if !undetermined.is_empty() {
            self.record_undetermined(point, undetermined);
        }
        let stopped = match policy.stop(undetermined) {
            Some(point) => Err(Reason::Undetermined(point)),
            None => ran,
        };
        if let Err(reason) = stopped {
            // Of several L2B that trap while they collect data, the first one counts.
            if self.stop.as_ref().is_none_or(|(stop, _)| point < *stop) {
                self.stop = Some((point, reason));
            }
        }
    }

    fn record_undetermined(&mut self, point: Point, undetermined: UndeterminedSet) {
        let mut earlier = UndeterminedSet::NONE;
        for (at, met) in &self.met {
            if *at <= point {
                earlier.merge(*met);
            }
        }
        if !undetermined.iter().all(|one| earlier.contains(one)) {
            self.met.push((point, undetermined));
        }
    }
}
