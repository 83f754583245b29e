//! The natural logarithm.
//!
//! `x = 2^e · m` with `m` from 2/3 to 4/3, and `log m = t - t²/2 + t³·P(t)` with `t = m - 1`.

use tessera_isa_mncore::table::AluKind;
use tessera_ops::Unary;

use super::recipe::{minus, number, word, ItemBuilder, EXPONENT, MANTISSA_BITS, SIGN};
use super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Log,
        [13, 9],
        log,
        "The natural logarithm.",
        "-inf for zeros and negative x, inf for inf.",
    ),
    Row::unary(
        Unary::Log1p,
        [15, 12],
        log1p,
        "The natural logarithm of 1 + x.",
        "-inf from -1 down, inf for inf.",
    ),
];

/// The smallest `m`: 2/3.
const LEAST: u32 = 0x3f2a_aaab;
/// A bit pattern that converts an integer of few bits: added to it, the bits are those of the
/// number `INTEGER` plus the integer.
const INTEGER_BITS: u32 = 0x4b40_0000;
/// 1.5 · 2^23.
const INTEGER: f32 = 12_582_912.0;
/// Coefficients of `(log(1 + t) - t) / t²` for `|t| <= 1/3`, in order of descending powers.
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

/// Returns the exponent of the power of two nearest to `x`, with its sign, in the position of a
/// float's exponent.
pub(super) fn nearest_exponent(r: &mut ItemBuilder, x: impl Into<Operand>) -> [Value; 2] {
    let from_least = r.int(AluKind::Sub, x, word(LEAST));
    let shifted = r.int(AluKind::And, from_least, word(SIGN | EXPONENT));
    [from_least, shifted]
}

/// Converts the integer in the upper bits of a word to a number.
pub(super) fn exponent(r: &mut ItemBuilder, from_least: Value) -> Value {
    let power = r.int(AluKind::Lsr, from_least, word(MANTISSA_BITS));
    let power = r.int(AluKind::Add, power, word(INTEGER_BITS));
    r.add(power, number(-INTEGER))
}

/// A form of `log(2^n · (1 + t))`.
pub(super) struct Form {
    /// The coefficients of a polynomial in t.
    pub coefficients: &'static [f32],
    /// Returns the logarithm, given n, t and the value of the polynomial at t.
    pub join: fn(&mut ItemBuilder, Value, Value, Value) -> Value,
}

/// The form for f32.
const LONG: Form = Form {
    coefficients: &COEFFICIENTS,
    join: log_of_parts,
};

fn log_of_parts(r: &mut ItemBuilder, n: Value, t: Value, sum: Value) -> Value {
    let square = r.mul(t, t);
    let of_mantissa = r.fma(square, sum, t);
    r.fma(n, number(std::f32::consts::LN_2), of_mantissa)
}

pub(super) fn log(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    log_by(r, x, &LONG)
}

pub(super) fn log_by(r: &mut ItemBuilder, x: &[Operand], form: &Form) -> Vec<Value> {
    let zero = r.at_most(x[0].clone(), number(0.0));
    let infinite = r.at_least(x[0].clone(), word(EXPONENT));
    let [from_least, shifted] = nearest_exponent(r, x[0].clone());
    let m = r.int(AluKind::Sub, x[0].clone(), shifted);
    let n = exponent(r, from_least);
    let t = r.add(m, number(-1.0));
    let sum = r.horner(form.coefficients, t);
    let result = (form.join)(r, n, t, sum);
    r.replace(result, zero, word(SIGN | EXPONENT));
    r.replace(result, infinite, word(EXPONENT));
    vec![result]
}

pub(super) fn log1p(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    log1p_by(r, x, &LONG)
}

/// Returns `log(1 + x)`. `t` is the sum of `2^-n · x` and `2^-n - 1`, which are exact. Rounding of
/// `1 + x` affects only the choice of `n`, which is infinite if the result is.
pub(super) fn log1p_by(r: &mut ItemBuilder, x: &[Operand], form: &Form) -> Vec<Value> {
    let x = r.max(x[0].clone(), number(-1.0));
    let sum = r.add(x, minus(number(-1.0)));
    let zero = r.at_most(sum, number(0.0));
    let infinite = r.at_least(sum, word(EXPONENT));
    let [from_least, shifted] = nearest_exponent(r, sum);
    let scaled = r.int(AluKind::Sub, x, shifted);
    let one = r.int(AluKind::Sub, number(1.0), shifted);
    // 2^-128 is not representable.
    let one = r.max(one, number(0.0));
    let one = r.add(one, number(-1.0));
    let t = r.add(scaled, one);
    let sum = r.horner(form.coefficients, t);
    let n = exponent(r, from_least);
    r.replace(n, zero, word(SIGN | EXPONENT));
    r.replace(n, infinite, word(EXPONENT));
    vec![(form.join)(r, n, t, sum)]
}
