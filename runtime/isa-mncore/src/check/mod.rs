//! What the grammar does not say: rules about operands, about steps, about steps that follow one
//! another.
//!
//! | module | rules | manual |
//! |---|---|---|
//! | [`operands`] | which operand may stand where, widths and conversions | 3.6.1, 3.6.8.3 to 3.6.8.5, 3.6.9.22 to 3.6.9.25, 3.6.10, 3.6.12.19 |
//! | [`step`] | what can be issued together | 3.6.4, 3.6.13 |
//! | [`turnaround`] | which transfers can follow one another through the turn-around register | 3.6.8.2, 3.6.8.20 |
//! | [`hazard`] | what must not follow too closely | 3.6.3 |

pub mod hazard;
pub mod operands;
pub mod step;
pub mod turnaround;

use crate::ast::{Program, Statement, StatementKind};
use crate::diagnostic::Diagnostic;

pub use hazard::{hazards, Hazard};

/// Everything wrong with the statements but hazards; at most one finding for each.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let mut checker = Checker::default();
    let statements = program.statements.iter();
    let found = statements.flat_map(|statement| checker.statement(statement));
    found.collect()
}

/// What is wrong with the statements of a stream but hazards.
#[derive(Default)]
pub struct Checker {
    register: turnaround::Register,
}

impl Checker {
    /// What is wrong with the next statement: with it by itself, else with what it finds in the
    /// turn-around register.
    pub fn statement(&mut self, statement: &Statement) -> Option<Diagnostic> {
        let step = match &statement.kind {
            StatementKind::Step(step) => Some(step),
            _ => None,
        };
        let bad = step.and_then(|step| {
            let bad = step.expressions.iter().find_map(operands::check);
            bad.or_else(|| step::check(statement.span, step))
        });
        let unpaired = step.and_then(|step| self.register.step(step));
        bad.or(unpaired)
    }
}
