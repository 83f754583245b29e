//! Integers and bits: addition, shifts, leading zeros, logic.

use tessera_isa_tensix::table::{Sfpand, Sfpiadd, Sfplz, Sfpnot, Sfpor, Sfpshft, Sfpxor};

use super::{flags, map, map_both, mode_fault, read, write, LANES};
use crate::core_state::CoreState;
use crate::trap::Fault;

/// A field of 12 bits as a two's complement number.
pub(super) fn sign_extend(imm12: u32) -> i32 {
    (imm12 << 20) as i32 >> 20
}

/// `x` shifted left, or right by a negative amount; the amount counts modulo 32.
pub(super) fn shift(x: u32, amount: i32) -> u32 {
    match amount {
        0.. => x << (amount & 31),
        _ => x >> (amount.wrapping_neg() & 31),
    }
}

/// SFPIADD: `VD = VC + immediate`, `VC − VD` or `VC + VD`; the flags can become its sign, or not its sign.
pub(super) fn add(i: &Sfpiadd, core: &mut CoreState) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    let c = read(core, i.lreg_c, lanes)?;
    let sum: [u32; LANES] = match i.instr_mod1 & 3 {
        1 | 3 => c.map(|c| c.wrapping_add_signed(sign_extend(i.imm12_math))),
        mode => {
            let d = read(core, i.lreg_dest, lanes)?;
            std::array::from_fn(|l| match mode {
                2 => c[l].wrapping_sub(d[l]),
                _ => c[l].wrapping_add(d[l]),
            })
        }
    };
    write(core, i.lreg_dest, lanes, sum)?;
    if i.instr_mod1 & 4 == 0 {
        flags::become_where(core, lanes, |l| (sum[l] as i32) < 0)?;
    }
    flags::invert(core, lanes, i.instr_mod1 & 8 != 0)
}

/// SFPSHFT: VD shifted by VC or the immediate, to the left if that is not negative.
pub(super) fn shift_left(i: &Sfpshft, core: &mut CoreState) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    let amounts = match i.instr_mod1 {
        0 => read(core, i.lreg_c, lanes)?.map(|amount| amount as i32),
        1 => [sign_extend(i.imm12_math); LANES],
        other => {
            return Err(mode_fault(
                "SFPSHFT",
                other,
                "0 (amount in VC), 1 (immediate)",
            ))
        }
    };
    let values = read(core, i.lreg_dest, lanes)?;
    let shifted = std::array::from_fn(|l| shift(values[l], amounts[l]));
    write(core, i.lreg_dest, lanes, shifted)
}

/// SFPLZ: leading zeros, of all bits or of those but the sign; the flags can become whether there is a one, or whether not.
pub(super) fn leading_zeros(i: &Sfplz, core: &mut CoreState) -> Result<(), Fault> {
    if i.instr_mod1 & 1 != 0 {
        return Err(mode_fault(
            "SFPLZ",
            i.instr_mod1,
            "sums of 2 (flags), 4 (without sign), 8 (inverted flags)",
        ));
    }
    let mask = u32::MAX >> (i.instr_mod1 >> 2 & 1);
    let lanes = core.regs.vector.enabled();
    let values = read(core, i.lreg_c, lanes)?.map(|c| c & mask);
    write(core, i.lreg_dest, lanes, values.map(u32::leading_zeros))?;
    if i.instr_mod1 & 2 != 0 {
        flags::become_where(core, lanes, |l| values[l] != 0)?;
    }
    flags::invert(core, lanes, i.instr_mod1 & 8 != 0)
}

pub(super) fn and(i: &Sfpand, core: &mut CoreState) -> Result<(), Fault> {
    no_mode("SFPAND", i.imm12_math | i.instr_mod1)?;
    map_both(core, i.lreg_c, i.lreg_dest, |c, d| c & d)
}

pub(super) fn or(i: &Sfpor, core: &mut CoreState) -> Result<(), Fault> {
    no_mode("SFPOR", i.imm12_math | i.instr_mod1)?;
    map_both(core, i.lreg_c, i.lreg_dest, |c, d| c | d)
}

pub(super) fn xor(i: &Sfpxor, core: &mut CoreState) -> Result<(), Fault> {
    map_both(core, i.lreg_c, i.lreg_dest, |c, d| c ^ d)
}

pub(super) fn not(i: &Sfpnot, core: &mut CoreState) -> Result<(), Fault> {
    map(core, i.lreg_c, i.lreg_dest, |c| !c)
}

/// Wormhole ignores the mode and the immediate; a program that has any is not made for it.
fn no_mode(mnemonic: &str, bits: u32) -> Result<(), Fault> {
    match bits {
        0 => Ok(()),
        other => Err(mode_fault(mnemonic, other, "0")),
    }
}
