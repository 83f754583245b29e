//! The natural logarithm.
//!
//! `x = 2^e · m` with m from 2/3 to 4/3; `log m` is `t - t²/2 + t³·P(t)` of `t = m - 1`.

use tessera_isa_mncore::table::AluKind;
use tessera_ops::Unary;

use super::recipe::{number, word, Recipe, EXPONENT, MANTISSA_BITS, SIGN};
use super::Row;
use crate::item::{Operand, Value};

/// The rows of this family.
pub(super) const ROWS: &[Row] = &[Row::unary(
    Unary::Log,
    [13, 9],
    log,
    "The natural logarithm.",
    "-inf for zeros and negative x, inf for inf.",
)];

/// The least m: 2/3.
const LEAST: u32 = 0x3f2a_aaab;
/// Added to an integer of few bits, these bits are `INTEGER` plus it.
const INTEGER_BITS: u32 = 0x4b40_0000;
/// 1.5 · 2^23.
const INTEGER: f32 = 12_582_912.0;
/// Coefficients of `(log(1 + t) - t) / t²` for `|t| <= 1/3`, that of the eighth power first.
const COEFFICIENTS: [f32; 9] = [
    -0.129_829_36,
    0.139_988_41,
    -0.121_711_18,
    0.140_044_15,
    -0.166_812_08,
    0.200_104_77,
    -0.249_997_84,
    0.333_332_15,
    -0.5,
];

pub(super) fn log(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let zero = r.at_most(x[0].clone(), number(0.0));
    let infinite = r.at_least(x[0].clone(), word(EXPONENT));
    let from_least = r.int(AluKind::Sub, x[0].clone(), word(LEAST));
    let shifted = r.int(AluKind::And, from_least, word(SIGN | EXPONENT));
    let m = r.int(AluKind::Sub, x[0].clone(), shifted);
    let power = r.int(AluKind::Lsr, from_least, word(MANTISSA_BITS));
    let power = r.int(AluKind::Add, power, word(INTEGER_BITS));
    let power = r.add(power, number(-INTEGER));
    let t = r.add(m, number(-1.0));
    let sum = r.horner(&COEFFICIENTS, t);
    let square = r.mul(t, t);
    let of_mantissa = r.fma(square, sum, t);
    let result = r.fma(power, number(std::f32::consts::LN_2), of_mantissa);
    r.replace(result, zero, word(SIGN | EXPONENT));
    r.replace(result, infinite, word(EXPONENT));
    vec![result]
}
