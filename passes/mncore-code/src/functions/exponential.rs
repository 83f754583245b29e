//! The exponential function and what is made of it.
//!
//! `e^x = 2^n · e^r` with the integer n nearest to `x / ln 2`; `e^r` is a polynomial, `2^n` a shift.

use tessera_isa_mncore::table::{AluKind, MauKind};

use super::recipe::{minus, number, word, Recipe, MANTISSA_BITS};
use super::reciprocal;
use crate::item::{Operand, Value};

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

/// Coefficients of `(tanh x - x) / x³` in x², that of the eighth power first, up to `SMALL`.
const TANH: [f32; 5] = [
    -0.005_897_966_7,
    0.020_798_625,
    -0.053_784_717,
    0.133_319_36,
    -0.333_333,
];
/// Up to here tanh is a polynomial.
const SMALL: f32 = 0.6;
/// From here on tanh is 1.
const LARGE: f32 = 10.0;

/// A polynomial for small x; else `1 - 1 / (e^(2|x|)/2 + 1/2)` with the sign of x.
pub(super) fn tanh(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), -LARGE, LARGE);
    let magnitude = r.int(AluKind::And, x, word(!super::recipe::SIGN));
    let power = tame(r, magnitude, 2.0, 0.5);
    let sum = r.add(power, number(0.5));
    let y = reciprocal::of_normal(r, sum);
    let large = r.add(number(1.0), minus(y));
    let result = reciprocal::with_sign_of(r, x, large);
    let small = r.at_most(magnitude, number(SMALL));
    let square = r.mul(x, x);
    let sum = r.horner(&TANH, square);
    let cube = r.mul(square, x);
    let inputs = vec![cube.into(), sum.into(), x.into()];
    r.mau_where(MauKind::Vfma, inputs, result, small);
    vec![result]
}
