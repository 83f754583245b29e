//! Lane flags: conditional execution of lanes, and the stack that nests it.
//!
//! The pages describe each lane on its own; here a lane is a bit.

use tessera_isa_tensix::table::{Sfpcompc, Sfpencc, Sfppopc, Sfppushc, Sfpsetcc};

use super::{mode_fault, read, Predication, LANES, STACK};
use crate::core_state::CoreState;
use crate::trap::Fault;

/// The state that SFPENCC has defined.
fn predication(core: &CoreState) -> Result<Predication, Fault> {
    core.regs.vector.predication.ok_or_else(|| {
        Fault::undefined("lane flags are used before SFPENCC has set them; execute SFPENCC first")
    })
}

/// Bits of `condition` over the lanes.
fn lanes_where(condition: impl Fn(usize) -> bool) -> u32 {
    (0..LANES).fold(0, |bits, lane| bits | u32::from(condition(lane)) << lane)
}

/// SFPSETCC: the flags of the enabled lanes become a comparison of VC with zero. Lanes whose flag is not in use lose it.
pub(super) fn set(i: &Sfpsetcc, core: &mut CoreState) -> Result<(), Fault> {
    let mut p = predication(core)?;
    let enabled = core.regs.vector.enabled();
    let compare = |core: &mut CoreState, holds: fn(i32) -> bool| -> Result<u32, Fault> {
        let values = read(core, i.lreg_c, enabled & p.in_use)?;
        Ok(lanes_where(|lane| holds(values[lane] as i32)))
    };
    let outcome = match i.instr_mod1 {
        0 => compare(core, |c| c < 0)?,
        1 => lanes_where(|_| i.imm12_math != 0),
        2 => compare(core, |c| c != 0)?,
        4 => compare(core, |c| c >= 0)?,
        6 => compare(core, |c| c == 0)?,
        8 => 0,
        other => {
            return Err(mode_fault(
                "SFPSETCC",
                other,
                "0 (< 0), 1 (immediate), 2 (≠ 0), 4 (≥ 0), 6 (= 0), 8 (clear)",
            ))
        }
    };
    p.flags = p.flags & !enabled | outcome & enabled & p.in_use;
    core.regs.vector.predication = Some(p);
    Ok(())
}

/// The flags of the lanes that are enabled become a condition.
pub(super) fn become_where(
    core: &mut CoreState,
    enabled: u32,
    condition: impl Fn(usize) -> bool,
) -> Result<(), Fault> {
    let mut p = predication(core)?;
    p.flags = p.flags & !enabled | lanes_where(condition) & enabled;
    core.regs.vector.predication = Some(p);
    Ok(())
}

/// The flags of the lanes that were enabled when the instruction began become their opposites, if that is wanted.
pub(super) fn invert(core: &mut CoreState, enabled: u32, wanted: bool) -> Result<(), Fault> {
    if wanted {
        let mut p = predication(core)?;
        p.flags ^= enabled;
        core.regs.vector.predication = Some(p);
    }
    Ok(())
}

/// SFPENCC, in all lanes: bit 1 of the mode sets whether flags count, bit 0 inverts it; bit 3 sets the flags, else they
/// become true.
pub(super) fn enable(i: &Sfpencc, core: &mut CoreState) -> Result<(), Fault> {
    let all = |bit: bool| if bit { u32::MAX } else { 0 };
    let in_use = match (i.instr_mod1 & 2 != 0, i.instr_mod1 & 1 != 0) {
        (true, _) => all(i.imm12_math & 1 != 0),
        (false, true) => !predication(core)?.in_use,
        (false, false) => predication(core)?.in_use,
    };
    let flags = all(i.instr_mod1 & 8 == 0 || i.imm12_math & 2 != 0);
    core.regs.vector.predication = Some(Predication { flags, in_use });
    Ok(())
}

/// SFPPUSHC.
pub(super) fn push(i: &Sfppushc, core: &mut CoreState) -> Result<(), Fault> {
    if i.instr_mod1 != 0 {
        return Err(mode_fault("SFPPUSHC", i.instr_mod1, "0"));
    }
    let p = predication(core)?;
    let vector = &mut core.regs.vector;
    if vector.depth == STACK {
        return Err(Fault::undefined(
            "SFPPUSHC onto a full flag stack; it has eight places",
        ));
    }
    vector.stack[vector.depth] = p;
    vector.depth += 1;
    Ok(())
}

/// SFPPOPC.
pub(super) fn pop(i: &Sfppopc, core: &mut CoreState) -> Result<(), Fault> {
    if i.instr_mod1 != 0 {
        return Err(mode_fault("SFPPOPC", i.instr_mod1, "0 (pop)"));
    }
    let vector = &mut core.regs.vector;
    if vector.depth == 0 {
        return Err(Fault::undefined(
            "SFPPOPC from an empty flag stack; push first",
        ));
    }
    vector.depth -= 1;
    vector.predication = Some(vector.stack[vector.depth]);
    Ok(())
}

/// SFPCOMPC: the `else` of a condition: lanes of the enclosing condition that did not take the first branch.
pub(super) fn complement(_: &Sfpcompc, core: &mut CoreState) -> Result<(), Fault> {
    let mut p = predication(core)?;
    let vector = &mut core.regs.vector;
    let top = match vector.depth {
        0 => Predication {
            flags: u32::MAX,
            in_use: u32::MAX,
        },
        depth => vector.stack[depth - 1],
    };
    p.flags = top.in_use & p.in_use & top.flags & !p.flags;
    vector.predication = Some(p);
    Ok(())
}
