//! From text to statements (manual, sections 3.1, 3.2, 3.4, 3.5 and 3.6).
//!
//! One statement a line; `#` starts a comment anywhere in a line, as the vendor's assembler takes
//! it. Every line is looked at, and each contributes at most one diagnostic.
//!
//! Checked here: the grammar, and that every number fits what it numbers. Not checked here: the
//! conditions of sections 3.6.3 and 3.6.4, and the widths of operands.

mod control;
mod cursor;
mod expression;
mod mv;
mod number;
mod operand;

pub use operand::mask;
pub(crate) use operand::{mask_suffix, NAMED};

use crate::ast::{Mask, Op, Output, Program, Statement, StatementKind, Step, Target};
use crate::diagnostic::Diagnostic;
use crate::memory::Bank;
use cursor::Cursor;

/// The most steps one `nop/n` makes.
pub const MAX_NOPS: u32 = 1 << 16;

/// What a parser returns for a part of a line.
type Parsed<T> = Result<T, Diagnostic>;

/// The statements of a source text.
///
/// # Errors
/// All lines that are not in the language, in order.
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

/// The statements one line makes, appended to `out`.
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

/// A PE statement: one step, or as many as `nop/n` says.
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
    // Of the steps of `nop/n`, the first holds what stands beside it: a `wait`.
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

/// What `mask` statements set for the lines behind them (section 3.6.2.1).
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
                            .section("3.6.2.1"))
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

    /// Puts the mask on the destinations it is for. Entry 0 always writes: no mask.
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
