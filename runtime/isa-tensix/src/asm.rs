//! Assembler and disassembler for streams of words.
//!
//! The text has one instruction per line, in the form of [`crate::text`]; `#` starts a comment.
//! `.word 0x…` is a literal word, so that every stream has a text. The disassembler writes words
//! that are not instructions this way, with the reason as a comment.

use std::collections::BTreeMap;
use std::fmt::Write;

use tessera_diagnostic::{Finding, Span};

use crate::text::{parse_number, split_operands, Problem};
use crate::{explain, rows, Arch, EncodeError, Instruction, Row};

/// An invalid line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {problem}", span.line, span.column)]
pub struct AsmError {
    /// The location of the problem.
    pub span: Span,
    /// The problem.
    pub problem: AsmProblem,
    /// A suggestion.
    pub hint: Option<String>,
}

impl AsmError {
    /// Renders the error about the text `source` of a file, with the source line and a caret.
    pub fn render(&self, file: &str, source: &str) -> String {
        let finding = Finding {
            span: self.span,
            message: &self.problem.to_string(),
            notes: &[],
            hint: self.hint.as_deref(),
        };
        finding.render(file, source)
    }
}

/// The problems a line can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AsmProblem {
    /// The instruction is invalid.
    #[error(transparent)]
    Instruction(#[from] Problem),
    /// A directive other than `.word`.
    #[error("unknown directive `{0}`; there is .word 0x…")]
    Directive(String),
    /// `.word` does not have exactly one operand.
    #[error(".word takes one number of 32 bits")]
    Word,
}

/// Assembles a text to words.
///
/// # Errors
/// All invalid lines.
pub fn assemble(arch: Arch, text: &str) -> Result<Vec<u32>, Vec<AsmError>> {
    let mut words = Vec::new();
    let mut errors = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split('#').next().unwrap_or_default();
        if code.trim().is_empty() {
            continue;
        }
        match word(arch, code) {
            Ok(word) => words.push(word),
            Err((column, length, problem)) => errors.push(AsmError {
                span: Span {
                    line: number as u32 + 1,
                    column: column as u32,
                    length: length as u32,
                },
                hint: hint(arch, &problem),
                problem,
            }),
        }
    }
    match errors.is_empty() {
        true => Ok(words),
        false => Err(errors),
    }
}

/// A problem with the first column and the length of its text.
type Placed = (usize, usize, AsmProblem);

/// Assembles a non-empty line.
fn word(arch: Arch, code: &str) -> Result<u32, Placed> {
    let ((column, name), operands) = split_operands(code);
    let length = name.chars().count();
    if name.starts_with('.') {
        let directive = || AsmProblem::Directive(name.to_owned());
        return match operands[..] {
            _ if name != ".word" => Err((column, length, directive())),
            [(at, number)] => {
                let problem = (at, number.chars().count(), AsmProblem::Word);
                parse_number(number).ok_or(problem)
            }
            _ => Err((column, length, AsmProblem::Word)),
        };
    }
    let parsed = Instruction::parse(arch, code);
    let instruction = parsed.map_err(|error| (error.column, error.length, error.problem.into()))?;
    let encoded = instruction.encode(arch);
    encoded.map_err(|error| (column, length, Problem::from(error).into()))
}

/// Returns a suggestion for a problem.
fn hint(arch: Arch, problem: &AsmProblem) -> Option<String> {
    match problem {
        AsmProblem::Instruction(Problem::UnknownMnemonic(name)) => {
            let known = nearest(arch, name)?;
            Some(format!("did you mean `{known}`?"))
        }
        AsmProblem::Instruction(Problem::Encode(error)) => match error {
            EncodeError::Arity { mnemonic, .. } => {
                let row = Row::by_mnemonic(mnemonic)?;
                Some(format!("write `{}`", explain::synopsis(row, arch)))
            }
            EncodeError::NotOnArch { mnemonic, .. } => {
                let row = Row::by_mnemonic(mnemonic)?;
                let other = Arch::ALL.into_iter().find(|other| row.is_on(*other))?;
                Some(format!("{other} has it (--arch {other})"))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns the mnemonic that is most similar to a misspelt one, in the text's form. The prefix may
/// be missing and the case is ignored.
pub fn nearest(arch: Arch, name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_prefix("tt").unwrap_or(&lower);
    let rows = rows().iter().filter(|row| row.is_on(arch));
    let known = rows.map(|row| (row.mnemonic.to_ascii_lowercase(), row.text_mnemonic()));
    let known: BTreeMap<String, String> = known.collect();
    let found = match known.contains_key(bare) {
        true => bare,
        false => tessera_diagnostic::nearest(bare, known.keys())?,
    };
    known.get(found).cloned()
}

/// Disassembles words, one line each.
pub fn disassemble(arch: Arch, words: impl IntoIterator<Item = u32>) -> String {
    let mut out = String::new();
    for word in words {
        let line = match Instruction::decode(arch, word) {
            Ok(instruction) => writeln!(out, "{}", instruction.text(arch)),
            Err(error) => writeln!(out, ".word {word:#010x} # {error}"),
        };
        line.expect("a String takes everything");
    }
    out
}

#[cfg(test)]
mod tests;
