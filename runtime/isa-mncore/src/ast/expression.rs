//! PE expressions (manual, sections 3.6.5 to 3.6.13).

use super::{Input, Mask, Output};
use crate::diagnostic::Span;
use crate::memory::{Precision, Side};
use crate::table::{AluOp, Group, L1bmOp, L2bmOp, MauOp};

/// One expression of a step.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Where it stands.
    pub span: Span,
    /// What it does.
    pub op: Op,
    /// The mask that sets parts of its output to zero (section 3.6.2.2).
    pub zero_flush: Option<Mask>,
}

/// What an expression does.
#[derive(Clone, Debug)]
pub enum Op {
    /// Nothing, for a step.
    Nop,
    /// Keeps forwarding and turn-around registers.
    Noforward,
    /// Waits for the MV instruction with this tag, 1 to 255.
    Wait(u8),
    /// `l2bmdars`.
    DarStart {
        /// Long word address in L2BM.
        l2: u16,
        /// Which L2B of the group, 0 or 1.
        l2b: u8,
        /// The first DAR entry that `l2bmdarw` writes.
        dar: u16,
    },
    /// `l2bmdarw`.
    DarWrite,
    /// A transfer between L2BM and L1BM.
    L2bm {
        /// Which.
        op: L2bmOp,
        /// Long word address in L2BM; for a multicast, the source's address in L1BM.
        l2: u16,
        /// Long word address in L1BM; for a multicast, the target's.
        l1: u16,
    },
    /// A transfer between L1BM and PEs.
    L1bm(L1bm),
    /// MAU arithmetic.
    Mau(Mau),
    /// A write to a matrix register.
    Mwrite {
        /// The format.
        precision: Precision,
        /// What is written.
        input: Input,
        /// Where to.
        matrix: MatrixRows,
    },
    /// A transposed read of a matrix register.
    Mread {
        /// The format.
        precision: Precision,
        /// Where from.
        matrix: MatrixRows,
        /// Where to.
        outputs: Vec<Output>,
    },
    /// ALU arithmetic.
    Alu(Alu),
}

impl Op {
    /// The slot it takes.
    pub fn group(&self) -> Group {
        match self {
            Op::Nop => Group::Nop,
            Op::Noforward => Group::Noforward,
            Op::Wait(_) => Group::Wait,
            Op::DarStart { .. } | Op::L2bm { .. } => Group::L2bm,
            Op::DarWrite => Group::L2bmdarw,
            Op::L1bm(l1bm) if l1bm.is_turnaround() => Group::Turnaround,
            Op::L1bm(_) => Group::L1bm,
            Op::Mau(_) => Group::MauCalc,
            Op::Mwrite { .. } => Group::Mwrite,
            Op::Mread { .. } => Group::Mread,
            Op::Alu(_) => Group::Alu,
        }
    }

    /// The PE operands it reads.
    pub fn inputs(&self) -> &[Input] {
        match self {
            Op::L1bm(L1bm {
                pe: PeOperands::Up(input),
                ..
            })
            | Op::Mwrite { input, .. } => std::slice::from_ref(input),
            Op::Mau(mau) => &mau.inputs,
            Op::Alu(alu) => &alu.inputs,
            _ => &[],
        }
    }

    /// The PE operands it writes.
    pub fn outputs(&self) -> &[Output] {
        match self {
            Op::L1bm(L1bm {
                pe: PeOperands::Down(outputs),
                ..
            })
            | Op::Mread { outputs, .. } => outputs,
            Op::Mau(mau) => &mau.outputs,
            Op::Alu(alu) => &alu.outputs,
            _ => &[],
        }
    }

    /// The PE operands it writes, to change.
    pub fn outputs_mut(&mut self) -> &mut [Output] {
        match self {
            Op::L1bm(L1bm {
                pe: PeOperands::Down(outputs),
                ..
            })
            | Op::Mread { outputs, .. } => outputs,
            Op::Mau(mau) => &mut mau.outputs,
            Op::Alu(alu) => &mut alu.outputs,
            _ => &mut [],
        }
    }
}

/// A transfer between L1BM and PEs.
#[derive(Clone, Debug)]
pub struct L1bm {
    /// Which.
    pub op: L1bmOp,
    /// The L1BM operand.
    pub l1: L1Operand,
    /// The PE operands.
    pub pe: PeOperands,
}

impl L1bm {
    /// Whether it reads the turn-around register.
    pub fn is_turnaround(&self) -> bool {
        self.l1 == L1Operand::Turnaround && matches!(self.pe, PeOperands::Down(_))
    }
}

/// The L1BM operand of a transfer to or from PEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum L1Operand {
    /// A long word address.
    Address(u16),
    /// The turn-around register, `$lbi`.
    Turnaround,
}

/// The PE operands of an L1BM transfer.
#[derive(Clone, Debug)]
pub enum PeOperands {
    /// From L1BM: where PEs put the data.
    Down(Vec<Output>),
    /// To L1BM: where PEs take the data.
    Up(Input),
}

/// MAU arithmetic.
#[derive(Clone, Debug)]
pub struct Mau {
    /// Which.
    pub op: MauOp,
    /// The matrix register of a matrix product.
    pub matrix: Option<Side>,
    /// One for each port of the operation's row.
    pub inputs: Vec<Input>,
    /// Where the result goes.
    pub outputs: Vec<Output>,
}

/// ALU arithmetic.
#[derive(Clone, Debug)]
pub struct Alu {
    /// Which.
    pub op: AluOp,
    /// The word of `imm` and `immu`, else 0.
    pub immediate: u32,
    /// As many as the operation's row says.
    pub inputs: Vec<Input>,
    /// Where the result and the mask flags go.
    pub outputs: Vec<Output>,
}

/// Rows (written) or columns (read) of a matrix register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixRows {
    /// Which register.
    pub side: Side,
    /// The first row or column, in the numbering of the precision.
    pub first: u8,
    /// Two rows or columns a cycle; half precision only.
    pub wide: bool,
}
