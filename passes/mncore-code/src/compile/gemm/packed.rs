//! Products whose row side is packed: converted to block floats once per chunk, before the loop
//! that multiplies ([`BlockFloatRows`]). This corresponds to the packing of operands in Goto and
//! van de Geijn, *Anatomy of high-performance matrix multiplication* (2008).

use super::arithmetic::Arithmetic;
use super::block_cost::{RowCost, CONVERSION_LATENCY};
use super::block_float_rows::{BlockFloatRows, Conversion, ROOM};
use super::chunked::Chunked;
use super::problem::{Blocking, Problem};
use super::product::ProductBuilder;
use super::strategy::ProductStrategy;
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::{L2BM_CYCLE, OWN_STEPS, TRANSFER};
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;

/// Steps between the loads and the stores of a row-side unit, beyond those themselves.
const TURNAROUND: u64 = 6;

/// The parameters of a packed product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    chunked: Chunked,
    /// Long words of the vectors from which the row side is converted.
    vector: u32,
}

impl Packed {
    /// Returns the plan with chunks whose block floats fit, if the precision can be converted in
    /// advance.
    pub fn new(blocking: &Blocking, arithmetic: Arithmetic) -> Option<Self> {
        if !arithmetic.converts_in_advance() {
            return None;
        }
        let distribution = &blocking.distribution;
        let square = distribution.span * distribution.span;
        let tile = arithmetic.tile_words(true);
        let words = |blocks: u32| distribution.tiles * blocks / square * tile;
        // The smallest number of blocks that fills whole cycles.
        let least = (L2BM_CYCLE / words(square)).max(1) * square;
        let most = ROOM / words(least) * least;
        if most == 0 {
            return None;
        }
        let depth = (distribution.k_blocks * distribution.chunks).next_multiple_of(least);
        let of_chunk = most.min(distribution.k_blocks.next_multiple_of(least));
        let chunks = depth.div_ceil(of_chunk);
        let k_blocks = depth.div_ceil(chunks).next_multiple_of(least);
        let sizes = if blocking.bf16.rows {
            [4, 2, 1]
        } else {
            [2, 2, 1]
        };
        let fits = |vector: &u32| words(k_blocks) % vector == 0;
        let vector = sizes
            .map(|cycles| cycles * L2BM_CYCLE)
            .into_iter()
            .find(fits)?;
        let distribution = Distribution {
            k_blocks,
            chunks,
            ..*distribution
        };
        Some(Packed {
            chunked: Chunked::new(Blocking {
                distribution,
                ..*blocking
            }),
            vector,
        })
    }

    /// Returns the variant that prefetches the next chunk of the column side, if it is legal.
    pub fn with_prefetch(&self) -> Option<Self> {
        let chunked = self.chunked.with_prefetch()?;
        Some(Packed { chunked, ..*self })
    }

    /// Returns the variant that stores results while the next block is multiplied, if it is legal.
    pub fn with_deferred_results(&self, problem: &Problem) -> Option<Self> {
        let chunked = self.chunked.with_deferred_results(problem, true)?;
        Some(Packed { chunked, ..*self })
    }
}

impl ProductStrategy for Packed {
    fn blocking(&self) -> &Blocking {
        &self.chunked.blocking
    }

    fn converts_in_advance(&self) -> bool {
        true
    }

    fn cost(&self, arithmetic: Arithmetic) -> u64 {
        let Blocking { distribution, bf16 } = self.blocking();
        let columns = self.chunked.column_cost(arithmetic);
        let all = u64::from(distribution.k_blocks) * u64::from(distribution.tiles);
        let all = if bf16.rows { all / 2 } else { all }.div_ceil(columns.sharers);
        let transfers = u64::from(self.vector / TRANSFER.0);
        let unit = transfers * OWN_STEPS / 2 * if bf16.rows { 1 } else { 2 };
        let each = transfers * if bf16.rows { 2 } else { 3 } + TURNAROUND;
        let rows = RowCost {
            all,
            first: all.min(2 * unit),
            is_split: false,
            prepare: Some(all / unit * each + CONVERSION_LATENCY),
        };
        self.chunked.cost(arithmetic, (columns, rows), true)
    }

    fn emit(&self, mut product: ProductBuilder) -> Result<Kernel, CompileError> {
        let side = product.row_side();
        let conversion = Conversion {
            vector: self.vector,
            pipeline: None,
        };
        let how = (product.arithmetic, conversion);
        let rows = BlockFloatRows::place(&mut product.arguments, self.blocking(), &side, how)?;
        self.chunked.emit(product, &rows)
    }
}
