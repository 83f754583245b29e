//! The exponential function, and functions computed from it: sigmoid, SiLU and powers.
//!
//! `e^x = 2^n · e^r`, where n is the integer nearest to `x / ln 2` and `r = x - n · ln 2`. A
//! polynomial approximates `e^r`. `2^n` is assembled by shifting n into the exponent field. The
//! reduction subtracts `n · ln 2` in two parts (Cody and Waite, "Software Manual for the Elementary
//! Functions", 1980).

use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::power::{EXPONENTS, LOG2_E, LOGARITHMS, LOG_OF_INFINITY, UPPER};
use tessera_pto::polynomials::{EXP, EXPM1, LOG_CUBIC};

use super::arithmetic::{nearest_integer, MIN_INTEGRAL, ROUNDING_CONSTANT};
use super::compare::{flush_denormals, propagate_nan};
use super::logarithm::{int_to_float, nearest_exponent};
use super::reciprocal;
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Exp,
        exp,
        "inf from 88.7229; 0 below -86.99, where results are less than 1.42 · 2^-126.",
    ),
    FunctionImpl::unary(
        Unary::Exp2,
        exp2,
        "inf from 128 on; 0 below -125.5, where results are less than 1.42 · 2^-126.",
    ),
    FunctionImpl::unary(
        Unary::Expm1,
        expm1,
        "inf from 88.7229 on, -1 for -inf; +0 below 2^-125 in magnitude.",
    ),
    FunctionImpl::unary(
        Unary::Sigmoid,
        sigmoid,
        "0 below -87.3, where results are near 2^-126; 1 for inf.",
    ),
    FunctionImpl::unary(
        Unary::Silu,
        silu,
        "0 below -87.3, where results are less than 1.2 · 10^-36; NaN for -inf.",
    ),
    FunctionImpl::binary(
        Binary::Power,
        power,
        "As C's pow: 1 for x = 1 and for y = 0, even if the other operand is NaN; NaN for negative x \
         unless y is an integer; signed infinities and zeros for zeros and infinities. 0 where \
         results are less than 1.42 · 2^-126.",
    ),
];

/// `-ln 2` as a sum of two parts. The first is short enough that its products with n are exact.
const NEG_LN_2: [f32; 2] = [-0.693_145_75, -1.428_606_8e-6];
/// Upper clamp of the argument. The result is infinite there, and `2^(n-1)` is still representable.
const MAX_ARGUMENT: f32 = 89.0;
/// Lower clamp of the argument. The result is 0 there, as the exponent field of `2^(n-1)` is 0.
const MIN_ARGUMENT: f32 = -87.5;

/// The parts of `x = n · ln 2 + r`.
struct Reduced {
    /// `2^(n-1)`, since 2^128 is not representable.
    power: Reg,
    /// r
    rest: Reg,
}

/// Splits an x that is not NaN.
fn reduced(c: &mut SfpuBuilder, x: Reg) -> Reduced {
    let x = c.min(x, MAX_ARGUMENT);
    let x = c.max(x, MIN_ARGUMENT);
    let shifted = c.mad(x, std::f32::consts::LOG2_E, ROUNDING_CONSTANT);
    let n = c.add(shifted, -ROUNDING_CONSTANT);
    let rest = c.mad(n, NEG_LN_2[0], x);
    let rest = c.mad(n, NEG_LN_2[1], rest);
    let power = power_of(c, shifted);
    Reduced { power, rest }
}

/// Computes `2^(n-1)` from the sum of n and [`ROUNDING_CONSTANT`], whose bits the shift discards.
fn power_of(c: &mut SfpuBuilder, shifted: Reg) -> Reg {
    let power = c.unary(Op::IntAddNumber(126), shifted);
    c.shift_by(power, 23)
}

/// Computes `e^x` for an x that is not NaN.
pub(super) fn exp_non_nan(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let Reduced { power, rest } = reduced(c, x);
    let twice = twice_exp_reduced(c, rest);
    c.mul(twice, power)
}

/// Computes `e^(x + y)` for an x that is not NaN and a small y.
pub(super) fn exp_of_sum(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let Reduced { power, rest } = reduced(c, x);
    let rest = c.add(rest, y);
    let twice = twice_exp_reduced(c, rest);
    c.mul(twice, power)
}

/// Computes `2 · e^r` for a reduced argument r of magnitude at most `ln 2 / 2`.
fn twice_exp_reduced(c: &mut SfpuBuilder, r: Reg) -> Reg {
    let sum = c.horner(EXP.coefficients, r);
    let sum = c.mad(sum, r, 2.0);
    c.mad(sum, r, 2.0)
}

pub(super) fn exp(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = exp_non_nan(c, x[0]);
    propagate_nan(c, result, x[0]);
    result
}

pub(super) fn exp2(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let bounded = c.min(x[0], LOGARITHMS[1]);
    let bounded = c.max(bounded, LOGARITHMS[0]);
    let shifted = c.add(bounded, ROUNDING_CONSTANT);
    let n = c.add(shifted, -ROUNDING_CONSTANT);
    let rest = sub(c, bounded, n);
    let rest = c.mul(rest, std::f32::consts::LN_2);
    let power = power_of(c, shifted);
    let twice = twice_exp_reduced(c, rest);
    let result = c.mul(twice, power);
    propagate_nan(c, result, x[0]);
    result
}

/// Arguments below it are clamped; `e^x - 1` rounds to -1 there.
const LEAST_OF_EXPM1: f32 = -20.0;

/// Computes `2 · (2^(n-1) · (e^r - 1) + (2^(n-1) - 1/2))`.
pub(super) fn expm1(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let bounded = c.max(x[0], LEAST_OF_EXPM1);
    let Reduced { power, rest } = reduced(c, bounded);
    let sum = c.horner(EXPM1.coefficients, rest);
    let half = c.mul(rest, 0.5);
    let sum = c.mul(sum, half);
    let sum = c.mad(sum, rest, rest);
    let offset = c.add(power, -0.5);
    let half = c.mad(sum, power, offset);
    let result = c.add(half, half);
    propagate_nan(c, result, x[0]);
    result
}

/// Computes `1 / (1 + e^-x)` for an x that is not NaN.
fn sigmoid_non_nan(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let negative = c.negate(x);
    let power = exp_non_nan(c, negative);
    let sum = c.add(power, 1.0);
    reciprocal::recip_non_nan(c, sum)
}

pub(super) fn sigmoid(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = sigmoid_non_nan(c, x[0]);
    propagate_nan(c, result, x[0]);
    result
}

/// Computes `x · sigmoid x`. The multiplication propagates NaN.
pub(super) fn silu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let factor = sigmoid_non_nan(c, x[0]);
    c.mul(factor, x[0])
}

// Powers: `x^y = 2^(y · log2 x)`. The product has up to 8 integer bits, so the logarithm needs 8
// bits more than an f32 has. It is represented as the sum of two floats. The first has 12
// significant bits, so its product with the upper 12 bits of y is exact (Dekker, "A floating-point
// technique for extending the available precision", 1971).

const INFINITY: u32 = 0x7f80_0000;
/// Or-ing these bits into a float makes it a NaN and preserves its sign.
const NAN: u32 = 0x7fff_ffff;
const SIGN: u32 = 1 << 31;

/// A number represented as the unevaluated sum of two floats. `upper` has 12 significant bits.
struct DoubleFloat {
    upper: Reg,
    lower: Reg,
}

/// Computes `a - b`.
pub(super) fn sub(c: &mut SfpuBuilder, a: impl Into<Operand>, b: Reg) -> Reg {
    let negative = c.negate(b);
    c.add(a, negative)
}

/// Computes `a + b` as a [`DoubleFloat`]. Requires `|b|` to be much less than `|a|`.
fn add_and_split(c: &mut SfpuBuilder, a: Reg, b: Reg) -> DoubleFloat {
    let sum = c.add(a, b);
    let upper = c.binary(Op::And, UPPER, sum);
    let remainder = sub(c, a, upper);
    let lower = c.add(remainder, b);
    DoubleFloat { upper, lower }
}

/// Returns bits that are nonzero exactly where a non-negative number is not an integer.
fn fraction_bits(c: &mut SfpuBuilder, magnitude: Reg) -> Reg {
    let magnitude = c.min(magnitude, MIN_INTEGRAL);
    let nearest = nearest_integer(c, magnitude);
    c.binary(Op::Xor, magnitude, nearest)
}

/// Returns the bits to or into the result of a power.
///
/// They are the sign bit for odd powers of negative numbers, the bits of a NaN where the power is
/// undefined, and 0 otherwise.
pub(super) fn special_bits(c: &mut SfpuBuilder, base: Reg, y: Reg) -> Reg {
    let magnitude = c.magnitude(y);
    let half = c.mul(magnitude, 0.5);
    let is_odd_or_fraction = fraction_bits(c, half);
    let is_fraction = fraction_bits(c, magnitude);
    let bits = c.constant(0);
    c.begin_when(Condition::Negative, base);
    c.begin_when(Condition::NotZero, is_odd_or_fraction);
    c.assign(bits, SIGN);
    c.end_when();
    c.when(Condition::NotZero, is_fraction, |c| c.assign(bits, 0));
    // Fractional powers of -0 and -inf equal those of +0 and +inf, so only finite x becomes NaN.
    let x = flush_denormals(c, base);
    let max_finite = c.constant(INFINITY - 1);
    let magnitude = c.magnitude(x);
    c.begin_when(Condition::Negative, x);
    c.begin_when(Condition::NotZero, is_fraction);
    c.begin_when_difference(false, max_finite, magnitude);
    c.assign(bits, NAN);
    c.end_when();
    for operand in [x, y] {
        let magnitude = c.magnitude(operand);
        let infinity = c.constant(INFINITY);
        c.begin_when_difference(true, infinity, magnitude);
        c.assign(bits, NAN);
        c.end_when();
    }
    let is_not_one = c.binary(Op::Xor, 1.0, x);
    c.when(Condition::Zero, is_not_one, |c| c.assign(bits, 0));
    c.when(Condition::Zero, y, |c| c.assign(bits, 0));
    bits
}

/// Returns n and t of `x = 2^n · (1 + t)`, for an x whose sign is clear. As logarithms of infinity,
/// NaN and 0 are [`LOG_OF_INFINITY`] and its negative, so is n.
pub(super) fn log2_parts(c: &mut SfpuBuilder, x: Reg) -> [Reg; 2] {
    let exponent = nearest_exponent(c, x);
    let power = c.shift_by(exponent, 23);
    let m = c.binary(Op::IntSub, x, power);
    let t = c.add(m, -1.0);
    let n = int_to_float(c, exponent);
    c.when(Condition::Zero, x, |c| c.assign(n, -LOG_OF_INFINITY));
    let max_finite = c.constant(INFINITY - 1);
    let copy = c.copy(x);
    c.begin_when_difference(true, max_finite, copy);
    c.assign(n, LOG_OF_INFINITY);
    c.end_when();
    [n, t]
}

/// Computes `log2 x` for an x whose sign is clear: 2^70 for infinity and NaN, -2^70 for 0.
fn log2(c: &mut SfpuBuilder, x: Reg) -> DoubleFloat {
    let [n, t] = log2_parts(c, x);
    // log(1 + t) = t - t²/2 + t³·P(t). The square is split so that its upper part is exact.
    let sum = c.horner(LOG_CUBIC.coefficients, t);
    let square = c.mul(t, t);
    let cube = c.mul(square, t);
    let cube = c.mul(cube, sum);
    let upper = c.binary(Op::And, UPPER, t);
    let lower = sub(c, t, upper);
    let both = c.add(t, upper);
    let product = c.mul(both, lower);
    let rest = c.mad(product, -0.5, cube);
    let square = c.mul(upper, upper);
    let half = c.mul(square, -0.5);
    let first = c.add(t, half);
    let error = sub(c, t, first);
    let error = c.add(error, half);
    let rest = c.add(rest, error);
    let log = add_and_split(c, first, rest);
    // Multiply by 1 / ln 2, and add n.
    let product = c.mul(log.lower, LOG2_E[0]);
    let lower = c.mad(log.upper, LOG2_E[2], product);
    let upper = c.mul(log.upper, LOG2_E[1]);
    let sum = c.add(n, upper);
    let error = sub(c, n, sum);
    let error = c.add(error, upper);
    let lower = c.add(lower, error);
    add_and_split(c, sum, lower)
}

/// Clamps the magnitude of an exponent y to [`EXPONENTS`]. Zeros remain zeros.
pub(super) fn clamp_exponent(c: &mut SfpuBuilder, y: Reg) -> Reg {
    let magnitude = c.magnitude(y);
    let magnitude = c.max(magnitude, EXPONENTS[0]);
    let magnitude = c.min(magnitude, EXPONENTS[1]);
    let clamped = c.binary(Op::CopySign, magnitude, y);
    c.when(Condition::Zero, y, |c| c.assign(clamped, 0));
    clamped
}

pub(super) fn power(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let y = flush_denormals(c, x[1]);
    let special = special_bits(c, x[0], y);
    let base = flush_denormals(c, x[0]);
    let y = clamp_exponent(c, y);
    let magnitude = c.magnitude(base);
    let log = log2(c, magnitude);
    // y · log2 x. The product of the upper parts is exact.
    let upper = c.binary(Op::And, UPPER, y);
    let lower = sub(c, y, upper);
    let product = c.mul(y, log.lower);
    let rest = c.mad(lower, log.upper, product);
    let product = c.mul(upper, log.upper);
    let sum = c.add(product, rest);
    let sum = c.max(sum, LOGARITHMS[0]);
    let sum = c.min(sum, LOGARITHMS[1]);
    let shifted = c.add(sum, ROUNDING_CONSTANT);
    let n = c.add(shifted, -ROUNDING_CONSTANT);
    let fraction = sub(c, product, n);
    let rest = c.add(fraction, rest);
    let rest = c.min(rest, 1.0);
    let rest = c.max(rest, -1.0);
    let rest = c.mul(rest, std::f32::consts::LN_2);
    let power = power_of(c, shifted);
    let twice = twice_exp_reduced(c, rest);
    let result = c.mul(twice, power);
    c.binary(Op::Or, special, result)
}
