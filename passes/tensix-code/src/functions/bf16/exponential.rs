//! Exponentials, sigmoid and SiLU.
//!
//! `2^y` begins as a number whose bits are y in fixed point, so that its exponent is the integer
//! part and its mantissa the fraction: `2^n · (1 + f)` (N. Schraudolph, "A fast, compact
//! approximation of the exponential function", 1999). A polynomial in `1 + f` corrects it.

use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::{EXP2_BF16, EXPM1_BF16, LOG2_BF16};

use super::super::arithmetic::ROUNDING_CONSTANT;
use super::super::compare::{flush_denormals, propagate_nan};
use super::super::exponential::{clamp_exponent, log2_parts, special_bits};
use super::super::FunctionImpl;
use super::reciprocal::approximate_reciprocal;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary_bf16(
        Unary::Exp,
        exp,
        Some("inf from 88.73; 0 below -86.64, where results are less than 2^-125."),
    ),
    FunctionImpl::unary_bf16(
        Unary::Exp2,
        exp2,
        Some("inf from 128 on; 0 below -125, where results are less than 2^-125."),
    ),
    FunctionImpl::unary_bf16(
        Unary::Expm1,
        expm1,
        Some("inf from 88.73 on, -1 for -inf; +0 below 2^-125 in magnitude."),
    ),
    FunctionImpl::unary_bf16(
        Unary::Sigmoid,
        sigmoid,
        None,
    ),
    FunctionImpl::unary_bf16(
        Unary::Silu,
        silu,
        None,
    ),
    FunctionImpl::binary_bf16(
        Binary::Power,
        power,
        Some("As C's pow: 1 for x = 1 and for y = 0, even if the other operand is NaN; NaN for negative x \
         unless y is an integer; signed infinities and zeros for zeros and infinities. 0 where \
         results are less than 2^-125."),
    ),
];

/// Units of a fixed-point exponent in 1: 2^15.
pub(super) const UNITS: f32 = 32_768.0;
/// Added to an exponent in [`UNITS`], it leaves the fixed-point number in the upper 24 bits of the
/// mantissa, less twice [`UNITS`]. So the exponent field of the shifted sum is that of half the
/// power.
pub(super) const EXPONENT_BIAS: f32 = 12_517_376.0;
/// The bits by which the sum is shifted, so that its integer part is the exponent field.
const EXPONENT_SHIFT: i8 = 8;
/// The biased exponent of numbers from 1 to 2.
const EXPONENT_OF_1: u8 = 127;

/// Computes `scale · 2^y` from the sum of `y` in [`UNITS`] and [`EXPONENT_BIAS`]. Requires y from
/// -126 to less than 129. The power is 0 below -125.
pub(super) fn scaled_power(c: &mut SfpuBuilder, shifted: Reg, scale: f32) -> Reg {
    let power = c.shift_by(shifted, EXPONENT_SHIFT);
    let m = c.unary(Op::SetExponent(EXPONENT_OF_1), power);
    let factors: Vec<f32> = EXP2_BF16
        .coefficients
        .iter()
        .map(|factor| 2.0 * scale * factor)
        .collect();
    let factor = c.horner(&factors, m);
    c.mul(factor, power)
}

/// Arguments of the exponential are clamped to these numbers, where it is 0 and infinite.
const EXP_LIMITS: [f32; 2] = [-87.0, 89.0];

fn exp(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let bounded = c.min(x[0], EXP_LIMITS[1]);
    let bounded = c.max(bounded, EXP_LIMITS[0]);
    let shifted = c.mad(bounded, std::f32::consts::LOG2_E * UNITS, EXPONENT_BIAS);
    let result = scaled_power(c, shifted, 1.0);
    propagate_nan(c, result, x[0]);
    result
}

fn exp2(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = exp2_non_nan(c, x[0]);
    propagate_nan(c, result, x[0]);
    result
}

/// Computes `2^x` for an x that is not NaN.
fn exp2_non_nan(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let bounded = c.min(x, 128.5);
    let bounded = c.max(bounded, -126.0);
    let shifted = c.mad(bounded, UNITS, EXPONENT_BIAS);
    scaled_power(c, shifted, 1.0)
}

/// [`ROUNDING_CONSTANT`] and the bias of half of a power.
const INTEGER_BIAS: f32 = ROUNDING_CONSTANT + 126.0;
/// Arguments below it are clamped; `e^x - 1` rounds to -1 there.
const LEAST_OF_EXPM1: f32 = -20.0;

/// Computes `2^n · (2^r - 1) + (2^n - 1)` with the integer n nearest to `x / ln 2`, and twice half
/// of it, since 2^128 is not representable.
fn expm1(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let bounded = c.min(x[0], EXP_LIMITS[1]);
    let bounded = c.max(bounded, LEAST_OF_EXPM1);
    let shifted = c.mad(bounded, std::f32::consts::LOG2_E, INTEGER_BIAS);
    let negative = c.mad(shifted, -1.0, INTEGER_BIAS);
    let rest = c.mad(bounded, std::f32::consts::LOG2_E, negative);
    let half = c.shift_by(shifted, 23);
    let sum = c.horner(EXPM1_BF16.coefficients, rest);
    let sum = c.mul(sum, rest);
    let offset = c.add(half, -0.5);
    let result = c.mad(sum, half, offset);
    let result = c.add(result, result);
    propagate_nan(c, result, x[0]);
    result
}

/// Arguments of sigmoid are clamped to these numbers. At the first one the reciprocal underflows.
const SIGMOID_LIMITS: [f32; 2] = [-87.5, 87.0];

/// Computes `1 / (1 + e^-x)` for an x that is not NaN.
fn sigmoid_non_nan(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let bounded = c.max(x, SIGMOID_LIMITS[0]);
    let bounded = c.min(bounded, SIGMOID_LIMITS[1]);
    let shifted = c.mad(bounded, -std::f32::consts::LOG2_E * UNITS, EXPONENT_BIAS);
    let power = scaled_power(c, shifted, 1.0);
    let sum = c.add(power, 1.0);
    let negative = c.negate(sum);
    approximate_reciprocal(c, sum, negative)
}

fn sigmoid(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = sigmoid_non_nan(c, x[0]);
    propagate_nan(c, result, x[0]);
    result
}

/// Computes `x · sigmoid x`. The multiplication propagates NaN.
fn silu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let factor = sigmoid_non_nan(c, x[0]);
    c.mul(factor, x[0])
}

/// Computes `2^(y · log2 |x|)`. The product has up to 8 integer bits, which leaves 16 bits of the
/// logarithm for its fraction.
fn power(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let y = flush_denormals(c, x[1]);
    let special = special_bits(c, x[0], y);
    let base = flush_denormals(c, x[0]);
    let y = clamp_exponent(c, y);
    let magnitude = c.magnitude(base);
    let [n, t] = log2_parts(c, magnitude);
    let sum = c.horner(LOG2_BF16.coefficients, t);
    let log = c.mad(sum, t, n);
    let exponent = c.mul(y, log);
    let result = exp2_non_nan(c, exponent);
    c.binary(Op::Or, special, result)
}
