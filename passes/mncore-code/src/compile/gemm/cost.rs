//! The cost model of a product: estimates the steps of a distribution.
//!
//! Instruction steps and MV transfers proceed in parallel. The model therefore advances a
//! [`Timeline`] of two resources through the loops of a product, in the order of issue. A loop that
//! waits for its transfers ends when both resources are done with it.

use super::arithmetic::Arithmetic;
use super::pipelined::product as pipelined_product;
use super::{block_float_rows, deferred_store, k_over_mabs, operand_prefetch};
use crate::compile::data::distribution::{Distribution, Mapping};
use crate::compile::data::geometry::{DOWN, L2BM_VECTOR, OWN_STEPS, SAME_STEPS, TRANSFER};
use crate::compile::data::reduced_sums::reduced_words;
use crate::compile::data::vector_layout::{SplitK, SumPadding};

/// Steps of prologue and epilogue, of short and of long loops.
const SHORT_LOOP_OVERHEAD: u64 = 3;
const LONG_LOOP_OVERHEAD: u64 = 10;
/// Steps to pack two result vectors into one bf16 vector.
const PACK_STEPS: u64 = 11;

/// Returns the estimated steps of all loops.
pub(crate) fn cost(distribution: &Distribution, arithmetic: Arithmetic) -> u64 {
    if let Some(turns) = distribution.pipelined {
        return pipelined_cost(distribution, turns, arithmetic);
    }
    if distribution.k_over_mabs {
        return k_over_mabs_cost(distribution, arithmetic);
    }
    let of = BlockCost::new(distribution, arithmetic);
    let mut timeline = Timeline::default();
    let once = !distribution.prefetches_columns && distribution.chunks == 1;
    let mut first = true;
    if of.prepare.is_some() {
        timeline.fetch_rows(&of);
    }
    timeline.repeat(
        distribution.matrices * distribution.j_blocks,
        &mut |timeline| {
            if once {
                timeline.load_columns(&of);
            }
            timeline.repeat(distribution.i_blocks, &mut |timeline| {
                let beside = distribution.defers_results && !std::mem::take(&mut first);
                timeline.run_block(distribution, &of, beside);
            });
        },
    );
    if distribution.defers_results {
        timeline.store_results(&of);
    }
    timeline.steps.max(timeline.transfers)
}

impl Distribution {
    /// Returns the utilisation of the matrix unit while tiles are loaded and multiplied, in
    /// thousandths of that with enough column vectors to hide the loading.
    pub fn utilization(&self, arithmetic: Arithmetic) -> u64 {
        let square = u64::from(self.span * self.span);
        let of_tile = |steps: u32| {
            arithmetic.steps(
                square,
                steps.into(),
                self.prepared.is_some() || self.k_over_mabs,
            )
        };
        // Enough vectors to hide the loading of the tile.
        const MANY: u32 = 64;
        1000 * of_tile(MANY) * u64::from(self.steps) / (of_tile(self.steps) * u64::from(MANY))
    }
}

/// Returns the steps of a pipelined product.
fn pipelined_cost(distribution: &Distribution, turns: u32, arithmetic: Arithmetic) -> u64 {
    let of = BlockCost::new(distribution, arithmetic);
    let flow = PipelineCost::new(distribution, turns, arithmetic, true);
    let mut timeline = Timeline {
        steps: CONSTANTS,
        ..Timeline::default()
    };
    timeline.issue_transfers(flow.unit);
    timeline.rows = timeline.transfers;
    if distribution.row_ordered > 0 {
        timeline.run_row_ordered(distribution, &of, &flow);
    } else if distribution.resident_columns {
        let later = PipelineCost::new(distribution, turns, arithmetic, false);
        timeline.run_pipelined_loop(&of, &flow);
        timeline.park_results(&of);
        timeline.repeat(distribution.blocks() - 2, &mut |timeline| {
            timeline.run_later_block(&of, &later);
            timeline.park_results(&of);
        });
        timeline.run_later_block(&of, &later);
        timeline.store_results(&of);
    } else {
        timeline.repeat(distribution.blocks(), &mut |timeline| {
            timeline.run_pipelined_block(&of, &flow)
        });
    }
    timeline.steps.max(timeline.transfers)
}

/// Returns the steps of a product whose depth is distributed over the MABs of an L1B.
fn k_over_mabs_cost(distribution: &Distribution, arithmetic: Arithmetic) -> u64 {
    let blocks = u64::from(distribution.j_blocks);
    let [own, leaving] = [
        k_over_mabs::column_vectors(distribution),
        k_over_mabs::stored_words(distribution),
    ]
    .map(u64::from);
    let rows = u64::from(k_over_mabs::row_vectors(distribution)) * OWN_STEPS / 2;
    let columns = u64::from(k_over_mabs::column_transfer_steps(distribution));
    let results = leaving * 8 / 32;
    let tiles = u64::from(distribution.tiles * distribution.k_blocks);
    let multiply = arithmetic.steps(tiles, distribution.steps.into(), true);
    let l2bm = own * u64::from(distribution.transfers()) + leaving / 32 + u64::from(UP_AND_DOWN);
    let interval = multiply.max(l2bm).max(columns);
    let pack = if distribution.bf16.result {
        2 * PACK_STEPS
    } else {
        0
    };
    let last = rows + blocks * interval + l2bm + multiply + pack + LONG_LOOP_OVERHEAD;
    (rows + blocks * (columns + results)).max(last + results)
}

/// The costs of a pipelined loop.
struct PipelineCost {
    iterations: u64,
    interval: u64,
    /// Steps of the products of an iteration, and the interval of an iteration that loads two
    /// column sides.
    multiply: u64,
    twice_columns: u64,
    /// Iterations of a split epilogue, the interval of the iterations before it (which convert two
    /// units), and those of its two passes.
    split_epilogue: u64,
    before: u64,
    halves: [u64; 2],
    /// Iterations in which a piece of the previous block's results is stored, if they are stored in
    /// pieces.
    pieces: u64,
    /// Transfer steps of a row-side unit, and of an iteration's column side.
    unit: u64,
    columns: u64,
    /// Transfer steps issued before the loop, and the steps to issue them.
    first: u64,
    fetch: u64,
}

impl PipelineCost {
    /// Returns the costs of a block, with or without loading its column side.
    fn new(
        distribution: &Distribution,
        turns: u32,
        arithmetic: Arithmetic,
        has_columns: bool,
    ) -> Self {
        let halves = distribution.bf16.rows;
        let (vectors, blocks) = arithmetic.unit(halves);
        let vector = distribution.prepared.unwrap_or_default();
        let tiles = turns * distribution.tiles / distribution.span;
        let columns = match has_columns {
            true => turns * distribution.span * distribution.steps / distribution.column_parts(),
            false => 0,
        };
        let of_vector = vector / TRANSFER.0;
        let own = distribution.row_tiles() / distribution.tiles;
        let kept = distribution.keeps_rows_in_l1bm();
        let down = if kept {
            0
        } else {
            tiles * own * arithmetic.tile_words(true) / DOWN
        };
        let besides = columns * distribution.transfers();
        let make = (vectors + if kept { 0 } else { blocks }) * of_vector;
        let l2bm = down + besides + make + UP_AND_DOWN;
        let tiles = u64::from(tiles);
        let (l1bm, transfers) = (tiles * arithmetic.transfers_of_tile(), columns + vectors);
        let l1bm = l1bm + u64::from(arithmetic.loads_per_vector() * transfers + blocks);
        let multiply = tiles * u64::from(distribution.steps.max(2));
        // While the matrix unit reads one of LM0 and LM1, the other can be written.
        let halves = if distribution.bf16.columns {
            let read = tiles * u64::from(distribution.steps);
            read / 2 + arithmetic.steps_of_halves(columns, !distribution.keeps_rows_in_l1bm())
        } else {
            0
        };
        // The constants that unpack bf16 are in GRF1 if tiles take the ports of LM0 and LM1, and
        // share its read port with the tiles. Measured.
        let port_conflicts = |interval: u64| match kept && distribution.bf16.columns {
            true => interval * 5 / 4,
            false => interval,
        };
        let iterations = u64::from(distribution.k_blocks / distribution.span / turns);
        // Sent to the two L2Bs of a group in turn, or to both at once.
        let unit = u64::from(vectors * of_vector) * OWN_STEPS / if kept { 4 } else { 2 };
        let column = broadcast_steps(distribution);
        let slots = block_float_rows::pipelined_unit_slots(distribution, vectors * vector);
        let depth = u64::from(pipelined_product::prefetched_vectors(
            distribution,
            columns,
            slots,
        ));
        let units = u64::from(slots).min(iterations);
        PipelineCost {
            iterations,
            interval: port_conflicts(multiply.max(l2bm.into()).max(l1bm).max(halves)),
            multiply,
            twice_columns: multiply.max((l2bm + besides).into()),
            split_epilogue: distribution.split_epilogue.into(),
            before: multiply.max((l2bm + make).into()),
            halves: [down / 2 + besides, 0].map(|l2bm| (multiply / 2).max(l2bm.into())),
            pieces: deferred_store::pieces(distribution.results(), iterations as u32)
                .map_or(0, |size| {
                    u64::from(distribution.results() * L2BM_VECTOR / size)
                }),
            unit,
            columns: u64::from(columns) * column,
            first: depth * column + (units - 1) * unit,
            fetch: depth + 2 * units,
        }
    }
}

/// Returns the steps of the MV instruction for a vector that all L2Bs receive.
fn broadcast_steps(distribution: &Distribution) -> u64 {
    let whole = u64::from(distribution.cycles) * SAME_STEPS;
    match distribution.mapping {
        Mapping::RowsOverL1bPairs => whole / 2,
        Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups => whole / 4,
        Mapping::RowsOverL2bs
        | Mapping::ColumnsOverL2bs
        | Mapping::SharedColumnsOverGroups
        | Mapping::MatricesOverL2bs => whole,
    }
}

/// The costs of each part of a block, or of one of its chunks.
struct BlockCost {
    /// Transfers and steps to load the column side of a chunk, and steps to convert a prefetched
    /// one.
    columns: [u64; 2],
    convert: u64,
    /// Transfer steps of one column vector, and of those of the next chunk but one that are issued
    /// while a chunk is loaded.
    column: u64,
    early: u64,
    /// Transfer steps of a chunk's row side, and of the part issued before the chunk starts.
    rows: u64,
    first_rows: u64,
    /// Whether the row side comes as vectors, which are needed completely.
    is_split: bool,
    /// Steps to convert the row side, if that is done in advance.
    prepare: Option<u64>,
    multiply: u64,
    /// Steps from the last tile to the last product.
    tail: u64,
    clear: u64,
    /// Steps until the first result is stored, steps to store all to L1BM or LM1, and transfers and
    /// steps to store them to DRAM.
    first_store: u64,
    store: u64,
    to_dram: [u64; 2],
    chunks: u64,
}

impl BlockCost {
    fn new(distribution: &Distribution, arithmetic: Arithmetic) -> Self {
        let [blocks, tiles, steps, cycles, chunks] = [
            distribution.k_blocks,
            distribution.tiles,
            distribution.steps,
            distribution.cycles,
            distribution.chunks,
        ]
        .map(u64::from);
        let (vectors, sums) = (blocks * steps, tiles * steps);
        let [parts, results] = [distribution.column_parts(), distribution.results()].map(u64::from);
        let brought = vectors / parts;
        // The steps per cycle of the column side, and the L2Bs that share a tile.
        let (of_cycle, same) = if distribution.columns_layout().is_same() {
            (broadcast_steps(distribution) / cycles, 1)
        } else {
            (OWN_STEPS, 4)
        };
        // Steps to unpack two column vectors from one, and to pack two results into one.
        let unpack = if parts > 1 { vectors } else { 0 };
        let pack = if results < sums { PACK_STEPS } else { 1 };
        let rows = blocks * tiles;
        let prepared = distribution.prepared.is_some();
        let halves = prepared && distribution.bf16.rows;
        let beside = if distribution.prefetches_columns {
            brought * 2 * cycles
        } else {
            0
        };
        let l2bm = arithmetic.row_transfers(rows, prepared) + beside;
        let rows = if halves { rows / 2 } else { rows }.div_ceil(same);
        let (first_rows, prepare) = match distribution.prepared {
            None => (FIRST_ROWS.div_ceil(same).min(rows), None),
            Some(vector) => {
                let transfers = u64::from(vector / TRANSFER.0);
                let unit = transfers * OWN_STEPS / 2 * if halves { 1 } else { 2 };
                let each = transfers * if halves { 2 } else { 3 } + TURNAROUND;
                let first = rows.min(2 * unit);
                (first, Some(rows / unit * each + CONVERSION_LATENCY))
            }
        };
        let of = BlockCost {
            columns: [brought * cycles * of_cycle, brought * (2 * cycles).max(2)],
            convert: arithmetic.conversion_steps(vectors, parts) + unpack,
            column: cycles * of_cycle,
            early: if distribution.prefetches_columns {
                cycles
                    * of_cycle
                    * u64::from(operand_prefetch::prefetch_distance(
                        distribution,
                        brought as u32,
                    ))
            } else {
                0
            },
            rows,
            first_rows,
            is_split: false,
            prepare,
            multiply: arithmetic.steps(blocks * tiles, steps, prepared).max(l2bm),
            tail: 0,
            clear: sums.div_ceil(2),
            first_store: LONG_LOOP_OVERHEAD + pack,
            store: results * pack + arithmetic.rounding_steps(sums),
            to_dram: [
                results * cycles * OWN_STEPS,
                results * u64::from(distribution.results_layout().transfers(distribution.cycles)),
            ],
            chunks,
        };
        match distribution.split_k {
            Some(split) => of.for_split_k(distribution, split),
            None => of,
        }
    }

    /// Returns the costs for a split-K product. Its row side comes as vectors, two per 8x8 tile or
    /// one of bf16, and partial sums are reduced before they are stored.
    fn for_split_k(self, distribution: &Distribution, split: SplitK) -> Self {
        let vectors = 2 * u64::from(distribution.k_blocks * distribution.tiles);
        // The ALU unpacks vectors and converts them to block floats.
        let parts = u64::from(distribution.row_parts());
        let alu = if parts > 1 { 2 * vectors } else { vectors };
        let vectors = vectors / parts;
        let words = u64::from(reduced_words(distribution, SumPadding::Minimal));
        let rows = vectors * VECTOR;
        let out = words / if split.has_l2bs() { 128 } else { 32 };
        BlockCost {
            rows,
            first_rows: rows.min(7 * VECTOR),
            is_split: true,
            multiply: self.multiply.max(vectors * DISTRIBUTED).max(alu),
            tail: DISTRIBUTED + LONG_LOOP_OVERHEAD,
            first_store: LONG_LOOP_OVERHEAD
                + u64::from(distribution.vectors().div_ceil(2))
                + words / 64
                + REDUCTION_LATENCY,
            to_dram: [out, 0],
            ..self
        }
    }
}

/// Transfer steps of a vector to all L2Bs, and steps to distribute it to the L1BMs.
const VECTOR: u64 = 4 * OWN_STEPS;
const DISTRIBUTED: u64 = 8;
/// Latency of the reduction of partial sums, beyond their transfers.
const REDUCTION_LATENCY: u64 = 8;

/// Transfer steps of the row side that are issued before it is needed.
const FIRST_ROWS: u64 = 96;

/// Those of its first part.
const FIRST_TILES: u64 = 32;
/// Steps between the loads and the stores of a row-side unit, beyond those themselves.
const TURNAROUND: u64 = 6;
/// Transfer steps of results that overlap with what follows their loop.
const STORE_OVERLAP: u64 = 4 * 4 * OWN_STEPS;
/// Of a pipelined product: steps to load constants, to convert the first row-side unit, between
/// transfers to L1BM and from it in an iteration, and of the last iteration beyond the interval.
const CONSTANTS: u64 = 5;
const FIRST_UNIT: u64 = 15;
const UP_AND_DOWN: u32 = 5;
const EPILOGUE: u64 = 15;
/// Latency of converting the row side, beyond its iterations.
const CONVERSION_LATENCY: u64 = 20;
/// Steps from the product of a row tile to the store of its results.
const ROW_STORE_LATENCY: u64 = 70;
/// Idle steps of the matrix unit per row tile in a row-ordered drain, because a chain of sums has
/// no slack; half as many before it.
const ROW_CHAIN_IDLE: u64 = 4;

/// A timeline of two resources: the times at which the steps and the transfers issued so far end.
/// `rows` is the end of the first row-side transfers of the next chunk, `results` that of the last
/// stored results.
#[derive(Clone, Copy, Debug, Default)]
struct Timeline {
    steps: u64,
    transfers: u64,
    rows: u64,
    results: u64,
}

impl Timeline {
    /// Issues transfers.
    fn issue_transfers(&mut self, transfers: u64) {
        self.transfers = self.transfers.max(self.steps) + transfers;
    }

    /// Runs a loop that waits for its transfers, except `later` steps of them.
    fn run_overlapped(&mut self, steps: u64, transfers: u64, later: u64) {
        let begin = self.steps;
        self.steps += steps;
        if transfers > 0 {
            self.transfers = self.transfers.max(begin) + transfers;
            self.steps = self.steps.max(self.transfers.saturating_sub(later));
        }
    }

    /// Loads the column side of a chunk.
    fn load_columns(&mut self, of: &BlockCost) {
        let [transfers, steps] = of.columns;
        // The last vector is distributed after its arrival.
        self.run_overlapped(steps, transfers, 0);
        self.steps += SHORT_LOOP_OVERHEAD + 2 * of.column / SAME_STEPS;
    }

    /// Issues the first row-side transfers of a chunk that is converted in advance.
    fn fetch_rows(&mut self, of: &BlockCost) {
        self.issue_transfers(of.first_rows);
        self.rows = self.transfers;
    }

    /// Converts the row side and issues the first transfers of the next chunk.
    fn convert_rows(&mut self, of: &BlockCost, steps: u64) {
        self.steps = self.steps.max(self.rows) + steps;
        if of.rows > of.first_rows {
            self.issue_transfers(of.rows - of.first_rows);
            self.steps = self.steps.max(self.transfers + CONVERSION_LATENCY);
        }
        self.fetch_rows(of);
    }

    /// Runs a block of a pipelined product and stores its results.
    fn run_pipelined_block(&mut self, of: &BlockCost, flow: &PipelineCost) {
        self.run_pipelined_loop(of, flow);
        if flow.split_epilogue > 0 {
            return self.run_split_epilogue(of, flow);
        }
        self.issue_transfers(flow.unit);
        self.rows = self.transfers;
        self.store_results(of);
    }

    /// Stores results to L1BM; they leave during the next block.
    fn park_results(&mut self, of: &BlockCost) {
        self.steps += of.store + 2 * SHORT_LOOP_OVERHEAD;
    }

    /// Runs a later block with a resident column side. During some iterations results of the
    /// previous block are stored.
    fn run_later_block(&mut self, of: &BlockCost, flow: &PipelineCost) {
        self.steps += FIRST_UNIT.max(of.clear);
        let leaving = flow.pieces.min(flow.iterations);
        for (iterations, others) in [(leaving, of.to_dram[0]), (flow.iterations - leaving, 0)] {
            self.run_overlapped(
                iterations * flow.interval,
                (iterations * flow.unit + others).max(1),
                flow.first,
            );
        }
        self.steps += EPILOGUE;
    }

    /// Runs the pipelined loop with its prologue.
    fn run_pipelined_loop(&mut self, of: &BlockCost, flow: &PipelineCost) {
        self.issue_transfers(flow.first);
        self.steps += flow.fetch.max(FIRST_UNIT.max(of.clear));
        self.steps = self.steps.max(self.rows + FIRST_UNIT);
        // The first iteration waits for the next unit and for its vectors in turn.
        self.steps = self.steps.max(self.rows + flow.unit + flow.columns * 2 / 3);
        let all = flow.iterations * (flow.columns + flow.unit);
        let mut steps = flow.iterations * flow.interval + EPILOGUE;
        if flow.split_epilogue > 0 {
            let before = flow.split_epilogue - 1;
            steps -= (flow.split_epilogue + before) * flow.interval;
            steps += before * flow.before + flow.split_epilogue * flow.halves[0] + 2 * EPILOGUE;
        }
        self.run_overlapped(steps, all.saturating_sub(flow.first + flow.unit).max(1), 0);
        self.steps = self
            .steps
            .max(self.transfers + EPILOGUE + flow.interval / 2);
    }

    /// Runs a pipelined product with a row-ordered drain: three quarters of the depth with all
    /// tiles, the rest row tile by row tile.
    fn run_row_ordered(
        &mut self,
        distribution: &Distribution,
        of: &BlockCost,
        flow: &PipelineCost,
    ) {
        self.issue_transfers(flow.first);
        self.steps = self.rows.max(flow.fetch) + FIRST_UNIT;
        let by_rows = u64::from(distribution.row_ordered);
        let all = flow.iterations * (flow.columns + flow.unit);
        let transfers = all.saturating_sub(flow.first + flow.unit);
        let iterations = flow.iterations - by_rows;
        let interval = flow.twice_columns + ROW_CHAIN_IDLE / 2;
        self.run_overlapped(iterations * interval + 2 * EPILOGUE, transfers, 0);
        let tiles = u64::from(distribution.tiles);
        let tile = flow.multiply * by_rows / tiles + ROW_CHAIN_IDLE;
        let first = self.steps + tile + ROW_STORE_LATENCY;
        self.steps += tiles * tile + ROW_STORE_LATENCY;
        self.transfers = self.transfers.max(first) + of.to_dram[0];
        self.transfers = self.transfers.max(self.steps + of.to_dram[0] / tiles);
    }

    /// Runs a split epilogue: stores one half of the results, computes the other, and stores that.
    fn run_split_epilogue(&mut self, of: &BlockCost, flow: &PipelineCost) {
        let half = BlockCost {
            to_dram: of.to_dram.map(|steps| steps / 2),
            ..*of
        };
        self.steps += half.first_store;
        self.issue_transfers(half.to_dram[0]);
        self.steps += of.store / 2 + flow.split_epilogue * flow.halves[1] + EPILOGUE;
        self.store_results(&half);
    }

    /// Issues the first tile transfers of a block (for later blocks, before the results of the
    /// previous one) and waits until the product cannot starve.
    fn fetch_tiles(&mut self, of: &BlockCost) {
        if self.rows == 0 {
            self.rows = self.transfers.max(self.steps) + FIRST_TILES.min(of.first_rows);
        }
        self.issue_transfers(of.first_rows);
        self.steps = self.steps.max(self.rows);
        if of.rows > of.first_rows || of.is_split {
            let lasts = of.multiply * of.first_rows / of.rows;
            self.steps = self.steps.max(self.transfers.saturating_sub(lasts));
        }
    }

    /// Runs a block up to its results.
    fn run_block(&mut self, distribution: &Distribution, of: &BlockCost, beside: bool) {
        self.steps += of.clear;
        let stored = if beside {
            of.to_dram[0].div_ceil(of.chunks)
        } else {
            0
        };
        if distribution.prefetches_columns {
            self.load_columns(of);
        }
        if of.prepare.is_none() {
            self.fetch_tiles(of);
        }
        // A chunk with this many chunks to follow.
        let chunk = |timeline: &mut Timeline, follow: u32| {
            let is_last = follow == 0;
            let mut brought = stored;
            let mut later = stored.min(2 * OWN_STEPS);
            if of.prepare.is_none() {
                brought += of.rows - if is_last { of.first_rows } else { 0 };
                later += if follow > 1 { of.first_rows } else { 0 };
            }
            if distribution.prefetches_columns {
                timeline.steps += of.convert + SHORT_LOOP_OVERHEAD;
                brought += if is_last { 0 } else { of.columns[0] };
                later += if follow > 1 { of.early } else { 0 };
            } else if distribution.chunks > 1 {
                timeline.load_columns(of);
            }
            if let Some(steps) = of.prepare {
                timeline.convert_rows(of, steps);
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
        if distribution.defers_results {
            self.steps += of.store + 2 * SHORT_LOOP_OVERHEAD;
        } else {
            self.store_results(of);
        }
    }

    /// Stores results to DRAM after those of the previous block.
    fn store_results(&mut self, of: &BlockCost) {
        let [transfers, steps] = of.to_dram;
        self.steps = self.steps.max(self.results) + of.first_store;
        self.run_overlapped(steps, transfers, STORE_OVERLAP.min(of.to_dram[0]));
        self.results = self.transfers;
    }

    /// Repeats a stage. Beyond the third time it is extrapolated from the third.
    fn repeat(&mut self, count: u32, once: &mut dyn FnMut(&mut Timeline)) {
        const EACH: u32 = 3;
        for number in 0..count.min(EACH) {
            let before = *self;
            once(self);
            if number + 1 == EACH {
                let more = u64::from(count - EACH);
                self.steps += more * (self.steps - before.steps);
                let on = |now: &mut u64, before: u64| *now += more * now.saturating_sub(before);
                on(&mut self.transfers, before.transfers);
                on(&mut self.rows, before.rows);
                on(&mut self.results, before.results);
            }
        }
    }
}
