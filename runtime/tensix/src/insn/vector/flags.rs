//! Lane flags: the predication of lanes, and the stack for nested conditions.
//!
//! The ISA documentation describes each lane separately; here a lane is a bit of a mask.

use tessera_isa_tensix::table::{Sfpcompc, Sfpencc, Sfpgt, Sfple, Sfppopc, Sfppushc, Sfpsetcc};

use super::lregs::{is_writable, read, write};
use super::mode_fault;
use super::operands::Operands;
use crate::arith::spec::sfpu;
use crate::arith::LANES;
use crate::state::vector::{Predication, Vector, STACK};
use crate::trap::Fault;

/// Returns the predication state, which SFPENCC must have defined.
fn predication(unit: &Vector) -> Result<Predication, Fault> {
    unit.predication.ok_or_else(|| {
        Fault::undefined("lane flags are used before SFPENCC has set them; execute SFPENCC first")
    })
}

/// Returns the lanes that the flags enable, whatever the configuration of lanes.
pub(super) fn deciding(unit: &Vector) -> u32 {
    let predication = unit.predication;
    predication.map_or(u32::MAX, |p| p.flags | !p.in_use)
}

/// Returns the mask of the lanes for which `condition` holds.
fn lanes_where(condition: impl Fn(usize) -> bool) -> u32 {
    (0..LANES).fold(0, |bits, lane| bits | u32::from(condition(lane)) << lane)
}

/// SFPSETCC: sets the flags of the enabled lanes to a comparison of VC with zero. Flags of lanes
/// that do not use them become false.
pub(super) fn set(i: &Sfpsetcc, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let mut p = predication(unit)?;
    let enabled = unit.enabled();
    let compare = |unit: &mut Vector, holds: fn(i32) -> bool| -> Result<u32, Fault> {
        let values = read(unit, at.c, enabled & p.in_use)?;
        Ok(lanes_where(|lane| holds(values[lane] as i32)))
    };
    let outcome = match i.instr_mod1 {
        0 => compare(unit, |c| c < 0)?,
        2 => compare(unit, |c| c != 0)?,
        4 => compare(unit, |c| c >= 0)?,
        6 => compare(unit, |c| c == 0)?,
        8.. => 0,
        _ => lanes_where(|_| i.imm12_math != 0),
    };
    p.flags = p.flags & !enabled | outcome & enabled & p.in_use;
    unit.predication = Some(p);
    Ok(())
}

/// Sets the flags of the enabled lanes to a condition.
pub(super) fn become_where(
    unit: &mut Vector,
    enabled: u32,
    condition: impl Fn(usize) -> bool,
) -> Result<(), Fault> {
    let mut p = predication(unit)?;
    p.flags = p.flags & !enabled | lanes_where(condition) & enabled;
    unit.predication = Some(p);
    Ok(())
}

/// Inverts the flags of the lanes in `enabled`, if `wanted`. These are the lanes that were enabled
/// when the instruction began.
pub(super) fn invert(unit: &mut Vector, enabled: u32, wanted: bool) -> Result<(), Fault> {
    if wanted {
        let mut p = predication(unit)?;
        p.flags ^= enabled;
        unit.predication = Some(p);
    }
    Ok(())
}

fn all(bit: bool) -> u32 {
    if bit {
        u32::MAX
    } else {
        0
    }
}

/// SFPENCC, in all lanes. Bit 1 of the mode sets whether flags are in use, bit 0 inverts it. Bit 3
/// sets the flags; otherwise they become true.
pub(super) fn enable(i: &Sfpencc, unit: &mut Vector) -> Result<(), Fault> {
    let in_use = match (i.instr_mod1 & 2 != 0, i.instr_mod1 & 1 != 0) {
        (true, _) => all(i.imm12_math & 1 != 0),
        (false, true) => !predication(unit)?.in_use,
        (false, false) => predication(unit)?.in_use,
    };
    let flags = all(i.instr_mod1 & 8 == 0 || i.imm12_math & 2 != 0);
    unit.predication = Some(Predication { flags, in_use });
    Ok(())
}

/// Combines flags `a` and `b` as modes 1 to 12 of SFPPUSHC and SFPPOPC do.
fn combined(mode: u32, a: u32, b: u32) -> u32 {
    match mode {
        1 => b,
        2 => !b,
        3 => a & b,
        4 => a | b,
        5 => a & !b,
        6 => a | !b,
        7 => !a & b,
        8 => !a | b,
        9 => !(a | b),
        10 => !(a & b),
        11 => a ^ b,
        _ => !(a ^ b),
    }
}

/// SFPPUSHC: pushes (mode 0) or, on Blackhole, modifies the top of the stack.
pub(super) fn push(i: &Sfppushc, unit: &mut Vector) -> Result<(), Fault> {
    let mode = i.instr_mod1;
    if mode != 0 {
        return change_top(mode, unit);
    }
    let p = predication(unit)?;
    if unit.depth == STACK {
        return Err(Fault::undefined(
            "SFPPUSHC onto a full flag stack; it has eight places",
        ));
    }
    unit.stack[unit.depth] = p;
    unit.depth += 1;
    Ok(())
}

fn change_top(mode: u32, unit: &mut Vector) -> Result<(), Fault> {
    if !unit.chip().changes_top {
        return Err(mode_fault("SFPPUSHC", mode, "0 (push)"));
    }
    let Some(top) = unit.depth.checked_sub(1) else {
        return Err(Fault::undefined(format!(
            "SFPPUSHC in mode {mode} on an empty flag stack; push first"
        )));
    };
    let old = unit.stack[top];
    unit.stack[top] = match mode {
        ..=12 => {
            let p = predication(unit)?;
            Predication {
                flags: combined(mode, old.flags, p.flags),
                ..p
            }
        }
        13 => {
            invert(unit, u32::MAX, true)?;
            predication(unit)?
        }
        _ => Predication {
            flags: all(mode == 14),
            in_use: u32::MAX,
        },
    };
    Ok(())
}

/// SFPPOPC: pops (mode 0), or modifies the flags by the top of the stack. On Wormhole the latter
/// copies the bottom of a full stack to its top.
pub(super) fn pop(i: &Sfppopc, unit: &mut Vector) -> Result<(), Fault> {
    let mode = i.instr_mod1;
    let keeps_bottom = unit.chip().keeps_bottom;
    let top = match unit.depth {
        0 => Predication::default(),
        depth => unit.stack[depth - 1],
    };
    if mode == 0 {
        let Some(depth) = unit.depth.checked_sub(1) else {
            return Err(Fault::undefined(
                "SFPPOPC from an empty flag stack; push first",
            ));
        };
        unit.depth = depth;
    } else if unit.depth == STACK && !keeps_bottom {
        unit.stack[0] = top;
    }
    let new = match mode {
        0 => top,
        1..=12 => Predication {
            flags: combined(mode, predication(unit)?.flags, top.flags),
            ..top
        },
        13 => return invert(unit, u32::MAX, true),
        _ => Predication {
            flags: all(mode == 14),
            in_use: u32::MAX,
        },
    };
    unit.predication = Some(new);
    Ok(())
}

/// SFPCOMPC, the `else` of a condition: enables the lanes of the enclosing condition that did not
/// take the first branch.
pub(super) fn complement(_: &Sfpcompc, unit: &mut Vector) -> Result<(), Fault> {
    let mut p = predication(unit)?;
    let top = match unit.depth {
        0 => Predication {
            flags: u32::MAX,
            in_use: u32::MAX,
        },
        depth => unit.stack[depth - 1],
    };
    p.flags = top.in_use & p.in_use & top.flags & !p.flags;
    unit.predication = Some(p);
    Ok(())
}

/// Mode bits of SFPLE and SFPGT: write the outcome to the flags; combine it with the flags on top
/// of the stack; by "or" instead of "and"; write it to VD.
const SET_FLAGS: u32 = 1;
const CHANGE_TOP: u32 = 2;
const BY_OR: u32 = 4;
const SET_DEST: u32 = 8;

/// Returns whether an SFPLE or SFPGT may change the top of the stack, which is shared by all lanes.
pub(super) fn changes_top(mode: u32) -> bool {
    mode & CHANGE_TOP != 0
}

/// Returns whether an SFPLE or SFPGT may change flags or the top of the stack.
pub(super) fn changes_flags(mode: u32) -> bool {
    mode & (SET_FLAGS | CHANGE_TOP) != 0
}

/// SFPLE: `VD <= VC`.
pub(super) fn at_most(i: &Sfple, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    compare(i.instr_mod1, at, |c, d| !sfpu::is_smaller(c, d), unit)
}

/// SFPGT: `VD > VC`.
pub(super) fn above(i: &Sfpgt, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    compare(i.instr_mod1, at, sfpu::is_smaller, unit)
}

fn compare(
    mode: u32,
    at: Operands,
    holds: fn(u32, u32) -> bool,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let enabled = unit.enabled();
    // All lanes share the stack.
    let changes_top = changes_top(mode) && unit.depth > 0;
    let needed = if changes_top { u32::MAX } else { enabled };
    let (c, b) = (read(unit, at.c, needed)?, read(unit, at.b, needed)?);
    let outcome = lanes_where(|lane| holds(c[lane], b[lane]));
    if mode & SET_DEST != 0 && is_writable(at.d) {
        let values = std::array::from_fn(|lane| all(outcome >> lane & 1 != 0));
        write(unit, at.d, enabled, values);
    }
    if mode & SET_FLAGS != 0 {
        become_where(unit, enabled, |lane| outcome >> lane & 1 != 0)?;
    }
    if changes_top {
        let top = &mut unit.stack[unit.depth - 1].flags;
        match mode & BY_OR {
            0 => *top &= outcome,
            _ => *top |= outcome,
        }
    }
    Ok(())
}
