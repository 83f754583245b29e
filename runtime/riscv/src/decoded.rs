//! Decoded instructions, whose operands are slots of a core's registers.

use crate::instruction::{Bank, Instruction};
use crate::isa::{Extension, Isa};
use crate::table::{Format, Op};

/// Number of register slots: indices are bytes, which need no check.
pub(crate) const REGISTERS: usize = 256;
/// The index of a register for unused results, after x31.
pub(crate) const SINK: u8 = 32;
/// The index of f0, after x0 to x31 and the sink.
pub(crate) const FLOATS: u8 = 64;
/// The index of v0, used to track loads.
pub(crate) const VECTORS: u8 = 96;

/// Bits of [`Decoded::traits`]: it accesses memory; its result comes from memory and goes to one
/// register; it is a vector instruction; it has a third source.
pub(crate) const TOUCHES_MEMORY: u8 = 1;
pub(crate) const HAS_DEFERRED_RESULT: u8 = 1 << 1;
pub(crate) const IS_VECTOR: u8 = 1 << 2;
pub(crate) const FUSED: u8 = 1 << 3;

fn traits(op: Op) -> u8 {
    let row = op.row();
    let bit = |is_so: bool, bit: u8| if is_so { bit } else { 0 };
    bit(op.touches_memory(), TOUCHES_MEMORY)
        | bit(op.has_deferred_result(), HAS_DEFERRED_RESULT)
        | bit(row.extension == Extension::V, IS_VECTOR)
        | bit(row.format == Format::Fused, FUSED)
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    /// `None` if the word has not been decoded, or is not an instruction.
    pub(crate) op: Option<Op>,
    pub(crate) rd: u8,
    pub(crate) rs1: u8,
    pub(crate) rs2: u8,
    /// Properties that matter to weak ordering, one bit each.
    pub(crate) traits: u8,
    /// The immediate; of a vector instruction the whole word, while the registers above are its
    /// scalar ones.
    pub(crate) imm: u32,
}

impl Decoded {
    pub(crate) const NOTHING: Self = Decoded {
        op: None,
        rd: SINK,
        rs1: 0,
        rs2: 0,
        traits: 0,
        imm: 0,
    };

    /// Returns the third source of a fused operation.
    pub(crate) fn rs3(&self) -> u8 {
        FLOATS + (self.imm >> 3 & 31) as u8
    }

    pub(crate) fn decode(word: u32, isa: Isa) -> Self {
        match Instruction::decode_for(isa, word) {
            Ok(i) => {
                let is_vector = i.op.row().extension == Extension::V;
                let [rd, rs1, rs2] = i.banks();
                let place = |bank, register| match bank {
                    Bank::Integer => register,
                    Bank::Float => FLOATS + register,
                    Bank::Vector => 0,
                };
                let rd = place(rd, i.rd);
                Decoded {
                    op: Some(i.op),
                    rd: if rd == 0 { SINK } else { rd },
                    rs1: place(rs1, i.rs1),
                    rs2: place(rs2, i.rs2),
                    traits: traits(i.op),
                    imm: if is_vector { word } else { i.imm as u32 },
                }
            }
            Err(_) => Self::NOTHING,
        }
    }
}
