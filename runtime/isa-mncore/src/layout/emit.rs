//! Transfer instructions with their operands. Only [`Leg`](super::leg::Leg)s create them, after
//! checking that the operands' memories are those of the instruction.

use std::fmt::{self, Display, Formatter};

use super::place::{Location, Memory};
use super::transfer::TransferOp;
use crate::ast::{
    Convert, Expression, Input, L1Operand, L1bm, Mask, MatrixRows, MemoryOperand, Modify, Mv,
    MvMemory, MvOperand, Op, Output, Pattern, PeOperands, Source, Statement, StatementKind, Step,
    Target, Transfer,
};
use crate::diagnostic::Span;
use crate::memory::{Precision, Width, CYCLES};
use crate::table::mv::OperandForm;
use crate::table::{L1bSet, L1bmKind, L1bmOp, L2bmOp, Rrn};

/// A transfer instruction with its operands.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// An MV instruction, without a tag.
    Mv(Transfer),
    /// An expression of a PE instruction.
    Step(Op),
}

impl Instruction {
    /// Returns a statement that issues only this instruction.
    pub fn statement(&self) -> Statement {
        let span = Span::default();
        let kind = match self {
            Instruction::Mv(transfer) => StatementKind::Mv(Mv {
                transfer: Some(transfer.clone()),
            }),
            Instruction::Step(op) => StatementKind::Step(Step {
                expressions: vec![Expression {
                    span,
                    op: op.clone(),
                    zero_flush: None,
                }],
            }),
        };
        Statement { span, kind }
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.statement().fmt(f)
    }
}

/// One end of a transfer: a memory and a location. Only the owners that the instruction names are
/// significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The memory.
    pub memory: Memory,
    /// The owners and the address.
    pub at: Location,
}

/// The addresses that the four cycles of a step access in a PE memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CycleOffsets {
    /// The offset in long words from the operand's address in each cycle; `None` if any address
    /// will do.
    pub offsets: [Option<u32>; CYCLES],
    /// The cycles whose words are written; bit c for cycle c.
    pub written: u8,
}

impl CycleOffsets {
    /// Returns consecutive offsets, one or two long words apart.
    pub const fn straight(wide: bool) -> CycleOffsets {
        let step = 1 + wide as u32;
        CycleOffsets {
            offsets: [Some(0), Some(step), Some(2 * step), Some(3 * step)],
            written: 0b1111,
        }
    }

    /// Returns the addresses starting at `base` for accesses of `width`, in single words; as base
    /// and stride if possible.
    fn pattern(self, base: u32, width: Width) -> Pattern {
        let unit = u32::from(width.words());
        let offset = |cycle: usize| self.offsets[cycle].map(|offset| 2 * offset);
        let fits = |stride: u32| {
            (0..CYCLES).all(|cycle| offset(cycle).is_none_or(|at| at == stride * cycle as u32))
        };
        let stated = (1..CYCLES).find_map(|cycle| offset(cycle).map(|at| at / cycle as u32));
        let stride = stated.unwrap_or(0);
        if stride % unit == 0 && fits(stride) {
            return Pattern::Stride {
                base: base as u16,
                stride: stride as u16,
            };
        }
        Pattern::Flat(std::array::from_fn(|cycle| {
            (base + offset(cycle).unwrap_or(0)) as u16
        }))
    }
}

impl TransferOp {
    /// Returns the instruction with its operands. `words` is the length of an MV instruction.
    /// `walk` gives the addresses of a PE operand.
    pub(super) fn instruction(
        self,
        rrn: Option<Rrn>,
        source: Operand,
        target: Operand,
        words: u32,
        walk: CycleOffsets,
    ) -> Instruction {
        match self {
            TransferOp::Mv(mode) => Instruction::Mv(Transfer {
                mode,
                rrn: rrn.filter(|_| mode.reduces()),
                words,
                tag: None,
                priority: 0,
                per_entry: None,
                source: mv_place(source, mode.row().source.0),
                target: mv_place(target, mode.row().target.0),
            }),
            TransferOp::L2bm(kind, hidden) => {
                let down = target.memory == Memory::L1bm;
                let (l2, l1) = if down {
                    (source, target)
                } else {
                    (target, source)
                };
                let base = l1.at.l1b() as u8;
                Instruction::Step(Op::L2bm {
                    op: L2bmOp {
                        kind,
                        set: L1bSet::new(base, hidden),
                        rrn: rrn.filter(|_| kind.row().reduces),
                    },
                    l2: l2.at.address() as u16,
                    l1: l1.at.address() as u16,
                })
            }
            TransferOp::L1bm(kind, wide) => Instruction::Step(Op::L1bm(l1bm(
                kind,
                wide,
                rrn.filter(|_| self.reduces()),
                (source, target),
                walk,
            ))),
            TransferOp::Mwrite(precision) => Instruction::Step(Op::Mwrite {
                precision,
                input: input(source, precision == Precision::Half, walk),
                matrix: rows(
                    precision,
                    target,
                    target.at.address() >> row_shift(precision),
                ),
            }),
            TransferOp::Mread(precision) => {
                // A column number consists of part bits, then PE bits.
                let parts = (source.at.0 >> 12) as usize & 3;
                let column = (parts | source.at.pe() << 2) >> row_shift(precision);
                Instruction::Step(Op::Mread {
                    precision,
                    matrix: rows(precision, source, column),
                    outputs: vec![output(target, precision == Precision::Half, walk)],
                })
            }
        }
    }
}

/// Returns the shift from a physical row number to a row number; for columns, from part and PE bits
/// to a column number.
const fn row_shift(precision: Precision) -> u32 {
    match precision.bits() {
        16 => 0,
        32 => 1,
        _ => 2,
    }
}

/// Returns the rows or columns operand of a matrix register.
fn rows(precision: Precision, operand: Operand, first: usize) -> MatrixRows {
    let Memory::Matrix(side) = operand.memory else {
        unreachable!(
            "a leg has a matrix register at this end, not {}",
            operand.memory
        );
    };
    MatrixRows {
        side,
        first: first as u8,
        wide: precision == Precision::Half,
    }
}

/// Returns the MV operand, with the owners that its form names.
fn mv_place(operand: Operand, kind: OperandForm) -> MvOperand {
    let address = operand.at.address();
    let memory = match operand.memory {
        Memory::Pdm => MvMemory::Pdm(address as u32),
        Memory::Dram => MvMemory::Dram(address as u32),
        Memory::L2bm => MvMemory::L2bm(address as u16),
        other => unreachable!("a leg of MV instructions does not end in {other}"),
    };
    use OperandForm::*;
    let group = matches!(kind, PdmOne | DramOne | L2bmOne | L2bmGroup);
    let l2b = matches!(kind, L2bmOne | L2bmSide);
    MvOperand {
        span: Span::default(),
        memory,
        group: group.then_some(operand.at.group() as u8),
        l2b: l2b.then_some(operand.at.l2b() as u8),
    }
}

fn l1bm(
    kind: L1bmKind,
    wide: bool,
    rrn: Option<Rrn>,
    (source, target): (Operand, Operand),
    walk: CycleOffsets,
) -> L1bm {
    let mut op = L1bmOp {
        rrn,
        ..L1bmOp::new(kind, wide)
    };
    // Half precision sums are computed in single precision, on two long words.
    op.wide |= op.halves_result();
    op.mab = match kind {
        L1bmKind::Pick => source.at.mab() as u8,
        L1bmKind::Pick4 => source.at.mab() as u8 & 3,
        _ => 0,
    };
    let (l1, pe) = if kind.row().down {
        (source, PeOperands::Down(vec![output(target, wide, walk)]))
    } else {
        (target, PeOperands::Up(input(source, wide, walk)))
    };
    L1bm {
        op,
        l1: L1Operand::Address(l1.at.address() as u16),
        pe,
    }
}

/// Returns the operand of a PE memory.
fn memory_operand(operand: Operand, wide: bool, walk: CycleOffsets) -> MemoryOperand {
    let Memory::Pe(bank) = operand.memory else {
        unreachable!("a leg has PEs at this end, not {}", operand.memory);
    };
    let width = if wide { Width::Double } else { Width::Long };
    MemoryOperand {
        bank,
        width,
        pattern: walk.pattern(2 * operand.at.address() as u32, width),
        modify: Modify::None,
    }
}

fn input(operand: Operand, wide: bool, walk: CycleOffsets) -> Input {
    Input {
        span: Span::default(),
        source: Source::Memory(memory_operand(operand, wide, walk)),
        negate: false,
        convert: Convert::None,
    }
}

fn output(operand: Operand, wide: bool, walk: CycleOffsets) -> Output {
    // Fixed masks have cycle 0 in their highest bit.
    let flags = (0..4).fold(0, |flags, cycle| flags << 1 | walk.written >> cycle & 1);
    let mask = Mask {
        entry: 16 + flags,
        wide,
    };
    Output {
        span: Span::default(),
        target: Target::Memory(memory_operand(operand, wide, walk)),
        mask: (flags != 0b1111).then_some(mask),
    }
}
