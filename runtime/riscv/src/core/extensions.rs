//! Fences, and the extensions of Blackhole's cores.

use super::port::{note_load, MemoryPort};
use super::Core;
use crate::alu::{atomic, bits};
use crate::bus::{Bus, Refusal, Width};
use crate::csr::{CsrError, Csrs};
use crate::decoded::{Decoded, SINK};
use crate::float::{self, Rounding, SINGLE};
use crate::isa::Extension;
use crate::spin_detector::CompletedLoad;
use crate::table::Op;
use crate::trap::{Reason, Trap};
use crate::weak_memory::Target;

/// The result of an instruction of an extension.
pub(super) enum Outcome {
    Value(u32),
    Jump(u32),
    /// The bus, or a request in flight, prevents the execution.
    Busy,
}

impl Core {
    /// Executes a fence or an instruction of an extension; `a` and `b` are the sources.
    #[inline(never)]
    pub(super) fn execute<P: MemoryPort>(
        &mut self,
        op: Op,
        d: Decoded,
        (a, b): (u32, u32),
        port: &mut P,
    ) -> Result<Outcome, Trap<P::Fault>> {
        if let Some(value) = bits(op, a, b) {
            return Ok(Outcome::Value(value));
        }
        // The immediate of these is the rounding mode and not part of `b`.
        let second = self.registers[usize::from(d.rs2)];
        match op.row().extension {
            Extension::F | Extension::Zfh => return self.compute(op, d, (a, second), port),
            Extension::V => return self.execute_vector(op, d.imm, (a, second), port),
            _ => {}
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
            _ => {
                let (rd, byte) = (d.rd, 0);
                self.change_memory(Target { op, rd, byte }, a, second, port)
            }
        }
    }

    /// Executes a floating-point instruction that does not access memory.
    fn compute<P: MemoryPort>(
        &mut self,
        op: Op,
        d: Decoded,
        (a, second): (u32, u32),
        port: &mut P,
    ) -> Result<Outcome, Trap<P::Fault>> {
        let third = self.registers[usize::from(d.rs3())];
        let is_half = op.row().extension == Extension::Zfh;
        let (kind, rounding) = match is_half {
            true => self.csrs.half_precision(),
            false => (SINGLE, Rounding::Nearest),
        };
        let has_halves = is_half && op.floats()[1] && !matches!(op, Op::FmvXH | Op::FcvtHS);
        let [a, b, c] = match has_halves {
            true => [a, second, third].map(|register| float::unboxed(kind, register)),
            false => [a, second, third],
        };
        let value = match float::execute_move(op, kind, a, b) {
            Some(value) => value,
            None => {
                self.csrs.computed();
                match float::terms(op, kind, [a, b, c]) {
                    Some(terms) if is_half => float::execute_half(op, kind, terms, rounding)
                        .map_err(|float::Unknown| self.trap(Reason::UnknownRounding))?,
                    Some([x, y, z]) => port
                        .bus()
                        .multiply_add(x, y, z)
                        .ok_or_else(|| self.trap(Reason::NoArithmetic))?,
                    None => {
                        float::execute_compare_or_convert(op, kind, rounding, (a, b)).unwrap_or(0)
                    }
                }
            }
        };
        Ok(Outcome::Value(match is_half && op.floats()[0] {
            true if op != Op::FcvtSH => float::boxed(value),
            _ => value,
        }))
    }

    /// Executes an access to a control register and returns the old value; `changes` tells whether
    /// `csrrs` and `csrrc` change any bits.
    fn change_csr<P: MemoryPort>(
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

    /// Performs an atomic operation on the word at an address, which returns the old one, now or
    /// later.
    fn change_memory<P: MemoryPort>(
        &mut self,
        to: Target,
        addr: u32,
        value: u32,
        port: &mut P,
    ) -> Result<Outcome, Trap<P::Fault>> {
        let width = Width::Word;
        if addr % width.bytes() != 0 {
            return Err(self.trap(Reason::MisalignedAccess { addr, width }));
        }
        match port.change(self.pc, addr, (to, value)) {
            Ok(None) => Ok(Outcome::Value(0)),
            Ok(Some(raw)) if atomic(to.op, raw, value) == Some(raw) => {
                note_load(
                    port.bus(),
                    &mut self.spin,
                    CompletedLoad { addr, width, raw },
                );
                Ok(Outcome::Value(raw))
            }
            Ok(Some(raw)) => {
                self.spin.disturb();
                self.note_store(addr, port);
                Ok(Outcome::Value(raw))
            }
            Err(Refusal::Busy) => Ok(Outcome::Busy),
            Err(Refusal::Fault(fault)) => Err(self.trap(Reason::Bus(fault))),
        }
    }
}
