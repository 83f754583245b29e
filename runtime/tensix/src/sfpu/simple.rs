//! Immediates and moves; SFPCONFIG as far as it fills LRegs 11 to 14, or leaves the configuration of lanes as it is after a reset: 0.

use tessera_isa_tensix::table::{Sfpconfig, Sfploadi, Sfpmov};

use super::{map, mode_fault, read, write, LANES, SIGN};
use crate::core_state::CoreState;
use crate::numerics::sfpu;
use crate::trap::Fault;

/// What SFPMOV of a special register calls the generators of random numbers.
const RANDOM: u32 = 9;
/// What SFPCONFIG calls the configuration of lanes.
const LANE_CONFIG: u32 = 15;

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
        8.. if i.lreg_c == RANDOM => Err(Fault::unmodelled(
            "SFPMOV of a random number: the state of the generators is not documented",
        )),
        // Macros and lanes have no configuration but that of the reset.
        8.. => {
            let lanes = core.regs.vector.enabled();
            write(core, i.lreg_dest, lanes, [0; LANES])
        }
        other => Err(mode_fault(
            "SFPMOV",
            other,
            "0 (copy), 1 (negate), 2 (copy in all lanes), 8 (special register)",
        )),
    }
}

/// The values that SFPCONFIG in mode 1 gives to LRegs 11 to 14: −1, 2^-16, −0.67487759, −0.34484843.
const DEFAULTS: [u32; 4] = [0xBF80_0000, 0x3780_0000, 0xBF2C_C4C7, 0xBEB0_8FF9];

pub(super) fn config(i: &Sfpconfig, core: &mut CoreState) -> Result<(), Fault> {
    if i.config_dest == LANE_CONFIG {
        return configure_lanes(i, core);
    }
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

/// SFPCONFIG of LaneConfig: what leaves it 0.
fn configure_lanes(i: &Sfpconfig, core: &mut CoreState) -> Result<(), Fault> {
    let value = match i.instr_mod1 & 1 {
        0 => read(core, 0, 0xFF)?[..8]
            .iter()
            .fold(0, |all, lane| all | lane),
        _ => i.imm16_math,
    };
    let ands = i.instr_mod1 & 6 == 4;
    match value {
        _ if ands => Ok(()),
        0 => Ok(()),
        other => Err(Fault::unmodelled(format!(
            "SFPCONFIG of LaneConfig to {other:#x}; modelled: 0"
        ))),
    }
}
