//! A cycle of the vector unit while instructions are scheduled: what its sub-units do concurrently,
//! and which combinations are forbidden.
//!
//! Sub-units read the state before the cycle and write the state after it; two-cycle instructions
//! write one cycle later. Until then scheduled instructions read the old values. LLK's reciprocal
//! of FP32 depends on that (`ckernel_sfpu_recip.h`: a store from the staging register in the second
//! cycle of a multiply-add into it).
//!
//! Traps, besides those of each instruction:
//!
//! * an instruction that reaches a sub-unit together with a scheduled one, which the hardware
//!   silently discards;
//! * two instructions that write the same LReg in the same cycle;
//! * SFPSWAP and rotations by SFPSHFT2 next to instructions that they exclude (`SFPLOADMACRO.md`,
//!   `SFPSWAP.md`, `SFPSHFT2.md`: scheduling).
//!
//! The page asks for an SFPNOP in the MAD sub-unit next to a scheduled SFPSWAP. LLK's kernels leave
//! that sub-unit idle, which is accepted here, too.

use tessera_isa_tensix::table::Sfploadmacro;
use tessera_isa_tensix::{Arch, Instruction, Opcode};

use super::macros;
use super::memory;
use super::operands::Naming;
use super::schedule::{FLAGS, PLACE};
use super::traits::{properties, sub_unit};
use super::unit::VectorUnit;
use super::{compute, hazards, perform};
use crate::state::check_policy::CheckPolicy;
use crate::state::vector::{
    AccessSet, Action, Address, Plan, Schedule, ScheduledInstruction, SubUnit, Vector, Write,
    Writer,
};
use crate::trap::Fault;

/// Executes one cycle: the instructions that are due, and the one that a thread issues, if any.
pub(super) fn cycle(
    issued: Option<(&Instruction, usize)>,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    let schedule = &mut unit.vector.schedule;
    let due = schedule.take_due();
    schedule.count_down(issued.is_some())?;
    let cycle = Cycle {
        before: std::mem::take(&mut schedule.late),
        second: schedule.second.take(),
        issued,
        due,
        ..Cycle::default()
    };
    cycle.check_sub_units(unit.config.arch())?;
    unit.vector.schedule.collects = true;
    let done = cycle.execute(unit);
    let schedule = &mut unit.vector.schedule;
    schedule.collects = false;
    schedule.writes.clear();
    done
}

/// A cycle in progress.
#[derive(Default)]
struct Cycle<'a> {
    /// The instruction that a thread issues, and its thread.
    issued: Option<(&'a Instruction, usize)>,
    /// The scheduled instructions that are due, at most one per sub-unit and lane.
    due: Vec<ScheduledInstruction>,
    /// Writes of two-cycle instructions from the previous cycle, which take effect at the end of
    /// this one.
    before: Vec<(Writer, Write)>,
    second: Option<Writer>,
    /// The writes that take effect at the end of this cycle.
    writes: Vec<(Writer, Write)>,
    /// The accesses of the thread's instruction, including the datums of Dst.
    own: AccessSet,
    place: Option<Address>,
    /// The LRegs that an SFPSWAP reads, and reads again in its second cycle.
    swapped: u32,
    draws: u32,
    plans: Vec<Plan>,
}

impl Cycle<'_> {
    /// Returns the instructions that are due in a sub-unit.
    fn due(&self, unit: SubUnit) -> impl Iterator<Item = &ScheduledInstruction> + Clone {
        self.due.iter().filter(move |item| item.plan.unit == unit)
    }

    /// Returns the opcodes that a sub-unit executes in any lane, and whether their results go to
    /// the staging register.
    fn issued_on(&self, unit: SubUnit) -> impl Iterator<Item = (Opcode, bool)> + Clone + '_ {
        let scheduled = self.due(unit).filter_map(|item| match item.plan.action {
            Action::Compute(instruction, overlay) => Some((instruction.opcode(), overlay.staged)),
            Action::Store(..) => Some((Opcode::Sfpstore, false)),
            Action::Idle => None,
        });
        let issued = self
            .issued
            .map(|(instruction, _)| (instruction.opcode(), false));
        scheduled.chain(issued.filter(move |(opcode, _)| sub_unit(*opcode) == Some(unit)))
    }

    /// Checks that the instructions in the sub-units may execute concurrently.
    fn check_sub_units(&self, arch: Arch) -> Result<(), Fault> {
        if let Some((instruction, _)) = self.issued {
            let opcode = instruction.opcode();
            if let Some(unit) = sub_unit(opcode).filter(|unit| self.due(*unit).next().is_some()) {
                return Err(Fault::hazard(format!(
                    "{} comes to the {} sub-unit together with an instruction that SFPLOADMACRO \
                     has scheduled, for which the hardware discards it; put an SFPNOP before it",
                    opcode.row().mnemonic,
                    unit.name()
                )));
            }
        }
        let [simple, mut mad, round] =
            [SubUnit::Simple, SubUnit::Mad, SubUnit::Round].map(|unit| self.issued_on(unit));
        for (one, staged) in simple.clone() {
            let alike = |(_, other): &(Opcode, bool)| *other == staged;
            if let Some((other, _)) = round.clone().find(alike) {
                return Err(Fault::undefined(format!(
                    "{} and {} in the same cycle; one of them, and only one, must write LReg 16",
                    one.row().mnemonic,
                    other.row().mnemonic
                )));
            }
        }
        let mut simple = simple.map(|(opcode, _)| opcode);
        if let (true, Some((mad, _))) = (simple.any(|one| one == Opcode::Sfpswap), mad.next()) {
            return Err(Fault::undefined(format!(
                "{} in the same cycle as SFPSWAP, which needs the MAD sub-unit",
                mad.row().mnemonic
            )));
        }
        self.check_second(arch)
    }

    /// Checks that no instruction conflicts with the second cycle of another one.
    fn check_second(&self, arch: Arch) -> Result<(), Fault> {
        let Some(second) = self.second else {
            return Ok(());
        };
        let swaps = second.opcode == Opcode::Sfpswap;
        let collides = |unit: SubUnit, opcode: Opcode| match swaps {
            true => matches!(unit, SubUnit::Simple | SubUnit::Round),
            false => unit == SubUnit::Round || hazards::collides_with_rotation(arch, opcode),
        };
        let other = [SubUnit::Simple, SubUnit::Round]
            .into_iter()
            .find_map(|unit| {
                let mut opcodes = self.issued_on(unit).map(|(opcode, _)| opcode);
                opcodes.find(|opcode| collides(unit, *opcode))
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

    fn execute(mut self, unit: &mut VectorUnit) -> Result<(), Fault> {
        // Only the simple sub-unit changes flags and configuration, so it comes last. Loads precede
        // stores.
        let target = self
            .issued
            .map(|(instruction, _)| sub_unit(instruction.opcode()));
        if target == Some(None) {
            self.issue(unit)?;
        }
        let mut touched = vec![AccessSet::default(); self.due.len()];
        for of in [
            SubUnit::Mad,
            SubUnit::Round,
            SubUnit::Store,
            SubUnit::Simple,
        ] {
            for (k, touched) in touched.iter_mut().enumerate() {
                let item = self.due[k];
                if item.plan.unit == of {
                    *touched = self.perform(&item, unit)?;
                }
            }
            if target == Some(Some(of)) {
                self.issue(unit)?;
            }
        }
        if unit.check_policy == CheckPolicy::Strict {
            self.check_order(&touched, unit.slot.entry)?;
            self.overtake(&mut unit.vector.schedule, unit.slot.entry);
        }
        self.end(unit.vector, unit.slot.entry)
    }

    /// Executes the instruction that a thread issues.
    fn issue(&mut self, unit: &mut VectorUnit) -> Result<(), Fault> {
        let Some((instruction, thread)) = self.issued else {
            return Ok(());
        };
        self.place = match instruction {
            Instruction::Sfploadmacro(i) => Some(self.load_and_schedule(i, thread, unit)?),
            other => perform(other, thread, unit.reborrow())?,
        };
        self.own = self.taken(instruction, false, unit.vector)?;
        Ok(())
    }

    /// SFPLOADMACRO: loads, and plans the instructions of its macro.
    fn load_and_schedule(
        &mut self,
        i: &Sfploadmacro,
        thread: usize,
        unit: &mut VectorUnit,
    ) -> Result<Address, Fault> {
        let (_, load) = macros::load_of(i);
        let address = memory::load(&load, thread, unit.reborrow())?;
        self.plans = macros::plans(i, address, &unit.vector.config, unit.config.arch())?;
        Ok(address)
    }

    /// Executes a scheduled instruction in its lanes.
    fn perform(
        &mut self,
        item: &ScheduledInstruction,
        unit: &mut VectorUnit,
    ) -> Result<AccessSet, Fault> {
        unit.vector.scheduled = item.plan.lanes;
        let done = self.perform_in_lanes(item, unit);
        unit.vector.scheduled = u32::MAX;
        done
    }

    fn perform_in_lanes(
        &mut self,
        item: &ScheduledInstruction,
        unit: &mut VectorUnit,
    ) -> Result<AccessSet, Fault> {
        let (instruction, done) = match item.plan.action {
            Action::Idle => return Ok(AccessSet::default()),
            Action::Compute(instruction, overlay) => {
                if item.plan.lanes != u32::MAX && !properties(&instruction).is_lane_local() {
                    return Err(Fault::unmodelled(format!(
                        "{} that SFPLOADMACRO has scheduled in some lanes alone; configure the \
                         macro alike in all lanes",
                        instruction.opcode().row().mnemonic
                    )));
                }
                let naming = Naming(Some(overlay));
                let done = compute(&instruction, naming, unit.model, unit.config, unit.vector);
                (instruction, done)
            }
            Action::Store(store, address) => {
                let done = memory::store_scheduled(&store, item.thread, address, unit);
                (Instruction::Sfpstore(store), done)
            }
        };
        done.map_err(|fault| scheduled_fault(instruction.opcode(), fault))?;
        let mut touched = self.taken(&instruction, true, unit.vector)?;
        if instruction.opcode() == Opcode::Sfpstore {
            touched.written |= PLACE;
        }
        Ok(touched)
    }

    /// Collects the writes and the accesses of an instruction.
    fn taken(
        &mut self,
        instruction: &Instruction,
        scheduled: bool,
        vector: &mut Vector,
    ) -> Result<AccessSet, Fault> {
        let writer = Writer {
            opcode: instruction.opcode(),
            scheduled,
        };
        let mut touched = std::mem::take(&mut vector.access);
        self.check_early(writer, touched.read)?;
        let properties = properties(instruction);
        let schedule = &mut vector.schedule;
        if properties.holds_unit {
            schedule.second = Some(writer);
        }
        let to = match properties.is_slow() {
            true => &mut schedule.late,
            false => &mut self.writes,
        };
        to.extend(schedule.writes.drain(..).map(|write| (writer, write)));
        if instruction.opcode() == Opcode::Sfpswap {
            self.swapped = touched.read;
        }
        self.draws += u32::from(properties.draws);
        if self.draws > 1 {
            return Err(Fault::undefined(
                "two instructions draw random bits in the same cycle; no document says which get \
                 them",
            ));
        }
        if instruction.opcode() != Opcode::Sfpnop {
            touched.read |= FLAGS;
        }
        if properties.changes_flags {
            touched.written |= FLAGS;
        }
        Ok(touched)
    }

    /// Refuses to read a register that is still being computed. Scheduled instructions read the
    /// value before a multiply-add.
    fn check_early(&self, reader: Writer, read: u32) -> Result<(), Fault> {
        let early = self.before.iter().find(|(before, write)| {
            let sees_old = reader.scheduled && sub_unit(before.opcode) == Some(SubUnit::Mad);
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

    /// Refuses accesses whose outcome depends on when a thread issues its instructions.
    fn check_order(&self, touched: &[AccessSet], entry: usize) -> Result<(), Fault> {
        for (item, mut touched) in self.due.iter().zip(touched.iter().copied()) {
            let mut own = self.own;
            if item.goes_to(self.place) {
                own.read |= PLACE;
            }
            let mut met = item.overtaking.first_conflict(touched);
            // Reads do not matter here: they take place in the same cycle or later.
            touched.read = 0;
            if self.issued.is_some() && item.entry != entry {
                met = met.or(touched.first_conflict(own));
            }
            if let Some(bit) = met {
                let what = match 1 << bit {
                    FLAGS => "lane flags or configuration".to_owned(),
                    PLACE => "the same datums of Dst".to_owned(),
                    _ => format!("LReg {bit}"),
                };
                return Err(Fault::hazard(format!(
                    "{} that SFPLOADMACRO has scheduled shares {what} with an instruction that may \
                     be issued in its time or later; let it wait for instructions, or issue both \
                     by one REPLAY",
                    item.plan.action.opcode().row().mnemonic
                )));
            }
        }
        Ok(())
    }

    /// Records that the thread's instruction might be issued after instructions whose delay counts
    /// cycles.
    fn overtake(&self, schedule: &mut Schedule, entry: usize) {
        if schedule.counts_instructions() {
            return;
        }
        for item in schedule.items.iter_mut().filter(|item| item.entry != entry) {
            item.overtaking.read |= self.own.read;
            item.overtaking.written |= self.own.written;
            if item.goes_to(self.place) {
                item.overtaking.read |= PLACE;
            }
        }
    }

    /// Ends the cycle: applies all writes and records those of two-cycle instructions.
    fn end(self, vector: &mut Vector, entry: usize) -> Result<(), Fault> {
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
                    "{} writes LReg {} between the two cycles of an SFPSWAP, which reads it in \
                     both",
                    named(*one),
                    write.index
                )));
            }
        }
        ends().for_each(|(_, write)| vector.apply(write));
        if let Some((_, thread)) = self.issued {
            vector.schedule.add(self.plans, thread, entry);
        }
        // The machine checks the accesses of the issued instruction only.
        vector.access = AccessSet {
            read: self.own.read & !FLAGS,
            written: self.own.written & !FLAGS,
        };
        Ok(())
    }
}

/// Describes an instruction.
fn named(writer: Writer) -> String {
    let mnemonic = writer.opcode.row().mnemonic;
    match writer.scheduled {
        true => format!("{mnemonic} that SFPLOADMACRO has scheduled"),
        false => mnemonic.to_owned(),
    }
}

/// Returns the fault of an instruction that was scheduled.
pub(super) fn scheduled_fault(opcode: Opcode, fault: Fault) -> Fault {
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
