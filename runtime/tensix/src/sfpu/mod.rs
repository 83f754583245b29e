//! The Vector Unit (SFPU): 32 lanes of 32 bits.
//!
//! | module | instructions |
//! |---|---|
//! | `memory` | SFPLOAD, SFPSTORE |
//! | `arithmetic` | SFPMAD, SFPADD, SFPMUL, SFPMULI, SFPADDI |
//! | `lut` | SFPLUT, SFPLUTFP32 |
//! | `integer` | SFPIADD, SFPSHFT, SFPLZ, SFPAND, SFPOR, SFPXOR, SFPNOT |
//! | `parts` | SFPABS, SFPDIVP2, SFPEXEXP, SFPEXMAN, SFPSETEXP, SFPSETMAN, SFPSETSGN |
//! | `round` | SFPSTOCHRND, SFPCAST |
//! | `lanes` | SFPSWAP, SFPTRANSP, SFPSHFT2 |
//! | `simple` | SFPLOADI, SFPMOV, SFPCONFIG |
//! | `flags` | SFPSETCC, SFPENCC, SFPPUSHC, SFPPOPC, SFPCOMPC |
//!
//! Traps: SFPLOADMACRO, lane configuration (so `LaneConfig` is always 0), stochastic rounding; reading an LReg lane that nothing has written; using lane flags
//! before SFPENCC has defined them. LRegs 11 to 14 have no content until SFPCONFIG gives them one.
//!
//! Source: ISA documentation, `VectorUnit.md`, `LReg.md` and the page of each instruction.
//!
//! Compared with ttsim 1.10.0 on random registers and operands: 131,000 instructions without loads, of every kind that it has, after
//! each of which the whole state was equal. Where it refuses, these follow the pages alone: most integer modes of SFPLOAD and SFPSTORE, registers
//! that LReg 7 names, inverted flags, SFPSTOCHRND between integers, tables without or with signs other than those LLK uses.

mod arithmetic;
mod flags;
mod integer;
mod lanes;
mod lut;
mod memory;
mod parts;
mod round;
mod simple;
#[cfg(test)]
mod tests;

use tessera_isa_tensix::Instruction;

use crate::core_state::CoreState;
use crate::trap::Fault;

/// Lanes.
pub const LANES: usize = 32;
/// The lanes of a vector.
pub type Lanes = [u32; LANES];

/// LRegs an instruction can name.
const LREGS: usize = 16;
/// The sign of a float, or of an integer with sign and magnitude.
const SIGN: u32 = 1 << 31;
/// LRegs 0 to 7 are writable.
const WRITABLE: u32 = 8;
/// Depth of the flag stack.
const STACK: usize = 8;

/// Lane flags and whether they count, one bit a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Predication {
    flags: u32,
    /// Lanes whose flag decides; the others are enabled.
    in_use: u32,
}

/// State of the Vector Unit, shared by the threads.
#[derive(Clone, Debug)]
pub struct Vector {
    lregs: Box<[Lanes; LREGS]>,
    /// Per LReg, the lanes that hold a value.
    known: [u32; LREGS],
    /// Nothing until SFPENCC: all lanes enabled, and flags without meaning.
    predication: Option<Predication>,
    stack: [Predication; STACK],
    depth: usize,
}

impl Vector {
    /// As it is when it has left reset (ISA documentation, `SoftReset.md`).
    pub(crate) fn after_reset() -> Self {
        let mut vector = Vector {
            known: [u32::MAX; LREGS],
            ..Vector::default()
        };
        // -1, 1/65536, -0.67487759, -0.34484843.
        for (index, word) in (11..).zip([0xBF80_0000, 0x3780_0000, 0xBF2C_C4C7, 0xBEB0_8FF9]) {
            vector.lregs[index] = [word; LANES];
        }
        vector
    }
}

impl Default for Vector {
    fn default() -> Self {
        let mut lregs = Box::new([[0; LANES]; LREGS]);
        let mut known = [0; LREGS];
        // The constants: 0.8373 (rounded to FP32), 0, 1, twice the lane's number.
        for (index, lanes) in [
            (8, [0x3F56_594B; LANES]),
            (9, [0; LANES]),
            (10, [0x3F80_0000; LANES]),
            (15, std::array::from_fn(|lane| 2 * lane as u32)),
        ] {
            lregs[index] = lanes;
            known[index] = u32::MAX;
        }
        let predication = Predication {
            flags: 0,
            in_use: 0,
        };
        Vector {
            lregs,
            known,
            predication: None,
            stack: [predication; STACK],
            depth: 0,
        }
    }
}

impl Vector {
    /// Enabled lanes, one bit each.
    pub fn enabled(&self) -> u32 {
        self.predication.map_or(u32::MAX, |p| p.flags | !p.in_use)
    }

    /// The content of an LReg, if all its lanes have been written: for inspection.
    pub fn lreg(&self, index: usize) -> Option<&Lanes> {
        (self.known[index] == u32::MAX).then(|| &self.lregs[index])
    }
}

/// Executes one instruction of this unit for `thread`.
pub fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Sfpload(i) => memory::load(i, thread, core),
        Instruction::Sfpstore(i) => memory::store(i, thread, core),
        Instruction::Sfpmad(i) => arithmetic::mad(
            [i.lreg_src_a, i.lreg_src_b, i.lreg_src_c],
            i.lreg_dest,
            i.instr_mod1,
            core,
        ),
        Instruction::Sfpadd(i) => arithmetic::mad(
            [i.lreg_src_a, i.lreg_src_b, i.lreg_src_c],
            i.lreg_dest,
            i.instr_mod1,
            core,
        ),
        Instruction::Sfpmul(i) => arithmetic::mad(
            [i.lreg_src_a, i.lreg_src_b, i.lreg_src_c],
            i.lreg_dest,
            i.instr_mod1,
            core,
        ),
        Instruction::Sfpmuli(i) => arithmetic::multiply_immediate(i, core),
        Instruction::Sfpaddi(i) => arithmetic::add_immediate(i, core),
        Instruction::Sfplut(i) => lut::lut(i, core),
        Instruction::Sfplutfp32(i) => lut::lut_fp32(i, core),
        Instruction::Sfpiadd(i) => integer::add(i, core),
        Instruction::Sfpshft(i) => integer::shift_left(i, core),
        Instruction::Sfplz(i) => integer::leading_zeros(i, core),
        Instruction::Sfpand(i) => integer::and(i, core),
        Instruction::Sfpor(i) => integer::or(i, core),
        Instruction::Sfpxor(i) => integer::xor(i, core),
        Instruction::Sfpnot(i) => integer::not(i, core),
        Instruction::Sfpdivp2(i) => parts::divide_by_power(i, core),
        Instruction::Sfpexexp(i) => parts::exponent_of(i, core),
        Instruction::Sfpexman(i) => parts::mantissa_of(i, core),
        Instruction::Sfpsetexp(i) => parts::set_exponent(i, core),
        Instruction::Sfpsetman(i) => parts::set_mantissa(i, core),
        Instruction::Sfpstochrnd(i) => round::round(i, core),
        Instruction::Sfpcast(i) => round::cast(i, core),
        Instruction::Sfpswap(i) => lanes::swap(i, core),
        Instruction::Sfptransp(i) => lanes::transpose(i, core),
        Instruction::Sfpshft2(i) => lanes::shift_across(i, core),
        Instruction::Sfploadi(i) => simple::load_immediate(i, core),
        Instruction::Sfpmov(i) => simple::mov(i, core),
        Instruction::Sfpabs(i) => parts::abs(i, core),
        Instruction::Sfpsetsgn(i) => parts::set_sign(i, core),
        Instruction::Sfpconfig(i) => simple::config(i, core),
        Instruction::Sfpsetcc(i) => flags::set(i, core),
        Instruction::Sfpencc(i) => flags::enable(i, core),
        Instruction::Sfppushc(i) => flags::push(i, core),
        Instruction::Sfppopc(i) => flags::pop(i, core),
        Instruction::Sfpcompc(i) => flags::complement(i, core),
        Instruction::Sfpnop(_) => Ok(()),
        other => Err(Fault::unmodelled_instruction(other)),
    }
}

/// Reads an LReg; the lanes of `lanes` must hold values. Notes the read.
fn read(core: &mut CoreState, index: u32, lanes: u32) -> Result<Lanes, Fault> {
    check_known(core, index, lanes)?;
    Ok(core.regs.vector.lregs[index as usize])
}

/// The part of [`read`] that checks and notes.
fn check_known(core: &mut CoreState, index: u32, lanes: u32) -> Result<(), Fault> {
    core.access.lreg_read |= 1 << index;
    let vector = &core.regs.vector;
    let missing = lanes & !vector.known[index as usize];
    if missing != 0 {
        return Err(Fault::undefined(format!(
            "reads lane {} of LReg {index}, which nothing has written; load it first",
            missing.trailing_zeros()
        )));
    }
    Ok(())
}

/// Writes the lanes of `lanes` of a writable LReg. Notes the write.
fn write(core: &mut CoreState, index: u32, lanes: u32, values: Lanes) -> Result<(), Fault> {
    if index >= WRITABLE {
        return Err(Fault::unmodelled(format!(
            "LReg {index} as a destination; 0 to 7 can be written"
        )));
    }
    core.access.lreg_write |= 1 << index;
    let vector = &mut core.regs.vector;
    let lreg = &mut vector.lregs[index as usize];
    if lanes == u32::MAX {
        *lreg = values;
    } else {
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
            lreg[lane] = values[lane];
        }
    }
    vector.known[index as usize] |= lanes;
    Ok(())
}

/// `VD = operation(VC)` in the enabled lanes.
fn map(
    core: &mut CoreState,
    source: u32,
    dest: u32,
    operation: impl Fn(u32) -> u32,
) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    let values = read(core, source, lanes)?.map(operation);
    write(core, dest, lanes, values)
}

/// `VD = operation(VC, VD)` in the enabled lanes.
fn map_both(
    core: &mut CoreState,
    source: u32,
    dest: u32,
    operation: impl Fn(u32, u32) -> u32,
) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    let (c, d) = (read(core, source, lanes)?, read(core, dest, lanes)?);
    let values = std::array::from_fn(|l| operation(c[l], d[l]));
    write(core, dest, lanes, values)
}

/// The refusal of an instruction's mode.
fn mode_fault(mnemonic: &str, mode: u32, modelled: &str) -> Fault {
    Fault::unmodelled(format!("{mnemonic} in mode {mode}; modelled: {modelled}"))
}
