//! PE expressions (manual, sections 3.6.5 to 3.6.13).

use super::{Input, Mask, Output};
use crate::diagnostic::Span;
use crate::memory::{Precision, Side};
use crate::table::{AluOp, Group, L1bmOp, L2bmOp, MauOp};

/// One expression of a step.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The source location.
    pub span: Span,
    /// The operation with its operands.
    pub op: Op,
    /// The zero-flush mask, which sets parts of the result to zero (section 3.6.2.2).
    pub zero_flush: Option<Mask>,
}

/// The operation of an expression, with its operands.
#[derive(Clone, Debug)]
pub enum Op {
    /// `nop`: no operation for one step.
    Nop,
    /// `noforward`: keeps the forwarding and turn-around registers unchanged.
    Noforward,
    /// `wait`: waits for the MV instruction with this tag, 1 to 255.
    Wait(u8),
    /// `l2bmdars`: starts a transfer of DRAM addresses from L2BM to DAR.
    DarStart {
        /// Long word address in L2BM.
        l2: u16,
        /// The L2B of the group, 0 or 1.
        l2b: u8,
        /// The first DAR entry that `l2bmdarw` writes.
        dar: u16,
    },
    /// `l2bmdarw`: writes the transferred addresses to DAR.
    DarWrite,
    /// A transfer between L2BM and L1BM.
    L2bm {
        /// The opcode.
        op: L2bmOp,
        /// Long word address in L2BM. For a multicast, the source address in L1BM.
        l2: u16,
        /// Long word address in L1BM. For a multicast, the target address.
        l1: u16,
    },
    /// A transfer between L1BM and PEs.
    L1bm(L1bm),
    /// MAU arithmetic.
    Mau(Mau),
    /// A write to a matrix register.
    Mwrite {
        /// The element format.
        precision: Precision,
        /// The data to write.
        input: Input,
        /// The rows to write.
        matrix: MatrixRows,
    },
    /// A transposed read of a matrix register.
    Mread {
        /// The element format.
        precision: Precision,
        /// The columns to read.
        matrix: MatrixRows,
        /// The destinations.
        outputs: Vec<Output>,
    },
    /// ALU arithmetic.
    Alu(Alu),
}

impl Op {
    /// Returns the issue slot of the operation.
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

    /// Returns the PE operands that are read.
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

    /// Returns the PE operands that are written.
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

    /// Returns the PE operands that are written, mutably.
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
    /// The opcode.
    pub op: L1bmOp,
    /// The L1BM operand.
    pub l1: L1Operand,
    /// The PE operands.
    pub pe: PeOperands,
}

impl L1bm {
    /// Returns whether the transfer reads the turn-around register.
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
    /// Transfer from L1BM to PEs: the destinations.
    Down(Vec<Output>),
    /// Transfer from PEs to L1BM: the source.
    Up(Input),
}

/// MAU arithmetic.
#[derive(Clone, Debug)]
pub struct Mau {
    /// The opcode.
    pub op: MauOp,
    /// The matrix register of a matrix product.
    pub matrix: Option<Side>,
    /// The inputs, one for each port of the operation's row.
    pub inputs: Vec<Input>,
    /// The destinations of the result.
    pub outputs: Vec<Output>,
}

/// ALU arithmetic.
#[derive(Clone, Debug)]
pub struct Alu {
    /// The opcode.
    pub op: AluOp,
    /// The immediate word of `imm` and `immu`, otherwise 0.
    pub immediate: u32,
    /// The inputs; their number is given by the operation's row.
    pub inputs: Vec<Input>,
    /// The destinations of the result and of the mask flags.
    pub outputs: Vec<Output>,
}

/// Rows (when written) or columns (when read) of a matrix register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixRows {
    /// The register.
    pub side: Side,
    /// The first row or column, in the numbering of the precision.
    pub first: u8,
    /// Whether two rows or columns are accessed per cycle (half precision only).
    pub wide: bool,
}
