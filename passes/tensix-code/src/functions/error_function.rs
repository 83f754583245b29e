//! The error function and the Gaussian error linear unit (GELU).
//!
//! For small `|x|`, `erf x` is an odd polynomial. Otherwise it is `1 - e^-P(|x|)` with the sign of
//! x, where the polynomial P approximates `-log(1 - erf |x|)`.
//! `erfc x = e^(-x²) · P(q) / (x + 2)` with `q = (x - 2) / (x + 2)` for x from 0 on, and 2 less
//! erfc of -x below; the square is a sum of two numbers, the first one exact (M. M. Shepherd and
//! J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 ≤ x < ∞", 1981).

use tessera_ops::Unary;
use tessera_pto::polynomials::power::UPPER;
use tessera_pto::polynomials::{ERF, ERFC, ERFCX, GELU_MIDDLE, GELU_SMALL, GELU_TAIL};

use super::compare::propagate_nan;
use super::exponential::{self, sub};
use super::reciprocal;
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Erf,
        erf,
        "1 with the sign of x where the magnitude of x is at least 4; +0 for zeros.",
    ),
    FunctionImpl::unary(
        Unary::Erfc,
        erfc,
        "2 for -inf; 0 from 9.2 on, where results are less than 2^-126.",
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

/// From here on erfc vanishes.
const VANISHING: f32 = 9.3;

pub(super) fn erfc(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let a = c.magnitude(x[0]);
    let a = c.min(a, VANISHING);
    let sum = c.add(a, 2.0);
    let inverse = reciprocal::recip_non_nan(c, sum);
    let quotient = c.add(a, -2.0);
    let quotient = c.mul(quotient, inverse);
    let value = c.horner(ERFCX.coefficients, quotient);
    let value = c.mul(value, inverse);
    // -a² = -u² - (a - u)(a + u)
    let upper = c.binary(Op::And, UPPER, a);
    let lower = sub(c, upper, a);
    let both = c.add(a, upper);
    let lower = c.mul(lower, both);
    let negative = c.negate(upper);
    let square = c.mul(negative, upper);
    let power = exponential::exp_of_sum(c, square, lower);
    let result = c.mul(power, value);
    let other = c.mad(result, -1.0, 2.0);
    c.when(Condition::Negative, x[0], |c| c.assign(result, other));
    propagate_nan(c, result, x[0]);
    result
}

/// Computes `max(x, 0) - |x|/2 · e^-P(|x|)`, where P approximates `-log(1 - erf(|x|/√2))`.
///
/// Up to 4, P is a polynomial. Beyond, it is `x²/2` plus a polynomial, as `x²/2` dominates there.
/// Up to `√2`, the result is `x/2 · (1 + erf(x/√2))` with an odd polynomial for erf.
///
/// Halves and magnitudes are computed again rather than kept: at most three registers are live
/// besides x, so that two vectors fit into the LRegs.
pub(super) fn gelu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = x[0];
    let magnitude = clamped_magnitude(c, x);
    let tail = c.horner(GELU_TAIL.coefficients, magnitude);
    let half = c.mul(magnitude, 0.5);
    let exponent = c.mad(half, magnitude, tail);
    let middle = c.horner(GELU_MIDDLE.coefficients, magnitude);
    assign_where_small(c, GELU_MIDDLE.range[1] as f32, magnitude, exponent, middle);
    let exponent = c.negate(exponent);
    let complement = exponential::exp_non_nan(c, exponent);
    let magnitude = clamped_magnitude(c, x);
    let half = c.mul(magnitude, -0.5);
    let relu = c.max(x, 0);
    let large = c.mad(complement, half, relu);
    let square = c.mul(x, x);
    let sum = c.horner(GELU_SMALL.coefficients, square);
    let sum = c.mul(sum, x);
    let half = c.mul(x, 0.5);
    let small = c.mad(sum, half, half);
    assign_where_small(c, GELU_SMALL.range[1].sqrt() as f32, x, large, small);
    propagate_nan(c, large, x);
    large
}

/// Computes `|x|`, at most the end of the range of [`GELU_TAIL`].
fn clamped_magnitude(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let magnitude = c.magnitude(x);
    c.min(magnitude, GELU_TAIL.range[1] as f32)
}
