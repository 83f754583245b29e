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
use crate::decode_cache::{PageCode, REGISTERS, WORDS};
use crate::micro_op::{with_kinds, Kind, MicroOp};
use crate::spin_detector::{CompletedLoad, SpinDetector};
use crate::trap::{Reason, Trap};

/// Why a run within a page ended.
enum Exit<F> {
    /// The limit is reached, or the next instruction is in another page.
    Left,
    /// [`Core::issue`] has to execute the next instruction.
    Issue,
    /// The bus requested a break.
    Break,
    /// A store to this address, in the page, has completed.
    Stored(u32),
    /// The bus refused the access of the next instruction.
    Refused(Refusal<F>),
    /// The core jumped to itself.
    Halted,
    /// The core repeats itself; this number of instructions was in iterations without changes.
    Parked(u64),
}

/// How execution continues after an instruction.
enum Flow<F> {
    Next,
    Jump(u32),
    Exit(Exit<F>),
}

/// Instructions of one page in execution.
struct Run<'a, B> {
    registers: &'a mut [u32; REGISTERS],
    spin: &'a mut SpinDetector,
    bus: &'a mut B,
    page: &'a PageCode,
    /// The address of the page.
    base: u32,
    /// The position of the next instruction in the page.
    at: usize,
    /// The micro-operations from the start of the page up to the limit.
    ops: &'a [MicroOp],
    /// The number of instructions executed is this plus `at`, modulo 2^64.
    executed: u64,
    /// The number of instructions executed at which the run ends.
    end: u64,
}

impl Core {
    pub(super) fn run_in_order<B: Bus>(
        &mut self,
        bus: &mut B,
        limit: u64,
    ) -> Result<Step, Trap<B::Fault>> {
        let end = self.retired.saturating_add(limit);
        while self.retired < end {
            let mut exit = None;
            if self.state != State::Running {
                if let Some(step) = self.wait(bus)? {
                    return Ok(step);
                }
                // The loads of the values that it polls may have requested a break, which ends the
                // run after one instruction.
                exit = bus.wants_a_break().then_some(Exit::Issue);
            }
            if !self.code.is_current(self.pc) {
                self.code.enter(self.pc, bus.code_version(self.pc));
            }
            match exit.unwrap_or_else(|| self.run_page(bus, end)) {
                Exit::Left => {}
                Exit::Break => break,
                Exit::Halted => {
                    self.spin.halt();
                    self.state = State::Halted;
                }
                Exit::Parked(idle) => {
                    self.idle += idle;
                    self.state = State::Parked;
                }
                Exit::Refused(Refusal::Busy) => return Ok(Step::Busy),
                Exit::Refused(Refusal::Fault(fault)) => return Err(self.trap(Reason::Bus(fault))),
                Exit::Stored(addr) => {
                    self.code.renew(bus.code_version(addr));
                    if bus.wants_a_break() {
                        break;
                    }
                }
                Exit::Issue => {
                    let mut next = self.code.lookup(self.pc);
                    if next.op.is_none() {
                        next = self.decode_next(bus)?;
                    }
                    if !self.issue(next, &mut InOrder(bus))? {
                        return Ok(Step::Busy);
                    }
                    if bus.wants_a_break() {
                        break;
                    }
                }
            }
        }
        Ok(Step::Ran)
    }

    /// Executes instructions of the current page, until `end` instructions are executed.
    #[inline(never)]
    fn run_page<B: Bus>(&mut self, bus: &mut B, end: u64) -> Exit<B::Fault> {
        let mut run = Run {
            registers: &mut self.registers,
            spin: &mut self.spin,
            bus,
            page: self.code.page(),
            base: self.pc / CODE_PAGE * CODE_PAGE,
            at: 0,
            ops: &[],
            executed: 0,
            end,
        };
        run.enter(self.pc, self.retired);
        let (pc, exit) = run.run();
        (self.pc, self.retired) = (pc, run.retired());
        exit
    }
}

impl<B: Bus> Run<'_, B> {
    /// Continues at an address in the page, after a number of instructions.
    #[inline(always)]
    fn enter(&mut self, pc: u32, retired: u64) {
        self.at = (pc % CODE_PAGE / 4) as usize;
        let left = (self.end - retired).min(WORDS as u64) as usize;
        self.ops = &self.page.ops[..WORDS.min(self.at + left)];
        self.executed = retired.wrapping_sub(self.at as u64);
    }

    /// Returns the number of instructions executed.
    #[inline(always)]
    fn retired(&self) -> u64 {
        self.executed.wrapping_add(self.at as u64)
    }

    /// Returns the address of the next instruction.
    #[inline(always)]
    fn pc(&self) -> u32 {
        self.base.wrapping_add(4 * self.at as u32)
    }

    /// Executes instructions; returns the address of the next one and why the run ended.
    #[inline(always)]
    fn run(&mut self) -> (u32, Exit<B::Fault>) {
        while let Some(op) = self.ops.get(self.at) {
            match self.dispatch(op) {
                Flow::Next => {}
                Flow::Exit(exit) => return (self.pc(), exit),
                Flow::Jump(target) => {
                    if let Some(exit) = self.jump(target) {
                        return (target, exit);
                    }
                }
            }
        }
        (self.pc(), Exit::Left)
    }

    /// Executes a jump, up to the first instruction at the target.
    #[inline(always)]
    fn jump(&mut self, target: u32) -> Option<Exit<B::Fault>> {
        let pc = self.pc();
        self.at += 1;
        let retired = self.retired();
        if target == pc {
            return Some(Exit::Halted);
        }
        if target < pc {
            if let Some(idle) = self.spin.jump_back(target, self.registers, retired) {
                return Some(Exit::Parked(idle));
            }
        }
        if target.wrapping_sub(self.base) >= CODE_PAGE {
            return Some(Exit::Left);
        }
        self.enter(target, retired);
        None
    }

    /// Executes the instruction or pair of a micro-operation.
    #[inline(always)]
    fn dispatch(&mut self, op: &MicroOp) -> Flow<B::Fault> {
        macro_rules! arms {
            (
                special { $($special:ident)* }
                single { $($single:ident)* }
                pairs { $($first:ident { $($pair:ident: $second:ident,)* })* }
            ) => {
                match op.kind {
                    $(Kind::$special => self.execute(Kind::$special, op),)*
                    $(Kind::$single => self.execute(Kind::$single, op),)*
                    $($(Kind::$pair => {
                        let Some(second) = self.ops.get(self.at + 1) else {
                            return Flow::Exit(Exit::Issue);
                        };
                        match self.execute(Kind::$first, op) {
                            Flow::Next => self.execute(Kind::$second, second),
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
    fn execute(&mut self, kind: Kind, op: &MicroOp) -> Flow<B::Fault> {
        let a = self.registers[usize::from(op.rs1)];
        let b = self.registers[usize::from(op.rs2)];
        let jump_if = |taken: bool| match taken {
            true => Some(op.imm),
            false => None,
        };
        let jump = match kind {
            Kind::Issue => return Flow::Exit(Exit::Issue),
            Kind::Lb => return self.load(op, Width::Byte, |raw| raw as i8 as u32),
            Kind::Lbu => return self.load(op, Width::Byte, |raw| raw),
            Kind::Lh => return self.load(op, Width::Half, |raw| raw as i16 as u32),
            Kind::Lhu => return self.load(op, Width::Half, |raw| raw),
            Kind::Lw => return self.load(op, Width::Word, |raw| raw),
            Kind::Sb => return self.store(a.wrapping_add(op.imm), Width::Byte, b),
            Kind::Sh => return self.store(a.wrapping_add(op.imm), Width::Half, b),
            Kind::Sw => return self.store(a.wrapping_add(op.imm), Width::Word, b),
            Kind::Ttinsn => return self.store(PUSH_ADDRESS, Width::Word, op.imm),
            Kind::Jal => {
                self.set(op.rd, self.pc().wrapping_add(4));
                Some(op.imm)
            }
            Kind::Jalr => {
                let target = a.wrapping_add(op.imm) & !1;
                if target % 4 != 0 {
                    return Flow::Exit(Exit::Issue);
                }
                self.set(op.rd, self.pc().wrapping_add(4));
                Some(target)
            }
            Kind::Beq => jump_if(a == b),
            Kind::Bne => jump_if(a != b),
            Kind::Blt => jump_if((a as i32) < b as i32),
            Kind::Bge => jump_if(a as i32 >= b as i32),
            Kind::Bltu => jump_if(a < b),
            Kind::Bgeu => jump_if(a >= b),
            Kind::Bits => {
                let value = self.page.bits(self.at, a, b.wrapping_add(op.imm));
                self.set(op.rd, value);
                None
            }
            _ => {
                self.set(op.rd, op.compute(kind, a, b));
                None
            }
        };
        match jump {
            Some(target) => Flow::Jump(target),
            None => {
                self.at += 1;
                Flow::Next
            }
        }
    }

    #[inline(always)]
    fn set(&mut self, rd: u8, value: u32) {
        self.registers[usize::from(rd)] = value;
    }

    #[inline(always)]
    fn load(&mut self, op: &MicroOp, width: Width, extend: impl Fn(u32) -> u32) -> Flow<B::Fault> {
        let addr = self.registers[usize::from(op.rs1)].wrapping_add(op.imm);
        if addr % width.bytes() != 0 {
            return Flow::Exit(Exit::Issue);
        }
        match self.bus.load(addr, width) {
            Ok(raw) => {
                if self.spin.is_watching() {
                    note_load(self.bus, self.spin, CompletedLoad { addr, width, raw });
                }
                self.set(op.rd, extend(raw));
                self.at += 1;
                match self.bus.wants_a_break() {
                    true => Flow::Exit(Exit::Break),
                    false => Flow::Next,
                }
            }
            Err(refusal) => Flow::Exit(Exit::Refused(refusal)),
        }
    }

    #[inline(always)]
    fn store(&mut self, addr: u32, width: Width, value: u32) -> Flow<B::Fault> {
        if addr % width.bytes() != 0 {
            return Flow::Exit(Exit::Issue);
        }
        match self.bus.store(self.pc(), addr, width, value) {
            Ok(()) => {
                self.spin.disturb();
                self.at += 1;
                if addr.wrapping_sub(self.base) < CODE_PAGE {
                    return Flow::Exit(Exit::Stored(addr));
                }
                match self.bus.wants_a_break() {
                    true => Flow::Exit(Exit::Break),
                    false => Flow::Next,
                }
            }
            Err(refusal) => Flow::Exit(Exit::Refused(refusal)),
        }
    }
}
