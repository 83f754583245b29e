//! A program as typed statements: what the parser makes, the checker judges, the printer prints,
//! the emulator executes.
//!
//! Sugar is resolved: `nop/n` is n statements, a `mask` statement is a mask on each destination
//! behind it, immediates are words, an address of four cycles is one [`Pattern`]. Spans say where a
//! part stood; they take no part in its meaning.

mod control;
mod expression;
mod mv;
mod operand;

pub use control::{DebugMemory, DebugOperand, Get, GetFormat, Host, Set};
pub use expression::{Alu, Expression, L1Operand, L1bm, MatrixRows, Mau, Op, PeOperands};
pub use mv::{Mv, MvMemory, MvOperand, Transfer};
pub use operand::{
    Convert, Fixed, Forward, Input, Mask, MemoryOperand, Modify, Output, Pattern, Source, Target,
};

use crate::diagnostic::Span;
use crate::table::Group;

/// The statements of a source text, up to `quit`.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// In order.
    pub statements: Vec<Statement>,
}

/// One statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The whole statement.
    pub span: Span,
    /// What it says.
    pub kind: StatementKind,
}

impl Statement {
    /// `nop`, which stands nowhere.
    pub fn nop() -> Self {
        Statement {
            span: Span::default(),
            kind: StatementKind::Step(Step::nop()),
        }
    }
}

/// What a statement says.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A PE instruction: one step.
    Step(Step),
    /// An MV instruction.
    Mv(Mv),
    /// `d get`.
    Get(Get),
    /// `d set`.
    Set(Set),
    /// A transfer between host and board.
    Host(Host),
}

/// A PE instruction: expressions issued together, for four cycles.
#[derive(Clone, Debug)]
pub struct Step {
    /// At least one, at most one of each [`Group`].
    pub expressions: Vec<Expression>,
}

impl Step {
    /// `nop`.
    pub fn nop() -> Self {
        Step {
            expressions: vec![Expression {
                span: Span::default(),
                op: Op::Nop,
                zero_flush: None,
            }],
        }
    }

    /// The expression of a group.
    pub fn find(&self, group: Group) -> Option<&Expression> {
        self.expressions.iter().find(|e| e.op.group() == group)
    }

    /// Whether it is a `nop`, perhaps with a `wait`.
    pub fn is_nop(&self) -> bool {
        self.find(Group::Nop).is_some()
    }
}
