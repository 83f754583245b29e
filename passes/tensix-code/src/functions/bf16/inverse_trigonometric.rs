//! Inverse trigonometric and hyperbolic functions.
//!
//! `acos x = √(1 - x) · P(x)` for x from 0 on (M. Abramowitz and I. A. Stegun, "Handbook of
//! Mathematical Functions", 4.4.45). The arc sine is the rest of a right angle above 1/2. The arc
//! tangent of x above 1 is what that of 1/x lacks of a right angle.

use std::f32::consts::{FRAC_PI_2, LN_2, PI};

use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::{ACOS_BF16, ASIN_BF16, ATAN_BF16, RECIP};

use super::super::compare::propagate_nan;
use super::super::inverse_trigonometric::{above, atan2_by, LARGE, SMALL};
use super::super::logarithm::{reduced_sum, Reduced};
use super::super::FunctionImpl;
use super::logarithm::{handle_special_operands, log_scaled};
use super::reciprocal::approximate_reciprocal;
use super::root::sqrt_non_negative;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary_bf16(Unary::Asin, asin, None),
    FunctionImpl::unary_bf16(Unary::Acos, acos, None),
    FunctionImpl::unary_bf16(Unary::Atan, atan, None),
    FunctionImpl::unary_bf16(Unary::Asinh, asinh, None),
    FunctionImpl::binary_bf16(Binary::Atan2, atan2, None),
];

/// Returns the arc cosine of a magnitude up to 1, and what the magnitude lacks of 1.
fn acos_of_magnitude(c: &mut SfpuBuilder, magnitude: Reg) -> [Reg; 2] {
    let lacking = c.mad(magnitude, -1.0, 1.0);
    let root = sqrt_non_negative(c, lacking);
    let sum = c.horner(ACOS_BF16.coefficients, magnitude);
    [c.mul(sum, root), lacking]
}

fn asin(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let [angle, lacking] = acos_of_magnitude(c, magnitude);
    let result = c.mad(angle, -1.0, FRAC_PI_2);
    let result = c.binary(Op::CopySign, result, x[0]);
    let square = c.mul(x[0], x[0]);
    let sum = c.horner(ASIN_BF16.coefficients, square);
    let small = c.mul(sum, x[0]);
    let limit = c.constant(SMALL.to_bits());
    c.begin_when_difference(false, limit, magnitude);
    c.assign(result, small);
    c.end_when();
    c.when(Condition::Negative, lacking, |c| c.assign(result, f32::NAN));
    result
}

fn acos(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let [result, lacking] = acos_of_magnitude(c, magnitude);
    let left = c.mad(result, -1.0, PI);
    c.when(Condition::Negative, x[0], |c| c.assign(result, left));
    c.when(Condition::Negative, lacking, |c| c.assign(result, f32::NAN));
    result
}

/// Returns the arc tangent of a number from 0 to 1.
fn of_fraction(c: &mut SfpuBuilder, t: Reg) -> Reg {
    let square = c.mul(t, t);
    let sum = c.horner(ATAN_BF16.coefficients, square);
    c.mul(sum, t)
}

/// Magnitudes are clamped to it, where the arc tangent rounds to π/2: 2^64.
const STEEPEST: f32 = 18_446_744_073_709_551_616.0;

fn atan(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let bounded = c.min(magnitude, STEEPEST);
    let copy = c.copy(bounded);
    let negative = c.negate(bounded);
    let inverse = approximate_reciprocal(c, copy, negative);
    let fraction = c.min(bounded, inverse);
    let result = of_fraction(c, fraction);
    let steep = c.mad(result, -1.0, FRAC_PI_2);
    above(c, 1.0, bounded, result, steep);
    let result = c.binary(Op::CopySign, result, x[0]);
    propagate_nan(c, result, x[0]);
    result
}

/// Returns `log(1 + x + x² / (1 + √(1 + x²)))`, of a large x `log(1 + x) + ln 2`.
fn asinh(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let square = c.mul(magnitude, magnitude);
    let sum = c.add(square, 1.0);
    let root = sqrt_non_negative(c, sum);
    let sum = c.add(root, 1.0);
    let negative = c.negate(sum);
    let inverse = approximate_reciprocal(c, sum, negative);
    let argument = c.mad(square, inverse, magnitude);
    above(c, LARGE, magnitude, argument, magnitude);
    let Reduced { n, t, operand } = reduced_sum(c, argument);
    let result = log_scaled(c, n, t);
    handle_special_operands(c, result, operand);
    let large = c.add(result, LN_2);
    let magnitude = c.magnitude(x[0]);
    above(c, LARGE, magnitude, result, large);
    c.binary(Op::CopySign, result, x[0])
}

/// Returns -1/m of an m from 2 to 4, with an error of 0.01 %.
fn negative_of_mantissa(c: &mut SfpuBuilder, m: Reg) -> Reg {
    let y = c.horner(RECIP.coefficients, m);
    let error = c.mad(m, y, 1.0);
    c.mad(error, y, y)
}

fn atan2(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    atan2_by(c, x, negative_of_mantissa, of_fraction)
}
