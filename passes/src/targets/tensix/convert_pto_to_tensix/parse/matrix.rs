//! Steps of the matrix unit, and the accumulators that they change.

use tessera_dialects::mlir::{Op, Reported, Scalar, ScalarType, Value};
use tessera_dialects::pto;

use super::super::block::{Open, Value as Known};
use super::super::plan::{
    Broadcast, Element, Elementwise, Item, Math, Operand, Spread, SrcA, Step,
};
use super::{promised, Parser};
use crate::ttnn::layout::TILE;

impl<'a> Parser<'_, 'a> {
    pub(super) fn matmul(
        &mut self,
        op: Op<'a>,
        accumulator: Option<usize>,
    ) -> Result<(), Reported> {
        let first = usize::from(accumulator.is_some());
        let (lhs, rhs) = (self.factor(op, first)?, self.factor(op, first + 1)?);
        if lhs.element() != rhs.element() {
            return Err(op.error(
                "multiplies tiles of f32 by tiles of bf16, which is not lowered to Tensix; cast one factor",
            ));
        }
        if lhs.shape()[1] != 1 {
            return Err(op.error(format!(
                "multiplies factors of {} tiles along their common dimension; step through it by {TILE}",
                lhs.shape()[1]
            )));
        }
        let shape = [lhs.shape()[0], rhs.shape()[1]];
        // The left factor goes to SrcB, the right one to SrcA (rulings 1.4).
        self.step(op, accumulator, Math::Matmul, SrcA::Tiles(rhs), lhs, shape)
    }

    /// The tiles of a factor, as they were loaded. Those of f32 are cut to TF32 on their way.
    fn factor(&self, op: Op<'a>, operand: usize) -> Result<Operand, Reported> {
        let tile = op
            .operand(operand)
            .and_then(|tile| pto::tile(tile.r#type()));
        let is_float = tile.is_some_and(|tile| tile.element.scalar() == Some(Scalar::F32));
        match self.operand(op, operand)? {
            Known::Wide(tiles) if is_float && tiles.element() == Element::F32 => Ok(tiles),
            _ => self.loaded_tiles(op, operand),
        }
    }

    /// An element-wise operation of the matrix unit.
    pub(super) fn elementwise(
        &mut self,
        op: Op<'a>,
        elementwise: Elementwise,
        broadcast: Broadcast,
    ) -> Result<(), Reported> {
        let right = self.loaded_tiles(op, 1)?;
        let shape = self.shape(op)?;
        let left = self.operand(op, 0)?;
        let accumulate = matches!(left, Known::Accumulator { .. } | Known::Wide(_));
        let math = Math::Elementwise {
            op: elementwise,
            broadcast,
            accumulate,
        };
        if !accumulate {
            let left = self.loaded_tiles(op, 0)?;
            return self.step(op, None, math, SrcA::Tiles(left), right, shape);
        }
        if elementwise == Elementwise::Multiply {
            return Err(op.error(
                "of an accumulator is not what the matrix unit does; use unit = #pto.unit<sfpu>",
            ));
        }
        if let Known::Wide(tiles) = left {
            let number = self.bring(op, tiles, Broadcast::None)?;
            let current = self.open_at(op)?.current(number);
            self.values.insert(promised(op, op.operand(0))?, current);
        }
        self.step(op, Some(0), math, SrcA::Zero, right, shape)
    }

    /// A step that begins an accumulator, or changes the one that an operand is.
    fn step(
        &mut self,
        op: Op<'a>,
        accumulator: Option<usize>,
        math: Math,
        srca: SrcA,
        srcb: Operand,
        shape: [u32; 2],
    ) -> Result<(), Reported> {
        let place = self.place(op);
        let number = match accumulator {
            None => self.begin(op, shape)?,
            Some(operand) => self.accumulator(op, promised(op, op.operand(operand))?)?,
        };
        if self.open_at(op)?.is_frozen(number) {
            return Err(op.error(
                "changes an accumulator that the vector unit or the packers read, which begin when all products are done",
            ));
        }
        let spreads =
            matches!(math, Math::Elementwise { broadcast, .. } if broadcast != Broadcast::None);
        let is_popped = |operand: &Operand| matches!(operand, Operand::Popped(_));
        let pops = is_popped(&srcb) || matches!(&srca, SrcA::Tiles(tiles) if is_popped(tiles));
        let open = self.open_at(op)?;
        // Nobody knows what the padding of a tile holds that was popped.
        let dst = open.change(number, spreads || pops);
        open.item(Item::Step(Step {
            math,
            srca,
            srcb: Some(srcb),
            dst,
            shape,
            place,
        }));
        let current = open.current(number);
        self.define(op, current)
    }

    /// Opens a block if none is open that has not stored anything yet.
    pub(super) fn open_unstored(&mut self, op: Op<'a>, shape: [u32; 2]) -> Result<(), Reported> {
        let stored = |open: &Open| !open.stores.is_empty();
        if self.open.as_ref().is_some_and(stored) {
            self.close()?;
        }
        if self.open.is_none() {
            self.blocks += 1;
            let place = self.place(op);
            self.open = Some(Open::new(self.blocks, op, shape, place));
        }
        Ok(())
    }

    /// Begins a value of Dst, in the open block or in a new one.
    fn begin(&mut self, op: Op<'a>, shape: [u32; 2]) -> Result<usize, Reported> {
        self.open_unstored(op, shape)?;
        let number = self.open_at(op)?.begin(op, shape)?;
        if self.folds > 0 && !self.open_at(op)?.has_room_to_keep() {
            return Err(self.no_room_to_keep(op));
        }
        Ok(number)
    }

    /// Brings tiles of memory to Dst, spread as told.
    pub(super) fn bring(
        &mut self,
        op: Op<'a>,
        tiles: Operand,
        broadcast: Broadcast,
    ) -> Result<usize, Reported> {
        let shape = self.shape(op)?;
        let number = self.begin(op, shape)?;
        let place = self.place(op);
        let is_popped = matches!(tiles, Operand::Popped(_));
        let (math, srca, srcb) = if tiles.element() == Element::F32 {
            if broadcast != Broadcast::None && shape != [1, 1] {
                let [rows, columns] = shape;
                return Err(op.error(format!(
                    "spreads tiles that were popped or loaded with 32 bits over {rows}x{columns} tiles; the vector unit spreads a tile over itself: \
                     use block=1x1"
                )));
            }
            (Math::Unpack, SrcA::Tiles(tiles), None)
        } else {
            // A sum with zero, which is exact. MOVA2D would want another format of SrcA than products do.
            let math = Math::Elementwise {
                op: Elementwise::Add,
                broadcast,
                accumulate: false,
            };
            (math, SrcA::Zero, Some(tiles))
        };
        let open = self.open_at(op)?;
        let dst = open.change(number, broadcast != Broadcast::None || is_popped);
        let spread = match broadcast {
            _ if math != Math::Unpack => None,
            Broadcast::None => None,
            Broadcast::Row => Some(Spread::Row),
            Broadcast::Column => Some(Spread::Column),
            Broadcast::Scalar => Some(Spread::Scalar),
        };
        if let Some(spread) = spread {
            open.spread(dst, spread);
        }
        open.item(Item::Step(Step {
            math,
            srca,
            srcb,
            dst,
            shape,
            place,
        }));
        Ok(number)
    }

    /// The number of the accumulator that a value is now.
    pub(super) fn accumulator(&mut self, op: Op<'a>, value: Value<'a>) -> Result<usize, Reported> {
        match self.known(op, value)? {
            Known::Accumulator {
                block,
                number,
                version,
            } => {
                self.require_open(op, block)?;
                if self.open_at(op)?.is_current(number, version) {
                    return Ok(number);
                }
                Err(op.error(
                    "reads an accumulator that was changed or stored since; its values are used once",
                ))
            }
            _ => Err(op.error("changes what is no accumulator of the matrix unit")),
        }
    }
}
