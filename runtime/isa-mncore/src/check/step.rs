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
mod tests {
    use crate::ast::StatementKind;
    use crate::parse;

    /// Whether a step is refused, and with what.
    fn verdict(line: &str) -> Option<String> {
        let program = parse(line).unwrap_or_else(|e| panic!("{}", e[0].render("test", line)));
        let StatementKind::Step(step) = &program.statements[0].kind else {
            panic!("{line}")
        };
        super::check(program.statements[0].span, step).map(|found| found.message)
    }

    #[test]
    fn steps_that_are_allowed() {
        for line in [
            "noforward; l2bmb $lc256 $lb0; l2bmdarw; l1bmm $lbi $lr0v/$imr1; l1bmrdfadd $lr8v $lb256; \
             gmmul $lx $lm0v $ln0v/$imr1; gmwrite $ls0v $ly0; hrelu/$imr1 $t $t $t; wait i01",
            "l2bmdars $lc0@.0 $dar0; l2bmdarw; l1bmrdfadd $lr0v $lbi",
            "sor $llm0v $llm0vr $nowrite; hvfma $llm0v $llm0v $llm0v $nowrite; l1bmm@0 $llm0v $llb0",
            "isub $lr0v $llm0v $ln0v; l1bmm@0 $llm0v $llb0",
            "ladd $ln0 $lm2 $ln0",
            "lpassa $lm0v $lm0v",
            "lpassa $lr0v $lr8v $ls0v $t $omr1 $mb",
            "hvmul $lm0v $ln0v $llr0v; hmwrite $ln0v $lx0",
            "hvadd $lm0v $llr0v $lls0v; hmwrite $ln0v $lx0",
            "lpassa $lm[0,2,4,6] $ln0v; linc $lm0v $lr0v".split(';').next().unwrap(),
            "fvadd $lm0v $lm[0,2,4,6] $ln0v",
            "imm i\"1\" $mb $lr0",
            "nop; wait i01",
        ] {
            assert_eq!(verdict(line), None, "{line}");
        }
    }

    #[test]
    fn steps_that_are_refused() {
        for (line, message) in [
            ("linc $lm0v $ln0v; ldec $lr0v $ls0v", "a second expression of the group alu"),
            ("nop; noforward", "only `wait` can be issued together with `nop`"),
            ("wait i01", "`wait` cannot be issued alone"),
            (
                "gmmul $lx $lm0v $ln0v; gmwrite $ls0v $ly0; gmread $lx0 $lr0v",
                "arithmetic, a write and a transposed read of matrix registers: at most two of them at once",
            ),
            ("iadd $lr0v $lr4v $ls8v", "field `grf0_read_addr`, the read address of GRF0, is given two values"),
            (
                "isub $lr0v $lm0v4 $ln0v; l1bmm@0 $llm0v $llb0",
                "field `lm0_width`, the width of accesses to LM0, is given two values",
            ),
            (
                "ladd $ln0 $lm2 $ln2",
                "field `lm1_addr`, the address of LM1, shared by reads and writes, is given two values",
            ),
            (
                "imm i\"1\" $lm0",
                "field `lm0_addr`, the address of LM0, shared by reads, writes and immediates, is given two values",
            ),
            (
                "gmmul $lx $lm0v $ln0v; hmwrite $ls0v $ly0",
                "field `mau_precision`, the precision of the MAU and the matrix registers, is given two values",
            ),
            ("gmmul $lx $lm0v $ln0v; gmwrite $ls0v $lx0", "field `matrix_x`, the matrix register $lx, is taken twice"),
            (
                "hvmul $lm0v $ln0v $llr0v; hmwrite -$ln0v $lx0",
                "field `mau_b`, the second input of the MAU, shared with writes to matrix registers, is given two values",
            ),
            ("lpassa $lm0v $lr0v $lr0v", "field `grf0_in`, what is written to GRF0, is taken twice"),
            ("lpassa $lm0v $lr0v; fvpassa $lm0v $lr0v", "field `grf0_in`, what is written to GRF0, is taken twice"),
            ("lpassa $lm0v $omr1; fvpassa $lm0v $omr1", "field `omr_addr`, the mask register that is written, is taken twice"),
            ("lpassa $lm0v $lr0v/$imr1 $ls0v/$imr2", "field `mask_entry`, the mask entry that is read, is given two values"),
            ("lpassa $llm0v $lr0v/1100 $lls0v/ll1100", "field `mask_width`, the width of the mask, is given two values"),
            (
                "lpassa/1100 $lm0v $lr0v; fvpassa/1100 $lm0v $ls0v",
                "field `zero_flush`, the unit whose result is zero-flushed, is taken twice",
            ),
            (
                "l1bmm $lb0 $lr0v; l1bmm $lbi $ls0v",
                "field `lbf`, the path from L1BM to PE, and its forwarding register, is taken twice",
            ),
            ("l1bmm $lb0 $lr0v; l1bmm@0 $ls0v $lb0", "a second expression of the group l1bm"),
            (
                "lpassa $lmt0 $ln0v; fvpassa $lm0 $lr0v",
                "field `lm0_modify`, what is added to LM0's address, is given two values",
            ),
        ] {
            assert_eq!(verdict(line).as_deref(), Some(message), "{line}");
        }
    }
}
