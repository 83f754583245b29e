//! The cost of pipelined products.

use super::plan::Pipelined;
use crate::compile::data::distribution::{Distribution, Mapping};
use crate::compile::data::geometry::{DOWN, L2BM_VECTOR, OWN_STEPS, SAME_STEPS, TRANSFER};
use crate::compile::gemm::arithmetic::Arithmetic;
use crate::compile::gemm::deferred_store;
use crate::compile::gemm::drain::Drain;
use crate::compile::gemm::timeline::{ResultCost, Timeline};

/// Steps to load constants, to convert the first row-side unit, between transfers to L1BM and from
/// it in an iteration, and of the last iteration beyond the interval.
const CONSTANTS: u64 = 5;
const FIRST_UNIT: u64 = 15;
const UP_AND_DOWN: u32 = 5;
const EPILOGUE: u64 = 15;
/// Steps from the product of a row tile to the store of its results.
const ROW_STORE_LATENCY: u64 = 70;
/// Idle steps of the matrix unit per row tile in a row-ordered drain, because a chain of sums has
/// no slack; half as many before it.
const ROW_CHAIN_IDLE: u64 = 4;

impl Pipelined {
    /// Returns the estimated steps of all loops.
    pub fn estimate(&self, arithmetic: Arithmetic) -> u64 {
        let distribution = &self.blocking.distribution;
        let of = ResultCost::new(&self.blocking, arithmetic);
        let flow = PipelineCost::new(self, arithmetic, true);
        let mut timeline = Timeline {
            steps: CONSTANTS,
            ..Timeline::default()
        };
        timeline.issue_transfers(flow.unit);
        timeline.rows = timeline.transfers;
        match self.drain {
            Drain::RowOrdered { iterations } => {
                timeline.run_row_ordered((distribution, iterations), &of, &flow);
            }
            Drain::DuringNextBlock => {
                let later = PipelineCost::new(self, arithmetic, false);
                timeline.run_pipelined_loop(&of, &flow);
                timeline.park_results(&of);
                timeline.repeat(distribution.blocks() - 2, &mut |timeline| {
                    timeline.run_later_block(&of, &later);
                    timeline.park_results(&of);
                });
                timeline.run_later_block(&of, &later);
                timeline.store_results(&of);
            }
            Drain::AtEnd | Drain::SplitEpilogue { .. } => {
                timeline.repeat(distribution.blocks(), &mut |timeline| {
                    timeline.run_pipelined_block(&of, &flow);
                });
            }
        }
        timeline.end()
    }
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
    fn new(plan: &Pipelined, arithmetic: Arithmetic, has_columns: bool) -> Self {
        let (distribution, bf16) = (&plan.blocking.distribution, plan.blocking.bf16);
        let (vectors, blocks) = arithmetic.unit(bf16.rows);
        let tiles = plan.turns * distribution.tiles / distribution.span;
        let columns = match has_columns {
            true => plan.columns_per_iteration(),
            false => 0,
        };
        let of_vector = plan.vector / TRANSFER.0;
        let own = distribution.row_tiles() / distribution.tiles;
        let kept = distribution.keeps_rows_in_l1bm();
        let down = if kept {
            0
        } else {
            tiles * own * arithmetic.tile_words(true) / DOWN
        };
        let transfers = distribution.columns_layout().transfers(distribution.cycles);
        let besides = columns * transfers;
        let make = (vectors + if kept { 0 } else { blocks }) * of_vector;
        let l2bm = down + besides + make + UP_AND_DOWN;
        let tiles = u64::from(tiles);
        let (l1bm, transfers) = (tiles * arithmetic.transfers_of_tile(), columns + vectors);
        let l1bm = l1bm + u64::from(arithmetic.loads_per_vector() * transfers + blocks);
        let square = u64::from(distribution.span * distribution.span);
        let multiply = arithmetic.steps(tiles * square, distribution.steps.into(), true)
            + arithmetic.widening_steps(columns + vectors);
        // While the matrix unit reads one of LM0 and LM1, the other can be written.
        let halves = if bf16.columns {
            let read = tiles * u64::from(distribution.steps);
            read / 2 + arithmetic.steps_of_halves(columns, !distribution.keeps_rows_in_l1bm())
        } else {
            0
        };
        // The constants that unpack bf16 are in GRF1 if tiles take the ports of LM0 and LM1, and
        // share its read port with the tiles. Measured.
        let port_conflicts = |interval: u64| match kept && bf16.columns {
            true => interval * 5 / 4,
            false => interval,
        };
        let iterations = u64::from(distribution.k_blocks / distribution.span / plan.turns);
        // Sent to the two L2Bs of a group in turn, or to both at once.
        let unit = u64::from(vectors * of_vector) * OWN_STEPS / if kept { 4 } else { 2 };
        let column = broadcast_steps(distribution);
        let slots = plan.unit_slots(arithmetic);
        let depth = u64::from(plan.prefetched_vectors(columns, slots));
        let units = u64::from(slots).min(iterations);
        PipelineCost {
            iterations,
            interval: port_conflicts(multiply.max(l2bm.into()).max(l1bm).max(halves)),
            multiply,
            twice_columns: multiply.max((l2bm + besides).into()),
            split_epilogue: match plan.drain {
                Drain::SplitEpilogue { iterations } => iterations.into(),
                _ => 0,
            },
            before: multiply.max((l2bm + make).into()),
            halves: [down / 2 + besides, 0].map(|l2bm| (multiply / 2).max(l2bm.into())),
            pieces: deferred_store::pieces(plan.blocking.results(), iterations as u32)
                .map_or(0, |size| {
                    u64::from(plan.blocking.results() * L2BM_VECTOR / size)
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

impl Timeline {
    /// Runs a block of a pipelined product and stores its results.
    fn run_pipelined_block(&mut self, of: &ResultCost, flow: &PipelineCost) {
        self.run_pipelined_loop(of, flow);
        if flow.split_epilogue > 0 {
            return self.run_split_epilogue(of, flow);
        }
        self.issue_transfers(flow.unit);
        self.rows = self.transfers;
        self.store_results(of);
    }

    /// Runs a later block with a resident column side. During some iterations results of the
    /// previous block are stored.
    fn run_later_block(&mut self, of: &ResultCost, flow: &PipelineCost) {
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
    fn run_pipelined_loop(&mut self, of: &ResultCost, flow: &PipelineCost) {
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
        (distribution, by_rows): (&Distribution, u32),
        of: &ResultCost,
        flow: &PipelineCost,
    ) {
        self.issue_transfers(flow.first);
        self.steps = self.rows.max(flow.fetch) + FIRST_UNIT;
        let by_rows = u64::from(by_rows);
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
    fn run_split_epilogue(&mut self, of: &ResultCost, flow: &PipelineCost) {
        let half = ResultCost {
            to_dram: of.to_dram.map(|steps| steps / 2),
            ..*of
        };
        self.steps += half.first_store;
        self.issue_transfers(half.to_dram[0]);
        self.steps += of.store / 2 + flow.split_epilogue * flow.halves[1] + EPILOGUE;
        self.store_results(&half);
    }
}
