//! Vector instructions that set the type, and vector loads and stores, element by element.

use super::extensions::Outcome;
use super::port::MemoryPort;
use super::Core;
use crate::bus::{Bus, Width};
use crate::decoded::{Decoded, VECTORS};
use crate::table::Op;
use crate::trap::{Reason, Trap};
use crate::vector::{self, Access, Fields, Scalars, Step, VectorError, Vtype};
use crate::weak_memory::Target;

fn width(bits: u32) -> Width {
    match bits {
        8 => Width::Byte,
        16 => Width::Half,
        _ => Width::Word,
    }
}

impl Core {
    /// Returns the vector registers that an instruction accesses, one bit each.
    pub(super) fn touched(&self, next: Decoded) -> u32 {
        let touched = |op| vector::touched(op, next.imm, self.csrs.vectors());
        next.op.map_or(0, touched)
    }

    /// Sets an element: the bytes from `byte` on of register `rd`.
    pub(super) fn set_element(&mut self, rd: u8, byte: u8, width: Width, raw: u32) {
        let k = u32::from(byte) / width.bytes();
        self.vectors.set(rd - VECTORS, 8 * width.bytes(), k, raw);
    }

    /// Executes a vector instruction; `a` and `second` are its scalar sources.
    pub(super) fn execute_vector<P: MemoryPort>(
        &mut self,
        op: Op,
        word: u32,
        (a, second): (u32, u32),
        port: &mut P,
    ) -> Result<Outcome, Trap<P::Fault>> {
        // Polling loops are recognised by x registers only.
        self.spin.disturb();
        if op.is_vector_memory() {
            let access = vector::memory(op, word, self.csrs.vectors());
            let access = access.map_err(|error| self.trap(Reason::Vector(error)))?;
            return self.access(&access, word, (a, second), (op, port));
        }
        let value = match op {
            Op::Vsetvli | Op::Vsetivli | Op::Vsetvl => self.set_type(op, word, (a, second)),
            _ => self.compute_vectors(op, word, a, port.bus()),
        };
        value
            .map(Outcome::Value)
            .map_err(|error| self.trap(Reason::Vector(error)))
    }

    /// Sets the vector type and length; returns the new length.
    fn set_type(&mut self, op: Op, word: u32, (a, second): (u32, u32)) -> Result<u32, VectorError> {
        let (rd, rs1) = (word >> 7 & 31, word >> 15 & 31);
        let (vtype, length) = match op {
            Op::Vsetivli => (word >> 20 & 0x3ff, Some(rs1)),
            _ => {
                let length = match (rs1, rd) {
                    (0, 0) => None,
                    (0, _) => Some(u32::MAX),
                    _ => Some(a),
                };
                let is_register = op == Op::Vsetvl;
                (
                    if is_register {
                        second
                    } else {
                        word >> 20 & 0x7ff
                    },
                    length,
                )
            }
        };
        self.csrs.set_vectors(Vtype(vtype), length)
    }

    fn compute_vectors<B: Bus>(
        &mut self,
        op: Op,
        word: u32,
        value: u32,
        bus: &mut B,
    ) -> Result<u32, VectorError> {
        let config = self.csrs.vectors()?;
        let mut scalars = Scalars {
            value,
            multiply_add: &mut |a, b, c| bus.multiply_add(a, b, c),
            saturates: false,
            computes: false,
        };
        let result = vector::execute(op, word, &config, &mut self.vectors, &mut scalars)?;
        let Scalars {
            saturates,
            computes,
            ..
        } = scalars;
        if saturates {
            self.csrs.saturated();
        }
        if computes {
            self.csrs.computed();
        }
        Ok(result.unwrap_or(0))
    }

    /// Accesses the remaining elements, until memory refuses one.
    fn access<P: MemoryPort>(
        &mut self,
        access: &Access,
        word: u32,
        (base, stride): (u32, u32),
        (op, port): (Op, &mut P),
    ) -> Result<Outcome, Trap<P::Fault>> {
        let fields = Fields::decode(word);
        let bytes = access.bits / 8;
        let total = access.count * access.fields;
        if self.accessed == 0 && access.step == Step::Unit && total > 0 {
            self.check_vector(base, total * bytes, port)?;
        }
        while self.accessed < total {
            let (k, field) = (self.accessed / access.fields, self.accessed % access.fields);
            let offset = match access.step {
                Step::Unit => self.accessed * bytes,
                Step::Strided => k.wrapping_mul(stride).wrapping_add(field * bytes),
                Step::Indexed(bits) => {
                    let offset = self.vectors.get(fields.vs2, bits, k);
                    offset.wrapping_add(field * bytes)
                }
            };
            let register = fields.vd + (field * access.registers) as u8;
            let skips = access.masked && !self.vectors.bit(0, k);
            let addr = base.wrapping_add(offset);
            if !skips {
                self.check_vector(addr, bytes, port)?;
                if !self.access_element(access, (register, k), addr, (op, port))? {
                    return Ok(Outcome::Busy);
                }
            }
            self.accessed += 1;
        }
        self.accessed = 0;
        Ok(Outcome::Value(0))
    }

    fn check_vector<P: MemoryPort>(
        &self,
        addr: u32,
        bytes: u32,
        port: &mut P,
    ) -> Result<(), Trap<P::Fault>> {
        let checked = port.bus().check_vector(addr, bytes);
        checked.map_err(|fault| self.trap(Reason::Bus(fault)))
    }

    /// Loads or stores element `k` of a group; returns whether memory accepts it.
    fn access_element<P: MemoryPort>(
        &mut self,
        access: &Access,
        (register, k): (u8, u32),
        addr: u32,
        (op, port): (Op, &mut P),
    ) -> Result<bool, Trap<P::Fault>> {
        let bits = access.bits;
        if access.is_store {
            let value = self.vectors.get(register, bits, k);
            return self.store(port, addr, width(bits), value);
        }
        let byte = k * bits / 8;
        let to = Target {
            op,
            rd: VECTORS + register + (byte / 16) as u8,
            byte: (byte % 16) as u8,
        };
        let loaded = self.load(port, addr, width(bits), to)?;
        if let Some(value) = loaded {
            self.vectors.set(register, bits, k, value);
        }
        Ok(loaded.is_some())
    }
}
