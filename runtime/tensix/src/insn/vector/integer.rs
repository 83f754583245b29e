//! Integer and bit operations: addition, shifts, leading zeros, logic.

use tessera_isa_tensix::table::{Sfpand, Sfpiadd, Sfplz, Sfpor, Sfpshft};

use super::lregs::{is_writable, map, map_both, read, write, STAGING};
use super::operands::{Fields, Naming, Operands};
use super::{flags, mode_fault};
use crate::arith::LANES;
use crate::state::vector::Vector;
use crate::trap::Fault;

/// Sign-extends a 12-bit field to a two's complement number.
pub(super) fn sign_extend(imm12: u32) -> i32 {
    (imm12 << 20) as i32 >> 20
}

/// Shifts `x` left, or right by a negative amount, modulo 32.
pub(super) fn shift(x: u32, amount: i32) -> u32 {
    match amount {
        0.. => x << (amount & 31),
        _ => x >> (amount.wrapping_neg() & 31),
    }
}

/// Like [`shift`], but right shifts are arithmetic.
fn shift_arithmetic(x: u32, amount: i32) -> u32 {
    match amount {
        0.. => x << (amount & 31),
        _ => (x as i32 >> (amount.wrapping_neg() & 31)) as u32,
    }
}

/// SFPIADD: `VD = VC + immediate`, `VC − VB` or `VC + VB`. The flags can be set to the sign or its
/// inverse.
pub(super) fn add(i: &Sfpiadd, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    if !is_writable(at.d) {
        return Ok(());
    }
    let lanes = unit.enabled();
    let c = read(unit, at.c, lanes)?;
    let sum: [u32; LANES] = match i.instr_mod1 & 3 {
        1 | 3 => c.map(|c| c.wrapping_add_signed(sign_extend(i.imm12_math))),
        mode => {
            let b = read(unit, at.b, lanes)?;
            std::array::from_fn(|l| match mode {
                2 => c[l].wrapping_sub(b[l]),
                _ => c[l].wrapping_add(b[l]),
            })
        }
    };
    write(unit, at.d, lanes, sum);
    if at.d == STAGING {
        return Ok(());
    }
    if i.instr_mod1 & 4 == 0 {
        flags::become_where(unit, lanes, |l| (sum[l] as i32) < 0)?;
    }
    flags::invert(unit, lanes, i.instr_mod1 & 8 != 0)
}

/// Mode bits of SFPSHFT: shift by the immediate; shift arithmetically; shift VC instead of VB.
const BY_IMMEDIATE: u32 = 1;
const ARITHMETIC: u32 = 2;
const OF_C: u32 = 4;

/// SFPSHFT: shifts VB by VC or the immediate, to the left if the amount is not negative. On
/// Blackhole the shift can be arithmetic, and a shift by the immediate can apply to VC.
pub(super) fn shift_bits(i: &Sfpshft, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let mode = i.instr_mod1;
    let (known, described) = match unit.chip().shifts_arithmetically {
        true => (
            7,
            "sums of 1 (immediate), 2 (arithmetic), 4 (VC by the immediate)",
        ),
        false => (1, "0 (amount in VC), 1 (immediate)"),
    };
    if mode & !known != 0 {
        return Err(mode_fault("SFPSHFT", mode, described));
    }
    if !is_writable(at.d) {
        return Ok(());
    }
    let lanes = unit.enabled();
    let amounts = match mode & BY_IMMEDIATE {
        0 => read(unit, at.c, lanes)?.map(|amount| amount as i32),
        _ => [sign_extend(i.imm12_math); LANES],
    };
    let source = match mode & (BY_IMMEDIATE | OF_C) {
        5 => at.c,
        _ => at.b,
    };
    let values = read(unit, source, lanes)?;
    let shifts = match mode & ARITHMETIC {
        0 => shift,
        _ => shift_arithmetic,
    };
    let shifted = std::array::from_fn(|l| shifts(values[l], amounts[l]));
    write(unit, at.d, lanes, shifted);
    Ok(())
}

/// SFPLZ: counts leading zeros, including or excluding the sign bit. The flags can be set to
/// whether there is a one, or to the inverse.
pub(super) fn leading_zeros(i: &Sfplz, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    if i.instr_mod1 & 1 != 0 {
        return Err(mode_fault(
            "SFPLZ",
            i.instr_mod1,
            "sums of 2 (flags), 4 (without sign), 8 (inverted flags)",
        ));
    }
    if !is_writable(at.d) {
        return Ok(());
    }
    let mask = u32::MAX >> (i.instr_mod1 >> 2 & 1);
    let lanes = unit.enabled();
    let values = read(unit, at.c, lanes)?.map(|c| c & mask);
    write(unit, at.d, lanes, values.map(u32::leading_zeros));
    if at.d == STAGING {
        return Ok(());
    }
    if i.instr_mod1 & 2 != 0 {
        flags::become_where(unit, lanes, |l| values[l] != 0)?;
    }
    flags::invert(unit, lanes, i.instr_mod1 & 8 != 0)
}

/// SFPAND: `VD = VC & VB`.
pub(super) fn and(
    i: &Sfpand,
    at: Operands,
    naming: Naming,
    unit: &mut Vector,
) -> Result<(), Fault> {
    check_form(("SFPAND", i.imm12_math, i.instr_mod1), naming, unit)?;
    map_both(unit, [at.c, at.b], at.d, |c, b| c & b)
}

/// SFPOR: `VD = VC | VB`.
pub(super) fn or(i: &Sfpor, at: Operands, naming: Naming, unit: &mut Vector) -> Result<(), Fault> {
    check_form(("SFPOR", i.imm12_math, i.instr_mod1), naming, unit)?;
    map_both(unit, [at.c, at.b], at.d, |c, b| c | b)
}

/// SFPXOR: `VD = VC ^ VD`.
pub(super) fn xor(at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    map_both(unit, [at.c, at.b], at.d, |c, b| c ^ b)
}

/// SFPNOT: `VD = ~VC`.
pub(super) fn not(at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    map(unit, at.c, at.d, |c| !c)
}

/// Returns the fields of SFPAND and SFPOR, which on Blackhole have a VB if the mode says so.
pub(super) fn fields_of_two((b, mode): (u32, u32), c: u32, d: u32) -> Fields {
    Fields {
        b: (mode == WITH_B).then_some(b),
        c: Some(c),
        d,
    }
}

/// The mode of SFPAND and SFPOR with a VB.
const WITH_B: u32 = 1;

/// Refuses forms of SFPAND and SFPOR. Wormhole ignores mode and VB, so programs that set them are
/// refused.
fn check_form(
    (mnemonic, b, mode): (&str, u32, u32),
    naming: Naming,
    unit: &Vector,
) -> Result<(), Fault> {
    match (unit.chip().has_third_operand, mode) {
        (false, _) if b | mode != 0 => Err(mode_fault(mnemonic, b | mode, "0")),
        (false, _) | (true, WITH_B) => Ok(()),
        // According to the page VB is then VD. For a scheduled instruction VD is only the
        // destination.
        (true, 0) if naming.0.is_some_and(|overlay| !overlay.as_b) => {
            Err(Fault::undefined(format!(
                "{mnemonic} scheduled with the loaded register as VC and no VB; give it one by \
                 mode 1"
            )))
        }
        (true, 0) => Ok(()),
        (true, _) => Err(mode_fault(mnemonic, mode, "0, 1 (with VB)")),
    }
}
