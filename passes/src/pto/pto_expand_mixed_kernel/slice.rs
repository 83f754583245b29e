//! The program slice of a side: its side effects and everything that they are computed from.
//!
//! The slice is computed backwards from the effects. A value is needed as a whole or, on a vector
//! side that is split over two cores, as the core's own part or as the first part on both cores.

use std::collections::HashSet;

use tessera_dialects::mlir::{Definition, Op, Value, WalkOrder};
use tessera_dialects::pto::{self, BinaryOp, Broadcast, Side, Space, Split};
use tessera_dialects::scf;

use super::crossing;
use std::fmt;

/// The piece of a value that a kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// All of it.
    Whole,
    /// The part of the executing core.
    Own,
    /// The upper or left part, on both cores. Operands that are broadcast along the split are read
    /// from it.
    First,
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Piece::Whole => "whole tile",
            Piece::Own => "own half",
            Piece::First => "first half on both cores",
        })
    }
}

impl Piece {
    const ALL: [Piece; 3] = [Piece::Whole, Piece::Own, Piece::First];
}

/// The slice of a kernel that a side needs.
pub struct Slice<'a> {
    /// The side.
    pub side: Side,
    /// How it is split over cores; not at all on the cube side.
    pub split: Split,
    ops: HashSet<Op<'a>>,
    values: HashSet<(Value<'a>, Piece)>,
}

impl<'a> Slice<'a> {
    /// Computes the slice of a side of a mixed kernel, given the split of the vector side.
    pub fn compute(kernel: Op<'a>, side: Side, split: Split) -> Self {
        let split = match side {
            Side::Cube => Split::None,
            Side::Vector => split,
        };
        let mut slice = Slice {
            side,
            split,
            ops: HashSet::new(),
            values: HashSet::new(),
        };
        for op in kernel.walk(WalkOrder::Pre) {
            if acts_on(op, side) {
                slice.keep(op, slice.home());
            }
        }
        slice
    }

    /// Returns whether the side has no effects.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Returns whether the slice contains an operation.
    pub fn keeps(&self, op: Op<'a>) -> bool {
        self.ops.contains(&op)
    }

    /// Returns the pieces of a value that the slice contains.
    pub fn pieces(&self, value: Value<'a>) -> impl Iterator<Item = Piece> + '_ {
        let needed = move |piece: &Piece| self.values.contains(&(value, *piece));
        Piece::ALL.into_iter().filter(needed)
    }

    /// Returns the piece of an ordinary tile that a kernel of this side has.
    pub fn home(&self) -> Piece {
        match self.split {
            Split::None => Piece::Whole,
            Split::UpDown | Split::LeftRight => Piece::Own,
        }
    }

    /// Returns the piece of an operand that a piece of the result is computed from.
    pub fn operand_piece(&self, op: Op<'a>, index: usize, piece: Piece) -> Piece {
        let tile = op
            .operand(index)
            .and_then(|operand| pto::tile(operand.r#type()));
        match (tile, self.split.axis()) {
            (Some(tile), Some(axis)) if tile.space == Space::Vec => {
                let along = match op.dyn_cast().and_then(BinaryOp::broadcast) {
                    Some(Broadcast::Row) => axis == 0,
                    Some(Broadcast::Column) => axis == 1,
                    Some(Broadcast::Scalar) => true,
                    Some(Broadcast::None) | None => false,
                };
                if along && index == 1 {
                    Piece::First
                } else {
                    piece
                }
            }
            _ => Piece::Whole,
        }
    }

    /// Adds an operation, for a piece of its result, and the enclosing control flow.
    fn keep(&mut self, op: Op<'a>, piece: Piece) {
        self.ops.insert(op);
        let pushed_elsewhere = crossing(op).is_some_and(|it| it.direction.consumer() == self.side);
        if !pushed_elsewhere {
            for (index, operand) in op.operands().into_iter().enumerate() {
                let piece = self.operand_piece(op, index, piece);
                self.need(operand, piece);
            }
        }
        if let Some(parent) = op.parent() {
            self.keep_control(parent);
        }
    }

    /// Adds a loop or a branch: its bounds or condition, and the enclosing control flow.
    fn keep_control(&mut self, op: Op<'a>) {
        let read = match op.name() {
            scf::ForOp::NAME => 3,
            scf::IfOp::NAME => 1,
            _ => return,
        };
        if !self.ops.insert(op) {
            return;
        }
        for operand in op.operands().into_iter().take(read) {
            self.need(operand, Piece::Whole);
        }
        if let Some(parent) = op.parent() {
            self.keep_control(parent);
        }
    }

    /// Adds a piece of a value.
    fn need(&mut self, value: Value<'a>, piece: Piece) {
        if !self.values.insert((value, piece)) {
            return;
        }
        match value.definition() {
            Definition::Argument(block, number) => match block.parent() {
                Some(op) if op.isa::<scf::ForOp>() => match number.checked_sub(1) {
                    Some(carried) => self.need_carried(op, carried, piece),
                    None => self.keep_control(op),
                },
                _ => {}
            },
            Definition::Result(op, number) => match op.name() {
                scf::ForOp::NAME => self.need_carried(op, number, piece),
                scf::IfOp::NAME => {
                    self.keep_control(op);
                    for region in op.regions() {
                        for block in region.blocks() {
                            let yielded = block.terminator().and_then(|last| last.operand(number));
                            if let Some(yielded) = yielded {
                                self.need(yielded, piece);
                            }
                        }
                    }
                }
                _ => self.keep(op, piece),
            },
        }
    }

    /// Adds a piece of a loop-carried value.
    fn need_carried(&mut self, op: Op<'a>, number: usize, piece: Piece) {
        self.keep_control(op);
        let body = op.body();
        let values = [
            op.operand(3 + number),
            op.result(number),
            body.and_then(|body| body.arguments().get(1 + number).copied()),
            body.and_then(|body| body.terminator()?.operand(number)),
        ];
        for value in values.into_iter().flatten() {
            self.need(value, piece);
        }
    }
}

/// Returns whether an operation has a side effect on a side.
fn acts_on(op: Op, side: Side) -> bool {
    let on_side = |value: Option<Value>| {
        let tile = value.and_then(|value| pto::tile(value.r#type()));
        tile.is_some_and(|tile| tile.space.side() == side)
    };
    let has_end = |value: Option<Value>| {
        let end = value.and_then(pto::initialized_by);
        end.is_some_and(|(_, end)| end == side)
    };
    match op.name() {
        pto::TStoreOp::NAME => on_side(op.operand(0)),
        pto::TMoveOp::NAME => crossing(op).is_some(),
        pto::TPushOp::NAME | pto::TFreeOp::NAME => has_end(op.operand(1)),
        pto::TPopOp::NAME => has_end(op.operand(0)),
        pto::AicInitializePipeOp::NAME => side == Side::Cube,
        pto::AivInitializePipeOp::NAME => side == Side::Vector,
        pto::ReserveBufferOp::NAME => op
            .result(0)
            .and_then(|result| pto::buffer(result.r#type()))
            .is_some_and(|buffer| buffer.space.side() == side),
        _ => false,
    }
}
