//! The row side of a product, in one of its three ways, and when its parts are done.

use super::arguments::Arguments;
use super::arithmetic::Arithmetic;
use super::prepare::Prepared;
use super::product::line;
use super::row_vectors::RowVectors;
use super::rows::{Rows, Side};
use super::shape::Shape;
use super::times::Times;
use super::vectors::Outer;
use super::CompileError;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::kernel::Stage;

/// The row side on its way.
pub(super) enum RowSide {
    /// Tile by tile.
    Tiles(Rows),
    /// Made block floats before.
    Prepared(Prepared),
    /// Vector by vector, of which each MAB has its own part.
    Vectors(RowVectors),
}

/// Stages that bring it, but for what is done while it is multiplied.
pub(super) struct RowStages {
    /// Before all loops.
    pub first: Option<Stage>,
    /// Before the chunks of a block.
    pub before_block: Option<Stage>,
    /// Before a chunk is multiplied.
    pub of_chunk: Vec<Stage>,
    /// Behind the last chunk of a block.
    pub of_block: Option<Stage>,
}

impl RowSide {
    /// Gives it a place.
    pub fn place(
        arguments: &mut Arguments,
        shape: &Shape,
        side: &Side,
        arithmetic: Arithmetic,
    ) -> Result<Self, CompileError> {
        if let Some(split) = shape.split {
            let how = (arithmetic, split);
            let vectors = RowVectors::place(arguments, shape, side, how)?;
            return Ok(RowSide::Vectors(vectors));
        }
        Ok(match shape.prepared {
            None => RowSide::Tiles(Rows::place(arguments, shape, side, arithmetic)?),
            Some(vector) => {
                let how = (arithmetic, vector);
                RowSide::Prepared(Prepared::place(arguments, shape, side, how)?)
            }
        })
    }

    /// What brings it, for the product at a place of the group.
    pub fn stages(
        &self,
        times: &Times,
        shape: &Shape,
        (arithmetic, location): (Arithmetic, usize),
    ) -> RowStages {
        let outer = &times.outer;
        match self {
            RowSide::Tiles(rows) => {
                let around = Outer::new(shape, true, false);
                RowStages {
                    first: None,
                    before_block: Some(rows.first(times, &around, shape)),
                    of_chunk: Vec::new(),
                    of_block: rows.next(times, &around, shape),
                }
            }
            RowSide::Vectors(rows) => {
                let around = Outer::new(shape, true, false);
                RowStages {
                    first: None,
                    before_block: None,
                    of_chunk: Vec::new(),
                    of_block: rows.next(&around, shape),
                }
            }
            RowSide::Prepared(rows) => {
                let mut prepare = rows.prepare(outer, shape, arithmetic);
                for item in &mut prepare.items {
                    item.line = line(location);
                }
                let prepare = Stage::Loop("prepare", prepare);
                let next = rows.next(outer, shape);
                RowStages {
                    first: Some(rows.first()),
                    before_block: None,
                    of_chunk: [prepare].into_iter().chain(next).collect(),
                    of_block: None,
                }
            }
        }
    }

    /// The items that issue the first transfers beside the column side.
    pub fn beside_columns(&self, body: &mut Body) {
        if let RowSide::Vectors(rows) = self {
            rows.first(body);
        }
    }

    /// The items that bring a pair of tiles to L1BM, where it lies at the address.
    pub fn bring(&self, body: &mut Body, times: &Times) -> Address {
        match self {
            RowSide::Tiles(rows) => rows.bring(body, times),
            RowSide::Prepared(rows) => rows.bring_pair(body, times),
            RowSide::Vectors(rows) => rows.bring_pair(body, times),
        }
    }
}
