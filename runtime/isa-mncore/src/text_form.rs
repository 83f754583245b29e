//! The assembled text form: one line per instruction, `j` for a step or `m` for an MV instruction,
//! followed by its word in hexadecimal. Control statements are kept as text.
//!
//! The format is that of the vendor's assembler, except for the words themselves, whose encoding is
//! this crate's. Words of the two instruction modes differ in length, so the length identifies the
//! mode.

use std::fmt::Write;

use crate::ast::{Program, Statement, StatementKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::word::{self, Bits, Mode};

/// Returns the text form of a program.
///
/// # Errors
/// Operands that the mode cannot express.
pub fn write(program: &Program, mode: Mode) -> Result<String, Vec<Diagnostic>> {
    let mut out = String::new();
    let mut errors = Vec::new();
    for statement in &program.statements {
        let line = match &statement.kind {
            StatementKind::Step(step) => {
                word::encode(step, mode).map(|bits| format!("j {}", hex(&bits, mode.bits())))
            }
            StatementKind::Mv(mv) => {
                let bits = word::mv::encode(mv, mode);
                Ok(format!("m {}", hex(&bits, word::mv::bits(mode))))
            }
            // The dump repeats the statement as written.
            StatementKind::Get(get) => Ok(get.text.clone()),
            StatementKind::Set(_) | StatementKind::Host(_) => Ok(statement.to_string()),
        };
        match line {
            Ok(line) => writeln!(out, "{line}").expect("a String takes everything"),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(out)
    } else {
        Err(errors)
    }
}

/// Formats the `count` lowest bits in hexadecimal, most significant digit first.
fn hex(bits: &Bits, count: usize) -> String {
    let digit = |at| char::from_digit(bits.get(at * 4, 4) as u32, 16).expect("four bits");
    (0..count.div_ceil(4)).rev().map(digit).collect()
}

/// Parses a program in text form. Control statements have the same syntax as in assembly.
///
/// # Errors
/// Every line that [`write()`] cannot produce.
pub fn read(source: &str) -> Result<Program, Vec<Diagnostic>> {
    let mut program = Program::default();
    let mut errors = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let line = line.trim_end();
        let span = Span {
            line: index as u32 + 1,
            column: 1,
            length: line.chars().count().max(1) as u32,
        };
        match read_line(line, span) {
            Ok(statement) => program.statements.extend(statement),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(program)
    } else {
        Err(errors)
    }
}

/// Parses a program in either form, assembly or text form.
///
/// # Errors
/// Every line that is valid in neither form.
pub fn load(source: &str) -> Result<Program, Vec<Diagnostic>> {
    if is_text_form(source) {
        read(source)
    } else {
        crate::parse(source)
    }
}

/// Returns whether a text is in text form rather than assembly: its first instruction is a word.
pub fn is_text_form(source: &str) -> bool {
    matches!(first_instruction(source), Some("j" | "m"))
}

/// Returns whether a text is in text form, or has only control statements, which both forms share.
pub fn may_be_text_form(source: &str) -> bool {
    is_text_form(source) || first_instruction(source).is_none()
}

/// Returns the first word of the first line that is not blank, a comment or a control statement.
fn first_instruction(source: &str) -> Option<&str> {
    let mut instructions = source
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    instructions
        .find(|word| !matches!(*word, "d" | "r" | "c" | "e" | "f") && !word.starts_with('#'))
}

/// Parses one line; returns `None` for a blank line.
fn read_line(line: &str, span: Span) -> Result<Option<Statement>, Diagnostic> {
    let bad = |message: String| Diagnostic::new(span, message);
    let statement = |kind| Ok(Some(Statement { span, kind }));
    if let Some(text) = line.strip_prefix("j ") {
        let (bits, mode) = parse_word(text, |mode| mode.bits())
            .ok_or_else(|| bad(length_error("a step", |mode| mode.bits())))?;
        let step = word::decode(&bits, mode).map_err(|error| bad(error.to_string()))?;
        return statement(StatementKind::Step(step));
    }
    if let Some(text) = line.strip_prefix("m ") {
        let (bits, mode) = parse_word(text, word::mv::bits)
            .ok_or_else(|| bad(length_error("an MV instruction", word::mv::bits)))?;
        let mv = word::mv::decode(&bits, mode).map_err(|error| bad(error.to_string()))?;
        return statement(StatementKind::Mv(mv));
    }
    let parsed = crate::parse(line).map_err(|mut errors| Diagnostic {
        span: Span {
            line: span.line,
            ..errors[0].span
        },
        ..errors.swap_remove(0)
    })?;
    match parsed.statements.into_iter().next() {
        None => Ok(None),
        Some(found) if matches!(found.kind, StatementKind::Step(_) | StatementKind::Mv(_)) => Err(
            bad("an instruction is j or m and a word here, not assembly".to_owned()),
        ),
        Some(found) => statement(found.kind),
    }
}

/// Returns the error message for a word whose length fits no mode.
fn length_error(what: &str, bits: impl Fn(Mode) -> usize) -> String {
    let digits = |mode| bits(mode).div_ceil(4);
    format!(
        "{what} is {} hexadecimal digits in auto-stride mode, {} in flat mode",
        digits(Mode::AutoStride),
        digits(Mode::Flat)
    )
}

/// Parses hexadecimal digits; returns the bits and the mode that their length implies.
fn parse_word(text: &str, bits: impl Fn(Mode) -> usize) -> Option<(Bits, Mode)> {
    let text = text.trim();
    let mode = [Mode::AutoStride, Mode::Flat]
        .into_iter()
        .find(|&mode| bits(mode).div_ceil(4) == text.len())?;
    let mut word = Bits::default();
    for (at, digit) in text.chars().rev().enumerate() {
        word.set(at * 4, 4, digit.to_digit(16)?.into());
    }
    Some((word, mode))
}

#[cfg(test)]
mod tests;
