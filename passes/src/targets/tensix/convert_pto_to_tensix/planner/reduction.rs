//! Reductions of rows and columns, tile by tile.
//!
//! Reducing a tile ends its block. The block folds the reduced tile into a running value, which has
//! a tile of Dst of its own ([`REDUCTION_TILE`]); the block of the next tile combines with it
//! there. There is one running value at a time, so it must be read before the next reduction
//! begins, and before a block has so many values that one of them takes that tile.

use tessera_ops::{Binary, Reduce};
use tessera_pto::kernel::Region;
use tessera_pto::target::Unit;
use tessera_tensix_code::reduce::Reduction;

use super::super::block_builder::SymbolicValue;
use super::super::plan::{Block, Broadcast, Loop, Node, REDUCTION_TILE};
use super::super::refusal::{Refusal, Subject};
use super::elementwise::require_unit;
use super::{OpRef, Planner};

impl<'g> Planner<'g> {
    /// Plans the reduction of a tile along an axis: ends the block with a fold that starts a
    /// running value, or lets the last fold reduce along a second axis. [`Self::combine`] makes a
    /// fold continue the running value before.
    pub(super) fn reduce(
        &mut self,
        at: OpRef<'g>,
        reduce: Reduce,
        axis: usize,
    ) -> Result<(), Refusal> {
        require_unit(at, Unit::Sfpu)?;
        let tile = self.operand_tile(at, 0)?;
        let reduction = Reduction {
            reduce,
            integer: tile.element.is_integer(),
            axis,
            valid: tile.valid[axis],
        };
        if let SymbolicValue::Reduced(number) = self.operand(at, 0)? {
            // The second axis: the reduced rows are reduced to one element.
            let (block, _) = self.last_fold(at, number)?;
            let fold = block.fold.iter_mut();
            fold.for_each(|fold| fold.reductions.push(reduction));
            return self.define(at, SymbolicValue::Reduced(number));
        }
        let node = self.vector_operand(at, 0, Broadcast::None)?;
        let open = at.expect(self.open.take())?;
        if !open.stores.is_empty() {
            return Err(at.refuse("reduces a tile that is also stored; load it again"));
        }
        if !open.has_room_for_reduction() {
            return Err(no_room_for_reduction(at));
        }
        let block = open.close_folded(node, vec![reduction]);
        self.push_node(Node::Block(block));
        self.folds += 1;
        self.define(at, SymbolicValue::Reduced(self.folds))
    }

    /// Returns the last block and its first reduction.
    ///
    /// # Errors
    /// `number` is not the current running value, or the last node is not a block with a fold.
    fn last_fold(&mut self, at: OpRef, number: usize) -> Result<(&mut Block, Reduction), Refusal> {
        let is_live = self.is_live(number);
        let last = self.nodes.last_mut().and_then(|nodes| nodes.last_mut());
        let Some(Node::Block(block)) = last.filter(|_| is_live) else {
            return Err(overwritten_reduction(at));
        };
        let fold = block.fold.as_ref();
        let first = fold.and_then(|fold| fold.reductions.first().copied());
        let first = first.ok_or_else(|| overwritten_reduction(at))?;
        Ok((block, first))
    }

    /// Plans the combination of the running value `before` with `value`, the tile that was reduced
    /// last: makes the fold of that tile's block accumulate.
    ///
    /// # Errors
    /// They are not the last two values, or `function` is not the one that reduced them.
    pub(super) fn combine(
        &mut self,
        at: OpRef<'g>,
        function: Binary,
        [before, value]: [usize; 2],
    ) -> Result<(), Refusal> {
        if before <= self.overwritten {
            return Err(overwritten_reduction(at));
        }
        let (block, first) = self.last_fold(at, value)?;
        let fits = before + 1 == value && first.reduce.step() == function;
        if !fits || block.accumulate().is_none() {
            return Err(at.refuse(
                "combines reduced tiles with another function or in another order than the \
                 reduction, which is not lowered to Tensix",
            ));
        }
        self.define(at, SymbolicValue::Reduced(value))
    }

    /// Returns a new node of the vector program that reads the running value, in a block without
    /// stores.
    pub(super) fn reduced_operand(
        &mut self,
        at: OpRef<'g>,
        number: usize,
    ) -> Result<usize, Refusal> {
        self.open_unstored(at, [1, 1])?;
        if !self.is_live(number) {
            return Err(overwritten_reduction(at));
        }
        let open = self.open_block(at)?;
        if !open.has_room_for_reduction() {
            return Err(no_room_for_reduction(at));
        }
        Ok(open.reduced_node())
    }

    /// Plans a loop whose iteration argument is a running reduction.
    pub(super) fn loop_of_folds(
        &mut self,
        at: OpRef<'g>,
        body: &'g Region,
        header: Loop<Node>,
    ) -> Result<(), Refusal> {
        self.close_block()?;
        let begun = self.operand(at, 3)?;
        if !self.is_last_fold(&begun) {
            return Err(overwritten_reduction(at));
        }
        self.bind_induction_variable(at, body, &header)?;
        self.bind(at, at.expect(body.arguments.get(1).copied())?, begun);
        self.nodes.push(Vec::new());
        let mut ops = at.region_ops(body);
        while let Some(inner) = ops.take_first() {
            self.plan_op(inner)?;
        }
        self.close_block()?;
        let left = self.symbolic_value(at, at.expect(body.yields.first().copied())?)?;
        if !self.is_last_fold(&left) {
            return Err(Refusal::new(
                Subject::Yield(at.location()),
                "carries a value other than the last running reduction",
            ));
        }
        let body = self.nodes.pop().unwrap_or_default();
        self.push_node(Node::Loop(Loop { body, ..header }));
        self.define(at, left)
    }

    /// Returns whether a value is the current running value.
    fn is_last_fold(&self, known: &SymbolicValue) -> bool {
        matches!(known, SymbolicValue::Reduced(number) if self.is_live(*number))
    }

    /// Returns whether the reduction tile holds this version of the running value.
    fn is_live(&self, version: usize) -> bool {
        version == self.folds && version > self.overwritten
    }
}

fn overwritten_reduction(at: OpRef) -> Refusal {
    at.refuse(
        "reads a running reduction that a later reduction overwrote, or a value in its tile of Dst; \
         only one is live at a time, use it first",
    )
}

pub(super) fn no_room_for_reduction(at: OpRef) -> Refusal {
    at.refuse(format!(
        "computes with more than {REDUCTION_TILE} tiles, which leaves no room in half of Dst for a \
         running reduction; compile with fusion=none"
    ))
}
