//! Loads and stores.

use super::super::block_builder::{PendingStore, SymbolicValue};
use super::super::plan::{Operand, Target, Tensor, TileRect};
use super::super::refusal::Refusal;
use super::super::tensor;
use super::elementwise::Packed;
use super::{tiles_of, OpRef, Planner};
use crate::ttnn::layout::TILE;

impl<'g> Planner<'g> {
    /// Plans a load, which emits no code: binds its result to the rectangle of tiles.
    ///
    /// # Errors
    /// The tile's valid part is not what the tensor has there.
    pub(super) fn load(&mut self, at: OpRef<'g>, tensor: usize) -> Result<(), Refusal> {
        let tile = self.result_tile(at)?;
        let tiles = self.tiles(at, tensor, 0, tiles_of(&tile))?;
        let index = [&tiles.row, &tiles.column];
        let is_last = |axis: usize, extent: u32| {
            let of_many = axis == 0 && tiles.tensor.matrices > 1;
            of_many || index[axis].constant() == Some((extent / TILE as u32).into())
        };
        let fits = |(axis, extent): (usize, u32)| {
            let valid = tile.valid[axis];
            valid == tile.shape()[axis] || extent % TILE as u32 == valid && is_last(axis, extent)
        };
        if !tiles.tensor.extents().into_iter().enumerate().all(fits) {
            return Err(at.refuse(
                "loads a tile whose valid part is not the part inside the tensor; declare exactly \
                 that part valid",
            ));
        }
        if let Some(argument) = tiles.tensor.argument() {
            self.loaded.push((argument, at.location()));
        }
        self.define(at, SymbolicValue::from_operand(Operand::Memory(tiles)))
    }

    /// Returns the rectangle of tiles at the row and column given by operands `first` and `first +
    /// 1`.
    fn tiles(
        &self,
        at: OpRef,
        tensor: usize,
        first: usize,
        shape: [u32; 2],
    ) -> Result<TileRect, Refusal> {
        Ok(TileRect {
            tensor: self.tensor(at, tensor)?,
            row: self.index(at, first)?,
            column: self.index(at, first + 1)?,
            shape,
        })
    }

    /// Returns tensor `number` of an operation's kernel.
    fn tensor(&self, at: OpRef, number: usize) -> Result<Tensor, Refusal> {
        match self.group.local_index(number) {
            None => tensor::resolve(self.group, number, (at.op, 0), self.arch),
            Some(local) => at.expect(self.locals.find(self.group, at.kernel, local)),
        }
    }

    /// Plans a store, which the packers perform at the end of the open block.
    ///
    /// # Errors
    /// The tile is partly valid, but the tensor has elements beyond the valid part.
    pub(super) fn store(&mut self, at: OpRef<'g>, tensor: usize) -> Result<(), Refusal> {
        let tile = self.operand_tile(at, 0)?;
        let to = self.tiles(at, tensor, 1, tiles_of(&tile))?;
        let fits = |(axis, extent): (usize, u32)| {
            tile.valid[axis] == tile.shape()[axis] || tile.valid[axis] == extent
        };
        if !to.tensor.extents().into_iter().enumerate().all(fits) {
            return Err(at.refuse(
                "stores a partially valid tile to a tensor with elements beyond the valid part; \
                 packers write whole tiles, and zeros only outside the tensor",
            ));
        }
        let Packed {
            source,
            element,
            relu,
        } = self.packed_operand(at)?;
        if let Some(argument) = to.tensor.argument() {
            self.stored.push((argument, at.location()));
        }
        self.open_block(at)?.stores.push(PendingStore {
            source,
            to: Target::Memory(to),
            element,
            relu,
            location: at.location(),
        });
        Ok(())
    }

    /// Returns the bf16 tiles, in memory or in a slot, that an operand is.
    pub(super) fn loaded_tiles(&self, at: OpRef, operand: usize) -> Result<Operand, Refusal> {
        match self.operand(at, operand)? {
            SymbolicValue::LoadedTiles(tiles) => Ok(tiles),
            SymbolicValue::WideTiles(_) => Err(at.refuse(format!(
                "operand #{operand} is f32, of which the matrix unit reads only 19 bits; its \
                 element-wise operations require loaded bf16 tiles"
            ))),
            _ => Err(at.refuse(format!("operand #{operand} is not a loaded tile"))),
        }
    }

    /// Checks that the kernel does not load a tensor that it stores: the cores that read and write
    /// DRAM are not synchronized with each other.
    pub(super) fn require_separate_memory(&self) -> Result<(), Refusal> {
        let is_stored = |arg: u16| self.stored.iter().any(|(stored, _)| *stored == arg);
        match self.loaded.iter().find(|(arg, _)| is_stored(*arg)) {
            Some((arg, location)) => Err(Refusal::for_op(
                *location,
                format!(
                    "loads from argument {arg}, to which the kernel also stores; a Tensix core \
                    does not order the two"
                ),
            )),
            None => Ok(()),
        }
    }
}
