//! The parameters of products with the depth over the MABs of an L1B, which are legal, and their
//! cost.

use tessera_isa_mncore::memory::Bank;

use super::resident_rows::{row_vectors, MAX_ROW_VECTORS};
use super::results::{halves_are_aligned, stored_words, MAX_SUMS};
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::{
    CYCLES, L1BS, L2BM_VECTOR, L2BS, MABS, OWN_STEPS, ROW, SAME_STEPS, VECTOR_WORDS,
};
use crate::compile::data::vector_layout::VectorLayout;
use crate::compile::gemm::arithmetic::Arithmetic;
use crate::compile::gemm::problem::{parts, Blocking, Problem};
use crate::compile::gemm::timeline::{LONG_LOOP_OVERHEAD, PACK_STEPS};
use crate::compile::scratchpad::COLUMN_STREAM;

/// Slots of the column side in L2BM.
pub(crate) const SLOTS: u32 = COLUMN_STREAM.slots(L2BM_VECTOR);
/// Steps between transfers to L1BM and from it in an iteration.
const UP_AND_DOWN: u64 = 5;

/// The parameters of a product with the depth over the MABs of an L1B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KOverMabs {
    pub(super) blocking: Blocking,
}

impl KOverMabs {
    /// The layout of the column side.
    pub const COLUMNS: VectorLayout = VectorLayout::KOverMabs;

    /// Returns the plan with blocks of `steps` column vectors, if it is legal: the row side must
    /// fit.
    pub fn new(problem: &Problem, steps: u32) -> Option<Self> {
        let Problem {
            extents,
            traits,
            arithmetic,
        } = problem;
        let span = arithmetic.span();
        let tiles = extents.i.div_ceil(ROW * L2BS).next_power_of_two();
        let k_blocks = extents.k.div_ceil(ROW * MABS / L1BS);
        let columns = L1BS * CYCLES * steps;
        let distribution = Distribution {
            tiles: tiles.max(2 * span),
            steps,
            cycles: extents.j.min(CYCLES),
            j_blocks: extents.j.div_ceil(columns),
            span,
            k_blocks: k_blocks.next_multiple_of(span),
            ..Distribution::ONE
        };
        let blocking = Blocking {
            distribution,
            bf16: traits.bf16,
        };
        let plan = KOverMabs { blocking };
        let of_rows = distribution.tiles * distribution.k_blocks / span * VECTOR_WORDS;
        let of_columns = 2 * distribution.k_blocks / span * steps * VECTOR_WORDS;
        let possible = arithmetic.supports_k_over_mabs()
            && extents.matrices == 1
            && traits.is_plain
            && traits.can_pipeline
            && distribution.vectors() <= MAX_SUMS
            && halves_are_aligned(&blocking)
            && row_vectors(&blocking) <= MAX_ROW_VECTORS
            && plan.column_vectors() <= SLOTS
            && of_rows <= u32::from(Bank::Lm1.words())
            && of_columns <= u32::from(Bank::Lm0.words());
        possible.then_some(plan)
    }

    /// Returns how many column vectors are packed into one in DRAM.
    pub fn column_parts(&self) -> u32 {
        parts(self.blocking.bf16.columns)
    }

    /// Returns the column vectors of a block.
    pub fn column_vectors(&self) -> u32 {
        let distribution = &self.blocking.distribution;
        distribution.k_blocks * distribution.steps / self.column_parts()
    }

    /// Returns the steps of their MV instructions.
    pub fn column_transfer_steps(&self) -> u32 {
        self.column_vectors() * self.blocking.distribution.cycles * SAME_STEPS as u32
    }

    /// Returns how many blocks ahead they are fetched.
    pub fn prefetched_blocks(&self) -> u32 {
        (SLOTS / self.column_vectors()).min(self.blocking.distribution.j_blocks)
    }

    /// Returns the estimated steps of all loops.
    pub fn estimate(&self, arithmetic: Arithmetic) -> u64 {
        let Blocking { distribution, bf16 } = &self.blocking;
        let blocks = u64::from(distribution.j_blocks);
        let [own, leaving] = [self.column_vectors(), stored_words(&self.blocking)].map(u64::from);
        let rows = u64::from(row_vectors(&self.blocking)) * OWN_STEPS / 2;
        let columns = u64::from(self.column_transfer_steps());
        let results = leaving * 8 / 32;
        let tiles = u64::from(distribution.tiles * distribution.k_blocks);
        let multiply = arithmetic.steps(tiles, distribution.steps.into(), true);
        let transfers = u64::from(KOverMabs::COLUMNS.transfers(distribution.cycles));
        let l2bm = own * transfers + leaving / 32 + UP_AND_DOWN;
        let interval = multiply.max(l2bm).max(columns);
        let pack = if bf16.result { 2 * PACK_STEPS } else { 0 };
        let last = rows + blocks * interval + l2bm + multiply + pack + LONG_LOOP_OVERHEAD;
        (rows + blocks * (columns + results)).max(last + results)
    }
}
