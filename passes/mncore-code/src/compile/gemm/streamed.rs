//! Products whose row side is streamed: every block of columns loads it again, tile by tile.

use super::arithmetic::Arithmetic;
use super::block_cost::RowCost;
use super::chunked::Chunked;
use super::loop_levels::{ConcurrentStreams, LoopLevels};
use super::problem::{Blocking, Problem};
use super::product::ProductBuilder;
use super::strategy::ProductStrategy;
use super::streamed_rows::{has_room, StreamedRows};
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;
use crate::compile::stages::repeat;
use tessera_mncore_ir::kernel::Stage;

/// Transfer steps of the row side that are issued before it is needed.
const FIRST_ROWS: u64 = 96;

/// The parameters of a streamed product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Streamed {
    chunked: Chunked,
}

impl Streamed {
    /// Returns the plan that loads and stores nothing while it multiplies, if L2BM holds its tiles.
    pub fn new(blocking: Blocking, arithmetic: Arithmetic) -> Option<Self> {
        has_room(&blocking.distribution, arithmetic).then_some(Streamed {
            chunked: Chunked::new(blocking),
        })
    }

    /// Returns the variant that prefetches the next chunk of the column side, if it is legal.
    pub fn with_prefetch(&self) -> Option<Self> {
        let chunked = self.chunked.with_prefetch()?;
        Some(Streamed { chunked })
    }

    /// Returns the variant that stores results while the next block is multiplied, if it is legal.
    pub fn with_deferred_results(&self, problem: &Problem) -> Option<Self> {
        let chunked = self.chunked.with_deferred_results(problem, false)?;
        Some(Streamed { chunked })
    }
}

impl ProductStrategy for Streamed {
    fn blocking(&self) -> &Blocking {
        &self.chunked.blocking
    }

    fn converts_in_advance(&self) -> bool {
        false
    }

    fn cost(&self, arithmetic: Arithmetic) -> u64 {
        let distribution = &self.blocking().distribution;
        let columns = self.chunked.column_cost(arithmetic);
        let all = u64::from(distribution.k_blocks) * u64::from(distribution.tiles);
        let all = all.div_ceil(columns.sharers);
        let rows = RowCost {
            all,
            first: FIRST_ROWS.div_ceil(columns.sharers).min(all),
            is_split: false,
            prepare: None,
        };
        self.chunked.cost(arithmetic, (columns, rows), false)
    }

    fn emit(&self, mut product: ProductBuilder) -> Result<Kernel, CompileError> {
        let distribution = &self.blocking().distribution;
        let (side, arithmetic) = (product.row_side(), product.arithmetic);
        let rows = StreamedRows::place(&mut product.arguments, distribution, &side, arithmetic)?;
        self.chunked.emit(product, &rows)
    }
}

impl ProductBuilder<'_> {
    /// Builds the loops of a product that is a stage of a kernel, for a block of matrices and
    /// columns.
    ///
    /// The first tiles are fetched as soon as no other product needs their buffers.
    pub fn stage(&mut self) -> Result<Vec<Stage>, CompileError> {
        let distribution = self.distribution;
        self.arguments.set_distribution(distribution);
        let side = self.row_side();
        let rows = StreamedRows::place(&mut self.arguments, &distribution, &side, self.arithmetic)?;
        let around = OuterLoops::new(&distribution, true, false);
        let levels = LoopLevels::new(&distribution, &around, ConcurrentStreams::NONE);
        let fetch = rows.of_block(&levels, &around, &distribution);
        let before = OuterLoops::new(&distribution, false, false);
        let columns = self.load_columns(&before, &|_| {})?;
        let mut block = vec![fetch, self.clear(&around)];
        block.push(self.multiply(&rows, &levels, None, None));
        block.extend(self.finish(&around, None)?);
        let blocks = repeat(distribution.i_blocks, block);
        Ok(columns.into_iter().chain(blocks).collect())
    }
}
