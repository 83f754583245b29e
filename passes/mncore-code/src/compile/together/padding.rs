//! What a kernel leaves in the padding of its result.
//!
//! The host lays tensors out with zeros beyond their extents; a kernel works on them as on the rest, and stores what comes of it. A product sums over
//! the depth's padding, so its factors must have zeros there; elsewhere padding is worked on beside what counts, and must not stop the chip, which
//! traps where infinities meet.

use tessera_pto::kernel::{Axis, Binary};

use crate::whole::{Expr, ExprKind};

/// What all of the padding behind an end of rows or columns holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Padding {
    /// This number everywhere.
    Is(f64),
    /// Numbers that depend on the tensors.
    Varies,
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
        !matches!(self, Padding::Is(number) if !number.is_finite())
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
    let zero = |is: bool| {
        if is {
            Padding::ZERO
        } else {
            Padding::Varies
        }
    };
    match &expr.kind {
        ExprKind::Tensor(tensor, spread) => {
            let (is_spread, other) = match end {
                End::Rows => (spread.rows, End::Columns),
                End::Columns => (spread.columns, End::Rows),
            };
            match (is_spread, spread.transposed) {
                (true, _) => Padding::Varies,
                (false, true) => of(*tensor, other),
                (false, false) => of(*tensor, end),
            }
        }
        ExprKind::Fill(number) => Padding::Is(*number),
        ExprKind::Product(factors) => zero(match end {
            End::Rows => part(&factors[0]).is_zero(),
            End::Columns => part(&factors[1]).is_zero(),
        }),
        ExprKind::Convert(_, one) => part(one),
        ExprKind::Unary(function, one) => match part(one) {
            Padding::Is(number) => computed(number == 0.0, function.of(one.element, number)),
            Padding::Varies => Padding::Varies,
        },
        ExprKind::Binary(function, both) => match [part(&both[0]), part(&both[1])] {
            [Padding::Is(left), Padding::Is(right)] => {
                let value = function.of(both[0].element, left, right);
                computed(left == 0.0 && right == 0.0, value)
            }
            parts => {
                let is_product = *function == Binary::Multiply;
                zero(is_product && parts.iter().any(|part| part.is_zero()))
            }
        },
        ExprKind::Select(all) => match part(&all[0]) {
            Padding::Is(number) => part(&all[if number == 0.0 { 2 } else { 1 }]),
            Padding::Varies => zero(all[1..].iter().all(|one| part(one).is_zero())),
        },
        ExprKind::Reduce {
            axis, of: parts, ..
        } => {
            let is_kept = match end {
                End::Rows => *axis == Axis::Columns,
                End::Columns => *axis == Axis::Rows,
            };
            zero(is_kept && part(parts).is_zero())
        }
    }
}

/// A number that was computed: the chip's functions are exact at zero, elsewhere they need not be.
fn computed(of_zero: bool, number: f64) -> Padding {
    if of_zero || !number.is_finite() {
        Padding::Is(number)
    } else {
        Padding::Varies
    }
}
