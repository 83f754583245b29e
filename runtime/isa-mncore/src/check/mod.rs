//! What the grammar does not say: rules about operands, about steps, about steps that follow one another.
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

use crate::ast::{Program, StatementKind};
use crate::diagnostic::Diagnostic;

pub use hazard::{hazards, Hazard};

/// Everything wrong with the statements but hazards; at most one finding for each.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut register = turnaround::Register::default();
    for statement in &program.statements {
        if let StatementKind::Step(step) = &statement.kind {
            let bad = step.expressions.iter().find_map(operands::check);
            let bad = bad.or_else(|| step::check(statement.span, step));
            let unpaired = register.step(step);
            found.extend(bad.or(unpaired));
        }
    }
    found
}
