//! The parameters of pipelined products, and which are legal.

use tessera_isa_mncore::memory::Precision;

use crate::compile::data::distribution::{Distribution, Mapping};
use crate::compile::data::geometry::{
    CYCLES, DOWN, L1BS, L2BM_VECTOR, ROW, TRANSFER, VECTOR_WORDS,
};
use crate::compile::data::streams::StreamBuffer;
use crate::compile::gemm::arithmetic::Arithmetic;
use crate::compile::gemm::block_float_rows::{
    pipelined_unit_slots, unit_words, BY_ROWS_ROOM, ROOM, SLOT, TWICE_ROOM,
};
use crate::compile::gemm::deferred_store;
use crate::compile::gemm::drain::Drain;
use crate::compile::gemm::problem::{parts, Bf16Tensors, Blocking, Problem};
use crate::compile::scratchpad;

/// Slots of the column side in L2BM.
const SLOTS: u32 = scratchpad::COLUMN_STREAM.slots(L2BM_VECTOR);
/// The same if all L1Bs receive the same: such vectors are shorter.
const SLOTS_OF_L1BS: u32 = L1BS * SLOTS;
/// The same with a row-ordered drain, which needs space for block floats.
const SLOTS_BY_ROWS: u32 = scratchpad::COLUMN_STREAM_BY_ROWS.slots(L2BM_VECTOR);
/// Single words of LM1 that are not taken by constants.
pub(crate) const RESIDENTS: u32 = scratchpad::PIPELINED_COLUMNS_LM1.words;
/// Long words of the ring of tiles in L1BM.
pub(crate) const TILES: u32 = scratchpad::TILES.words;
/// Maximum number of tiles in an iteration, each with its own items in the loop.
const MAX_PIPELINED_TILES: u32 = 32;
/// In a row-ordered drain, the share of the depth that is executed row tile by row tile: one of
/// this many parts.
pub(crate) const PARTS: u32 = 4;
/// Words of LM0 for constants and, before them, complete sums in a row-ordered drain, including one
/// of two while the other is converted.
const RESERVED_LM0_WORDS: u32 = scratchpad::CONSTANTS_LM0.end() - scratchpad::BY_ROWS_SUMS.start;

/// The parameters of a pipelined product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pipelined {
    pub(super) blocking: Blocking,
    /// Long words of the vectors from which the row side is converted to block floats.
    pub(super) vector: u32,
    /// Turns per iteration.
    pub(super) turns: u32,
    pub(super) drain: Drain,
}

impl Pipelined {
    /// Returns the plan in which one loop over `depth` loads both sides, `turns` turns per
    /// iteration, if they fit.
    fn fit(
        blocking: &Blocking,
        (turns, depth): (u32, u32),
        drain: Drain,
        problem: &Problem,
    ) -> Option<Self> {
        let (given, arithmetic) = (&blocking.distribution, problem.arithmetic);
        let bf16 = match arithmetic.pipelines_packed() {
            true => blocking.bf16,
            false => Bf16Tensors {
                result: blocking.bf16.result,
                ..Bf16Tensors::default()
            },
        };
        let tiles = turns * given.tiles / given.span;
        let words = tiles * arithmetic.tile_words(true);
        let (vectors, blocks) = arithmetic.unit(bf16.rows);
        let of_l2bm = given.row_tiles() / given.tiles * words;
        let vector = of_l2bm / blocks;
        let distribution = Distribution {
            k_blocks: depth.div_ceil(ROW).next_multiple_of(turns * given.span),
            chunks: 1,
            ..*given
        };
        let plan = Pipelined {
            blocking: Blocking { distribution, bf16 },
            vector,
            turns,
            drain,
        };
        let has_room = if distribution.keeps_rows_in_l1bm() {
            // L2BM holds at least two of each, and L1BM a vector.
            2 * vectors * vector <= unit_words(&distribution, drain) && vector <= L2BM_VECTOR
        } else {
            words <= TILES && of_l2bm <= ROOM / 2 && vectors * vector <= SLOT
        };
        let residents = problem.traits.max_residents * distribution.steps * VECTOR_WORDS;
        let fits = tiles <= MAX_PIPELINED_TILES
            && vector % TRANSFER.0 == 0
            && has_room
            && plan.columns_per_iteration() <= plan.max_column_vectors()
            // The tiles of both L1Bs of a pair are transferred separately.
            && (distribution.mapping != Mapping::RowsOverL1bPairs
                || words / arithmetic.blocks_per_vector() / turns % DOWN == 0)
            // Tiles of doubles are not contiguous.
            && (distribution.mapping != Mapping::ColumnsOverGroups
                || arithmetic.blocks_per_vector() == 1)
            && residents <= RESIDENTS
            && distribution.k_blocks >= 2 * turns * distribution.span;
        fits.then_some(plan)
    }

    /// Returns the plan that stores results after the last iteration, if it is legal.
    pub fn new(blocking: &Blocking, turns: u32, problem: &Problem) -> Option<Self> {
        Pipelined::fit(blocking, (turns, problem.extents.k), Drain::AtEnd, problem)
    }

    /// Returns the variant with a split epilogue, if it is legal. It requires one block of plain
    /// pseudo-single results with contiguous sums. The epilogue takes a quarter of the depth, if
    /// L2BM has room: about the time in which half of the results are stored.
    pub fn with_split_epilogue(&self, problem: &Problem) -> Option<Self> {
        let (distribution, arithmetic) = (&self.blocking.distribution, problem.arithmetic);
        let iterations = distribution.k_blocks / self.turns;
        let words = self.turns * distribution.row_tiles() * arithmetic.tile_words(true);
        // The last unit is converted in the iteration before the epilogue.
        let twice = (iterations / 4).min((TWICE_ROOM / words).saturating_sub(1));
        let results = self.blocking.results();
        let possible = problem.traits.reads_no_others
            && !distribution.keeps_rows_in_l1bm()
            && arithmetic.precision() != Precision::Half
            && distribution.blocks() == 1
            && distribution.tiles >= 4
            && results % 2 == 0
            && results / 2 <= SLOTS
            && twice >= 2;
        possible.then_some(Pipelined {
            drain: Drain::SplitEpilogue { iterations: twice },
            ..*self
        })
    }

    /// Returns the plan with a row-ordered drain of the last quarter of the depth, if it is legal.
    /// It requires one block of a plain product in single or pseudo-single precision, whose tensors
    /// have the same element type, with room for the column side and a quarter of the row side.
    pub fn new_row_ordered(blocking: &Blocking, turns: u32, problem: &Problem) -> Option<Self> {
        let Blocking { distribution, bf16 } = blocking;
        let units = problem.extents.k.div_ceil(ROW).div_ceil(turns);
        let by_rows = units.div_ceil(PARTS);
        let own = turns * distribution.steps / parts(bf16.columns);
        let is_uniform = bf16.rows == bf16.columns && bf16.rows == bf16.result;
        let precision = problem.arithmetic.precision();
        let possible = problem.traits.is_plain
            && matches!(precision, Precision::Pseudo | Precision::Single)
            && is_uniform
            && distribution.has_same_rows_in_l1bs()
            && distribution.blocks() == 1
            && distribution.steps % 2 == 0
            && by_rows > 1
            && by_rows * turns <= MAX_PIPELINED_TILES
            && own < SLOTS_BY_ROWS
            && turns == 2;
        if !possible {
            return None;
        }
        let depth = by_rows * PARTS * turns * ROW;
        let drain = Drain::RowOrdered {
            iterations: by_rows,
        };
        let plan = Pipelined::fit(blocking, (turns, depth), drain, problem)?;
        let distribution = &plan.blocking.distribution;
        let words = turns * distribution.tiles * problem.arithmetic.tile_words(true);
        let columns = distribution.k_blocks / 2 * distribution.steps * VECTOR_WORDS;
        let fits = (by_rows + 2) * words <= BY_ROWS_ROOM
            && 2 * plan.vector <= unit_words(distribution, drain)
            && columns + RESERVED_LM0_WORDS <= RESIDENTS;
        fits.then_some(plan)
    }

    /// Returns the plan whose column side stays resident for all blocks of rows, if it is legal. It
    /// requires several blocks of plain results and room in L1BM, from where results leave in at
    /// most one piece per iteration.
    pub fn new_resident(blocking: &Blocking, turns: u32, problem: &Problem) -> Option<Self> {
        let drain = Drain::DuringNextBlock;
        let plan = Pipelined::fit(blocking, (turns, problem.extents.k), drain, problem)?;
        let distribution = &plan.blocking.distribution;
        let tiles_of_depth = distribution.k_blocks / distribution.span;
        let units = plan.unit_slots(problem.arithmetic);
        let vectors_of_depth = u64::from(tiles_of_depth) * u64::from(distribution.steps);
        let landed = vectors_of_depth * u64::from(problem.arithmetic.columns_of_tile() / 2);
        let results = plan.blocking.results();
        let possible = problem.traits.reads_no_others
            && distribution.has_same_rows_in_l1bs()
            && distribution.i_blocks > 1
            && distribution.blocks() == distribution.i_blocks
            && distribution.cycles == CYCLES
            && landed <= RESIDENTS.into()
            // The slots of the next block's units must match their numbers.
            && tiles_of_depth / turns % units == 0
            && deferred_store::pieces(results, tiles_of_depth / turns).is_some();
        possible.then_some(plan)
    }

    /// Returns how many column vectors are packed into one in DRAM.
    pub fn column_parts(&self) -> u32 {
        parts(self.blocking.bf16.columns)
    }

    /// Returns the column vectors per iteration.
    pub fn columns_per_iteration(&self) -> u32 {
        let distribution = &self.blocking.distribution;
        self.turns * distribution.span * distribution.steps / self.column_parts()
    }

    /// Returns the slots of row-side units.
    pub fn unit_slots(&self, arithmetic: Arithmetic) -> u32 {
        let (vectors, _) = arithmetic.unit(self.blocking.bf16.rows);
        pipelined_unit_slots(
            &self.blocking.distribution,
            self.drain,
            vectors * self.vector,
        )
    }

    /// Returns the stream buffer of the column side.
    pub fn stream_buffer(&self) -> StreamBuffer {
        match (self.drain, self.blocking.distribution.mapping) {
            (Drain::RowOrdered { .. }, _) => StreamBuffer::wide(scratchpad::COLUMN_STREAM_BY_ROWS),
            (_, Mapping::RowsOverL1bPairs) => {
                StreamBuffer::wide_of_pairs(scratchpad::COLUMN_STREAM)
            }
            (_, Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups) => {
                StreamBuffer::wide_of_l1bs(scratchpad::COLUMN_STREAM)
            }
            _ if self.has_single_store() => StreamBuffer::wide(scratchpad::COLUMN_STREAM_ALONE),
            _ => StreamBuffer::wide(scratchpad::COLUMN_STREAM),
        }
    }

    /// Returns whether no results are stored before the column side is complete.
    fn has_single_store(&self) -> bool {
        match self.drain {
            Drain::SplitEpilogue { .. } => false,
            Drain::DuringNextBlock => true,
            Drain::AtEnd | Drain::RowOrdered { .. } => self.blocking.distribution.blocks() == 1,
        }
    }

    /// Returns the maximum number of column vectors per iteration.
    fn max_column_vectors(&self) -> u32 {
        match self.blocking.distribution.mapping {
            Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups => SLOTS_OF_L1BS / 2,
            Mapping::RowsOverL2bs | Mapping::ColumnsOverL2bs if self.has_single_store() => SLOTS,
            _ => SLOTS - 1,
        }
    }

    /// Returns how many column vectors are prefetched, of `own` per iteration. The units of the row
    /// side, one per iteration, must not fall behind.
    pub fn prefetched_vectors(&self, own: u32, units: u32) -> u32 {
        let slots = self.stream_buffer().slots();
        let most = match self.drain {
            // Its loop loads vectors one by one.
            Drain::RowOrdered { .. } => slots - 1,
            _ => slots - own,
        };
        most.min(own * units)
    }
}
