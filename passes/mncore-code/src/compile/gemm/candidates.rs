//! The candidates of a product: which factor is the row side, in which distribution.

use std::cmp::Reverse;

use tessera_pto::kernel::Element;

use super::arithmetic::Arithmetic;
use super::product::ProductBuilder;
use crate::compile::candidates::Candidates;
use crate::compile::data::arguments::{bf16_reads, Arguments};
use crate::compile::data::distribution::{self, Bf16Tensors, Distribution, Extents};
use crate::compile::data::vectors::Role;
use crate::compile::padding::Fill;
use crate::compile::{unsupported, CompileError, Kernel, Options};
use crate::raise::{BroadcastView, Expr, ExprKind, Store, TensorProgram};

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
    distribution: Distribution,
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
            let traits = distribution::ProductTraits {
                transfers_all_cycles: fill.cycles,
                ..sides.traits(whole, store)
            };
            let distributions = Distribution::for_product(&sides.extents, &traits, arithmetic);
            candidates.extend(distributions.into_iter().map(|(distribution, cost)| {
                ProductCandidate {
                    sides,
                    distribution,
                    cost,
                }
            }));
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
            .filter(|candidate| candidate.distribution.vectors() <= most);
        let fewest = || {
            self.candidates
                .iter()
                .min_by_key(|c| c.distribution.vectors())
        };
        fit.next().or_else(fewest).expect("there is a candidate")
    }

    fn build(
        &self,
        candidate: &ProductCandidate<'a>,
        bases: &[u32],
    ) -> Result<Kernel, CompileError> {
        let mut arguments = Arguments::new(self.whole, self.fill, candidate.distribution, bases);
        arguments.computes_columns = !matches!(candidate.sides.columns.kind, ExprKind::Tensor(..));
        let builder = ProductBuilder {
            store: self.store,
            product: self.product,
            sides: candidate.sides,
            distribution: candidate.distribution,
            arithmetic: self.arithmetic,
            arguments,
        };
        Ok(Kernel {
            estimate: Some(candidate.cost),
            ..builder.build()?
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
    candidates[..near]
        .sort_by_key(|candidate| Reverse(candidate.distribution.utilization(arithmetic)));
}

/// Returns the factors of a product, and the arithmetic in which they are multiplied.
pub(crate) fn arithmetic_of<'a>(
    whole: &TensorProgram,
    product: &'a Expr,
    options: &Options,
) -> Result<(&'a [Expr; 2], Arithmetic), CompileError> {
    let ExprKind::Product(factors) = &product.kind else {
        return Err(unsupported(
            product.location,
            "internal error: is not a product",
        ));
    };
    if factors.iter().any(|factor| factor.element.is_integer()) {
        return Err(unsupported(
            product.location,
            "a product of matrices of integers has no code for MN-Core 2, whose matrix unit \
             multiplies floats; cast them first",
        ));
    }
    let elements = [0, 1].map(|factor| factor_element(whole, &factors[factor]));
    let arithmetic = Arithmetic::new(options.precision(elements));
    Ok((factors, arithmetic))
}

/// Returns the element type of a factor: that of its conversion, or the widest of its tensors.
fn factor_element(whole: &TensorProgram, expr: &Expr) -> Element {
    if let ExprKind::Convert(element, _) = expr.kind {
        return element;
    }
    let mut element = Element::Bf16;
    expr.visit(&mut |part| {
        if let ExprKind::Tensor(tensor, _) = part.kind {
            if whole.tensors[tensor].element == Element::F32 {
                element = Element::F32;
            }
        }
    });
    element
}

/// The assignment of factors to sides.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    /// Whether the columns of the result are the rows of the distribution.
    pub flipped: bool,
    pub extents: Extents,
    /// The tensor of the row side.
    pub rows: usize,
    pub row_broadcast: BroadcastView,
    pub columns: &'a Expr,
}

impl<'a> Sides<'a> {
    /// Returns the sides, if the row side is a plain tensor.
    pub fn new(
        whole: &TensorProgram,
        store: &Store,
        factors: &'a [Expr; 2],
        flipped: bool,
    ) -> Option<Self> {
        let [rows, columns] = if flipped {
            [&factors[1], &factors[0]]
        } else {
            [&factors[0], &factors[1]]
        };
        let ExprKind::Tensor(tensor, broadcast) = rows.kind else {
            return None;
        };
        let (result, own) = (whole.tensors[store.tensor], whole.tensors[tensor]);
        let [own_rows, own_columns] = broadcast.orient([own.rows, own.columns]);
        let (i, j, k) = if flipped {
            (result.columns, result.rows, own_rows)
        } else {
            (result.rows, result.columns, own_columns)
        };
        let extents = Extents {
            matrices: result.matrices,
            i,
            j,
            k,
        };
        (!broadcast.rows && !broadcast.columns).then_some(Sides {
            flipped,
            extents,
            rows: tensor,
            row_broadcast: broadcast,
            columns,
        })
    }

    /// Returns the properties that restrict distributions.
    fn traits(&self, whole: &TensorProgram, store: &Store) -> distribution::ProductTraits {
        let mut residents = 0;
        store.value.visit(&mut |expr| {
            if let ExprKind::Tensor(_, broadcast) = expr.kind {
                residents += u32::from(broadcast.rows || broadcast.columns);
            }
        });
        distribution::ProductTraits {
            can_prefetch: self.has_prefetchable_columns(),
            reads_no_others: tensors_besides_product(&store.value) == 0,
            is_plain: is_product(&store.value, whole.tensors[store.tensor].element),
            can_pipeline: match self.columns.kind {
                ExprKind::Tensor(_, broadcast) => !broadcast.rows && !broadcast.columns,
                _ => false,
            },
            max_residents: residents,
            transfers_all_cycles: false,
            bf16: Bf16Tensors {
                rows: whole.tensors[self.rows].element == Element::Bf16,
                columns: bf16_reads(whole, self.columns) > 0,
                result: whole.tensors[store.tensor].element == Element::Bf16,
            },
        }
    }

    /// Returns whether the column side reads one tensor only, which is not broadcast along rows or
    /// columns.
    fn has_prefetchable_columns(&self) -> bool {
        let mut leaves = 0;
        self.columns.visit(&mut |expr| match expr.kind {
            ExprKind::Tensor(_, broadcast) if broadcast.rows || broadcast.columns => leaves += 2,
            ExprKind::Tensor(..) => leaves += 1,
            _ => {}
        });
        leaves == 1
    }

    /// Returns the roles of a tensor's rows and columns, flipped if the sides are.
    pub fn roles(&self, rows: Role, columns: Role) -> [Role; 2] {
        if self.flipped {
            [columns, rows]
        } else {
            [rows, columns]
        }
    }
}

/// Returns whether an expression is a product, rounded at most to the element type.
fn is_product(expr: &Expr, element: Element) -> bool {
    match &expr.kind {
        ExprKind::Product(_) => true,
        ExprKind::Convert(to, one) => {
            *to == element && element == Element::Bf16 && matches!(one.kind, ExprKind::Product(_))
        }
        _ => false,
    }
}

/// Returns how many tensors an expression reads outside of the product.
fn tensors_besides_product(expr: &Expr) -> usize {
    let leaves = |expr: &Expr| {
        let mut count = 0;
        expr.visit(&mut |part| count += usize::from(matches!(part.kind, ExprKind::Tensor(..))));
        count
    };
    let mut of_products = 0;
    expr.visit(&mut |part| {
        if let ExprKind::Product(factors) = &part.kind {
            of_products += factors.iter().map(leaves).sum::<usize>();
        }
    });
    leaves(expr) - of_products
}
