//! Trigonometric and hyperbolic functions.
//!
//! # Argument reduction
//! An angle is `x = k · π/2 + r`, where k is the integer nearest to `x / (π/2)`. So `|r|` is at
//! most slightly more than π/4, and polynomials approximate sine and cosine there. The quadrant, k
//! modulo 4, selects one of them and the sign.
//!
//! This is the reduction of Cody and Waite ("Software Manual for the Elementary Functions", 1980):
//! π/2 is a sum of parts short enough that their products with k are exact. Angles are below 2^16,
//! so k has 16 bits and the parts have 8; the last part is rounded to 24 bits. The error of the sum
//! is less than 2^-67, and its product with k less than 2^-51. No nonzero f32 below 2^16 is nearer
//! than 2^-28 to a multiple of π/2, so r is accurate. The result is NaN for larger angles, where r
//! would lose precision.
//!
//! # Hyperbolic tangent
//! An odd polynomial for small `|x|`, and `1 - 2 / (e^(2|x|) + 1)` with the sign of x otherwise.

use tessera_ops::Unary;
use tessera_pto::bounds::MAX_ANGLE;
use tessera_pto::polynomials::{COS, SIN, TANH};

use super::arithmetic::ROUNDING_CONSTANT;
use super::compare::propagate_nan;
use super::{exponential, reciprocal, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Sin,
        sin,
        "NaN where the magnitude of x is at least 65536; +0 for zeros.",
    ),
    FunctionImpl::unary(
        Unary::Cos,
        cos,
        "NaN where the magnitude of x is at least 65536.",
    ),
    FunctionImpl::unary(
        Unary::Tan,
        tan,
        "NaN where the magnitude of x is at least 65536; zeros for zeros.",
    ),
    FunctionImpl::unary(
        Unary::Tanh,
        tanh,
        "1 with the sign of x where the result rounds to it; +0 for zeros.",
    ),
];

/// `-π/2` as a sum of parts, the largest first.
const NEG_HALF_PI: [f32; 6] = [
    -1.570_312_5,
    -0.000_484_466_55,
    6.407_499_3e-7,
    -9.895_302e-10,
    -2.557_953_8e-12,
    -5.390_303e-15,
];

/// Sine and cosine of an angle after argument reduction.
struct Reduced {
    sine: Reg,
    cosine: Reg,
    /// The number of right angles subtracted, in the lowest bits.
    quadrant: Reg,
}

fn reduced(c: &mut SfpuBuilder, x: Reg) -> Reduced {
    let quadrant = c.mad(x, std::f32::consts::FRAC_2_PI, ROUNDING_CONSTANT);
    let k = c.add(quadrant, -ROUNDING_CONSTANT);
    let mut rest = x;
    for part in NEG_HALF_PI {
        rest = c.mad(k, part, rest);
    }
    let square = c.mul(rest, rest);
    let sum = c.horner(SIN.coefficients, square);
    let cube = c.mul(square, rest);
    let sine = c.mad(sum, cube, rest);
    let sum = c.horner(COS.coefficients, square);
    let sum = c.mad(sum, square, -0.5);
    let cosine = c.mad(sum, square, 1.0);
    Reduced {
        sine,
        cosine,
        quadrant,
    }
}

/// Sets `result` to NaN where `|x|` is at least [`MAX_ANGLE`].
pub(super) fn refuse_large(c: &mut SfpuBuilder, result: Reg, x: Reg) {
    let magnitude = c.magnitude(x);
    let max_valid = c.constant(MAX_ANGLE.to_bits() - 1);
    c.begin_when_difference(true, max_valid, magnitude);
    c.assign(result, f32::NAN);
    c.end_when();
}

/// Computes `sin(x + right_angles · π/2)`.
fn sine(c: &mut SfpuBuilder, x: Reg, right_angles: i16) -> Reg {
    let Reduced {
        sine: result,
        cosine,
        quadrant,
    } = reduced(c, x);
    let quadrant = c.unary(Op::IntAddNumber(right_angles), quadrant);
    let is_odd = c.shift_by(quadrant, 31);
    c.when(Condition::Negative, is_odd, |c| c.assign(result, cosine));
    let half = c.shift_by(quadrant, -1);
    let sign = c.shift_by(half, 31);
    let result = c.binary(Op::Xor, sign, result);
    refuse_large(c, result, x);
    result
}

/// Computes `sin r / cos r` in even quadrants and `-cos r / sin r` in odd ones, where r is the
/// reduced angle.
pub(super) fn tan(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let Reduced {
        sine,
        cosine,
        quadrant,
    } = reduced(c, x[0]);
    let is_odd = c.shift_by(quadrant, 31);
    let (dividend, divisor) = (c.copy(sine), c.copy(cosine));
    c.begin_when(Condition::Negative, is_odd);
    c.assign(dividend, cosine);
    c.assign(divisor, sine);
    c.end_when();
    let inverse = reciprocal::recip_non_nan(c, divisor);
    let quotient = c.mul(dividend, inverse);
    let result = c.binary(Op::Xor, is_odd, quotient);
    refuse_large(c, result, x[0]);
    result
}

pub(super) fn sin(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    sine(c, x[0], 0)
}

pub(super) fn cos(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    sine(c, x[0], 1)
}

/// The polynomial computes tanh up to this magnitude.
const POLYNOMIAL_LIMIT: f32 = 0.6;

/// Computes both the polynomial and the exponential form, and selects by magnitude.
pub(super) fn tanh(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = x[0];
    let magnitude = c.magnitude(x);
    let twice = c.add(magnitude, magnitude);
    let power = exponential::exp_non_nan(c, twice);
    let sum = c.add(power, 1.0);
    let y = reciprocal::recip_non_nan(c, sum);
    let large = c.mad(y, -2.0, 1.0);
    let result = c.binary(Op::CopySign, large, x);
    let square = c.mul(x, x);
    let sum = c.horner(TANH.coefficients, square);
    let cube = c.mul(square, x);
    let small = c.mad(sum, cube, x);
    let distance = c.magnitude(x);
    let limit = c.constant(POLYNOMIAL_LIMIT.to_bits());
    c.begin_when_difference(false, limit, distance);
    c.assign(result, small);
    c.end_when();
    propagate_nan(c, result, x);
    result
}
