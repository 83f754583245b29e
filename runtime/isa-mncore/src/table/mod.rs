//! The instruction table: opcodes, their spelling and their operands.
//!
//! There is one file per family, with one list of rows each. A row names the section of the manual
//! that describes the opcode. The parser, checker, printer, codec and `mncore-as --explain` all
//! read these rows. The number of an opcode in a packed word is its position in the family's
//! `all()`, so new rows must be appended.

pub mod alu;
pub mod l1bm;
pub mod l2bm;
pub mod mau;
pub mod mv;
pub mod rrn;
pub use alu::{AluKind, AluOp};
pub use l1bm::{L1bmKind, L1bmOp};
pub use l2bm::{L1bSet, L2bmKind, L2bmOp};
pub use mau::{Half, MauKind, MauOp};
pub use mv::MvMode;
pub use rrn::{Rrn, RrnKind};

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::memory::Precision;

/// The issue slots of a step, each with at most one expression (manual, table 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// `nop`.
    Nop,
    /// `noforward`.
    Noforward,
    /// Transfers between L2BM and L1BM, and `l2bmdars`.
    L2bm,
    /// `l2bmdarw`.
    L2bmdarw,
    /// Transfers between L1BM and PE.
    L1bm,
    /// Transfers from the turn-around register to PE.
    Turnaround,
    /// Arithmetic of the MAU.
    MauCalc,
    /// Writes to a matrix register.
    Mwrite,
    /// Transposed reads of a matrix register.
    Mread,
    /// The ALU.
    Alu,
    /// `wait`.
    Wait,
}

impl Group {
    /// Returns the manual's name of the group.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Nop => "nop",
            Group::Noforward => "noforward",
            Group::L2bm => "l2bm",
            Group::L2bmdarw => "l2bmdarw",
            Group::L1bm => "l1bm",
            Group::Turnaround => "l1bm-turnaround",
            Group::MauCalc => "mau-calc",
            Group::Mwrite => "mau-mwrite",
            Group::Mread => "mau-mread",
            Group::Alu => "alu",
            Group::Wait => "wait",
        }
    }
}

/// An opcode as its mnemonic identifies it, before operands are parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opcode {
    /// `nop`, section 3.6.5.
    Nop,
    /// `noforward`, section 3.6.6.
    Noforward,
    /// `wait`, section 3.6.13.
    Wait,
    /// `l2bmdars`, section 3.6.7.10.
    DarStart,
    /// `l2bmdarw`, section 3.6.7.10.
    DarWrite,
    /// A transfer between L2BM and L1BM; the operands determine the direction.
    L2bm(L2bmKind, Option<Rrn>),
    /// A transfer between L1BM and PEs; the operands determine the direction. The flag is the
    /// suffix `r`.
    L1bm(L1bmKind, Option<Rrn>, bool),
    /// MAU arithmetic.
    Mau(MauOp),
    /// A write to a matrix register, such as `dmwrite`.
    Mwrite(Precision),
    /// A transposed read of a matrix register, such as `dmread`.
    Mread(Precision),
    /// ALU arithmetic. The `/n` of block float opcodes is not part of the mnemonic.
    Alu(AluOp),
}

/// Opcodes without a family: mnemonic, opcode, section, description.
pub const PLAIN_OPCODES: [(&str, Opcode, &str, &str); 5] = [
    (
        "nop",
        Opcode::Nop,
        "3.6.5",
        "Does nothing for a step; nop/N for N steps.",
    ),
    (
        "noforward",
        Opcode::Noforward,
        "3.6.6",
        "Keeps the forwarding registers and the turn-around register as they are.",
    ),
    (
        "wait",
        Opcode::Wait,
        "3.6.13",
        "Holds issue until the MV instruction with this tag is complete.",
    ),
    (
        "l2bmdars",
        Opcode::DarStart,
        "3.6.7.10",
        "Copies 256 long words from L2BM to DARBUF and sets where l2bmdarw continues.",
    ),
    (
        "l2bmdarw",
        Opcode::DarWrite,
        "3.6.7.10",
        "Copies four addresses from DARBUF to DAR.",
    ),
];

/// Returns the opcode of a mnemonic, which excludes anything after `@`, `/`, `+` or `-`.
pub fn find_opcode(mnemonic: &str) -> Option<Opcode> {
    static KNOWN: OnceLock<HashMap<String, Opcode>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let all = mnemonics().into_iter();
        all.filter_map(|text| spell_out(&text).map(|opcode| (text, opcode)))
            .collect()
    });
    known.get(mnemonic).copied()
}

/// Derives the opcode of a mnemonic from the rows.
fn spell_out(mnemonic: &str) -> Option<Opcode> {
    PLAIN_OPCODES
        .iter()
        .find(|row| row.0 == mnemonic)
        .map(|row| row.1)
        .or_else(|| l2bm::find(mnemonic))
        .or_else(|| l1bm::find(mnemonic))
        .or_else(|| mau::find(mnemonic))
        .or_else(|| alu::find(mnemonic))
}

/// Returns every mnemonic of PE expressions that [`find_opcode`] accepts.
pub fn mnemonics() -> Vec<String> {
    let mut all: Vec<String> = PLAIN_OPCODES.iter().map(|row| row.0.to_owned()).collect();
    all.extend(l2bm::mnemonics());
    all.extend(l1bm::mnemonics());
    all.extend(mau::mnemonics());
    all.extend(alu::mnemonics());
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests;
