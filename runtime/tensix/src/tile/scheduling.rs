//! Scheduling within a tile: the next quantum, what blocked agents wait for, and what wakes them.

use tessera_riscv::Step;

use super::devices::changes_at;
use super::{Tile, DM, FRONTEND, NOC, TDMA, UNIT};
use crate::issue::scheduler::Quantum;
use crate::map;
use crate::state::changes::{self, Changes};
use crate::state::units::UNITS;

impl Tile<'_> {
    /// Returns the next quantum, or `None` if all agents are blocked. With weakly ordered cores a
    /// quantum is one step: other agents must be able to act between any two steps of such a core.
    pub(crate) fn next_quantum(&mut self) -> Option<Quantum> {
        let most = if self.is_weak { 1 } else { u64::MAX };
        Some(self.scheduler.next_quantum()?.limited_to(most))
    }

    /// Marks an agent as blocked that stopped before the end of its quantum. All agents have been
    /// woken since, because the agent's own changes do not unblock it.
    pub(crate) fn block(&mut self, agent: usize) {
        let waits_for = self.waits_for(agent);
        self.scheduler.block(agent, waits_for);
    }

    /// Notes that an agent has advanced. Changes by NoCs are counted here only. DramAccess
    /// operations of weakly ordered cores complete at random, so any step may wake such a core.
    pub(crate) fn note_advanced(&mut self, agent: usize) {
        self.devices.noc_changes += u64::from(agent >= NOC);
        self.devices.other_changes += u64::from(self.is_weak);
        self.devices.coprocessor.forget_satisfied_waits();
    }

    /// Wakes all agents that wait for what has changed.
    pub(crate) fn wake(&mut self) {
        let coprocessor = &self.devices.coprocessor;
        let mut counts = coprocessor.changes();
        counts[Changes::KINDS - 2] = self.devices.noc_changes;
        counts[Changes::KINDS - 1] = self.devices.other_changes;
        let occupied = !coprocessor.flights.idle_units() << UNIT;
        self.scheduler.wake(changes::between(&self.seen, &counts));
        self.scheduler
            .set_unblocked(((1 << UNITS) - 1) << UNIT, occupied);
        self.seen = counts;
    }

    /// Returns the changes that may unblock an agent.
    fn waits_for(&mut self, agent: usize) -> Changes {
        match agent {
            DM if !self.has_lists() => Changes::NOTHING,
            DM => {
                let lines = map::LINES;
                self.devices
                    .coprocessor
                    .core
                    .l1
                    .watch(lines.start, lines.len() as u32);
                Changes::L1.or(Changes::OTHER)
            }
            FRONTEND..UNIT => self.devices.coprocessor.waits_for(agent - FRONTEND),
            UNIT..TDMA => Changes::FLIGHTS,
            TDMA if self.devices.tdma.is_idle() => Changes::OTHER,
            TDMA => Changes::FLIGHTS.or(Changes::OTHER),
            NOC.. if self.deliveries[agent - NOC].is_some() => Changes::NOTHING,
            NOC.. if self.devices.nius[agent - NOC].is_idle() => Changes::NOCS,
            // It delays packets at random.
            NOC.. => Changes::ANY,
            core => self.core_waits_for(core),
        }
    }

    fn core_waits_for(&mut self, k: usize) -> Changes {
        // DramAccess operations in flight complete at random.
        if self.is_weak {
            return Changes::ANY;
        }
        if self.devices.control.is_in_reset(k) {
            return Changes::OTHER;
        }
        // NoCs can raise interrupts.
        let interrupts = match self.cores[k].can_be_interrupted() {
            true => Changes::OTHER.or(Changes::NOCS),
            false => Changes::OTHER,
        };
        match self.last[k] {
            Step::Parked { .. } => self.cores[k].polled().fold(interrupts, |all, addr| {
                let region = self.devices.region_of(addr);
                let changes = changes_at(k, region, addr);
                if changes.has(Changes::L1) {
                    self.devices.coprocessor.core.l1.watch(addr, 4);
                }
                all.or(changes)
            }),
            Step::Halted => interrupts,
            // It waits for space in a FIFO, for the coprocessor, or for another core.
            Step::Busy | Step::Ran => {
                interrupts.or(self.devices.changes_before(k, self.refused[k]))
            }
        }
    }
}
