//! The ways of a product: which factor is which side, and how the result is spread.

use std::cmp::Reverse;

use tessera_pto::kernel::Element;

use super::arguments::{bf16_reads, Arguments};
use super::arithmetic::Arithmetic;
use super::padding::Fill;
use super::product::Builder;
use super::shape::{self, Extents, Halves, Shape};
use super::vectors::Role;
use super::ways::Ways;
use super::{unsupported, CompileError, Kernel, Options};
use crate::whole::{Expr, ExprKind, Spread, Store, Whole};

/// The ways of a product: spread in each shape, with its columns and rows turned over or not; the
/// cheapest first.
pub(super) struct Choices<'a> {
    whole: &'a Whole,
    store: &'a Store,
    product: &'a Expr,
    arithmetic: Arithmetic,
    fill: Fill,
    factors_are_tensors: bool,
    choices: Vec<Choice<'a>>,
}

/// A way of a product, and its steps.
#[derive(Clone, Copy)]
struct Choice<'a> {
    sides: Sides<'a>,
    shape: Shape,
    cost: u64,
}

impl<'a> Choices<'a> {
    /// Those of a kernel with this product.
    pub fn of(
        whole: &'a Whole,
        store: &'a Store,
        product: &'a Expr,
        options: &Options,
        fill: Fill,
    ) -> Result<Self, CompileError> {
        let ExprKind::Product(factors) = &product.kind else {
            return Err(unsupported(
                product.location,
                "internal error: is no product",
            ));
        };
        let elements = [0, 1].map(|factor| element(whole, &factors[factor]));
        let arithmetic = Arithmetic::of(options.precision(elements));
        if factors.iter().any(|factor| factor.element.is_integer()) {
            return Err(unsupported(product.location, "a product of matrices of integers has no code for MN-Core 2, whose matrix unit multiplies floats; cast them before"));
        }
        let mut choices = Vec::new();
        for flipped in [false, true] {
            let Some(sides) = Sides::of(whole, store, factors, flipped) else {
                continue;
            };
            let ways = shape::Ways {
                all_cycles: fill.cycles,
                ..sides.ways(whole, store)
            };
            let shapes = Shape::of_product(&sides.extents, &ways, arithmetic);
            choices.extend(
                shapes
                    .into_iter()
                    .map(|(shape, cost)| Choice { sides, shape, cost }),
            );
        }
        in_order(&mut choices, arithmetic);
        if choices.is_empty() {
            return Err(unsupported(
                product.location,
                "work on both factors of a product has no code for MN-Core 2; compile with fusion=epilogue",
            ));
        }
        let is_tensor = |factor: &Expr| matches!(factor.kind, ExprKind::Tensor(..));
        Ok(Choices {
            whole,
            store,
            product,
            arithmetic,
            fill,
            factors_are_tensors: factors.iter().all(is_tensor),
            choices,
        })
    }

    /// The ways for which there is a schedule. Work on a factor wants registers while sums lie in
    /// GRF0: if it finds none, there are fewer sums.
    pub fn that_can_be_scheduled(mut self) -> Result<Self, CompileError> {
        if !self.factors_are_tensors {
            let mut choice = *self.cheapest(4);
            for shares in [1, 2] {
                let fuller = *self.cheapest(shares);
                if self.build(&fuller, &[])?.program().is_ok() {
                    choice = fuller;
                    break;
                }
            }
            self.choices = vec![choice];
        }
        Ok(self)
    }

    /// The cheapest whose sums take at most one of so many shares of GRF0; of no such, that with
    /// the fewest sums.
    fn cheapest(&self, shares: u32) -> &Choice<'a> {
        let most = self.arithmetic.most_sums() / shares;
        let mut fit = self
            .choices
            .iter()
            .filter(|choice| choice.shape.vectors() <= most);
        let fewest = || self.choices.iter().min_by_key(|c| c.shape.vectors());
        fit.next().or_else(fewest).expect("there is a way")
    }

    fn build(&self, choice: &Choice<'a>, bases: &[u32]) -> Result<Kernel, CompileError> {
        let mut arguments = Arguments::new(self.whole, self.fill, choice.shape, bases);
        arguments.computes_columns = !matches!(choice.sides.columns.kind, ExprKind::Tensor(..));
        let builder = Builder {
            store: self.store,
            product: self.product,
            sides: choice.sides,
            shape: choice.shape,
            arithmetic: self.arithmetic,
            arguments,
        };
        Ok(Kernel {
            estimate: Some(choice.cost),
            ..builder.build()?
        })
    }
}

impl Ways for Choices<'_> {
    fn costs(&self) -> Vec<u64> {
        self.choices.iter().map(|choice| choice.cost).collect()
    }

    fn build(&self, way: usize, bases: &[u32]) -> Result<Kernel, CompileError> {
        self.build(&self.choices[way], bases)
    }
}

/// The cheapest first; of those that an estimate cannot tell from it, that in which tiles keep the
/// matrix unit busiest.
fn in_order(choices: &mut [Choice], arithmetic: Arithmetic) {
    /// The share of a cost that is none.
    const SAME: u64 = 100;
    choices.sort_by_key(|choice| choice.cost);
    let least = choices.first().map_or(0, |choice| choice.cost);
    let near = choices.partition_point(|choice| choice.cost <= least + least / SAME);
    choices[..near].sort_by_key(|choice| Reverse(choice.shape.busy(arithmetic)));
}

/// What the elements of an expression are: the widest of those of its tensors, if nothing rounds
/// them.
fn element(whole: &Whole, expr: &Expr) -> Element {
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

/// Which factor goes which way.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    /// Whether columns of the result are the rows of the chip.
    pub flipped: bool,
    pub extents: Extents,
    /// The tensor of the row side.
    pub rows: usize,
    pub row_spread: Spread,
    pub columns: &'a Expr,
}

impl<'a> Sides<'a> {
    /// The sides, if the row side is a tensor as it is.
    fn of(whole: &Whole, store: &Store, factors: &'a [Expr; 2], flipped: bool) -> Option<Self> {
        let [rows, columns] = if flipped {
            [&factors[1], &factors[0]]
        } else {
            [&factors[0], &factors[1]]
        };
        let ExprKind::Tensor(tensor, spread) = rows.kind else {
            return None;
        };
        let (result, own) = (whole.tensors[store.tensor], whole.tensors[tensor]);
        let [own_rows, own_columns] = spread.seen([own.rows, own.columns]);
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
        (!spread.rows && !spread.columns).then_some(Sides {
            flipped,
            extents,
            rows: tensor,
            row_spread: spread,
            columns,
        })
    }

    /// What a shape must have room for.
    fn ways(&self, whole: &Whole, store: &Store) -> shape::Ways {
        let mut residents = 0;
        store.value.visit(&mut |expr| {
            if let ExprKind::Tensor(_, spread) = expr.kind {
                residents += u32::from(spread.rows || spread.columns);
            }
        });
        shape::Ways {
            ahead: self.is_plain(),
            alone: leaves_besides(&store.value) == 0,
            plain: is_product(&store.value, whole.tensors[store.tensor].element),
            flow: matches!(self.columns.kind, ExprKind::Tensor(_, spread) if !spread.rows && !spread.columns),
            residents,
            all_cycles: false,
            halves: Halves {
                rows: whole.tensors[self.rows].element == Element::Bf16,
                columns: bf16_reads(whole, self.columns) > 0,
                result: whole.tensors[store.tensor].element == Element::Bf16,
            },
        }
    }

    /// Whether the column side is one tensor, with functions of its elements at most: then it can
    /// be brought ahead.
    fn is_plain(&self) -> bool {
        let mut leaves = 0;
        self.columns.visit(&mut |expr| match expr.kind {
            ExprKind::Tensor(_, spread) if spread.rows || spread.columns => leaves += 2,
            ExprKind::Tensor(..) => leaves += 1,
            _ => {}
        });
        leaves == 1
    }

    /// What a factor's or the result's rows and columns are.
    pub fn roles(&self, rows: Role, columns: Role) -> [Role; 2] {
        if self.flipped {
            [columns, rows]
        } else {
            [rows, columns]
        }
    }
}

/// Whether an expression is a product, rounded at most to what its elements are.
fn is_product(expr: &Expr, element: Element) -> bool {
    match &expr.kind {
        ExprKind::Product(_) => true,
        ExprKind::Convert(to, one) => {
            *to == element && element == Element::Bf16 && matches!(one.kind, ExprKind::Product(_))
        }
        _ => false,
    }
}

/// How many tensors an expression reads outside of the product.
fn leaves_besides(expr: &Expr) -> usize {
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
