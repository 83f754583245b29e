//! Reciprocals and quotients: the forms for f32 without their last iteration.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;
use tessera_ops::{Binary, Unary};

use super::super::recipe::{minus, number, word, ItemBuilder, EXPONENT, SIGN};
use super::super::reciprocal::{cubic_step, parts, with_seed, Parts, NEWTON, SEED};
use super::super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary_bf16(
        Unary::Reciprocal,
        [3, 5],
        recip,
        None,
    ),
    Row::binary_bf16(
        Binary::Divide,
        [4, 8],
        div,
        Some("Dividends below 2^-124 in magnitude: 0. An infinite dividend counts as the largest number. \
         x / ±0 is an infinity, for dividends from 2^-124 on with the sign of both; x / ±inf is 0."),
    ),
];

/// Returns `1/x` with an error of 0.14 %, for a magnitude from 2^-126 to 2^127. From 2^125.9 on it
/// is 0.
pub(super) fn approximate_reciprocal(r: &mut ItemBuilder, x: Value) -> Value {
    let seed = r.int(AluKind::Sub, word(SEED), x);
    let factor = r.fma(minus(x), seed, number(NEWTON));
    r.mul(factor, seed)
}

/// Zeros lose their mantissa. The cubic step triples their seed, which overflows to an infinity.
fn recip(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = with_seed(r, &x[0]);
    let inputs = [x.into(), word(EXPONENT)];
    let zero = r.flags(AluKind::And, Precision::Int, &inputs, None);
    r.int_where(AluKind::And, &[x.into(), word(SIGN)], x, zero);
    let seed = r.int(AluKind::Sub, word(SEED), x);
    vec![cubic_step(r, x, seed)]
}

fn div(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let Parts {
        dividend,
        mantissa,
        power,
        zero,
    } = parts(r, x);
    let inverse = approximate_reciprocal(r, mantissa);
    let quotient = r.mul(dividend, inverse);
    let inputs = [quotient.into(), number(1.0)];
    r.int_where(AluKind::Or, &inputs, quotient, zero);
    vec![r.mul(quotient, power)]
}
