//! An instruction with its operands: decoding, encoding, printing, all from the row's [`Format`].

use std::fmt;

use crate::isa::{Extension, Isa};
use crate::table::{find, Format, Op};

mod vector;

/// An instruction. Operands that its format does not have are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub op: Op,
    /// Destination register.
    pub rd: u8,
    /// First source register.
    pub rs1: u8,
    /// Second source register.
    pub rs2: u8,
    /// The immediate, sign-extended. Formats with a special encoding:
    ///
    /// * [`Format::Upper`]: the whole word, low 12 bits 0.
    /// * [`Format::Fence`]: pred in bits 7:4, succ in bits 3:0.
    /// * [`Format::Push`]: the Tensix instruction.
    /// * [`Format::Csr`]: the register number; [`Format::CsrImmediate`] has the value above it, in
    ///   bits 16:12.
    /// * [`Format::Atomic`]: `aq` in bit 1, `rl` in bit 0.
    /// * Formats with a rounding mode: that mode; [`Format::Fused`] has rs3 above it, in bits 7:3.
    /// * [`Format::Vsetivli`]: the value above the type, in bits 14:10.
    /// * Other vector instructions: bit 0 whether they are unmasked, bit 1 whether rs1 is a scalar,
    ///   bits 6:2 the immediate, bits 9:7 the number of fields less one.
    pub imm: i32,
}

/// A word that is not an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:#010x} is not an instruction of {isa}{}", why_not(*.word, *.isa))]
pub struct IllegalInstruction {
    /// The word.
    pub word: u32,
    /// The instruction set.
    pub isa: Isa,
}

/// Explains a word that is specified, but not supported by the chip.
fn why_not(word: u32, isa: Isa) -> &'static str {
    let funct6 = word >> 26;
    match (word & 0x7f, word >> 12 & 7) {
        _ if !isa.has(Extension::V) => "",
        (0x57, 2 | 6) if (0x20..0x24).contains(&funct6) => "; T2 does not divide vectors",
        (0x57, 1 | 5) => match funct6 {
            0x20 | 0x21 => "; T2 does not divide vectors",
            0x13 => "; T2 has no square roots and reciprocals of vectors",
            0x12 | 0x30.. => "; T2 has no vectors of floats of other than 32 bits",
            _ => "",
        },
        (0x07 | 0x27, 7) => "; T2 has no elements of 64 bits",
        _ => "",
    }
}

/// An operand that does not fit its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A register beyond x31, or one that the format does not have.
    #[error("{mnemonic}: register x{register} does not fit; {place} is x0 to x{last}")]
    Register {
        /// The mnemonic.
        mnemonic: &'static str,
        /// The register given.
        register: u8,
        /// The operand.
        place: &'static str,
        /// The last valid register: x0 if the format does not have the operand.
        last: u8,
    },
    /// An immediate out of range, or odd where it must be even.
    #[error("{mnemonic}: immediate {imm} does not fit; accepted is {takes}")]
    Immediate {
        /// The mnemonic.
        mnemonic: &'static str,
        /// The immediate given.
        imm: i32,
        /// Description of valid immediates.
        takes: &'static str,
    },
}

/// Returns the low `bits` of `word`, sign-extended.
const fn signed(word: u32, bits: u32) -> i32 {
    (word << (32 - bits)) as i32 >> (32 - bits)
}

/// Moves the `count` bits of `word` from `low` on to position `to`.
const fn piece(word: u32, low: u32, count: u32, to: u32) -> u32 {
    (word >> low & ((1 << count) - 1)) << to
}

/// Decodes the immediate.
fn immediate(format: Format, word: u32) -> i32 {
    match format {
        Format::R | Format::Exact | Format::Unary => 0,
        Format::Vsetvli => piece(word, 20, 11, 0) as i32,
        Format::Vsetivli => (piece(word, 20, 10, 0) | piece(word, 15, 5, 10)) as i32,
        Format::Rounded | Format::UnaryRounded => piece(word, 12, 3, 0) as i32,
        Format::Fused => (piece(word, 12, 3, 0) | piece(word, 27, 5, 3)) as i32,
        Format::I | Format::Load => word as i32 >> 20,
        Format::Csr => piece(word, 20, 12, 0) as i32,
        Format::CsrImmediate => (piece(word, 20, 12, 0) | piece(word, 15, 5, 12)) as i32,
        Format::Atomic => piece(word, 25, 2, 0) as i32,
        Format::Shift => piece(word, 20, 5, 0) as i32,
        Format::Store => signed(piece(word, 25, 7, 5) | piece(word, 7, 5, 0), 12),
        Format::Branch => signed(
            piece(word, 31, 1, 12)
                | piece(word, 7, 1, 11)
                | piece(word, 25, 6, 5)
                | piece(word, 8, 4, 1),
            13,
        ),
        Format::Upper => (word & 0xffff_f000) as i32,
        Format::Jump => signed(
            piece(word, 31, 1, 20)
                | piece(word, 12, 8, 12)
                | piece(word, 20, 1, 11)
                | piece(word, 21, 10, 1),
            21,
        ),
        Format::Fence => piece(word, 20, 8, 0) as i32,
        Format::Push => word.rotate_right(2) as i32,
        vector => parts(vector)
            .iter()
            .zip(PARTS)
            .map(|(&count, (low, to))| piece(word, low, count, to))
            .sum::<u32>() as i32,
    }
}

/// The parts of a vector instruction's immediate: position in the word, position in the immediate.
const PARTS: [(u32, u32); 4] = [(25, 0), (14, 1), (15, 2), (29, 7)];

/// Returns the width of each of [`PARTS`] in a format.
const fn parts(format: Format) -> [u32; 4] {
    match format {
        Format::Vv | Format::Vx | Format::VxA | Format::Vunary | Format::Vid => [1, 0, 0, 0],
        Format::Vvx | Format::VvxA => [1, 1, 0, 0],
        Format::VvxM | Format::VvxU | Format::Vsplat => [0, 1, 0, 0],
        Format::Vi | Format::Vu => [1, 0, 5, 0],
        Format::ViM | Format::ViU | Format::VsplatI => [0, 0, 5, 0],
        Format::Vunit | Format::Vstrided | Format::Vindexed => [1, 0, 0, 3],
        _ => [0; 4],
    }
}

/// Returns the mask of a format's [`parts`] in the immediate.
fn part_bits(format: Format) -> u32 {
    let bits = parts(format).into_iter().zip(PARTS);
    bits.map(|(count, (_, to))| ((1 << count) - 1) << to).sum()
}

/// Encodes an immediate that fits.
fn place_immediate(format: Format, imm: i32) -> u32 {
    let imm = imm as u32;
    match format {
        Format::R | Format::Exact | Format::Unary => 0,
        Format::Vsetvli => imm << 20,
        Format::Vsetivli => piece(imm, 0, 10, 20) | piece(imm, 10, 5, 15),
        Format::Rounded | Format::UnaryRounded => imm << 12,
        Format::Fused => piece(imm, 0, 3, 12) | piece(imm, 3, 5, 27),
        Format::I | Format::Load | Format::Shift | Format::Fence | Format::Csr => imm << 20,
        Format::CsrImmediate => piece(imm, 0, 12, 20) | piece(imm, 12, 5, 15),
        Format::Atomic => imm << 25,
        Format::Store => piece(imm, 5, 7, 25) | piece(imm, 0, 5, 7),
        Format::Branch => {
            piece(imm, 12, 1, 31)
                | piece(imm, 11, 1, 7)
                | piece(imm, 5, 6, 25)
                | piece(imm, 1, 4, 8)
        }
        Format::Upper => imm,
        Format::Jump => {
            piece(imm, 20, 1, 31)
                | piece(imm, 12, 8, 12)
                | piece(imm, 11, 1, 20)
                | piece(imm, 1, 10, 21)
        }
        Format::Push => imm.rotate_left(2),
        vector => parts(vector)
            .iter()
            .zip(PARTS)
            .map(|(&count, (low, to))| piece(imm, to, count, low))
            .sum(),
    }
}

/// Checks that the immediate fits; the error describes valid ones.
fn check_immediate(format: Format, imm: i32) -> Result<(), &'static str> {
    let fits = |bits: u32| signed(imm as u32, bits) == imm;
    let (fits, takes) = match format {
        Format::R | Format::Exact | Format::Unary => (imm == 0, "0: there is none"),
        Format::Rounded | Format::UnaryRounded => ((0..8).contains(&imm), "0 to 7"),
        Format::Fused => ((0..256).contains(&imm), "0 to 255"),
        Format::Csr => ((0..1 << 12).contains(&imm), "0 to 4095"),
        Format::CsrImmediate => ((0..1 << 17).contains(&imm), "0 to 131071"),
        Format::Atomic => ((0..4).contains(&imm), "0 to 3"),
        Format::I | Format::Load | Format::Store => (fits(12), "-2048 to 2047"),
        Format::Shift => ((0..32).contains(&imm), "0 to 31"),
        Format::Branch => (fits(13) && imm & 1 == 0, "even, -4096 to 4094"),
        Format::Upper => (imm & 0xfff == 0, "a word whose low 12 bits are 0"),
        Format::Jump => (fits(21) && imm & 1 == 0, "even, -1048576 to 1048574"),
        Format::Fence => ((0..256).contains(&imm), "0 to 255"),
        Format::Push => ((imm as u32) < 0xc000_0000, "below 0xc0000000"),
        Format::Vsetvli => ((0..1 << 11).contains(&imm), "0 to 2047"),
        Format::Vsetivli => ((0..1 << 15).contains(&imm), "0 to 32767"),
        vector => (
            imm as u32 & !part_bits(vector) == 0,
            "a word with the bits of its operands only",
        ),
    };
    if fits {
        Ok(())
    } else {
        Err(takes)
    }
}

/// Returns which of rd, rs1, rs2 a format has.
pub(crate) const fn registers(format: Format) -> (bool, bool, bool) {
    match format {
        Format::R | Format::Atomic | Format::Rounded | Format::Fused => (true, true, true),
        Format::I
        | Format::Shift
        | Format::Load
        | Format::Unary
        | Format::UnaryRounded
        | Format::Csr => (true, true, false),
        Format::Store | Format::Branch => (false, true, true),
        Format::Upper | Format::Jump | Format::CsrImmediate => (true, false, false),
        Format::Fence | Format::Exact | Format::Push => (false, false, false),
        Format::Vsetvli | Format::Vunit | Format::Vwhole | Format::Vsplat | Format::VsplatX => {
            (true, true, false)
        }
        Format::Vsetivli | Format::VsplatI | Format::Vid => (true, false, false),
        Format::Vi | Format::Vu | Format::ViM | Format::ViU | Format::Vunary | Format::VunaryU => {
            (true, false, true)
        }
        Format::Vstrided
        | Format::Vindexed
        | Format::Vv
        | Format::Vvx
        | Format::Vx
        | Format::VvxA
        | Format::VxA
        | Format::VvxM
        | Format::VxM
        | Format::VvxU
        | Format::Vmm => (true, true, true),
    }
}

/// The register file of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bank {
    Integer,
    Float,
    Vector,
}

impl Instruction {
    /// Decodes a word among the instructions that every core has.
    ///
    /// # Errors
    /// If the word is not an instruction, or reserved by the specification.
    pub fn decode(word: u32) -> Result<Self, IllegalInstruction> {
        Instruction::decode_for(Isa::WORMHOLE, word)
    }

    /// Decodes a word for a core with this instruction set.
    ///
    /// # Errors
    /// If the word is not an instruction, or reserved by the specification.
    pub fn decode_for(isa: Isa, word: u32) -> Result<Self, IllegalInstruction> {
        let row = find(word, isa).ok_or(IllegalInstruction { word, isa })?;
        let (rd, rs1, rs2) = registers(row.format);
        let register = |has: bool, low: u32| {
            if has {
                piece(word, low, 5, 0) as u8
            } else {
                0
            }
        };
        Ok(Instruction {
            op: row.op,
            rd: register(rd, 7),
            rs1: register(rs1, 15),
            rs2: register(rs2, 20),
            imm: immediate(row.format, word),
        })
    }

    /// Encodes the instruction.
    ///
    /// # Errors
    /// If an operand does not fit its field.
    pub fn encode(&self) -> Result<u32, EncodeError> {
        let row = self.op.row();
        let mnemonic = row.mnemonic;
        let (rd, rs1, rs2) = registers(row.format);
        for (place, register, has) in [
            ("rd", self.rd, rd),
            ("rs1", self.rs1, rs1),
            ("rs2", self.rs2, rs2),
        ] {
            let last = if has { 31 } else { 0 };
            if register > last {
                return Err(EncodeError::Register {
                    mnemonic,
                    register,
                    place,
                    last,
                });
            }
        }
        check_immediate(row.format, self.imm).map_err(|takes| EncodeError::Immediate {
            mnemonic,
            imm: self.imm,
            takes,
        })?;
        Ok(row.bits
            | u32::from(self.rd) << 7
            | u32::from(self.rs1) << 15
            | u32::from(self.rs2) << 20
            | place_immediate(row.format, self.imm))
    }

    /// Returns the register files of rd, rs1 and rs2.
    pub(crate) fn banks(&self) -> [Bank; 3] {
        match self.op.row().extension {
            Extension::V => vector::banks(self),
            _ => self.op.floats().map(|is_float| match is_float {
                true => Bank::Float,
                false => Bank::Integer,
            }),
        }
    }

    /// Makes `op rd, rs1, rs2`.
    pub fn r(op: Op, rd: u8, rs1: u8, rs2: u8) -> Self {
        Instruction {
            op,
            rd,
            rs1,
            rs2,
            imm: 0,
        }
    }

    /// Makes `op rd, rs1, imm` or `op rd, imm(rs1)`; with `rs1` 0 also `op rd, imm`.
    pub fn i(op: Op, rd: u8, rs1: u8, imm: i32) -> Self {
        Instruction {
            op,
            rd,
            rs1,
            rs2: 0,
            imm,
        }
    }

    /// Makes `op rs2, imm(rs1)`, or a branch with these registers.
    pub fn s(op: Op, rs1: u8, rs2: u8, imm: i32) -> Self {
        Instruction {
            op,
            rd: 0,
            rs1,
            rs2,
            imm,
        }
    }

    /// Makes `op rd, csr, rs1`.
    pub fn csr(op: Op, rd: u8, csr: u16, rs1: u8) -> Self {
        Instruction::i(op, rd, rs1, csr.into())
    }

    /// Makes `op rd, csr, value`.
    pub fn csr_immediate(op: Op, rd: u8, csr: u16, value: u8) -> Self {
        Instruction::i(op, rd, 0, i32::from(csr) | i32::from(value) << 12)
    }

    /// Makes `ttinsn word`, which pushes a Tensix instruction.
    pub fn push(word: u32) -> Self {
        Instruction::i(Op::Ttinsn, 0, 0, word as i32)
    }
}

struct FenceSet(i32);

impl fmt::Display for FenceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 & 15 == 0 {
            return f.write_str("0");
        }
        "iorw"
            .chars()
            .zip([8, 4, 2, 1])
            .filter(|(_, bit)| self.0 & bit != 0)
            .try_for_each(|(c, _)| write!(f, "{c}"))
    }
}

/// A rounding mode after operands; omitted if it is the dynamic one.
struct Rounding(i32);

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 & 7 {
            7 => Ok(()),
            mode @ (5 | 6) => write!(f, ", {mode}"),
            mode => write!(
                f,
                ", {}",
                ["rne", "rtz", "rdn", "rup", "rmm"][mode as usize]
            ),
        }
    }
}

/// Formats as assembly text: registers `x0` to `x31` and `f0` to `f31`, relative offsets.
impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.op.row();
        let imm = self.imm;
        let banks = self.banks();
        let name = |k: usize, register: u8| {
            let bank = match banks[k] {
                Bank::Integer => 'x',
                Bank::Float => 'f',
                Bank::Vector => 'v',
            };
            format!("{bank}{register}")
        };
        let (rd, rs1, rs2) = (name(0, self.rd), name(1, self.rs1), name(2, self.rs2));
        if row.extension == Extension::V && row.format != Format::R {
            return vector::write(f, self, [&rd, &rs1, &rs2]);
        }
        f.write_str(row.mnemonic)?;
        match row.format {
            Format::R => write!(f, " {rd}, {rs1}, {rs2}"),
            Format::I | Format::Shift => write!(f, " {rd}, {rs1}, {imm}"),
            Format::Load => write!(f, " {rd}, {imm}({rs1})"),
            Format::Store => write!(f, " {rs2}, {imm}({rs1})"),
            Format::Branch => write!(f, " {rs1}, {rs2}, {imm}"),
            Format::Upper => write!(f, " {rd}, {:#x}", imm as u32 >> 12),
            Format::Jump => write!(f, " {rd}, {imm}"),
            Format::Fence => write!(f, " {}, {}", FenceSet(imm >> 4), FenceSet(imm)),
            Format::Exact => Ok(()),
            Format::Push => write!(f, " {:#010x}", imm as u32),
            Format::Unary => write!(f, " {rd}, {rs1}"),
            Format::UnaryRounded => write!(f, " {rd}, {rs1}{}", Rounding(imm)),
            Format::Rounded => write!(f, " {rd}, {rs1}, {rs2}{}", Rounding(imm)),
            Format::Fused => write!(f, " {rd}, {rs1}, {rs2}, f{}{}", imm >> 3, Rounding(imm)),
            Format::Csr => write!(f, " {rd}, {imm:#x}, {rs1}"),
            Format::CsrImmediate => write!(f, " {rd}, {:#x}, {}", imm & 0xfff, imm >> 12),
            Format::Atomic => {
                let order = ["", ".rl", ".aq", ".aqrl"][imm as usize & 3];
                write!(f, "{order} {rd}, {rs2}, ({rs1})")
            }
            _ => Ok(()),
        }
    }
}
