//! Moves between memory and the kernel.

use tessera_dialects::mlir::{Op, Reported, TensorType};
use tessera_dialects::pto;

use super::super::block::{Pending, Value as Known};
use super::super::plan::{Operand, Target, Tensor, Tiles};
use super::elementwise::Packed;
use super::{element, promised, Parser};
use crate::targets::tensix::system_desc;
use crate::ttnn::layout::TILE;

impl<'a> Parser<'_, 'a> {
    pub(super) fn load(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let tile = op.result(0).and_then(|result| pto::tile(result.r#type()));
        let tile = promised(op, tile)?;
        let tiles = self.tiles(op, 0, &tile.shape)?;
        let index = [&tiles.row, &tiles.column];
        let is_last = |axis: usize, extent: u32| {
            let of_many = axis == 0 && tiles.tensor.matrices > 1;
            of_many || index[axis].constant() == Some((extent / TILE as u32).into())
        };
        let fits = |(axis, extent): (usize, u32)| {
            let valid = tile.valid[axis];
            valid == tile.shape[axis] || u64::from(extent) % TILE == valid && is_last(axis, extent)
        };
        if !tiles.tensor.extents().into_iter().enumerate().all(fits) {
            return Err(op.error(
                "loads a tile of which more elements are the tensor's than are valid, or fewer; let those be valid that the tensor has there",
            ));
        }
        self.loaded.push((tiles.tensor.arg, op));
        self.define(op, Known::of_tiles(Operand::Memory(tiles)))
    }

    /// The rectangle of tiles that operands `first` (a tensor) to `first + 2` (row and column) name.
    fn tiles(&self, op: Op<'a>, first: usize, shape: &[u64]) -> Result<Tiles, Reported> {
        let memory = promised(op, op.operand(first))?;
        let Known::Argument(arg) = self.known(op, memory)? else {
            return promised(op, None);
        };
        let extent = memory.r#type().static_shape().unwrap_or_default();
        let (matrices, rows, columns) = match extent[..] {
            [rows, columns] => (1, rows, columns),
            [matrices, rows, columns] => (matrices, rows, columns),
            _ => return promised(op, None),
        };
        let element = element(op, "moves", memory.r#type().element_type())?;
        let sides = [matrices, rows.div_ceil(TILE), columns.div_ceil(TILE)];
        let bytes = sides
            .into_iter()
            .fold(element.tile_bytes().into(), u64::saturating_mul);
        let arch = system_desc::assumed_arch(op);
        let (banks, bank) = (arch.dram_banks(), arch.dram_bank_bytes());
        if bytes > bank * u64::from(banks) {
            return Err(op.error(format!(
                "moves tiles of '{}', but the DRAM of {arch} has only {banks} banks of {bank} bytes",
                memory.r#type()
            )));
        }
        // All of them fit now: a side of so few tiles.
        let tensor = Tensor {
            arg,
            matrices: matrices as u32,
            rows: rows as u32,
            columns: columns as u32,
            element,
        };
        Ok(Tiles {
            tensor,
            row: self.index(op, first + 1)?,
            column: self.index(op, first + 2)?,
            shape: [(shape[0] / TILE) as u32, (shape[1] / TILE) as u32],
        })
    }

    pub(super) fn store(&mut self, op: Op<'a>) -> Result<(), Reported> {
        let tile = op.operand(0).and_then(|tile| pto::tile(tile.r#type()));
        let tile = promised(op, tile)?;
        let to = self.tiles(op, 1, &tile.shape)?;
        let fits = |(axis, extent): (usize, u32)| {
            tile.valid[axis] == tile.shape[axis] || tile.valid[axis] == u64::from(extent)
        };
        if !to.tensor.extents().into_iter().enumerate().all(fits) {
            return Err(op.error(
                "stores a tile of which a part is valid to a tensor that has more elements there; packers write whole tiles, and zeros \
                 only beyond the tensor",
            ));
        }
        let Packed {
            source,
            element,
            relu,
        } = self.packed(op)?;
        self.stored.push((to.tensor.arg, op));
        let place = self.place(op);
        self.open_at(op)?.stores.push(Pending {
            source,
            to: Target::Memory(to),
            element,
            relu,
            place,
        });
        Ok(())
    }

    pub(super) fn loaded_tiles(&self, op: Op<'a>, operand: usize) -> Result<Operand, Reported> {
        match self.operand(op, operand)? {
            Known::Tiles(tiles) => Ok(tiles),
            Known::Wide(_) => Err(op.error(format!(
                "operand #{operand} is f32, of which the matrix unit reads 19 bits; it adds bf16 tiles, and multiplies them element by element, as they are loaded"
            ))),
            _ => Err(op.error(format!("operand #{operand} is no tile that was loaded"))),
        }
    }

    pub(super) fn check_memory(&self) -> Result<(), Reported> {
        for (arg, op) in &self.loaded {
            if self.stored.iter().any(|(stored, _)| stored == arg) {
                return Err(op.error(format!(
                    "loads from argument {arg}, which the kernel also stores to; nothing on a Tensix core orders the two"
                )));
            }
        }
        Ok(())
    }
}
