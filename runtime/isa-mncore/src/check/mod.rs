//! Semantic checks: rules for operands, for the expressions of one step, and for successive steps.
//!
//! | module | rules | manual |
//! |---|---|---|
//! | [`operands`] | operand kinds, widths and conversions allowed at each position | 3.6.1, 3.6.8.3 to 3.6.8.5, 3.6.9.22 to 3.6.9.25, 3.6.10, 3.6.12.19 |
//! | [`step`] | expressions that can be issued together | 3.6.4, 3.6.13 |
//! | [`turnaround`] | transfers that can follow one another through the turn-around register | 3.6.8.2, 3.6.8.20 |
//! | [`hazard`] | minimum distances between dependent statements | 3.6.3 |

pub mod hazard;
pub mod operands;
pub mod step;
pub mod turnaround;

use crate::ast::{Program, Statement, StatementKind};
use crate::diagnostic::Diagnostic;

pub use hazard::{hazards, Hazard};

/// Returns all errors except hazards, at most one per statement.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let mut checker = Checker::default();
    let statements = program.statements.iter();
    let found = statements.flat_map(|statement| checker.check_statement(statement));
    found.collect()
}

/// Checks the statements of a stream one by one for all errors except hazards.
#[derive(Default)]
pub struct Checker {
    register: turnaround::TurnaroundRegister,
}

impl Checker {
    /// Checks the next statement. Reports an error of the statement itself first, otherwise a
    /// mismatch with the content of the turn-around register.
    pub fn check_statement(&mut self, statement: &Statement) -> Option<Diagnostic> {
        let step = match &statement.kind {
            StatementKind::Step(step) => Some(step),
            _ => None,
        };
        let bad = step.and_then(|step| {
            let bad = step.expressions.iter().find_map(operands::check);
            bad.or_else(|| step::check(statement.span, step))
        });
        let unpaired = step.and_then(|step| self.register.check_step(step));
        bad.or(unpaired)
    }
}
