//! Inverse trigonometric and hyperbolic functions.
//!
//! The arc tangent is a polynomial up to 1; above, it is `π/2 - atan(1/x)`. The arc sine is a
//! polynomial up to 1/2; above, it is `π/2 - 2·asin(√((1-x)/2))` (W. J. Cody and W. Waite,
//! "Software Manual for the Elementary Functions", 1980).

use std::f32::consts::{FRAC_PI_2, LN_2, PI};

use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::{ASIN, ATAN};

use super::compare::{flush_denormals, propagate_nan};
use super::{logarithm, reciprocal, root, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Asin,
        asin,
        "NaN above 1 in magnitude; zeros for zeros and denormals.",
    ),
    FunctionImpl::unary(Unary::Acos, acos, "NaN above 1 in magnitude."),
    FunctionImpl::unary(
        Unary::Atan,
        atan,
        "π/2 with the sign of x for infinities; zeros for zeros and denormals.",
    ),
    FunctionImpl::unary(
        Unary::Asinh,
        asinh,
        "Infinities for infinities; zeros for zeros and denormals.",
    ),
    FunctionImpl::binary(
        Binary::Atan2,
        atan2,
        "As C's atan2 for zeros and infinities, with their signs.",
    ),
];

/// Minus a number, from another one.
fn complement(c: &mut SfpuBuilder, x: Reg, from: impl Into<Operand>) -> Reg {
    c.mad(x, -1.0, from)
}

/// Assigns `other` to `result` in the lanes where a magnitude is above a limit.
pub(super) fn above(c: &mut SfpuBuilder, limit: f32, magnitude: Reg, result: Reg, other: Reg) {
    let copy = c.copy(magnitude);
    let limit = c.constant(limit.to_bits());
    c.begin_when_difference(true, limit, copy);
    c.assign(result, other);
    c.end_when();
}

/// Returns the arc tangent of a number from 0 to 1.
fn of_fraction(c: &mut SfpuBuilder, t: Reg) -> Reg {
    let square = c.mul(t, t);
    let sum = c.horner(ATAN.coefficients, square);
    let cube = c.mul(square, t);
    c.mad(sum, cube, t)
}

pub(super) fn atan(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let inverse = reciprocal::recip_non_nan(c, magnitude);
    let fraction = c.min(magnitude, inverse);
    let result = of_fraction(c, fraction);
    let steep = complement(c, result, FRAC_PI_2);
    let magnitude = c.magnitude(x[0]);
    above(c, 1.0, magnitude, result, steep);
    let result = c.binary(Op::CopySign, result, x[0]);
    propagate_nan(c, result, x[0]);
    result
}

const INFINITY: u32 = 0x7f80_0000;

/// Returns the angle of a point by the quotient of its lesser and its greater coordinate. The
/// lesser one is multiplied by a power of two first, which neither overflows nor underflows unless
/// the quotient does.
pub(super) fn atan2(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    atan2_by(c, x, reciprocal::negative_of_mantissa, of_fraction)
}

/// Returns the angle of a point, given functions for `-1/m` of an m from 2 to 4 and for the arc
/// tangent of a number from 0 to 1.
pub(super) fn atan2_by(
    c: &mut SfpuBuilder,
    x: &[Reg],
    negative_of_mantissa: fn(&mut SfpuBuilder, Reg) -> Reg,
    of_fraction: fn(&mut SfpuBuilder, Reg) -> Reg,
) -> Reg {
    let [lesser, greater] = {
        let [y, x] = [x[0], x[1]].map(|x| c.magnitude(x));
        let [y, x] = [y, x].map(|x| flush_denormals(c, x));
        c.sort(y, x)
    };
    let power = reciprocal::power(c, greater);
    let scaled = c.mul(lesser, power);
    c.when(Condition::Zero, lesser, |c| c.assign(scaled, 0));
    let m = reciprocal::mantissa(c, greater);
    let inverse = negative_of_mantissa(c, m);
    let fraction = c.mul(scaled, inverse);
    // The quotient of infinities.
    let magnitude = c.magnitude(fraction);
    let infinity = c.constant(INFINITY);
    c.begin_when_difference(true, infinity, magnitude);
    c.assign(fraction, 1.0);
    c.end_when();
    let result = of_fraction(c, fraction);
    let steep = complement(c, result, FRAC_PI_2);
    let [ordinate, abscissa] = [x[0], x[1]].map(|x| c.magnitude(x));
    c.begin_when_difference(true, abscissa, ordinate);
    c.assign(result, steep);
    c.end_when();
    let left = complement(c, result, PI);
    c.when(Condition::Negative, x[1], |c| c.assign(result, left));
    let result = c.binary(Op::CopySign, result, x[0]);
    propagate_nan(c, result, x[0]);
    propagate_nan(c, result, x[1]);
    result
}

/// Up to here the arc sine is a polynomial.
pub(super) const SMALL: f32 = 0.5;

/// Returns the arc sine of a magnitude up to 1/2, or half of what it lacks of a right angle.
fn of_half(c: &mut SfpuBuilder, magnitude: Reg) -> Reg {
    let half = c.mad(magnitude, -0.5, 0.5);
    let argument = root::sqrt(c, &[half]);
    let square = c.copy(half);
    let small = c.mul(magnitude, magnitude);
    let copy = c.copy(magnitude);
    let limit = c.constant(SMALL.to_bits());
    c.begin_when_difference(false, limit, copy);
    c.assign(argument, magnitude);
    c.assign(square, small);
    c.end_when();
    let sum = c.horner(ASIN.coefficients, square);
    let cube = c.mul(square, argument);
    c.mad(sum, cube, argument)
}

pub(super) fn asin(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let result = of_half(c, magnitude);
    let steep = c.mad(result, -2.0, FRAC_PI_2);
    above(c, SMALL, magnitude, result, steep);
    c.binary(Op::CopySign, result, x[0])
}

pub(super) fn acos(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let angle = of_half(c, magnitude);
    let signed = c.binary(Op::CopySign, angle, x[0]);
    let result = complement(c, signed, FRAC_PI_2);
    let large = c.add(angle, angle);
    let left = complement(c, large, PI);
    c.when(Condition::Negative, x[0], |c| c.assign(large, left));
    above(c, SMALL, magnitude, result, large);
    result
}

/// From here on the inverse hyperbolic sine is the logarithm of twice x.
pub(super) const LARGE: f32 = 1_048_576.0;

/// Returns `log(1 + x + x² / (1 + √(1 + x²)))`, of a large x `log(1 + x) + ln 2`.
pub(super) fn asinh(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let square = c.mul(magnitude, magnitude);
    let sum = c.add(square, 1.0);
    let root = root::sqrt(c, &[sum]);
    let sum = c.add(root, 1.0);
    let inverse = reciprocal::recip_non_nan(c, sum);
    let argument = c.mad(square, inverse, magnitude);
    above(c, LARGE, magnitude, argument, magnitude);
    let result = logarithm::log1p_of(c, argument);
    let large = c.add(result, LN_2);
    let magnitude = c.magnitude(x[0]);
    above(c, LARGE, magnitude, result, large);
    c.binary(Op::CopySign, result, x[0])
}
