//! Products in blocks of results and chunks of the depth: what is common to streamed and packed
//! products.
//!
//! The column side of a chunk is in LM0 as block floats. If the depth has one chunk, it stays for
//! all blocks of rows. If it has several, the next one can be loaded while one is multiplied
//! ([`ColumnPrefetch`]). Results can be stored while the next block is multiplied
//! ([`DeferredStore`]).

use tessera_isa_mncore::memory::Bank;

use super::arithmetic::Arithmetic;
use super::block_cost::{BlockCost, ColumnCost, RowCost};
use super::deferred_store::{results_per_chunk, up_at_once, DeferredStore, BUFFER, TURNAROUND};
use super::loop_levels::{min_divisor_from, ConcurrentStreams, LoopLevels};
use super::operand_prefetch::ColumnPrefetch;
use super::problem::{parts, Blocking, Problem};
use super::product::ProductBuilder;
use super::row_side::ChunkedRows;
use super::sharing::Sharing;
use super::timeline::ResultCost;
use crate::compile::data::geometry::VECTOR_WORDS;
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::tensor_use::Role;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;
use crate::compile::stages::repeat;
use tessera_mncore_ir::kernel::Stage;

/// The parameters of a product in chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunked {
    pub blocking: Blocking,
    /// Whether the column side of the next chunk is loaded while one is multiplied.
    prefetches_columns: bool,
    /// If results are stored while the next block is multiplied: pairs of row tiles whose transfers
    /// to L1BM are batched, so that other transfers find time.
    deferred: Option<u32>,
}

impl Chunked {
    /// Creates the parameters of loops that load and store nothing while they multiply.
    pub fn new(blocking: Blocking) -> Self {
        Chunked {
            blocking,
            prefetches_columns: false,
            deferred: None,
        }
    }

    /// Returns the variant that prefetches the next chunk of the column side, if LM1 and time allow
    /// it. Loading a vector takes the time of a pair of tiles.
    pub fn with_prefetch(&self) -> Option<Self> {
        let chunked = Chunked {
            prefetches_columns: true,
            ..*self
        };
        let distribution = &self.blocking.distribution;
        let has_time = distribution.tiles >= 2 * distribution.span * chunked.groups();
        let landed = chunked.prefetched_lm1_vectors() * VECTOR_WORDS;
        let has_room = landed <= u32::from(Bank::Lm1.words());
        (distribution.chunks > 1 && has_time && has_room).then_some(chunked)
    }

    /// Returns the variant that stores results while the next block is multiplied, if there is one
    /// and LM1 and time allow it. `is_packed` tells whether tiles are block floats already.
    pub fn with_deferred_results(&self, problem: &Problem, is_packed: bool) -> Option<Self> {
        let (distribution, arithmetic) = (&self.blocking.distribution, problem.arithmetic);
        let tiles = 2 * distribution.span * distribution.span;
        let length = arithmetic.steps(tiles.into(), distribution.steps.into(), is_packed) as u32;
        let rows = arithmetic.row_transfers(tiles.into(), is_packed) as u32;
        let period = self.transfer_period(length, rows)?;
        let put_down = match distribution.chunks {
            1 => 0,
            _ => self.prefetched_lm1_vectors() + self.blocking.results(),
        };
        let room = u32::from(Bank::Lm1.words()) / VECTOR_WORDS;
        let residents = problem.traits.max_residents * distribution.steps;
        let possible = distribution.blocks() > 1 && put_down + residents <= room;
        possible.then_some(Chunked {
            deferred: Some(period),
            ..*self
        })
    }

    /// Returns the smallest number of pairs whose transfers are batched so that those of results
    /// find idle steps; `None` if they never do. An iteration takes `length` steps, `rows` of which
    /// load tiles.
    fn transfer_period(&self, length: u32, rows: u32) -> Option<u32> {
        let distribution = &self.blocking.distribution;
        let leaving = results_per_chunk(self.blocking.results(), distribution.chunks);
        if leaving > BUFFER.l1bm_slots() || leaving > distribution.turns() {
            return None;
        }
        let transfers = distribution.columns_layout().transfers(distribution.cycles);
        let slot = distribution.turns() / min_divisor_from(distribution.turns(), leaving)
            * distribution.tile_pairs();
        let brought = if self.prefetches_columns {
            (transfers * self.groups()).div_ceil(distribution.tile_pairs())
        } else {
            0
        };
        let fits = |period: &u32| {
            let up = up_at_once(transfers, slot, *period);
            let down = period * (rows + brought);
            distribution.tile_pairs() / self.groups() % period == 0
                && up.is_some_and(|up| down + up + TURNAROUND <= period * length)
        };
        [1, 2, 4, 8].into_iter().find(fits)
    }

    /// Returns how many column vectors are packed into one in DRAM. A prefetched column side needs
    /// at least one packed vector per turn.
    fn column_parts(&self) -> u32 {
        let Blocking { distribution, bf16 } = &self.blocking;
        let alone = self.prefetches_columns && distribution.span * distribution.steps == 1;
        parts(bf16.columns && !alone)
    }

    /// Returns the column vectors that are loaded in a turn.
    fn groups(&self) -> u32 {
        let distribution = &self.blocking.distribution;
        if self.prefetches_columns {
            distribution.span * distribution.steps / self.column_parts()
        } else {
            1
        }
    }

    /// Returns the vectors of LM1 that the prefetched column side of a chunk takes.
    fn prefetched_lm1_vectors(&self) -> u32 {
        let distribution = &self.blocking.distribution;
        if self.prefetches_columns {
            distribution.k_blocks * distribution.steps / self.column_parts()
        } else {
            0
        }
    }

    /// Returns the costs of a chunk's column side.
    pub fn column_cost(&self, arithmetic: Arithmetic) -> ColumnCost {
        let distribution = &self.blocking.distribution;
        let layout = (distribution.columns_layout(), self.column_parts());
        ColumnCost::new(distribution, layout, self.prefetches_columns, arithmetic)
    }

    /// Returns the estimated steps of all loops. `is_packed` tells whether tiles are block floats
    /// already.
    pub fn cost(
        &self,
        arithmetic: Arithmetic,
        (columns, rows): (ColumnCost, RowCost),
        is_packed: bool,
    ) -> u64 {
        let distribution = &self.blocking.distribution;
        let [tiles, steps, cycles] = [
            distribution.k_blocks * distribution.tiles,
            distribution.steps,
            distribution.cycles,
        ]
        .map(u64::from);
        let beside = if self.prefetches_columns {
            columns.count * 2 * cycles
        } else {
            0
        };
        let l2bm = arithmetic.row_transfers(tiles, is_packed) + beside;
        let of = BlockCost {
            columns,
            rows,
            multiply: arithmetic.steps(tiles, steps, is_packed).max(l2bm),
            tail: 0,
            results: ResultCost::new(&self.blocking, arithmetic),
            prefetches_columns: self.prefetches_columns,
            defers_results: self.deferred.is_some(),
        };
        of.steps(distribution)
    }

    /// Builds the kernel, given its row side.
    pub fn emit(
        &self,
        mut product: ProductBuilder,
        rows: &dyn ChunkedRows,
    ) -> Result<Kernel, CompileError> {
        let distribution = &self.blocking.distribution;
        let around = OuterLoops::new(distribution, true, true);
        let finish_around = OuterLoops::new(distribution, true, false);
        let deferred = self.deferred_store(&mut product)?;
        let beside = ConcurrentStreams {
            results: deferred
                .as_ref()
                .map_or(0, DeferredStore::results_per_chunk),
            columns: self.groups(),
            period: self.deferred.unwrap_or(1),
        };
        let levels = LoopLevels::new(distribution, &around, beside);
        let BlockStages {
            first,
            columns: mut blocks,
            mut block,
        } = self.blocks(&mut product, rows, &levels, deferred.as_ref())?;
        block.extend(product.finish(&finish_around, deferred.as_ref())?);
        if let Some(deferred) = &deferred {
            block.push(deferred.wait(&finish_around, distribution));
        }
        blocks.extend(repeat(distribution.i_blocks, block));
        let blocks = repeat(distribution.matrices, repeat(distribution.j_blocks, blocks));
        let mut stages: Vec<Stage> = first.into_iter().chain(blocks).collect();
        match &deferred {
            Some(deferred) => stages.extend(deferred.store_last_block(distribution)),
            None => stages.push(product.wait()?),
        }
        product.kernel(stages, &Sharing::new(distribution.mapping))
    }

    /// Returns the deferred store, if results are stored while the next block is multiplied.
    fn deferred_store(
        &self,
        product: &mut ProductBuilder,
    ) -> Result<Option<DeferredStore>, CompileError> {
        match self.deferred {
            None => Ok(None),
            Some(_) => {
                let chunks = self.blocking.distribution.chunks;
                let lm1_vectors = self.prefetched_lm1_vectors();
                product.deferred_store((chunks, lm1_vectors)).map(Some)
            }
        }
    }

    /// Returns the stages up to the results.
    fn blocks(
        &self,
        product: &mut ProductBuilder,
        rows: &dyn ChunkedRows,
        levels: &LoopLevels,
        deferred: Option<&DeferredStore>,
    ) -> Result<BlockStages, CompileError> {
        let distribution = &self.blocking.distribution;
        let location = product.product.location;
        let stages = rows.stages(levels, distribution, (product.arithmetic, location));
        let to_l1bm = deferred.and_then(|one| one.move_to_l1bm(&levels.outer, distribution));
        let finish_around = OuterLoops::new(distribution, true, false);
        let mut columns = Vec::new();
        let mut block = vec![product.clear(&finish_around)];
        if self.prefetches_columns {
            let prefetch = self.column_prefetch(product)?;
            block.extend(prefetch.load_first_chunk(&finish_around, distribution));
            block.extend(stages.before_block);
            block.push(prefetch.fetch_second_chunk(&finish_around, distribution));
            let mut chunk = vec![product.convert_columns(&prefetch, &levels.outer)?];
            chunk.extend(to_l1bm);
            chunk.extend(stages.of_chunk);
            chunk.push(product.multiply(rows, levels, Some(&prefetch), deferred));
            block.extend(repeat(distribution.chunks, chunk));
        } else {
            // With one chunk, the column side stays for all blocks of rows.
            let once = distribution.chunks == 1;
            let column_loops = OuterLoops::new(distribution, !once, !once);
            let loaded = product.load_columns(&column_loops, &|_| {})?;
            block.extend(stages.before_block);
            let multiply = product.multiply(rows, levels, None, deferred);
            if once {
                columns = loaded;
                block.extend(stages.of_chunk);
                block.push(multiply);
            } else {
                let chunk = loaded.into_iter().chain(to_l1bm);
                let chunk = chunk.chain(stages.of_chunk).chain([multiply]);
                block.extend(repeat(distribution.chunks, chunk.collect()));
            }
        }
        block.extend(stages.of_block);
        Ok(BlockStages {
            first: stages.first,
            columns,
            block,
        })
    }

    /// Returns the prefetched column side.
    fn column_prefetch(
        &self,
        product: &mut ProductBuilder,
    ) -> Result<ColumnPrefetch, CompileError> {
        ColumnPrefetch::new(
            &mut product.arguments,
            product.sides.columns,
            product.sides.roles(Role::K, Role::J),
            &self.blocking.distribution,
            self.column_parts() == 2,
        )
    }
}

/// The stages of a product up to its results.
struct BlockStages {
    /// Before all loops.
    first: Option<Stage>,
    /// Before all blocks of rows: those that load the column side for all of these.
    columns: Vec<Stage>,
    /// Of each block of rows.
    block: Vec<Stage>,
}
