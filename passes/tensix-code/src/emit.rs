//! Emission of instructions: keeps constants in LRegs across iterations of a loop, materializes
//! other constants, allocates LRegs in a linear scan, and inserts an SFPNOP where a result would be
//! read too early.

use tessera_isa_tensix::table::{
    Instruction, Sfpabs, Sfpadd, Sfpand, Sfpcast, Sfpconfig, Sfpencc, Sfpexexp, Sfpexman, Sfpiadd,
    Sfpload, Sfploadi, Sfpmad, Sfpmov, Sfpmul, Sfpnop, Sfpnot, Sfpor, Sfpsetcc, Sfpsetexp,
    Sfpsetman, Sfpsetsgn, Sfpshft, Sfpstochrnd, Sfpstore, Sfpswap, Sfpxor,
};

use crate::builder::SfpuBuilder;
use crate::residents::{self, Residents};
use crate::schedule::schedule;
use crate::virtual_inst::{Condition, Op, Operand, Reg, VirtualInst};

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
        emit_with(self, &Residents::default(), last)
    }

    /// Returns the program as the body of a loop, with constants in LRegs, or `None` if it needs
    /// too many LRegs. The last access to Dst uses address mode `last`, all others use mode 0.
    pub fn loop_code(self, last: u32) -> Option<LoopCode> {
        let code = |residents: Residents| {
            let body = emit_with(self.clone(), &residents, last)?;
            let setup = load_residents(&residents);
            Some(LoopCode { setup, body })
        };
        let choices = residents::choices(&self);
        let (frugal, others): (Vec<_>, Vec<_>) =
            choices.into_iter().partition(|one| one.loaded.is_empty());
        // A choice that leaves more LRegs may allow a better schedule.
        let others = others.into_iter().filter_map(code).take(MAX_COMPARED);
        let frugal = frugal.into_iter().filter_map(code).take(MAX_COMPARED);
        others.chain(frugal).min_by_key(|code| code.body.len())
    }
}

/// The code of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopCode {
    /// Instructions before the loop, which load constants.
    pub setup: Vec<Instruction>,
    /// The instructions of an iteration.
    pub body: Vec<Instruction>,
}

fn emit_with(code: SfpuBuilder, residents: &Residents, last: u32) -> Option<Vec<Instruction>> {
    let shared: &[usize] = match code.is_paired {
        true => &[2, 1],
        false => &[0],
    };
    let codes = shared.iter().filter_map(|&shared| {
        let items = materialize_constants(code.clone(), residents, shared);
        // Scheduling lengthens live ranges, and may need too many LRegs.
        let as_written = emit(&items, residents, last)?;
        let scheduled = emit(&schedule(items), residents, last);
        let scheduled = scheduled.filter(|code| code.len() <= as_written.len());
        Some(scheduled.unwrap_or(as_written))
    });
    codes.min_by_key(Vec::len)
}

/// Most choices of resident constants that are compared.
const MAX_COMPARED: usize = 4;

/// Instructions after a use within which another use shares the register of a constant.
const SHARING_DISTANCE: usize = 4;

/// Loads constants that no LReg holds into registers, right before their uses. Uses by two vectors
/// share the registers of the last `shareable` constants.
fn materialize_constants(
    mut code: SfpuBuilder,
    residents: &Residents,
    shareable: usize,
) -> Vec<VirtualInst> {
    let replaced = residents.replaced_registers(&code.items);
    let mut items = Vec::new();
    let mut is_conditional = false;
    let mut items_done = 0;
    // The last shareable loads, and the number of items up to each.
    let mut shared: Vec<(u32, Reg, usize)> = Vec::new();
    for mut item in std::mem::take(&mut code.items) {
        if let (Op::Constant(number), Some(dest)) = (item.op, item.dest) {
            if replaced.contains_key(&dest) {
                continue;
            }
            if residents.lreg(number).is_some() {
                item.op = Op::Copy;
                item.reads = vec![Operand::Constant(number)];
            }
        }
        for operand in &mut item.reads {
            if let Operand::Reg(reg) = operand {
                if let Some(number) = replaced.get(reg) {
                    *operand = Operand::Constant(*number);
                }
            }
            let Operand::Constant(number) = *operand else {
                continue;
            };
            if residents.lreg(number).is_some() {
                continue;
            }
            let is_overwritten = matches!(item.op, Op::Min | Op::Max);
            let is_shareable = !is_overwritten && !is_conditional;
            let known = shared.iter().find(|(known, _, loaded)| {
                *known == number && is_shareable && items_done - loaded < SHARING_DISTANCE
            });
            let known = known.map(|(_, reg, _)| *reg);
            let reg = known.unwrap_or_else(|| code.constant(number));
            items.append(&mut code.items);
            *operand = Operand::Reg(reg);
            if known.is_none() && is_shareable {
                shared.push((number, reg, items_done));
                shared.drain(..shared.len().saturating_sub(shareable));
            }
        }
        items_done += 1;
        is_conditional = match item.op {
            Op::EndIf => false,
            op => is_conditional || op.narrows_lanes(),
        };
        items.push(item);
    }
    items
}

/// Emits the loads of constants: first those that take LReg 0 to be configured.
fn load_residents(residents: &Residents) -> Vec<Instruction> {
    let mut emitter = Emitter::new(residents, 0);
    for &(config_dest, number) in &residents.configured {
        emitter.load_constant(0, number);
        emitter.push(Sfpconfig {
            imm16_math: 0,
            config_dest,
            instr_mod1: 0,
        });
    }
    for &(lreg, number) in &residents.loaded {
        emitter.load_constant(lreg, number);
    }
    emitter.out
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

struct Emitter<'r> {
    residents: &'r Residents,
    out: Vec<Instruction>,
    allocation: Vec<Option<u32>>,
    free: Vec<u32>,
    /// LReg that the previous instruction writes too late for the next one to read.
    pending: Option<u32>,
}

fn emit(items: &[VirtualInst], residents: &Residents, last_mode: u32) -> Option<Vec<Instruction>> {
    let last = last_uses(items);
    let mut emitter = Emitter::new(residents, last.len());
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

impl<'r> Emitter<'r> {
    fn new(residents: &'r Residents, registers: usize) -> Self {
        Emitter {
            residents,
            out: Vec::new(),
            allocation: vec![None; registers],
            free: residents.free().rev().collect(),
            pending: None,
        }
    }

    fn lreg(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Reg(reg) => self.allocation[reg.0].expect("registers are written before"),
            Operand::Constant(number) => {
                let resident = self.residents.lreg(number);
                resident.expect("other numbers are in registers")
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
            Op::Min | Op::Max => self.push(Sfpswap {
                lreg_src_c: lreg_c,
                lreg_dest,
                instr_mod1: if op == Op::Min { 1 } else { 9 },
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
            Op::IntAddNumberIf { number, negative } => {
                self.push(integer(twelve(number), if negative { 1 } else { 9 }));
            }
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

    fn load_constant(&mut self, lreg_ind: u32, number: u32) {
        for (instr_mod0, imm16) in immediates(number) {
            self.push(Sfploadi {
                lreg_ind,
                instr_mod0,
                imm16,
            });
        }
    }
}

/// Returns the modes and immediates that load a constant: one if possible, otherwise two.
pub(crate) fn immediates(number: u32) -> Vec<(u32, u32)> {
    const BF16: u32 = 0;
    const FP16: u32 = 1;
    const UNSIGNED: u32 = 2;
    const SIGNED: u32 = 4;
    const UPPER: u32 = 8;
    let exponent = number >> 23 & 0xff;
    if number & 0xffff == 0 {
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
    }
}
