//! Immediates, moves and signs; SFPCONFIG as far as it fills LRegs 11 to 14.

use tessera_isa_tensix::table::{Sfpabs, Sfpconfig, Sfploadi, Sfpmov, Sfpsetsgn};

use super::{map, mode_fault, read, write, LANES};
use crate::core_state::CoreState;
use crate::numerics::sfpu;
use crate::trap::Fault;

const SIGN: u32 = 1 << 31;

pub(super) fn load_immediate(i: &Sfploadi, core: &mut CoreState) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    let immediate = i.imm16 as u16;
    let whole = match i.instr_mod0 {
        0 => i.imm16 << 16,
        1 => sfpu::immediate_fp16(immediate),
        2 => i.imm16,
        4 => immediate as i16 as u32,
        8 => return map(core, i.lreg_ind, i.lreg_ind, |x| i.imm16 << 16 | x & 0xFFFF),
        10 => return map(core, i.lreg_ind, i.lreg_ind, |x| x & 0xFFFF_0000 | i.imm16),
        other => {
            return Err(Fault::undefined(format!(
                "SFPLOADI in mode {other}; 0 is BF16, 1 FP16, 2 unsigned, 4 signed, 8 the upper half, 10 the lower half"
            )))
        }
    };
    write(core, i.lreg_ind, lanes, [whole; LANES])
}

pub(super) fn mov(i: &Sfpmov, core: &mut CoreState) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => map(core, i.lreg_c, i.lreg_dest, |x| x),
        1 => map(core, i.lreg_c, i.lreg_dest, |x| x ^ SIGN),
        2 => {
            let values = read(core, i.lreg_c, u32::MAX)?;
            write(core, i.lreg_dest, u32::MAX, values)
        }
        other => Err(mode_fault(
            "SFPMOV",
            other,
            "0 (copy), 1 (negate), 2 (copy in all lanes)",
        )),
    }
}

pub(super) fn abs(i: &Sfpabs, core: &mut CoreState) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => map(core, i.lreg_c, i.lreg_dest, |x| (x as i32).unsigned_abs()),
        1 => map(core, i.lreg_c, i.lreg_dest, sfpu::abs_float),
        other => Err(mode_fault("SFPABS", other, "0 (integer), 1 (float)")),
    }
}

pub(super) fn set_sign(i: &Sfpsetsgn, core: &mut CoreState) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    let magnitudes = read(core, i.lreg_c, lanes)?;
    let signs = match i.instr_mod1 {
        0 => read(core, i.lreg_dest, lanes)?,
        1 => [i.imm12_math << 31; LANES],
        other => {
            return Err(mode_fault(
                "SFPSETSGN",
                other,
                "0 (sign of VD), 1 (immediate)",
            ))
        }
    };
    write(
        core,
        i.lreg_dest,
        lanes,
        std::array::from_fn(|l| magnitudes[l] & !SIGN | signs[l] & SIGN),
    )
}

/// The values that SFPCONFIG in mode 1 gives to LRegs 11 to 14: −1, 2^-16, −0.67487759, −0.34484843.
const DEFAULTS: [u32; 4] = [0xBF80_0000, 0x3780_0000, 0xBF2C_C4C7, 0xBEB0_8FF9];

pub(super) fn config(i: &Sfpconfig, core: &mut CoreState) -> Result<(), Fault> {
    let lreg @ 11..=14 = i.config_dest else {
        return Err(Fault::unmodelled(format!(
            "SFPCONFIG of destination {}; LRegs 11 to 14 can be set",
            i.config_dest
        )));
    };
    if core.regs.vector.enabled() != u32::MAX {
        return Err(Fault::unmodelled(
            "SFPCONFIG with lanes disabled; enable all lanes first",
        ));
    }
    let values = match (i.instr_mod1, i.imm16_math) {
        (0, 0) => {
            let first = read(core, 0, 0xFF)?;
            std::array::from_fn(|lane| first[lane % 8])
        }
        (1, 0) => [DEFAULTS[lreg as usize - 11]; LANES],
        (mode, _) => {
            return Err(mode_fault(
                "SFPCONFIG",
                mode,
                "0 (from LReg 0) and 1 (default value), immediate 0",
            ))
        }
    };
    core.access.lreg_write |= 1 << lreg;
    core.regs.vector.lregs[lreg as usize] = values;
    core.regs.vector.known[lreg as usize] = u32::MAX;
    Ok(())
}
