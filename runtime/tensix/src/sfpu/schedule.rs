//! Time in the vector unit: the cycles in which it executes what SFPLOADMACRO has scheduled, beside
//! what threads issue.
//!
//! While nothing is scheduled an instruction is executed whole when it is issued, and there are no
//! cycles. From an SFPLOADMACRO on, each instruction that a thread issues takes one cycle, and one
//! that is not for this unit one more; so does what the hardware waits for by itself. When the unit
//! has nothing to do but what is scheduled, time passes by itself ([`settle`]), but not for what
//! counts instructions.
//!
//! When a thread's next instruction comes no document promises, except that it does not come before
//! its time; an expander's come cycle by cycle. An instruction that a later one could overtake, by
//! whose result or operands it matters, is a hazard, unless both come of the same MOP or REPLAY.
//! Programs of the vendor are trusted with that.

use tessera_isa_tensix::{Instruction, Opcode};

use super::cycle::{cycle, scheduled_fault};
use super::hazards;
use super::macros::{Action, Plan};
use super::memory::{self, Address};
use super::state::{Vector, Write};
use crate::core_state::CoreState;
use crate::trap::Fault;

/// What an instruction used and changed: LRegs, one bit each, and further bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AccessSet {
    pub(super) read: u32,
    pub(super) written: u32,
}

/// Bits beside those of LRegs: lane flags, the stack and configuration; the datums of Dst that a
/// scheduled store goes to.
pub(super) const FLAGS: u32 = 1 << 17;
pub(super) const PLACE: u32 = 1 << 18;

impl AccessSet {
    /// Returns the lowest bit of what may not change its order with `later`.
    pub(super) fn first_conflict(self, later: AccessSet) -> Option<u32> {
        let both = self.written & (later.read | later.written) | self.read & later.written;
        (both != 0).then(|| both.trailing_zeros())
    }
}

/// An instruction to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScheduledInstruction {
    pub(super) plan: Plan,
    /// The thread that has scheduled it, and the entry of its list or the word that it came from.
    pub(super) thread: usize,
    pub(super) entry: usize,
    /// What instructions have touched that its thread might have issued after its execution.
    pub(super) overtaking: AccessSet,
}

impl ScheduledInstruction {
    /// Returns whether it stores where another instruction loads or stores.
    pub(super) fn goes_to(&self, place: Option<Address>) -> bool {
        matches!((self.plan.action, place), (Action::Store(_, to), Some(place)) if to.is_that_of(place))
    }
}

/// Who writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Writer {
    pub(super) opcode: Opcode,
    pub(super) scheduled: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    pub(super) items: Vec<ScheduledInstruction>,
    /// What instructions of two cycles write at the end of the cycle that comes.
    pub(super) late: Vec<(Writer, Write)>,
    /// What is written in a cycle, while it lasts.
    pub(super) writes: Vec<Write>,
    pub(super) collects: bool,
    /// Whom the last cycle leaves in the unit for one more.
    pub(super) second: Option<Writer>,
    /// The last instruction issued: its thread and number.
    last: (usize, u64),
}

impl Schedule {
    /// Returns whether nothing is to come.
    pub(super) fn is_idle(&self) -> bool {
        self.items.is_empty() && self.late.is_empty() && self.second.is_none()
    }

    /// Returns whether what is written comes at the end of the cycle that lasts.
    #[inline]
    pub(super) fn collects(&self) -> bool {
        self.collects
    }

    /// Returns whether a cycle without an instruction brings anything.
    fn has_pending_work(&self) -> bool {
        let is_due = self.items.iter().any(|item| item.plan.delay == 0);
        !self.is_idle()
            && (self.waiting_for_cycles() != 0
                || is_due
                || !self.late.is_empty()
                || self.second.is_some())
    }

    /// Takes out what is to be executed now.
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

    /// Returns whether the rest counts instructions, not cycles.
    pub(super) fn counts_instructions(&self) -> bool {
        self.items.iter().any(|item| item.plan.by_instructions)
    }

    /// Returns the lanes in which nothing that is to come counts instructions.
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
                "a cycle in which no vector instruction comes, while what SFPLOADMACRO has scheduled in some lanes counts instructions and in others \
                 cycles; give all lanes the same UnitDelayKind",
            )),
        }
    }

    /// Adds what a macro schedules; in its lanes it takes the place of what would be executed in
    /// the same cycle.
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

/// Executes an instruction of a thread while something is scheduled, or an SFPLOADMACRO.
pub(super) fn issue(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    for _ in 0..gap(instruction, thread, core) {
        if !core.regs.vector.schedule.has_pending_work() {
            break;
        }
        cycle(None, core)?;
    }
    core.regs.vector.schedule.last = (thread, core.slot.issued);
    cycle(Some((instruction, thread)), core)?;
    note_stores(core)
}

/// Returns how many cycles pass before an instruction.
fn gap(instruction: &Instruction, thread: usize, core: &CoreState) -> u64 {
    let schedule = &core.regs.vector.schedule;
    let (before, number) = schedule.last;
    let others = match before == thread && !schedule.is_idle() {
        true => core.slot.issued.saturating_sub(number + 1),
        false => 0,
    };
    let waits = stalls(instruction, core);
    others.max(u64::from(waits))
}

/// Returns whether the hardware holds an instruction back for a cycle, because of what a thread
/// issued before it.
fn stalls(instruction: &Instruction, core: &CoreState) -> bool {
    let schedule = &core.regs.vector.schedule;
    let is_nop = instruction.opcode() == Opcode::Sfpnop;
    if schedule.second.is_some_and(|writer| !writer.scheduled) && !is_nop {
        return true;
    }
    let noticed = hazards::noticed(instruction);
    let needs =
        |(writer, write): &(Writer, Write)| !writer.scheduled && noticed >> write.index & 1 != 0;
    hazards::stalls(core) && schedule.late.iter().any(needs)
}

/// Lets time pass until nothing more happens by itself.
pub(crate) fn settle(core: &mut CoreState) -> Result<(), Fault> {
    while core.regs.vector.schedule.has_pending_work() {
        cycle(None, core)?;
    }
    Ok(())
}

impl Vector {
    /// Returns whether anything that is scheduled happens without a further instruction.
    pub(crate) fn has_pending_work(&self) -> bool {
        self.schedule.has_pending_work()
    }

    /// Returns the thread that has issued an instruction last while something was scheduled.
    pub(crate) fn last_thread(&self) -> usize {
        self.schedule.last.0
    }

    /// Returns how many instructions wait for further ones.
    pub(crate) fn waiting(&self) -> usize {
        self.schedule.items.len()
    }

    /// Writes an LReg, in a cycle at its end.
    pub(super) fn write_lreg(&mut self, write: Write) {
        match self.schedule.collects {
            true => self.schedule.writes.push(write),
            false => self.apply(&write),
        }
    }
}

/// Notes the rows of stores that are to come, which the instruction in flight stands for.
fn note_stores(core: &mut CoreState) -> Result<(), Fault> {
    for k in 0..core.regs.vector.schedule.items.len() {
        let item = core.regs.vector.schedule.items[k];
        if let Action::Store(store, address) = item.plan.action {
            memory::note_scheduled(&store, item.thread, address, core)
                .map_err(|fault| scheduled_fault(Opcode::Sfpstore, fault))?;
        }
    }
    Ok(())
}
