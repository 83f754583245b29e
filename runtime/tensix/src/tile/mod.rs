//! A tile: five RISC-V cores, the coprocessor, and the devices between them.
//!
//! The cores execute code from L1; NC executes from its instruction memory.
//!
//! The scheduler's agents (`scheduler`) are the cores, data movement, the front ends, the
//! units, TDMA-RISC and the NoCs. A core's step ends when it accesses something that other agents
//! can observe. Polling cores park ([`tessera_riscv`]), so a tile whose cores all wait for each
//! other is recognised as blocked.

mod access;
mod agent_ids;
mod agents;
mod auto_sync;
mod breaks;
mod budget;
mod bus;
mod control;
mod core_ids;
mod cores;
mod devices;
mod dst;
mod fifo;
mod lists;
mod local;
mod params;
mod pic;
mod status;
mod tdma;
mod timestamp;

use std::sync::Arc;

use tessera_isa_tensix::Arch;
use tessera_riscv::{CodeLibrary, Core, SharedCode};

use crate::dram::Dram;
use crate::issue::coprocessor::Coprocessor;
use crate::issue::scheduler::{Quantum, Scheduler};
use crate::issue::stats::Stats;
use crate::noc::{Delivery, Served};
use crate::state::changes::{self, Changes, Counts};
use crate::state::units::UNITS;
use crate::trap::{Fault, Trap};
use agent_ids::{Advance, AGENTS, NOC, TDMA, UNIT};
use agents::Agents;

pub use breaks::{Break, ParseBreakError};
pub(crate) use budget::{Budget, DramAccess, TileState};
pub(crate) use core_ids::source;
pub(crate) use lists::Lists;
pub(crate) use params::{TileKind, TileParams};

/// A tile: its agents, and the order in which they advance.
pub(crate) struct Tile<'a> {
    agents: Agents<'a>,
    scheduler: Scheduler<AGENTS>,
    /// The change counters when blocked agents were last woken.
    seen: Counts,
}

/// A kernel whose images are in L1.
pub(crate) struct Kernel<'a> {
    /// The number of words of each image. Images do not change.
    pub(crate) image_words: [usize; 5],
    /// The seed of the cores' memory order; `None` for program order.
    pub(crate) order: Option<u64>,
    /// The maximum number of instructions of a core.
    pub(crate) limit: u64,
    /// Data movement in place of the cores.
    pub(crate) lists: Lists<'a>,
}

impl<'a> Tile<'a> {
    /// Creates a tile with empty memories.
    pub(crate) fn new(arch: Arch, params: TileParams) -> Box<Self> {
        Box::new(Tile {
            agents: Agents::new(arch, &params),
            scheduler: Scheduler::new(params.schedule),
            seen: [0; Changes::KINDS],
        })
    }

    /// Makes the tile execute a kernel.
    pub(crate) fn set_kernel(&mut self, kernel: Kernel<'a>) {
        let Agents { cores, devices, .. } = &mut self.agents;
        devices.images = Some(kernel.image_words);
        if let Some(seed) = kernel.order {
            devices.is_weak = true;
            cores.set_weak_order(seed);
        }
        cores.limit = kernel.limit;
        self.agents.lists = Some(kernel.lists);
    }

    /// Shares the decoded code of the image that a core has in L1.
    pub(crate) fn share_code(&mut self, core: usize, code: &Arc<SharedCode>) {
        let l1 = &self.agents.devices.coprocessor.core.l1;
        self.agents.cores.share_code(core, code, l1);
    }

    /// Lets the cores share decoded pages with those of other tiles.
    pub(crate) fn set_library(&mut self, library: &Arc<CodeLibrary>) {
        self.agents.cores.set_library(library);
    }

    /// Returns the coprocessor.
    pub(crate) fn coprocessor(&self) -> &Coprocessor {
        &self.agents.devices.coprocessor
    }

    /// Does the same for changes.
    pub(crate) fn coprocessor_mut(&mut self) -> &mut Coprocessor {
        &mut self.agents.devices.coprocessor
    }

    /// Returns the cores that are not in reset, with their numbers.
    pub(crate) fn running_cores(&self) -> impl Iterator<Item = (usize, &Core)> {
        self.agents.cores.running(&self.agents.devices.control)
    }

    /// Returns for each core whether it has an image.
    pub(crate) fn loaded(&self) -> [bool; 5] {
        let words = self.agents.devices.images.unwrap_or_default();
        words.map(|words| words > 0)
    }

    /// Adds a break, which triggers once.
    pub(crate) fn stop_at(&mut self, at: Break) {
        self.agents.breaks.add(at);
    }

    /// Returns whether a break was hit since the last call.
    pub(crate) fn take_hit_break(&mut self) -> bool {
        std::mem::take(&mut self.agents.breaks.is_hit)
    }

    /// Returns the kind.
    pub(crate) fn kind(&self) -> TileKind {
        self.agents.devices.kind()
    }

    /// Returns whether a data movement list has entries left, for which it needs DRAM.
    pub(crate) fn has_lists(&self) -> bool {
        self.agents.has_lists()
    }

    /// Takes the statistics of a tile that has ended.
    pub(crate) fn take_stats(&mut self) -> Stats {
        let coprocessor = &mut self.agents.devices.coprocessor;
        coprocessor.stats.set_retired(self.agents.cores.retired());
        coprocessor.take_stats()
    }

    /// Describes what each core, front end and data movement waits for that has not ended. `name`
    /// adds to the address of a polled word; `loaded` tells which cores have code.
    pub(crate) fn waiting(&self, name: impl Fn(u32) -> String, loaded: [bool; 5]) -> Vec<String> {
        self.agents.waiting(name, loaded)
    }

    /// Writes bytes from outside into L1, or a word into a device.
    pub(crate) fn write(&mut self, addr: u32, bytes: &[u8]) -> Result<(), Fault> {
        self.agents.write(addr, bytes)
    }

    /// Checks that `length` bytes exist at an address: up to the end of L1, or one word of a
    /// device.
    pub(crate) fn check_range(&self, addr: u32, length: u32) -> Result<(), Fault> {
        self.agents.devices.check_range(addr, length)
    }

    /// Returns how many bytes exist from an address on: up to the end of L1, or one word of a
    /// device.
    pub(crate) fn room(&self, addr: u32) -> u32 {
        self.agents.devices.room(addr)
    }

    /// Reads bytes of L1, or a word of a device, for an access from outside.
    pub(crate) fn read(&mut self, addr: u32, length: u32) -> Result<Vec<u8>, Fault> {
        self.agents.devices.read(addr, length)
    }

    /// Does the same into a buffer.
    pub(crate) fn read_into(&mut self, addr: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        self.agents.devices.read_into(addr, bytes)
    }

    /// Does the same with a word.
    pub(crate) fn word(&mut self, addr: u32) -> Result<u32, Fault> {
        self.agents.devices.word(addr)
    }

    /// Takes the delivery of a NoC that has to be made, if there is one.
    pub(crate) fn take_delivery(&mut self, noc: usize) -> Option<Delivery> {
        self.agents.deliveries[noc].take()
    }

    /// Notes that a NoC's delivery is complete and that it can advance. If it was the last one for
    /// its destination, returns what that tile has served.
    pub(crate) fn complete_delivery(&mut self, noc: usize, delivery: &Delivery) -> Option<Served> {
        let devices = &mut self.agents.devices;
        let stats = &mut devices.coprocessor.stats;
        let served = devices.nius[noc].delivered(delivery, stats);
        let bit = 1 << (NOC + noc);
        self.scheduler.set_unblocked(bit, bit);
        self.note_advanced(NOC + noc);
        served
    }

    /// Lets a NoC without an outstanding delivery advance until it has one, which is taken.
    pub(crate) fn next_delivery(
        &mut self,
        noc: usize,
        dram: &Dram,
    ) -> Result<Option<Delivery>, Trap> {
        while self.agents.deliveries[noc].is_none() {
            if !self.agents.step_noc(noc, true, dram)? {
                return Ok(None);
            }
            self.note_advanced(NOC + noc);
        }
        Ok(self.take_delivery(noc))
    }

    /// Notes a request of another tile that this tile has served.
    pub(crate) fn note_served(&mut self, noc: usize, served: Served) {
        let devices = &mut self.agents.devices;
        devices.nius[noc].note_served(served, &mut devices.coprocessor.stats);
        devices.note_changes(Changes::NOCS);
    }

    /// Executes quanta until the budget is used up or all agents are blocked.
    pub(crate) fn run_quanta(
        &mut self,
        budget: &mut Budget,
        mut dram: DramAccess,
    ) -> Result<TileState, Trap> {
        self.wake();
        while !self.agents.breaks.is_hit
            && budget.steps > 0
            && !(budget.alone && self.agents.has_outstanding_delivery())
        {
            let (quantum, others_are_blocked) = match budget.quantum.take() {
                Some(quantum) => quantum,
                None if budget.quanta == 0 => break,
                None => {
                    budget.quanta -= 1;
                    match self.next_quantum() {
                        Some(quantum) => (quantum, false),
                        None => {
                            self.agents.assert_blocked(dram.writable())?;
                            match self.agents.pending_noc_quantum() {
                                Some(quantum) => (quantum, true),
                                None if self.agents.has_outstanding_delivery() => break,
                                None => return Ok(TileState::Blocked),
                            }
                        }
                    }
                }
            };
            let quantum = quantum.limited_to(budget.steps);
            let taken = self.run_quantum(quantum, others_are_blocked, &mut dram)?;
            budget.steps -= u64::from(taken.max(1));
            if taken < quantum.steps && budget.alone && self.agents.has_outstanding_delivery() {
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
        while done < quantum.steps && !self.agents.breaks.is_hit {
            let step = match agent {
                NOC.. => Advance::from(self.agents.step_noc(
                    agent - NOC,
                    others_are_blocked,
                    dram.readable(),
                )?),
                _ => self
                    .agents
                    .advance(agent, quantum.steps - done, dram.writable())?,
            };
            done += step.steps;
            // The NoC continues after the delivery, which unblocks it.
            if agent >= NOC && self.agents.deliveries[agent - NOC].is_some() {
                may_continue = false;
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
                && self.agents.devices.coprocessor.flights.count(agent - UNIT) == 0
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

    /// Returns the next quantum, or `None` if all agents are blocked. With weakly ordered cores a
    /// quantum is one step: other agents must be able to act between any two steps of such a core.
    fn next_quantum(&mut self) -> Option<Quantum> {
        let is_weak = self.agents.devices.is_weak;
        let most = if is_weak { 1 } else { u64::MAX };
        Some(self.scheduler.next_quantum()?.limited_to(most))
    }

    /// Marks an agent as blocked that stopped before the end of its quantum. All agents have been
    /// woken since, because the agent's own changes do not unblock it.
    fn block(&mut self, agent: usize) {
        let waits_for = self.agents.waits_for(agent);
        self.scheduler.block(agent, waits_for);
    }

    /// Notes that an agent has advanced. Changes by NoCs are counted here only. Accesses of weakly
    /// ordered cores complete at random, so any step may wake such a core.
    fn note_advanced(&mut self, agent: usize) {
        self.agents.devices.noc_changes += u64::from(agent >= NOC);
        self.agents.devices.other_changes += u64::from(self.agents.devices.is_weak);
        self.agents.devices.coprocessor.forget_satisfied_waits();
    }

    /// Wakes all agents that wait for what has changed.
    fn wake(&mut self) {
        let coprocessor = &self.agents.devices.coprocessor;
        let mut counts = coprocessor.changes();
        counts[Changes::KINDS - 2] = self.agents.devices.noc_changes;
        counts[Changes::KINDS - 1] = self.agents.devices.other_changes;
        let occupied = !coprocessor.flights.idle_units() << UNIT;
        self.scheduler.wake(changes::between(&self.seen, &counts));
        self.scheduler
            .set_unblocked(((1 << UNITS) - 1) << UNIT, occupied);
        self.seen = counts;
    }
}
