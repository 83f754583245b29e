//! What a kernel with a tile of a cluster for itself pushes and pops.
//!
//! A tile that was popped is read where it lies, until it is freed. What is pushed is a result like one that is stored. So
//! the cores that push and pop follow the order of the kernel, each for itself.

use tessera_dialects::mlir::{Op, Reported};
use tessera_dialects::pto;

use super::super::block::{Pending, Value as Known};
use super::super::expr::Expr;
use super::super::plan::{Hold, Item, Node, Operand, Popped, Target};
use super::elementwise::Packed;
use super::{element, promised, Parser};
use crate::ttnn::layout::TILE;

impl<'a> Parser<'_, 'a> {
    pub(super) fn initialize(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let Some(member) = self.member else {
            return Ok(());
        };
        for (number, end) in op.results().into_iter().enumerate() {
            let place = self.place(op);
            let pipe = member.pipe(op, number, end, place)?;
            self.pipes.push(pipe);
            self.values.insert(end, Known::Pipe(self.pipes.len() - 1));
        }
        Ok(())
    }

    /// The number of this tile among those that share a pipe's tiles.
    pub(super) fn part(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let part = self.member.and_then(|member| member.part());
        let part = part.ok_or_else(|| {
            op.error("is not lowered to Tensix in a kernel that does not have a tile of a cluster for itself")
        })?;
        self.define(op, Known::Index(Expr::Constant(part.into())))
    }

    pub(super) fn push(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let pipe = self.pipe(op, 1)?;
        let tile = op.operand(0).and_then(|tile| pto::tile(tile.r#type()));
        if tile.is_some_and(|tile| tile.valid != tile.shape) {
            return Err(op.error(
                "pushes a tile of which a part is valid, which is not lowered to Tensix; push whole tiles",
            ));
        }
        let Packed {
            source,
            element,
            relu,
        } = self.packed(op)?;
        let to_cube = self.pipes[pipe].peers == [0];
        if to_cube && self.open_at(op)?.is_dirty(source) {
            return Err(op.error(
                "pushes a tile whose padding may hold something else than zero to a cube kernel, where it would be added up; do not \
                 spread operands of what is pushed",
            ));
        }
        let place = self.place(op);
        self.open_at(op)?.stores.push(Pending {
            source,
            to: Target::Pipe(pipe),
            element,
            relu,
            place,
        });
        Ok(())
    }

    pub(super) fn pop(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let pipe = self.pipe(op, 0)?;
        // What was computed before goes on its way: its pushes may be what the other side waits for.
        if self
            .open
            .as_ref()
            .is_some_and(|open| !open.stores.is_empty())
        {
            self.close()?;
        }
        let tile = op.result(0).and_then(|result| pto::tile(result.r#type()));
        let tile = promised(op, tile)?;
        let element = element(op, "pops", Some(tile.element))?;
        let popped = Popped {
            number: self.popped.len(),
            pipe,
            shape: [(tile.shape[0] / TILE) as u32, (tile.shape[1] / TILE) as u32],
            element,
            place: self.place(op),
        };
        self.popped
            .extend(op.result(0).map(|result| (result, popped)));
        self.hold(Hold::Pop(popped));
        self.define(op, Known::of_tiles(Operand::Popped(popped)))
    }

    pub(super) fn free(&mut self, op: Op<'a>) -> Result<(), Reported> {
        if self.member.is_none() {
            return Ok(());
        }
        let popped = op
            .operand(0)
            .and_then(|tile| self.popped.get(&tile))
            .copied();
        let popped = promised(op, popped)?;
        let place = self.place(op);
        self.hold(Hold::Free(Popped { place, ..popped }));
        Ok(())
    }

    fn hold(&mut self, hold: Hold) {
        match &mut self.open {
            Some(open) => open.item(Item::Hold(hold)),
            None => self.emit(Node::Hold(hold)),
        }
    }

    fn pipe(&self, op: Op<'a>, operand: usize) -> Result<usize, Reported> {
        match self.operand(op, operand)? {
            Known::Pipe(pipe) => Ok(pipe),
            _ => promised(op, None),
        }
    }
}
