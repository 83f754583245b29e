//! The error function and the Gaussian error linear unit (GELU).
//!
//! For small `|x|`, `erf x` is an odd polynomial. Otherwise it is `1 - e^-P(|x|)` with the sign of
//! x, where the polynomial P approximates `-log(1 - erf |x|)`.

use tessera_ops::Unary;
use tessera_pto::polynomials::{ERF, ERFC, GELU_MIDDLE, GELU_SMALL, GELU_TAIL};

use super::compare::propagate_nan;
use super::exponential;
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Erf,
        erf,
        "1 with the sign of x where `|x|` is at least 4; +0 for zeros.",
    ),
    FunctionImpl::unary(
        Unary::Gelu,
        gelu,
        "0 below -12.8, where results are less than 10^-35, and for -inf.",
    ),
];

/// From this magnitude on, `|erf x|` rounds to 1.
const SATURATION: f32 = 4.0;

/// Assigns `other` to `result` in the lanes where `|x|` does not exceed `limit`.
fn assign_where_small(c: &mut SfpuBuilder, limit: f32, x: Reg, result: Reg, other: Reg) {
    let magnitude = c.magnitude(x);
    let limit = c.constant(limit.to_bits());
    c.begin_when_difference(false, limit, magnitude);
    c.assign(result, other);
    c.end_when();
}

pub(super) fn erf(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = x[0];
    let magnitude = c.magnitude(x);
    let magnitude = c.min(magnitude, SATURATION);
    let exponent = c.horner(ERFC.coefficients, magnitude);
    let exponent = c.negate(exponent);
    let complement = exponential::exp_non_nan(c, exponent);
    let large = c.mad(complement, -1.0, 1.0);
    let result = c.binary(Op::CopySign, large, x);
    let square = c.mul(x, x);
    let sum = c.horner(ERF.coefficients, square);
    let small = c.mul(sum, x);
    assign_where_small(c, ERF.range[1] as f32, x, result, small);
    propagate_nan(c, result, x);
    result
}

/// Computes `max(x, 0) - |x|/2 · e^-P(|x|)`, where P approximates `-log(1 - erf(|x|/√2))`.
///
/// Up to 4, P is a polynomial. Beyond, it is `x²/2` plus a polynomial, as `x²/2` dominates there.
/// Up to `√2`, the result is `x/2 · (1 + erf(x/√2))` with an odd polynomial for erf.
pub(super) fn gelu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = x[0];
    let magnitude = c.magnitude(x);
    let magnitude = c.min(magnitude, GELU_TAIL.range[1] as f32);
    let half = c.mul(magnitude, 0.5);
    let tail = c.horner(GELU_TAIL.coefficients, magnitude);
    let exponent = c.mad(half, magnitude, tail);
    let middle = c.horner(GELU_MIDDLE.coefficients, magnitude);
    assign_where_small(c, GELU_MIDDLE.range[1] as f32, magnitude, exponent, middle);
    let exponent = c.negate(exponent);
    let complement = exponential::exp_non_nan(c, exponent);
    let relu = c.max(x, 0);
    let half = c.negate(half);
    let large = c.mad(complement, half, relu);
    let half = c.mul(x, 0.5);
    let square = c.mul(x, x);
    let sum = c.horner(GELU_SMALL.coefficients, square);
    let sum = c.mul(sum, x);
    let small = c.mad(sum, half, half);
    assign_where_small(c, GELU_SMALL.range[1].sqrt() as f32, x, large, small);
    propagate_nan(c, large, x);
    large
}
