//! The error function, and the gaussian error linear unit.
//!
//! A polynomial where x is small; else `1 - e^-P(|x|)`, with a polynomial P for `-log(1 - erf x)`.

use tessera_ops::Unary;
use tessera_pto::polynomials::{ERF, ERFC, GELU_MIDDLE, GELU_SMALL, GELU_TAIL};

use super::compare::keep_nan;
use super::exponential;
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Erf,
        erf,
        "1 with the sign of x from 4 on; +0 for zeros.",
    ),
    FunctionImpl::unary(
        Unary::Gelu,
        gelu,
        "0 below -12.8, where results are less than 10^-35, and for -inf.",
    ),
];

/// From here on erf is 1.
const ONE: f32 = 4.0;

/// In the lanes where `|x|` is not above a limit, `result` becomes `other`.
fn up_to(c: &mut SfpuBuilder, limit: f32, x: Reg, result: Reg, other: Reg) {
    let magnitude = c.magnitude(x);
    let limit = c.constant(limit.to_bits());
    c.begin_when_difference(false, limit, magnitude);
    c.assign(result, other);
    c.end_when();
}

pub(super) fn erf(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = x[0];
    let magnitude = c.magnitude(x);
    let magnitude = c.min(magnitude, ONE);
    let power = c.horner(ERFC.coefficients, magnitude);
    let power = c.negate(power);
    let rest = exponential::of_number(c, power);
    let large = c.mad(rest, -1.0, 1.0);
    let result = c.binary(Op::CopySign, large, x);
    let square = c.mul(x, x);
    let sum = c.horner(ERF.coefficients, square);
    let small = c.mul(sum, x);
    up_to(c, ERF.range[1] as f32, x, result, small);
    keep_nan(c, result, x);
    result
}

/// `x/2 · e^-P(|x|)` is what is lost of x, or what is left of zero. Far from zero P is a square and
/// little more.
pub(super) fn gelu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = x[0];
    let magnitude = c.magnitude(x);
    let magnitude = c.min(magnitude, GELU_TAIL.range[1] as f32);
    let half = c.mul(magnitude, 0.5);
    let tail = c.horner(GELU_TAIL.coefficients, magnitude);
    let power = c.mad(half, magnitude, tail);
    let middle = c.horner(GELU_MIDDLE.coefficients, magnitude);
    up_to(c, GELU_MIDDLE.range[1] as f32, magnitude, power, middle);
    let power = c.negate(power);
    let rest = exponential::of_number(c, power);
    // x above zero, and 0 below.
    let result = c.max(x, 0);
    let half = c.negate(half);
    let large = c.mad(rest, half, result);
    let half = c.mul(x, 0.5);
    let square = c.mul(x, x);
    let sum = c.horner(GELU_SMALL.coefficients, square);
    let sum = c.mul(sum, x);
    let small = c.mad(sum, half, half);
    up_to(c, GELU_SMALL.range[1].sqrt() as f32, x, large, small);
    keep_nan(c, large, x);
    large
}
