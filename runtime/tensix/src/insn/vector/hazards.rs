//! Latencies of vector instructions, and how the hardware's stall logic handles them.

use tessera_isa_tensix::{cfg, Arch, Instruction, Opcode};

use super::{chip, operands};
use crate::insn::support;
use crate::state::core_state::CoreState;

/// Properties of a vector instruction that depend on nothing but its operands and the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VectorTraits {
    /// Whether the chip has it, and it neither schedules others nor names a template of
    /// SFPLOADMACRO.
    pub(super) is_plain: bool,
    /// See [`is_late`].
    pub(crate) is_late: bool,
    /// See [`rotates`].
    pub(crate) rotates: bool,
}

impl VectorTraits {
    /// Returns the properties of an instruction.
    pub(crate) fn new(arch: Arch, instruction: &Instruction) -> Self {
        let is_macro = matches!(instruction, Instruction::Sfploadmacro(_));
        VectorTraits {
            is_plain: !is_macro
                && operands::template_slot(instruction).is_none()
                && support::check(arch, instruction).is_ok(),
            is_late: is_late(arch, instruction),
            rotates: rotates(instruction),
        }
    }
}

/// Returns whether an instruction belongs to the MAD sub-unit, whose results are one cycle late.
pub(crate) fn is_multiply_add(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Sfpmad | Sfpadd | Sfpmul | Sfpmuli | Sfpaddi | Sfplut | Sfplutfp32 | Sfpmul24
    )
}

/// Returns whether it is an SFPSHFT2 that moves data along rows of lanes, which takes two cycles.
pub(crate) fn rotates(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Sfpshft2(i) if matches!(i.instr_mod1, 2..=4))
}

/// Returns whether it occupies its sub-unit for a second cycle.
pub(super) fn holds_unit(instruction: &Instruction) -> bool {
    rotates(instruction) || instruction.opcode() == Opcode::Sfpswap
}

/// Returns whether its result is available one cycle late.
pub(super) fn is_slow(instruction: &Instruction) -> bool {
    holds_unit(instruction) || is_multiply_add(instruction.opcode())
}

/// Returns whether a vector instruction collides with the write of a rotation right before it. That
/// excludes the load, store and MAD sub-units, and instructions that only set flags, swap or
/// transpose (Wormhole; `SFPSHFT2.md`, scheduling). Blackhole stalls all of them.
pub(crate) fn collides_with_rotation(arch: Arch, opcode: Opcode) -> bool {
    use Opcode::*;
    let is_listed = matches!(
        opcode,
        Sfpabs
            | Sfpand
            | Sfpcast
            | Sfpdivp2
            | Sfpexexp
            | Sfpexman
            | Sfpiadd
            | Sfplz
            | Sfpmov
            | Sfpnot
            | Sfpor
            | Sfpsetexp
            | Sfpsetman
            | Sfpsetsgn
            | Sfpshft
            | Sfpshft2
            | Sfpstochrnd
            | Sfpxor
    );
    !chip::features_of(arch).stalls && is_listed
}

/// Returns whether the next instruction must not read its result, or is stalled on Blackhole.
pub(crate) fn is_late(arch: Arch, instruction: &Instruction) -> bool {
    is_multiply_add(instruction.opcode()) || !chip::features_of(arch).stalls && rotates(instruction)
}

/// Returns those of the LRegs in `read` for whose late results the hardware does not wait: all, if
/// it has no stall logic or the program has disabled it.
pub(crate) fn unprotected(core: &CoreState, instruction: &Instruction, read: u32) -> u32 {
    match stalls(core) {
        false => read,
        true => read & !noticed(instruction),
    }
}

/// Returns those of the LRegs in `written` for which Blackhole's stall logic does not wait although
/// it should: those that LReg 7 selects for an SFPLUTFP32 (`SFPLUTFP32.md`, scheduling:
/// Mod1Mirror).
pub(crate) fn written_unnoticed(core: &CoreState, instruction: &Instruction, written: u32) -> u32 {
    match instruction {
        Instruction::Sfplutfp32(i) if stalls(core) => written & !(1 << i.lreg_dest),
        _ => 0,
    }
}

/// Returns whether the hardware waits for late results.
pub(super) fn stalls(core: &CoreState) -> bool {
    let is_off = || {
        core.config
            .get_in_state(0, cfg::CHICKEN_BITS_sfpu_scbd_disable)
            != 0
    };
    chip::chip(core).stalls && !is_off()
}

/// Returns the LRegs that Blackhole's stall logic assumes an instruction to read (`SFPMAD.md`,
/// scheduling, including its errors).
pub(super) fn noticed(instruction: &Instruction) -> u32 {
    use Instruction::*;
    const ALL: u32 = 0xFFFF;
    const NAMES: u32 = 1 << 7;
    const INDIRECT: u32 = 4 | 8;
    let bits = |lregs: &[u32]| lregs.iter().fold(0, |bits, lreg| bits | 1 << lreg);
    let mad = |lregs: [u32; 3], mode: u32| match mode & INDIRECT {
        0 => bits(&lregs),
        _ => ALL,
    };
    let if_half = |half: bool, lreg: u32| if half { 1 << lreg } else { 0 };
    match instruction {
        Sfpmad(i) => mad([i.lreg_src_a, i.lreg_src_b, i.lreg_src_c], i.instr_mod1),
        Sfpadd(i) => mad([i.lreg_src_a, i.lreg_src_b, i.lreg_src_c], i.instr_mod1),
        Sfpmul(i) => mad([i.lreg_src_a, i.lreg_src_b, i.lreg_src_c], i.instr_mod1),
        Sfpmul24(i) => mad([i.lreg_src_a, i.lreg_src_b, i.lreg_src_c], i.instr_mod1),
        Sfpmuli(i) => mad([i.lreg_dest; 3], i.instr_mod1),
        Sfpaddi(i) => mad([i.lreg_dest; 3], i.instr_mod1),
        Sfplut(_) => 0b1111 | NAMES,
        // The logic tests Mod1Mirror, which is 0 here: LReg 7 selects nothing.
        Sfplutfp32(_) => ALL & !NAMES,
        Sfptransp(_) => 0xFF,
        Sfpshft2(i) => match i.instr_mod1 {
            0 | 1 => 0b1111,
            2..=4 => 0,
            _ => bits(&[i.lreg_src_c, i.lreg_dest]),
        },
        Sfpswap(i) if i.instr_mod1 != 0 => 0,
        Sfpswap(i) => bits(&[i.lreg_src_c, i.lreg_dest]),
        Sfpstochrnd(i) => bits(&[i.lreg_src_b, i.lreg_src_c]),
        Sfparecip(i) => bits(&[i.lreg_src_b, i.lreg_c]),
        // Of instructions with a VB it detects VD only.
        Sfpand(i) => bits(&[i.lreg_c, i.lreg_dest]),
        Sfpor(i) => bits(&[i.lreg_c, i.lreg_dest]),
        Sfpxor(i) => bits(&[i.lreg_c, i.lreg_dest]),
        Sfpsetexp(i) => bits(&[i.lreg_c, i.lreg_dest]),
        Sfpsetman(i) => bits(&[i.lreg_c, i.lreg_dest]),
        Sfpsetsgn(i) => bits(&[i.lreg_c, i.lreg_dest]),
        Sfple(i) => bits(&[i.lreg_c, i.lreg_dest]),
        Sfpgt(i) => bits(&[i.lreg_c, i.lreg_dest]),
        // It does not detect VD of these two.
        Sfpiadd(i) => bits(&[i.lreg_c]),
        Sfpshft(i) => bits(&[i.lreg_c]),
        Sfpdivp2(i) => bits(&[i.lreg_c]),
        Sfpexexp(i) => bits(&[i.lreg_c]),
        Sfpexman(i) => bits(&[i.lreg_c]),
        Sfpsetcc(i) => bits(&[i.lreg_c]),
        Sfpmov(i) => bits(&[i.lreg_c]),
        Sfpabs(i) => bits(&[i.lreg_c]),
        Sfpnot(i) => bits(&[i.lreg_c]),
        Sfplz(i) => bits(&[i.lreg_c]),
        Sfpcast(i) => bits(&[i.lreg_src_c]),
        Sfpstore(i) => bits(&[i.lreg_ind]),
        Sfploadi(i) => if_half(i.instr_mod0 >= 8, i.lreg_ind),
        Sfpload(i) => if_half(i.instr_mod0 >= 14, i.lreg_ind),
        _ => 0,
    }
}
