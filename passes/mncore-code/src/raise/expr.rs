//! Traversal and transposition of tensor expressions.

use tessera_pto::kernel::Axis;

use super::{Expr, ExprKind};

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
            && self.element == other.element
            && self.precision == other.precision
    }
}

impl Expr {
    /// Returns the operands.
    pub fn parts(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Tensor(..) | ExprKind::Fill(_) => &[],
            ExprKind::Unary(_, one) | ExprKind::Convert(_, one) => std::slice::from_ref(one),
            ExprKind::Reduce { of, .. } => std::slice::from_ref(of),
            ExprKind::Product(both) | ExprKind::Binary(_, both) => &both[..],
            ExprKind::Select(all) => &all[..],
        }
    }

    /// Returns the operands, mutably.
    pub(super) fn parts_mut(&mut self) -> &mut [Expr] {
        match &mut self.kind {
            ExprKind::Tensor(..) | ExprKind::Fill(_) => &mut [],
            ExprKind::Unary(_, one) | ExprKind::Convert(_, one) => std::slice::from_mut(one),
            ExprKind::Reduce { of, .. } => std::slice::from_mut(of),
            ExprKind::Product(both) | ExprKind::Binary(_, both) => &mut both[..],
            ExprKind::Select(all) => &mut all[..],
        }
    }

    /// Visits an expression and all its operands in post-order.
    pub fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Expr)) {
        self.parts().iter().for_each(|part| part.visit(see));
        see(self);
    }

    /// Returns the transposed expression: only the views of its tensors change.
    pub(super) fn transposed(self) -> Expr {
        let turn = |one: Box<Expr>| Box::new(one.transposed());
        let kind = match self.kind {
            ExprKind::Tensor(tensor, broadcast) => ExprKind::Tensor(tensor, broadcast.transposed()),
            ExprKind::Fill(value) => ExprKind::Fill(value),
            ExprKind::Unary(unary, one) => ExprKind::Unary(unary, turn(one)),
            ExprKind::Convert(element, one) => ExprKind::Convert(element, turn(one)),
            ExprKind::Binary(binary, both) => {
                ExprKind::Binary(binary, Box::new(both.map(Expr::transposed)))
            }
            ExprKind::Select(all) => ExprKind::Select(Box::new(all.map(Expr::transposed))),
            ExprKind::Product(both) => {
                let [left, right] = *both;
                ExprKind::Product(Box::new([right.transposed(), left.transposed()]))
            }
            ExprKind::Reduce {
                reduce,
                axis,
                extent,
                of,
            } => ExprKind::Reduce {
                reduce,
                axis: match axis {
                    Axis::Rows => Axis::Columns,
                    Axis::Columns => Axis::Rows,
                },
                extent,
                of: turn(of),
            },
        };
        Expr {
            kind,
            element: self.element,
            precision: self.precision,
            location: self.location,
        }
    }
}
