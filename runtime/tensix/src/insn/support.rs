//! Instruction support: a table for the documentation and for `ttrt query`.
//!
//! Every instruction has a row of traits (`insn/traits.rs`), which tells the forms that trap,
//! and whether the model refuses it on Blackhole.

use std::fmt::Write;

use tessera_isa_tensix::{rows, Arch, Instruction, Opcode, Row};

use crate::insn::table::traits;
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

/// Returns why the model refuses an instruction on a chip, if it does.
fn refusal(arch: Arch, opcode: Opcode) -> Option<&'static str> {
    match arch {
        Arch::WormholeB0 => None,
        Arch::Blackhole => traits(opcode).refused,
    }
}

/// Refuses an instruction that no unit implements on a chip.
///
/// # Errors
/// Not modelled.
pub(crate) fn check(arch: Arch, instruction: &Instruction) -> Result<(), Fault> {
    match refusal(arch, instruction.opcode()) {
        None => Ok(()),
        Some(why) => Err(refused(instruction, why)),
    }
}

#[cold]
fn refused(instruction: &Instruction, why: &str) -> Fault {
    Fault::unmodelled(format!("{}, {why}", instruction.row().mnemonic))
}

/// Returns the support of an instruction on a chip.
pub fn support(arch: Arch, row: &Row) -> Support {
    if !is_modelled(arch, row) {
        return Support::Trapped;
    }
    match traits(row.opcode).traps[arch as usize] {
        None => Support::Exact,
        Some(traps) => Support::Partial(traps),
    }
}

/// Returns whether a chip has the instruction and the model executes it.
fn is_modelled(arch: Arch, row: &Row) -> bool {
    row.is_on(arch) && refusal(arch, row.opcode).is_none()
}

/// Returns the table, a line per instruction.
pub fn markdown() -> String {
    let chips = Arch::ALL.map(Arch::name).join(" | ");
    let mut out = format!("| instruction | executed by | {chips} |\n|---|---|---|---|\n");
    for row in rows() {
        let cells = Arch::ALL.map(|arch| describe(arch, row)).join(" | ");
        let (file, function) = traits(row.opcode).source();
        let name = row.mnemonic;
        writeln!(out, "| {name} | `{function}` in `{file}` | {cells} |")
            .expect("a String takes everything");
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
