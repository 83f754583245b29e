//! What a kernel is built by: one of several strategies, with its parameters.

use super::elementwise::plan::ElementwisePlan;
use super::error::CompileError;
use super::fused_stages::FusedPlan;
use super::gemm::candidates::ProductPlan;
use super::kernel::Kernel;
use super::options::Options;
use super::padding::Fill;
use super::rearrange::DataMovement;
use super::reduce::plan::ReductionPlan;
use super::stores::{find_product, single_store};
use super::strategy::Strategy;
use crate::raise::{ExprKind, TensorProgram};

/// The plan of a kernel.
pub(super) enum Plan<'a> {
    /// A matrix product, with element-wise operations on a factor and on the result.
    Product(ProductPlan<'a>),
    /// Reductions, with element-wise operations.
    Reduction(ReductionPlan<'a>),
    /// Element-wise operations.
    Elementwise(ElementwisePlan<'a>),
    /// A kernel that moves elements.
    Rearrangement(DataMovement<'a>),
    /// Several stages whose results stay in the memories of the PEs.
    Stages(FusedPlan<'a>),
}

/// Which plans of a product are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Schedules {
    /// All legal ones, including those without a schedule.
    Untried,
    /// Those among which a kernel is chosen ([`ProductPlan::schedulable`]).
    Tried,
}

impl<'a> Plan<'a> {
    /// Returns the legal plans of a group, cheapest first within the accuracy of the estimates.
    /// There is at least one.
    pub fn all(
        whole: &'a TensorProgram,
        options: &Options,
        fill: Fill,
        schedules: Schedules,
    ) -> Result<Vec<Self>, CompileError> {
        if let Some(rearrangement) = &whole.rearrangement {
            let only = DataMovement::new(whole, rearrangement, fill);
            return Ok(vec![Plan::Rearrangement(only)]);
        }
        let store = single_store(whole)?;
        if !whole.locals.is_empty() {
            let plans = FusedPlan::all(whole, store, options, fill)?;
            return Ok(plans.into_iter().map(Plan::Stages).collect());
        }
        let mut reduces = false;
        store
            .value
            .visit(&mut |expr| reduces |= matches!(expr.kind, ExprKind::Reduce { .. }));
        Ok(match find_product(store)? {
            Some(product) => {
                let group = (whole, store);
                let plans = match schedules {
                    Schedules::Untried => ProductPlan::all(group, product, options, fill)?,
                    Schedules::Tried => ProductPlan::schedulable(group, product, options, fill)?,
                };
                plans.into_iter().map(Plan::Product).collect()
            }
            None if reduces => {
                let plans = ReductionPlan::all(whole, store, fill)?;
                plans.into_iter().map(Plan::Reduction).collect()
            }
            None => {
                let plans = ElementwisePlan::all(whole, store, fill);
                plans.into_iter().map(Plan::Elementwise).collect()
            }
        })
    }

    fn strategy(&self) -> &dyn Strategy {
        match self {
            Plan::Product(plan) => plan,
            Plan::Reduction(plan) => plan,
            Plan::Elementwise(plan) => plan,
            Plan::Rearrangement(plan) => plan,
            Plan::Stages(plan) => plan,
        }
    }
}

impl Strategy for Plan<'_> {
    fn cost(&self) -> u64 {
        self.strategy().cost()
    }

    fn emit(&self, bases: &[u32]) -> Result<Kernel, CompileError> {
        self.strategy().emit(bases)
    }
}
