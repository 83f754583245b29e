//! Epochs of a chip: tiles advance independently, then exchange what their NoCs deliver.
//!
//! In an epoch each runnable tile executes several quanta within a [`Budget`]. Its effects are not
//! visible to other tiles or DRAM before the end of the epoch, when NoC writes to them are
//! delivered. Reads from DRAM complete at once, because DRAM does not change during an epoch. Tiles
//! can therefore run on several host threads, and the results do not depend on the number of
//! threads. A tile that is alone in its epoch does not defer its deliveries.

use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;

use crate::dram::Dram;
use crate::tile::{Budget, DramAccess, Tile, TileState};
use crate::trap::Trap;

/// One tile's part of an epoch.
pub(crate) struct EpochTask<'t, 'a> {
    pub(crate) tile: &'t mut Tile<'a>,
    pub(crate) budget: Budget,
    /// The outcome.
    pub(crate) outcome: Result<TileState, Trap>,
}

impl<'t, 'a> EpochTask<'t, 'a> {
    pub(crate) fn new(tile: &'t mut Tile<'a>, budget: Budget) -> Self {
        EpochTask {
            tile,
            budget,
            outcome: Ok(TileState::Runnable),
        }
    }
}

/// Runs all tasks of an epoch on this thread and the worker threads. Without workers, tiles get
/// exclusive access to DRAM, which data movement lists need.
pub(crate) fn run(tasks: &mut [EpochTask], workers: Option<&ThreadPool>, dram: &mut Dram) {
    let Some(workers) = workers else {
        for task in tasks {
            task.outcome = task
                .tile
                .run_quanta(&mut task.budget, DramAccess::Exclusive(dram));
        }
        return;
    };
    let dram = &*dram;
    let queue = Mutex::new(tasks.iter_mut());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(task) = next() {
            task.outcome = task
                .tile
                .run_quanta(&mut task.budget, DramAccess::Shared(dram));
        }
    };
    workers.in_place_scope(|scope| {
        (0..workers.current_num_threads()).for_each(|_| scope.spawn(|_| work()));
        work();
    });
}
