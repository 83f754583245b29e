//! The text form of an instruction: `ttmvmul 0, 0, 3, 8`.
//!
//! The mnemonic is that of the vendor's disassembler: lower-case, with the prefix `tt` except for
//! SFPU instructions (`sfpload 0, 3, 0, 0`). The operands on the chip follow in row order,
//! separated by commas, decimal or `0x…`.

use std::fmt::{self, Display, Formatter};

use crate::codec::EncodeError;
use crate::table::{Instruction, Row};
use crate::Arch;

/// Why a text is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseInstructionError {
    /// The column in which the problem starts, in characters from 1 on.
    pub column: usize,
    /// The length of the problem in characters.
    pub length: usize,
    /// The problem.
    pub problem: Problem,
}

/// Problems of an instruction text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The mnemonic does not exist.
    #[error("unknown instruction `{0}`")]
    UnknownMnemonic(String),
    /// An operand is not a 32-bit number.
    #[error("`{0}` is not a number; write decimal or 0x…")]
    NotANumber(String),
    /// The operands cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl Row {
    /// Returns the mnemonic as used in text.
    pub fn text_mnemonic(&self) -> String {
        let lower = self.mnemonic.to_ascii_lowercase();
        if lower.starts_with("sfp") {
            lower
        } else {
            format!("tt{lower}")
        }
    }

    /// Returns the row whose [`text_mnemonic`](Row::text_mnemonic) is `text`.
    pub fn by_text_mnemonic(text: &str) -> Option<&'static Row> {
        let name = text.strip_prefix("tt").unwrap_or(text);
        Row::by_mnemonic(name).filter(|row| row.text_mnemonic() == text)
    }
}

impl Instruction {
    /// Returns the instruction as text, with its operands on a chip.
    pub fn text(&self, arch: Arch) -> impl Display + use<> {
        Text(*self, arch)
    }
}

/// An instruction on a chip.
struct Text(Instruction, Arch);

impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.row().text_mnemonic())?;
        // Operands of another chip cannot be expressed in the text.
        let Ok(operands) = self.0.operands(self.1) else {
            return f.write_str(" ?");
        };
        for (k, value) in operands.iter().enumerate() {
            write!(f, "{}{value}", if k == 0 { " " } else { ", " })?;
        }
        Ok(())
    }
}

/// Parses an unsigned number, decimal or `0x…`.
pub(crate) fn parse_number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            u32::from_str_radix(hex, 16).ok()
        }
        None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// Splits `text` into its first word and comma-separated operands, each with its column from 1 on.
pub(crate) fn split_operands(text: &str) -> ((usize, &str), Vec<(usize, &str)>) {
    let column_of = |byte: usize| text[..byte].chars().count() + 1;
    let start = text.len() - text.trim_start().len();
    let end = text[start..]
        .find(char::is_whitespace)
        .map_or(text.len(), |n| start + n);
    let mut operands = Vec::new();
    if !text[end..].trim().is_empty() {
        let mut at = end;
        for piece in text[end..].split(',') {
            let lead = piece.len() - piece.trim_start().len();
            operands.push((column_of(at + lead), piece.trim()));
            at += piece.len() + 1;
        }
    }
    ((column_of(start), &text[start..end]), operands)
}

impl Instruction {
    /// Parses an instruction of a chip.
    ///
    /// # Errors
    /// The first problem with its column.
    pub fn parse(arch: Arch, text: &str) -> Result<Self, ParseInstructionError> {
        let ((column, mnemonic), pieces) = split_operands(text);
        let fail = |(column, text): (usize, &str), problem| ParseInstructionError {
            column,
            length: text.chars().count(),
            problem,
        };
        let first = (column, mnemonic);
        let row = Row::by_text_mnemonic(mnemonic)
            .ok_or_else(|| fail(first, Problem::UnknownMnemonic(mnemonic.to_owned())))?;
        let mut operands = Vec::with_capacity(pieces.len());
        for &(column, piece) in &pieces {
            let number = parse_number(piece);
            let problem = || fail((column, piece), Problem::NotANumber(piece.to_owned()));
            operands.push(number.ok_or_else(problem)?);
        }
        let word = row.encode(arch, &operands).map_err(|e| {
            let at = match e {
                EncodeError::Range { operand, .. } => {
                    let mut fields = row.fields(arch).iter();
                    fields.position(|field| field.name == operand)
                }
                _ => None,
            };
            fail(at.map_or(first, |k| pieces[k]), e.into())
        })?;
        Ok(Instruction::decode(arch, word).expect("an encoded word decodes"))
    }
}

#[cfg(test)]
mod tests;
