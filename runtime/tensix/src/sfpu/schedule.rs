//! Time in the vector unit: the cycles in which it executes what SFPLOADMACRO has scheduled, beside what threads issue.
//!
//! While nothing is scheduled an instruction is executed whole when it is issued, and there are no cycles. From an SFPLOADMACRO on, each
//! instruction that a thread issues takes one cycle, and one that is not for this unit one more; so does what the hardware waits for by itself.
//! When the unit has nothing to do but what is scheduled, time passes by itself ([`settle`]), but not for what counts instructions.
//!
//! In a cycle all sub-units work at the same time: they read what was there before it, and what they write is there after it; that of
//! instructions of two cycles is there one cycle later. Until then, as LLK's reciprocal of FP32 needs it (`ckernel_sfpu_recip.h`: a store from the
//! staging register in the second cycle of a multiply-add into it), scheduled instructions read what was there before.
//!
//! Traps, beside what each instruction does: an instruction that comes to a sub-unit together with a scheduled one, which the hardware discards
//! without a word; two that write the same LReg in the same cycle; SFPSWAP and rotations by SFPSHFT2 beside what they exclude
//! (`SFPLOADMACRO.md`, `SFPSWAP.md`, `SFPSHFT2.md`: scheduling). The page asks for an SFPNOP in the MAD sub-unit beside a scheduled SFPSWAP;
//! LLK's kernels leave it idle, which is enough here, too.
//!
//! When a thread's next instruction comes no document promises, except that it does not come before its time; an expander's come cycle by cycle. An
//! instruction that a later one could overtake, by whose result or operands it matters, is a hazard, unless both come of the same MOP or
//! REPLAY. Programs of the vendor are trusted with that.

use tessera_isa_tensix::{Instruction, Opcode};

use super::macros::{self, Action, Plan, SubUnit};
use super::memory::{self, Address};
use super::operands::Naming;
use super::state::{Vector, Write};
use super::{compute, flags, hazards, perform, random};
use crate::core_state::CoreState;
use crate::tile::Care;
use crate::trap::Fault;

/// What an instruction used and changed: LRegs, one bit each, and further bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Touched {
    read: u32,
    written: u32,
}

/// Bits beside those of LRegs: lane flags, the stack and configuration; the datums of Dst that a scheduled store goes to.
const FLAGS: u32 = 1 << 17;
const PLACE: u32 = 1 << 18;

impl Touched {
    /// The lowest bit of what may not change its order with `later`.
    fn meets(self, later: Touched) -> Option<u32> {
        let both = self.written & (later.read | later.written) | self.read & later.written;
        (both != 0).then(|| both.trailing_zeros())
    }
}

/// An instruction to come.
#[derive(Clone, Copy, Debug)]
struct Item {
    plan: Plan,
    /// The thread that has scheduled it, and the entry of its list or the word that it came from.
    thread: usize,
    entry: usize,
    /// What instructions have touched that its thread might have issued after its execution.
    overtaken: Touched,
}

impl Item {
    /// Whether it stores where another instruction loads or stores.
    fn goes_to(&self, place: Option<Address>) -> bool {
        matches!((self.plan.action, place), (Action::Store(_, to), Some(place)) if to.is_that_of(place))
    }
}

/// Who writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Writer {
    opcode: Opcode,
    scheduled: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    items: Vec<Item>,
    /// What instructions of two cycles write at the end of the cycle that comes.
    late: Vec<(Writer, Write)>,
    /// What is written in a cycle, while it lasts.
    writes: Vec<Write>,
    collects: bool,
    /// Whom the last cycle leaves in the unit for one more.
    second: Option<Writer>,
    /// The last instruction issued: its thread and number.
    last: (usize, u64),
}

impl Schedule {
    /// Whether nothing is to come.
    pub(super) fn is_idle(&self) -> bool {
        self.items.is_empty() && self.late.is_empty() && self.second.is_none()
    }

    /// Whether what is written comes at the end of the cycle that lasts.
    #[inline]
    pub(super) fn collects(&self) -> bool {
        self.collects
    }

    /// Whether a cycle without an instruction brings anything.
    fn goes_on(&self) -> bool {
        let waits = self.items.iter().any(|item| item.plan.by_instructions);
        let is_due = self.items.iter().any(|item| item.plan.delay == 0);
        !self.is_idle() && (!waits || is_due || !self.late.is_empty() || self.second.is_some())
    }

    /// Takes out what is to be executed now, by sub-unit.
    fn take_due(&mut self) -> [Option<Item>; 4] {
        let mut due = [None; 4];
        self.items.retain(|item| {
            let is_due = item.plan.delay == 0;
            if is_due {
                due[item.plan.unit as usize] = Some(*item);
            }
            !is_due
        });
        due
    }

    /// Whether the rest counts instructions, not cycles.
    fn counts_instructions(&self) -> bool {
        self.items.iter().any(|item| item.plan.by_instructions)
    }

    fn count_down(&mut self, issued: bool) {
        if issued || !self.counts_instructions() {
            self.items.iter_mut().for_each(|item| item.plan.delay -= 1);
        }
    }

    /// Adds what a macro schedules; it takes the place of what would be executed in the same cycle.
    fn add(&mut self, plans: [Option<Plan>; 4], thread: usize, entry: usize) {
        for plan in plans.into_iter().flatten() {
            self.items
                .retain(|item| item.plan.unit != plan.unit || item.plan.delay != plan.delay);
            self.items.push(Item {
                plan,
                thread,
                entry,
                overtaken: Touched::default(),
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
        if !core.regs.vector.schedule.goes_on() {
            break;
        }
        cycle(None, core)?;
    }
    core.regs.vector.schedule.last = (thread, core.slot.issued);
    cycle(Some((instruction, thread)), core)?;
    note_stores(core)
}

/// How many cycles pass before an instruction.
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

/// Whether the hardware holds an instruction back for a cycle, because of what a thread issued before it.
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
    while core.regs.vector.schedule.goes_on() {
        cycle(None, core)?;
    }
    Ok(())
}

impl Vector {
    /// Whether anything that is scheduled happens without a further instruction.
    pub(crate) fn goes_on(&self) -> bool {
        self.schedule.goes_on()
    }

    /// The thread that has issued an instruction last while something was scheduled.
    pub(crate) fn last_thread(&self) -> usize {
        self.schedule.last.0
    }

    /// How many instructions wait for further ones.
    pub(crate) fn waiting(&self) -> usize {
        self.schedule.items.len()
    }

    /// Writes an LReg, in a cycle at its end.
    pub(super) fn put(&mut self, write: Write) {
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
                .map_err(|fault| of_scheduled(Opcode::Sfpstore, fault))?;
        }
    }
    Ok(())
}

/// One cycle: what is due, and what a thread issues, if it does.
fn cycle(issued: Option<(&Instruction, usize)>, core: &mut CoreState) -> Result<(), Fault> {
    let schedule = &mut core.regs.vector.schedule;
    let due = schedule.take_due();
    schedule.count_down(issued.is_some());
    let cycle = Cycle {
        before: std::mem::take(&mut schedule.late),
        second: schedule.second.take(),
        issued,
        due,
        ..Cycle::default()
    };
    cycle.check_sub_units(core)?;
    core.regs.vector.schedule.collects = true;
    let done = cycle.execute(core);
    let schedule = &mut core.regs.vector.schedule;
    schedule.collects = false;
    schedule.writes.clear();
    done
}

/// A cycle, and what it has done so far.
#[derive(Default)]
struct Cycle<'a> {
    /// What a thread issues, and which.
    issued: Option<(&'a Instruction, usize)>,
    /// What is due, by sub-unit.
    due: [Option<Item>; 4],
    /// What slow instructions of the cycle before write at the end of this one, and which of them is still in the unit.
    before: Vec<(Writer, Write)>,
    second: Option<Writer>,
    /// What is written at the end of this one.
    writes: Vec<(Writer, Write)>,
    /// What the instruction of the thread has touched, and the datums of Dst that it goes to.
    own: Touched,
    place: Option<Address>,
    /// What an SFPSWAP reads, and will read again.
    swapped: u32,
    draws: u32,
    plans: [Option<Plan>; 4],
}

impl Cycle<'_> {
    /// The instruction that a sub-unit executes, and whether its result goes to the staging register.
    fn at(&self, unit: SubUnit) -> Option<(Opcode, bool)> {
        if let Some(item) = &self.due[unit as usize] {
            return match item.plan.action {
                Action::Compute(instruction, overlay) => {
                    Some((instruction.opcode(), overlay.staged))
                }
                Action::Store(..) => Some((Opcode::Sfpstore, false)),
                Action::Idle => None,
            };
        }
        let opcode = self.issued?.0.opcode();
        (SubUnit::of(opcode) == Some(unit)).then_some((opcode, false))
    }

    /// Checks what must not be in the sub-units at the same time.
    fn check_sub_units(&self, core: &CoreState) -> Result<(), Fault> {
        if let Some((instruction, _)) = self.issued {
            let opcode = instruction.opcode();
            if let Some(unit) =
                SubUnit::of(opcode).filter(|unit| self.due[*unit as usize].is_some())
            {
                return Err(Fault::hazard(format!(
                    "{} comes to the {} sub-unit together with an instruction that SFPLOADMACRO has scheduled, for which the hardware discards it; \
                     put an SFPNOP before it",
                    opcode.row().mnemonic,
                    unit.name()
                )));
            }
        }
        let [simple, mad, round] =
            [SubUnit::Simple, SubUnit::Mad, SubUnit::Round].map(|unit| self.at(unit));
        if let (Some((one, staged)), Some((other, also_staged))) = (simple, round) {
            if staged == also_staged {
                return Err(Fault::undefined(format!(
                    "{} and {} in the same cycle; one of them, and only one, must write LReg 16",
                    one.row().mnemonic,
                    other.row().mnemonic
                )));
            }
        }
        if let (Some((Opcode::Sfpswap, _)), Some((mad, _))) = (simple, mad) {
            return Err(Fault::undefined(format!(
                "{} in the same cycle as SFPSWAP, which needs the MAD sub-unit",
                mad.row().mnemonic
            )));
        }
        self.check_second(core)
    }

    /// Checks what must not be in the sub-units in the second cycle of an instruction.
    fn check_second(&self, core: &CoreState) -> Result<(), Fault> {
        let Some(second) = self.second else {
            return Ok(());
        };
        let swaps = second.opcode == Opcode::Sfpswap;
        let collides = |unit: SubUnit, opcode: Opcode| match swaps {
            true => matches!(unit, SubUnit::Simple | SubUnit::Round),
            false => unit == SubUnit::Round || hazards::collides_with_rotation(core.arch, opcode),
        };
        let other = [SubUnit::Simple, SubUnit::Round]
            .into_iter()
            .find_map(|unit| {
                let (opcode, _) = self.at(unit)?;
                collides(unit, opcode).then_some(opcode)
            });
        match other {
            None => Ok(()),
            Some(other) => Err(Fault::undefined(format!(
                "{} in the second cycle of {}; leave a cycle between them",
                other.row().mnemonic,
                named(second)
            ))),
        }
    }

    fn execute(mut self, core: &mut CoreState) -> Result<(), Fault> {
        // Only the simple sub-unit changes flags and configuration: it comes last. Loads are before stores.
        let unit = self
            .issued
            .map(|(instruction, _)| SubUnit::of(instruction.opcode()));
        if unit == Some(None) {
            self.issue(core)?;
        }
        let mut touched = [Touched::default(); 4];
        for of in [
            SubUnit::Mad,
            SubUnit::Round,
            SubUnit::Store,
            SubUnit::Simple,
        ] {
            match self.due[of as usize] {
                Some(item) => touched[of as usize] = self.perform(&item, core)?,
                None if unit == Some(Some(of)) => self.issue(core)?,
                None => {}
            }
        }
        if core.care == Care::All {
            self.check_order(&touched, core)?;
            self.overtake(core);
        }
        self.end(core)
    }

    /// Executes what a thread has issued.
    fn issue(&mut self, core: &mut CoreState) -> Result<(), Fault> {
        let Some((instruction, thread)) = self.issued else {
            return Ok(());
        };
        self.place = match instruction {
            Instruction::Sfploadmacro(i) => {
                let (_, load) = macros::load_of(i);
                let address = memory::load(&load, thread, core)?;
                self.plans = macros::plans(i, address, core)?;
                Some(address)
            }
            other => perform(other, thread, core)?,
        };
        self.own = self.taken(instruction, false, core)?;
        Ok(())
    }

    /// Executes what is due.
    fn perform(&mut self, item: &Item, core: &mut CoreState) -> Result<Touched, Fault> {
        let (instruction, done) = match item.plan.action {
            Action::Idle => return Ok(Touched::default()),
            Action::Compute(instruction, overlay) => {
                let done = compute(&instruction, Naming(Some(overlay)), core);
                (instruction, done)
            }
            Action::Store(store, address) => {
                let done = memory::store_scheduled(&store, item.thread, address, core);
                (Instruction::Sfpstore(store), done)
            }
        };
        done.map_err(|fault| of_scheduled(instruction.opcode(), fault))?;
        let mut touched = self.taken(&instruction, true, core)?;
        if instruction.opcode() == Opcode::Sfpstore {
            touched.written |= PLACE;
        }
        Ok(touched)
    }

    /// Takes over what an instruction has written, and what it has touched.
    fn taken(
        &mut self,
        instruction: &Instruction,
        scheduled: bool,
        core: &mut CoreState,
    ) -> Result<Touched, Fault> {
        let writer = Writer {
            opcode: instruction.opcode(),
            scheduled,
        };
        let mut touched = Touched {
            read: std::mem::take(&mut core.access.lreg_read),
            written: std::mem::take(&mut core.access.lreg_write),
        };
        self.check_early(writer, touched.read)?;
        let schedule = &mut core.regs.vector.schedule;
        if hazards::holds_unit(instruction) {
            schedule.second = Some(writer);
        }
        let to = match hazards::is_slow(instruction) {
            true => &mut schedule.late,
            false => &mut self.writes,
        };
        to.extend(schedule.writes.drain(..).map(|write| (writer, write)));
        if instruction.opcode() == Opcode::Sfpswap {
            self.swapped = touched.read;
        }
        self.draws += u32::from(random::is_drawn_by(instruction));
        if self.draws > 1 {
            return Err(Fault::undefined(
                "two instructions draw random bits in the same cycle; no document says which get them",
            ));
        }
        if instruction.opcode() != Opcode::Sfpnop {
            touched.read |= FLAGS;
        }
        if flags::are_changed_by(instruction) {
            touched.written |= FLAGS;
        }
        Ok(touched)
    }

    /// Refuses to read what is still being computed; scheduled instructions read what was there before a multiply-add.
    fn check_early(&self, reader: Writer, read: u32) -> Result<(), Fault> {
        let early = self.before.iter().find(|(before, write)| {
            let sees_old = reader.scheduled && hazards::is_multiply_add(before.opcode);
            read >> write.index & 1 != 0 && !sees_old
        });
        match early {
            None => Ok(()),
            Some((before, write)) => Err(Fault::hazard(format!(
                "{} reads LReg {}, which {} is still computing; leave a cycle between them",
                named(reader),
                write.index,
                named(*before)
            ))),
        }
    }

    /// Refuses what depends on the time at which a thread issues its instructions.
    fn check_order(&self, touched: &[Touched; 4], core: &CoreState) -> Result<(), Fault> {
        for (item, mut touched) in self.due.iter().zip(touched.iter().copied()) {
            let Some(item) = item else { continue };
            let mut own = self.own;
            if item.goes_to(self.place) {
                own.read |= PLACE;
            }
            let mut met = item.overtaken.meets(touched);
            // In the same cycle, or later: what this one reads does not matter.
            touched.read = 0;
            if self.issued.is_some() && item.entry != core.slot.entry {
                met = met.or(touched.meets(own));
            }
            if let Some(bit) = met {
                let what = match 1 << bit {
                    FLAGS => "lane flags or configuration".to_owned(),
                    PLACE => "the same datums of Dst".to_owned(),
                    _ => format!("LReg {bit}"),
                };
                return Err(Fault::hazard(format!(
                    "{} that SFPLOADMACRO has scheduled shares {what} with an instruction that may be issued in its time or later; \
                     let it wait for instructions, or issue both by one REPLAY",
                    item.plan.action.opcode().row().mnemonic
                )));
            }
        }
        Ok(())
    }

    /// Notes the instruction of the thread as one that may be issued later than what counts cycles is executed.
    fn overtake(&self, core: &mut CoreState) {
        let entry = core.slot.entry;
        let schedule = &mut core.regs.vector.schedule;
        if schedule.counts_instructions() {
            return;
        }
        for item in schedule.items.iter_mut().filter(|item| item.entry != entry) {
            item.overtaken.read |= self.own.read;
            item.overtaken.written |= self.own.written;
            if item.goes_to(self.place) {
                item.overtaken.read |= PLACE;
            }
        }
    }

    /// The end of the cycle: everything is written, and what comes later is noted.
    fn end(self, core: &mut CoreState) -> Result<(), Fault> {
        let ends = || self.before.iter().chain(&self.writes);
        for (k, (one, write)) in ends().enumerate() {
            for (other, before) in ends().take(k) {
                let same = write.index == before.index && write.lanes & before.lanes != 0;
                if same && one != other && (one.scheduled || other.scheduled) {
                    return Err(Fault::undefined(format!(
                        "{} and {} write LReg {} in the same cycle",
                        named(*other),
                        named(*one),
                        write.index
                    )));
                }
            }
            if self.swapped >> write.index & 1 != 0 {
                return Err(Fault::undefined(format!(
                    "{} writes LReg {} between the two cycles of an SFPSWAP, which reads it in both",
                    named(*one),
                    write.index
                )));
            }
        }
        let vector = &mut core.regs.vector;
        ends().for_each(|(_, write)| vector.apply(write));
        if let Some((_, thread)) = self.issued {
            vector.schedule.add(self.plans, thread, core.slot.entry);
        }
        // What the machine asks about is the instruction that was issued.
        core.access.lreg_read = self.own.read & !FLAGS;
        core.access.lreg_write = self.own.written & !FLAGS;
        Ok(())
    }
}

/// An instruction in words.
fn named(writer: Writer) -> String {
    let mnemonic = writer.opcode.row().mnemonic;
    match writer.scheduled {
        true => format!("{mnemonic} that SFPLOADMACRO has scheduled"),
        false => mnemonic.to_owned(),
    }
}

/// The fault of an instruction that was scheduled.
fn of_scheduled(opcode: Opcode, fault: Fault) -> Fault {
    let text = |text| {
        format!(
            "{} that SFPLOADMACRO has scheduled: {text}",
            opcode.row().mnemonic
        )
    };
    match fault {
        Fault::Undefined(what) => Fault::undefined(text(what)),
        Fault::Unmodelled(what) => Fault::unmodelled(text(what)),
        Fault::Hazard(what) => Fault::hazard(text(what)),
    }
}
