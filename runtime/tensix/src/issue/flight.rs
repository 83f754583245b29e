//! Instructions in flight: the occupation of units, and the hazards with conflicting accesses.
//!
//! An instruction takes effect when it is issued, but the hardware may still be executing it for a
//! while. The machine keeps it here until the scheduler retires it. Until then, a conflicting
//! access by another unit relies on an order that the hardware does not guarantee, and is a hazard:
//!
//! | in flight | conflicting access |
//! |---|---|
//! | reads L1 | writes to those bytes |
//! | writes L1 | accesses to those bytes |
//! | reads Dst | another unit's writes to those rows |
//! | writes Dst | another unit's accesses to those rows |
//! | unpacker, packer: reads a configuration word | changes of that word |
//! | mover: changes a configuration word | uses and changes of that word |
//!
//! The request of an instruction to the tile ([`crate::state::request::Request`]) is in flight
//! until the instruction leaves its unit.
//!
//! Instructions stay in order within a unit, so they do not conflict. The exception are Dst rows
//! written by MOVA2D or MOVB2D, which the matrix unit does not protect (ISA documentation,
//! `MOVA2D.md`). The vector unit may read Dst rows written by the same thread's matrix instruction
//! once three other instructions have been issued in between (`SFPLOAD.md`).
//!
//! Two rules are stricter than the hardware. The documentation says that packers and unpackers
//! sample *some* configuration at their start, without a complete list, so here every word counts
//! until the end. An unpacker may start before its bank is free, while here it waits at the gate.

mod unit_queue;

use tessera_isa_tensix::Opcode;
use unit_queue::{hazard, InFlightInstruction, UnitQueue};

use crate::insn::table::traits;
use crate::insn::traits::DstOrder;
use crate::state::access::{set_bits, AccessLog, RangeSet, RowSet, WordSet};
use crate::state::request::Sent;
use crate::state::units::{CONFIG_USERS, MATRIX, MOVER, SCALAR, UNITS, VECTOR};
use crate::trap::Fault;

/// The pseudo thread of the mover's tasks for TDMA-RISC.
pub(crate) const TDMA: usize = 3;

/// Name of each unit, in the order of its index.
pub(crate) const UNIT_NAMES: [&str; UNITS] = [
    "unpacker 0",
    "unpacker 1",
    "the matrix unit",
    "packer 0",
    "packer 1",
    "packer 2",
    "packer 3",
    "the vector unit",
    "the scalar unit's memory requests",
    "the mover",
];

/// Maximum number of instructions per unit. The matrix unit's latency is 5 cycles, the vector
/// unit's 2. Unpackers and packers overlap the start of an instruction with the end of the previous
/// one. The number of outstanding memory requests of the scalar unit is not published. The mover
/// has one task at a time.
pub(crate) const CAPACITY: [usize; UNITS] = [2, 2, 5, 2, 2, 2, 2, 2, 4, 1];

/// The instructions in flight of all units.
#[derive(Clone, Debug)]
pub(crate) struct InFlight {
    units: [UnitQueue; UNITS],
    /// The units that are not empty, one bit each.
    occupied: u32,
    /// The units that are full, one bit each.
    full: u32,
    /// The units with an instruction that accesses Dst, one bit each.
    with_dst: u32,
    /// Number of instructions that were added or removed.
    changes: u64,
    /// Whether concurrent reads and writes of the same bytes of L1 are allowed; the older one comes
    /// first. The vendor's kernels have such unused reads: whole tiles of buffers whose pages are
    /// smaller. Also allows writes to rows of Dst that a ZEROACC still clears, with which those
    /// kernels end a tile.
    allows_races: bool,
    /// The number of such accesses.
    races: u64,
}

/// The effects of an instruction at its issue.
pub(crate) struct Effects<'a> {
    pub(crate) thread: usize,
    pub(crate) opcode: Opcode,
    pub(crate) issued: u64,
    pub(crate) units: u32,
    /// Whether it is ordered after the scalar unit's memory requests without occupying the unit.
    pub(crate) behind_requests: bool,
    pub(crate) access: &'a AccessLog,
    /// The configuration words that it used, if they matter to others
    /// ([`InFlight::configuration_matters`]).
    pub(crate) config: &'a WordSet,
    /// Swapped with the stored ranges, to reuse allocations; the contents afterwards are arbitrary.
    pub(crate) l1_read: &'a mut RangeSet,
    pub(crate) l1_write: &'a mut RangeSet,
    pub(crate) request: Option<Box<Sent>>,
}

/// Returns the units of a mask.
fn bits(mask: u32) -> impl Iterator<Item = usize> {
    set_bits(mask & ((1 << UNITS) - 1))
}

impl Default for InFlight {
    /// Creates an empty set.
    fn default() -> Self {
        InFlight {
            units: CAPACITY.map(UnitQueue::new),
            occupied: 0,
            full: 0,
            with_dst: 0,
            changes: 0,
            allows_races: false,
            races: 0,
        }
    }
}

impl InFlight {
    /// Creates an empty set that allows races.
    pub(crate) fn allowing_races() -> Self {
        InFlight {
            allows_races: true,
            ..InFlight::default()
        }
    }

    /// Returns how often units accessed the same bytes of L1 or rows of Dst concurrently.
    pub(crate) fn races(&self) -> u64 {
        self.races
    }

    /// Returns whether every unit in `mask` has space for another instruction.
    pub(crate) fn has_room(&self, mask: u32) -> bool {
        mask & self.full == 0
    }

    /// Returns whether the oldest instruction of each full unit of a mask has no request to the
    /// tile, so that it can be retired.
    pub(crate) fn can_make_room(&self, mask: u32) -> bool {
        let asks = |k: usize| {
            let oldest = self.units[k].iter().next();
            oldest.is_some_and(|flight| flight.request.is_some())
        };
        !bits(mask & self.full).any(asks)
    }

    /// Retires the oldest instruction of each full unit of a mask.
    pub(crate) fn make_room(&mut self, mask: u32) {
        for k in bits(mask & self.full) {
            self.retire_oldest(k);
        }
    }

    /// Returns whether `thread` has an instruction in flight in a unit of `mask`.
    pub(crate) fn is_busy(&self, mask: u32, thread: usize) -> bool {
        bits(mask & self.occupied).any(|k| self.units[k].iter().any(|f| f.thread == thread))
    }

    /// Returns whether any instruction is in flight in a unit of `mask`.
    pub(crate) fn is_any_busy(&self, mask: u32) -> bool {
        mask & self.occupied != 0
    }

    /// Returns whether no instruction is in flight.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.occupied == 0
    }

    /// Returns the empty units, one bit each.
    pub(crate) fn idle_units(&self) -> u32 {
        !self.occupied & ((1 << UNITS) - 1)
    }

    /// Returns the number of instructions that were added or removed.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the number of instructions in a unit.
    pub(crate) fn count(&self, unit: usize) -> usize {
        self.units[unit].count
    }

    /// Retires the oldest instruction of a unit, if there is one; returns its thread and its
    /// request to the tile.
    pub(crate) fn retire_oldest(&mut self, unit: usize) -> Option<(usize, Option<Box<Sent>>)> {
        let flight = self.units[unit].pop()?;
        let finished = (flight.thread, flight.request.take());
        self.note_count(unit);
        Some(finished)
    }

    /// Retires the oldest instructions of a unit that `more` further ones would displace. None of
    /// these may have a request to the tile.
    pub(crate) fn retire_overflow(&mut self, unit: usize, more: usize) {
        let leaving = (self.units[unit].count + more).saturating_sub(CAPACITY[unit]);
        for _ in 0..leaving.min(self.units[unit].count) {
            self.units[unit].pop();
        }
        self.note_count(unit);
    }

    /// Describes the instructions in all units, oldest first.
    #[cfg(test)]
    pub(crate) fn held(&self) -> String {
        let masks = [self.occupied, self.full, self.with_dst];
        format!("{:?} {masks:?}", self.units)
    }

    /// Returns whether an instruction in another unit accesses Dst.
    pub(crate) fn dst_is_in_flight_beside(&self, unit: usize) -> bool {
        self.with_dst & !(1 << unit) != 0
    }

    /// Adds an instruction of the matrix unit that accesses these rows of Dst, nothing else, and
    /// without hazards. If the unit is full, its oldest instruction is retired.
    pub(crate) fn add_mvmul(&mut self, thread: usize, opcode: Opcode, issued: u64, rows: &RowSet) {
        self.make_room(1 << MATRIX);
        self.units[MATRIX]
            .push()
            .begin_plain((thread, opcode, issued), [rows; 2]);
        self.with_dst |= 1 << MATRIX;
        self.note_count(MATRIX);
    }

    /// Adds an instruction of the matrix unit that accesses nothing; does the same as
    /// [`InFlight::add`]. If the unit is full, its oldest instruction is retired.
    #[inline]
    pub(crate) fn add_matrix_nop(&mut self, thread: usize, opcode: Opcode, issued: u64) {
        self.make_room(1 << MATRIX);
        self.units[MATRIX]
            .push()
            .begin_plain((thread, opcode, issued), [&RowSet::EMPTY; 2]);
        self.note_count(MATRIX);
    }

    /// Adds an instruction of the vector unit, which accesses only Dst, while the mover is idle;
    /// does the same as [`InFlight::add`]. If the unit is full, its oldest instruction is retired.
    pub(crate) fn add_vector(
        &mut self,
        thread: usize,
        opcode: Opcode,
        issued: u64,
        access: &AccessLog,
    ) -> Result<(), Fault> {
        self.release_waited_for(thread, issued);
        let rows = [&access.dst_read, &access.dst_write];
        if accesses_dst(access) {
            for unit in bits(self.with_dst & !(1 << VECTOR)) {
                for flight in self.units[unit].iter() {
                    match flight.check_dst(unit, access) {
                        Err(_) if self.allows_races && flight.opcode == Opcode::Zeroacc => {
                            self.races += 1
                        }
                        checked => checked?,
                    }
                }
            }
            self.with_dst |= 1 << VECTOR;
        }
        self.displace_vector((thread, opcode, issued), rows);
        Ok(())
    }

    /// Adds an instruction of the vector unit that accesses nothing, while the mover is idle; does
    /// the same as [`InFlight::add_vector`].
    #[inline]
    pub(crate) fn add_vector_nop(&mut self, thread: usize, opcode: Opcode, issued: u64) {
        self.release_waited_for(thread, issued);
        self.displace_vector((thread, opcode, issued), [&RowSet::EMPTY; 2]);
    }

    /// Appends an instruction to those of the vector unit. If it is full, its oldest instruction is
    /// retired.
    #[inline]
    fn displace_vector(&mut self, what: (usize, Opcode, u64), rows: [&RowSet; 2]) {
        let queue = &mut self.units[VECTOR];
        if queue.count == CAPACITY[VECTOR] {
            queue.pop();
            queue.push().begin_plain(what, rows);
            self.changes += 1;
            return;
        }
        queue.push().begin_plain(what, rows);
        self.note_count(VECTOR);
    }

    fn note_count(&mut self, unit: usize) {
        let count = self.units[unit].count;
        let bit = 1 << unit;
        self.changes += 1;
        match count {
            0 => {
                self.with_dst &= !bit;
                self.occupied &= !bit;
            }
            _ => self.occupied |= bit,
        }
        self.full = self.full & !bit | u32::from(count >= CAPACITY[unit]) << unit;
    }

    /// Returns whether the configuration used by an instruction in some units has to be recorded:
    /// because the units keep using it, or because the mover may be changing it.
    pub(crate) fn configuration_matters(&self, units: u32) -> bool {
        units & (CONFIG_USERS | 1 << MOVER) != 0 || self.is_any_busy(1 << MOVER)
    }

    /// Checks an instruction's effects for hazards with all others in flight, and adds it.
    pub(crate) fn add(&mut self, mut effects: Effects) -> Result<(), Fault> {
        if effects.units == 1 << VECTOR {
            self.release_waited_for(effects.thread, effects.issued);
        }
        for unit in bits(self.may_conflict(&effects)) {
            for flight in self.units[unit].iter() {
                match flight.check(unit, &effects) {
                    Err(_) if self.allows_races && flight.opcode == Opcode::Zeroacc => {
                        self.races += 1
                    }
                    checked => checked?,
                }
            }
        }
        if !(effects.l1_read.is_empty() && effects.l1_write.is_empty()) {
            let own = effects.units | u32::from(effects.behind_requests) << SCALAR;
            self.check_l1(effects.l1_read, effects.l1_write, own)?;
        }
        for unit in bits(effects.units) {
            let is_last = effects.units >> (unit + 1) == 0;
            let flight = self.units[unit].push();
            flight.begin(unit, &mut effects, is_last);
            self.with_dst |= u32::from(accesses_dst(effects.access)) << unit;
            self.note_count(unit);
        }
        Ok(())
    }

    /// Returns the units that may conflict with an instruction other than by L1. Most instructions
    /// change no configuration, and most of those that access Dst are alone with it.
    fn may_conflict(&self, effects: &Effects) -> u32 {
        let access = effects.access;
        let only = |condition: bool, units: u32| if condition { units } else { 0 };
        // Instructions of the same unit are in order, except after MOVA2D and MOVB2D.
        let is_in_order = traits(effects.opcode).dst_order != DstOrder::ReadsEarly;
        let in_order = only(is_in_order, effects.units);
        let by_config = only(!access.config_write.is_empty(), CONFIG_USERS | 1 << MOVER);
        let by_mover = only(!effects.config.is_empty(), 1 << MOVER);
        let by_dst = only(accesses_dst(access), self.with_dst & !in_order);
        self.occupied & (by_dst | by_config | by_mover)
    }

    /// Checks L1 accesses for hazards with units other than those in `own` (0 for data movement).
    pub(crate) fn check_l1(
        &mut self,
        read: &RangeSet,
        write: &RangeSet,
        own: u32,
    ) -> Result<(), Fault> {
        if read.is_empty() && write.is_empty() {
            return Ok(());
        }
        for unit in bits(self.occupied & !own) {
            for flight in self.units[unit].iter() {
                let at = |addr: u32| format!("L1 {addr:#x}");
                match flight.l1_read.first_common(write) {
                    Some(_) if self.allows_races => self.races += 1,
                    Some(addr) => return Err(hazard("writes", at(addr), unit, flight)),
                    None => {}
                }
                if let Some(addr) = flight.l1_write.first_common(write) {
                    return Err(hazard("writes", at(addr), unit, flight));
                }
                match flight.l1_write.first_common(read) {
                    Some(_) if self.allows_races => self.races += 1,
                    Some(addr) => return Err(hazard("reads", at(addr), unit, flight)),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Checks configuration words changed from outside the units.
    pub(crate) fn check_config(&self, changed: &WordSet) -> Result<(), Fault> {
        for unit in bits(self.occupied) {
            for flight in self.units[unit].iter() {
                flight.check_config(unit, changed)?;
            }
        }
        Ok(())
    }

    /// Checks the rows of Dst that a RISC-V core accesses.
    pub(crate) fn check_dst(&self, read: &RowSet, write: &RowSet) -> Result<(), Fault> {
        let at = |row: usize| format!("Dst row {row} (of 1024)");
        for unit in bits(self.occupied & self.with_dst) {
            for flight in self.units[unit].iter() {
                if let Some(row) = flight.dst_write.first_common(read) {
                    return Err(hazard("reads", at(row), unit, flight));
                }
                let used = flight.dst_write.first_common(write);
                if let Some(row) = used.or_else(|| flight.dst_read.first_common(write)) {
                    return Err(hazard("writes", at(row), unit, flight));
                }
            }
        }
        Ok(())
    }

    /// Releases the rows of Dst that a matrix instruction has written for the vector unit, once
    /// three instructions of the same thread have followed it. The vector unit's next instruction
    /// is the one of `thread` with number `issued`.
    #[inline]
    fn release_waited_for(&mut self, thread: usize, issued: u64) {
        if self.occupied >> MATRIX & 1 != 0 {
            self.release_matrix(thread, issued);
        }
    }

    fn release_matrix(&mut self, thread: usize, issued: u64) {
        let waited_for = |f: &InFlightInstruction| f.thread == thread && issued > f.issued + 3;
        let in_unit = &mut self.units[MATRIX];
        let last = in_unit.iter().rposition(waited_for);
        for _ in 0..last.map_or(0, |last| last + 1) {
            in_unit.pop();
        }
        self.note_count(MATRIX);
    }
}

#[inline]
pub(crate) fn accesses_dst(access: &AccessLog) -> bool {
    !access.dst_read.is_empty() || !access.dst_write.is_empty()
}

#[cfg(test)]
mod tests;
