//! Checks which expressions can be issued together in one step (manual, section 3.6.4).
//!
//! The address rules of that section follow from one condition: no field of the word is assigned
//! two different values (see [`crate::fields`]). The remaining rules are explicit here. A step has
//! one expression per group. `nop` stands alone. At most two of the MAU's three groups are used.
//! `wait` needs a companion.

use crate::ast::Step;
use crate::diagnostic::{Diagnostic, Span};
use crate::fields::{field_assignments, Field, FieldAssignment};
use crate::table::Group;

/// Returns the first rule that a step breaks.
pub fn check(span: Span, step: &Step) -> Option<Diagnostic> {
    groups(step)
        .or_else(|| alone(span, step))
        .or_else(|| three_of_mau(step))
        .or_else(|| conflicts(step))
}

/// Checks that each group has at most one expression.
fn groups(step: &Step) -> Option<Diagnostic> {
    let all = &step.expressions;
    all.iter().enumerate().find_map(|(index, later)| {
        let group = later.op.group();
        let earlier = all[..index].iter().find(|e| e.op.group() == group)?;
        let message = format!("a second expression of the group {}", group.name());
        Some(
            Diagnostic::new(later.span, message)
                .with_section("3.6.4")
                .with_related(earlier.span, "the first"),
        )
    })
}

/// Checks that `nop` is alone except for `wait`, and that `wait` is not alone.
fn alone(span: Span, step: &Step) -> Option<Diagnostic> {
    if let Some(nop) = step.find(Group::Nop) {
        let other = step
            .expressions
            .iter()
            .find(|e| !matches!(e.op.group(), Group::Nop | Group::Wait))?;
        return Some(
            Diagnostic::new(other.span, "only `wait` can be issued together with `nop`")
                .with_section("3.6.5")
                .with_related(nop.span, "the `nop`"),
        );
    }
    (step.find(Group::Wait).is_some() && step.expressions.len() == 1).then(|| {
        Diagnostic::new(span, "`wait` cannot be issued alone")
            .with_section("3.6.13")
            .with_hint("write `nop; wait …`")
    })
}

/// Checks that a step has at most two of the MAU's arithmetic, writes and transposed reads.
fn three_of_mau(step: &Step) -> Option<Diagnostic> {
    step.find(Group::MauCalc)?;
    step.find(Group::Mwrite)?;
    let third = step.find(Group::Mread)?;
    Some(
        Diagnostic::new(
            third.span,
            "a step has at most two of MAU arithmetic, matrix register write and transposed read",
        )
        .with_section("3.6.4"),
    )
}

/// Checks that no field is given two values.
fn conflicts(step: &Step) -> Option<Diagnostic> {
    let field_assignments = field_assignments(step);
    for (index, assignment) in field_assignments.iter().enumerate() {
        // A step has few field_assignments: looking through them is faster than any table of them.
        let mut before = field_assignments[..index].iter().rev();
        let Some(earlier) = before.find(|earlier| earlier.field == assignment.field) else {
            continue;
        };
        if !assignment.exclusive && !earlier.exclusive && assignment.value == earlier.value {
            continue;
        }
        return Some(conflict(assignment, earlier));
    }
    None
}

/// Returns the diagnostic for two assignments to a field.
fn conflict(assignment: &FieldAssignment, earlier: &FieldAssignment) -> Diagnostic {
    let field = assignment.field;
    let what = if assignment.exclusive && earlier.exclusive {
        "is assigned twice"
    } else {
        "is assigned two values"
    };
    let message = format!("field `{}`, {}, {what}", field.name(), field.doc());
    let found = Diagnostic::new(assignment.span, message)
        .with_section("3.6.4")
        .with_related(earlier.span, "the other use");
    match field {
        Field::Lm0Addr | Field::Lm1Addr | Field::Lm0Width | Field::Lm1Width
            if !earlier.exclusive =>
        {
            found.with_hint(
                "a local memory has one address in a step: read and write the same words, or use \
                 another memory",
            )
        }
        Field::Lm0Addr => {
            found.with_hint("an immediate lies in the bits of LM0's address: use another memory")
        }
        Field::Grf0ReadAddr | Field::Grf1ReadAddr | Field::Grf0ReadWidth | Field::Grf1ReadWidth => {
            found.with_hint(
                "a register file has one read address in a step: put one operand into the other \
                 file or into a local memory",
            )
        }
        _ => found,
    }
}

#[cfg(test)]
mod tests;
