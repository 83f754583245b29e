//! The parser: text to statements (manual, sections 3.1, 3.2, 3.4, 3.5 and 3.6).
//!
//! A line holds one statement. `#` starts a comment anywhere in a line, as in the vendor's
//! assembler. Every line is parsed, and each contributes at most one diagnostic.
//!
//! The parser checks the grammar and the range of every number. The rules of sections 3.6.3 and
//! 3.6.4 and the widths of operands are left to [`mod@crate::check`].

mod control;
mod cursor;
mod expression;
mod mv;
mod number;
mod operand;

pub use operand::parse_mask;
pub(crate) use operand::{mask_suffix, NAMED_SOURCES};

use crate::ast::{Mask, Op, Output, Program, Statement, StatementKind, Step, Target};
use crate::diagnostic::Diagnostic;
use crate::memory::Bank;
use cursor::Cursor;

/// The maximum step count of `nop/n`.
pub const MAX_NOPS: u32 = 1 << 16;

/// The result of parsing a part of a line.
type Parsed<T> = Result<T, Diagnostic>;

/// Parses a source text.
///
/// # Errors
/// One diagnostic for each invalid line, in order.
pub fn parse(source: &str) -> Result<Program, Vec<Diagnostic>> {
    let mut program = Program::default();
    let mut errors = Vec::new();
    let mut masks = StandingMask::default();
    for (index, line) in source.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let cursor = Cursor::new(index as u32 + 1, line);
        if cursor.rest() == "quit" {
            break;
        }
        if let Err(error) = statement(cursor, &mut masks, &mut program.statements) {
            errors.push(error);
        }
    }
    if errors.is_empty() {
        Ok(program)
    } else {
        Err(errors)
    }
}

/// Parses one line and appends its statements to `out`.
fn statement(mut cursor: Cursor, masks: &mut StandingMask, out: &mut Vec<Statement>) -> Parsed<()> {
    if cursor.rest().is_empty() {
        return Ok(());
    }
    let whole = cursor;
    let word = cursor.peek_word();
    let kind = match word {
        "d" => control::debug(cursor)?,
        "r" | "c" | "e" | "f" => StatementKind::Host(control::host(cursor)?),
        _ if word.starts_with("mask") => return masks.set(&mut cursor),
        _ if word.starts_with("mv") => StatementKind::Mv(mv::mv(cursor)?),
        _ => return step(cursor, masks, out),
    };
    out.push(Statement {
        span: whole.span_to_end(),
        kind,
    });
    Ok(())
}

/// Parses a PE statement: one step, or as many as `nop/n` says.
fn step(cursor: Cursor, masks: &StandingMask, out: &mut Vec<Statement>) -> Parsed<()> {
    let span = cursor.span_to_end();
    let mut expressions = Vec::new();
    let mut nops = 0;
    for part in cursor.split(';') {
        let (expression, repeat) = expression::expression(part)?;
        nops = nops.max(repeat);
        expressions.push(expression);
    }
    let outputs = || expressions.iter().flat_map(|e| e.op.outputs());
    if !outputs().any(|output| output.mask.is_some()) {
        for expression in &mut expressions {
            masks.apply(expression.op.outputs_mut());
        }
    }
    // A `wait` next to `nop/n` applies to the first of its steps.
    let nop = expressions
        .iter()
        .find(|e| matches!(e.op, Op::Nop))
        .cloned();
    out.push(Statement {
        span,
        kind: StatementKind::Step(Step { expressions }),
    });
    for _ in 1..nops {
        let expressions = nop.iter().cloned().collect();
        out.push(Statement {
            span,
            kind: StatementKind::Step(Step { expressions }),
        });
    }
    Ok(())
}

/// The masks that `mask` statements set for the lines after them (section 3.6.2.1).
#[derive(Clone, Copy, Default)]
struct StandingMask {
    entry: u8,
    wide: bool,
    banks: [bool; 4],
    t: bool,
    registers: bool,
}

impl StandingMask {
    /// `mask[l|ll][r][s][t][m][n][k] <addr>`.
    fn set(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let start = *cursor;
        cursor.expect("mask")?;
        let wide = cursor.eat("ll");
        if !wide {
            cursor.eat("l");
        }
        let mut mask = StandingMask {
            wide,
            ..Self::default()
        };
        while let Some(letter) = cursor.next_char(|c| !c.is_whitespace()) {
            match letter {
                't' => mask.t = true,
                'k' => mask.registers = true,
                _ => match Bank::from_letter(letter) {
                    Some(bank) => mask.banks[bank as usize] = true,
                    None => {
                        return Err(start
                            .error_here("`mask` takes the letters r s t m n k, after l or ll")
                            .with_section("3.6.2.1"))
                    }
                },
            }
        }
        cursor.skip_blanks();
        mask.entry = cursor.natural_below(32, "a mask entry")? as u8;
        cursor.expect_end("`mask` takes one number")?;
        *self = mask;
        Ok(())
    }

    /// Adds the masks to the destinations they apply to. Entry 0 always writes, so it adds no mask.
    fn apply(&self, outputs: &mut [Output]) {
        if self.entry == 0 {
            return;
        }
        for output in outputs {
            let applies = match output.target {
                Target::Memory(memory) => self.banks[memory.bank as usize],
                Target::Base(bank, _) => self.banks[bank as usize],
                Target::T => self.t,
                Target::MaskRegister(_) => self.registers,
                Target::Nowrite => false,
            };
            if applies {
                output.mask = Some(Mask {
                    entry: self.entry,
                    wide: self.wide,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
