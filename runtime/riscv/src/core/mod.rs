//! A core: registers, program counter, execution.
//!
//! [`Core::run`] executes instructions as specified. Memory is in order or, after
//! [`Core::set_weak_order`], in an order chosen by a seed among those that the chip permits
//! ([`crate::weak_memory`]).
//!
//! A core in a loop that changes nothing ([`crate::spin_detector`]) *parks*: it does nothing until
//! one of the values that the loop loads has changed. A jump to itself halts the core, and so does
//! a loop that loads nothing. A system of cores is therefore deadlocked when each is parked, halted
//! or refused by its bus, and nothing else advances.

mod extensions;
mod in_order;
mod port;
mod vector;
mod weak;

use std::sync::Arc;

use crate::alu::{div, divu, mulh, mulhsu, mulhu, rem, remu};
use crate::bus::{Bus, Refusal, Width};
use crate::code_library::CodeLibrary;
use crate::csr::Csrs;
use crate::decode_cache::{DecodeCache, SharedCode};
use crate::decoded::{Decoded, FLOATS, REGISTERS};
use crate::float::boxed;
use crate::instruction::{IllegalInstruction, Instruction};
use crate::isa::{Extension, Isa};
use crate::spin_detector::{CompletedLoad, SpinDetector};
use crate::table::Op;
use crate::trap::{Reason, Trap};
use crate::vector::Registers;
use crate::weak_memory::{Target, WeakMemory};
use extensions::Outcome;
use port::{InOrder, MemoryPort};

/// The address to which `ttinsn` stores its operand.
const PUSH_ADDRESS: u32 = 0xffe4_0000;

/// How a run ended. In program order, the core may have executed instructions before;
/// [`Core::retired`] counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The limit was reached, the bus requested a break, or the core is blocked after it has made
    /// progress.
    Ran,
    /// The bus refuses an access for now; the core has made no progress.
    Busy,
    /// The core polls addresses whose values have not changed.
    Parked {
        /// The first of these addresses.
        addr: u32,
    },
    /// The core has jumped to itself or loops without loads, and all its stores have completed.
    Halted,
}

/// Whether and why a core is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Parked,
    Halted,
}

/// A core.
#[derive(Clone, Debug)]
pub struct Core {
    /// x0 to x31, then the sink; from [`FLOATS`] on f0 to f31.
    registers: [u32; REGISTERS],
    pc: u32,
    code: DecodeCache,
    state: State,
    spin: SpinDetector,
    retired: u64,
    /// Those of `retired` that belong to iterations without changes.
    idle: u64,
    order: Option<Box<WeakMemory>>,
    isa: Isa,
    csrs: Box<Csrs>,
    /// The return address of the current interrupt handler.
    interrupted: Option<u32>,
    vectors: Box<Registers>,
    /// Number of elements that the current vector load or store has already accessed.
    accessed: u32,
}

/// Extends a loaded value as the instruction specifies.
#[inline(always)]
fn extend(op: Op, raw: u32) -> u32 {
    match op {
        Op::Lb => raw as i8 as u32,
        Op::Lh => raw as i16 as u32,
        Op::Flh => boxed(raw),
        _ => raw,
    }
}

impl Core {
    /// Creates a core that begins at `pc`, with all registers 0 and memory in order.
    pub fn new(isa: Isa, pc: u32) -> Self {
        Core {
            registers: [0; REGISTERS],
            pc,
            code: DecodeCache::new(isa),
            state: State::Running,
            spin: SpinDetector::new(),
            retired: 0,
            idle: 0,
            order: None,
            isa,
            csrs: Box::new(Csrs::new(isa)),
            interrupted: None,
            vectors: Box::new(Registers::new()),
            accessed: 0,
        }
    }

    /// Resets the core to begin at `pc`, with the initial registers. Outstanding requests are
    /// discarded.
    pub fn reset(&mut self, pc: u32) {
        self.registers = [0; REGISTERS];
        self.pc = pc;
        self.state = State::Running;
        self.spin.disturb();
        *self.csrs = Csrs::new(self.isa);
        self.interrupted = None;
        *self.vectors = Registers::new();
        self.accessed = 0;
        if let Some(order) = &mut self.order {
            order.forget_requests();
        }
    }

    /// Lets the core use the decoded code of an image that is in memory now. It has the same effect
    /// as decoding the words when they are executed. `version` returns the version of the code
    /// around an address ([`Bus::code_version`]). Code for another instruction set is not used.
    pub fn share_code(&mut self, code: Arc<SharedCode>, version: impl Fn(u32) -> u32) {
        self.code.share(code, version);
    }

    /// Lets the core share decoded pages with the other cores of a library. It has the same effect
    /// as decoding the words when they are executed.
    pub fn set_library(&mut self, library: Arc<CodeLibrary>) {
        self.code.set_library(library);
    }

    /// Makes memory weakly ordered from now on, as determined by `seed`.
    pub fn set_weak_order(&mut self, seed: u64) {
        self.order = Some(Box::new(WeakMemory::new(self.isa, seed)));
    }

    /// Returns whether the core can be interrupted now: it supports interrupts and handles none.
    pub fn can_be_interrupted(&self) -> bool {
        self.isa.has(Extension::Mret) && self.interrupted.is_none()
    }

    /// Interrupts the core, if possible; the handler is at `pc`.
    pub fn interrupt(&mut self, pc: u32) {
        if self.can_be_interrupted() {
            self.interrupted = Some(self.pc);
            self.csrs.interrupted(self.pc);
            self.pc = pc;
            self.state = State::Running;
            self.spin.disturb();
        }
    }

    /// Returns a register; those past x31 do not exist and are 0.
    pub fn register(&self, k: u8) -> u32 {
        match k {
            1..=31 => self.registers[usize::from(k)],
            _ => 0,
        }
    }

    /// Returns a floating-point register; those past f31 do not exist and are 0.
    pub fn float_register(&self, k: u8) -> u32 {
        match k {
            0..=31 => self.registers[usize::from(FLOATS + k)],
            _ => 0,
        }
    }

    /// Sets a floating-point register, if it exists.
    pub fn set_float_register(&mut self, k: u8, value: u32) {
        if k < 32 {
            self.registers[usize::from(FLOATS + k)] = value;
        }
    }

    /// Returns a vector register; those past v31 do not exist and are 0.
    pub fn vector_register(&self, k: u8) -> [u8; 16] {
        self.vectors.register(k).unwrap_or_default()
    }

    /// Sets a vector register, if it exists.
    pub fn set_vector_register(&mut self, k: u8, value: [u8; 16]) {
        self.vectors.set_register(k, value);
    }

    /// Sets a register; x0 and those that do not exist stay 0.
    pub fn set_register(&mut self, k: u8, value: u32) {
        if (1..32).contains(&k) {
            self.registers[usize::from(k)] = value;
        }
    }

    /// Returns the address of the next instruction.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Returns the next instruction, if it has been fetched.
    pub fn next_instruction(&self) -> Option<Instruction> {
        self.code.cached(self.pc)
    }

    /// Returns the number of instructions executed. Iterations of a polling loop while parked do
    /// not count.
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// Returns the addresses that a parked core polls.
    pub fn polled(&self) -> impl Iterator<Item = u32> + '_ {
        self.spin.loads().iter().map(|seen| seen.addr)
    }

    /// Like [`retired`](Self::retired), without the iterations that were needed to detect that a
    /// loop changes nothing.
    pub fn retired_outside_polling(&self) -> u64 {
        self.retired - self.idle
    }

    /// Returns the addresses of the stores that have left the store queue and are not complete.
    pub fn sent_stores(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.iter().flat_map(|order| order.sent_stores())
    }

    /// Runs up to `limit` instructions; with weakly ordered memory, up to `limit` steps of memory
    /// or core.
    ///
    /// # Errors
    /// A [`Trap`]; the core stays at the instruction.
    pub fn run<B: Bus>(&mut self, bus: &mut B, limit: u64) -> Result<Step, Trap<B::Fault>> {
        self.code.enter(self.pc, bus);
        match self.order.take() {
            None => self.run_in_order(bus, limit),
            Some(mut order) => {
                let result = self.run_weakly(bus, &mut order, limit);
                self.order = Some(order);
                result
            }
        }
    }

    /// Runs up to `limit` instructions in order, fetching and decoding each one. Slow: the
    /// reference for tests and benchmarks of the decode cache.
    ///
    /// # Errors
    /// A [`Trap`], as [`run`](Self::run).
    pub fn run_undecoded<B: Bus>(
        &mut self,
        bus: &mut B,
        limit: u64,
    ) -> Result<Step, Trap<B::Fault>> {
        for _ in 0..limit {
            let word = bus
                .fetch(self.pc)
                .map_err(|fault| self.trap(Reason::Fetch(fault)))?;
            let decoded = Decoded::decode(word, self.isa);
            if decoded.op.is_none() {
                return Err(self.illegal(word));
            }
            if !self.issue(decoded, &mut InOrder(bus))? {
                return Ok(Step::Busy);
            }
            if self.state == State::Halted {
                return Ok(Step::Halted);
            }
        }
        Ok(Step::Ran)
    }

    /// Decodes the instruction at the program counter, which is not cached or outside the current
    /// page.
    #[cold]
    fn decode_next<B: Bus>(&mut self, bus: &mut B) -> Result<Decoded, Trap<B::Fault>> {
        self.code.enter(self.pc, bus);
        let next = self.code.lookup(self.pc);
        if next.op.is_some() {
            return Ok(next);
        }
        let word = bus
            .fetch(self.pc)
            .map_err(|fault| self.trap(Reason::Fetch(fault)))?;
        let next = self.code.decode(self.pc, word);
        match next.op {
            Some(_) => Ok(next),
            None => Err(self.illegal(word)),
        }
    }

    /// Returns how a stopped core ends its run; `None` once a value that it polls has changed.
    fn wait<B: Bus>(&mut self, bus: &mut B) -> Result<Option<Step>, Trap<B::Fault>> {
        let Some(&CompletedLoad { addr, .. }) = self.spin.loads().first() else {
            return Ok(Some(Step::Halted));
        };
        for &CompletedLoad { addr, width, raw } in self.spin.loads() {
            match bus.load(addr, width) {
                Ok(now) if now != raw => {
                    self.state = State::Running;
                    self.spin.disturb();
                    return Ok(None);
                }
                Ok(_) | Err(Refusal::Busy) => {}
                Err(Refusal::Fault(fault)) => return Err(self.trap(Reason::Bus(fault))),
            }
        }
        Ok(Some(Step::Parked { addr }))
    }

    #[cold]
    fn trap<F>(&self, reason: Reason<F>) -> Trap<F> {
        Trap {
            pc: self.pc,
            instruction: self.next_instruction(),
            reason,
        }
    }

    #[cold]
    fn illegal<F>(&self, word: u32) -> Trap<F> {
        self.trap(Reason::Illegal(IllegalInstruction {
            word,
            isa: self.isa,
        }))
    }

    /// Executes one instruction; returns whether the bus permitted it.
    #[inline(always)]
    fn issue<P: MemoryPort>(&mut self, d: Decoded, port: &mut P) -> Result<bool, Trap<P::Fault>> {
        let pc = self.pc;
        let a = self.registers[usize::from(d.rs1)];
        let second = self.registers[usize::from(d.rs2)];
        // Formats with an immediate have no second register and vice versa, except for stores and
        // branches, which use `second`.
        let b = second.wrapping_add(d.imm);
        let addr = a.wrapping_add(d.imm);
        let mut next = pc.wrapping_add(4);
        let mut jump = |taken: bool, target: u32| {
            if taken {
                next = target;
            }
            0
        };
        let Some(op) = d.op else {
            return Err(self.illegal(0));
        };
        let target = pc.wrapping_add(d.imm);
        let value = match op {
            Op::Lui => d.imm,
            Op::Auipc => target,
            Op::Jal => {
                jump(true, target);
                pc.wrapping_add(4)
            }
            Op::Jalr => {
                jump(true, addr & !1);
                pc.wrapping_add(4)
            }
            Op::Beq => jump(a == second, target),
            Op::Bne => jump(a != second, target),
            Op::Blt => jump((a as i32) < second as i32, target),
            Op::Bge => jump(a as i32 >= second as i32, target),
            Op::Bltu => jump(a < second, target),
            Op::Bgeu => jump(a >= second, target),
            Op::Lb | Op::Lbu | Op::Lh | Op::Lhu | Op::Lw | Op::Flw | Op::Flh => {
                let width = match op {
                    Op::Lb | Op::Lbu => Width::Byte,
                    Op::Lh | Op::Lhu | Op::Flh => Width::Half,
                    _ => Width::Word,
                };
                let to = Target {
                    op,
                    rd: d.rd,
                    byte: 0,
                };
                match self.load(port, addr, width, to)? {
                    Some(value) => value,
                    None => return Ok(false),
                }
            }
            Op::Sb | Op::Sh | Op::Sw | Op::Fsw | Op::Fsh => {
                let width = match op {
                    Op::Sb => Width::Byte,
                    Op::Sh | Op::Fsh => Width::Half,
                    _ => Width::Word,
                };
                if !self.store(port, addr, width, second)? {
                    return Ok(false);
                }
                0
            }
            Op::Ttinsn => {
                if !self.store(port, PUSH_ADDRESS, Width::Word, d.imm)? {
                    return Ok(false);
                }
                0
            }
            Op::Addi | Op::Add => a.wrapping_add(b),
            Op::Sub => a.wrapping_sub(b),
            Op::Slti | Op::Slt => u32::from((a as i32) < b as i32),
            Op::Sltiu | Op::Sltu => u32::from(a < b),
            Op::Xori | Op::Xor => a ^ b,
            Op::Ori | Op::Or => a | b,
            Op::Andi | Op::And => a & b,
            Op::Slli | Op::Sll => a.wrapping_shl(b),
            Op::Srli | Op::Srl => a.wrapping_shr(b),
            Op::Srai | Op::Sra => (a as i32).wrapping_shr(b) as u32,
            Op::Mul => a.wrapping_mul(b),
            Op::Mulh => mulh(a, b),
            Op::Mulhsu => mulhsu(a, b),
            Op::Mulhu => mulhu(a, b),
            Op::Div => div(a, b),
            Op::Divu => divu(a, b),
            Op::Rem => rem(a, b),
            Op::Remu => remu(a, b),
            Op::Ecall => return Err(self.trap(Reason::Ecall)),
            Op::Ebreak => return Err(self.trap(Reason::Ebreak)),
            _ => match self.execute(op, d, (a, b), port)? {
                Outcome::Value(value) => value,
                Outcome::Jump(target) => jump(true, target),
                Outcome::Busy => return Ok(false),
            },
        };
        if next % 4 != 0 {
            return Err(self.trap(Reason::MisalignedJump(next)));
        }
        self.registers[usize::from(d.rd)] = value;
        if d.rd >= FLOATS {
            // Polling loops are recognised by x registers only.
            self.spin.disturb();
        }
        self.pc = next;
        self.retired += 1;
        if next <= pc {
            self.note_jump_back(pc, port);
        }
        Ok(true)
    }

    /// Records that code may have changed.
    #[inline(always)]
    fn note_store<P: MemoryPort>(&mut self, addr: u32, port: &P) {
        if self.code.is_current(addr) {
            self.code.renew(port.code_version(addr));
        }
    }

    #[inline(always)]
    fn note_jump_back<P: MemoryPort>(&mut self, from: u32, port: &P) {
        if self.pc == from {
            self.spin.halt();
            self.state = State::Halted;
            return;
        }
        if !port.is_settled() {
            return;
        }
        let idle = self.spin.jump_back(self.pc, &self.registers, self.retired);
        if let Some(idle) = idle {
            self.idle += idle;
            self.state = State::Parked;
        }
    }

    /// Returns the extended value, or `None` if the bus is busy.
    #[inline(always)]
    fn load<P: MemoryPort>(
        &mut self,
        port: &mut P,
        addr: u32,
        width: Width,
        to: Target,
    ) -> Result<Option<u32>, Trap<P::Fault>> {
        if addr % width.bytes() != 0 {
            return Err(self.trap(Reason::MisalignedAccess { addr, width }));
        }
        match port.load(self.pc, addr, width, to) {
            Ok(raw) => {
                port.note_load(&mut self.spin, CompletedLoad { addr, width, raw });
                Ok(Some(extend(to.op, raw)))
            }
            Err(Refusal::Busy) => Ok(None),
            Err(Refusal::Fault(fault)) => Err(self.trap(Reason::Bus(fault))),
        }
    }

    #[inline(always)]
    fn store<P: MemoryPort>(
        &mut self,
        port: &mut P,
        addr: u32,
        width: Width,
        value: u32,
    ) -> Result<bool, Trap<P::Fault>> {
        if addr % width.bytes() != 0 {
            return Err(self.trap(Reason::MisalignedAccess { addr, width }));
        }
        match port.store(self.pc, addr, width, value) {
            Ok(_) => {
                self.spin.disturb();
                self.note_store(addr, port);
                Ok(true)
            }
            Err(Refusal::Busy) => Ok(false),
            Err(Refusal::Fault(fault)) => Err(self.trap(Reason::Bus(fault))),
        }
    }
}
