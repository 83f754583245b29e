//! Immediates and moves.

use tessera_isa_tensix::table::{Sfploadi, Sfpmov};

use super::lregs::{is_writable, map, read, write};
use super::operands::Operands;
use super::{mode_fault, random, SIGN};
use crate::arith::spec::sfpu;
use crate::arith::LANES;
use crate::state::vector::Vector;
use crate::trap::Fault;

/// The special register of SFPMOV that holds random bits.
const RANDOM: u32 = 9;

pub(super) fn load_immediate(i: &Sfploadi, unit: &mut Vector) -> Result<(), Fault> {
    let lanes = unit.enabled();
    let immediate = i.imm16 as u16;
    if !is_writable(i.lreg_ind) {
        return Ok(());
    }
    let whole = match i.instr_mod0 {
        0 => i.imm16 << 16,
        1 => sfpu::immediate_fp16(immediate),
        2 => i.imm16,
        4 => immediate as i16 as u32,
        8 => return map(unit, i.lreg_ind, i.lreg_ind, |x| i.imm16 << 16 | x & 0xFFFF),
        10 => return map(unit, i.lreg_ind, i.lreg_ind, |x| x & 0xFFFF_0000 | i.imm16),
        other => {
            return Err(Fault::undefined(format!(
                "SFPLOADI in mode {other}; 0 is BF16, 1 FP16, 2 unsigned, 4 signed, 8 the upper \
                 half, 10 the lower half"
            )))
        }
    };
    write(unit, i.lreg_ind, lanes, [whole; LANES]);
    Ok(())
}

pub(super) fn mov(i: &Sfpmov, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => map(unit, at.c, at.d, |x| x),
        1 => map(unit, at.c, at.d, |x| x ^ SIGN),
        2 => {
            let values = read(unit, at.c, u32::MAX)?;
            write(unit, at.d, u32::MAX, values);
            Ok(())
        }
        8.. => {
            let lanes = unit.enabled();
            let values = match at.c {
                RANDOM => random::draw(unit, lanes)?,
                index => unit.config.lanes_of_special(index),
            };
            write(unit, at.d, lanes, values);
            Ok(())
        }
        other => Err(mode_fault(
            "SFPMOV",
            other,
            "0 (copy), 1 (negate), 2 (copy in all lanes), 8 (special register)",
        )),
    }
}

/// SFPNOP: does nothing, for a cycle.
pub(super) fn nop() -> Result<(), Fault> {
    Ok(())
}
