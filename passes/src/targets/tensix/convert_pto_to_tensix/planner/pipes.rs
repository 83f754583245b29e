//! Pushes and pops of a kernel with a cluster tile of its own.
//!
//! A popped tile is read in its slot until it is freed. A push is a result like a store. The
//! pushing core and the popping core therefore each follow the kernel's order independently.

use super::super::block_builder::{PendingStore, SymbolicValue};
use super::super::plan::{BlockItem, Node, Operand, PoppedTile, SlotEvent, Target};
use super::super::refusal::Refusal;
use super::elementwise::Packed;
use super::{tiles_of, CoreAssignment, OpRef, Planner};

impl<'g> Planner<'g> {
    /// Returns whether the kernel has a cluster tile of its own.
    pub(super) fn has_own_tile(&self) -> bool {
        matches!(self.core, CoreAssignment::Tile(_))
    }

    /// Plans a push, which is performed like a store at the end of the open block.
    pub(super) fn push(&mut self, at: OpRef<'g>, pipe: usize) -> Result<(), Refusal> {
        let pipe = self.pipe_end_index(at, pipe)?;
        let tile = self.operand_tile(at, 0)?;
        if tile.valid != tile.shape() {
            return Err(at.refuse(
                "pushes a partially valid tile, which is not lowered to Tensix; push whole tiles",
            ));
        }
        let Packed {
            source,
            element,
            relu,
        } = self.packed_operand(at)?;
        let to_cube = self.pipes[pipe].peers == [0];
        if to_cube && self.open_block(at)?.is_dirty(source) {
            return Err(at.refuse(
                "pushes a tile whose padding may be nonzero to a cube kernel, which would \
                 accumulate it; do not broadcast operands of pushed values",
            ));
        }
        self.open_block(at)?.stores.push(PendingStore {
            source,
            to: Target::Pipe(pipe),
            element,
            relu,
            location: at.location(),
        });
        Ok(())
    }

    /// Plans a pop. Completes the open block first if it has stores.
    pub(super) fn pop(&mut self, at: OpRef<'g>, pipe: usize) -> Result<(), Refusal> {
        let pipe = self.pipe_end_index(at, pipe)?;
        // Complete earlier results first: the other side may wait for their pushes.
        if self
            .open
            .as_ref()
            .is_some_and(|open| !open.stores.is_empty())
        {
            self.close_block()?;
        }
        let tile = self.result_tile(at)?;
        let popped = PoppedTile {
            number: self.popped.len(),
            pipe,
            shape: tiles_of(&tile),
            element: tile.element.into(),
            location: at.location(),
        };
        self.popped.insert(at.result()?, popped);
        self.push_slot_event(SlotEvent::Pop(popped));
        self.define(at, SymbolicValue::from_operand(Operand::Popped(popped)))
    }

    /// Plans a free. Kernels that share a core have nothing to free: the slots are halves of Dst.
    pub(super) fn free(&mut self, at: OpRef<'g>) -> Result<(), Refusal> {
        if !self.has_own_tile() {
            return Ok(());
        }
        let popped = self.popped.get(&at.operand(0)?).copied();
        let popped = at.expect(popped)?;
        self.push_slot_event(SlotEvent::Free(PoppedTile {
            location: at.location(),
            ..popped
        }));
        Ok(())
    }

    fn push_slot_event(&mut self, slot_event: SlotEvent) {
        match &mut self.open {
            Some(open) => open.push_item(BlockItem::SlotEvent(slot_event)),
            None => self.push_node(Node::SlotEvent(slot_event)),
        }
    }

    /// Returns the index, in the plan's pipes, of the kernel's end of pipe `pipe` of the group.
    fn pipe_end_index(&self, at: OpRef, pipe: usize) -> Result<usize, Refusal> {
        let mut numbers = self.pipe_numbers.iter();
        at.expect(numbers.position(|number| *number == pipe))
    }
}
