//! Rounding to integers, what rounding leaves, and remainders of divisions.
//!
//! # Remainders
//! The exponent of the divisor is taken from both operands, so that the divisor `m` is from 2 to 4.
//! Two approximate quotients follow: a multiple of 2^11 below 2^22, and an integer of 11 bits. As
//! their lowest bits are zero, a multiply-add rounds once, and the differences are exact. The
//! second quotient is the nearest one, so `m` is added where the rest is negative.

use tessera_isa_mncore::table::{AluKind, MauKind};
use tessera_ops::{Binary, Unary};
use tessera_pto::bounds::MAX_QUOTIENT;

use super::recipe::{minus, number, word, ItemBuilder, EXPONENT, SIGN, UNIT_EXPONENT};
use super::reciprocal::{self, copy_sign, Scaled};
use super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Floor,
        [0, 1],
        floor,
        "The largest integral number that is not above x.",
        "Zeros and infinities keep their bits.",
    ),
    Row::unary(
        Unary::Ceil,
        [0, 3],
        ceil,
        "The smallest integral number that is not below x.",
        "Zeros and infinities keep their bits.",
    ),
    Row::unary(
        Unary::Trunc,
        [0, 4],
        trunc,
        "x rounded towards zero to an integral number.",
        "Zeros and infinities keep their bits.",
    ),
    Row::unary(
        Unary::Round,
        [2, 5],
        round,
        "The nearest integral number; of two, the even one.",
        "Zeros keep their signs, infinities all bits.",
    ),
    Row::unary(
        Unary::Frac,
        [1, 6],
        fraction,
        "x less x rounded towards zero.",
        "+0 for integral numbers and infinities.",
    ),
    Row::binary(
        Binary::Remainder,
        [16, 24],
        remainder,
        "The remainder of x / y with the sign of x.",
        "inf for x / ±0 and ±inf / y, and from quotients of 2^21 or 2^22 on; x for x / ±inf. \
         0 where results are less than 2^-125, unless x is the result.",
    ),
];

/// From here on all numbers are integral: 2^23.
const INTEGERS: f32 = 8_388_608.0;

fn magnitude(r: &mut ItemBuilder, x: &Operand) -> Value {
    r.int(AluKind::And, x.clone(), word(!SIGN))
}

fn floor(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.float(AluKind::Floor, &x[..1])]
}

fn ceil(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let negative = r.int(AluKind::Xor, x[0].clone(), word(SIGN));
    let below = r.float(AluKind::Floor, &[negative.into()]);
    vec![r.int(AluKind::Xor, below, word(SIGN))]
}

fn trunc(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = magnitude(r, &x[0]);
    let below = r.float(AluKind::Floor, &[magnitude.into()]);
    vec![copy_sign(r, x[0].clone(), below)]
}

/// Adds 2^23, which rounds to an integral number, and subtracts it.
fn round(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = magnitude(r, &x[0]);
    let large = r.at_least(magnitude, number(INTEGERS));
    let sum = r.add(magnitude, number(INTEGERS));
    let nearest = r.add(sum, number(-INTEGERS));
    let result = copy_sign(r, x[0].clone(), nearest);
    r.replace(result, large, x[0].clone());
    vec![result]
}

fn fraction(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), -INTEGERS, INTEGERS);
    let integral = trunc(r, &[x.into()])[0];
    vec![r.add(x, minus(integral))]
}

/// 1.5 · 2^34: added to a number below 2^22, it leaves the nearest multiple of 2^11.
const MULTIPLE: f32 = 25_769_803_776.0;
/// 1.5 · 2^23: added to a number below 2^22, it leaves the nearest integral number.
const INTEGER: f32 = 12_582_912.0;
/// Scaled dividends from here on are not computed: divided by a number from 2 to 4, they may be
/// 2^22.
const MOST_SCALED: f32 = 4.0 * MAX_QUOTIENT;

fn remainder(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let [dividend, divisor] = [0, 1].map(|index| magnitude(r, &x[index]));
    let infinite = r.at_least(dividend, word(EXPONENT));
    let zero = r.at_most(divisor, number(0.0));
    let is_divided = r.at_least(dividend, divisor);
    let finite = r.min(dividend, number(f32::MAX));
    let Scaled {
        number: scaled,
        divisor: m,
        exponent,
    } = reciprocal::scaled(r, finite, divisor);
    let scaled = r.min(scaled, number(MOST_SCALED));
    let beyond = r.at_least(scaled, number(MOST_SCALED));
    let inverse = reciprocal::reciprocal_of_normal(r, m);
    let mut rest = scaled;
    for step in [MULTIPLE, INTEGER] {
        let quotient = r.fma(rest, inverse, number(step));
        let quotient = r.add(quotient, number(-step));
        rest = r.fma(minus(quotient), m, rest);
    }
    let is_positive = r.at_least(rest, number(0.0));
    let sum = r.add(rest, m);
    r.replace(sum, is_positive, rest);
    // The exponent of the divisor, less that of 2; 0 for divisors of 0.
    let power = r.int(AluKind::Sub, exponent, word(UNIT_EXPONENT));
    let power = r.max(power, number(0.0));
    let rest = r.mul(sum, power);
    let rest = copy_sign(r, x[0].clone(), rest);
    let result = r.mau(MauKind::Vpassa, vec![x[0].clone()]);
    r.replace(result, is_divided, rest);
    for open in [infinite, beyond, zero] {
        r.replace(result, open, word(EXPONENT));
    }
    vec![result]
}
