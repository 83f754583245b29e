//! The factors of a product, and which of them is which side.

use tessera_pto::kernel::Element;

use super::arithmetic::Arithmetic;
use super::problem::Bf16Tensors;
use super::problem::ProductTraits;
use crate::compile::data::arguments::bf16_reads;
use crate::compile::data::distribution::Extents;
use crate::compile::data::tensor_use::Role;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::options::Options;
use crate::raise::{BroadcastView, Expr, ExprKind, Store, TensorProgram};

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
    pub fn traits(&self, whole: &TensorProgram, store: &Store) -> ProductTraits {
        let mut residents = 0;
        store.value.visit(&mut |expr| {
            if let ExprKind::Tensor(_, broadcast) = expr.kind {
                residents += u32::from(broadcast.rows || broadcast.columns);
            }
        });
        ProductTraits {
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
