//! The exponential function and what is made of it.
//!
//! `e^x = 2^n · e^r` with the integer n nearest to `x / ln 2`; `e^r` is a polynomial, `2^n` a shift.

use tessera_isa_mncore::table::AluKind;
use tessera_ops::Unary;

use super::recipe::{number, word, Recipe, MANTISSA_BITS};
use super::reciprocal;
use super::Row;
use crate::item::{Operand, Value};

/// The rows of this family.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Exp,
        [10, 6],
        exp,
        "e^x.",
        "inf from 88.7229 on and for inf; 0 below -86.99, where results are less than 1.42 · 2^-126, and for -inf.",
    ),
    Row::unary(
        Unary::Sigmoid,
        [16, 7],
        sigmoid,
        "1 / (1 + e^-x).",
        "0 below -87.3, where results are near 2^-126, and for -inf; 1 for inf.",
    ),
    Row::unary(
        Unary::Silu,
        [17, 7],
        silu,
        "x / (1 + e^-x).",
        "0 below -87.3, where results are less than 1.2 · 10^-36, and for -inf; inf for inf.",
    ),
];

/// `ln 2` in two parts, the first so short that its products with n are exact.
const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];
/// Coefficients of `e^r` for `|r| <= ln 2 / 2`, that of the sixth power first: to 4.6·10^-9 of it.
const COEFFICIENTS: [f32; 7] = [
    0.001_403_721_5,
    0.008_372_336,
    0.041_665_55,
    0.166_664_88,
    0.5,
    1.0,
    1.0,
];
/// From here on the result is infinite, and up to it `2^(n-1)` has an exponent.
const MOST: f32 = 89.0;
/// From here on down the result is 0, and down to it `2^(n-1)` has an exponent or that of 0.
const LEAST: f32 = -87.5;

/// `2^n · e^r` that is to be multiplied: n, an integral number, and the second factor.
struct Factors {
    power: Value,
    mantissa: Value,
}

/// `scale · e^(k·x)` for powers of two k and scale: with them, the coefficients are as exact.
fn factors(r: &mut Recipe, x: Value, k: f32, scale: f32) -> Factors {
    let scaled = r.fma(x, number(k * std::f32::consts::LOG2_E), number(0.5));
    let power = r.float(AluKind::Floor, &[scaled.into()]);
    let rest = r.fma(power, number(-LN_2[0] / k), x);
    let rest = r.fma(power, number(-LN_2[1] / k), rest);
    let mantissa = polynomial(r, rest, k, scale);
    Factors { power, mantissa }
}

/// `scale · e^(k·rest)`.
fn polynomial(r: &mut Recipe, rest: Value, k: f32, scale: f32) -> Value {
    let powers = (0..COEFFICIENTS.len() as i32).rev();
    let coefficients = COEFFICIENTS.iter().zip(powers);
    let scaled: Vec<f32> = coefficients
        .map(|(c, power)| c * k.powi(power) * scale)
        .collect();
    r.horner(&scaled, rest)
}

/// `scale · e^(k·x)` where it is a normalised number: `2^n` is added to the exponent.
pub(super) fn tame(r: &mut Recipe, x: Value, k: f32, scale: f32) -> Value {
    let Factors { power, mantissa } = factors(r, x, k, scale);
    let power = r.float(AluKind::Ftoi, &[power.into()]);
    let shifted = r.int(AluKind::Lsl, power, word(MANTISSA_BITS));
    r.int(AluKind::Add, mantissa, shifted)
}

/// `2·e^r` times `2^(n-1)`, so that the largest results need no larger power than there is.
pub(super) fn exp(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), LEAST, MOST);
    let Factors { power, mantissa } = factors(r, x, 1.0, 2.0);
    let power = r.float(AluKind::Ftoi, &[power.into()]);
    let biased = r.int(AluKind::Add, power, word(126));
    let power = r.int(AluKind::Lsl, biased, word(MANTISSA_BITS));
    vec![r.mul(mantissa, power)]
}

/// Up to here `1 + e^x` has a reciprocal, or counts as having 0.
const MOST_OF_SIGMOID: f32 = 87.9;

/// `1 / (1 + e^-x)` of an x between -`MOST_OF_SIGMOID` and 87.
fn sigmoid_of_clamped(r: &mut Recipe, x: Value) -> Value {
    let power = tame(r, x, -1.0, 1.0);
    let sum = r.add(power, number(1.0));
    reciprocal::of_normal(r, sum)
}

pub(super) fn sigmoid(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), -MOST_OF_SIGMOID, 87.0);
    vec![sigmoid_of_clamped(r, x)]
}

/// The factor is clamped below, where the sigmoid is 0, and not above.
pub(super) fn silu(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let x = r.max(x[0].clone(), number(-MOST_OF_SIGMOID));
    let clamped = r.min(x, number(87.0));
    let factor = sigmoid_of_clamped(r, clamped);
    vec![r.mul(factor, x)]
}
