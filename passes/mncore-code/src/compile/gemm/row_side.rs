//! The row side of a product in one of its three forms.

use super::arithmetic::Arithmetic;
use super::block_float_rows::BlockFloatRows;
use super::loop_levels::LoopLevels;
use super::split_k::rows::SplitKRows;
use super::streamed_rows::{Side, StreamedRows};
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::Distribution;
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::error::CompileError;
use crate::compile::stages::line;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::kernel::Stage;

/// How the row side is loaded.
pub(crate) enum RowSide {
    /// Streamed tile by tile.
    Tiles(StreamedRows),
    /// Converted to block floats in advance.
    Converted(BlockFloatRows),
    /// Vector by vector, each MAB with its own part: split-K.
    Vectors(SplitKRows),
}

/// The stages that load it, apart from the items within the loop that multiplies.
pub(crate) struct RowStages {
    /// Before all loops.
    pub first: Option<Stage>,
    /// Before the chunks of a block.
    pub before_block: Option<Stage>,
    /// Before the multiplication of each chunk.
    pub of_chunk: Vec<Stage>,
    /// After the last chunk of a block.
    pub of_block: Option<Stage>,
}

impl RowSide {
    /// Places the tensor.
    pub fn place(
        arguments: &mut Arguments,
        distribution: &Distribution,
        side: &Side,
        arithmetic: Arithmetic,
    ) -> Result<Self, CompileError> {
        if let Some(split) = distribution.split_k {
            let how = (arithmetic, split);
            let vectors = SplitKRows::place(arguments, distribution, side, how)?;
            return Ok(RowSide::Vectors(vectors));
        }
        Ok(match distribution.prepared {
            None => RowSide::Tiles(StreamedRows::place(
                arguments,
                distribution,
                side,
                arithmetic,
            )?),
            Some(vector) => {
                let how = (arithmetic, vector);
                RowSide::Converted(BlockFloatRows::place(arguments, distribution, side, how)?)
            }
        })
    }

    /// Returns the stages that load it. `location` is that of the product.
    pub fn stages(
        &self,
        levels: &LoopLevels,
        distribution: &Distribution,
        (arithmetic, location): (Arithmetic, usize),
    ) -> RowStages {
        let outer = &levels.outer;
        match self {
            RowSide::Tiles(rows) => {
                let around = OuterLoops::new(distribution, true, false);
                RowStages {
                    first: None,
                    before_block: Some(rows.first(levels, &around, distribution)),
                    of_chunk: Vec::new(),
                    of_block: rows.next(levels, &around, distribution),
                }
            }
            RowSide::Vectors(rows) => {
                let around = OuterLoops::new(distribution, true, false);
                RowStages {
                    first: None,
                    before_block: None,
                    of_chunk: Vec::new(),
                    of_block: rows.next(&around, distribution),
                }
            }
            RowSide::Converted(rows) => {
                let mut prepare = rows.build_conversion_loop(outer, distribution, arithmetic);
                for item in &mut prepare.items {
                    item.line = line(location);
                }
                let prepare = Stage::Loop("prepare", prepare);
                let next = rows.next(outer, distribution);
                RowStages {
                    first: Some(rows.first()),
                    before_block: None,
                    of_chunk: [prepare].into_iter().chain(next).collect(),
                    of_block: None,
                }
            }
        }
    }

    /// Emits the first MV instructions within the loop that loads the column side.
    pub fn prefetch_beside_columns(&self, body: &mut Body) {
        if let RowSide::Vectors(rows) = self {
            rows.first(body);
        }
    }

    /// Emits the items that load a pair of tiles to L1BM; returns their address there.
    pub fn load_pair(&self, body: &mut Body, levels: &LoopLevels) -> Address {
        match self {
            RowSide::Tiles(rows) => rows.load_pair(body, levels),
            RowSide::Converted(rows) => rows.load_tile_pair(body, levels),
            RowSide::Vectors(rows) => rows.load_tile_pair(body, levels),
        }
    }
}
