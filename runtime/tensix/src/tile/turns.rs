//! Who of a tile has the next turn, what those wait for that cannot go on, and what wakes them.

use tessera_riscv::Step;

use super::devices::changes_at;
use super::{map, Tile, DM, FRONTEND, NOC, TDMA, UNIT};
use crate::changes::{self, Changes};
use crate::flight::UNITS;
use crate::scheduler::Turn;

impl Tile<'_> {
    /// Whose turn it is, or `None` if none can advance before something changes. With weakly
    /// ordered cores turns are of a step: what others do between two steps of such a core is what
    /// that order is about.
    pub(super) fn choose(&mut self) -> Option<Turn> {
        let most = if self.is_weak { 1 } else { u64::MAX };
        Some(self.scheduler.choose()?.of_at_most(most))
    }

    /// Notes that a party could not go on to the end of its turn. All have been woken since: what
    /// it has changed itself does not help it.
    pub(super) fn block(&mut self, party: usize) {
        let waits_for = self.waits_for(party);
        self.scheduler.block(party, waits_for);
    }

    /// Notes that a party has done a step. What NoCs change is not counted elsewhere; what weakly
    /// ordered cores have on their way moves at random, so they need to be asked again whatever has
    /// changed.
    pub(super) fn note_advanced(&mut self, party: usize) {
        self.devices.noc_changes += u64::from(party >= NOC);
        self.devices.other_changes += u64::from(self.is_weak);
        self.devices.coprocessor.forget_satisfied_waits();
    }

    /// Lets all go on that wait for what has changed.
    pub(super) fn wake(&mut self) {
        let coprocessor = &self.devices.coprocessor;
        let mut counts = coprocessor.changes();
        counts[Changes::KINDS - 2] = self.devices.noc_changes;
        counts[Changes::KINDS - 1] = self.devices.other_changes;
        let occupied = !coprocessor.flights.idle() << UNIT;
        self.scheduler.wake(changes::between(&self.seen, &counts));
        self.scheduler
            .set_free(((1 << UNITS) - 1) << UNIT, occupied);
        self.seen = counts;
    }

    /// What may let a party go on that cannot.
    fn waits_for(&mut self, party: usize) -> Changes {
        match party {
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
            FRONTEND..UNIT => self.devices.coprocessor.waits_for(party - FRONTEND),
            UNIT..TDMA => Changes::FLIGHTS,
            TDMA if self.devices.tdma.is_idle() => Changes::OTHER,
            TDMA => Changes::FLIGHTS.or(Changes::OTHER),
            NOC.. if self.deliveries[party - NOC].is_some() => Changes::NOTHING,
            NOC.. if self.devices.nius[party - NOC].is_idle() => Changes::NOCS,
            // It lets what is on its way wait at random.
            NOC.. => Changes::ANY,
            core => self.core_waits_for(core),
        }
    }

    fn core_waits_for(&mut self, k: usize) -> Changes {
        // What a weakly ordered core has on its way moves at random.
        if self.is_weak {
            return Changes::ANY;
        }
        if self.devices.control.is_in_reset(k) {
            return Changes::OTHER;
        }
        // NoCs interrupt.
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
            // It waits for room in a FIFO, for the coprocessor, or for another core.
            Step::Busy | Step::Ran => {
                interrupts.or(self.devices.changes_before(k, self.refused[k]))
            }
        }
    }
}
