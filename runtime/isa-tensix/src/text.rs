//! One instruction as text: `ttmvmul 0, 0, 3, 8`.
//!
//! The mnemonic is the vendor disassembler's: lower-case, with the prefix `tt` unless it is an SFPU instruction
//! (`sfpload 0, 3, 0, 0`). Operands follow in row order, separated by commas, decimal or `0x…`.

use std::fmt;
use std::str::FromStr;

use crate::codec::EncodeError;
use crate::table::{Instruction, Row};
use crate::Arch;

/// Why a text is not an instruction; `column` counts characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseInstructionError {
    /// Where the problem starts.
    pub column: usize,
    /// What it is.
    pub problem: Problem,
}

/// The problems an instruction text can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The mnemonic is not in the table.
    #[error("unknown instruction `{0}`")]
    UnknownMnemonic(String),
    /// An operand is not a number that fits 32 bits.
    #[error("`{0}` is not a number; write decimal or 0x…")]
    NotANumber(String),
    /// The numbers do not make a word.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl Row {
    /// The mnemonic as it stands in text.
    pub fn text_mnemonic(&self) -> String {
        let lower = self.mnemonic.to_ascii_lowercase();
        if lower.starts_with("sfp") {
            lower
        } else {
            format!("tt{lower}")
        }
    }

    /// The row whose [`text_mnemonic`](Row::text_mnemonic) is `text`.
    pub fn by_text_mnemonic(text: &str) -> Option<&'static Row> {
        let name = text.strip_prefix("tt").unwrap_or(text);
        Row::by_mnemonic(name).filter(|row| row.text_mnemonic() == text)
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.row().text_mnemonic())?;
        for (k, value) in self.operands().iter().enumerate() {
            write!(f, "{}{value}", if k == 0 { " " } else { ", " })?;
        }
        Ok(())
    }
}

/// Reads an unsigned number, decimal or `0x…`.
pub(crate) fn parse_number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            u32::from_str_radix(hex, 16).ok()
        }
        None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// Splits `text` into its first word and comma-separated operands, each with its column (from 1).
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

impl FromStr for Instruction {
    type Err = ParseInstructionError;

    fn from_str(text: &str) -> Result<Self, ParseInstructionError> {
        let ((column, mnemonic), pieces) = split_operands(text);
        let fail = |column, problem| ParseInstructionError { column, problem };
        let row = Row::by_text_mnemonic(mnemonic)
            .ok_or_else(|| fail(column, Problem::UnknownMnemonic(mnemonic.to_owned())))?;
        let mut operands = Vec::with_capacity(pieces.len());
        for (column, piece) in &pieces {
            operands.push(
                parse_number(piece)
                    .ok_or_else(|| fail(*column, Problem::NotANumber((*piece).to_owned())))?,
            );
        }
        let word = row.encode(&operands).map_err(|e| {
            let at = match e {
                EncodeError::Range { operand, .. } => {
                    row.fields.iter().position(|f| f.name == operand)
                }
                EncodeError::Arity { .. } => None,
            };
            fail(at.map_or(column, |k| pieces[k].0), e.into())
        })?;
        Ok(Instruction::decode(Arch::WormholeB0, word).expect("an encoded word decodes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_parses() {
        for text in [
            "ttreplay 16, 16, 0, 1",
            "ttnop",
            "sfpload 0, 3, 0, 0",
            "ttunpacr 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1",
        ] {
            let i: Instruction = text.parse().unwrap();
            assert_eq!(i.to_string(), text);
        }
        assert_eq!(
            "  ttsetc16\t0x27,0x101 ".parse(),
            "ttsetc16 39, 257".parse::<Instruction>()
        );
    }

    #[test]
    fn errors_name_the_column() {
        let cases = [
            ("ttfoo 1", "column 1: unknown instruction `ttfoo`"),
            ("mvmul 0, 0, 0, 0", "column 1: unknown instruction `mvmul`"),
            (
                "ttsfpload 0, 0, 0, 0",
                "column 1: unknown instruction `ttsfpload`",
            ),
            (
                " ttmvmul 0, x, 0, 0",
                "column 13: `x` is not a number; write decimal or 0x…",
            ),
            (
                "ttmvmul 0, 0, , 0",
                "column 15: `` is not a number; write decimal or 0x…",
            ),
            (
                "ttmvmul 0, -1, 0, 0",
                "column 12: `-1` is not a number; write decimal or 0x…",
            ),
            (
                "ttmvmul 0, 0, 4, 0",
                "column 15: MVMUL: addr_mode is 4, but its field holds 0 to 3",
            ),
            (
                "ttmvmul 0, 0, 0",
                "column 1: MVMUL takes 4 operand(s), but 3 were given",
            ),
            ("", "column 1: unknown instruction ``"),
        ];
        for (text, expect) in cases {
            assert_eq!(
                text.parse::<Instruction>().unwrap_err().to_string(),
                expect,
                "{text:?}"
            );
        }
    }
}
