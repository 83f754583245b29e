//! The instruction table: name, operands and encoding of each instruction.
//!
//! The rest follows from a row's [`Format`]: the fixed bits ([`Row::mask`], [`Row::bits`]), the
//! operands, and the text. The cores that have an instruction follow from its [`Extension`].

use crate::isa::{Extension, Isa};

mod rows;

pub use rows::{Op, ROWS};

/// The encoding and the text of an instruction's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `rd, rs1, rs2`.
    R,
    /// `rd, rs1, imm` with 12 bits.
    I,
    /// `rd, rs1, imm` with a shift amount of 5 bits.
    Shift,
    /// `rd, imm(rs1)` with 12 bits: loads and `jalr`.
    Load,
    /// `rs2, imm(rs1)` with 12 bits: stores.
    Store,
    /// `rs1, rs2, offset` with 13 bits, even.
    Branch,
    /// `rd, imm` with the upper 20 bits of a word.
    Upper,
    /// `rd, offset` with 21 bits, even.
    Jump,
    /// `pred, succ`: sets of `i`, `o`, `r`, `w`.
    Fence,
    /// No operands.
    Exact,
    /// `imm`: the 32 bits of a Tensix instruction below 0xC0000000, which the encoding rotates left
    /// by two.
    Push,
    /// `rd, rs1`; funct7 and rs2 of [`Format::R`] are fixed.
    Unary,
    /// `rd, csr, rs1`.
    Csr,
    /// `rd, csr, imm` with 5 bits.
    CsrImmediate,
    /// `rd, rs2, (rs1)`, with acquire and release bits.
    Atomic,
    /// `rd, rs1, rs2`, with a rounding mode.
    Rounded,
    /// `rd, rs1`, with a rounding mode; rs2 of [`Format::Rounded`] is fixed.
    UnaryRounded,
    /// `rd, rs1, rs2, rs3`, with a rounding mode.
    Fused,
    /// `rd, rs1, vtype` with 11 bits.
    Vsetvli,
    /// `rd, imm, vtype` with 5 and 10 bits.
    Vsetivli,
    /// `vd, (rs1)`, with up to eight fields, optionally masked; stores have vs3 in place of vd.
    Vunit,
    /// `vd, (rs1), rs2`, likewise.
    Vstrided,
    /// `vd, (rs1), vs2`, likewise.
    Vindexed,
    /// `vd, (rs1)`.
    Vwhole,
    /// `vd, vs2, vs1`, optionally masked, as all following formats unless noted.
    Vv,
    /// `vd, vs2, vs1` or `vd, vs2, rs1`, selected by bit 14.
    Vvx,
    /// `vd, vs2, rs1`.
    Vx,
    /// `vd, vs2, imm` with 5 bits, signed.
    Vi,
    /// `vd, vs2, imm` with 5 bits, unsigned.
    Vu,
    /// As [`Format::Vvx`], written `vd, vs1, vs2`.
    VvxA,
    /// As [`Format::Vx`], written `vd, rs1, vs2`.
    VxA,
    /// As [`Format::Vvx`], with v0 as an operand instead of a mask.
    VvxM,
    /// As [`Format::Vx`], with v0 as an operand instead of a mask.
    VxM,
    /// As [`Format::Vi`], with v0 as an operand instead of a mask.
    ViM,
    /// As [`Format::Vvx`], never masked.
    VvxU,
    /// As [`Format::Vi`], never masked.
    ViU,
    /// `vd, vs2, vs1`, never masked.
    Vmm,
    /// `vd, vs2`.
    Vunary,
    /// `vd, vs2`, never masked.
    VunaryU,
    /// `vd, vs1` or `vd, rs1`, never masked.
    Vsplat,
    /// `vd, rs1`, never masked.
    VsplatX,
    /// `vd, imm`, never masked.
    VsplatI,
    /// `vd`.
    Vid,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The instruction.
    pub op: Op,
    /// The extension to which it belongs.
    pub extension: Extension,
    /// The mnemonic.
    pub mnemonic: &'static str,
    /// The operands.
    pub format: Format,
    /// Mask of the fixed bits.
    pub mask: u32,
    /// Values of the fixed bits.
    pub bits: u32,
}

/// The bit that marks vector instructions as unmasked.
pub(crate) const UNMASKED: u32 = 1 << 25;

/// Returns the fixed bits of a format, given opcode, funct3 and the upper bits (funct7, or 12 bits
/// for [`Format::Exact`]).
const fn row(
    (op, extension): (Op, Extension),
    mnemonic: &'static str,
    format: Format,
    opcode: u32,
    funct3: u32,
    high: u32,
) -> Row {
    let low = opcode | funct3 << 12;
    let (mask, bits) = match format {
        Format::Upper | Format::Jump => (0x7f, opcode),
        Format::I
        | Format::Load
        | Format::Store
        | Format::Branch
        | Format::Csr
        | Format::CsrImmediate => (0x707f, low),
        Format::R | Format::Shift => (0xfe00_707f, low | high << 25),
        Format::Fence => (0xf00f_ffff, low),
        Format::Rounded => (0xfe00_007f, opcode | high << 25),
        Format::UnaryRounded => (0xfff0_007f, opcode | high << 20),
        Format::Fused => (0x0600_007f, opcode | high << 25),
        Format::Atomic => (0xf800_707f, low | high << 27),
        Format::Unary => (0xfff0_707f, low | high << 20),
        Format::Exact => (u32::MAX, low | high << 20),
        Format::Push => (0, 0),
        Format::Vsetvli => (0x8000_707f, low),
        Format::Vsetivli => (0xc000_707f, low | high << 30),
        Format::Vunit => (0x1df0_707f, low | high << 20),
        Format::Vstrided | Format::Vindexed => (0x1c00_707f, low | high << 20),
        Format::Vwhole => (0xfff0_707f, low | high << 20),
        Format::Vvx | Format::VvxA => (0xfc00_307f, low | high << 26),
        Format::Vv | Format::Vx | Format::Vi | Format::Vu | Format::VxA => {
            (0xfc00_707f, low | high << 26)
        }
        Format::VvxM => (0xfe00_307f, low | high << 26),
        Format::VxM | Format::ViM => (0xfe00_707f, low | high << 26),
        Format::VvxU => (0xfe00_307f, low | high << 26 | UNMASKED),
        Format::ViU | Format::Vmm => (0xfe00_707f, low | high << 26 | UNMASKED),
        Format::Vsplat => (0xfff0_307f, low | high << 26 | UNMASKED),
        Format::VsplatX | Format::VsplatI => (0xfff0_707f, low | high << 26 | UNMASKED),
        // The field of vs1 is fixed, above the upper bits.
        Format::Vunary => (0xfc0f_f07f, low | (high & 0x3f) << 26 | high >> 6 << 15),
        Format::VunaryU => (
            0xfe0f_f07f,
            low | (high & 0x3f) << 26 | high >> 6 << 15 | UNMASKED,
        ),
        Format::Vid => (0xfdff_f07f, low | (high & 0x3f) << 26 | high >> 6 << 15),
    };
    Row {
        op,
        extension,
        mnemonic,
        format,
        mask,
        bits,
    }
}

impl Op {
    /// Returns the instruction's row.
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns whether it accesses memory.
    pub(crate) fn touches_memory(self) -> bool {
        matches!(
            self,
            Op::Lb
                | Op::Lh
                | Op::Lw
                | Op::Lbu
                | Op::Lhu
                | Op::Flw
                | Op::Flh
                | Op::Sb
                | Op::Sh
                | Op::Sw
                | Op::Fsw
                | Op::Fsh
                | Op::Ttinsn
        ) || self.is_vector_memory()
    }

    /// Returns whether its result comes from memory and goes to one register.
    pub(crate) fn has_deferred_result(self) -> bool {
        matches!(
            self,
            Op::Lb | Op::Lh | Op::Lw | Op::Lbu | Op::Lhu | Op::Flw | Op::Flh
        ) || self.row().extension == Extension::Zaamo
    }

    /// Returns whether it is a vector load or store.
    pub(crate) fn is_vector_memory(self) -> bool {
        matches!(self.row().bits & 0x7f, 0x07 | 0x27) && self.row().extension == Extension::V
    }

    /// Returns which of rd, rs1 and rs2 of a scalar instruction are floating-point registers; rs3
    /// always is.
    pub const fn floats(self) -> [bool; 3] {
        use Op::*;
        match self {
            Flw | FmvWX | FcvtSW | FcvtSWu | Flh | FmvHX | FcvtHW | FcvtHWu => [true, false, false],
            Fsw | Fsh => [false, false, true],
            FeqS | FltS | FleS | FclassS | FmvXW | FcvtWS | FcvtWuS => [false, true, true],
            FeqH | FltH | FleH | FclassH | FmvXH | FcvtWH | FcvtWuH => [false, true, true],
            FmaddS | FmsubS | FnmsubS | FnmaddS | FaddS | FsubS | FmulS | FsgnjS | FsgnjnS
            | FsgnjxS | FminS | FmaxS => [true; 3],
            FmaddH | FmsubH | FnmsubH | FnmaddH | FaddH | FsubH | FmulH | FsgnjH | FsgnjnH
            | FsgnjxH | FminH | FmaxH | FcvtSH | FcvtHS => [true; 3],
            _ => [false; 3],
        }
    }
}

/// Maximum number of rows per [`key`]; unused entries are `NONE`.
const CANDIDATES: usize = 32;
const NONE: u16 = u16::MAX;
/// Number of keys: opcode and funct3, then funct3 and funct6 for vector arithmetic.
const KEYS: usize = 256 + 512;
static INDEX: [[u16; CANDIDATES]; KEYS] = index();

const fn key(word: u32) -> usize {
    let funct3 = word >> 12 & 7;
    match word & 0x7f {
        0x57 if funct3 != 7 => (256 + (word >> 26 | funct3 << 6)) as usize,
        _ => (word >> 2 & 31 | funct3 << 5) as usize,
    }
}

const fn index() -> [[u16; CANDIDATES]; KEYS] {
    let mut index = [[NONE; CANDIDATES]; KEYS];
    let mut k = 0;
    while k < ROWS.len() {
        let row = &ROWS[k];
        let mut funct3 = 0;
        while funct3 < 8 {
            let word = row.bits & !0x7000 | funct3 << 12;
            // Rows without funct3 are entered under all its values.
            if row.mask != 0 && word & row.mask == row.bits {
                let place = &mut index[key(word)];
                let mut at = 0;
                while place[at] != NONE {
                    at += 1;
                }
                place[at] = k as u16;
            }
            funct3 += 1;
        }
        k += 1;
    }
    index
}

/// Returns the row of a word, if cores with this instruction set have it.
pub fn find(word: u32, isa: Isa) -> Option<&'static Row> {
    if word & 3 != 3 {
        return Some(Op::Ttinsn.row());
    }
    INDEX[key(word)]
        .iter()
        .take_while(|&&k| k != NONE)
        .map(|&k| &ROWS[usize::from(k)])
        .find(|row| word & row.mask == row.bits && isa.has(row.extension))
}
