//! Fences, and the instructions that only Blackhole's cores have.

use super::port::{note_load, Port};
use super::Core;
use crate::alu::{atomic, bits};
use crate::bus::{Bus, Refusal, Width};
use crate::code::{Decoded, SINK};
use crate::csr::{CsrError, Csrs};
use crate::float;
use crate::spin::Seen;
use crate::table::Op;
use crate::trap::{Reason, Trap};

/// What one of the less common instructions comes to.
pub(super) enum Outcome {
    Value(u32),
    Jump(u32),
    /// The bus, or what is on its way to it, does not let it.
    Busy,
}

impl Core {
    /// Fences and what only Blackhole has, where `a` and `b` are the sources.
    #[inline(never)]
    pub(super) fn execute<P: Port>(
        &mut self,
        op: Op,
        d: Decoded,
        (a, b): (u32, u32),
        port: &mut P,
    ) -> Result<Outcome, Trap<P::Fault>> {
        if let Some(value) = bits(op, a, b) {
            return Ok(Outcome::Value(value));
        }
        // The immediate of these is the rounding mode, so the second source is not `b`.
        let second = self.registers[usize::from(d.rs2 & 127)];
        if let Some(value) = float::moved(op, a, second) {
            return Ok(Outcome::Value(value));
        }
        let third = self.registers[usize::from(d.rs3() & 127)];
        if let Some([x, y, z]) = float::terms(op, a, second, third) {
            self.csrs.computed();
            let sum = port.bus().multiply_add(x, y, z);
            let sum = sum.ok_or_else(|| self.trap(Reason::NoArithmetic))?;
            return Ok(Outcome::Value(sum));
        }
        if let Some(value) = float::compared_or_converted(op, a, second) {
            self.csrs.computed();
            return Ok(Outcome::Value(value));
        }
        match op {
            Op::Fence | Op::FenceTso if self.isa.is_blackhole() && !port.is_drained() => {
                Ok(Outcome::Busy)
            }
            Op::Fence | Op::FenceTso => Ok(Outcome::Value(0)),
            Op::Mret => {
                let back = self.interrupted.take();
                let back = back.ok_or_else(|| self.trap(Reason::NotInterrupted))?;
                self.spin.disturb();
                Ok(Outcome::Jump(back))
            }
            Op::Csrrw | Op::Csrrs | Op::Csrrc => self.change_csr(op, d, (a, d.rs1 != 0), port),
            Op::Csrrwi | Op::Csrrsi | Op::Csrrci => {
                let value = d.imm >> 12;
                self.change_csr(op, d, (value, value != 0), port)
            }
            _ => self.change_memory(op, a, second, port),
        }
    }

    /// A control register's old value; `changes` says whether there are bits that `csrrs` and `csrrc` change.
    fn change_csr<P: Port>(
        &mut self,
        op: Op,
        d: Decoded,
        (value, changes): (u32, bool),
        port: &mut P,
    ) -> Result<Outcome, Trap<P::Fault>> {
        let number = d.imm as u16 & 0xfff;
        let replaces = matches!(op, Op::Csrrw | Op::Csrrwi);
        let reads = !(replaces && d.rd == SINK);
        let writes = replaces || changes;
        let access = |csrs: &mut Csrs, bus: &mut P::Bus, retired| {
            let old = match reads {
                true => csrs.read(number, bus, retired)?,
                false => 0,
            };
            let new = match op {
                Op::Csrrw | Op::Csrrwi => value,
                Op::Csrrs | Op::Csrrsi => old | value,
                _ => old & !value,
            };
            if writes {
                csrs.write(number, new, bus, retired)?;
            }
            Ok(old)
        };
        if writes || self.csrs.reading_changes(number) {
            self.spin.disturb();
        }
        let old = match self.interrupted {
            Some(_) if writes => Err(CsrError::InHandler(number)),
            _ => access(&mut self.csrs, port.bus(), self.retired),
        };
        old.map(Outcome::Value)
            .map_err(|error| self.trap(Reason::Csr(error)))
    }

    /// An atomic operation on the word at an address; it gives the old one.
    fn change_memory<P: Port>(
        &mut self,
        op: Op,
        addr: u32,
        value: u32,
        port: &mut P,
    ) -> Result<Outcome, Trap<P::Fault>> {
        let width = Width::Word;
        if addr % width.bytes() != 0 {
            return Err(self.trap(Reason::MisalignedAccess { addr, width }));
        }
        let change = |old| atomic(op, old, value).unwrap_or(old);
        match port.change(self.pc, addr, change) {
            Ok(raw) if change(raw) == raw => {
                note_load(port.bus(), &mut self.spin, Seen { addr, width, raw });
                Ok(Outcome::Value(raw))
            }
            Ok(raw) => {
                self.spin.disturb();
                self.note_store(addr, port);
                Ok(Outcome::Value(raw))
            }
            Err(Refusal::Busy) => Ok(Outcome::Busy),
            Err(Refusal::Fault(fault)) => Err(self.trap(Reason::Bus(fault))),
        }
    }
}
