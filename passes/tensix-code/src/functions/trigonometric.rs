//! Trigonometric and hyperbolic functions.

use tessera_ops::Unary;
use tessera_pto::polynomials::TANH;

use super::compare::keep_nan;
use super::{exponential, reciprocal, Row};
use crate::code::Code;
use crate::item::{Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[Row] = &[Row::unary(
    Unary::Tanh,
    tanh,
    "1 with the sign of x where that is nearest; +0 for zeros.",
)];

/// Up to here tanh is a polynomial.
const SMALL: f32 = 0.6;

/// A polynomial for small x; else `1 - 2 / (e^(2|x|) + 1)` with the sign of x.
pub(super) fn tanh(c: &mut Code, x: &[Reg]) -> Reg {
    let x = x[0];
    let magnitude = c.magnitude(x);
    let twice = c.add(magnitude, magnitude);
    let power = exponential::of_number(c, twice);
    let sum = c.add(power, 1.0);
    let y = reciprocal::of_number(c, sum);
    let large = c.mad(y, -2.0, 1.0);
    let result = c.of_two(Op::SignOf, large, x);
    let square = c.mul(x, x);
    let sum = c.horner(TANH.coefficients, square);
    let cube = c.mul(square, x);
    let small = c.mad(sum, cube, x);
    let distance = c.magnitude(x);
    let limit = c.number(SMALL.to_bits());
    c.also_when_difference(false, limit, distance);
    c.assign(result, small);
    c.end();
    keep_nan(c, result, x);
    result
}
