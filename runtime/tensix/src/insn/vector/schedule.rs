//! Time in the vector unit: the cycles in which it executes the instructions scheduled by
//! SFPLOADMACRO, next to those that threads issue.
//!
//! While nothing is scheduled, an instruction executes completely at issue, and there are no
//! cycles. After an SFPLOADMACRO, each instruction that a thread issues takes one cycle. An
//! instruction of another unit adds one more, and so does a hardware stall. When the unit has only
//! scheduled work left, time passes by itself ([`settle`]), except for delays that count
//! instructions.
//!
//! The time at which a thread issues its next instruction is not guaranteed, except that it is not
//! early; instructions of an expander come cycle by cycle. It is a hazard if an instruction could
//! be overtaken by a later one and their order matters, unless both come from the same MOP or
//! REPLAY. The vendor's programs are exempt from this check.

use tessera_isa_tensix::{Instruction, Opcode};

use super::cycle::{cycle, scheduled_fault};
use super::hazards;
use super::memory;
use super::traits::noticed;
use super::unit::VectorUnit;
use crate::state::vector::{
    AccessSet, Action, Address, Plan, Schedule, ScheduledInstruction, Vector, Write, Writer,
};
use crate::trap::Fault;

/// Bits besides those of LRegs: lane flags, their stack and the configuration; the datums of Dst
/// that a scheduled store writes.
pub(super) const FLAGS: u32 = 1 << 17;
pub(super) const PLACE: u32 = 1 << 18;

impl AccessSet {
    /// Returns the lowest bit of an access whose order with `later` matters.
    pub(super) fn first_conflict(self, later: AccessSet) -> Option<u32> {
        let both = self.written & (later.read | later.written) | self.read & later.written;
        (both != 0).then(|| both.trailing_zeros())
    }
}

impl ScheduledInstruction {
    /// Returns whether it stores to the datums that another instruction accesses.
    pub(super) fn goes_to(&self, place: Option<Address>) -> bool {
        match (self.plan.action, place) {
            (Action::Store(_, to), Some(place)) => to.is_that_of(place),
            _ => false,
        }
    }
}

impl Schedule {
    /// Returns whether nothing is scheduled.
    pub(super) fn is_idle(&self) -> bool {
        self.items.is_empty() && self.late.is_empty() && self.second.is_none()
    }

    /// Returns whether writes are deferred to the end of the current cycle.
    #[inline]
    pub(super) fn collects(&self) -> bool {
        self.collects
    }

    /// Returns whether a cycle without an issued instruction makes progress.
    fn has_pending_work(&self) -> bool {
        let is_due = self.items.iter().any(|item| item.plan.delay == 0);
        !self.is_idle()
            && (self.waiting_for_cycles() != 0
                || is_due
                || !self.late.is_empty()
                || self.second.is_some())
    }

    /// Removes and returns the instructions to be executed now.
    pub(super) fn take_due(&mut self) -> Vec<ScheduledInstruction> {
        let mut due = Vec::new();
        self.items.retain(|item| {
            let is_due = item.plan.delay == 0;
            if is_due {
                due.push(*item);
            }
            !is_due
        });
        due
    }

    /// Returns whether all remaining delays count instructions, not cycles.
    pub(super) fn counts_instructions(&self) -> bool {
        self.items.iter().any(|item| item.plan.by_instructions)
    }

    /// Returns the lanes in which no remaining delay counts instructions.
    fn waiting_for_cycles(&self) -> u32 {
        let lanes = |by_instructions: bool| {
            let items = self.items.iter().map(|item| &item.plan);
            let of_kind = items.filter(|plan| plan.by_instructions == by_instructions);
            of_kind.fold(0, |lanes, plan| lanes | plan.lanes)
        };
        lanes(false) & !lanes(true)
    }

    pub(super) fn count_down(&mut self, issued: bool) -> Result<(), Fault> {
        if issued || !self.counts_instructions() {
            self.items.iter_mut().for_each(|item| item.plan.delay -= 1);
            return Ok(());
        }
        match self.waiting_for_cycles() {
            0 => Ok(()),
            _ => Err(Fault::unmodelled(
                "a cycle in which no vector instruction comes, while what SFPLOADMACRO has \
                 scheduled in some lanes counts instructions and in others cycles; give all lanes \
                 the same UnitDelayKind",
            )),
        }
    }

    /// Adds the instructions of a macro. In its lanes they replace those due in the same cycle.
    pub(super) fn add(&mut self, plans: Vec<Plan>, thread: usize, entry: usize) {
        for plan in plans {
            self.items.retain_mut(|item| {
                if item.plan.unit == plan.unit && item.plan.delay == plan.delay {
                    item.plan.lanes &= !plan.lanes;
                }
                item.plan.lanes != 0
            });
            self.items.push(ScheduledInstruction {
                plan,
                thread,
                entry,
                overtaking: AccessSet::default(),
            });
        }
    }
}

/// Executes an instruction of a thread while instructions are scheduled, or an SFPLOADMACRO.
pub(super) fn issue(
    instruction: &Instruction,
    thread: usize,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    for _ in 0..gap(instruction, thread, unit) {
        if !unit.vector.schedule.has_pending_work() {
            break;
        }
        cycle(None, unit)?;
    }
    unit.vector.schedule.last = (thread, unit.slot.issued);
    cycle(Some((instruction, thread)), unit)?;
    note_stores(unit)
}

/// Returns the number of cycles before an instruction.
fn gap(instruction: &Instruction, thread: usize, unit: &VectorUnit) -> u64 {
    let schedule = &unit.vector.schedule;
    let (before, number) = schedule.last;
    let others = match before == thread && !schedule.is_idle() {
        true => unit.slot.issued.saturating_sub(number + 1),
        false => 0,
    };
    let waits = stalls(instruction, unit);
    others.max(u64::from(waits))
}

/// Returns whether the hardware stalls an instruction for a cycle because of the previous one.
fn stalls(instruction: &Instruction, unit: &VectorUnit) -> bool {
    let schedule = &unit.vector.schedule;
    let is_nop = instruction.opcode() == Opcode::Sfpnop;
    if schedule.second.is_some_and(|writer| !writer.scheduled) && !is_nop {
        return true;
    }
    let noticed = noticed(instruction);
    let needs =
        |(writer, write): &(Writer, Write)| !writer.scheduled && noticed >> write.index & 1 != 0;
    hazards::stalls(unit.config) && schedule.late.iter().any(needs)
}

/// Lets cycles pass until no more progress is possible without an issued instruction.
pub(crate) fn settle(unit: &mut VectorUnit) -> Result<(), Fault> {
    while unit.vector.schedule.has_pending_work() {
        cycle(None, unit)?;
    }
    Ok(())
}

impl Vector {
    /// Returns whether scheduled work remains that needs no further instruction.
    pub(crate) fn has_pending_work(&self) -> bool {
        self.schedule.has_pending_work()
    }

    /// Returns the thread that was the last to issue an instruction while work was scheduled.
    pub(crate) fn last_thread(&self) -> usize {
        self.schedule.last.0
    }

    /// Returns the number of scheduled instructions that wait for further issued instructions.
    pub(crate) fn waiting(&self) -> usize {
        self.schedule.items.len()
    }

    /// Writes an LReg; during a cycle, at its end.
    pub(super) fn write_lreg(&mut self, write: Write) {
        match self.schedule.collects {
            true => self.schedule.writes.push(write),
            false => self.apply(&write),
        }
    }
}

/// Records the rows of scheduled stores as accesses of the instruction in flight.
fn note_stores(unit: &mut VectorUnit) -> Result<(), Fault> {
    for k in 0..unit.vector.schedule.items.len() {
        let item = unit.vector.schedule.items[k];
        if let Action::Store(store, address) = item.plan.action {
            memory::note_scheduled(&store, item.thread, address, unit)
                .map_err(|fault| scheduled_fault(Opcode::Sfpstore, fault))?;
        }
    }
    Ok(())
}
