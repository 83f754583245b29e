//! Encoding and decoding of instruction words.
//!
//! A word decodes only if the chip has an instruction with its opcode and all reserved bits are
//! zero. Operands encode only if the chip has them and each fits its field. `decode` and `encode`
//! are therefore inverse on their domains.

use crate::arch::Arch;
use crate::table::{row_of_byte, Instruction, Row, MAX_OPERANDS};

/// Why a word is not an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No instruction has this opcode.
    #[error("word {word:#010x}: no instruction has opcode {:#04x}", word >> 24)]
    UnknownOpcode {
        /// The word.
        word: u32,
    },
    /// Bits outside every field are set.
    #[error("word {word:#010x}: {mnemonic} with reserved bits {bits:#08x} set; they must be zero")]
    ReservedBits {
        /// The word.
        word: u32,
        /// The instruction with its opcode.
        mnemonic: &'static str,
        /// The offending bits.
        bits: u32,
    },
    /// Only another chip has the instruction.
    #[error("word {word:#010x}: {arch} has no {mnemonic}")]
    NotOnArch {
        /// The word.
        word: u32,
        /// The instruction with its opcode on the other chip.
        mnemonic: &'static str,
        /// The chip.
        arch: Arch,
    },
}

/// Why operands cannot be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// An operand does not fit its field.
    #[error("{mnemonic}: {operand} is {value}, but its field holds 0 to {max}")]
    Range {
        /// The instruction.
        mnemonic: &'static str,
        /// The operand's name.
        operand: &'static str,
        /// The value given.
        value: u32,
        /// The largest value of the field.
        max: u32,
    },
    /// Only another chip has the instruction.
    #[error("{arch} has no {mnemonic}")]
    NotOnArch {
        /// The instruction.
        mnemonic: &'static str,
        /// The chip.
        arch: Arch,
    },
    /// Only another chip has the operand.
    #[error("{mnemonic} has no {operand} on {arch}; it must be 0")]
    Operand {
        /// The instruction.
        mnemonic: &'static str,
        /// The operand's name.
        operand: &'static str,
        /// The chip.
        arch: Arch,
    },
    /// The number of operands is wrong.
    #[error("{mnemonic} takes {expected} operand(s), but {found} were given")]
    Arity {
        /// The instruction.
        mnemonic: &'static str,
        /// Number of operands of the instruction.
        expected: usize,
        /// Number of operands given.
        found: usize,
    },
}

/// The operands of one instruction, in row order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    values: [u32; MAX_OPERANDS],
    len: usize,
}

impl std::ops::Deref for Operands {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.values[..self.len]
    }
}

impl Row {
    /// Encodes this instruction on a chip, with that chip's `operands` in row order.
    ///
    /// # Errors
    /// If the chip does not have the instruction, the number of operands is wrong, or one does not
    /// fit its field.
    pub fn encode(&self, arch: Arch, operands: &[u32]) -> Result<u32, EncodeError> {
        let mnemonic = self.mnemonic;
        if !self.is_on(arch) {
            return Err(EncodeError::NotOnArch { mnemonic, arch });
        }
        let fields = self.fields(arch);
        if operands.len() != fields.len() {
            return Err(EncodeError::Arity {
                mnemonic,
                expected: fields.len(),
                found: operands.len(),
            });
        }
        let mut word = (self.opcode as u32) << 24;
        for (field, &value) in fields.iter().zip(operands) {
            if value > field.max() {
                return Err(EncodeError::Range {
                    mnemonic,
                    operand: field.name,
                    value,
                    max: field.max(),
                });
            }
            word |= value << field.low;
        }
        Ok(word)
    }
}

impl Instruction {
    /// Returns the operands on a chip, in row order.
    ///
    /// # Errors
    /// [`EncodeError::Operand`] if a non-zero operand does not exist on the chip.
    pub fn operands(&self, arch: Arch) -> Result<Operands, EncodeError> {
        let mut values = [0; MAX_OPERANDS];
        let stored = self.store_operands(arch, &mut values);
        let len = stored.map_err(|operand| EncodeError::Operand {
            mnemonic: self.row().mnemonic,
            operand,
            arch,
        })?;
        Ok(Operands { values, len })
    }

    /// Encodes the instruction on a chip.
    ///
    /// # Errors
    /// See [`Row::encode`] and [`Instruction::operands`].
    pub fn encode(&self, arch: Arch) -> Result<u32, EncodeError> {
        self.row().encode(arch, &self.operands(arch)?)
    }

    /// Decodes a word on a chip.
    ///
    /// # Errors
    /// If the chip does not have the opcode, or reserved bits are set.
    pub fn decode(arch: Arch, word: u32) -> Result<Self, DecodeError> {
        let row = row_of_byte((word >> 24) as u8).ok_or(DecodeError::UnknownOpcode { word })?;
        let mnemonic = row.mnemonic;
        if !row.is_on(arch) {
            return Err(DecodeError::NotOnArch {
                word,
                mnemonic,
                arch,
            });
        }
        match word & row.reserved_bits(arch) {
            0 => Ok(Instruction::extract(arch, row.opcode, word)),
            bits => Err(DecodeError::ReservedBits {
                word,
                mnemonic,
                bits,
            }),
        }
    }

    /// Returns the instruction's row.
    #[inline]
    pub fn row(&self) -> &'static Row {
        self.opcode().row()
    }
}

#[cfg(test)]
mod tests;
