//! The exponential function and what is made of it.
//!
//! `e^x = 2^n · e^r` with the integer n nearest to `x / ln 2`; `e^r` is a polynomial, `2^n` a
//! shift.

use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::power::{EXPONENTS, LOG2_E, LOGARITHMS, LOG_OF_INFINITY, UPPER};
use tessera_pto::polynomials::{EXP, LOG_CUBIC};

use super::arithmetic::{nearest_integer, INTEGER, INTEGERS};
use super::compare::{flushed, keep_nan};
use super::logarithm::{float_of, nearest_exponent};
use super::reciprocal;
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Exp,
        exp,
        "inf from 88.7229 on; 0 below -86.99, where results are less than 1.42 · 2^-126.",
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
        "As C's pow: 1 for x = 1 and for y = 0, even if the other one is NaN; \
         NaN for negative x unless y is an integer; infinities and zeros, with their signs, for zeros and infinities. \
         0 where results are less than 1.42 · 2^-126.",
    ),
];

/// Minus `ln 2` in two parts, the first so short that its products with n are exact.
const LESS_LN_2: [f32; 2] = [-0.693_145_75, -1.428_606_8e-6];
/// From here on the result is infinite, and up to it `2^(n-1)` has an exponent.
const MOST: f32 = 89.0;
/// From here on down the result is 0, and down to it `2^(n-1)` has an exponent or that of 0.
const LEAST: f32 = -87.5;

/// `e^x` of an x that is not NaN.
pub(super) fn of_number(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let x = c.min(x, MOST);
    let x = c.max(x, LEAST);
    let shifted = c.mad(x, std::f32::consts::LOG2_E, INTEGER);
    let n = c.add(shifted, -INTEGER);
    let rest = c.mad(n, LESS_LN_2[0], x);
    let rest = c.mad(n, LESS_LN_2[1], rest);
    // 2^(n-1), so that the largest results need no larger power than there is. What the shift moves
    // out is that of `INTEGER`.
    let power = c.unary(Op::IntAddNumber(126), shifted);
    let power = c.shift_by(power, 23);
    let twice = twice_of_rest(c, rest);
    c.mul(twice, power)
}

/// `2 · e^r` of an r that is at most `ln 2 / 2` in magnitude.
fn twice_of_rest(c: &mut SfpuBuilder, rest: Reg) -> Reg {
    let sum = c.horner(EXP.coefficients, rest);
    let sum = c.mad(sum, rest, 2.0);
    c.mad(sum, rest, 2.0)
}

pub(super) fn exp(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = of_number(c, x[0]);
    keep_nan(c, result, x[0]);
    result
}

/// `1 / (1 + e^-x)` of an x that is not NaN.
fn sigmoid_of_number(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let negative = c.negate(x);
    let power = of_number(c, negative);
    let sum = c.add(power, 1.0);
    reciprocal::of_number(c, sum)
}

pub(super) fn sigmoid(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = sigmoid_of_number(c, x[0]);
    keep_nan(c, result, x[0]);
    result
}

/// Returns the product of NaN is NaN.
pub(super) fn silu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let factor = sigmoid_of_number(c, x[0]);
    c.mul(factor, x[0])
}

// Powers: `x^y = 2^(y · log2 x)`. The product has up to 8 bits before the point, so the logarithm
// needs as many more bits than a float has: it is a sum of two floats, the first of 12 bits, whose
// products with the upper 12 bits of y are exact (Dekker, "A floating-point technique for extending
// the available precision", 1971).

const INFINITY: u32 = 0x7f80_0000;
/// All bits of a NaN but the sign.
const NAN: u32 = 0x7fff_ffff;
const SIGN: u32 = 1 << 31;

/// A number that is a sum of two floats, the first of 12 bits.
struct Sum {
    upper: Reg,
    lower: Reg,
}

/// `a - b`
fn difference(c: &mut SfpuBuilder, a: impl Into<Operand>, b: Reg) -> Reg {
    let negative = c.negate(b);
    c.add(a, negative)
}

/// `a + b` as a sum whose first number has 12 bits; b is small beside a.
fn split(c: &mut SfpuBuilder, a: Reg, b: Reg) -> Sum {
    let sum = c.add(a, b);
    let upper = c.binary(Op::And, UPPER, sum);
    let rest = difference(c, a, upper);
    let lower = c.add(rest, b);
    Sum { upper, lower }
}

/// Returns a bit pattern that is not zero where a magnitude is no integer.
fn is_fraction(c: &mut SfpuBuilder, magnitude: Reg) -> Reg {
    let magnitude = c.min(magnitude, INTEGERS);
    let nearest = nearest_integer(c, magnitude);
    c.binary(Op::Xor, magnitude, nearest)
}

/// Returns what the result's bits are joined with: the sign that odd powers of negative numbers
/// have, the bits of NaN where there is no power, else 0.
fn mark(c: &mut SfpuBuilder, base: Reg, y: Reg) -> Reg {
    let magnitude = c.magnitude(y);
    let half = c.mul(magnitude, 0.5);
    let is_odd_or_fraction = is_fraction(c, half);
    let is_fraction = is_fraction(c, magnitude);
    let mark = c.constant(0);
    c.begin_when(Condition::Negative, base);
    c.begin_when(Condition::NotZero, is_odd_or_fraction);
    c.assign(mark, SIGN);
    c.end_when();
    c.when(Condition::NotZero, is_fraction, |c| c.assign(mark, 0));
    // Powers of zero and of -inf with a fraction are those of 0 and inf.
    let x = flushed(c, base);
    let most = c.constant(INFINITY - 1);
    let magnitude = c.magnitude(x);
    c.begin_when(Condition::Negative, x);
    c.begin_when(Condition::NotZero, is_fraction);
    c.begin_when_difference(false, most, magnitude);
    c.assign(mark, NAN);
    c.end_when();
    for operand in [x, y] {
        let magnitude = c.magnitude(operand);
        let infinity = c.constant(INFINITY);
        c.begin_when_difference(true, infinity, magnitude);
        c.assign(mark, NAN);
        c.end_when();
    }
    let is_other = c.binary(Op::Xor, 1.0, x);
    c.when(Condition::Zero, is_other, |c| c.assign(mark, 0));
    c.when(Condition::Zero, y, |c| c.assign(mark, 0));
    mark
}

/// `log2 x` of a magnitude; 2^70 for infinity and NaN, and less that for 0.
fn log2(c: &mut SfpuBuilder, x: Reg) -> Sum {
    let exponent = nearest_exponent(c, x);
    let power = c.shift_by(exponent, 23);
    let m = c.binary(Op::IntSub, x, power);
    let t = c.add(m, -1.0);
    let n = float_of(c, exponent);
    c.when(Condition::Zero, x, |c| c.assign(n, -LOG_OF_INFINITY));
    let most = c.constant(INFINITY - 1);
    let copy = c.copy(x);
    c.begin_when_difference(true, most, copy);
    c.assign(n, LOG_OF_INFINITY);
    c.end_when();
    // log(1 + t) = t - t²/2 + t³·P(t), the square without an error.
    let sum = c.horner(LOG_CUBIC.coefficients, t);
    let square = c.mul(t, t);
    let cube = c.mul(square, t);
    let cube = c.mul(cube, sum);
    let upper = c.binary(Op::And, UPPER, t);
    let lower = difference(c, t, upper);
    let both = c.add(t, upper);
    let product = c.mul(both, lower);
    let rest = c.mad(product, -0.5, cube);
    let square = c.mul(upper, upper);
    let half = c.mul(square, -0.5);
    let first = c.add(t, half);
    let lost = difference(c, t, first);
    let lost = c.add(lost, half);
    let rest = c.add(rest, lost);
    let log = split(c, first, rest);
    // Times 1 / ln 2, and n added.
    let product = c.mul(log.lower, LOG2_E[0]);
    let lower = c.mad(log.upper, LOG2_E[2], product);
    let upper = c.mul(log.upper, LOG2_E[1]);
    let sum = c.add(n, upper);
    let lost = difference(c, n, sum);
    let lost = c.add(lost, upper);
    let lower = c.add(lower, lost);
    split(c, sum, lower)
}

/// Returns an exponent y between the bounds of [`EXPONENTS`], with its sign; zeros stay zeros.
fn bounded(c: &mut SfpuBuilder, y: Reg) -> Reg {
    let magnitude = c.magnitude(y);
    let magnitude = c.max(magnitude, EXPONENTS[0]);
    let magnitude = c.min(magnitude, EXPONENTS[1]);
    let bounded = c.binary(Op::CopySign, magnitude, y);
    c.when(Condition::Zero, y, |c| c.assign(bounded, 0));
    bounded
}

pub(super) fn power(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let y = flushed(c, x[1]);
    let mark = mark(c, x[0], y);
    let base = flushed(c, x[0]);
    let y = bounded(c, y);
    let magnitude = c.magnitude(base);
    let log = log2(c, magnitude);
    // y · log2 x, the product of the upper parts without an error.
    let upper = c.binary(Op::And, UPPER, y);
    let lower = difference(c, y, upper);
    let product = c.mul(y, log.lower);
    let rest = c.mad(lower, log.upper, product);
    let product = c.mul(upper, log.upper);
    let sum = c.add(product, rest);
    let sum = c.max(sum, LOGARITHMS[0]);
    let sum = c.min(sum, LOGARITHMS[1]);
    let shifted = c.add(sum, INTEGER);
    let n = c.add(shifted, -INTEGER);
    let whole = difference(c, product, n);
    let rest = c.add(whole, rest);
    let rest = c.min(rest, 1.0);
    let rest = c.max(rest, -1.0);
    let rest = c.mul(rest, std::f32::consts::LN_2);
    let power = c.unary(Op::IntAddNumber(126), shifted);
    let power = c.shift_by(power, 23);
    let twice = twice_of_rest(c, rest);
    let result = c.mul(twice, power);
    c.binary(Op::Or, mark, result)
}
