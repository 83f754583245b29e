//! What a kernel leaves in the padding of its result.
//!
//! The host lays tensors out with zeros beyond their extents; a kernel works on them as on the rest, and stores what comes of it. A product sums over
//! the depth's padding, so its factors must have zeros there; elsewhere padding is worked on beside what counts, and must not stop the chip, which
//! traps where infinities meet.

use tessera_pto::kernel::{Axis, Binary, Element, Unary};

use crate::whole::{Expr, ExprKind};

/// What all of the padding behind an end of rows or columns holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Padding {
    /// This number everywhere.
    Is(f64),
    /// Numbers greater than zero.
    Positive,
    /// What some row or column that counts has, too.
    Data,
    /// Numbers that depend on the tensors.
    Finite,
    /// Perhaps infinities.
    Any,
}

impl Padding {
    /// What the host leaves.
    pub const ZERO: Padding = Padding::Is(0.0);

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self == Padding::ZERO
    }

    /// Whether it is worked on like any number.
    pub fn is_harmless(self) -> bool {
        match self {
            Padding::Is(number) => number.is_finite(),
            Padding::Positive | Padding::Data | Padding::Finite => true,
            Padding::Any => false,
        }
    }

    fn is_positive(self) -> bool {
        match self {
            Padding::Is(number) => number.is_finite() && number > 0.0,
            Padding::Positive => true,
            Padding::Data | Padding::Finite | Padding::Any => false,
        }
    }

    /// The least that is known of all these.
    fn least(parts: &[Padding]) -> Padding {
        if parts.iter().all(|part| part.is_zero()) {
            Padding::ZERO
        } else if parts.iter().all(|part| part.is_positive()) {
            Padding::Positive
        } else if parts.iter().all(|part| *part == Padding::Data) {
            Padding::Data
        } else if parts.iter().all(|part| part.is_harmless()) {
            Padding::Finite
        } else {
            Padding::Any
        }
    }
}

/// Which padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// That behind the last row.
    Rows,
    /// That behind the last column.
    Columns,
}

/// What is behind an end of an expression; `of` says it of tensors.
pub(super) fn padding(expr: &Expr, end: End, of: &dyn Fn(usize, End) -> Padding) -> Padding {
    let part = |one: &Expr| padding(one, end, of);
    match &expr.kind {
        ExprKind::Tensor(tensor, spread) => {
            let (is_spread, other) = match end {
                End::Rows => (spread.rows, End::Columns),
                End::Columns => (spread.columns, End::Rows),
            };
            match (is_spread, spread.transposed) {
                (true, _) => Padding::Data,
                (false, true) => of(*tensor, other),
                (false, false) => of(*tensor, end),
            }
        }
        ExprKind::Fill(number) => Padding::Is(*number),
        ExprKind::Product(factors) => {
            let own = match end {
                End::Rows => part(&factors[0]),
                End::Columns => part(&factors[1]),
            };
            match own.is_zero() {
                true => Padding::ZERO,
                false => Padding::least(&[own, Padding::Finite]),
            }
        }
        ExprKind::Convert(_, one) => part(one),
        ExprKind::Unary(function, one) => of_unary(*function, one.element, part(one)),
        ExprKind::Binary(function, both) => {
            let parts = [part(&both[0]), part(&both[1])];
            of_binary(*function, both[0].element, parts)
        }
        ExprKind::Select(all) => match part(&all[0]) {
            Padding::Is(number) if number.is_finite() => {
                part(&all[if number == 0.0 { 2 } else { 1 }])
            }
            _ => Padding::least(&[part(&all[1]), part(&all[2])]),
        },
        ExprKind::Reduce {
            axis, of: parts, ..
        } => match (end, axis) {
            (End::Rows, Axis::Columns) | (End::Columns, Axis::Rows) => {
                Padding::least(&[part(parts)])
            }
            // What is left is the same for all rows, or columns, padding with them.
            _ => Padding::Data,
        },
    }
}

fn of_unary(function: Unary, element: Element, of: Padding) -> Padding {
    match (of, function) {
        (Padding::Is(number), _) => computed(number == 0.0, function.of(element, number)),
        (Padding::Any | Padding::Data, _) => of,
        (_, Unary::Exp | Unary::Sigmoid) => Padding::Positive,
        (Padding::Positive, Unary::Sqrt) => Padding::Positive,
        (Padding::Positive, _) => Padding::Finite,
        (_, Unary::Log | Unary::Reciprocal | Unary::Rsqrt) => Padding::Any,
        _ => Padding::Finite,
    }
}

fn of_binary(function: Binary, element: Element, parts: [Padding; 2]) -> Padding {
    let [left, right] = parts;
    if let [Padding::Is(left), Padding::Is(right)] = parts {
        let value = function.of(element, left, right);
        return computed(left == 0.0 && right == 0.0, value);
    }
    let all = Padding::least(&parts);
    match function {
        _ if !left.is_harmless() || !right.is_harmless() => Padding::Any,
        Binary::Multiply if left.is_zero() || right.is_zero() => Padding::ZERO,
        _ if all == Padding::Data => Padding::Data,
        Binary::Divide if right.is_positive() => all,
        Binary::Divide if right == Padding::Data => Padding::Finite,
        Binary::Divide => Padding::Any,
        Binary::Add | Binary::Multiply | Binary::Max | Binary::Min => all,
        _ => Padding::Finite,
    }
}

/// A number that was computed: the chip's functions are exact at zero, elsewhere they need not be.
fn computed(of_zero: bool, number: f64) -> Padding {
    match number {
        _ if of_zero || !number.is_finite() => Padding::Is(number),
        _ if number > 0.0 => Padding::Positive,
        _ => Padding::Finite,
    }
}

#[cfg(test)]
mod tests {
    use tessera_pto::kernel::Reduce;

    use super::*;
    use crate::whole::Spread;

    fn expr(kind: ExprKind) -> Expr {
        Expr {
            kind,
            element: Element::F32,
            location: 0,
        }
    }

    /// Tensor 0 has zeros in its padding, 1 anything that is finite.
    fn tensor(number: usize) -> Expr {
        expr(ExprKind::Tensor(number, Spread::default()))
    }

    fn row() -> Expr {
        let spread = Spread {
            rows: true,
            ..Spread::default()
        };
        expr(ExprKind::Tensor(0, spread))
    }

    fn unary(function: Unary, of: Expr) -> Expr {
        expr(ExprKind::Unary(function, Box::new(of)))
    }

    fn binary(function: Binary, of: [Expr; 2]) -> Expr {
        expr(ExprKind::Binary(function, Box::new(of)))
    }

    fn reduced(reduce: Reduce, of: Expr) -> Expr {
        expr(ExprKind::Reduce {
            reduce,
            axis: Axis::Columns,
            extent: 5,
            of: Box::new(of),
        })
    }

    #[test]
    fn of_expressions() {
        use Padding::{Any, Data, Finite, Is, Positive};
        let exp = || unary(Unary::Exp, tensor(1));
        let softmax = || binary(Binary::Divide, [exp(), reduced(Reduce::Sum, exp())]);
        let product = |left, right| expr(ExprKind::Product(Box::new([left, right])));
        for (expr, rows, columns) in [
            (tensor(0), Is(0.0), Is(0.0)),
            (row(), Data, Is(0.0)),
            (unary(Unary::Log, row()), Data, Is(f64::NEG_INFINITY)),
            (expr(ExprKind::Fill(2.0)), Is(2.0), Is(2.0)),
            (unary(Unary::Gelu, tensor(0)), Is(0.0), Is(0.0)),
            (unary(Unary::Exp, tensor(0)), Is(1.0), Is(1.0)),
            (unary(Unary::Log, exp()), Finite, Finite),
            (unary(Unary::Log, tensor(1)), Any, Any),
            (
                unary(Unary::Reciprocal, tensor(0)),
                Is(f64::INFINITY),
                Is(f64::INFINITY),
            ),
            (product(tensor(0), tensor(1)), Is(0.0), Finite),
            (product(tensor(1), tensor(0)), Finite, Is(0.0)),
            (
                binary(Binary::Add, [product(tensor(0), tensor(0)), row()]),
                Finite,
                Is(0.0),
            ),
            (
                binary(Binary::Multiply, [tensor(1), tensor(0)]),
                Is(0.0),
                Is(0.0),
            ),
            (binary(Binary::Divide, [exp(), tensor(1)]), Any, Any),
            (reduced(Reduce::Max, tensor(0)), Is(0.0), Data),
            (reduced(Reduce::Sum, exp()), Positive, Data),
            (softmax(), Positive, Finite),
        ] {
            let of = |tensor: usize, _| [Is(0.0), Finite][tensor];
            let found = [End::Rows, End::Columns].map(|end| padding(&expr, end, &of));
            assert_eq!(found, [rows, columns], "{expr:?}");
        }
    }
}
