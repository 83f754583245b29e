//! What a product is built by: one of several strategies, with its parameters.

use super::arithmetic::Arithmetic;
use super::k_over_mabs::KOverMabs;
use super::packed::Packed;
use super::pipelined::Pipelined;
use super::problem::{Blocking, Problem};
use super::product::ProductBuilder;
use super::split_k::SplitKProduct;
use super::strategy::ProductStrategy;
use super::streamed::Streamed;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;

/// A plan of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// The row side is streamed tile by tile.
    Streamed(Streamed),
    /// The row side is converted to block floats before each chunk.
    Packed(Packed),
    /// One software-pipelined loop loads both sides.
    Pipelined(Pipelined),
    /// The depth is distributed over the chip.
    SplitK(SplitKProduct),
    /// The depth is distributed over the MABs of each L1B.
    KOverMabs(KOverMabs),
}

impl Plan {
    fn strategy(&self) -> &dyn ProductStrategy {
        match self {
            Plan::Streamed(plan) => plan,
            Plan::Packed(plan) => plan,
            Plan::Pipelined(plan) => plan,
            Plan::SplitK(plan) => plan,
            Plan::KOverMabs(plan) => plan,
        }
    }

    /// Returns the variant that stores results while the next block is multiplied, if it is legal.
    pub fn with_deferred_results(&self, problem: &Problem) -> Option<Plan> {
        match self {
            Plan::Streamed(plan) => plan.with_deferred_results(problem).map(Plan::Streamed),
            Plan::Packed(plan) => plan.with_deferred_results(problem).map(Plan::Packed),
            // These have variants of their own, or store as they multiply.
            Plan::Pipelined(_) | Plan::SplitK(_) | Plan::KOverMabs(_) => None,
        }
    }

    /// Returns the vectors of sums in GRF0.
    pub fn sums(&self) -> u32 {
        self.blocking().distribution.vectors()
    }

    /// Returns the utilisation of the matrix unit while tiles are loaded and multiplied, in
    /// thousandths of that with enough column vectors to hide the loading.
    pub fn utilization(&self, arithmetic: Arithmetic) -> u64 {
        let distribution = &self.blocking().distribution;
        let square = u64::from(distribution.span * distribution.span);
        let of_tile =
            |steps: u32| arithmetic.steps(square, steps.into(), self.converts_in_advance());
        // Enough vectors to hide the loading of the tile.
        const MANY: u32 = 64;
        let steps = distribution.steps;
        1000 * of_tile(MANY) * u64::from(steps) / (of_tile(steps) * u64::from(MANY))
    }
}

impl ProductStrategy for Plan {
    fn blocking(&self) -> &Blocking {
        self.strategy().blocking()
    }

    fn converts_in_advance(&self) -> bool {
        self.strategy().converts_in_advance()
    }

    fn cost(&self, arithmetic: Arithmetic) -> u64 {
        self.strategy().cost(arithmetic)
    }

    fn emit(&self, product: ProductBuilder) -> Result<Kernel, CompileError> {
        self.strategy().emit(product)
    }
}
