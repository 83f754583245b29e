//! Instructions that extract or replace the sign, exponent and mantissa of a float.

use tessera_isa_tensix::table::{
    Sfpabs, Sfpdivp2, Sfpexexp, Sfpexman, Sfpsetexp, Sfpsetman, Sfpsetsgn,
};

use super::lregs::{is_writable, map, map_both, read, write, STAGING};
use super::operands::Operands;
use super::{flags, mode_fault, SIGN};
use crate::arith::spec::sfpu;
use crate::state::vector::Vector;
use crate::trap::Fault;

const EXPONENT: u32 = 0xFF << 23;
const MANTISSA: u32 = (1 << 23) - 1;
/// The hidden bit of a mantissa.
const HIDDEN: u32 = 1 << 23;
const BIAS: u32 = 127;

pub(super) fn abs(i: &Sfpabs, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => map(unit, at.c, at.d, |x| (x as i32).unsigned_abs()),
        1 => map(unit, at.c, at.d, sfpu::abs_float),
        other => Err(mode_fault("SFPABS", other, "0 (integer), 1 (float)")),
    }
}

/// SFPDIVP2: sets the exponent to the immediate, or adds it modulo 256 where the value is finite.
pub(super) fn divide_by_power(i: &Sfpdivp2, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let immediate = exponent("SFPDIVP2", i.imm12_math)?;
    match i.instr_mod1 {
        0 => map(unit, at.c, at.d, |x| x & !EXPONENT | immediate << 23),
        1 => map(unit, at.c, at.d, |x| match x & EXPONENT {
            EXPONENT => x,
            own => x & !EXPONENT | own.wrapping_add(immediate << 23) & EXPONENT,
        }),
        other => Err(mode_fault("SFPDIVP2", other, "0 (set), 1 (add)")),
    }
}

/// SFPEXEXP: extracts the exponent as an integer, with or without bias. The flags can be set to its
/// sign, or be inverted.
pub(super) fn exponent_of(i: &Sfpexexp, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    if i.instr_mod1 & 4 != 0 {
        return Err(mode_fault(
            "SFPEXEXP",
            i.instr_mod1,
            "sums of 1 (with bias), 2 (flags), 8 (inverted flags)",
        ));
    }
    if !is_writable(at.d) {
        return Ok(());
    }
    let bias = if i.instr_mod1 & 1 == 0 { BIAS } else { 0 };
    let lanes = unit.enabled();
    let of = |c: u32| ((c & EXPONENT) >> 23).wrapping_sub(bias);
    let exponents = read(unit, at.c, lanes)?.map(of);
    write(unit, at.d, lanes, exponents);
    if at.d == STAGING {
        return Ok(());
    }
    if i.instr_mod1 & 2 != 0 {
        flags::become_where(unit, lanes, |l| (exponents[l] as i32) < 0)?;
    }
    flags::invert(unit, lanes, i.instr_mod1 & 8 != 0)
}

/// SFPEXMAN: extracts the mantissa, with or without its hidden bit.
pub(super) fn mantissa_of(i: &Sfpexman, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let hidden = match i.instr_mod1 {
        0 => HIDDEN,
        1 => 0,
        other => {
            return Err(mode_fault(
                "SFPEXMAN",
                other,
                "0 (with the hidden bit), 1 (without)",
            ))
        }
    };
    map(unit, at.c, at.d, |c| hidden | c & MANTISSA)
}

/// SFPSETEXP: replaces the exponent of VC by the immediate, by VB's, or by the low bits of VB.
pub(super) fn set_exponent(i: &Sfpsetexp, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let exponents = match i.instr_mod1 {
        1 | 3 => return set(at, EXPONENT, i.imm12_math << 23, unit),
        0 => |d: u32| d << 23,
        2 => |d: u32| d,
        other => {
            return Err(mode_fault(
                "SFPSETEXP",
                other,
                "0 (low bits of VD), 1 (immediate), 2 (exponent of VD)",
            ))
        }
    };
    replace(at, EXPONENT, unit, exponents)
}

/// SFPSETMAN: replaces the mantissa of VC by the immediate, as its upper bits, or by the low bits
/// of VB.
pub(super) fn set_mantissa(i: &Sfpsetman, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => replace(at, MANTISSA, unit, |d| d),
        1 => set(at, MANTISSA, i.imm12_math << 11, unit),
        other => Err(mode_fault(
            "SFPSETMAN",
            other,
            "0 (low bits of VD), 1 (immediate)",
        )),
    }
}

pub(super) fn set_sign(i: &Sfpsetsgn, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => replace(at, SIGN, unit, |d| d),
        1 => set(at, SIGN, i.imm12_math << 31, unit),
        other => Err(mode_fault(
            "SFPSETSGN",
            other,
            "0 (sign of VD), 1 (immediate)",
        )),
    }
}

/// Checks an 8-bit immediate. Also accepts a negative 12-bit one that fits 8 bits: the vendor's
/// compiler writes -1 as 4095, and its simulator keeps the lower eight bits.
fn exponent(mnemonic: &str, immediate: u32) -> Result<u32, Fault> {
    match immediate {
        0..=255 => Ok(immediate),
        0xf80..=0xfff => Ok(immediate & 255),
        _ => Err(Fault::undefined(format!(
            "{mnemonic} with the immediate {immediate}; exponents are below 256"
        ))),
    }
}

/// Writes VC to VD with the bits of `mask` replaced.
fn set(at: Operands, mask: u32, bits: u32, unit: &mut Vector) -> Result<(), Fault> {
    map(unit, at.c, at.d, |c| c & !mask | bits & mask)
}

/// Does the same with bits derived from VB.
fn replace(
    at: Operands,
    mask: u32,
    unit: &mut Vector,
    bits: impl Fn(u32) -> u32,
) -> Result<(), Fault> {
    map_both(unit, [at.c, at.b], at.d, |c, b| c & !mask | bits(b) & mask)
}
