//! Inverse trigonometric and hyperbolic functions.
//!
//! The arc tangent is a polynomial up to 1; above, it is `π/2 - atan(1/x)`. The arc sine is a
//! polynomial up to 1/2; above, it is `π/2 - 2·asin(√((1-x)/2))` (W. J. Cody and W. Waite,
//! "Software Manual for the Elementary Functions", 1980).

use std::f32::consts::{FRAC_PI_2, LN_2, PI};

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{AluKind, MauKind};
use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::{ASIN, ATAN};

use super::recipe::{minus, number, word, ItemBuilder, EXPONENT, SIGN};
use super::reciprocal::{self, copy_sign, Scaled};
use super::{logarithm, root, Row};
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Asin,
        [18, 18],
        asin,
        "The arc sine.",
        "±π/2 from 1 on in magnitude.",
    ),
    Row::unary(
        Unary::Acos,
        [20, 20],
        acos,
        "The arc cosine.",
        "0 from 1 on, π from -1 on down.",
    ),
    Row::unary(
        Unary::Atan,
        [18, 11],
        atan,
        "The arc tangent.",
        "±π/2 for ±inf.",
    ),
    Row::unary(
        Unary::Asinh,
        [35, 27],
        asinh,
        "The inverse of the hyperbolic sine.",
        "±inf for ±inf.",
    ),
    Row::binary(
        Binary::Atan2,
        [21, 19],
        atan2,
        "The angle of the point with the abscissa y and the ordinate x.",
        "As C's atan2 for zeros and infinities, with their signs.",
    ),
];

pub(super) fn magnitude(r: &mut ItemBuilder, x: &Operand) -> Value {
    r.int(AluKind::And, x.clone(), word(!SIGN))
}

/// Returns flags for numbers whose sign bit is clear.
pub(super) fn is_positive(r: &mut ItemBuilder, x: &Operand) -> Value {
    let inputs = [x.clone(), word(SIGN)];
    r.flags(AluKind::And, Precision::Int, &inputs, None)
}

/// Returns the arc tangent of a number from 0 to 1.
fn atan_of_fraction(r: &mut ItemBuilder, t: Value) -> Value {
    let square = r.mul(t, t);
    let cube = r.mul(square, t);
    let sum = r.horner(ATAN.coefficients, square);
    r.fma(cube, sum, t)
}

fn atan(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = magnitude(r, &x[0]);
    let inverse = reciprocal::recip(r, &[magnitude.into()])[0];
    atan_by(r, &x[0], [magnitude, inverse], atan_of_fraction)
}

/// Returns the arc tangent of a number, given its magnitude with the reciprocal of that, and a
/// function for the arc tangent of a number from 0 to 1.
pub(super) fn atan_by(
    r: &mut ItemBuilder,
    x: &Operand,
    [magnitude, inverse]: [Value; 2],
    atan_of_fraction: OfValue,
) -> Vec<Value> {
    let fraction = r.min(magnitude, inverse);
    let result = atan_of_fraction(r, fraction);
    let steep = r.add(number(FRAC_PI_2), minus(result));
    let is_steep = r.at_least(magnitude, number(1.0));
    r.replace(result, is_steep, steep);
    vec![copy_sign(r, x.clone(), result)]
}

/// Returns the angle of a point by the quotient of its lesser and its greater coordinate, which are
/// scaled before so that only the quotient underflows.
fn atan2(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    atan2_by(r, x, reciprocal::reciprocal_of_normal, atan_of_fraction)
}

/// A function of one value.
type OfValue = fn(&mut ItemBuilder, Value) -> Value;

/// Returns the angle of a point, given functions for reciprocals of numbers from 2 to 4 and for the
/// arc tangent of a number from 0 to 1.
pub(super) fn atan2_by(
    r: &mut ItemBuilder,
    x: &[Operand],
    reciprocal_of_normal: OfValue,
    atan_of_fraction: OfValue,
) -> Vec<Value> {
    let [ordinate, abscissa] = [0, 1].map(|index| magnitude(r, &x[index]));
    let lesser = r.min(ordinate, abscissa);
    let greater = r.max(ordinate, abscissa);
    let is_diagonal = r.at_least(lesser, word(EXPONENT));
    let finite = r.min(lesser, number(f32::MAX));
    let Scaled {
        number: scaled,
        divisor,
        ..
    } = reciprocal::scaled(r, finite, greater);
    let inverse = reciprocal_of_normal(r, divisor);
    let fraction = r.mul(scaled, inverse);
    r.replace(fraction, is_diagonal, number(1.0));
    let flat = atan_of_fraction(r, fraction);
    let result = r.add(number(FRAC_PI_2), minus(flat));
    let is_flat = r.at_most(ordinate, abscissa);
    r.replace(result, is_flat, flat);
    let left = r.add(number(PI), minus(result));
    let is_right = is_positive(r, &x[1]);
    r.replace(left, is_right, result);
    vec![copy_sign(r, x[0].clone(), left)]
}

/// The largest argument for which the arc sine is a polynomial.
pub(super) const SMALL: f32 = 0.5;

/// The arc sine of a magnitude up to [`SMALL`], or half of what it lacks of a right angle.
struct Half {
    angle: Value,
    /// Flags for magnitudes from [`SMALL`] on.
    is_large: Value,
}

/// Returns the half for the magnitude of `x`, which is clamped to 1.
fn half(r: &mut ItemBuilder, x: &Operand) -> Half {
    let magnitude = magnitude(r, x);
    let magnitude = r.min(magnitude, number(1.0));
    let half = r.fma(magnitude, number(-0.5), number(0.5));
    let is_large = r.at_least(magnitude, number(SMALL));
    let root = root::sqrt(r, &[half.into()])[0];
    let square = r.mul(magnitude, magnitude);
    r.replace(square, is_large, half);
    let argument = r.copy(magnitude);
    r.replace(argument, is_large, root);
    let cube = r.mul(square, argument);
    // A copy for the operations that read the polynomial's coefficients.
    let square = r.copy(square);
    let sum = r.horner(ASIN.coefficients, square);
    let angle = r.fma(cube, sum, argument);
    Half { angle, is_large }
}

fn asin(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let Half { angle, is_large } = half(r, &x[0]);
    let result = r.fma(angle, number(-2.0), number(FRAC_PI_2));
    r.replace(angle, is_large, result);
    vec![copy_sign(r, x[0].clone(), angle)]
}

fn acos(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let Half { angle, is_large } = half(r, &x[0]);
    let right = r.add(angle, angle);
    let large = r.add(number(PI), minus(right));
    let is_right = is_positive(r, &x[0]);
    r.replace(large, is_right, right);
    let signed = copy_sign(r, x[0].clone(), angle);
    let result = r.add(number(FRAC_PI_2), minus(signed));
    r.replace(result, is_large, large);
    vec![result]
}

/// From here on the inverse hyperbolic sine is the logarithm of twice `x`.
pub(super) const LARGE: f32 = 1_048_576.0;

/// Returns `log(1 + x + x² / (1 + √(1 + x²)))`, for a large `x` `log(1 + x) + ln 2`.
fn asinh(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = magnitude(r, &x[0]);
    let is_large = r.at_least(magnitude, number(LARGE));
    let bounded = r.min(magnitude, number(LARGE));
    let square = r.mul(bounded, bounded);
    let sum = r.add(square, number(1.0));
    let root = root::sqrt(r, &[sum.into()])[0];
    let sum = r.add(root, number(1.0));
    let inverse = reciprocal::reciprocal_of_normal(r, sum);
    let argument = r.fma(square, inverse, bounded);
    r.replace(argument, is_large, magnitude);
    let result = logarithm::log1p(r, &[argument.into()])[0];
    let inputs = vec![result.into(), number(LN_2)];
    r.mau_where(MauKind::Vadd, inputs, result, is_large);
    vec![copy_sign(r, x[0].clone(), result)]
}
