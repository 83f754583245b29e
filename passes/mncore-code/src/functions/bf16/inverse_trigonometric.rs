//! Inverse trigonometric and hyperbolic functions.
//!
//! `acos x = √(1 - x) · P(x)` for x from 0 on (M. Abramowitz and I. A. Stegun, "Handbook of
//! Mathematical Functions", 4.4.45). The arc sine is the rest of a right angle above 1/2. The arc
//! tangent of x above 1 is what that of 1/x lacks of a right angle.

use std::f32::consts::{FRAC_PI_2, LN_2, PI};

use tessera_isa_mncore::table::MauKind;
use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::{ACOS_BF16, ASIN_BF16, ATAN_BF16};

use super::super::inverse_trigonometric::{
    atan2_by, atan_by, is_positive, magnitude, LARGE, SMALL,
};
use super::super::recipe::{minus, number, ItemBuilder};
use super::super::reciprocal::copy_sign;
use super::super::Row;
use super::logarithm::log1p;
use super::reciprocal::approximate_reciprocal;
use super::root::finite_sqrt;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary_bf16(Unary::Asin, [11, 7], asin, None),
    Row::unary_bf16(Unary::Acos, [8, 6], acos, None),
    Row::unary_bf16(Unary::Atan, [8, 8], atan, None),
    Row::unary_bf16(Unary::Asinh, [19, 21], asinh, None),
    Row::binary_bf16(Binary::Atan2, [11, 19], atan2, None),
];

/// A magnitude up to 1 and its arc cosine.
struct ArcCosine {
    magnitude: Value,
    angle: Value,
}

fn acos_of_magnitude(r: &mut ItemBuilder, x: &Operand) -> ArcCosine {
    let magnitude = magnitude(r, x);
    let magnitude = r.min(magnitude, number(1.0));
    let lacking = r.add(number(1.0), minus(magnitude));
    let root = finite_sqrt(r, lacking);
    let sum = r.horner(ACOS_BF16.coefficients, magnitude);
    let angle = r.mul(sum, root);
    ArcCosine { magnitude, angle }
}

fn asin(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let ArcCosine { magnitude, angle } = acos_of_magnitude(r, &x[0]);
    let result = r.add(number(FRAC_PI_2), minus(angle));
    let is_small = r.at_most(magnitude, number(SMALL));
    let square = r.mul(magnitude, magnitude);
    let sum = r.horner(ASIN_BF16.coefficients, square);
    let inputs = vec![sum.into(), magnitude.into()];
    r.mau_where(MauKind::Vmul, inputs, result, is_small);
    vec![copy_sign(r, x[0].clone(), result)]
}

fn acos(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let ArcCosine { angle, .. } = acos_of_magnitude(r, &x[0]);
    let left = r.add(number(PI), minus(angle));
    let is_right = is_positive(r, &x[0]);
    r.replace(left, is_right, angle);
    vec![left]
}

/// Returns the arc tangent of a number from 0 to 1.
fn atan_of_fraction(r: &mut ItemBuilder, t: Value) -> Value {
    let square = r.mul(t, t);
    let sum = r.horner(ATAN_BF16.coefficients, square);
    r.mul(sum, t)
}

/// Magnitudes are clamped to it, where the arc tangent rounds to π/2: 2^64.
const STEEPEST: f32 = 18_446_744_073_709_551_616.0;

fn atan(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = magnitude(r, &x[0]);
    let magnitude = r.min(magnitude, number(STEEPEST));
    let inverse = approximate_reciprocal(r, magnitude);
    atan_by(r, &x[0], [magnitude, inverse], atan_of_fraction)
}

fn atan2(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    atan2_by(r, x, approximate_reciprocal, atan_of_fraction)
}

/// Returns `log(1 + x + x² / (1 + √(1 + x²)))`, for a large `x` `log(1 + x) + ln 2`.
fn asinh(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = magnitude(r, &x[0]);
    let is_large = r.at_least(magnitude, number(LARGE));
    let bounded = r.min(magnitude, number(LARGE));
    let square = r.mul(bounded, bounded);
    let sum = r.add(square, number(1.0));
    let root = finite_sqrt(r, sum);
    let sum = r.add(root, number(1.0));
    let inverse = approximate_reciprocal(r, sum);
    let argument = r.fma(square, inverse, bounded);
    r.replace(argument, is_large, magnitude);
    let result = log1p(r, &[argument.into()])[0];
    let inputs = vec![result.into(), number(LN_2)];
    r.mau_where(MauKind::Vadd, inputs, result, is_large);
    vec![copy_sign(r, x[0].clone(), result)]
}
