//! Checks transfers that follow one another through the turn-around register (manual, sections
//! 3.6.8.2 and 3.6.8.20).
//!
//! A transfer from the register to PEs must be of the same kind as the transfer to L1BM that filled
//! the register: both move the same number of long words per cycle. If both shift by MABs, the
//! shift amounts must be equal. A step with `noforward` does not fill the register.
//!
//! Not checked: the content of the register before it is first filled, and after a step that only
//! reads it.

use crate::ast::{Op, PeOperands, Step};
use crate::diagnostic::{Diagnostic, Span};
use crate::table::{Group, L1bmKind, L1bmOp};

/// The known content of the turn-around register.
#[derive(Default)]
pub struct TurnaroundRegister {
    filled: Option<(L1bmOp, Span)>,
}

impl TurnaroundRegister {
    /// Processes one step and returns the error in its use of the register.
    pub fn check_step(&mut self, step: &Step) -> Option<Diagnostic> {
        let mut read = None;
        let mut fill = None;
        for expression in &step.expressions {
            let Op::L1bm(l1bm) = &expression.op else {
                continue;
            };
            if l1bm.is_turnaround() {
                read = Some((l1bm.op, expression.span));
            } else if matches!(l1bm.pe, PeOperands::Up(_)) {
                fill = Some((l1bm.op, expression.span));
            }
        }
        let found = read.and_then(|read| {
            let against = |filled| mismatch(read, filled);
            never_filled(read).or_else(|| self.filled.and_then(against))
        });
        if step.find(Group::Noforward).is_none() && (fill.is_some() || read.is_some()) {
            self.filled = fill;
        }
        found
    }
}

/// Returns the error for a broadcast, which no transfer to L1BM can match.
fn never_filled((read, span): (L1bmOp, Span)) -> Option<Diagnostic> {
    (read.kind == L1bmKind::PeBroadcast).then(|| {
        Diagnostic::new(
            span,
            "no transfer to L1BM fills the turn-around register for `l1bmp`",
        )
        .with_section("3.6.8.6")
    })
}

/// Returns the error if a read does not match the transfer that filled the register.
fn mismatch((read, span): (L1bmOp, Span), (filled, source): (L1bmOp, Span)) -> Option<Diagnostic> {
    let found = if read.l1_rate() != filled.l1_rate() {
        let message = format!(
            "this transfer moves {} long words a cycle, the one that filled the turn-around \
             register {}",
            read.l1_rate(),
            filled.l1_rate()
        );
        Diagnostic::new(span, message).with_section("3.6.8.2")
    } else if read.shift != filled.shift {
        let message = format!(
            "this transfer shifts by {} MABs, the one that filled the turn-around register by {}",
            read.shift, filled.shift
        );
        Diagnostic::new(span, message).with_section("3.6.8.20")
    } else {
        return None;
    };
    Some(found.with_related(source, "the transfer that filled it"))
}

#[cfg(test)]
mod tests;
