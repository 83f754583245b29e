//! The instructions in flight in one unit, and their hazards.

use std::fmt;

use tessera_isa_tensix::Opcode;

use super::{Effects, TDMA, UNIT_NAMES};
use crate::insn::table::traits;
use crate::insn::traits::DstOrder;
use crate::state::access::{AccessLog, RangeSet, RowSet, WordSet};
use crate::state::config::word_of;
use crate::state::request::Sent;
use crate::state::units::{CONFIG_USERS, MATRIX, MOVER, VECTOR};
use crate::trap::Fault;

/// An instruction in flight.
#[derive(Clone, Debug)]
pub(super) struct InFlightInstruction {
    pub(super) thread: usize,
    pub(super) opcode: Opcode,
    /// The number of instructions that its thread had issued before.
    pub(super) issued: u64,
    pub(super) dst_read: RowSet,
    pub(super) dst_write: RowSet,
    pub(super) config: WordSet,
    /// Configuration words that it changes until its end.
    pub(super) config_write: WordSet,
    pub(super) l1_read: RangeSet,
    pub(super) l1_write: RangeSet,
    pub(super) request: Option<Box<Sent>>,
}

/// The instructions in flight in a unit. A ring buffer whose entries are reused in place, so that
/// adding an instruction neither allocates nor copies much.
#[derive(Clone)]
pub(super) struct UnitQueue {
    /// The places of a power of two. Empty until the first instruction: many tiles run none.
    places: Vec<InFlightInstruction>,
    capacity: usize,
    first: usize,
    pub(super) count: usize,
}

impl UnitQueue {
    /// Creates an empty queue.
    pub(super) fn new(capacity: usize) -> Self {
        UnitQueue {
            places: Vec::new(),
            capacity: capacity.next_power_of_two(),
            first: 0,
            count: 0,
        }
    }

    fn place(&self, k: usize) -> usize {
        (self.first + k) & (self.capacity - 1)
    }

    #[cold]
    fn allocate(&mut self) {
        self.places
            .resize_with(self.capacity, InFlightInstruction::default);
    }

    /// Appends an entry, to be filled by the caller. There must be space.
    pub(super) fn push(&mut self) -> &mut InFlightInstruction {
        debug_assert!(self.count < self.capacity);
        if self.places.is_empty() {
            self.allocate();
        }
        let place = self.place(self.count);
        self.count += 1;
        &mut self.places[place]
    }

    /// Removes the oldest entry, if there is one.
    pub(super) fn pop(&mut self) -> Option<&mut InFlightInstruction> {
        if self.count == 0 {
            return None;
        }
        let place = self.first;
        self.first = self.place(1);
        self.count -= 1;
        Some(&mut self.places[place])
    }

    /// Returns all entries, oldest first.
    pub(super) fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = &InFlightInstruction> + ExactSizeIterator {
        (0..self.count).map(|k| &self.places[self.place(k)])
    }
}

impl fmt::Debug for UnitQueue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

pub(super) fn hazard(what: &str, place: String, unit: usize, other: &InFlightInstruction) -> Fault {
    let who = match other.thread {
        TDMA => "TDMA-RISC".to_owned(),
        thread => format!("{} of thread {thread}", other.opcode.row().mnemonic),
    };
    Fault::hazard(format!(
        "{what} {place} while {who} may still access it in {}; wait for that unit first",
        UNIT_NAMES[unit]
    ))
}

impl Default for InFlightInstruction {
    fn default() -> Self {
        InFlightInstruction {
            thread: 0,
            opcode: Opcode::Nop,
            issued: 0,
            dst_read: RowSet::default(),
            dst_write: RowSet::default(),
            config: WordSet::default(),
            config_write: WordSet::default(),
            l1_read: RangeSet::default(),
            l1_write: RangeSet::default(),
            request: None,
        }
    }
}

impl InFlightInstruction {
    /// Fills the entry for an instruction; `is_last` tells whether `unit` is the last that it
    /// occupies.
    pub(super) fn begin(&mut self, unit: usize, effects: &mut Effects, is_last: bool) {
        self.thread = effects.thread;
        self.opcode = effects.opcode;
        self.issued = effects.issued;
        self.dst_read.copy_from_set(&effects.access.dst_read);
        self.dst_write.copy_from_set(&effects.access.dst_write);
        match effects.units & CONFIG_USERS != 0 {
            true => self.config.copy_from_set(effects.config),
            false => self.config.clear(),
        }
        match unit == MOVER {
            true => self
                .config_write
                .copy_from_set(&effects.access.config_write),
            false => self.config_write.clear(),
        }
        let take = |mine: &mut RangeSet, ranges: &mut RangeSet| match is_last {
            true => std::mem::swap(mine, ranges),
            false => mine.clone_from(ranges),
        };
        take(&mut self.l1_read, effects.l1_read);
        take(&mut self.l1_write, effects.l1_write);
        self.request = effects.request.take();
    }

    /// Fills the entry for an instruction that accesses only Dst, and there these rows.
    pub(super) fn begin_plain(
        &mut self,
        (thread, opcode, issued): (usize, Opcode, u64),
        [read, write]: [&RowSet; 2],
    ) {
        (self.thread, self.opcode, self.issued) = (thread, opcode, issued);
        self.dst_read.copy_from_set(read);
        self.dst_write.copy_from_set(write);
        self.config.clear();
        self.config_write.clear();
        self.l1_read.clear();
        self.l1_write.clear();
        self.request = None;
    }

    pub(super) fn check_config(&self, unit: usize, changed: &WordSet) -> Result<(), Fault> {
        let met = self.config.first_common(changed);
        match met.or_else(|| self.config_write.first_common(changed)) {
            Some(word) => Err(hazard(
                "changes",
                format!("configuration word {}", word_of(word)),
                unit,
                self,
            )),
            None => Ok(()),
        }
    }

    pub(super) fn check(&self, unit: usize, effects: &Effects) -> Result<(), Fault> {
        self.check_config(unit, &effects.access.config_write)?;
        if let Some(word) = self.config_write.first_common(effects.config) {
            let place = format!("configuration word {}", word_of(word));
            return Err(hazard("uses", place, unit, self));
        }
        let same_unit = effects.units >> unit & 1 != 0;
        let access = effects.access;
        let at = |row: usize| format!("Dst row {row} (of 1024)");
        if same_unit {
            let close = self.thread != effects.thread || effects.issued <= self.issued + 3;
            let orders = [self.opcode, effects.opcode].map(|opcode| traits(opcode).dst_order);
            if close && orders == [DstOrder::WritesLate, DstOrder::ReadsEarly] {
                if let Some(row) = self.dst_write.first_common(&access.dst_read) {
                    return Err(hazard("reads", at(row), unit, self));
                }
            }
            return Ok(());
        }
        // The vector unit completes a store before the same thread's next matrix instruction
        // starts.
        if unit == VECTOR && effects.units == 1 << MATRIX && self.thread == effects.thread {
            return Ok(());
        }
        self.check_dst(unit, access)
    }

    /// Checks the rows of Dst that an instruction of another unit accesses.
    pub(super) fn check_dst(&self, unit: usize, access: &AccessLog) -> Result<(), Fault> {
        let at = |row: usize| format!("Dst row {row} (of 1024)");
        if let Some(row) = self.dst_write.first_common(&access.dst_read) {
            return Err(hazard("reads", at(row), unit, self));
        }
        let touched = self
            .dst_write
            .first_common(&access.dst_write)
            .or_else(|| self.dst_read.first_common(&access.dst_write));
        match touched {
            Some(row) => Err(hazard("writes", at(row), unit, self)),
            None => Ok(()),
        }
    }
}
