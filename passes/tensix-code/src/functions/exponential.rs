//! The exponential function and what is made of it.
//!
//! `e^x = 2^n · e^r` with the integer n nearest to `x / ln 2`; `e^r` is a polynomial, `2^n` a shift.

use tessera_ops::Unary;
use tessera_pto::polynomials::EXP;

use super::compare::keep_nan;
use super::reciprocal;
use super::Row;
use crate::code::Code;
use crate::item::{Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Exp,
        exp,
        "inf from 88.7229 on; 0 below -86.99, where results are less than 1.42 · 2^-126.",
    ),
    Row::unary(
        Unary::Sigmoid,
        sigmoid,
        "0 below -87.3, where results are near 2^-126; 1 for inf.",
    ),
    Row::unary(
        Unary::Silu,
        silu,
        "0 below -87.3, where results are less than 1.2 · 10^-36; NaN for -inf.",
    ),
];

/// Minus `ln 2` in two parts, the first so short that its products with n are exact.
const LESS_LN_2: [f32; 2] = [-0.693_145_75, -1.428_606_8e-6];
/// 1.5 · 2^23: added to a number of few digits, it leaves the nearest integer in the low bits.
const INTEGER: f32 = 12_582_912.0;
/// From here on the result is infinite, and up to it `2^(n-1)` has an exponent.
const MOST: f32 = 89.0;
/// From here on down the result is 0, and down to it `2^(n-1)` has an exponent or that of 0.
const LEAST: f32 = -87.5;

/// `e^x` of an x that is not NaN.
pub(super) fn of_number(c: &mut Code, x: Reg) -> Reg {
    let x = c.min(x, MOST);
    let x = c.max(x, LEAST);
    let shifted = c.mad(x, std::f32::consts::LOG2_E, INTEGER);
    let n = c.add(shifted, -INTEGER);
    let rest = c.mad(n, LESS_LN_2[0], x);
    let rest = c.mad(n, LESS_LN_2[1], rest);
    // 2^(n-1), so that the largest results need no larger power than there is. What the shift moves out is that of `INTEGER`.
    let power = c.of_one(Op::IntAddNumber(126), shifted);
    let power = c.shift_by(power, 23);
    let mut sum = c.horner(EXP.coefficients, rest);
    for coefficient in [2.0, 2.0] {
        sum = c.mad(sum, rest, coefficient);
    }
    c.mul(sum, power)
}

pub(super) fn exp(c: &mut Code, x: &[Reg]) -> Reg {
    let result = of_number(c, x[0]);
    keep_nan(c, result, x[0]);
    result
}

/// `1 / (1 + e^-x)` of an x that is not NaN.
fn sigmoid_of_number(c: &mut Code, x: Reg) -> Reg {
    let negative = c.negate(x);
    let power = of_number(c, negative);
    let sum = c.add(power, 1.0);
    reciprocal::of_number(c, sum)
}

pub(super) fn sigmoid(c: &mut Code, x: &[Reg]) -> Reg {
    let result = sigmoid_of_number(c, x[0]);
    keep_nan(c, result, x[0]);
    result
}

/// The product of NaN is NaN.
pub(super) fn silu(c: &mut Code, x: &[Reg]) -> Reg {
    let factor = sigmoid_of_number(c, x[0]);
    c.mul(factor, x[0])
}
