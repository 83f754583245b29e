//! Which transfers can follow one another through the turn-around register (manual, sections
//! 3.6.8.2 and 3.6.8.20).
//!
//! A transfer from the register to PEs is of the same kind as that to L1BM which filled it: both
//! move as many long words of L1BM a cycle. Where both shift by MABs, they shift by the same
//! number. A step with `noforward` does not fill it.
//!
//! Not checked: what the register holds before it is filled, and after a step that only reads it.

use crate::ast::{Op, PeOperands, Step};
use crate::diagnostic::{Diagnostic, Span};
use crate::table::{Group, L1bmKind, L1bmOp};

/// What is known of the register's content.
#[derive(Default)]
pub struct Register {
    filled: Option<(L1bmOp, Span)>,
}

impl Register {
    /// Goes through a step: tells what is wrong with its use of the register.
    pub fn step(&mut self, step: &Step) -> Option<Diagnostic> {
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

/// A broadcast to PEs has no counterpart that could fill the register.
fn never_filled((read, span): (L1bmOp, Span)) -> Option<Diagnostic> {
    (read.kind == L1bmKind::PeBroadcast).then(|| {
        Diagnostic::new(
            span,
            "no transfer to L1BM fills the turn-around register for `l1bmp`",
        )
        .section("3.6.8.6")
    })
}

/// What a read of the register has against the transfer that filled it.
fn mismatch((read, span): (L1bmOp, Span), (filled, source): (L1bmOp, Span)) -> Option<Diagnostic> {
    let found = if read.l1_rate() != filled.l1_rate() {
        let message = format!(
            "this transfer moves {} long words a cycle, the one that filled the turn-around register {}",
            read.l1_rate(),
            filled.l1_rate()
        );
        Diagnostic::new(span, message).section("3.6.8.2")
    } else if read.shift != filled.shift {
        let message = format!(
            "this transfer shifts by {} MABs, the one that filled the turn-around register by {}",
            read.shift, filled.shift
        );
        Diagnostic::new(span, message).section("3.6.8.20")
    } else {
        return None;
    };
    Some(found.also(source, "what filled it"))
}

#[cfg(test)]
mod tests;
