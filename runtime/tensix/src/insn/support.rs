//! Instruction support: a table for the documentation and for `ttrt query`.
//!
//! Whether an instruction is modelled is determined by executing it on a new core. The forms of
//! modelled instructions that trap are listed here.
//!
//! `REFUSED` lists instructions that trap on Blackhole because no unit implements their form there.
//! To enable one, remove its line and describe its remaining traps in `TRAPS`.

use std::fmt::Write;

use tessera_isa_tensix::{rows, Arch, Instruction, Opcode, Row, Unit};

use crate::insn;
use crate::state::core_state::CoreState;
use crate::state::sync::Sync;
use crate::trap::Fault;

/// The support of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// Computed as by the hardware, bit by bit.
    Exact,
    /// Computed as by the hardware, except for these forms, which trap.
    Partial(&'static str),
    /// Every use traps.
    Trapped,
}

/// Instructions that trap on Blackhole, because its documents call them unsupported, are
/// incomplete, or describe something unmodelled; and the alternative.
const REFUSED: &[(Opcode, &str)] = &[
    (
        Opcode::Reg2flop,
        "which the documents call unsupported on Blackhole; use WRCFG or SETADC",
    ),
    (
        Opcode::Shiftxa,
        "whose rows are not documented on Blackhole; use SHIFTXB and MOVB2A",
    ),
    (
        Opcode::PacrSetreg,
        "whose way of passing addresses to TDMA-RISC is not documented on Blackhole; wait for the \
         packer with STALLWAIT and use STOREREG",
    ),
];

/// Whether an opcode is in the list, for the execution.
static TRAPS_ON_BLACKHOLE: [bool; 256] = {
    let mut traps = [false; 256];
    let mut k = 0;
    while k < REFUSED.len() {
        traps[REFUSED[k].0 as usize] = true;
        k += 1;
    }
    traps
};

/// Refuses an instruction that no unit implements on a chip.
///
/// # Errors
/// Not modelled.
pub(crate) fn check(arch: Arch, instruction: &Instruction) -> Result<(), Fault> {
    if arch == Arch::Blackhole && TRAPS_ON_BLACKHOLE[instruction.opcode() as usize] {
        return Err(refusal(instruction));
    }
    Ok(())
}

#[cold]
fn refusal(instruction: &Instruction) -> Fault {
    let opcode = instruction.opcode();
    match REFUSED.iter().find(|(refused, _)| *refused == opcode) {
        Some((_, why)) => Fault::unmodelled(format!("{}, {why}", instruction.row().mnemonic)),
        None => Fault::unmodelled_instruction(instruction),
    }
}

/// Both chips, and each.
const BOTH: &[Arch] = &Arch::ALL;
const WORMHOLE: &[Arch] = &[Arch::WormholeB0];
const BLACKHOLE: &[Arch] = &[Arch::Blackhole];

/// Traps of arithmetic, by configuration.
const PRODUCTS: &str =
    "denormal floats, stochastic rounding, forced FP16, an override of SrcB's format, sources of \
     different formats";
const SUMS: &str =
    "floats in a phase but 0, denormal floats, stochastic rounding, forced FP16, an override of \
     SrcB's format, sources of different formats";
/// Traps of all moves between Src and Dst, and of moves to Dst.
const MODES: &str = "forced FP16, an override of SrcB's format";
const MOVES: &str =
    "16-bit rows in a 32-bit Dst, parts of unwritten rows of Dst, forced FP16, an override \
     of SrcB's format";

/// Traps of instructions that are modelled otherwise.
const TRAPS: &[(Opcode, &[Arch], &str)] = &[
    (Opcode::Mvmul, BOTH, PRODUCTS),
    (Opcode::Elwadd, BOTH, SUMS),
    (Opcode::Elwsub, BOTH, SUMS),
    (Opcode::Elwmul, BOTH, PRODUCTS),
    (Opcode::Gapool, BOTH, PRODUCTS),
    (Opcode::Movd2a, BOTH, MODES),
    (
        Opcode::Shiftxa,
        WORMHOLE,
        "rows chosen by a move between SrcB and Dst",
    ),
    (
        Opcode::Zeroacc,
        &[Arch::Blackhole],
        "taking back other marks than of sixteen 32-bit rows, 16-bit rows in another layout, \
         groups in the other half of a 32-bit Dst",
    ),
    (Opcode::Movd2b, WORMHOLE, MODES),
    (
        Opcode::Movd2b,
        BLACKHOLE,
        "the implied format of one source only, forced FP16, an override of SrcB's format",
    ),
    (
        Opcode::Movb2a,
        BOTH,
        "datums with more bits than their format",
    ),
    (Opcode::Mova2d, BOTH, MOVES),
    (
        Opcode::Movb2d,
        WORMHOLE,
        "16-bit rows in a 32-bit Dst, parts of unwritten rows of Dst, datums with more bits than \
         their format, forced FP16, an override of SrcB's format",
    ),
    (
        Opcode::Movb2d,
        BLACKHOLE,
        "16-bit rows in a 32-bit Dst, parts of unwritten rows of Dst, datums with more bits than \
         their format, the implied format of one source only, forced FP16, an override of SrcB's \
         format",
    ),
    (
        Opcode::Unpacr,
        WORMHOLE,
        "`last` clear, rows below 4 of unpacker 0, parts of unwritten rows of Dst",
    ),
    (
        Opcode::Unpacr,
        BLACKHOLE,
        "`last` clear, rows below 4 of unpacker 0, parts of unwritten rows of Dst, numbers \
         of contexts that are no powers of two, ends of other buffers, tile offsets",
    ),
    (
        Opcode::UnpacrNop,
        BOTH,
        "messages of streams, stores to registers",
    ),
    (
        Opcode::Pacr,
        WORMHOLE,
        "compression, stochastic rounding, output FIFOs, automatic ends of tiles, block floats \
         from L1, downsampling rates, read modes, packing forced per plane or without shared \
         exponents",
    ),
    (
        Opcode::Pacr,
        BLACKHOLE,
        "compression, stochastic rounding, output FIFOs, automatic ends of tiles, L1 as a source, \
         contexts, counters of another thread, downsampling rates, read modes, packing forced per \
         plane or without shared exponents, positions of interfaces, room for headers, \
         `row_pad_zero`, first columns of Dst other than 0, downsampled parts of rows, \
         `dst_access_mode` unless Dst is remapped and swizzled, edge masks that are transposed or \
         whose faces end within a PACR, exponent thresholds for FP16 of a 32-bit Dst, FP8 with 4 \
         bits of exponent of other than FP16",
    ),
    (Opcode::Setadc, BOTH, "counters of another thread"),
    (
        Opcode::Setdmareg,
        WORMHOLE,
        "the packers' tile sizes and zero flags",
    ),
    (Opcode::Setdmareg, BLACKHOLE, "results of the packer"),
    (
        Opcode::Xmov,
        BLACKHOLE,
        "NC's instruction RAM, which it does not have",
    ),
    (
        Opcode::Setrwc,
        BLACKHOLE,
        "with data on the vector unit's stack",
    ),
    (
        Opcode::Setdvalid,
        BLACKHOLE,
        "use of the format that the handed-over data imply",
    ),
    (
        Opcode::Streamwait,
        BLACKHOLE,
        "messages of streams, which receive none",
    ),
    (
        Opcode::Streamwrcfg,
        BLACKHOLE,
        "registers of streams but the few that idle streams keep",
    ),
    (Opcode::Sfpstore, WORMHOLE, "denormals as FP32"),
    (
        Opcode::Sfploadmacro,
        WORMHOLE,
        "operations across lanes in macros that differ between lanes, instructions that the \
         hardware would discard",
    ),
    (
        Opcode::Sfploadmacro,
        BLACKHOLE,
        "operations across lanes in macros that differ between lanes, instructions that the \
         hardware would discard, stores to the stack (mode 10)",
    ),
];

/// Returns the support of an instruction on a chip.
pub fn support(arch: Arch, row: &Row) -> Support {
    if !is_modelled(arch, row) {
        return Support::Trapped;
    }
    let traps = TRAPS
        .iter()
        .find(|(opcode, archs, _)| *opcode == row.opcode && archs.contains(&arch));
    traps.map_or(Support::Exact, |(.., what)| Support::Partial(what))
}

/// Returns whether its unit implements it.
fn is_modelled(arch: Arch, row: &Row) -> bool {
    if !row.is_on(arch) {
        return false;
    }
    if matches!(
        row.unit,
        Unit::MopExpander | Unit::ReplayExpander | Unit::AutoSync
    ) {
        return true;
    }
    let Ok(instruction) = Instruction::decode(arch, (row.opcode as u32) << 24) else {
        return false;
    };
    if check(arch, &instruction).is_err() {
        return false;
    }
    let mut core = CoreState::new(arch);
    let whose = (&instruction, row.unit);
    let done = insn::execute(whose, 0, &mut core, &mut Sync::new(arch));
    let unknown = Fault::unmodelled_instruction(&instruction);
    done != Err(unknown)
}

/// Returns the table, a line per instruction.
pub fn markdown() -> String {
    let chips = Arch::ALL.map(Arch::name).join(" | ");
    let mut out = format!("| instruction | {chips} |\n|---|---|---|\n");
    for row in rows() {
        let cells = Arch::ALL.map(|arch| describe(arch, row)).join(" | ");
        writeln!(out, "| {} | {cells} |", row.mnemonic).expect("a String takes everything");
    }
    out
}

/// Describes the support of an instruction on a chip.
pub fn describe(arch: Arch, row: &Row) -> String {
    match support(arch, row) {
        _ if !row.is_on(arch) => "not there".into(),
        Support::Exact => "bit-exact".into(),
        Support::Partial(traps) => format!("bit-exact; traps: {traps}"),
        Support::Trapped => "trapped".into(),
    }
}

#[cfg(test)]
mod tests;
