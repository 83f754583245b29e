//! Reciprocals and quotients, without the machine's `rsqrt`, whose bits are not documented.
//!
//! The seed is an integer difference: a constant minus the bits of `x` approximates the negated
//! logarithm, with the sign of `x`. The product of seed and `x` is within 5 % of 1. Each iteration
//! then multiplies the approximation by a polynomial in that product (Newton's and Householder's
//! methods).

use tessera_isa_mncore::table::AluKind;
use tessera_ops::{Binary, Unary};

use super::recipe::{minus, number, word, ItemBuilder, EXPONENT, SIGN};
use super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
    Unary::Reciprocal,
    [6, 5],
    recip,
    "1 / x.",
    "±inf for ±0, +0 for ±inf and from 2^125.92 on, where results would be near 2^-126.",
),
    Row::binary(
        Binary::Divide,
        [9, 8],
        div,
        "x / y.",
        "Dividends below 2^-95 in magnitude: 2.5 ULP; below 2^-124: 0. An infinite dividend counts as the largest number. \
         x / ±0 is an infinity, for dividends from 2^-124 on with the sign of both; x / ±inf is 0.",
    ),
];

/// The seed of `1/x` is this minus the bits of `x`.
pub(super) const SEED: u32 = 0x7ef3_3000;
/// Coefficients of the step `y · ((C - x·y)² + D)`, which reduces the error of the seed to
/// 3.3·10^-5.
const CUBIC: [f32; 2] = [1.500_963_6, 0.749_036_7];
/// Coefficient of the step `y · (C - x·y)`, which reduces it to 1.3·10^-3.
pub(super) const NEWTON: f32 = 2.001_284_4;
/// The largest `x` that has a seed. The reciprocals of larger numbers count as 0.
const MOST: u32 = 0x7ef0_0000;
/// The largest seed: a third of the largest number, to which the cubic step maps it if `x` is 0.
const MOST_SEED: u32 = 0x7e9d_0000;

/// Returns `1/x` to half a ULP, for a magnitude between 2^-126 and 2^125.92; 0 for larger ones up
/// to `MOST`.
pub(super) fn reciprocal_of_normal(r: &mut ItemBuilder, x: Value) -> Value {
    let seed = r.int(AluKind::Sub, word(SEED), x);
    refine(r, x, seed)
}

/// Applies two cubic steps. The second one adds its correction, so that only the rounding of the
/// sum remains.
fn refine(r: &mut ItemBuilder, x: Value, seed: Value) -> Value {
    let y = cubic_step(r, x, seed);
    third_order(r, x, y)
}

/// Returns `y · ((C - x·y)² + D)`, with an error of 3.3·10^-5.
pub(super) fn cubic_step(r: &mut ItemBuilder, x: Value, seed: Value) -> Value {
    let distance = r.fma(minus(x), seed, number(CUBIC[0]));
    let factor = r.fma(distance, distance, number(CUBIC[1]));
    r.mul(factor, seed)
}

/// Returns `y · (1 + e + e²)` with `e = 1 - x·y`.
fn third_order(r: &mut ItemBuilder, x: Value, y: Value) -> Value {
    let error = r.fma(minus(x), y, number(1.0));
    let factor = r.fma(error, error, error);
    r.fma(factor, y, y)
}

/// Returns the reciprocal. If `x` is 0, the seed is `MOST_SEED`, which the steps triple until it
/// overflows to infinity.
pub(super) fn recip(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = with_seed(r, &x[0]);
    let seed = r.int(AluKind::Sub, word(SEED), x);
    let most = f32::from_bits(MOST_SEED);
    let seed = r.clamp(seed, -most, most);
    vec![refine(r, x, seed)]
}

/// Returns x, clamped to numbers that have a seed.
pub(super) fn with_seed(r: &mut ItemBuilder, x: &Operand) -> Value {
    let most = f32::from_bits(MOST);
    r.clamp(x.clone(), -most, most)
}

/// The operands of a division.
pub(super) struct Parts {
    /// The dividend, which is finite.
    pub dividend: Value,
    /// The mantissa of the divisor, a number from 2 to 4 with the divisor's sign.
    pub mantissa: Value,
    /// The power of two in the divisor's reciprocal, times two.
    pub power: Value,
    /// Flags for divisors that are 0.
    pub zero: Value,
}

/// Splits the divisor, and clamps the dividend.
pub(super) fn parts(r: &mut ItemBuilder, x: &[Operand]) -> Parts {
    let [a, b] = [0, 1].map(|index| x[index].clone());
    let (exponent, zero) = r.int_or_zero(AluKind::And, b.clone(), word(EXPONENT));
    let power = r.int(AluKind::Sub, word(EXPONENT), exponent);
    let mantissa = r.int(AluKind::And, b, word(!EXPONENT));
    let mantissa = r.int(AluKind::Or, mantissa, number(2.0));
    let dividend = r.clamp(a, -f32::MAX, f32::MAX);
    Parts {
        dividend,
        mantissa,
        power,
        zero,
    }
}

/// Returns the quotient. The divisor is split into a mantissa `m` from 2 to 4 and a power of two.
/// `a/m` then has no extreme exponents, and the final multiplication by a power of two overflows
/// and underflows correctly.
///
/// An infinite dividend would make `a - m·q` undetermined, so it is clamped. A zero divisor yields
/// an infinite power, which must not be multiplied by zero. In that case the quotient gets at least
/// the exponent of 1.
pub(super) fn div(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let Parts {
        dividend: a,
        mantissa: m,
        power,
        zero,
    } = parts(r, x);
    let seed = r.int(AluKind::Sub, word(SEED), m);
    let factor = r.fma(minus(m), seed, number(NEWTON));
    let y = r.mul(factor, seed);
    let y = third_order(r, m, y);
    let quotient = r.mul(a, y);
    let rest = r.fma(minus(m), quotient, a);
    let quotient = r.fma(rest, y, quotient);
    let inputs = [quotient.into(), number(1.0)];
    r.int_where(AluKind::Or, &inputs, quotient, zero);
    vec![r.mul(quotient, power)]
}

/// Returns a nonnegative number with the sign of `x`.
pub(super) fn copy_sign(r: &mut ItemBuilder, x: impl Into<Operand>, number: Value) -> Value {
    let sign = r.int(AluKind::And, x, word(SIGN));
    r.int(AluKind::Or, number, sign)
}

/// A number and a divisor, both multiplied by the same power of two.
pub(super) struct Scaled {
    /// The number, which may overflow.
    pub(super) number: Value,
    /// The divisor, from 2 to 4; without meaning for zeros and infinities.
    pub(super) divisor: Value,
    /// The bits of the divisor's exponent.
    pub(super) exponent: Value,
}

/// Scales a finite number and a divisor that is not negative. The scaled number is 0 for an
/// infinite divisor. For a divisor of 0 it is the number times the largest number.
pub(super) fn scaled(r: &mut ItemBuilder, number: Value, divisor: Value) -> Scaled {
    let exponent = r.int(AluKind::And, divisor, word(EXPONENT));
    let power = r.int(AluKind::Sub, word(EXPONENT), exponent);
    let power = r.min(power, super::recipe::number(f32::MAX));
    let mantissa = r.int(AluKind::And, divisor, word(!EXPONENT));
    let m = r.int(AluKind::Or, mantissa, super::recipe::number(2.0));
    Scaled {
        number: r.mul(number, power),
        divisor: m,
        exponent,
    }
}
