//! A program as typed statements. The parser produces them; the checker, printer and emulator
//! consume them.
//!
//! Syntactic sugar is already resolved. `nop/n` has become n statements. A `mask` statement has
//! become a mask on each destination after it. Immediates are words, and the four addresses of a
//! step are one [`Pattern`]. Spans give source locations; they are not part of the meaning.

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
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

/// One statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The location of the whole statement.
    pub span: Span,
    /// The parsed content.
    pub kind: StatementKind,
}

impl Statement {
    /// Creates a `nop` without a source location.
    pub fn nop() -> Self {
        Statement {
            span: Span::default(),
            kind: StatementKind::Step(Step::nop()),
        }
    }
}

/// The content of a statement.
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

/// A PE instruction: expressions that are issued together and run for four cycles.
#[derive(Clone, Debug)]
pub struct Step {
    /// At least one, at most one of each [`Group`].
    pub expressions: Vec<Expression>,
}

impl Step {
    /// Creates a `nop`.
    pub fn nop() -> Self {
        Step {
            expressions: vec![Expression {
                span: Span::default(),
                op: Op::Nop,
                zero_flush: None,
            }],
        }
    }

    /// Returns the expression of a group.
    pub fn find(&self, group: Group) -> Option<&Expression> {
        self.expressions.iter().find(|e| e.op.group() == group)
    }

    /// Returns whether the step is a `nop`, possibly with a `wait`.
    pub fn is_nop(&self) -> bool {
        self.find(Group::Nop).is_some()
    }
}
