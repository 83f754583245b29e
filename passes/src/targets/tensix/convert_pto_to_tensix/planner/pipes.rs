//! What a kernel with a tile of a cluster for itself pushes and pops.
//!
//! A tile that was popped is read where it lies, until it is freed. What is pushed is a result like
//! one that is stored. So the cores that push and pop follow the order of the kernel, each for
//! itself.

use super::super::block::{Known, Pending};
use super::super::plan::{Hold, Item, Node, Operand, Popped, Target};
use super::super::refusal::Refusal;
use super::elementwise::Packed;
use super::{tiles_of, At, Core, Planner};

impl<'g> Planner<'g> {
    /// Whether the kernel has a tile of a cluster for itself.
    pub(super) fn has_own_tile(&self) -> bool {
        matches!(self.core, Core::Tile(_))
    }

    pub(super) fn push(&mut self, at: At<'g>, pipe: usize) -> Result<(), Refusal> {
        let pipe = self.end(at, pipe)?;
        let tile = self.operand_tile(at, 0)?;
        if tile.valid != tile.shape() {
            return Err(at.refuse(
                "pushes a tile of which a part is valid, which is not lowered to Tensix; push whole tiles",
            ));
        }
        let Packed {
            source,
            element,
            relu,
        } = self.packed(at)?;
        let to_cube = self.pipes[pipe].peers == [0];
        if to_cube && self.open_at(at)?.is_dirty(source) {
            return Err(at.refuse(
                "pushes a tile whose padding may hold something else than zero to a cube kernel, where it would be added up; do not \
                 spread operands of what is pushed",
            ));
        }
        self.open_at(at)?.stores.push(Pending {
            source,
            to: Target::Pipe(pipe),
            element,
            relu,
            place: at.place(),
        });
        Ok(())
    }

    pub(super) fn pop(&mut self, at: At<'g>, pipe: usize) -> Result<(), Refusal> {
        let pipe = self.end(at, pipe)?;
        // What was computed before goes on its way: its pushes may be what the other side waits
        // for.
        if self
            .open
            .as_ref()
            .is_some_and(|open| !open.stores.is_empty())
        {
            self.close()?;
        }
        let tile = self.result_tile(at)?;
        let popped = Popped {
            number: self.popped.len(),
            pipe,
            shape: tiles_of(&tile),
            element: tile.element.into(),
            place: at.place(),
        };
        self.popped.insert(at.result()?, popped);
        self.hold(Hold::Pop(popped));
        self.define(at, Known::of_tiles(Operand::Popped(popped)))
    }

    pub(super) fn free(&mut self, at: At<'g>) -> Result<(), Refusal> {
        if !self.has_own_tile() {
            return Ok(());
        }
        let popped = self.popped.get(&at.operand(0)?).copied();
        let popped = at.expect(popped)?;
        self.hold(Hold::Free(Popped {
            place: at.place(),
            ..popped
        }));
        Ok(())
    }

    fn hold(&mut self, hold: Hold) {
        match &mut self.open {
            Some(open) => open.item(Item::Hold(hold)),
            None => self.emit(Node::Hold(hold)),
        }
    }

    /// The end that the kernel has of a pipe of the group.
    fn end(&self, at: At, pipe: usize) -> Result<usize, Refusal> {
        let mut numbers = self.pipe_numbers.iter();
        at.expect(numbers.position(|number| *number == pipe))
    }
}
