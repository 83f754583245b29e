//! What the grammar does not say: rules about operands, about steps, about steps that follow one another.
//!
//! | module | rules | manual |
//! |---|---|---|
//! | [`operands`] | which operand may stand where, widths and conversions | 3.6.1, 3.6.8.3 to 3.6.8.5, 3.6.9.22 to 3.6.9.25, 3.6.10, 3.6.12.19 |
//! | [`step`] | what can be issued together | 3.6.4, 3.6.13 |
//! | [`hazard`] | what must not follow too closely | 3.6.3 |

pub mod hazard;
pub mod operands;
pub mod step;

use crate::ast::{Program, StatementKind};
use crate::diagnostic::Diagnostic;

pub use hazard::{hazards, Hazard};

/// Everything wrong with the statements, each taken by itself; at most one finding for each.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for statement in &program.statements {
        if let StatementKind::Step(step) = &statement.kind {
            let bad = step.expressions.iter().find_map(operands::check);
            found.extend(bad.or_else(|| step::check(statement.span, step)));
        }
    }
    found
}
