//! Products whose row side is streamed: every block of columns loads it again, tile by tile.

use super::arithmetic::Arithmetic;
use super::block_cost::RowCost;
use super::chunked::Chunked;
use super::loop_levels::{ConcurrentStreams, LoopLevels};
use super::problem::{Blocking, Problem};
use super::product::ProductBuilder;
use super::strategy::ProductStrategy;
use super::streamed_rows::{fetch_next, has_room, StreamedRows};
use crate::compile::data::distribution::Distribution;
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::streams::StreamBuffer;
use crate::compile::data::vectors::TensorVectors;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;
use crate::compile::scratchpad::COLUMN_STREAM;
use crate::compile::stages::repeat;
use crate::raise::ExprKind;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Test};
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

/// The stream buffer of a column side that is fetched ahead.
const COLUMNS: StreamBuffer = StreamBuffer::wide(COLUMN_STREAM);

/// The position of a product among those of a kernel of several stages.
pub(crate) struct ProductPosition<'p> {
    /// Whether it is the first product.
    pub is_first: bool,
    /// If it is the last product: the row side of the first one, unless that is this one, too.
    pub is_last: bool,
    pub first: Option<&'p RowsOfStage>,
    /// Whether the column side of the next block is fetched before this one is complete. No other
    /// stage may then stream operands.
    pub fetches_ahead: bool,
}

/// The row side of a product that is a stage of a kernel.
pub(crate) struct RowsOfStage {
    rows: StreamedRows,
    levels: LoopLevels,
}

/// The loops of a product that is a stage of a kernel.
pub(crate) struct ProductStages {
    /// The loop that fetches the first tiles. It may follow the previous product at once.
    pub fetch: Option<Stage>,
    /// The loops of a block.
    pub stages: Vec<Stage>,
    /// The loop that fetches the column side of the next block, if this is done ahead.
    pub next: Option<Stage>,
    pub rows: RowsOfStage,
}

impl ProductBuilder<'_> {
    /// Builds the loops of a product that is a stage of a kernel, for a block of matrices and
    /// columns.
    ///
    /// The first tiles are fetched as soon as no other product needs their buffers: those of a
    /// block of rows before the results of the previous one are stored, and those of the first
    /// product before the results of the previous block of matrices or columns are.
    pub fn stage(&mut self, position: &ProductPosition) -> Result<ProductStages, CompileError> {
        let distribution = self.distribution;
        self.arguments.set_distribution(distribution);
        let (before, around) = (
            OuterLoops::new(&distribution, false, false),
            OuterLoops::new(&distribution, true, false),
        );
        let of_rows = self.rows_of_stage(&around)?;
        let RowsOfStage { rows, levels } = &of_rows;
        let fetched = match position.fetches_ahead {
            true => self.fetched_columns()?,
            false => None,
        };
        let buffer = fetched.as_ref().map(|_| COLUMNS);
        let mut fetch = Some(rows.of_stage(levels, (&before, &distribution), position.is_first));
        let mut stages = Vec::new();
        let mut next = None;
        if let Some(vectors) = &fetched {
            let [own, later] = fetch_columns(vectors, &before, &distribution);
            stages.extend(own);
            stages.extend(fetch.take_if(|_| position.is_first));
            next = later;
        }
        stages.extend(self.load_columns_through(&before, &|_| {}, buffer)?);
        stages.extend(fetch.take_if(|_| position.is_first));
        let mut block = vec![self.clear(&around)];
        block.push(self.multiply(rows, levels, None, None));
        block.extend(rows.next_rows(levels, (&around, &distribution)));
        if position.is_last {
            let RowsOfStage { rows, levels } = position.first.unwrap_or(&of_rows);
            block.extend(rows.next_iteration(levels, (&around, &distribution)));
        }
        block.extend(self.finish(&around, None)?);
        stages.extend(repeat(distribution.i_blocks, block));
        Ok(ProductStages {
            fetch,
            stages,
            next,
            rows: of_rows,
        })
    }

    fn rows_of_stage(&mut self, around: &OuterLoops) -> Result<RowsOfStage, CompileError> {
        let (side, distribution) = (self.row_side(), self.distribution);
        let rows = StreamedRows::place(&mut self.arguments, &distribution, &side, self.arithmetic)?;
        let levels = LoopLevels::new(&distribution, around, ConcurrentStreams::NONE);
        Ok(RowsOfStage {
            rows: rows.for_stage(&levels),
            levels,
        })
    }

    /// Returns the column side if it is a tensor and the stream buffer of columns holds a block of
    /// it.
    fn fetched_columns(&mut self) -> Result<Option<TensorVectors>, CompileError> {
        let ExprKind::Tensor(tensor, _) = self.sides.columns.kind else {
            return Ok(None);
        };
        if self.arguments.local(tensor).is_some() {
            return Ok(None);
        }
        let (_, r#use) = self.column_tensor("the column side of a stage is a tensor")?;
        let layout = match r#use.has_own_matrices() {
            true => self.columns_layout,
            false => self.columns_layout.shared_by_matrices(),
        };
        let halves = self.columns_width() == 2;
        let vectors = self.arguments.place(tensor, &r#use, layout, halves)?;
        let fits = vectors.count <= COLUMNS.slots() && !vectors.is_resident;
        Ok(fits.then_some(vectors))
    }
}

/// Returns the loops that fetch the column side of the first block, and of the next one, if there
/// is one.
fn fetch_columns(
    vectors: &TensorVectors,
    around: &OuterLoops,
    distribution: &Distribution,
) -> [Option<Stage>; 2] {
    let counts = around.counts(distribution);
    let mut first = Body::new(&counts, &[]);
    let test = Test::Is(0);
    let guard = |dimension| Guard { dimension, test };
    let is_first: Vec<Guard> = (0..counts.len()).map(guard).collect();
    vectors.fetch_block(&mut first, COLUMNS, &Address::fixed(0), &is_first);
    let fetch = |body: &mut Body, block: &Address, when: &[Guard]| {
        vectors.fetch_block(body, COLUMNS, block, when);
    };
    let next = fetch_next(around, distribution, &vectors.loops(around), &fetch);
    [Some(Stage::Loop("fetch", first)), next]
}
