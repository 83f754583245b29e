//! What of the instruction set the model has: a table for the documentation and for `ttrt query`.
//!
//! Whether an instruction is modelled is asked of the units themselves, by executing it on a fresh core. What of it traps is said here.

use std::fmt::Write;

use tessera_isa_tensix::{rows, Arch, Instruction, Opcode, Row, Unit};

use crate::core_state::CoreState;
use crate::exec;
use crate::sync::Sync;
use crate::trap::Fault;
use crate::ARCH;

/// What the model makes of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It computes what the hardware does, bit for bit.
    Exact,
    /// So it does, but some forms trap: these.
    Partial(&'static str),
    /// Every use of it traps.
    Trapped,
}

/// What traps of instructions that are modelled otherwise.
const TRAPS: &[(Opcode, &str)] = &[
    (Opcode::Mvmul, "denormal floats"),
    (Opcode::Elwadd, "denormal floats, floats in a phase but 0"),
    (Opcode::Elwsub, "denormal floats, floats in a phase but 0"),
    (Opcode::Elwmul, "denormal floats"),
    (Opcode::Gapool, "denormal floats"),
    (Opcode::Shiftxa, "rows chosen by a move between SrcB and Dst"),
    (Opcode::Mova2d, "16-bit rows in a 32-bit Dst"),
    (Opcode::Movb2d, "16-bit rows in a 32-bit Dst"),
    (
        Opcode::Unpacr,
        "`last` clear, rows below 4 of unpacker 0, parts of rows of Dst that hold nothing",
    ),
    (Opcode::UnpacrNop, "messages of streams, stores to registers"),
    (
        Opcode::Pacr,
        "compression, stochastic rounding, output FIFOs, automatic ends of tiles, block floats from L1",
    ),
    (Opcode::Setadc, "counters of another thread"),
    (Opcode::Setdmareg, "the packers' tile sizes and zero flags"),
    (Opcode::Sfpload, "lane configuration"),
    (Opcode::Sfpstore, "LRegs from 12 on, denormals as FP32"),
    (Opcode::Sfpmov, "random numbers"),
    (Opcode::Sfpcast, "stochastic rounding"),
    (Opcode::Sfpstochrnd, "stochastic rounding"),
    (Opcode::Sfpshft2, "the shift of rows (mode 4)"),
    (Opcode::Sfpconfig, "macros, lane configuration but 0"),
    (Opcode::Sfppushc, "modes but 0"),
    (Opcode::Sfppopc, "modes but 0"),
];

/// What the model makes of an instruction on a chip.
pub fn support(arch: Arch, row: &Row) -> Support {
    if arch != ARCH || !is_modelled(row) {
        return Support::Trapped;
    }
    let traps = TRAPS.iter().find(|(opcode, _)| *opcode == row.opcode);
    traps.map_or(Support::Exact, |(_, what)| Support::Partial(what))
}

/// Whether its unit knows it.
fn is_modelled(row: &Row) -> bool {
    if matches!(row.unit, Unit::MopExpander | Unit::ReplayExpander) {
        return true;
    }
    let Ok(instruction) = Instruction::decode(ARCH, (row.opcode as u32) << 24) else {
        return false;
    };
    let mut core = CoreState::new(ARCH);
    let done = exec::execute(&instruction, 0, &mut core, &mut Sync::default());
    let unknown = Fault::unmodelled_instruction(&instruction);
    done != Err(unknown)
}

/// The table, a line for each instruction.
pub fn markdown() -> String {
    let chips = Arch::ALL.map(Arch::name).join(" | ");
    let mut out = format!("| instruction | {chips} |\n|---|---|---|\n");
    for row in rows() {
        let cells = Arch::ALL.map(|arch| describe(arch, row)).join(" | ");
        writeln!(out, "| {} | {cells} |", row.mnemonic).expect("a String takes everything");
    }
    out
}

/// The same for an instruction on a chip, in words.
pub fn describe(arch: Arch, row: &Row) -> String {
    match support(arch, row) {
        _ if !row.is_on(arch) => "not there".into(),
        Support::Exact => "bit-exact".into(),
        Support::Partial(traps) => format!("bit-exact; traps: {traps}"),
        Support::Trapped => "trapped".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFACE: &str = "# What the model has of the Tensix instruction set\n\n\
        What is not modelled stops the run with an error. Nothing is approximated. This page is derived from the model \
        (`src/support.rs`).\n\n";

    /// The committed page is what the model says; `TESSERA_BLESS=1` rewrites it.
    #[test]
    fn page_is_fresh() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/SUPPORT.md");
        let page = format!("{PREFACE}{}", markdown());
        if std::env::var_os("TESSERA_BLESS").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap();
        assert_eq!(committed, page, "run with TESSERA_BLESS=1");
    }

    #[test]
    fn what_is_said_is_of_modelled_instructions() {
        for (opcode, what) in TRAPS {
            let support = support(ARCH, opcode.row());
            assert_eq!(support, Support::Partial(what), "{}", opcode.row().mnemonic);
        }
    }

    #[test]
    fn some_of_each() {
        for (mnemonic, expect) in [
            ("MOP", Support::Exact),
            ("SFPAND", Support::Exact),
            ("SFPCAST", Support::Partial("stochastic rounding")),
            ("SFPLOADMACRO", Support::Trapped),
            ("XMOV", Support::Exact),
            ("SFPGT", Support::Trapped),
        ] {
            let row = Row::by_mnemonic(mnemonic).unwrap();
            assert_eq!(support(ARCH, row), expect, "{mnemonic}");
            assert_eq!(support(Arch::Blackhole, row), Support::Trapped);
        }
    }
}
