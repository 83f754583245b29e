//! Epochs of a chip: tiles advance independently, then exchange what their NoCs deliver.
//!
//! In an epoch each runnable tile executes several quanta within a [`Budget`]. Its effects are not
//! visible to other tiles or DRAM before the end of the epoch, when NoC writes to them are
//! delivered. Reads from DRAM complete at once, because DRAM does not change during an epoch. Tiles
//! can therefore run on several host threads, and the results do not depend on the number of
//! threads. A tile that is alone in its epoch does not defer its deliveries.

use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;

use super::refused;
use crate::dram::Dram;
use crate::issue::scheduler::Quantum;
use crate::noc::{Delivery, Location, Payload, Progress};
use crate::tile::{trap, Advance, Tile, NOC, TDMA, UNIT};
use crate::trap::{Fault, Source, Trap, TrapLocation};

/// How far a tile may advance in an epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Quanta that may still begin, and steps that may still be made.
    quanta: u64,
    steps: u64,
    /// Whether the tile is alone: it stops at each delivery instead of continuing.
    alone: bool,
    /// The interrupted quantum, and whether all other agents were blocked.
    quantum: Option<(Quantum, bool)>,
}

impl Budget {
    pub(crate) fn new(quanta: u64, steps: u64, alone: bool) -> Self {
        Budget {
            quanta,
            steps,
            alone,
            quantum: None,
        }
    }

    /// Returns the steps that are left.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }
}

/// Why a tile has stopped in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileState {
    /// The budget is used up, a break was hit, or the tile has a delivery.
    Runnable,
    /// All agents wait for something from outside.
    Blocked,
}

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

/// A tile's access to DRAM during an epoch.
pub(crate) enum DramAccess<'d> {
    /// No other tile runs meanwhile, so data movement lists may write.
    Exclusive(&'d mut Dram),
    Shared(&'d Dram),
}

impl DramAccess<'_> {
    pub(crate) fn writable(&mut self) -> Option<&mut Dram> {
        match self {
            DramAccess::Exclusive(dram) => Some(dram),
            DramAccess::Shared(_) => None,
        }
    }

    fn readable(&self) -> &Dram {
        match self {
            DramAccess::Exclusive(dram) => dram,
            DramAccess::Shared(dram) => dram,
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

impl Tile<'_> {
    /// Executes quanta until the budget is used up or all agents are blocked.
    pub(crate) fn run_quanta(
        &mut self,
        budget: &mut Budget,
        mut dram: DramAccess,
    ) -> Result<TileState, Trap> {
        self.wake();
        while !self.hit_break
            && budget.steps > 0
            && !(budget.alone && self.has_outstanding_delivery())
        {
            let (quantum, others_are_blocked) = match budget.quantum.take() {
                Some(quantum) => quantum,
                None if budget.quanta == 0 => break,
                None => {
                    budget.quanta -= 1;
                    match self.next_quantum() {
                        Some(quantum) => (quantum, false),
                        None => {
                            self.assert_blocked(dram.writable())?;
                            match self.pending_noc_quantum() {
                                Some(quantum) => (quantum, true),
                                None if self.has_outstanding_delivery() => break,
                                None => return Ok(TileState::Blocked),
                            }
                        }
                    }
                }
            };
            let quantum = quantum.limited_to(budget.steps);
            let taken = self.run_quantum(quantum, others_are_blocked, &mut dram)?;
            budget.steps -= u64::from(taken.max(1));
            if taken < quantum.steps && budget.alone && self.has_outstanding_delivery() {
                let steps = quantum.steps - taken;
                budget.quantum = Some((Quantum { steps, ..quantum }, others_are_blocked));
            }
        }
        Ok(TileState::Runnable)
    }

    /// Executes a quantum, up to a break or a delivery; returns the number of steps done.
    fn run_quantum(
        &mut self,
        quantum: Quantum,
        others_are_blocked: bool,
        dram: &mut DramAccess,
    ) -> Result<u32, Trap> {
        let agent = quantum.agent;
        let mut done = 0;
        let mut may_continue = true;
        while done < quantum.steps && !self.hit_break {
            let step = match agent {
                NOC.. => Advance::from(self.step_noc(
                    agent - NOC,
                    others_are_blocked,
                    dram.readable(),
                )?),
                _ => self.advance(agent, quantum.steps - done, dram.writable())?,
            };
            done += step.steps;
            // The NoC continues after the delivery.
            if agent >= NOC && self.deliveries[agent - NOC].is_some() {
                break;
            }
            if step.steps > 0 {
                self.note_advanced(agent);
            }
            if !step.may_continue {
                may_continue = false;
                break;
            }
            // The scheduler is told about empty units in `wake`.
            if matches!(agent, UNIT..TDMA)
                && self.devices.coprocessor.flights.count(agent - UNIT) == 0
            {
                break;
            }
        }
        self.wake();
        if !may_continue {
            self.block(agent);
        }
        Ok(done)
    }

    /// Lets a NoC advance with a request, unless it has an outstanding delivery.
    #[inline(never)]
    fn step_noc(
        &mut self,
        noc: usize,
        others_are_blocked: bool,
        dram: &Dram,
    ) -> Result<bool, Trap> {
        if self.deliveries[noc].is_some() {
            return Ok(false);
        }
        let devices = &mut self.devices;
        let progress = devices.nius[noc].advance(others_are_blocked, &mut devices.coprocessor);
        match progress.map_err(|(pc, fault)| noc_trap(pc, fault))? {
            Progress::Nothing => return Ok(false),
            Progress::Advanced => {}
            Progress::Deliver(delivery) => match self.deliver_from_dram(noc, &delivery, dram) {
                Some(brought) => brought.map_err(|fault| noc_trap(delivery.pc, fault))?,
                None => self.deliveries[noc] = Some(delivery),
            },
        }
        Ok(true)
    }

    /// Executes a delivery from DRAM to this tile's L1; returns `None` for other deliveries.
    fn deliver_from_dram(
        &mut self,
        noc: usize,
        delivery: &Delivery,
        dram: &Dram,
    ) -> Option<Result<(), Fault>> {
        let (bank, offset, addr, length) = match delivery.what {
            Payload::Copy {
                from: Location::Dram { bank, offset },
                to: Location::L1 { tile, addr },
                length,
            } if tile == self.devices.nius[noc].coordinate() => (bank, offset, addr, length),
            _ => return None,
        };
        let mut bytes = std::mem::take(&mut self.carried);
        bytes.resize(length as usize, 0);
        let read = dram.read(bank, offset, &mut bytes).map_err(refused);
        let written = read.and_then(|()| self.write(addr, &bytes));
        self.carried = bytes;
        let devices = &mut self.devices;
        let stats = &mut devices.coprocessor.stats;
        Some(written.map(|()| {
            devices.nius[noc].delivered(delivery, stats);
        }))
    }

    /// Returns whether a NoC has an outstanding delivery.
    fn has_outstanding_delivery(&self) -> bool {
        self.deliveries.iter().any(Option::is_some)
    }

    /// Notes that a NoC's delivery is complete and that it can advance.
    pub(crate) fn note_delivered(&mut self, noc: usize) {
        let bit = 1 << (NOC + noc);
        self.scheduler.set_unblocked(bit, bit);
        self.note_advanced(NOC + noc);
    }

    /// Returns a one-step quantum for a NoC that has requests and no outstanding delivery.
    fn pending_noc_quantum(&self) -> Option<Quantum> {
        let has_some =
            |noc: &usize| !self.devices.nius[*noc].is_idle() && self.deliveries[*noc].is_none();
        let noc = [0, 1].into_iter().find(has_some)?;
        Some(Quantum {
            agent: NOC + noc,
            steps: 1,
        })
    }
}

/// Makes a trap for a NoC request of the instruction at `pc`.
pub(crate) fn noc_trap(pc: u32, fault: Fault) -> Trap {
    Trap {
        place: Some(TrapLocation::Pc(pc)),
        ..trap(Some(Source::Noc), fault)
    }
}
