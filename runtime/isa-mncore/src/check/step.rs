//! What can be issued together (manual, section 3.6.4).
//!
//! That no two expressions need different values of a field covers the address rules; see
//! [`crate::fields`]. Here are the rules that are not about fields: one expression of a group,
//! `nop` alone, not all three of the MAU's groups, `wait` not alone.

use crate::ast::Step;
use crate::diagnostic::{Diagnostic, Span};
use crate::fields::{field_assignments, Field, FieldAssignment};
use crate::table::Group;

/// The first rule a step breaks.
pub fn check(span: Span, step: &Step) -> Option<Diagnostic> {
    groups(step)
        .or_else(|| alone(span, step))
        .or_else(|| three_of_mau(step))
        .or_else(|| conflicts(step))
}

/// At most one expression of a group.
fn groups(step: &Step) -> Option<Diagnostic> {
    let all = &step.expressions;
    all.iter().enumerate().find_map(|(index, later)| {
        let group = later.op.group();
        let earlier = all[..index].iter().find(|e| e.op.group() == group)?;
        let message = format!("a second expression of the group {}", group.name());
        Some(
            Diagnostic::new(later.span, message)
                .section("3.6.4")
                .also(earlier.span, "the first"),
        )
    })
}

/// `nop` stands with `wait` at most, `wait` with something.
fn alone(span: Span, step: &Step) -> Option<Diagnostic> {
    if let Some(nop) = step.find(Group::Nop) {
        let other = step
            .expressions
            .iter()
            .find(|e| !matches!(e.op.group(), Group::Nop | Group::Wait))?;
        return Some(
            Diagnostic::new(other.span, "only `wait` can be issued together with `nop`")
                .section("3.6.5")
                .also(nop.span, "the `nop`"),
        );
    }
    (step.find(Group::Wait).is_some() && step.expressions.len() == 1).then(|| {
        Diagnostic::new(span, "`wait` cannot be issued alone")
            .section("3.6.13")
            .hint("write `nop; wait …`")
    })
}

/// At most two of the MAU's arithmetic, writes and transposed reads.
fn three_of_mau(step: &Step) -> Option<Diagnostic> {
    step.find(Group::MauCalc)?;
    step.find(Group::Mwrite)?;
    let third = step.find(Group::Mread)?;
    Some(
        Diagnostic::new(
            third.span,
            "arithmetic, a write and a transposed read of matrix registers: at most two of them at once",
        )
        .section("3.6.4"),
    )
}

/// No field gets two values.
fn conflicts(step: &Step) -> Option<Diagnostic> {
    let field_assignments = field_assignments(step);
    for (index, assignment) in field_assignments.iter().enumerate() {
        // A step has few field_assignments: looking through them is faster than any table of them.
        let mut before = field_assignments[..index].iter().rev();
        let Some(earlier) = before.find(|earlier| earlier.field == assignment.field) else {
            continue;
        };
        if !assignment.alone && !earlier.alone && assignment.value == earlier.value {
            continue;
        }
        return Some(conflict(assignment, earlier));
    }
    None
}

/// The message for two field_assignments on a field.
fn conflict(assignment: &FieldAssignment, earlier: &FieldAssignment) -> Diagnostic {
    let field = assignment.field;
    let what = if assignment.alone && earlier.alone {
        "is taken twice"
    } else {
        "is given two values"
    };
    let message = format!("field `{}`, {}, {what}", field.name(), field.doc());
    let found = Diagnostic::new(assignment.span, message)
        .section("3.6.4")
        .also(earlier.span, "the other use");
    match field {
        Field::Lm0Addr | Field::Lm1Addr | Field::Lm0Width | Field::Lm1Width if !earlier.alone => found
            .hint("a local memory has one address in a step: read and write the same words, or use another memory"),
        Field::Lm0Addr => found.hint("an immediate lies in the bits of LM0's address: use another memory"),
        Field::Grf0ReadAddr | Field::Grf1ReadAddr | Field::Grf0ReadWidth | Field::Grf1ReadWidth => {
            found.hint("a register file has one read address in a step: put one operand into the other file or into a local memory")
        }
        _ => found,
    }
}

#[cfg(test)]
mod tests;
