//! The cost of a product in blocks of results and chunks of the depth.

use super::arithmetic::Arithmetic;
use super::operand_prefetch::prefetch_distance;
use super::timeline::{ResultCost, Timeline, LONG_LOOP_OVERHEAD, SHORT_LOOP_OVERHEAD};
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::{OWN_STEPS, SAME_STEPS};
use crate::compile::data::vector_layout::VectorLayout;

/// Transfer steps of the row side's first tiles.
const FIRST_TILES: u64 = 32;
/// Latency of converting the row side, beyond its iterations.
pub(crate) const CONVERSION_LATENCY: u64 = 20;

/// The costs of a chunk's column side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnCost {
    /// Transfers and steps to load it, and steps to convert it if it is prefetched.
    load: [u64; 2],
    convert: u64,
    /// Transfer steps of one vector, and of those of the next chunk but one that are issued while a
    /// chunk is loaded.
    vector: u64,
    early: u64,
    /// Vectors in DRAM.
    pub count: u64,
    /// L2Bs that share a tile of the row side.
    pub sharers: u64,
}

impl ColumnCost {
    /// Returns the costs in a layout, with `parts` vectors packed into one in DRAM.
    pub fn new(
        distribution: &Distribution,
        (layout, parts): (VectorLayout, u32),
        is_prefetched: bool,
        arithmetic: Arithmetic,
    ) -> Self {
        let [blocks, steps, cycles, parts] = [
            distribution.k_blocks,
            distribution.steps,
            distribution.cycles,
            parts,
        ]
        .map(u64::from);
        let vectors = blocks * steps;
        let count = vectors / parts;
        let (of_cycle, sharers) = match layout.is_same() {
            true => (SAME_STEPS, 1),
            false => (OWN_STEPS, 4),
        };
        // Steps to unpack two column vectors from one.
        let unpack = if parts > 1 { vectors } else { 0 };
        let early = match is_prefetched {
            true => prefetch_distance(distribution, count as u32),
            false => 0,
        };
        ColumnCost {
            load: [count * cycles * of_cycle, count * (2 * cycles).max(2)],
            convert: arithmetic.conversion_steps(vectors, parts) + unpack,
            vector: cycles * of_cycle,
            early: cycles * of_cycle * u64::from(early),
            count,
            sharers,
        }
    }
}

/// The costs of a chunk's row side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowCost {
    /// Transfer steps, and those of the part issued before the chunk starts.
    pub all: u64,
    pub first: u64,
    /// Whether it comes as vectors, which are needed completely.
    pub is_split: bool,
    /// Steps to convert it, if that is done in advance.
    pub prepare: Option<u64>,
}

/// The costs of each part of a block, or of one of its chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockCost {
    pub columns: ColumnCost,
    pub rows: RowCost,
    pub multiply: u64,
    /// Steps from the last tile to the last product.
    pub tail: u64,
    pub results: ResultCost,
    /// Whether the column side of the next chunk is loaded while one is multiplied.
    pub prefetches_columns: bool,
    /// Whether results are stored while the next block is multiplied.
    pub defers_results: bool,
}

impl BlockCost {
    /// Returns the estimated steps of all loops.
    pub fn steps(&self, distribution: &Distribution) -> u64 {
        let mut timeline = Timeline::default();
        let once = !self.prefetches_columns && distribution.chunks == 1;
        let mut first = true;
        if self.rows.prepare.is_some() {
            timeline.fetch_rows(&self.rows);
        }
        timeline.repeat(
            distribution.matrices * distribution.j_blocks,
            &mut |timeline| {
                if once {
                    timeline.load_columns(&self.columns);
                }
                timeline.repeat(distribution.i_blocks, &mut |timeline| {
                    let beside = self.defers_results && !std::mem::take(&mut first);
                    timeline.run_block(distribution, self, beside);
                });
            },
        );
        if self.defers_results {
            timeline.store_results(&self.results);
        }
        timeline.end()
    }
}

impl Timeline {
    /// Loads the column side of a chunk.
    fn load_columns(&mut self, of: &ColumnCost) {
        let [transfers, steps] = of.load;
        // The last vector is distributed after its arrival.
        self.run_overlapped(steps, transfers, 0);
        self.steps += SHORT_LOOP_OVERHEAD + 2 * of.vector / SAME_STEPS;
    }

    /// Issues the first row-side transfers of a chunk that is converted in advance.
    fn fetch_rows(&mut self, of: &RowCost) {
        self.issue_transfers(of.first);
        self.rows = self.transfers;
    }

    /// Converts the row side and issues the first transfers of the next chunk.
    fn convert_rows(&mut self, of: &RowCost, steps: u64) {
        self.steps = self.steps.max(self.rows) + steps;
        if of.all > of.first {
            self.issue_transfers(of.all - of.first);
            self.steps = self.steps.max(self.transfers + CONVERSION_LATENCY);
        }
        self.fetch_rows(of);
    }

    /// Issues the first tile transfers of a block (for later blocks, before the results of the
    /// previous one) and waits until the product cannot starve.
    fn fetch_tiles(&mut self, of: &RowCost, multiply: u64) {
        if self.rows == 0 {
            self.rows = self.transfers.max(self.steps) + FIRST_TILES.min(of.first);
        }
        self.issue_transfers(of.first);
        self.steps = self.steps.max(self.rows);
        if of.all > of.first || of.is_split {
            let lasts = multiply * of.first / of.all;
            self.steps = self.steps.max(self.transfers.saturating_sub(lasts));
        }
    }

    /// Runs a block up to its results.
    fn run_block(&mut self, distribution: &Distribution, of: &BlockCost, beside: bool) {
        let (rows, columns) = (&of.rows, &of.columns);
        self.steps += of.results.clear;
        let stored = if beside {
            of.results.to_dram[0].div_ceil(distribution.chunks.into())
        } else {
            0
        };
        if of.prefetches_columns {
            self.load_columns(columns);
        }
        if rows.prepare.is_none() {
            self.fetch_tiles(rows, of.multiply);
        }
        // A chunk with this many chunks to follow.
        let chunk = |timeline: &mut Timeline, follow: u32| {
            let is_last = follow == 0;
            let mut brought = stored;
            let mut later = stored.min(2 * OWN_STEPS);
            if rows.prepare.is_none() {
                brought += rows.all - if is_last { rows.first } else { 0 };
                later += if follow > 1 { rows.first } else { 0 };
            }
            if of.prefetches_columns {
                timeline.steps += columns.convert + SHORT_LOOP_OVERHEAD;
                brought += if is_last { 0 } else { columns.load[0] };
                later += if follow > 1 { columns.early } else { 0 };
            } else if distribution.chunks > 1 {
                timeline.load_columns(columns);
            }
            if let Some(steps) = rows.prepare {
                timeline.convert_rows(rows, steps);
            }
            timeline.run_overlapped(of.multiply + LONG_LOOP_OVERHEAD, brought, later);
        };
        self.repeat(distribution.chunks.saturating_sub(2), &mut |timeline| {
            chunk(timeline, 2)
        });
        if distribution.chunks > 1 {
            chunk(self, 1);
        }
        chunk(self, 0);
        self.steps += of.tail;
        if of.defers_results {
            self.park_results(&of.results);
        } else {
            self.store_results(&of.results);
        }
    }
}
