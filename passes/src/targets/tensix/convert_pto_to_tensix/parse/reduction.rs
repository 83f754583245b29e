//! Reductions: what is kept of rows and columns, tile by tile.
//!
//! A tile that is reduced ends its block, which keeps what is left in a tile of Dst of its own; a block behind it that reduces the next tile
//! combines both there. What is kept is one value at a time, so it is read before the next is begun.

use tessera_dialects::mlir::{Op, Reported};
use tessera_dialects::pto::{self, Unit};
use tessera_ops::{Binary, Reduce};
use tessera_tensix_code::reduce::Reduction;

use super::super::block::Value as Known;
use super::super::plan::{Block, Broadcast, Loop, Node, KEPT};
use super::elementwise::{is_integer, unit, wrong_unit};
use super::{promised, Parser};

impl<'a> Parser<'_, 'a> {
    /// What is kept of a tile along an axis.
    pub(super) fn reduce(
        &mut self,
        op: Op<'a>,
        reduce: Reduce,
        axis: usize,
    ) -> Result<(), Reported> {
        if unit(op) != Some(Unit::Sfpu) {
            return Err(wrong_unit(op, "sfpu"));
        }
        let tile = op.operand(0).and_then(|of| pto::tile(of.r#type()));
        let tile = promised(op, tile)?;
        let reduction = Reduction {
            reduce,
            integer: is_integer(op.operand(0)),
            axis,
            valid: tile.valid[axis] as u32,
        };
        if let Known::Kept(number) = self.operand(op, 0)? {
            // What is left of rows is reduced to an element.
            let (block, _) = self.last_fold(op, number)?;
            let fold = block.fold.iter_mut();
            fold.for_each(|fold| fold.reductions.push(reduction));
            return self.define(op, Known::Kept(number));
        }
        let node = self.lanes(op, 0, Broadcast::None)?;
        let open = promised(op, self.open.take())?;
        if !open.stores.is_empty() {
            return Err(op.error("reduces a tile that is stored, too; load it again"));
        }
        if !open.has_room_to_keep() {
            return Err(self.no_room_to_keep(op));
        }
        let block = open.close_folded(node, vec![reduction]);
        self.emit(Node::Block(block));
        self.folds += 1;
        self.define(op, Known::Kept(self.folds))
    }

    pub(super) fn no_room_to_keep(&self, op: Op) -> Reported {
        op.error(format!(
            "computes with more than {KEPT} tiles, beside which half of Dst has no room for what is kept of those that are reduced; compile with \
             fusion=none"
        ))
    }

    /// The block that was read last, if it keeps what has a number.
    fn last_fold(
        &mut self,
        op: Op<'a>,
        number: usize,
    ) -> Result<(&mut Block, Reduction), Reported> {
        let folds = self.folds;
        let last = self.nodes.last_mut().and_then(|nodes| nodes.last_mut());
        let Some(Node::Block(block)) = last.filter(|_| number == folds) else {
            return Err(gone(op));
        };
        let fold = block.fold.as_ref();
        let first = fold.and_then(|fold| fold.reductions.first().copied());
        let first = first.ok_or_else(|| gone(op))?;
        Ok((block, first))
    }

    /// What was kept before, and the tile that was reduced last.
    pub(super) fn combine(
        &mut self,
        op: Op<'a>,
        function: Binary,
        [before, value]: [usize; 2],
    ) -> Result<(), Reported> {
        let (block, first) = self.last_fold(op, value)?;
        let fits = before + 1 == value && first.reduce.step() == function;
        if !fits || block.go_on().is_none() {
            return Err(op.error(
                "combines tiles that were reduced otherwise than by what reduced them, one after the other, which is not lowered to Tensix",
            ));
        }
        self.define(op, Known::Kept(value))
    }

    /// The value of a vector program that reads what is kept.
    pub(super) fn kept(&mut self, op: Op<'a>, number: usize) -> Result<usize, Reported> {
        if number != self.folds {
            return Err(gone(op));
        }
        self.open_unstored(op, [1, 1])?;
        Ok(self.open_at(op)?.kept())
    }

    /// Reads a loop that carries what is kept.
    pub(super) fn loop_of_folds(&mut self, op: Op<'a>, header: Loop<Node>) -> Result<(), Reported> {
        self.close()?;
        let body = promised(op, op.body())?;
        let arguments = body.arguments();
        let begun = self.known(op, promised(op, op.operand(3))?)?;
        if !matches!(begun, Known::Kept(number) if number == self.folds) {
            return Err(gone(op));
        }
        self.values
            .insert(arguments[0], Known::Index(super::Expr::Var(header.var)));
        self.values.insert(arguments[1], begun);
        self.nodes.push(Vec::new());
        for op in body.ops() {
            self.op(op)?;
        }
        self.close()?;
        let end = promised(op, body.terminator())?;
        let left = self.operand(end, 0)?;
        if !matches!(left, Known::Kept(number) if number == self.folds) {
            return Err(end.error("carries something else than what is kept of the last tile"));
        }
        let body = self.nodes.pop().unwrap_or_default();
        self.emit(Node::Loop(Loop { body, ..header }));
        self.values.insert(promised(op, op.result(0))?, left);
        Ok(())
    }
}

fn gone(op: Op) -> Reported {
    op.error("reads what was kept of tiles before others were reduced; one such value is kept at a time: use it first")
}
