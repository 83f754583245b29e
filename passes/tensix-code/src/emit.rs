//! Emission of instructions: materializes constants, allocates LRegs in a linear scan, and inserts
//! an SFPNOP where a result would be read too early.

use tessera_isa_tensix::table::{
    Instruction, Sfpabs, Sfpadd, Sfpand, Sfpcast, Sfpencc, Sfpexexp, Sfpexman, Sfpiadd, Sfpload,
    Sfploadi, Sfpmad, Sfpmov, Sfpmul, Sfpnop, Sfpnot, Sfpor, Sfpsetcc, Sfpsetexp, Sfpsetman,
    Sfpsetsgn, Sfpshft, Sfpstochrnd, Sfpstore, Sfpswap, Sfpxor,
};

use crate::builder::SfpuBuilder;
use crate::schedule::schedule;
use crate::virtual_inst::{Condition, Op, Operand, Reg, VirtualInst};

/// Number of allocatable LRegs.
const LREGS: usize = 8;
/// LRegs with constant content (`LReg.md`).
const FIXED: [(u32, u32); 3] = [(8, 0x3F56_594B), (9, 0), (10, 0x3F80_0000)];
/// The LRegs with the constants 0 and 1.0.
const ZERO: u32 = 9;
const ONE: u32 = 10;
/// SFPLOAD mode for 32-bit floats, which keeps all bits.
const FP32: u32 = 3;
/// SFPSTORE mode for 32 bits unchanged. Memory may hold denormals, and the documentation is
/// ambiguous about storing them as FP32.
const INT32: u32 = 4;

impl SfpuBuilder {
    /// Returns the instructions for 32 elements, or `None` if they need too many LRegs. The last
    /// access to Dst uses address mode `last`, all others use mode 0.
    pub fn instructions(self, last: u32) -> Option<Vec<Instruction>> {
        let items = materialize_constants(self);
        let early = emit(&schedule(items.clone()), last);
        // Scheduling lengthens live ranges, so retry without it.
        early.or_else(|| emit(&items, last))
    }
}

/// Loads constants that no LReg holds into registers, right before their uses.
fn materialize_constants(mut code: SfpuBuilder) -> Vec<VirtualInst> {
    let mut items = Vec::new();
    for mut item in std::mem::take(&mut code.items) {
        for operand in &mut item.reads {
            let Operand::Constant(number) = *operand else {
                continue;
            };
            if !FIXED.iter().any(|(_, fixed)| *fixed == number) {
                *operand = Operand::Reg(code.constant(number));
                items.append(&mut code.items);
            }
        }
        items.push(item);
    }
    items
}

/// Returns the last use of each register.
fn last_uses(items: &[VirtualInst]) -> Vec<usize> {
    let mut last = Vec::new();
    for (number, item) in items.iter().enumerate() {
        for reg in item.inputs().chain(item.outputs()) {
            if last.len() <= reg.0 {
                last.resize(reg.0 + 1, 0);
            }
            last[reg.0] = number;
        }
    }
    last
}

struct Emitter {
    out: Vec<Instruction>,
    allocation: Vec<Option<u32>>,
    free: Vec<u32>,
    /// LReg that the previous instruction writes too late for the next one to read.
    pending: Option<u32>,
}

fn emit(items: &[VirtualInst], last_mode: u32) -> Option<Vec<Instruction>> {
    let last = last_uses(items);
    let mut emitter = Emitter {
        out: Vec::new(),
        allocation: vec![None; last.len()],
        free: (0..LREGS as u32).rev().collect(),
        pending: None,
    };
    let accesses = |item: &VirtualInst| matches!(item.op, Op::Load(_) | Op::Store(_));
    let final_access = items.iter().rposition(accesses);
    for (number, item) in items.iter().enumerate() {
        let mode = match Some(number) == final_access {
            true => last_mode,
            false => 0,
        };
        emitter.item(item, mode, |reg| last[reg.0] == number)?;
    }
    Some(emitter.out)
}

impl Emitter {
    fn lreg(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Reg(reg) => self.allocation[reg.0].expect("registers are written before"),
            Operand::Constant(number) => {
                let fixed = FIXED.iter().find(|(_, fixed)| *fixed == number);
                fixed.expect("other numbers are in registers").0
            }
        }
    }

    fn item(&mut self, item: &VirtualInst, mode: u32, ends: impl Fn(Reg) -> bool) -> Option<()> {
        let reads: Vec<u32> = item.reads.iter().map(|read| self.lreg(*read)).collect();
        let kept = item.dest.filter(|_| item.reads_dest);
        let kept = kept.map(|reg| self.lreg(reg.into()));
        let other = item.other.map(|reg| self.lreg(reg.into()));
        for reg in item.inputs() {
            if ends(reg) {
                self.free.extend(self.allocation[reg.0].take());
            }
        }
        let mut dest = kept;
        if let (Some(reg), None) = (item.dest, kept) {
            let given = self.allocate(item, &reads)?;
            self.allocation[reg.0] = Some(given);
            dest = Some(given);
            if ends(reg) {
                self.free.extend(self.allocation[reg.0].take());
            }
        }
        let is_needless = item.op == Op::Copy && dest == reads.first().copied();
        if !is_needless {
            let read = reads.iter().copied().chain(kept).chain(other);
            let read: Vec<u32> = read.collect();
            if self.pending.is_some_and(|pending| read.contains(&pending)) {
                self.out.push(Sfpnop {}.into());
            }
            self.instruction(item.op, dest.unwrap_or(0), &reads, other, mode);
            self.pending = dest.filter(|_| item.op.is_multi_cycle());
        }
        Some(())
    }

    /// Allocates an LReg for a new register. A copy reuses its source's LReg if that is dead.
    fn allocate(&mut self, item: &VirtualInst, reads: &[u32]) -> Option<u32> {
        let original = reads.first().filter(|_| item.op == Op::Copy);
        let at = original.and_then(|lreg| self.free.iter().position(|free| free == lreg));
        match at {
            Some(at) => Some(self.free.remove(at)),
            None => self.free.pop(),
        }
    }

    fn push(&mut self, instruction: impl Into<Instruction>) {
        self.out.push(instruction.into());
    }

    fn instruction(
        &mut self,
        op: Op,
        lreg_dest: u32,
        reads: &[u32],
        other: Option<u32>,
        sfpu_addr_mode: u32,
    ) {
        let read = |number: usize| reads.get(number).copied().unwrap_or(0);
        let lreg_c = read(0);
        match op {
            Op::Load(dest_reg_addr) => self.push(Sfpload {
                lreg_ind: lreg_dest,
                instr_mod0: FP32,
                sfpu_addr_mode,
                dest_reg_addr,
            }),
            Op::Store(dest_reg_addr) => self.push(Sfpstore {
                lreg_ind: lreg_c,
                instr_mod0: INT32,
                sfpu_addr_mode,
                dest_reg_addr,
            }),
            Op::Constant(number) => self.load_constant(lreg_dest, number),
            Op::Mad => self.push(Sfpmad {
                lreg_src_a: read(0),
                lreg_src_b: read(1),
                lreg_src_c: read(2),
                lreg_dest,
                instr_mod1: 0,
            }),
            Op::Add => self.push(Sfpadd {
                lreg_src_a: ONE,
                lreg_src_b: read(0),
                lreg_src_c: read(1),
                lreg_dest,
                instr_mod1: 0,
            }),
            Op::Mul => self.push(Sfpmul {
                lreg_src_a: read(0),
                lreg_src_b: read(1),
                lreg_src_c: ZERO,
                lreg_dest,
                instr_mod1: 0,
            }),
            Op::Sort => self.push(Sfpswap {
                lreg_src_c: other.unwrap_or(0),
                lreg_dest,
                instr_mod1: 1,
            }),
            Op::If(condition) => self.push(Sfpsetcc {
                imm12_math: 0,
                lreg_c,
                lreg_dest: 0,
                instr_mod1: match condition {
                    Condition::Negative => 0,
                    Condition::NotZero => 2,
                    Condition::NotNegative => 4,
                    Condition::Zero => 6,
                },
            }),
            // Sets the flags of all lanes, which are enabled already.
            Op::EndIf => self.push(Sfpencc {
                imm12_math: 0,
                lreg_dest: 0,
                instr_mod1: 0,
            }),
            Op::Nop => self.push(Sfpnop {}),
            Op::RoundBf16 => self.push(Sfpstochrnd {
                rnd_mode: 0,
                imm8_math: 0,
                lreg_src_b: 0,
                lreg_src_c: lreg_c,
                lreg_dest,
                instr_mod1: 1,
            }),
            Op::Cast => self.push(Sfpcast {
                lreg_src_c: lreg_c,
                lreg_dest,
                instr_mod1: 0,
            }),
            _ => self.bits(op, lreg_c, lreg_dest),
        }
    }

    /// Emits operations on the bits of one or two registers.
    fn bits(&mut self, op: Op, lreg_c: u32, lreg_dest: u32) {
        let copy = |instr_mod1| Sfpmov {
            lreg_c,
            lreg_dest,
            instr_mod1,
        };
        let sign = |imm12_math, instr_mod1| Sfpsetsgn {
            imm12_math,
            lreg_c,
            lreg_dest,
            instr_mod1,
        };
        // Bit 2: the flags stay. Bit 3: they are the opposite.
        let integer = |imm12_math, instr_mod1| Sfpiadd {
            imm12_math,
            lreg_c,
            lreg_dest,
            instr_mod1,
        };
        let shift = |imm12_math, instr_mod1| Sfpshft {
            imm12_math,
            lreg_c,
            lreg_dest,
            instr_mod1,
        };
        let twelve = |number: i16| u32::from(number as u16) & 0xfff;
        match op {
            Op::Copy => self.push(copy(0)),
            Op::Negate => self.push(copy(1)),
            Op::CopySign => self.push(sign(0, 0)),
            Op::SetSign(set) => self.push(sign(u32::from(set), 1)),
            Op::SetExponent(exponent) => self.push(Sfpsetexp {
                imm12_math: exponent.into(),
                lreg_c,
                lreg_dest,
                instr_mod1: 1,
            }),
            Op::SetMantissa(mantissa) => self.push(Sfpsetman {
                imm12_math: mantissa.into(),
                lreg_c,
                lreg_dest,
                instr_mod1: 1,
            }),
            Op::Exponent => self.push(Sfpexexp {
                lreg_c,
                lreg_dest,
                instr_mod1: 0,
            }),
            Op::Mantissa(hidden) => self.push(Sfpexman {
                lreg_c,
                lreg_dest,
                instr_mod1: u32::from(!hidden),
            }),
            Op::IntAbs => self.push(Sfpabs {
                lreg_c,
                lreg_dest,
                instr_mod1: 0,
            }),
            Op::IntAddNumber(number) => self.push(integer(twelve(number), 5)),
            Op::IntAdd => self.push(integer(0, 4)),
            Op::IntSub => self.push(integer(0, 6)),
            Op::IntSubIf { negative } => self.push(integer(0, if negative { 2 } else { 10 })),
            Op::ShiftBy(by) => self.push(shift(twelve(by.into()), 1)),
            Op::Shift => self.push(shift(0, 0)),
            Op::And => self.push(Sfpand {
                imm12_math: 0,
                lreg_c,
                lreg_dest,
                instr_mod1: 0,
            }),
            Op::Or => self.push(Sfpor {
                imm12_math: 0,
                lreg_c,
                lreg_dest,
                instr_mod1: 0,
            }),
            Op::Xor => self.push(Sfpxor { lreg_c, lreg_dest }),
            Op::Not => self.push(Sfpnot { lreg_c, lreg_dest }),
            _ => unreachable!("{op:?} is none of those that work on bits"),
        }
    }

    /// Loads a constant by one immediate if possible, otherwise by two.
    fn load_constant(&mut self, lreg_ind: u32, number: u32) {
        const BF16: u32 = 0;
        const FP16: u32 = 1;
        const UNSIGNED: u32 = 2;
        const SIGNED: u32 = 4;
        const UPPER: u32 = 8;
        let exponent = number >> 23 & 0xff;
        let immediates = if number & 0xffff == 0 {
            vec![(BF16, number >> 16)]
        } else if number >> 16 == 0 {
            vec![(UNSIGNED, number)]
        } else if number as i32 == i32::from(number as i16) {
            vec![(SIGNED, number & 0xffff)]
        } else if number & 0x1fff == 0 && (112..144).contains(&exponent) {
            let sign = number >> 31 << 15;
            vec![(FP16, sign | (exponent - 112) << 10 | number >> 13 & 0x3ff)]
        } else {
            vec![(UNSIGNED, number & 0xffff), (UPPER, number >> 16)]
        };
        for (instr_mod0, imm16) in immediates {
            self.push(Sfploadi {
                lreg_ind,
                instr_mod0,
                imm16,
            });
        }
    }
}
