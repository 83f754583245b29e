//! Latencies of vector instructions, and how the hardware's stall logic handles them.

use tessera_isa_tensix::{cfg, Arch, Instruction, Opcode};

use super::chip;
use super::traits::{self, Properties};
use crate::insn::support;
use crate::state::config::Config;
use crate::state::vector::SubUnit;

/// Properties of a vector instruction that depend on nothing but its operands and the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecodedTraits {
    /// Whether the chip has it, and it neither schedules others nor names a template of
    /// SFPLOADMACRO.
    pub(super) is_plain: bool,
    /// Whether the next instruction must not read its result, or is stalled on Blackhole.
    pub(crate) is_late: bool,
    /// Whether it is an SFPSHFT2 that moves data along rows of lanes, which takes two cycles.
    pub(crate) rotates: bool,
    /// Whether nothing of it is pending when the next instruction is issued.
    pub(crate) is_done_at_once: bool,
}

impl DecodedTraits {
    /// Returns the properties of an instruction.
    pub(crate) fn new(arch: Arch, instruction: &Instruction) -> Self {
        let is_macro = matches!(instruction, Instruction::Sfploadmacro(_));
        let properties = traits::properties(instruction);
        let is_mad = properties.sub_unit == Some(SubUnit::Mad);
        let is_late = is_mad || !chip::features_of(arch).stalls && properties.rotates;
        DecodedTraits {
            is_plain: !is_macro
                && traits::template(instruction).is_none()
                && support::check(arch, instruction).is_ok(),
            is_late,
            rotates: properties.rotates,
            is_done_at_once: !is_late
                && !properties.rotates
                && traits::unnoticed_writes(instruction) == 0,
        }
    }
}

impl Properties {
    /// Returns whether the result is available one cycle late.
    pub(super) fn is_slow(&self) -> bool {
        self.holds_unit || self.sub_unit == Some(SubUnit::Mad)
    }

    /// Returns whether each lane executes the instruction independently, in one cycle except for
    /// the result.
    pub(super) fn is_lane_local(&self) -> bool {
        !self.changes_shared && !self.holds_unit && !self.draws
    }
}

/// Returns whether a vector instruction collides with the write of a rotation right before it.
/// Blackhole stalls all of them.
pub(crate) fn collides_with_rotation(arch: Arch, opcode: Opcode) -> bool {
    !chip::features_of(arch).stalls && traits::collides_with_rotation(opcode)
}

/// Returns those of the LRegs in `read` for whose late results the hardware does not wait: all, if
/// it has no stall logic or the program has disabled it.
pub(crate) fn unprotected(config: &Config, instruction: &Instruction, read: u32) -> u32 {
    match stalls(config) {
        false => read,
        true => read & !traits::noticed(instruction),
    }
}

/// Returns those of the LRegs in `written` for which Blackhole's stall logic does not wait although
/// it should: those that LReg 7 selects for an SFPLUTFP32 (`SFPLUTFP32.md`, scheduling:
/// Mod1Mirror).
pub(crate) fn written_unnoticed(config: &Config, instruction: &Instruction, written: u32) -> u32 {
    match written & traits::unnoticed_writes(instruction) {
        0 => 0,
        unnoticed if stalls(config) => unnoticed,
        _ => 0,
    }
}

/// Returns whether the hardware waits for late results.
pub(super) fn stalls(config: &Config) -> bool {
    let is_off = || config.get_in_state(0, cfg::CHICKEN_BITS_sfpu_scbd_disable) != 0;
    chip::features_of(config.arch()).stalls && !is_off()
}
