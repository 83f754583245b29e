//! The instruction table: name, operands and encoding of each instruction, once.
//!
//! Everything else follows from a row's [`Format`]: which bits are fixed ([`Row::mask`], [`Row::bits`]), which are
//! operands, and how they are written. Which cores have it follows from its [`Extension`].

use crate::isa::{Extension, Isa};

/// How an instruction's operands are encoded and written.
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
    /// `imm` with the 32 bits of a Tensix instruction below 0xC0000000, which the encoding rotates left by two.
    Push,
    /// `rd, rs1`; where [`Format::R`] has funct7 and rs2, 12 bits are fixed.
    Unary,
    /// `rd, csr, rs1`.
    Csr,
    /// `rd, csr, imm` with 5 bits.
    CsrImmediate,
    /// `rd, rs2, (rs1)`, and whether it acquires and releases.
    Atomic,
    /// `rd, rs1, rs2`, and a rounding mode.
    Rounded,
    /// `rd, rs1`, and a rounding mode; where [`Format::Rounded`] has rs2, 5 bits are fixed.
    UnaryRounded,
    /// `rd, rs1, rs2, rs3`, and a rounding mode.
    Fused,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The instruction.
    pub op: Op,
    /// What a core must have that executes it.
    pub extension: Extension,
    /// Its name in text.
    pub mnemonic: &'static str,
    /// Its operands.
    pub format: Format,
    /// Bits of the encoding that are fixed.
    pub mask: u32,
    /// Their values.
    pub bits: u32,
}

/// Fixed bits of a format, from opcode, funct3 and what stands above (funct7, or 12 bits for [`Format::Exact`]).
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

macro_rules! table {
    ($($extension:ident { $($op:ident $mnemonic:literal $format:ident $opcode:literal $funct3:literal $high:literal;)* })*) => {
        /// Every instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names are the specification's")]
        pub enum Op { $($($op),*),* }

        /// Every row, in the order of [`Op`].
        pub const ROWS: &[Row] = &[
            $($(row((Op::$op, Extension::$extension), $mnemonic, Format::$format, $opcode, $funct3, $high)),*),*
        ];
    };
}

table! {
    Base {
        Lui    "lui"    Upper  0x37 0 0;
        Auipc  "auipc"  Upper  0x17 0 0;
        Jal    "jal"    Jump   0x6f 0 0;
        Jalr   "jalr"   Load   0x67 0 0;
        Beq    "beq"    Branch 0x63 0 0;
        Bne    "bne"    Branch 0x63 1 0;
        Blt    "blt"    Branch 0x63 4 0;
        Bge    "bge"    Branch 0x63 5 0;
        Bltu   "bltu"   Branch 0x63 6 0;
        Bgeu   "bgeu"   Branch 0x63 7 0;
        Lb     "lb"     Load   0x03 0 0;
        Lh     "lh"     Load   0x03 1 0;
        Lw     "lw"     Load   0x03 2 0;
        Lbu    "lbu"    Load   0x03 4 0;
        Lhu    "lhu"    Load   0x03 5 0;
        Sb     "sb"     Store  0x23 0 0;
        Sh     "sh"     Store  0x23 1 0;
        Sw     "sw"     Store  0x23 2 0;
        Addi   "addi"   I      0x13 0 0;
        Slti   "slti"   I      0x13 2 0;
        Sltiu  "sltiu"  I      0x13 3 0;
        Xori   "xori"   I      0x13 4 0;
        Ori    "ori"    I      0x13 6 0;
        Andi   "andi"   I      0x13 7 0;
        Slli   "slli"   Shift  0x13 1 0x00;
        Srli   "srli"   Shift  0x13 5 0x00;
        Srai   "srai"   Shift  0x13 5 0x20;
        Add    "add"    R      0x33 0 0x00;
        Sub    "sub"    R      0x33 0 0x20;
        Sll    "sll"    R      0x33 1 0x00;
        Slt    "slt"    R      0x33 2 0x00;
        Sltu   "sltu"   R      0x33 3 0x00;
        Xor    "xor"    R      0x33 4 0x00;
        Srl    "srl"    R      0x33 5 0x00;
        Sra    "sra"    R      0x33 5 0x20;
        Or     "or"     R      0x33 6 0x00;
        And    "and"    R      0x33 7 0x00;
        Fence  "fence"  Fence  0x0f 0 0;
        FenceTso "fence.tso" Exact 0x0f 0 0x833;
        Ecall  "ecall"  Exact  0x73 0 0;
        Ebreak "ebreak" Exact  0x73 0 1;
        Mul    "mul"    R      0x33 0 0x01;
        Mulh   "mulh"   R      0x33 1 0x01;
        Mulhsu "mulhsu" R      0x33 2 0x01;
        Mulhu  "mulhu"  R      0x33 3 0x01;
        Div    "div"    R      0x33 4 0x01;
        Divu   "divu"   R      0x33 5 0x01;
        Rem    "rem"    R      0x33 6 0x01;
        Remu   "remu"   R      0x33 7 0x01;
        Ttinsn "ttinsn" Push   0    0 0;
    }
    Zicsr {
        Csrrw  "csrrw"  Csr 0x73 1 0;
        Csrrs  "csrrs"  Csr 0x73 2 0;
        Csrrc  "csrrc"  Csr 0x73 3 0;
        Csrrwi "csrrwi" CsrImmediate 0x73 5 0;
        Csrrsi "csrrsi" CsrImmediate 0x73 6 0;
        Csrrci "csrrci" CsrImmediate 0x73 7 0;
    }
    Zaamo {
        Amoadd  "amoadd.w"  Atomic 0x2f 2 0x00;
        Amoswap "amoswap.w" Atomic 0x2f 2 0x01;
        Amoxor  "amoxor.w"  Atomic 0x2f 2 0x04;
        Amoor   "amoor.w"   Atomic 0x2f 2 0x08;
        Amoand  "amoand.w"  Atomic 0x2f 2 0x0c;
        Amomin  "amomin.w"  Atomic 0x2f 2 0x10;
        Amomax  "amomax.w"  Atomic 0x2f 2 0x14;
        Amominu "amominu.w" Atomic 0x2f 2 0x18;
        Amomaxu "amomaxu.w" Atomic 0x2f 2 0x1c;
    }
    Zba {
        Sh1add "sh1add" R 0x33 2 0x10;
        Sh2add "sh2add" R 0x33 4 0x10;
        Sh3add "sh3add" R 0x33 6 0x10;
    }
    Zbb {
        Andn  "andn"   R     0x33 7 0x20;
        Orn   "orn"    R     0x33 6 0x20;
        Xnor  "xnor"   R     0x33 4 0x20;
        Clz   "clz"    Unary 0x13 1 0x600;
        Ctz   "ctz"    Unary 0x13 1 0x601;
        Cpop  "cpop"   Unary 0x13 1 0x602;
        Sextb "sext.b" Unary 0x13 1 0x604;
        Sexth "sext.h" Unary 0x13 1 0x605;
        Max   "max"    R     0x33 6 0x05;
        Maxu  "maxu"   R     0x33 7 0x05;
        Min   "min"    R     0x33 4 0x05;
        Minu  "minu"   R     0x33 5 0x05;
        Rol   "rol"    R     0x33 1 0x30;
        Ror   "ror"    R     0x33 5 0x30;
        Rori  "rori"   Shift 0x13 5 0x30;
        Orcb  "orc.b"  Unary 0x13 5 0x287;
    }
    Bits {
        Pack  "pack"   R     0x33 4 0x04;
        Grevi "grevi"  Shift 0x13 5 0x34;
    }
    F {
        Flw     "flw"       Load         0x07 2 0;
        Fsw     "fsw"       Store        0x27 2 0;
        FmaddS  "fmadd.s"   Fused        0x43 0 0;
        FmsubS  "fmsub.s"   Fused        0x47 0 0;
        FnmsubS "fnmsub.s"  Fused        0x4b 0 0;
        FnmaddS "fnmadd.s"  Fused        0x4f 0 0;
        FaddS   "fadd.s"    Rounded      0x53 0 0x00;
        FsubS   "fsub.s"    Rounded      0x53 0 0x04;
        FmulS   "fmul.s"    Rounded      0x53 0 0x08;
        FsgnjS  "fsgnj.s"   R            0x53 0 0x10;
        FsgnjnS "fsgnjn.s"  R            0x53 1 0x10;
        FsgnjxS "fsgnjx.s"  R            0x53 2 0x10;
        FminS   "fmin.s"    R            0x53 0 0x14;
        FmaxS   "fmax.s"    R            0x53 1 0x14;
        FeqS    "feq.s"     R            0x53 2 0x50;
        FltS    "flt.s"     R            0x53 1 0x50;
        FleS    "fle.s"     R            0x53 0 0x50;
        FclassS "fclass.s"  Unary        0x53 1 0xe00;
        FmvXW   "fmv.x.w"   Unary        0x53 0 0xe00;
        FmvWX   "fmv.w.x"   Unary        0x53 0 0xf00;
        FcvtWS  "fcvt.w.s"  UnaryRounded 0x53 0 0xc00;
        FcvtWuS "fcvt.wu.s" UnaryRounded 0x53 0 0xc01;
        FcvtSW  "fcvt.s.w"  UnaryRounded 0x53 0 0xd00;
        FcvtSWu "fcvt.s.wu" UnaryRounded 0x53 0 0xd01;
    }
    Zfh {
        Flh     "flh"       Load         0x07 1 0;
        Fsh     "fsh"       Store        0x27 1 0;
        FmaddH  "fmadd.h"   Fused        0x43 0 2;
        FmsubH  "fmsub.h"   Fused        0x47 0 2;
        FnmsubH "fnmsub.h"  Fused        0x4b 0 2;
        FnmaddH "fnmadd.h"  Fused        0x4f 0 2;
        FaddH   "fadd.h"    Rounded      0x53 0 0x02;
        FsubH   "fsub.h"    Rounded      0x53 0 0x06;
        FmulH   "fmul.h"    Rounded      0x53 0 0x0a;
        FsgnjH  "fsgnj.h"   R            0x53 0 0x12;
        FsgnjnH "fsgnjn.h"  R            0x53 1 0x12;
        FsgnjxH "fsgnjx.h"  R            0x53 2 0x12;
        FminH   "fmin.h"    R            0x53 0 0x16;
        FmaxH   "fmax.h"    R            0x53 1 0x16;
        FeqH    "feq.h"     R            0x53 2 0x52;
        FltH    "flt.h"     R            0x53 1 0x52;
        FleH    "fle.h"     R            0x53 0 0x52;
        FclassH "fclass.h"  Unary        0x53 1 0xe40;
        FmvXH   "fmv.x.h"   Unary        0x53 0 0xe40;
        FmvHX   "fmv.h.x"   Unary        0x53 0 0xf40;
        FcvtWH  "fcvt.w.h"  UnaryRounded 0x53 0 0xc40;
        FcvtWuH "fcvt.wu.h" UnaryRounded 0x53 0 0xc41;
        FcvtHW  "fcvt.h.w"  UnaryRounded 0x53 0 0xd40;
        FcvtHWu "fcvt.h.wu" UnaryRounded 0x53 0 0xd41;
        FcvtSH  "fcvt.s.h"  UnaryRounded 0x53 0 0x402;
        FcvtHS  "fcvt.h.s"  UnaryRounded 0x53 0 0x440;
    }
    Mret {
        Mret  "mret"   Exact 0x73 0 0x302;
    }
}

impl Op {
    /// The instruction's row.
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Whether it loads or stores.
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
        )
    }

    /// Which of rd, rs1 and rs2 are floating-point registers; rs3 always is one.
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

/// Rows that one value of opcode and funct3 can mean; `NONE` fills up.
const CANDIDATES: usize = 32;
const NONE: u8 = u8::MAX;
static INDEX: [[u8; CANDIDATES]; 256] = index();

const fn key(word: u32) -> usize {
    (word >> 2 & 31 | (word >> 12 & 7) << 5) as usize
}

const fn index() -> [[u8; CANDIDATES]; 256] {
    let mut index = [[NONE; CANDIDATES]; 256];
    let mut k = 0;
    while k < ROWS.len() {
        let row = &ROWS[k];
        let mut funct3 = 0;
        while funct3 < 8 {
            let word = row.bits & !0x7000 | funct3 << 12;
            // Rows without funct3 are found under every value of it, the others under theirs.
            if row.mask != 0 && word & row.mask == row.bits {
                let place = &mut index[key(word)];
                let mut at = 0;
                while place[at] != NONE {
                    at += 1;
                }
                place[at] = k as u8;
            }
            funct3 += 1;
        }
        k += 1;
    }
    index
}

/// The row of an encoding, if cores with this instruction set have one.
pub fn find(word: u32, isa: Isa) -> Option<&'static Row> {
    if word & 3 != 3 {
        return Some(Op::Ttinsn.row());
    }
    INDEX[key(word)]
        .iter()
        .take_while(|&&k| k != NONE)
        .map(|&k| &ROWS[k as usize])
        .find(|row| word & row.mask == row.bits && isa.has(row.extension))
}
