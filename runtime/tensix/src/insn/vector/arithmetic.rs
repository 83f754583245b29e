//! Multiply-add and related instructions: SFPMAD, SFPADD, SFPMUL; SFPMULI and SFPADDI with an
//! immediate; SFPMUL24; SFPARECIP.

use tessera_isa_tensix::table::{Sfpaddi, Sfparecip, Sfpmul24, Sfpmuli};

use super::lregs::{check_known, is_writable, lanes_of, read, write, NAMED, STAGING};
use super::operands::Operands;
use super::{mode_fault, SIGN};
use crate::arith::fast;
use crate::arith::spec::sfpu;
use crate::arith::{Lanes, LANES};
use crate::state::model::Model;
use crate::state::vector::Vector;
use crate::trap::Fault;

/// Mode bits: negate VB; negate VC; take VA, or write VD, through the register index in each lane
/// of LReg 7.
const NEGATE_B: u32 = 1;
const NEGATE_C: u32 = 2;
const INDIRECT_FACTOR: u32 = 4;
pub(super) const INDIRECT_DEST: u32 = 8;
/// The LReg that holds indices of others.
const NAMES: u32 = 7;
const ONE: u32 = 0x3F80_0000;

/// `VD = ±VA·VB ± VC`. SFPADD and SFPMUL are the same operation with a constant operand.
#[inline(always)] // The common case is short.
pub(super) fn mad(
    (a, mode): (u32, u32),
    at: Operands,
    model: Model,
    unit: &mut Vector,
) -> Result<(), Fault> {
    match model {
        Model::Fast(level) if mode == 0 && unit.writes_at_once(at.d) => {
            let lanes = unit.enabled();
            check_known(unit, a, lanes)?;
            check_known(unit, at.b, lanes)?;
            check_known(unit, at.c, lanes)?;
            let numbers = [a, at.b, at.c, at.d].map(|number| number as usize);
            let arithmetic = unit.chip().arithmetic;
            fast::mad_registers(level, arithmetic, &mut unit.lregs.0, numbers, lanes);
            unit.note_written(at.d, lanes);
            Ok(())
        }
        _ => mad_in_mode((a, mode), at, model, unit),
    }
}

/// The general case of [`mad()`].
fn mad_in_mode(
    (a, mode): (u32, u32),
    at: Operands,
    model: Model,
    unit: &mut Vector,
) -> Result<(), Fault> {
    if mode & (NEGATE_B | NEGATE_C) != 0 && !unit.chip().negates {
        return Err(mode_fault(
            "a multiply-add",
            mode,
            "sums of 4 (factor named by LReg 7), 8 (destination named by LReg 7)",
        ));
    }
    let lanes = unit.enabled();
    let a = factor(a, mode, lanes, unit)?;
    let negate = |values: Lanes, bit| match mode & bit {
        0 => values,
        _ => values.map(|x| x ^ SIGN),
    };
    let b = negate(read(unit, at.b, lanes)?, NEGATE_B);
    let c = negate(read(unit, at.c, lanes)?, NEGATE_C);
    multiply_add([a, b, c], (at.d, mode), lanes, model, unit)
}

/// Returns VA, or in each lane the register that LReg 7 selects.
fn factor(a: u32, mode: u32, lanes: u32, unit: &mut Vector) -> Result<Lanes, Fault> {
    match mode & INDIRECT_FACTOR {
        0 => read(unit, a, lanes),
        _ => read_named(unit, lanes),
    }
}

/// SFPMULI: `VD = ±VC·immediate`.
pub(super) fn multiply_immediate(
    i: &Sfpmuli,
    at: Operands,
    model: Model,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let own = immediate_operand("SFPMULI", at, i.instr_mod1, unit)?;
    let (lanes, factor) = (unit.enabled(), [i.imm16_math << 16; LANES]);
    let operands = [factor, own, [0; LANES]];
    multiply_add(operands, (at.d, i.instr_mod1), lanes, model, unit)
}

/// SFPADDI: `VD = ±VC + immediate`.
pub(super) fn add_immediate(
    i: &Sfpaddi,
    at: Operands,
    model: Model,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let own = immediate_operand("SFPADDI", at, i.instr_mod1, unit)?;
    let (lanes, summand) = (unit.enabled(), [i.imm16_math << 16; LANES]);
    let operands = [summand, [ONE; LANES], own];
    multiply_add(operands, (at.d, i.instr_mod1), lanes, model, unit)
}

/// Returns VC of an instruction with an immediate. The mode may only select an indirect destination
/// and, on Blackhole, negate VC.
fn immediate_operand(
    mnemonic: &str,
    at: Operands,
    mode: u32,
    unit: &mut Vector,
) -> Result<Lanes, Fault> {
    let (known, described) = match unit.chip().negates {
        true => (
            INDIRECT_DEST | NEGATE_C,
            "sums of 2 (negated), 8 (destination named by LReg 7)",
        ),
        false => (INDIRECT_DEST, "0, 8 (destination named by LReg 7)"),
    };
    if mode & !known != 0 {
        return Err(mode_fault(mnemonic, mode, described));
    }
    let lanes = unit.enabled();
    let own = read(unit, at.c, lanes)?;
    Ok(match mode & NEGATE_C {
        0 => own,
        _ => own.map(|x| x ^ SIGN),
    })
}

fn multiply_add(
    [a, b, c]: [Lanes; 3],
    (dest, mode): (u32, u32),
    lanes: u32,
    model: Model,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let values = match model {
        Model::Fast(level) => fast::mad(level, unit.chip().arithmetic, &a, &b, &c),
        Model::Reference => {
            let mad = unit.chip().mad;
            std::array::from_fn(|l| mad(a[l], b[l], c[l]))
        }
    };
    write_to(unit, dest, mode & INDIRECT_DEST != 0, lanes, values)
}

/// SFPMUL24: a half of the product of two 23-bit integers, to which VC is added as the float
/// datapath would.
pub(super) fn multiply_integers(
    i: &Sfpmul24,
    at: Operands,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let mode = i.instr_mod1;
    if mode & 2 != 0 {
        return Err(mode_fault(
            "SFPMUL24",
            mode,
            "sums of 1 (upper half), 4 (factor named by LReg 7), 8 (destination named by LReg 7)",
        ));
    }
    let lanes = unit.enabled();
    let a = factor(i.lreg_src_a, mode, lanes, unit)?;
    let (b, c) = (read(unit, at.b, lanes)?, read(unit, at.c, lanes)?);
    let product = match mode & 1 {
        0 => sfpu::product_low,
        _ => sfpu::product_high,
    };
    let values = std::array::from_fn(|l| sfpu::add_to_product(product(a[l], b[l]), c[l]));
    write_to(unit, at.d, mode & INDIRECT_DEST != 0, lanes, values)
}

/// SFPARECIP: approximates the reciprocal of VC, the reciprocal of its magnitude where VB is
/// negative, or the exponential of its magnitude with its sign.
pub(super) fn approximate(i: &Sfparecip, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    if !is_writable(at.d) {
        return Ok(());
    }
    let lanes = unit.enabled();
    let c = read(unit, at.c, lanes)?;
    let with_sign = |x: u32, of: fn(u32) -> u32| x & SIGN | of(x & !SIGN);
    let values = match i.instr_mod1 {
        0 => c.map(|x| with_sign(x, sfpu::approximate_reciprocal)),
        1 => {
            let b = read(unit, at.b, lanes)?;
            std::array::from_fn(|l| match b[l] & SIGN {
                0 => c[l],
                _ => sfpu::approximate_reciprocal(c[l] & !SIGN),
            })
        }
        _ => c.map(|x| with_sign(x, sfpu::approximate_exponential)),
    };
    write(unit, at.d, lanes, values);
    Ok(())
}

/// Returns in each lane the value of the register that LReg 7 selects.
fn read_named(unit: &mut Vector, lanes: u32) -> Result<Lanes, Fault> {
    let mut values = [0; LANES];
    for (index, own) in named(unit, lanes)?.into_iter().enumerate() {
        if own != 0 {
            let from = read(unit, index as u32, own)?;
            lanes_of(own).for_each(|lane| values[lane] = from[lane]);
        }
    }
    Ok(values)
}

/// Returns for each register the lanes in which LReg 7 selects it.
fn named(unit: &mut Vector, lanes: u32) -> Result<[u32; NAMED], Fault> {
    let names = read(unit, NAMES, lanes)?;
    let mut named = [0; NAMED];
    for lane in lanes_of(lanes) {
        named[(names[lane] & 15) as usize] |= 1 << lane;
    }
    Ok(named)
}

/// Writes the lanes in `lanes` of a register, or of the registers that LReg 7 selects. Selecting a
/// read-only register has no effect.
pub(super) fn write_to(
    unit: &mut Vector,
    dest: u32,
    indirect: bool,
    lanes: u32,
    values: Lanes,
) -> Result<(), Fault> {
    if !indirect || dest == STAGING {
        write(unit, dest, lanes, values);
        return Ok(());
    }
    let named = named(unit, lanes)?;
    for (index, own) in (0..).zip(named) {
        if own != 0 {
            write(unit, index, own, values);
        }
    }
    Ok(())
}
