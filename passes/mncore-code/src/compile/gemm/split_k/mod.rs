//! Split-K products: the depth is distributed over the chip, and partial sums are reduced on their
//! way out.
//!
//! | depth over | rows over | columns over | partial sums are reduced by |
//! |---|---|---|---|
//! | MABs, L1Bs | L2Bs | cycles | `l1bmr`, `l2bmr` |
//! | MABs, L1Bs, L2Bs | | cycles | `l1bmr`, `l2bmr`, `mvr` |
//!
//! If columns were distributed over MABs, a product with few columns would leave most MABs idle.
//! Here each operand element is loaded to one place only, except that L2Bs with their own rows all
//! get the column side.
//!
//! | file | holds |
//! |---|---|
//! | `rows.rs` | the row side: vectors, of which each MAB has its own part |
//! | `sums.rs` | the reduction of partial sums |

mod rows;
mod sums;

use super::arithmetic::Arithmetic;
use super::block_cost::{BlockCost, ColumnCost, RowCost};
use super::loop_levels::{ConcurrentStreams, LoopLevels};
use super::problem::{parts, Bf16Tensors, Blocking, Problem};
use super::product::{ProductBuilder, BUFFER};
use super::sharing::Sharing;
use super::strategy::ProductStrategy;
use super::timeline::{ResultCost, LONG_LOOP_OVERHEAD};
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::{CYCLES, L2BS, OWN_STEPS, ROW};
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::reduced_sums::reduced_words;
use crate::compile::data::tensor_use::Role;
use crate::compile::data::vector_layout::{SplitK, SumPadding, VectorLayout};
use crate::compile::elementwise::elements::Elements;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;
use crate::compile::stages::repeat;
use rows::SplitKRows;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::kernel::Stage;

/// Transfer steps of a vector to all L2Bs, and steps to distribute it to the L1BMs.
const VECTOR: u64 = 4 * OWN_STEPS;
const DISTRIBUTED: u64 = 8;
/// Latency of the reduction of partial sums, beyond their transfers.
const REDUCTION_LATENCY: u64 = 8;

/// The parameters of a split-K product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SplitKProduct {
    blocking: Blocking,
    /// The places over which the depth is distributed, besides time.
    split: SplitK,
}

impl SplitKProduct {
    /// Returns the plan with sums of `steps` column vectors and at most `max_tiles` row tiles, if
    /// it is legal: LM0 must hold the column side. Reduced sums do not fill whole cycles.
    pub fn new(problem: &Problem, (steps, split): (u32, SplitK), max_tiles: u32) -> Option<Self> {
        let Problem {
            extents,
            traits,
            arithmetic,
        } = problem;
        if traits.transfers_all_cycles || !arithmetic.supports_split_k() {
            return None;
        }
        let rows = if split.has_l2bs() { ROW } else { ROW * L2BS };
        let span = arithmetic.span();
        let tiles = extents.i.div_ceil(rows).next_power_of_two();
        let max_tiles = max_tiles.min(arithmetic.max_sums() / steps);
        let tiles = tiles.min(max_tiles).max(span);
        let k_blocks = extents.k.div_ceil(ROW * split.parts());
        let pair = if tiles == span && k_blocks > span {
            2 * span
        } else {
            span
        };
        let distribution = Distribution {
            matrices: extents.matrices,
            tiles,
            steps,
            cycles: extents.j.min(CYCLES),
            i_blocks: extents.i.div_ceil(rows * tiles),
            j_blocks: extents.j.div_ceil(CYCLES * steps),
            span,
            k_blocks: k_blocks.next_multiple_of(pair),
            ..Distribution::ONE
        };
        let bf16 = Bf16Tensors {
            result: false,
            ..traits.bf16
        };
        let fits = distribution.k_blocks * steps <= arithmetic.max_columns();
        fits.then_some(SplitKProduct {
            blocking: Blocking { distribution, bf16 },
            split,
        })
    }

    /// Returns what parts of the chip share.
    fn sharing(&self) -> Sharing {
        let in_time = Sharing::new(self.blocking.distribution.mapping);
        let l2bs = u64::from(L2BS);
        let (broadcast, parts) = match self.split {
            SplitK::L2bs => (None, [l2bs, l2bs]),
            SplitK::Mabs => (in_time.broadcast, in_time.parts),
        };
        Sharing {
            broadcast,
            parts,
            row_rates: [8 * 256, 256],
            ..in_time
        }
    }

    /// Returns the stages after the product, whose sums are reduced first.
    fn finish(
        &self,
        product: &mut ProductBuilder,
        around: &OuterLoops,
    ) -> Result<Vec<Stage>, CompileError> {
        let distribution = &self.blocking.distribution;
        let count = distribution.vectors();
        let results = product.results()?;
        let mut body = Body::new(&around.counts(distribution), &[1]);
        let sums = product.arithmetic.sum_places(&body, count, count);
        if results.vector_layout == VectorLayout::ReducedSums(self.split, SumPadding::Minimal) {
            sums::store_reduced(&mut body, &results, (BUFFER, around), &sums);
            product.set_lines(&mut body);
            let mut wait = Body::new(&body.outer, &[]);
            results.wait_for_previous_block(&mut wait, BUFFER, around, distribution);
            let wait = (!wait.items.is_empty()).then_some(Stage::Loop("wait", wait));
            let finish = Stage::Loop("finish", body);
            return Ok(wait.into_iter().chain([finish]).collect());
        }
        let sum = sums::reload_reduced(&mut body, self.split, &sums, results.words);
        product.set_lines(&mut body);
        let (roles, layout) = (product.sides.roles(Role::I, Role::J), results.vector_layout);
        let store = product.store;
        let mut elements = Elements::new(&mut product.arguments, *around, layout, roles, 1);
        elements.defer_stores(BUFFER);
        elements.store(&mut body, store, Some(&[sum]))?;
        Ok(elements.stages("finish", body))
    }
}

impl ProductStrategy for SplitKProduct {
    fn blocking(&self) -> &Blocking {
        &self.blocking
    }

    fn converts_in_advance(&self) -> bool {
        false
    }

    /// The row side comes as vectors, two per 8x8 tile or one of bf16, and partial sums are reduced
    /// before they are stored.
    fn cost(&self, arithmetic: Arithmetic) -> u64 {
        let Blocking { distribution, bf16 } = &self.blocking;
        let odd = distribution.k_blocks * distribution.steps % 2 == 1;
        let layout = (
            VectorLayout::SplitK(self.split),
            parts(bf16.columns && !odd),
        );
        let tiles = distribution.k_blocks * distribution.tiles;
        let multiply = arithmetic
            .steps(tiles.into(), distribution.steps.into(), false)
            .max(arithmetic.row_transfers(tiles.into(), false));
        let vectors = 2 * u64::from(tiles);
        // The ALU unpacks vectors and converts them to block floats.
        let parts = u64::from(self.blocking.row_parts());
        let alu = if parts > 1 { 2 * vectors } else { vectors };
        let vectors = vectors / parts;
        let words = u64::from(reduced_words(distribution, SumPadding::Minimal));
        let rows = vectors * VECTOR;
        let out = words / if self.split.has_l2bs() { 128 } else { 32 };
        let of = BlockCost {
            columns: ColumnCost::new(distribution, layout, false, arithmetic),
            rows: RowCost {
                all: rows,
                first: rows.min(7 * VECTOR),
                is_split: true,
                prepare: None,
            },
            multiply: multiply.max(vectors * DISTRIBUTED).max(alu),
            tail: DISTRIBUTED + LONG_LOOP_OVERHEAD,
            results: ResultCost {
                first_store: LONG_LOOP_OVERHEAD
                    + u64::from(distribution.vectors().div_ceil(2))
                    + words / 64
                    + REDUCTION_LATENCY,
                to_dram: [out, 0],
                ..ResultCost::new(&self.blocking, arithmetic)
            },
            prefetches_columns: false,
            defers_results: false,
        };
        of.steps(distribution)
    }

    fn emit(&self, mut product: ProductBuilder) -> Result<Kernel, CompileError> {
        let distribution = &self.blocking.distribution;
        // Reduced sums are stored as they are if nothing follows.
        let fill = if product.store.value == *product.product {
            SumPadding::Minimal
        } else {
            SumPadding::WholeCycles
        };
        product.columns_layout = VectorLayout::SplitK(self.split);
        product.results_layout = VectorLayout::ReducedSums(self.split, fill);
        let side = product.row_side();
        let how = (product.arithmetic, self.split);
        let rows = SplitKRows::place(&mut product.arguments, &self.blocking, &side, how)?;
        let around = OuterLoops::new(distribution, true, false);
        let levels = LoopLevels::new(distribution, &around, ConcurrentStreams::NONE);
        let mut block = vec![product.clear(&around)];
        let before = OuterLoops::new(distribution, false, false);
        let mut stages = product.load_columns(&before, &|body| rows.first(body))?;
        block.push(product.multiply(&rows, &levels, None, None));
        block.extend(rows.next(&around, distribution));
        block.extend(self.finish(&mut product, &around)?);
        stages.extend(repeat(distribution.i_blocks, block));
        let blocks = repeat(distribution.j_blocks, stages);
        let mut stages = repeat(distribution.matrices, blocks);
        stages.push(product.wait()?);
        product.kernel(stages, &self.sharing())
    }
}
