//! The Vector Unit (SFPU): 32 lanes of 32 bits.
//!
//! | module | instructions |
//! |---|---|
//! | `memory`, `transfer`, `dst_block` | SFPLOAD, SFPSTORE |
//! | `arithmetic` | SFPMAD, SFPADD, SFPMUL, SFPMULI, SFPADDI, SFPMUL24, SFPARECIP |
//! | `lut` | SFPLUT, SFPLUTFP32 |
//! | `integer` | SFPIADD, SFPSHFT, SFPLZ, SFPAND, SFPOR, SFPXOR, SFPNOT |
//! | `parts` | SFPABS, SFPDIVP2, SFPEXEXP, SFPEXMAN, SFPSETEXP, SFPSETMAN, SFPSETSGN |
//! | `round` | SFPSTOCHRND, SFPCAST |
//! | `lanes` | SFPSWAP, SFPTRANSP, SFPSHFT2 |
//! | `simple` | SFPLOADI, SFPMOV |
//! | `flags` | SFPSETCC, SFPENCC, SFPPUSHC, SFPPOPC, SFPCOMPC, SFPLE, SFPGT |
//! | `config` | SFPCONFIG, and instructions stored as templates |
//! | `macros`, `schedule`, `cycle` | SFPLOADMACRO, and the execution of scheduled instructions |
//!
//! `traits` has a row for each of them. `unit` has the state that they use.
//!
//! Traps: reading an LReg lane that is unwritten; using lane flags before SFPENCC has defined them;
//! drawing random bits before seeding. LRegs 11 to 14 are undefined until SFPCONFIG writes them.
//!
//! Source: ISA documentation, `VectorUnit.md`, `LReg.md` and the page of each instruction. `chip`
//! lists the differences between the chips.
//!
//! Validation: compared with ttsim 1.10.0 on random and special register values, operands and
//! flags, in Dst of both widths. The registers, and after stores all of Dst, were equal after each
//! of 1.1 million instructions per chip, covering every kind that ttsim supports; so was
//! `Miscellaneous/FMA`, 20 million times per chip. Where ttsim refuses, the model follows the
//! documentation alone: some integer modes of SFPLOAD and SFPSTORE, registers selected by LReg 7,
//! inverted flags, SFPSTOCHRND between integers and to FP16, tables without or with signs other
//! than LLK's, comparisons that change VD or the stack, SFPLOADMACRO, stochastic rounding, most of
//! the configuration of lanes. `tests/vectors/sfpu.tsv` has sampled instructions of such a
//! comparison, and `sfpu_further.tsv` some modes that ttsim refuses, with the answers of tt-sim.

mod arithmetic;
mod chip;
mod config;
mod cycle;
mod dst_block;
mod flags;
mod hazards;
mod integer;
mod lanes;
mod lregs;
mod lut;
mod macros;
mod memory;
mod operands;
mod parts;
mod random;
mod round;
mod schedule;
mod simple;
#[cfg(test)]
mod tests;
mod traits;
mod transfer;
mod unit;

use tessera_isa_tensix::Instruction;

pub(crate) use hazards::{collides_with_rotation, unprotected, written_unnoticed, DecodedTraits};
pub(crate) use schedule::settle;
pub(super) use traits::TRAITS;
pub use unit::VectorUnit;

use crate::insn::support;
use crate::state::config::Config;
use crate::state::model::Model;
use crate::state::vector::{AccessSet, Address, Vector};
use crate::trap::Fault;
use operands::Naming;

/// The sign bit of a float or of a sign-magnitude integer.
const SIGN: u32 = 1 << 31;

/// Executes one instruction of this unit for `thread`.
#[inline(always)] // As all functions that pass a `VectorUnit` on.
pub fn execute(instruction: &Instruction, thread: usize, unit: VectorUnit) -> Result<(), Fault> {
    unit.vector.access = AccessSet::default();
    let is_macro = matches!(instruction, Instruction::Sfploadmacro(_));
    if !is_macro && unit.vector.schedule.is_idle() {
        return perform(instruction, thread, unit).map(|_| ());
    }
    schedule::issue(instruction, thread, &mut { unit })
}

/// Does the same as [`execute`] for an instruction whose properties are known.
#[inline(always)]
pub(crate) fn execute_decoded(
    instruction: &Instruction,
    decoded: DecodedTraits,
    thread: usize,
    unit: VectorUnit,
) -> Result<(), Fault> {
    if !(decoded.is_plain && unit.vector.schedule.is_idle()) {
        return check_and_execute(instruction, thread, &mut { unit });
    }
    unit.vector.access = AccessSet::default();
    unit.vector.config.take_backdoor_moves();
    match instruction {
        Instruction::Sfpnop(_) => Ok(()),
        _ => dispatch(instruction, thread, unit).map(|_| ()),
    }
}

/// Returns whether nothing is scheduled.
#[inline]
pub(crate) fn is_idle(unit: &Vector) -> bool {
    unit.schedule.is_idle()
}

/// Does the same as [`execute`] for an SFPNOP while nothing is scheduled.
#[inline]
pub(crate) fn execute_nop(unit: &mut Vector) {
    unit.access = AccessSet::default();
    unit.config.take_backdoor_moves();
}

fn check_and_execute(
    instruction: &Instruction,
    thread: usize,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    support::check(unit.config.arch(), instruction)?;
    execute(instruction, thread, unit.reborrow())
}

/// Executes an instruction that a thread has issued (except SFPLOADMACRO), or stores it as a
/// template. Returns the datums of Dst that it accesses.
#[inline(always)]
fn perform(
    instruction: &Instruction,
    thread: usize,
    unit: VectorUnit,
) -> Result<Option<Address>, Fault> {
    let backdoor_moves = unit.vector.config.take_backdoor_moves();
    match instruction {
        Instruction::Sfpnop(_) => Ok(None),
        _ => perform_or_store(instruction, thread, backdoor_moves, unit),
    }
}

#[inline(always)]
fn perform_or_store(
    instruction: &Instruction,
    thread: usize,
    backdoor_moves: bool,
    unit: VectorUnit,
) -> Result<Option<Address>, Fault> {
    if let Some(slot) = traits::template(instruction) {
        if config::store_template(instruction, slot, backdoor_moves, unit.vector)? {
            traits::note_stored(instruction, thread, &mut { unit })?;
            return Ok(None);
        }
    }
    dispatch(instruction, thread, unit)
}

/// Executes an instruction that names no template.
#[inline(always)]
fn dispatch(
    instruction: &Instruction,
    thread: usize,
    unit: VectorUnit,
) -> Result<Option<Address>, Fault> {
    traits::dispatch(instruction, thread, unit, |other, unit| {
        compute(other, Naming(None), unit.model, unit.config, unit.vector)
    })
}

/// Executes an instruction of the simple, MAD or round sub-unit, or a load of an immediate.
#[inline(never)] // With few arguments, in registers.
fn compute(
    instruction: &Instruction,
    naming: Naming,
    model: Model,
    config: &mut Config,
    vector: &mut Vector,
) -> Result<(), Fault> {
    traits::compute(instruction, naming, model, config, vector)?;
    check_indexed(instruction, vector)
}

/// Refuses instructions that write LRegs 4 to 7 incorrectly if ENABLE_DEST_INDEX is set (erratum
/// TEN-2932, as in ttsim; `docs/reference/tensix/errata.md`, 003.1). Loads, SFPSWAP, SFPTRANSP and
/// SFPCONFIG are correct.
#[inline]
fn check_indexed(instruction: &Instruction, vector: &Vector) -> Result<(), Fault> {
    const UPPER: u32 = 0xF0;
    match vector.access.written & UPPER != 0 && vector.config.lanes_with(config::INDEX) != 0 {
        true => refuse_indexed(instruction),
        false => Ok(()),
    }
}

#[cold]
fn refuse_indexed(instruction: &Instruction) -> Result<(), Fault> {
    if traits::properties(instruction).writes_indexed {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "{} writes an LReg from 4 to 7 while LaneConfig.ENABLE_DEST_INDEX is set; by an erratum it \
         gets something else",
        instruction.row().mnemonic
    )))
}

/// Makes the fault of an unsupported mode.
fn mode_fault(mnemonic: &str, mode: u32, modelled: &str) -> Fault {
    Fault::unmodelled(format!("{mnemonic} in mode {mode}; modelled: {modelled}"))
}
