//! What of the instruction set the model has: a table for the documentation and for `ttrt query`.
//!
//! Whether an instruction is modelled is asked of the units themselves, by executing it on a fresh core. What of it traps is said here.
//!
//! An instruction whose Blackhole form no unit carries out yet stands in `PENDING`; it traps there. To turn one on, take its
//! line out, and say in `TRAPS` what of it traps.

use std::fmt::Write;

use tessera_isa_tensix::{rows, Arch, Instruction, Opcode, Row, Unit};

use crate::core_state::CoreState;
use crate::exec;
use crate::sync::Sync;
use crate::trap::Fault;

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

/// Instructions that Blackhole has and that trap there, because only their Wormhole form is carried out.
const PENDING: &[Opcode] = &[
    // Front end
    Opcode::Resourcedecl,
    // Sync unit
    Opcode::Atgetm,
    Opcode::Atrelm,
    Opcode::Stallwait,
    Opcode::Seminit,
    Opcode::Sempost,
    Opcode::Semget,
    Opcode::Semwait,
    Opcode::Streamwait,
    // Miscellaneous unit
    Opcode::Setadc,
    Opcode::Setadcxy,
    Opcode::Incadcxy,
    Opcode::Addrcrxy,
    Opcode::Setadczw,
    Opcode::Incadczw,
    Opcode::Addrcrzw,
    Opcode::Setdvalid,
    Opcode::Setadcxx,
    // Configuration unit
    Opcode::Wrcfg,
    Opcode::Rdcfg,
    Opcode::Setc16,
    Opcode::Rmwcib0,
    Opcode::Rmwcib1,
    Opcode::Rmwcib2,
    Opcode::Rmwcib3,
    Opcode::Streamwrcfg,
    Opcode::Cfgshiftmask,
    // Scalar unit
    Opcode::Setdmareg,
    Opcode::Flushdma,
    Opcode::Reg2flop,
    Opcode::Loadind,
    Opcode::Adddmareg,
    Opcode::Subdmareg,
    Opcode::Muldmareg,
    Opcode::Bitwopdmareg,
    Opcode::Shiftdmareg,
    Opcode::Cmpdmareg,
    Opcode::Dmanop,
    Opcode::Atincget,
    Opcode::Atincgetptr,
    Opcode::Atswap,
    Opcode::Atcas,
    Opcode::Storeind,
    Opcode::Storereg,
    Opcode::Loadreg,
    // Mover
    Opcode::Xmov,
    // Unpackers
    Opcode::Unpacr,
    Opcode::UnpacrNop,
    // Packers
    Opcode::Pacr,
    Opcode::PacrSetreg,
    // Matrix unit
    Opcode::Shiftxa,
    Opcode::Shiftxb,
    Opcode::Clrexphist,
    // Vector unit
    Opcode::Sfpload,
    Opcode::Sfploadi,
    Opcode::Sfpstore,
    Opcode::Sfplut,
    Opcode::Sfpmuli,
    Opcode::Sfpaddi,
    Opcode::Sfpdivp2,
    Opcode::Sfpexexp,
    Opcode::Sfpexman,
    Opcode::Sfpiadd,
    Opcode::Sfpshft,
    Opcode::Sfpsetcc,
    Opcode::Sfpmov,
    Opcode::Sfpabs,
    Opcode::Sfpand,
    Opcode::Sfpor,
    Opcode::Sfpnot,
    Opcode::Sfplz,
    Opcode::Sfpsetexp,
    Opcode::Sfpsetman,
    Opcode::Sfpmad,
    Opcode::Sfpadd,
    Opcode::Sfpmul,
    Opcode::Sfppushc,
    Opcode::Sfppopc,
    Opcode::Sfpsetsgn,
    Opcode::Sfpencc,
    Opcode::Sfpcompc,
    Opcode::Sfptransp,
    Opcode::Sfpxor,
    Opcode::Sfpstochrnd,
    Opcode::Sfpnop,
    Opcode::Sfpcast,
    Opcode::Sfpconfig,
    Opcode::Sfpswap,
    Opcode::Sfploadmacro,
    Opcode::Sfpshft2,
    Opcode::Sfplutfp32,
    Opcode::Sfple,
    Opcode::Sfpgt,
    Opcode::Sfpmul24,
    Opcode::Sfparecip,
];

/// The same by opcode, for who executes.
static IS_PENDING: [bool; 256] = {
    let mut pending = [false; 256];
    let mut k = 0;
    while k < PENDING.len() {
        pending[PENDING[k] as usize] = true;
        k += 1;
    }
    pending
};

/// Whether a chip's form of an instruction is one that no unit carries out.
pub(crate) fn is_pending(arch: Arch, opcode: Opcode) -> bool {
    arch == Arch::Blackhole && IS_PENDING[opcode as usize]
}

/// Both chips, and each.
const BOTH: &[Arch] = &Arch::ALL;
const WORMHOLE: &[Arch] = &[Arch::WormholeB0];
const BLACKHOLE: &[Arch] = &[Arch::Blackhole];

/// What traps of instructions that are modelled otherwise.
const TRAPS: &[(Opcode, &[Arch], &str)] = &[
    (Opcode::Mvmul, BOTH, "denormal floats"),
    (Opcode::Elwadd, BOTH, "denormal floats, floats in a phase but 0"),
    (Opcode::Elwsub, BOTH, "denormal floats, floats in a phase but 0"),
    (Opcode::Elwmul, BOTH, "denormal floats"),
    (Opcode::Gapool, BOTH, "denormal floats"),
    (Opcode::Shiftxa, BOTH, "rows chosen by a move between SrcB and Dst"),
    (
        Opcode::Zeroacc,
        &[Arch::Blackhole],
        "taking marks back, 16-bit rows in another layout, groups in the other half of a 32-bit Dst",
    ),
    (Opcode::Movd2b, &[Arch::Blackhole], "the implied format of one source only"),
    (Opcode::Mova2d, BOTH, "16-bit rows in a 32-bit Dst"),
    (Opcode::Movb2d, BOTH, "16-bit rows in a 32-bit Dst"),
    (
        Opcode::Unpacr,
        BOTH,
        "`last` clear, rows below 4 of unpacker 0, parts of rows of Dst that hold nothing",
    ),
    (Opcode::UnpacrNop, BOTH, "messages of streams, stores to registers"),
    (
        Opcode::Pacr,
        BOTH,
        "compression, stochastic rounding, output FIFOs, automatic ends of tiles, block floats from L1",
    ),
    (Opcode::Setadc, BOTH, "counters of another thread"),
    (Opcode::Setdmareg, BOTH, "the packers' tile sizes and zero flags"),
    (Opcode::Sfpload, BLACKHOLE, "the stack (mode 10)"),
    (Opcode::Sfpstore, WORMHOLE, "denormals as FP32"),
    (Opcode::Sfpstore, BLACKHOLE, "the stack (mode 10)"),
    (Opcode::Sfpconfig, BOTH, "BLOCK_DEST_MOV"),
    (
        Opcode::Sfploadmacro,
        BOTH,
        "macros that differ between lanes, instructions that the hardware would discard",
    ),
];

/// What the model makes of an instruction on a chip.
pub fn support(arch: Arch, row: &Row) -> Support {
    if !is_modelled(arch, row) {
        return Support::Trapped;
    }
    let traps = TRAPS
        .iter()
        .find(|(opcode, archs, _)| *opcode == row.opcode && archs.contains(&arch));
    traps.map_or(Support::Exact, |(.., what)| Support::Partial(what))
}

/// Whether its unit knows it.
fn is_modelled(arch: Arch, row: &Row) -> bool {
    if matches!(row.unit, Unit::MopExpander | Unit::ReplayExpander) {
        return true;
    }
    let Ok(instruction) = Instruction::decode(arch, (row.opcode as u32) << 24) else {
        return false;
    };
    let mut core = CoreState::new(arch);
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
        for (opcode, archs, what) in TRAPS {
            for &arch in *archs {
                if is_pending(arch, *opcode) {
                    continue;
                }
                let support = support(arch, opcode.row());
                let mnemonic = opcode.row().mnemonic;
                assert_eq!(support, Support::Partial(what), "{mnemonic} on {arch}");
            }
        }
    }

    #[test]
    fn some_of_each() {
        for (mnemonic, expect) in [
            ("MOP", Support::Exact),
            ("SFPAND", Support::Exact),
            ("SFPCONFIG", Support::Partial("BLOCK_DEST_MOV")),
            ("SFPLE", Support::Trapped),
            ("XMOV", Support::Exact),
            ("SFPGT", Support::Trapped),
        ] {
            let row = Row::by_mnemonic(mnemonic).unwrap();
            assert_eq!(support(Arch::WormholeB0, row), expect, "{mnemonic}");
        }
    }
}
