//! Reciprocals and quotients, without the machine's `rsqrt`, whose bits are not public.
//!
//! The seed is an integer difference: a constant less the bits of x has about minus its logarithm,
//! with its sign. Times x it lies within 5 % of 1; then each step multiplies it by a polynomial in
//! that product.

use tessera_isa_mncore::table::AluKind;
use tessera_ops::{Binary, Unary};

use super::recipe::{minus, number, word, ItemBuilder, EXPONENT, SIGN};
use super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family.
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

/// Less the bits of x, the seed of 1/x.
const SEED: u32 = 0x7ef3_3000;
/// `y · ((C - x·y)² + D)` leaves 3.3·10^-5 of the seed's error.
const CUBIC: [f32; 2] = [1.500_963_6, 0.749_036_7];
/// `y · (C - x·y)` leaves 1.3·10^-3 of it.
const NEWTON: f32 = 2.001_284_4;
/// The largest x that has a seed: just below the constant that it is taken from. Their reciprocals
/// count as 0.
const MOST: u32 = 0x7ef0_0000;
/// The largest seed: a third of the largest number, which the cubic step makes of it if x is 0.
const MOST_SEED: u32 = 0x7e9d_0000;

/// 1/x of a number between 2^-126 and 2^125.92 in magnitude, to half a ULP; 0 from there on up to
/// `MOST`.
pub(super) fn reciprocal_of_normal(r: &mut ItemBuilder, x: Value) -> Value {
    let seed = r.int(AluKind::Sub, word(SEED), x);
    refine(r, x, seed)
}

/// Two cubic steps; the second one's polynomial is added, so that the rounding of the sum is all
/// that is left.
fn refine(r: &mut ItemBuilder, x: Value, seed: Value) -> Value {
    let distance = r.fma(minus(x), seed, number(CUBIC[0]));
    let factor = r.fma(distance, distance, number(CUBIC[1]));
    let y = r.mul(factor, seed);
    third_order(r, x, y)
}

/// `y · (1 + e + e²)` with `e = 1 - x·y`.
fn third_order(r: &mut ItemBuilder, x: Value, y: Value) -> Value {
    let error = r.fma(minus(x), y, number(1.0));
    let factor = r.fma(error, error, error);
    r.fma(factor, y, y)
}

/// With x = 0 the seed is `MOST_SEED`, and the last step, which triples what the first one tripled,
/// overflows.
pub(super) fn recip(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let most = f32::from_bits(MOST);
    let x = r.clamp(x[0].clone(), -most, most);
    let seed = r.int(AluKind::Sub, word(SEED), x);
    let most = f32::from_bits(MOST_SEED);
    let seed = r.clamp(seed, -most, most);
    vec![refine(r, x, seed)]
}

/// The divisor as a mantissa m from 2 to 4 times a power of two: a/m has no large exponents on the
/// way; then a power of two multiplies it, which overflows and underflows as it has to.
///
/// An infinite dividend would leave `a - m·q` open, so it is clamped. A divisor of zero has an
/// infinite power; as it must not meet a zero, the quotient gets the exponent of 1 then, or a
/// larger one.
pub(super) fn div(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let [a, b] = [0, 1].map(|index| x[index].clone());
    let (exponent, zero) = r.int_or_zero(AluKind::And, b.clone(), word(EXPONENT));
    let power = r.int(AluKind::Sub, word(EXPONENT), exponent);
    let mantissa = r.int(AluKind::And, b, word(!EXPONENT));
    let m = r.int(AluKind::Or, mantissa, number(2.0));
    let a = r.clamp(a, -f32::MAX, f32::MAX);
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

/// The sign of x on a number without one.
pub(super) fn copy_sign(r: &mut ItemBuilder, x: impl Into<Operand>, number: Value) -> Value {
    let sign = r.int(AluKind::And, x, word(SIGN));
    r.int(AluKind::Or, number, sign)
}
