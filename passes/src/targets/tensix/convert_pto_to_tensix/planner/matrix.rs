//! Steps of the matrix unit and the accumulators that they update.

use tessera_pto::kernel::{Element as PtoElement, Value};

use super::super::block_builder::{BlockBuilder, SymbolicValue};
use super::super::plan::{
    BlockItem, Broadcast, Element, Elementwise, Math, Operand, SrcA, Step, TileBroadcast,
};
use super::super::refusal::Refusal;
use super::reduction::no_room_for_reduction;
use super::{OpRef, Planner};
use crate::ttnn::layout::TILE;

impl<'g> Planner<'g> {
    /// Plans a product. `accumulator` is the number of the operand that it is added to; the factors
    /// are the operands after that one.
    pub(super) fn matmul(
        &mut self,
        at: OpRef<'g>,
        accumulator: Option<usize>,
    ) -> Result<(), Refusal> {
        let first = usize::from(accumulator.is_some());
        let (lhs, rhs) = (self.factor(at, first)?, self.factor(at, first + 1)?);
        if lhs.element() != rhs.element() {
            return Err(at.refuse(
                "multiplies f32 tiles by bf16 tiles, which is not lowered to Tensix; cast one \
                 factor",
            ));
        }
        if lhs.shape()[1] != 1 {
            return Err(at.refuse(format!(
                "multiplies factors with {} tiles along the contracted dimension; iterate over it \
                 in steps of {TILE}",
                lhs.shape()[1]
            )));
        }
        let shape = [lhs.shape()[0], rhs.shape()[1]];
        // The left factor goes to SrcB (unpacker 1), the right one to SrcA (unpacker 0): MVMUL
        // computes SrcB @ SrcA. At low fidelity the two are not interchangeable, as the phases take
        // different mantissa bits of each.
        self.add_step(at, accumulator, Math::Matmul, SrcA::Tiles(rhs), lhs, shape)
    }

    /// Returns the loaded tiles of a factor. The unpackers truncate f32 factors to TF32.
    fn factor(&self, at: OpRef, operand: usize) -> Result<Operand, Refusal> {
        let is_float = self.operand_tile(at, operand)?.element == PtoElement::F32;
        match self.operand(at, operand)? {
            SymbolicValue::WideTiles(tiles) if is_float && tiles.element() == Element::F32 => {
                Ok(tiles)
            }
            _ => self.loaded_tiles(at, operand),
        }
    }

    /// Plans an element-wise operation of the matrix unit. The right operand is a loaded bf16 tile.
    /// If the left one is a value of Dst, or becomes one, it is updated in place.
    pub(super) fn elementwise(
        &mut self,
        at: OpRef<'g>,
        elementwise: Elementwise,
        broadcast: Broadcast,
    ) -> Result<(), Refusal> {
        let right = self.loaded_tiles(at, 1)?;
        let shape = self.shape(at)?;
        let left = self.operand(at, 0)?;
        let accumulate = matches!(
            left,
            SymbolicValue::Accumulator { .. } | SymbolicValue::WideTiles(_)
        );
        let math = Math::Elementwise {
            op: elementwise,
            broadcast,
            accumulate,
        };
        if !accumulate {
            let left = self.loaded_tiles(at, 0)?;
            return self.add_step(at, None, math, SrcA::Tiles(left), right, shape);
        }
        if elementwise == Elementwise::Multiply {
            return Err(at.refuse(
                "of an accumulator is not supported by the matrix unit; use unit = #pto.unit<sfpu>",
            ));
        }
        if let SymbolicValue::WideTiles(tiles) = left {
            let number = self.load_to_dst(at, tiles, Broadcast::None)?;
            let current = self.open_block(at)?.current(number);
            self.bind(at, at.operand(0)?, current);
        }
        self.add_step(at, Some(0), math, SrcA::Zero, right, shape)
    }

    /// Adds a step that starts a new accumulator, or updates the one that operand `accumulator` is.
    fn add_step(
        &mut self,
        at: OpRef<'g>,
        accumulator: Option<usize>,
        math: Math,
        srca: SrcA,
        srcb: Operand,
        shape: [u32; 2],
    ) -> Result<(), Refusal> {
        let number = match accumulator {
            None => self.begin_value(at, shape)?,
            Some(operand) => self.accumulator(at, at.operand(operand)?)?,
        };
        if self.open_block(at)?.is_frozen(number) {
            return Err(at.refuse(
                "updates an accumulator that the vector unit or the packers read; they start after \
                 all products",
            ));
        }
        let broadcasts =
            matches!(math, Math::Elementwise { broadcast, .. } if broadcast != Broadcast::None);
        let is_clean = srcb.has_zero_padding()
            && !matches!(&srca, SrcA::Tiles(tiles) if !tiles.has_zero_padding());
        let open = self.open_block(at)?;
        let dst = open.record_change(number, broadcasts || !is_clean);
        open.push_item(BlockItem::Step(Step {
            math,
            srca,
            srcb: Some(srcb),
            dst,
            shape,
            location: at.location(),
        }));
        let current = open.current(number);
        self.define(at, current)
    }

    /// Ensures that an open block without stores exists. A new one holds values of `shape`.
    pub(super) fn open_unstored(&mut self, at: OpRef<'g>, shape: [u32; 2]) -> Result<(), Refusal> {
        let stored = |open: &BlockBuilder| !open.stores.is_empty();
        if self.open.as_ref().is_some_and(stored) {
            self.close_block()?;
        }
        if self.open.is_none() {
            self.blocks += 1;
            self.open = Some(BlockBuilder::new(self.blocks, shape, at.location()));
        }
        Ok(())
    }

    /// Allocates a value of Dst, in the open block or in a new one.
    fn begin_value(&mut self, at: OpRef<'g>, shape: [u32; 2]) -> Result<usize, Refusal> {
        self.open_unstored(at, shape)?;
        let number = self.open_block(at)?.begin_value(at.location(), shape)?;
        let open = self.open_block(at)?;
        if open.reads_reduction() && !open.has_room_for_reduction() {
            return Err(no_room_for_reduction(at));
        }
        Ok(number)
    }

    /// Brings loaded or popped tiles to Dst with the requested broadcast. bf16 tiles take an
    /// addition of zero; 32-bit tiles are unpacked directly and broadcast by the vector unit.
    /// Returns the accumulator.
    pub(super) fn load_to_dst(
        &mut self,
        at: OpRef<'g>,
        tiles: Operand,
        broadcast: Broadcast,
    ) -> Result<usize, Refusal> {
        let shape = self.shape(at)?;
        let number = self.begin_value(at, shape)?;
        let is_clean = broadcast == Broadcast::None && tiles.has_zero_padding();
        let (math, srca, srcb) = if tiles.element() == Element::F32 {
            require_one_tile(at, broadcast, shape)?;
            (Math::Unpack, SrcA::Tiles(tiles), None)
        } else {
            // Add zero, which is exact. MOVA2D would require another SrcA format than products.
            let math = Math::Elementwise {
                op: Elementwise::Add,
                broadcast,
                accumulate: false,
            };
            (math, SrcA::Zero, Some(tiles))
        };
        let open = self.open_block(at)?;
        let dst = open.record_change(number, !is_clean);
        if let (Math::Unpack, Some(broadcast)) = (math, tile_broadcast(broadcast)) {
            open.broadcast_tile(dst, broadcast);
        }
        open.push_item(BlockItem::Step(Step {
            math,
            srca,
            srcb,
            dst,
            shape,
            location: at.location(),
        }));
        Ok(number)
    }

    /// Returns the accumulator whose current version a value is.
    pub(super) fn accumulator(&mut self, at: OpRef<'g>, value: Value) -> Result<usize, Refusal> {
        match self.symbolic_value(at, value)? {
            SymbolicValue::Accumulator {
                block,
                number,
                version,
            } => {
                self.require_open(at, block)?;
                if self.open_block(at)?.is_current(number, version) {
                    return Ok(number);
                }
                Err(at.refuse(
                    "reads an accumulator value that was since updated or stored; each value can \
                     be used once",
                ))
            }
            _ => Err(at.refuse("updates a value that is not an accumulator of the matrix unit")),
        }
    }
}

/// Checks that a broadcast 32-bit operand is a single tile, as the vector unit broadcasts within
/// one tile of Dst.
fn require_one_tile(at: OpRef, broadcast: Broadcast, shape: [u32; 2]) -> Result<(), Refusal> {
    if broadcast == Broadcast::None || shape == [1, 1] {
        return Ok(());
    }
    let [rows, columns] = shape;
    Err(at.refuse(format!(
        "broadcasts 32-bit tiles that were popped or loaded to {rows}x{columns} tiles; the vector \
         unit broadcasts only within a tile, use block=1x1"
    )))
}

/// Converts to the broadcasts of the vector unit.
fn tile_broadcast(broadcast: Broadcast) -> Option<TileBroadcast> {
    match broadcast {
        Broadcast::None => None,
        Broadcast::Row => Some(TileBroadcast::Row),
        Broadcast::Column => Some(TileBroadcast::Column),
        Broadcast::Scalar => Some(TileBroadcast::Scalar),
    }
}
