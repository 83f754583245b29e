//! Words ↔ operands.
//!
//! Checked: a word decodes only if its opcode has a row, every reserved bit is zero and the architecture has
//! a table; operands encode only if each fits its field. So `decode` and `encode` are inverse on their domains.

use crate::arch::Arch;
use crate::table::{row_of_byte, Instruction, Row, MAX_OPERANDS};

/// Why a word is not an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No row has this opcode.
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
        /// The instruction its opcode names.
        mnemonic: &'static str,
        /// The offending bits.
        bits: u32,
    },
    /// The instruction table of that architecture is not written yet.
    #[error("the instruction table of {0} is not written yet; wormhole_b0 is complete")]
    NoTable(Arch),
}

/// Why operands do not make a word.
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
        /// The largest value the field holds.
        max: u32,
    },
    /// Too few or too many operands.
    #[error("{mnemonic} takes {expected} operand(s), but {found} were given")]
    Arity {
        /// The instruction.
        mnemonic: &'static str,
        /// Operands of its row.
        expected: usize,
        /// Operands given.
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
    /// The word of this instruction with `operands` in row order.
    pub fn encode(&self, operands: &[u32]) -> Result<u32, EncodeError> {
        if operands.len() != self.fields.len() {
            return Err(EncodeError::Arity {
                mnemonic: self.mnemonic,
                expected: self.fields.len(),
                found: operands.len(),
            });
        }
        let mut word = (self.opcode as u32) << 24;
        for (field, &value) in self.fields.iter().zip(operands) {
            if value > field.max() {
                return Err(EncodeError::Range {
                    mnemonic: self.mnemonic,
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
    /// The operands in row order.
    pub fn operands(&self) -> Operands {
        let mut values = [0; MAX_OPERANDS];
        let len = self.store_operands(&mut values);
        Operands { values, len }
    }

    /// The instruction's word.
    ///
    /// # Errors
    /// [`EncodeError::Range`] if an operand does not fit its field.
    pub fn encode(&self) -> Result<u32, EncodeError> {
        self.row().encode(&self.operands())
    }

    /// The instruction that `word` is on `arch`.
    pub fn decode(arch: Arch, word: u32) -> Result<Self, DecodeError> {
        if arch != Arch::WormholeB0 {
            return Err(DecodeError::NoTable(arch));
        }
        let row = row_of_byte((word >> 24) as u8).ok_or(DecodeError::UnknownOpcode { word })?;
        match word & row.reserved_bits() {
            0 => Ok(Instruction::extract(row.opcode, word)),
            bits => Err(DecodeError::ReservedBits {
                word,
                mnemonic: row.mnemonic,
                bits,
            }),
        }
    }

    /// The instruction's row.
    pub fn row(&self) -> &'static Row {
        self.opcode().row()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::*;
    use proptest::prelude::*;

    const WH: Arch = Arch::WormholeB0;

    /// Words met in the documentation and in disassembled programs.
    #[test]
    fn known_words() {
        let cases: &[(Instruction, u32)] = &[
            (
                Replay {
                    start_idx: 16,
                    len: 16,
                    execute_while_loading: 0,
                    load_mode: 1,
                }
                .into(),
                0x0404_0101,
            ),
            (
                Replay {
                    start_idx: 0,
                    len: 5,
                    execute_while_loading: 1,
                    load_mode: 1,
                }
                .into(),
                0x0400_0053,
            ),
            (
                Replay {
                    start_idx: 0,
                    len: 5,
                    ..Default::default()
                }
                .into(),
                0x0400_0050,
            ),
            (
                Mop {
                    mop_type: 1,
                    loop_count: 0,
                    zmask_lo16: 0,
                }
                .into(),
                0x0180_0000,
            ),
            (Nop {}.into(), 0x0200_0000),
            (
                Setadczw {
                    cnt_set_mask: 3,
                    bit_mask: 15,
                    ..Default::default()
                }
                .into(),
                0x5460_000f,
            ),
            (
                Setc16 {
                    setc16_reg: 39,
                    setc16_value: 257,
                }
                .into(),
                0xb227_0101,
            ),
            (Semget { sem_sel: 32 }.into(), 0xa500_0080),
            (
                Stallwait {
                    stall_res: 128,
                    wait_res: 1,
                }
                .into(),
                0xa240_0001,
            ),
            (
                Mvmul {
                    clear_dvalid: 1,
                    addr_mode: 3,
                    dst: 8,
                    ..Default::default()
                }
                .into(),
                0x2641_8008,
            ),
            (
                Elwadd {
                    clear_dvalid: 3,
                    dest_accum_en: 1,
                    instr_mod19: 2,
                    addr_mode: 1,
                    dst: 0,
                }
                .into(),
                0x28f0_8000,
            ),
        ];
        for (instruction, word) in cases {
            assert_eq!(instruction.encode(), Ok(*word), "{instruction}");
            assert_eq!(Instruction::decode(WH, *word), Ok(*instruction));
        }
    }

    #[test]
    fn refusals_say_why() {
        let decode = |arch, word| Instruction::decode(arch, word).unwrap_err().to_string();
        assert_eq!(
            decode(WH, 0x0000_0001),
            "word 0x00000001: no instruction has opcode 0x00"
        );
        assert_eq!(
            decode(WH, 0x0210_0001),
            "word 0x02100001: NOP with reserved bits 0x100001 set; they must be zero"
        );
        assert_eq!(
            decode(Arch::Blackhole, 0x0200_0000),
            "the instruction table of blackhole is not written yet; wormhole_b0 is complete"
        );
        let err = Instruction::from(Mvmul {
            dst: 1024,
            ..Default::default()
        })
        .encode()
        .unwrap_err();
        assert_eq!(
            err.to_string(),
            "MVMUL: dst is 1024, but its field holds 0 to 1023"
        );
        let err = Opcode::Nop.row().encode(&[1]).unwrap_err();
        assert_eq!(err.to_string(), "NOP takes 0 operand(s), but 1 were given");
    }

    #[test]
    #[ignore = "four billion words: about a minute in release"]
    fn all_words_decode_to_themselves_or_are_refused() {
        for word in 0..=u32::MAX {
            if let Ok(instruction) = Instruction::decode(WH, word) {
                assert_eq!(instruction.encode(), Ok(word));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn every_word_is_an_instruction_or_refused(index in 0..rows().len(), bits in 0u32..1 << 24) {
            let row = &rows()[index];
            let word = (row.opcode as u32) << 24 | bits;
            match Instruction::decode(WH, word) {
                Ok(i) => prop_assert_eq!(i.encode(), Ok(word)),
                Err(e) => prop_assert_eq!(e, DecodeError::ReservedBits {
                    word, mnemonic: row.mnemonic, bits: bits & row.reserved_bits() }),
            }
            let clean = word & !row.reserved_bits();
            let i = Instruction::decode(WH, clean).unwrap();
            prop_assert_eq!(i.encode(), Ok(clean));
            prop_assert_eq!(i.to_string().parse(), Ok(i));
        }

        #[test]
        fn operands_outside_their_field_are_refused(index in 0..rows().len(), which in any::<prop::sample::Index>()) {
            let row = &rows()[index];
            if row.fields.is_empty() { return Ok(()); }
            let k = which.index(row.fields.len());
            let mut operands = vec![0; row.fields.len()];
            operands[k] = row.fields[k].max();
            prop_assert!(row.encode(&operands).is_ok());
            operands[k] += 1;
            prop_assert!(row.encode(&operands).is_err());
        }
    }
}
