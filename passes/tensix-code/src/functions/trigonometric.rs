//! Trigonometric and hyperbolic functions.
//!
//! # Argument reduction
//! An angle is `x = k · π/2 + r` with the integer k nearest to `x / (π/2)`, so `|r|` is little more
//! than π/4, where sine and cosine are polynomials; k modulo 4 says which of them, and its sign.
//! This is the reduction of Cody and Waite ("Software Manual for the Elementary Functions", 1980):
//! π/2 is a sum of parts so short that their products with k are exact. Angles are below 2^16, so k
//! has 16 bits and the parts have 8; the last one is rounded to 24 bits. What they lack of π/2 is
//! less than 2^-67, and k times that less than 2^-51, while no f32 but 0 below 2^16 is nearer than
//! 2^-28 to a multiple of π/2. Above, where r would lose its last digits, the result is NaN.

use tessera_ops::Unary;
use tessera_pto::bounds::MAX_ANGLE;
use tessera_pto::polynomials::{COS, SIN, TANH};

use super::arithmetic::INTEGER;
use super::compare::keep_nan;
use super::{exponential, reciprocal, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Sin,
        sin,
        "NaN from 65536 on in magnitude, and for infinities; +0 for zeros.",
    ),
    FunctionImpl::unary(
        Unary::Cos,
        cos,
        "NaN from 65536 on in magnitude, and for infinities.",
    ),
    FunctionImpl::unary(
        Unary::Tanh,
        tanh,
        "1 with the sign of x where that is nearest; +0 for zeros.",
    ),
];

/// Minus π/2, in parts.
const LESS_HALF_PI: [f32; 6] = [
    -1.570_312_5,
    -0.000_484_466_55,
    6.407_499_3e-7,
    -9.895_302e-10,
    -2.557_953_8e-12,
    -5.390_303e-15,
];

/// Returns the sine of an angle, and so many right angles.
fn sine(c: &mut SfpuBuilder, x: Reg, right_angles: i16) -> Reg {
    let shifted = c.mad(x, std::f32::consts::FRAC_2_PI, INTEGER);
    let k = c.add(shifted, -INTEGER);
    let mut rest = x;
    for part in LESS_HALF_PI {
        rest = c.mad(k, part, rest);
    }
    let quadrant = c.unary(Op::IntAddNumber(right_angles), shifted);
    let square = c.mul(rest, rest);
    let sum = c.horner(SIN.coefficients, square);
    let cube = c.mul(square, rest);
    let result = c.mad(sum, cube, rest);
    let sum = c.horner(COS.coefficients, square);
    let sum = c.mad(sum, square, -0.5);
    let cosine = c.mad(sum, square, 1.0);
    let is_odd = c.shift_by(quadrant, 31);
    c.when(Condition::Negative, is_odd, |c| c.assign(result, cosine));
    let half = c.shift_by(quadrant, -1);
    let sign = c.shift_by(half, 31);
    let result = c.binary(Op::Xor, sign, result);
    let magnitude = c.magnitude(x);
    let most = c.constant(MAX_ANGLE.to_bits() - 1);
    c.begin_when_difference(true, most, magnitude);
    c.assign(result, f32::NAN);
    c.end_when();
    result
}

pub(super) fn sin(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    sine(c, x[0], 0)
}

pub(super) fn cos(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    sine(c, x[0], 1)
}

/// Up to here tanh is a polynomial.
const SMALL: f32 = 0.6;

/// Returns a polynomial for small x; else `1 - 2 / (e^(2|x|) + 1)` with the sign of x.
pub(super) fn tanh(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = x[0];
    let magnitude = c.magnitude(x);
    let twice = c.add(magnitude, magnitude);
    let power = exponential::of_number(c, twice);
    let sum = c.add(power, 1.0);
    let y = reciprocal::of_number(c, sum);
    let large = c.mad(y, -2.0, 1.0);
    let result = c.binary(Op::CopySign, large, x);
    let square = c.mul(x, x);
    let sum = c.horner(TANH.coefficients, square);
    let cube = c.mul(square, x);
    let small = c.mad(sum, cube, x);
    let distance = c.magnitude(x);
    let limit = c.constant(SMALL.to_bits());
    c.begin_when_difference(false, limit, distance);
    c.assign(result, small);
    c.end_when();
    keep_nan(c, result, x);
    result
}
