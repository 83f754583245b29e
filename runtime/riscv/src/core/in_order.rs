//! Execution with memory in order, by micro-operations ([`crate::micro_op`]).
//!
//! A [`Run`] executes instructions of one page of code up to a limit. Instructions are counted, and
//! the limit and the end of the page are checked, per sequence without taken branches. The program
//! counter is computed where it matters. A run ends wherever something else has to be done: an
//! access is refused, the page may have changed, the loop is a polling loop, or the next
//! instruction has no micro-operation. [`Core::issue`] executes the latter.

use super::port::{note_load, InOrder};
use super::{Core, State, Step, PUSH_ADDRESS};
use crate::bus::{Bus, Refusal, Width, CODE_PAGE};
use crate::decoded::REGISTERS;
use crate::micro_op::{with_kinds, Kind, MicroOp};
use crate::page_code::{PageCode, WORDS};
use crate::spin_detector::{CompletedLoad, SpinDetector};
use crate::trap::{Reason, Trap};

/// Why a run within a page ended.
#[derive(Clone, Copy)]
enum Exit {
    /// The limit is reached, or the next instruction is in another page.
    Left,
    /// [`Core::issue`] has to execute the next instruction.
    Issue,
    /// The bus requested a break.
    Break,
    /// A store to this address, in the page, has completed.
    Stored(u32),
    /// The bus refused the access of the next instruction ([`Run::refusal`]).
    Refused,
    /// The core jumped to itself.
    Halted,
    /// The core repeats itself; this number of instructions was in iterations without changes.
    Parked(u64),
}

/// How execution continues after an instruction.
enum Flow {
    Next,
    Jump(u32),
    /// The run ends, for the reason in [`Run::exit`].
    End,
}

/// The result of a load or store; for stores, the value is 0.
enum Accessed {
    Value(u32),
    /// It is the last instruction of the run.
    Last(u32),
    /// It is not executed, and the run ends.
    Not,
}

impl Flow {
    #[inline(always)]
    fn after(accessed: Accessed) -> Self {
        match accessed {
            Accessed::Value(_) => Flow::Next,
            Accessed::Last(_) | Accessed::Not => Flow::End,
        }
    }
}

/// Instructions of one page in execution, without what changes at every instruction: the registers,
/// and the position of the next instruction in the page.
struct Run<'a, B: Bus> {
    spin: &'a mut SpinDetector,
    bus: &'a mut B,
    page: &'a PageCode,
    /// The address of the page.
    base: u32,
    /// In a sequence without taken branches, the number of instructions executed is this plus the
    /// position, modulo 2^64.
    executed: u64,
    /// The number of instructions executed at which the run ends.
    end: u64,
    exit: Exit,
    refusal: Option<Refusal<B::Fault>>,
}

impl Core {
    pub(super) fn run_in_order<B: Bus>(
        &mut self,
        bus: &mut B,
        limit: u64,
    ) -> Result<Step, Trap<B::Fault>> {
        let end = self.retired.saturating_add(limit);
        while self.retired < end {
            let mut runs = true;
            if self.state != State::Running {
                if let Some(step) = self.wait(bus)? {
                    return Ok(step);
                }
                // The loads of the values that it polls may have requested a break, which ends the
                // run after one instruction.
                runs = !bus.wants_a_break();
            }
            if !self.code.is_current(self.pc) {
                self.code.enter(self.pc, bus);
            }
            let exit = match runs {
                true => self.run_page(bus, end),
                false => Ok(Exit::Issue),
            };
            match exit {
                Ok(exit) => {
                    if let Some(step) = self.leave(exit, bus)? {
                        return Ok(step);
                    }
                }
                Err(Refusal::Busy) => return Ok(Step::Busy),
                Err(Refusal::Fault(fault)) => return Err(self.trap(Reason::Bus(fault))),
            }
        }
        Ok(Step::Ran)
    }

    /// Does what ended a run within a page; returns how the whole run ends, if it does.
    #[inline(always)]
    fn leave<B: Bus>(&mut self, exit: Exit, bus: &mut B) -> Result<Option<Step>, Trap<B::Fault>> {
        match exit {
            Exit::Left | Exit::Refused => return Ok(None),
            Exit::Break => return Ok(Some(Step::Ran)),
            Exit::Halted => {
                self.spin.halt();
                self.state = State::Halted;
                return Ok(None);
            }
            Exit::Parked(idle) => {
                self.idle += idle;
                self.state = State::Parked;
                return Ok(None);
            }
            Exit::Stored(addr) => self.code.renew(bus.code_version(addr)),
            Exit::Issue => {
                let mut next = self.code.lookup(self.pc);
                if next.op.is_none() {
                    next = self.decode_next(bus)?;
                }
                if !self.issue(next, &mut InOrder(bus))? {
                    return Ok(Some(Step::Busy));
                }
            }
        }
        Ok(bus.wants_a_break().then_some(Step::Ran))
    }

    /// Executes instructions of the current page, until `end` instructions are executed.
    fn run_page<B: Bus>(&mut self, bus: &mut B, end: u64) -> Result<Exit, Refusal<B::Fault>> {
        let mut run = Run {
            spin: &mut self.spin,
            bus,
            page: self.code.page(),
            base: self.pc / CODE_PAGE * CODE_PAGE,
            executed: 0,
            end,
            exit: Exit::Left,
            refusal: None,
        };
        (self.pc, self.retired) = run.run(self.pc, self.retired, &mut self.registers);
        match run.refusal {
            Some(refusal) => Err(refusal),
            None => Ok(run.exit),
        }
    }
}

impl<'a, B: Bus> Run<'a, B> {
    /// Executes instructions; returns the address of the next one and the number of those executed.
    #[inline(never)]
    fn run(&mut self, pc: u32, retired: u64, registers: &mut [u32; REGISTERS]) -> (u32, u64) {
        let (mut at, mut ops) = self.enter(pc, retired);
        while let Some(op) = ops.get(at) {
            match self.dispatch(op, ops, &mut at, registers) {
                Flow::Next => {}
                Flow::End => break,
                Flow::Jump(target) => {
                    let pc = self.pc(at);
                    let retired = self.retired(at) + 1;
                    if target <= pc && self.ends_at_jump_back(pc, target, registers, retired)
                        || target.wrapping_sub(self.base) >= CODE_PAGE
                    {
                        return (target, retired);
                    }
                    (at, ops) = self.enter(target, retired);
                }
            }
        }
        (self.pc(at), self.retired(at))
    }

    /// Continues at an address in the page, after a number of instructions. Returns the position,
    /// and the micro-operations from the start of the page up to the limit.
    #[inline(always)]
    fn enter(&mut self, pc: u32, retired: u64) -> (usize, &'a [MicroOp]) {
        let at = (pc % CODE_PAGE / 4) as usize;
        let left = (self.end - retired).min(WORDS as u64) as usize;
        self.executed = retired.wrapping_sub(at as u64);
        (at, &self.page.ops[..WORDS.min(at + left)])
    }

    /// Returns the number of instructions executed before a position.
    #[inline(always)]
    fn retired(&self, at: usize) -> u64 {
        self.executed.wrapping_add(at as u64)
    }

    /// Returns the address of a position.
    #[inline(always)]
    fn pc(&self, at: usize) -> u32 {
        self.base.wrapping_add(4 * at as u32)
    }

    /// Returns whether the run ends at a jump from `pc` back to `target`.
    #[inline(always)]
    fn ends_at_jump_back(
        &mut self,
        pc: u32,
        target: u32,
        registers: &[u32; REGISTERS],
        retired: u64,
    ) -> bool {
        if target == pc {
            self.exit = Exit::Halted;
            return true;
        }
        let idle = self.spin.jump_back(target, registers, retired);
        if let Some(idle) = idle {
            self.exit = Exit::Parked(idle);
        }
        idle.is_some()
    }

    /// Executes the instruction or pair of a micro-operation.
    #[inline(always)]
    fn dispatch(
        &mut self,
        op: &MicroOp,
        ops: &[MicroOp],
        at: &mut usize,
        registers: &mut [u32; REGISTERS],
    ) -> Flow {
        macro_rules! arms {
            (
                special { $($special:ident)* }
                single { $($single:ident)* }
                pairs { $($first:ident { $($pair:ident: $second:ident,)* })* }
            ) => {
                match op.kind {
                    $(Kind::$special => self.execute(Kind::$special, op, at, registers),)*
                    $(Kind::$single => self.execute(Kind::$single, op, at, registers),)*
                    $($(Kind::$pair => {
                        let Some(second) = ops.get(*at + 1) else {
                            return self.end(Exit::Issue);
                        };
                        match self.execute(Kind::$first, op, at, registers) {
                            Flow::Next => self.execute(Kind::$second, second, at, registers),
                            flow => flow,
                        }
                    })*)*
                }
            };
        }
        with_kinds!(arms)
    }

    /// Executes an instruction; `kind` is a constant at each call.
    #[inline(always)]
    fn execute(
        &mut self,
        kind: Kind,
        op: &MicroOp,
        at: &mut usize,
        registers: &mut [u32; REGISTERS],
    ) -> Flow {
        let a = registers[usize::from(op.rs1)];
        let b = registers[usize::from(op.rs2)];
        let addr = a.wrapping_add(op.imm);
        let rd = &mut registers[usize::from(op.rd)];
        let link = self.pc(*at).wrapping_add(4);
        let jump_if = |taken: bool| match taken {
            true => Some(op.imm),
            false => None,
        };
        let jump = match kind {
            Kind::Issue => return self.end(Exit::Issue),
            Kind::Lb | Kind::Lbu | Kind::Lh | Kind::Lhu | Kind::Lw => {
                let accessed = match kind {
                    Kind::Lb | Kind::Lbu => self.load_byte(addr),
                    Kind::Lh | Kind::Lhu => self.load_half(addr),
                    _ => self.load_word(addr),
                };
                let (Accessed::Value(raw) | Accessed::Last(raw)) = accessed else {
                    return Flow::End;
                };
                *rd = match kind {
                    Kind::Lb => raw as i8 as u32,
                    Kind::Lh => raw as i16 as u32,
                    _ => raw,
                };
                *at += 1;
                return Flow::after(accessed);
            }
            Kind::Sb | Kind::Sh | Kind::Sw | Kind::Ttinsn => {
                let accessed = match kind {
                    Kind::Sb => self.store_byte(*at, addr, b),
                    Kind::Sh => self.store_half(*at, addr, b),
                    Kind::Sw => self.store_word(*at, addr, b),
                    _ => self.store_word(*at, PUSH_ADDRESS, op.imm),
                };
                if !matches!(accessed, Accessed::Not) {
                    *at += 1;
                }
                return Flow::after(accessed);
            }
            Kind::Jal => {
                *rd = link;
                Some(op.imm)
            }
            Kind::Jalr => {
                let target = addr & !1;
                if target % 4 != 0 {
                    return self.end(Exit::Issue);
                }
                *rd = link;
                Some(target)
            }
            Kind::Beq => jump_if(a == b),
            Kind::Bne => jump_if(a != b),
            Kind::Blt => jump_if((a as i32) < b as i32),
            Kind::Bge => jump_if(a as i32 >= b as i32),
            Kind::Bltu => jump_if(a < b),
            Kind::Bgeu => jump_if(a >= b),
            Kind::Bits => {
                *rd = self.page.bits(*at, a, b.wrapping_add(op.imm));
                None
            }
            _ => {
                *rd = op.compute(kind, a, b);
                None
            }
        };
        match jump {
            Some(target) => Flow::Jump(target),
            None => {
                *at += 1;
                Flow::Next
            }
        }
    }

    #[inline(always)]
    fn end(&mut self, exit: Exit) -> Flow {
        self.exit = exit;
        Flow::End
    }

    #[inline(never)]
    fn load_byte(&mut self, addr: u32) -> Accessed {
        self.load(addr, Width::Byte)
    }

    #[inline(never)]
    fn load_half(&mut self, addr: u32) -> Accessed {
        self.load(addr, Width::Half)
    }

    #[inline(never)]
    fn load_word(&mut self, addr: u32) -> Accessed {
        self.load(addr, Width::Word)
    }

    #[inline(never)]
    fn store_byte(&mut self, at: usize, addr: u32, value: u32) -> Accessed {
        self.store(at, addr, Width::Byte, value)
    }

    #[inline(never)]
    fn store_half(&mut self, at: usize, addr: u32, value: u32) -> Accessed {
        self.store(at, addr, Width::Half, value)
    }

    #[inline(never)]
    fn store_word(&mut self, at: usize, addr: u32, value: u32) -> Accessed {
        self.store(at, addr, Width::Word, value)
    }

    #[inline(always)]
    fn load(&mut self, addr: u32, width: Width) -> Accessed {
        if addr % width.bytes() == 0 {
            if let Some(raw) = self.bus.load_at_once(addr, width) {
                return match self.spin.is_recording() {
                    true => self.note_load(CompletedLoad { addr, width, raw }),
                    false => self.accessed(raw),
                };
            }
        }
        self.load_anywhere(addr, width)
    }

    #[inline(never)]
    fn load_anywhere(&mut self, addr: u32, width: Width) -> Accessed {
        if addr % width.bytes() != 0 {
            return self.not_accessed(Exit::Issue);
        }
        match self.bus.load(addr, width) {
            Ok(raw) => {
                note_load(self.bus, self.spin, CompletedLoad { addr, width, raw });
                self.accessed(raw)
            }
            Err(refusal) => self.refused(refusal),
        }
    }

    #[inline(never)]
    fn note_load(&mut self, load: CompletedLoad) -> Accessed {
        self.spin.load(load);
        self.accessed(load.raw)
    }

    #[inline(always)]
    fn store(&mut self, at: usize, addr: u32, width: Width, value: u32) -> Accessed {
        let is_aligned = addr % width.bytes() == 0;
        if is_aligned && self.bus.store_at_once(addr, width, value) {
            return self.stored(addr);
        }
        self.store_anywhere(self.pc(at), addr, width, value)
    }

    #[inline(never)]
    fn store_anywhere(&mut self, pc: u32, addr: u32, width: Width, value: u32) -> Accessed {
        if addr % width.bytes() != 0 {
            return self.not_accessed(Exit::Issue);
        }
        match self.bus.store(pc, addr, width, value) {
            Ok(()) => self.stored(addr),
            Err(refusal) => self.refused(refusal),
        }
    }

    /// Notes that a store to an address has completed.
    #[inline(always)]
    fn stored(&mut self, addr: u32) -> Accessed {
        self.spin.disturb();
        if addr.wrapping_sub(self.base) < CODE_PAGE {
            self.exit = Exit::Stored(addr);
            return Accessed::Last(0);
        }
        self.accessed(0)
    }

    #[inline(always)]
    fn accessed(&mut self, value: u32) -> Accessed {
        if self.bus.wants_a_break() {
            self.exit = Exit::Break;
            return Accessed::Last(value);
        }
        Accessed::Value(value)
    }

    fn not_accessed(&mut self, exit: Exit) -> Accessed {
        self.exit = exit;
        Accessed::Not
    }

    fn refused(&mut self, refusal: Refusal<B::Fault>) -> Accessed {
        self.refusal = Some(refusal);
        self.not_accessed(Exit::Refused)
    }
}
