//! Rounding to integers, fractional parts, and remainders of divisions.
//!
//! # Remainders
//! Both operands are divided by the same power of two, so that the divisor m is from 2 to 4. Two
//! approximate quotients are computed one after the other: a multiple of 2^11, and an integer of 11
//! bits. The products of each with the halves of m have 24 bits, so they and the differences are
//! exact. The second quotient is rounded to nearest, so m is added where the rest is negative.

use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::MAX_QUOTIENT;
use tessera_pto::polynomials::power::UPPER;

use super::arithmetic::{nearest_integer, MIN_INTEGRAL, ROUNDING_CONSTANT};
use super::compare::propagate_nan;
use super::exponential::sub;
use super::{reciprocal, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(Unary::Floor, floor, ROUNDED),
    FunctionImpl::unary(Unary::Ceil, ceil, ROUNDED),
    FunctionImpl::unary(Unary::Trunc, trunc, ROUNDED),
    FunctionImpl::unary(Unary::Round, round, ROUNDED),
    FunctionImpl::unary(
        Unary::Frac,
        fraction,
        "+0 for zeros, denormals and integers; NaN for infinities.",
    ),
    FunctionImpl::binary(
        Binary::Remainder,
        remainder,
        "NaN for x / 0 and for infinite x, and from quotients of 2^21 or 2^22 on; x for x / inf. \
         Zeros have the sign of x. 0 where results are less than 2^-125, unless x is the result.",
    ),
];

/// The edge cases of rounding.
const ROUNDED: &str =
    "Signed zeros, infinities and NaN are returned unchanged; denormals count as zeros.";

/// Assigns x to `result` in the lanes where x is large, infinite or NaN and has no fraction.
fn keep_large(c: &mut SfpuBuilder, result: Reg, x: Reg) {
    let magnitude = c.magnitude(x);
    let most = c.constant(MIN_INTEGRAL.to_bits() - 1);
    c.begin_when_difference(true, most, magnitude);
    c.assign(result, x);
    c.end_when();
}

/// Returns the integer nearest to x, ties to even, with the sign of x. Not for large x.
fn nearest(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let magnitude = c.magnitude(x);
    let nearest = nearest_integer(c, magnitude);
    c.binary(Op::CopySign, nearest, x)
}

/// Returns the nearest integer, minus 1 where that is above x.
pub(super) fn floor(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = nearest(c, x[0]);
    let rest = sub(c, x[0], result);
    let below = c.add(result, -1.0);
    c.when(Condition::Negative, rest, |c| c.assign(result, below));
    keep_large(c, result, x[0]);
    result
}

/// Returns the nearest integer, plus 1 where that is below x, with the sign of x.
pub(super) fn ceil(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = nearest(c, x[0]);
    let rest = sub(c, result, x[0]);
    let above = c.add(result, 1.0);
    c.when(Condition::Negative, rest, |c| c.assign(result, above));
    let result = c.binary(Op::CopySign, result, x[0]);
    keep_large(c, result, x[0]);
    result
}

/// Returns the integer nearest to the magnitude, minus 1 where that is above it, with the sign of
/// x.
pub(super) fn trunc(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let nearest = nearest_integer(c, magnitude);
    let rest = sub(c, magnitude, nearest);
    let below = c.add(nearest, -1.0);
    c.when(Condition::Negative, rest, |c| c.assign(nearest, below));
    let result = c.binary(Op::CopySign, nearest, x[0]);
    keep_large(c, result, x[0]);
    result
}

pub(super) fn round(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = nearest(c, x[0]);
    keep_large(c, result, x[0]);
    result
}

pub(super) fn fraction(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let integer = trunc(c, x);
    sub(c, x[0], integer)
}

/// 1.5 · 2^34: added to a number below 2^22, it leaves the nearest multiple of 2^11.
const MULTIPLE: f32 = 25_769_803_776.0;
/// The quotient is below 2^22 if the scaled dividend, divided by a number from 2 to 4, is less.
const MOST_SCALED: f32 = 4.0 * MAX_QUOTIENT;
/// One in a float's exponent.
const UNIT_EXPONENT: u32 = 1 << 23;

/// Returns the magnitude of the dividend, scaled to a divisor from 2 to 4.
fn scaled_dividend(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let power = reciprocal::power(c, x[1]);
    let scaled = c.mul(x[0], power);
    c.magnitude(scaled)
}

/// Returns `rest` minus a multiple of the scaled divisor. The quotient is rounded by adding `step`
/// and subtracting it again. Values that depend on the divisor are recomputed, which saves
/// registers.
fn scaled_rest(c: &mut SfpuBuilder, rest: Reg, divisor: Reg, step: f32) -> Reg {
    let m = reciprocal::mantissa(c, divisor);
    let y = reciprocal::negative_of_mantissa(c, m);
    let y = c.negate(y);
    let quotient = c.mad(rest, y, step);
    let quotient = c.add(quotient, -step);
    let negative = c.negate(m);
    let upper = c.binary(Op::And, UPPER, negative);
    let rest = c.mad(quotient, upper, rest);
    let lower = sub(c, negative, upper);
    c.mad(quotient, lower, rest)
}

pub(super) fn remainder(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let mut rest = scaled_dividend(c, x);
    for step in [MULTIPLE, ROUNDING_CONSTANT] {
        rest = scaled_rest(c, rest, x[1], step);
    }
    let m = reciprocal::mantissa(c, x[1]);
    let above = c.add(rest, m);
    let rest = c.copy(rest);
    c.when(Condition::Negative, rest, |c| c.assign(rest, above));
    let power = c.unary(Op::SetMantissa(0), x[1]);
    let power = c.binary(Op::IntSub, power, UNIT_EXPONENT);
    let result = c.mul(rest, power);
    let result = c.binary(Op::CopySign, result, x[0]);
    let (dividend, divisor) = (c.magnitude(x[0]), c.magnitude(x[1]));
    c.begin_when_difference(true, dividend, divisor);
    c.assign(result, x[0]);
    c.end_when();
    let scaled = scaled_dividend(c, x);
    let most = c.constant(MOST_SCALED.to_bits() - 1);
    c.begin_when_difference(true, most, scaled);
    c.assign(result, f32::NAN);
    c.end_when();
    propagate_nan(c, result, x[1]);
    result
}
