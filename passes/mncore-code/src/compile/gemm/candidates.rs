//! The candidates of a product: which factor is the row side, in which distribution.

use std::cmp::Reverse;

use super::arithmetic::Arithmetic;
use super::design_space;
use super::plan::Plan;
use super::problem::{Problem, ProductTraits};
use super::product::ProductBuilder;
use super::sides::{arithmetic_of, Sides};
use super::strategy::Strategy;
use crate::compile::candidates::Candidates;
use crate::compile::data::arguments::Arguments;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::kernel::Kernel;
use crate::compile::options::Options;
use crate::compile::padding::Fill;
use crate::raise::{Expr, ExprKind, Store, TensorProgram};

/// The candidates of a product, cheapest first: every distribution, with and without rows and
/// columns flipped.
pub(crate) struct ProductCandidates<'a> {
    whole: &'a TensorProgram,
    store: &'a Store,
    product: &'a Expr,
    arithmetic: Arithmetic,
    fill: Fill,
    factors_are_tensors: bool,
    candidates: Vec<ProductCandidate<'a>>,
}

/// A candidate with its cost in steps.
#[derive(Clone, Copy)]
struct ProductCandidate<'a> {
    sides: Sides<'a>,
    plan: Plan,
    cost: u64,
}

impl<'a> ProductCandidates<'a> {
    /// Enumerates the candidates of a kernel with this product.
    pub fn new(
        whole: &'a TensorProgram,
        store: &'a Store,
        product: &'a Expr,
        options: &Options,
        fill: Fill,
    ) -> Result<Self, CompileError> {
        let (factors, arithmetic) = arithmetic_of(whole, product, options)?;
        let mut candidates = Vec::new();
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
            candidates.extend(plans.map(|(plan, cost)| ProductCandidate { sides, plan, cost }));
        }
        sort_by_cost(&mut candidates, arithmetic);
        if candidates.is_empty() {
            return Err(unsupported(
                product.location,
                "work on both factors of a product has no code for MN-Core 2; compile with \
                 fusion=epilogue",
            ));
        }
        let is_tensor = |factor: &Expr| matches!(factor.kind, ExprKind::Tensor(..));
        Ok(ProductCandidates {
            whole,
            store,
            product,
            arithmetic,
            fill,
            factors_are_tensors: factors.iter().all(is_tensor),
            candidates,
        })
    }

    /// If a factor is computed, reduces the candidates to one that has a schedule. Fused operations
    /// on a factor need registers while GRF0 holds sums. If they find none, candidates with at most
    /// half of the sums are tried, and finally one with a quarter of them is taken untried.
    pub fn retain_schedulable(mut self) -> Result<Self, CompileError> {
        if !self.factors_are_tensors {
            let mut candidate = *self.cheapest(4);
            for shares in [1, 2] {
                let fuller = *self.cheapest(shares);
                if self.build(&fuller, &[])?.program().is_ok() {
                    candidate = fuller;
                    break;
                }
            }
            self.candidates = vec![candidate];
        }
        Ok(self)
    }

    /// Returns the cheapest candidate whose sums take at most `1 / shares` of GRF0. If no candidate
    /// qualifies, returns the one with the fewest sums.
    fn cheapest(&self, shares: u32) -> &ProductCandidate<'a> {
        let most = self.arithmetic.max_sums() / shares;
        let mut fit = self
            .candidates
            .iter()
            .filter(|candidate| candidate.plan.sums() <= most);
        let fewest = || self.candidates.iter().min_by_key(|c| c.plan.sums());
        fit.next().or_else(fewest).expect("there is a candidate")
    }

    fn build(
        &self,
        candidate: &ProductCandidate<'a>,
        bases: &[u32],
    ) -> Result<Kernel, CompileError> {
        let distribution = candidate.plan.blocking().distribution;
        let mut arguments = Arguments::new(self.whole, self.fill, distribution, bases);
        arguments.computes_columns = !matches!(candidate.sides.columns.kind, ExprKind::Tensor(..));
        let builder = ProductBuilder::new(
            (self.store, self.product),
            candidate.sides,
            (distribution, self.arithmetic),
            arguments,
        );
        Ok(Kernel {
            estimate: Some(candidate.cost),
            ..candidate.plan.emit(builder)?
        })
    }
}

impl Candidates for ProductCandidates<'_> {
    fn costs(&self) -> Vec<u64> {
        self.candidates
            .iter()
            .map(|candidate| candidate.cost)
            .collect()
    }

    fn build(&self, candidate: usize, bases: &[u32]) -> Result<Kernel, CompileError> {
        self.build(&self.candidates[candidate], bases)
    }
}

/// Sorts candidates by cost. Among those within the accuracy of the estimate of the best, the one
/// that keeps the matrix unit busiest comes first.
fn sort_by_cost(candidates: &mut [ProductCandidate], arithmetic: Arithmetic) {
    /// The accuracy of an estimate, as a fraction of the cost: 1 / 100.
    const SAME: u64 = 100;
    candidates.sort_by_key(|candidate| candidate.cost);
    let least = candidates.first().map_or(0, |candidate| candidate.cost);
    let near = candidates.partition_point(|candidate| candidate.cost <= least + least / SAME);
    candidates[..near].sort_by_key(|candidate| Reverse(candidate.plan.utilization(arithmetic)));
}
