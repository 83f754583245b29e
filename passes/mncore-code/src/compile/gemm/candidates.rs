//! The plans of a kernel with a product: which factor is which side, by which strategy.

use std::cmp::Reverse;

use super::arithmetic::Arithmetic;
use super::design_space;
use super::plan::Plan;
use super::problem::{Problem, ProductTraits};
use super::product::ProductBuilder;
use super::sides::{arithmetic_of, Sides};
use super::strategy::ProductStrategy;
use crate::compile::data::arguments::Arguments;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::kernel::Kernel;
use crate::compile::options::Options;
use crate::compile::padding::Fill;
use crate::compile::strategy::Strategy;
use crate::raise::{Expr, ExprKind, Store, TensorProgram};

/// A kernel with a product.
#[derive(Clone, Copy)]
struct ProductKernel<'a> {
    whole: &'a TensorProgram,
    store: &'a Store,
    product: &'a Expr,
    arithmetic: Arithmetic,
    fill: Fill,
}

/// The plan of a kernel with a product: which factor is which side, and by which strategy it is
/// built.
#[derive(Clone, Copy)]
pub(crate) struct ProductPlan<'a> {
    kernel: ProductKernel<'a>,
    sides: Sides<'a>,
    plan: Plan,
    cost: u64,
}

impl<'a> ProductPlan<'a> {
    /// Returns the legal plans of a kernel with this product, cheapest first: all of the design
    /// space, with and without rows and columns flipped.
    pub fn all(
        (whole, store): (&'a TensorProgram, &'a Store),
        product: &'a Expr,
        options: &Options,
        fill: Fill,
    ) -> Result<Vec<Self>, CompileError> {
        let (factors, arithmetic) = arithmetic_of(whole, product, options)?;
        let kernel = ProductKernel {
            whole,
            store,
            product,
            arithmetic,
            fill,
        };
        let mut all = Vec::new();
        for flipped in [false, true] {
            let Some(sides) = Sides::new(whole, store, factors, flipped) else {
                continue;
            };
            let problem = Problem {
                extents: sides.extents,
                traits: ProductTraits {
                    transfers_all_cycles: fill.cycles,
                    ..sides.traits(whole, store)
                },
                arithmetic,
            };
            let plans = design_space::plans(&problem).into_iter();
            all.extend(plans.map(|(plan, cost)| ProductPlan {
                kernel,
                sides,
                plan,
                cost,
            }));
        }
        if all.is_empty() {
            return Err(unsupported(
                product.location,
                "work on both factors of a product has no code for MN-Core 2; compile with \
                 fusion=epilogue",
            ));
        }
        sort_by_cost(&mut all, arithmetic);
        Ok(all)
    }

    /// Returns the plans among which a kernel is chosen. If a factor is computed, that is one which
    /// has a schedule. Fused operations on a factor need registers while GRF0 holds sums. If they
    /// find none, plans with at most half of the sums are tried, and finally one with a quarter of
    /// them is taken untried.
    pub fn schedulable(
        group: (&'a TensorProgram, &'a Store),
        product: &'a Expr,
        options: &Options,
        fill: Fill,
    ) -> Result<Vec<Self>, CompileError> {
        let all = ProductPlan::all(group, product, options, fill)?;
        let is_computed = all.iter().any(ProductPlan::computes_columns);
        if !is_computed {
            return Ok(all);
        }
        for shares in [1, 2] {
            let fuller = *cheapest(&all, shares);
            if fuller.emit(&[])?.program().is_ok() {
                return Ok(vec![fuller]);
            }
        }
        Ok(vec![*cheapest(&all, 4)])
    }

    /// Returns whether the column side is computed in the kernel.
    fn computes_columns(&self) -> bool {
        !matches!(self.sides.columns.kind, ExprKind::Tensor(..))
    }
}

impl Strategy for ProductPlan<'_> {
    fn cost(&self) -> u64 {
        self.cost
    }

    fn emit(&self, bases: &[u32]) -> Result<Kernel, CompileError> {
        let kernel = &self.kernel;
        let distribution = self.plan.blocking().distribution;
        let mut arguments = Arguments::new(kernel.whole, kernel.fill, distribution, bases);
        arguments.computes_columns = self.computes_columns();
        let builder = ProductBuilder::new(
            (kernel.store, kernel.product),
            self.sides,
            (distribution, kernel.arithmetic),
            arguments,
        );
        Ok(Kernel {
            estimate: Some(self.cost),
            ..self.plan.emit(builder)?
        })
    }
}

/// Returns the cheapest plan whose sums take at most `1 / shares` of GRF0. If none qualifies,
/// returns the one with the fewest sums.
fn cheapest<'p, 'a>(plans: &'p [ProductPlan<'a>], shares: u32) -> &'p ProductPlan<'a> {
    let fits = |one: &&ProductPlan| one.plan.sums() <= one.kernel.arithmetic.max_sums() / shares;
    let fewest = || plans.iter().min_by_key(|one| one.plan.sums());
    let found = plans.iter().find(fits).or_else(fewest);
    found.expect("there is a plan")
}

/// Sorts plans by cost. Among those within the accuracy of the estimate of the best, the one
/// that keeps the matrix unit busiest comes first.
fn sort_by_cost(plans: &mut [ProductPlan], arithmetic: Arithmetic) {
    /// The accuracy of an estimate, as a fraction of the cost: 1 / 100.
    const SAME: u64 = 100;
    plans.sort_by_key(|one| one.cost);
    let least = plans.first().map_or(0, |one| one.cost);
    let near = plans.partition_point(|one| one.cost <= least + least / SAME);
    plans[..near].sort_by_key(|one| Reverse(one.plan.utilization(arithmetic)));
}
