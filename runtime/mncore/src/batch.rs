//! Batched execution of steps that stay inside L2B: on PEs, L1BM and L2BM, and of the MV
//! instructions between them ([`StagedTransfers`]). L2B run in parallel, as they share no state.
//! Inside an L2B, each L1 block runs through all steps up to the next transfer that L2BM takes part
//! in. Of L2B that are in the same state and do the same, and of such blocks of an L2B, only the
//! first one executes ([`CopyOnWrite`]).
//!
//! The outcome does not depend on the number of threads. It is the first trap in program order, in
//! the first block that has it, together with the undetermined points recorded before it. Memories
//! of other blocks and L2B may be a few steps ahead of the trap.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};
use tessera_isa_mncore::diagnostic::Span;

use crate::block::Block;
use crate::copy_on_write::{CopyOnWrite, Part};
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
    blocks: Part<'a, Block>,
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

    /// Executes a batch in all L2B, given by their memories and their blocks. Adds the undetermined
    /// points to `marks`.
    pub fn run(
        &mut self,
        batch: &Batch,
        transfers: &mut StagedTransfers,
        memories: &mut CopyOnWrite<MemoryWords>,
        blocks: &mut CopyOnWrite<Block>,
        policy: UndeterminedPolicy,
        marks: &mut UndeterminedSet,
    ) -> Result<(), Stop> {
        if batch.is_empty() {
            return Ok(());
        }
        let l1bs = blocks.len() / memories.len();
        let leaders = separate(batch, transfers, memories, blocks);
        let (received, moves) = transfers.parts();
        let parts = blocks.parts(l1bs).zip(moves).zip(&leaders).enumerate();
        let parts = parts.filter_map(|(l2, (part, leader))| (*leader == l2).then_some(part));
        let l2bs: Vec<L2b> = memories
            .owners_mut()
            .zip(parts)
            .map(|(memory, (blocks, moves))| L2b {
                memory,
                blocks,
                moves,
                received,
            })
            .collect();
        let work = batch.len() * l2bs.len() * l1bs;
        let run = |mut l2b: L2b, scratch: &mut Scratch| {
            let mut outcome = Outcome::default();
            outcome.run(batch, &mut l2b, scratch, policy);
            outcome
        };
        let threads = if work < WORTH_THREADS {
            1
        } else {
            self.scratch.len()
        };
        let outcomes = for_each(&self.pool, l2bs, &mut self.scratch[..threads], run);
        for (l2, leader) in leaders.into_iter().enumerate() {
            if leader != l2 {
                blocks.join(leader * l1bs..(leader + 1) * l1bs, l2 * l1bs);
                transfers.share_sent(leader, l2);
            }
        }
        combine(batch, &outcomes, policy, marks)
    }
}

/// Separates L2B and blocks that a batch treats differently. Returns for each L2B the first one
/// that is in the same state and does the same, which executes the batch for all of these.
fn separate(
    batch: &Batch,
    transfers: &StagedTransfers,
    memories: &mut CopyOnWrite<MemoryWords>,
    blocks: &mut CopyOnWrite<Block>,
) -> Vec<usize> {
    let mut steps = batch.iter().filter_map(|item| item.step.as_ref());
    if steps.any(|step| step.block.reads_position()) {
        blocks.all_mut();
    }
    let l1bs = blocks.len() / memories.len();
    let do_same = |one: usize, other: usize| {
        (0..l1bs).all(|l1b| blocks.are_same(one * l1bs + l1b, other * l1bs + l1b))
            && transfers.are_same(one, other)
    };
    memories.split(do_same);
    let leaders: Vec<usize> = (0..memories.len()).map(|l2| memories.owner(l2)).collect();
    // Those of later L2B first, whose states may be in earlier ones.
    for l2 in (0..leaders.len()).rev().filter(|l2| leaders[*l2] == *l2) {
        blocks.close(l2 * l1bs..(l2 + 1) * l1bs);
    }
    leaders
}

/// Executes `work` on each item, in one thread per scratch buffer: in this one, which would be idle
/// otherwise, and in those of a pool, or of the global one, which a single thread does not create.
/// Every thread has a share, the same one each time, whose state its cache may still hold. A thread
/// that has finished its share takes items off the ends of others, since a thread that was asleep
/// starts later. Returns the results in order.
fn for_each<I: Send, R: Send>(
    pool: &Option<Arc<ThreadPool>>,
    items: Vec<I>,
    scratch: &mut [Scratch],
    work: impl Fn(I, &mut Scratch) -> R + Sync,
) -> Vec<R> {
    let [own, others @ ..] = scratch else {
        return Vec::new();
    };
    if others.is_empty() {
        return items.into_iter().map(|item| work(item, own)).collect();
    }
    let mut results: Vec<Option<R>> = (0..items.len()).map(|_| None).collect();
    let share = items.len().div_ceil(1 + others.len()).max(1);
    let mut jobs = items.into_iter().zip(&mut results);
    let shares: Vec<VecDeque<_>> = (0..=others.len())
        .map(|_| jobs.by_ref().take(share).collect())
        .collect();
    let shares = Mutex::new(shares);
    let take = |thread: usize| {
        let mut shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
        let own = shares[thread].pop_front();
        own.or_else(|| shares.iter_mut().find_map(VecDeque::pop_back))
    };
    let work_on = |thread: usize, scratch: &mut Scratch| {
        while let Some((item, result)) = take(thread) {
            *result = Some(work(item, scratch));
        }
    };
    run_in_scope(pool, |scope| {
        for (thread, scratch) in (1..).zip(others) {
            let work_on = &work_on;
            scope.spawn(move |_| work_on(thread, scratch));
        }
        work_on(0, own);
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

/// Combines the outcomes of the L2B, in their order.
fn combine(
    batch: &Batch,
    outcomes: &[Outcome],
    policy: UndeterminedPolicy,
    marks: &mut UndeterminedSet,
) -> Result<(), Stop> {
    // Among several traps, the first in program order counts, then that of the first block. `min`
    // returns the first of equal points.
    let stops = outcomes.iter().enumerate();
    let stops = stops.filter_map(|(l2b, outcome)| Some((l2b, outcome.stop.as_ref()?)));
    let Some((last, (stop, reason))) = stops.min_by_key(|(_, (point, _))| *point) else {
        let met = outcomes.iter().flat_map(|outcome| &outcome.met);
        met.for_each(|(_, met)| marks.merge(*met));
        return Ok(());
    };
    let mut collected = UndeterminedSet::NONE;
    for (l2b, outcome) in outcomes.iter().enumerate() {
        // All L2B collect before a trap counts.
        let counts = |point: Point| match stop.phase {
            Phase::Blocks if l2b > last => point < *stop,
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

/// The outcome of a batch in one L2B.
#[derive(Default)]
struct Outcome {
    /// Where undetermined points were met that were not recorded before.
    met: Vec<(Point, UndeterminedSet)>,
    /// The first point that trapped, with the reason.
    stop: Option<(Point, Reason)>,
}

impl Outcome {
    /// Executes the batch.
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
            transfer.deliver(&scratch.collected, l2b.memory, &mut l2b.blocks);
        }
        is_reached
    }

    /// Returns whether the L2B has not trapped before `point`.
    fn is_reached(&self, point: Point) -> bool {
        self.stop.as_ref().is_none_or(|(stop, _)| point < *stop)
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
        let ran = transfer.collect(memory, &l2b.blocks, collected, &mut undetermined);
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
        for block in l2b.blocks.owners_mut() {
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
            // Later blocks run up to the point where an earlier one stopped.
            self.stop = Some((point, reason));
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
