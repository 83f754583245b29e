//! The exponential function, the sigmoid and powers.
//!
//! `e^x = 2^n · e^r` with the integer `n` nearest to `x / ln 2`. `e^r` is a polynomial; `2^n` is
//! added to the exponent.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;
use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::power::{EXPONENTS, LOG2_E, LOGARITHMS, LOG_OF_INFINITY, UPPER};
use tessera_pto::polynomials::{EXPM1, LOG_CUBIC};

use super::logarithm::{exponent, nearest_exponent};
use super::recipe::{minus, number, word, ItemBuilder, EXPONENT, MANTISSA_BITS, SIGN};
use super::reciprocal;
use super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Exp,
        [10, 6],
        exp,
        "e^x.",
        "inf from 88.7229 on and for inf; 0 below -86.99, where results are less than 1.42 · 2^-126, and for -inf.",
    ),
    Row::unary(
        Unary::Exp2,
        [10, 6],
        exp2,
        "2^x.",
        "inf from 128 on and for inf; 0 below -125.5, where results are less than 1.42 · 2^-126, \
         and for -inf.",
    ),
    Row::unary(
        Unary::Expm1,
        [13, 6],
        expm1,
        "e^x - 1.",
        "inf from 88.7229 on and for inf, -1 for -inf; +0 below 2^-125 in magnitude.",
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
    Row::binary(
        Binary::Power,
        [53, 46],
        power,
        "x to the power of y.",
        "As C's pow: 1 for x = 1 and for y = 0; infinities and zeros, with their signs, for zeros and infinities. \
         inf for negative x unless y is an integer. 0 where results are less than 1.42 · 2^-126.",
    ),
];

/// `ln 2` in two parts, the first so short that its products with `n` are exact.
const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];
/// Coefficients of `e^r` for `|r| <= ln 2 / 2`, in order of descending powers, with a relative
/// error of 4.6·10^-9.
const COEFFICIENTS: [f32; 7] = [
    0.001_403_721_5,
    0.008_372_336,
    0.041_665_55,
    0.166_664_88,
    0.5,
    1.0,
    1.0,
];
/// From here on the result is infinite. Below, `2^(n-1)` is representable.
const MOST: f32 = 89.0;
/// Up to here the result is 0. Above, `2^(n-1)` is representable or 0.
const LEAST: f32 = -87.5;

/// The factors of `2^n · e^r`: the integral number `n`, and the second factor.
struct Factors {
    power: Value,
    mantissa: Value,
}

/// `n` and `x - n · ln 2 / k`, with the integral number `n` nearest to `k · x / ln 2`.
struct Reduced {
    power: Value,
    rest: Value,
}

fn reduced(r: &mut ItemBuilder, x: Value, k: f32) -> Reduced {
    let scaled = r.fma(x, number(k * std::f32::consts::LOG2_E), number(0.5));
    let power = r.float(AluKind::Floor, &[scaled.into()]);
    let rest = r.fma(power, number(-LN_2[0] / k), x);
    let rest = r.fma(power, number(-LN_2[1] / k), rest);
    Reduced { power, rest }
}

/// Returns the factors of `scale · e^(k·x)` for powers of two `k` and `scale`; these leave
/// coefficients exact.
fn factors(r: &mut ItemBuilder, x: Value, k: f32, scale: f32) -> Factors {
    let Reduced { power, rest } = reduced(r, x, k);
    let mantissa = polynomial(r, rest, k, scale);
    Factors { power, mantissa }
}

/// Returns `scale · e^(k·rest)`.
fn polynomial(r: &mut ItemBuilder, rest: Value, k: f32, scale: f32) -> Value {
    let powers = (0..COEFFICIENTS.len() as i32).rev();
    let coefficients = COEFFICIENTS.iter().zip(powers);
    let scaled: Vec<f32> = coefficients
        .map(|(c, power)| c * k.powi(power) * scale)
        .collect();
    r.horner(&scaled, rest)
}

/// Returns `scale · e^(k·x)`, provided that it is normal.
pub(super) fn tame(r: &mut ItemBuilder, x: Value, k: f32, scale: f32) -> Value {
    let factors = factors(r, x, k, scale);
    join(r, factors)
}

/// Returns `e^(x + y)` for a small `y`, provided that it is normal.
pub(super) fn tame_sum(r: &mut ItemBuilder, x: Value, y: Value) -> Value {
    let Reduced { power, rest } = reduced(r, x, 1.0);
    let rest = r.add(rest, y);
    let mantissa = polynomial(r, rest, 1.0, 1.0);
    join(r, Factors { power, mantissa })
}

/// Adds `n` to the exponent of the other factor.
fn join(r: &mut ItemBuilder, Factors { power, mantissa }: Factors) -> Value {
    let power = r.float(AluKind::Ftoi, &[power.into()]);
    let shifted = r.int(AluKind::Lsl, power, word(MANTISSA_BITS));
    r.int(AluKind::Add, mantissa, shifted)
}

/// Returns `2^(n-1)` of an integral number `n`.
pub(super) fn half_power(r: &mut ItemBuilder, n: Value) -> Value {
    let n = r.float(AluKind::Ftoi, &[n.into()]);
    let biased = r.int(AluKind::Add, n, word(126));
    r.int(AluKind::Lsl, biased, word(MANTISSA_BITS))
}

/// Returns `e^x` as `2·e^r` times `2^(n-1)`, so that the largest results need only representable
/// powers.
pub(super) fn exp(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), LEAST, MOST);
    let Factors { power, mantissa } = factors(r, x, 1.0, 2.0);
    let power = half_power(r, power);
    vec![r.mul(mantissa, power)]
}

fn exp2(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), LOGARITHMS[0], LOGARITHMS[1]);
    let scaled = r.add(x, number(0.5));
    let power = r.float(AluKind::Floor, &[scaled.into()]);
    let rest = r.add(x, minus(power));
    let rest = r.mul(rest, number(std::f32::consts::LN_2));
    let mantissa = polynomial(r, rest, 1.0, 2.0);
    let power = half_power(r, power);
    vec![r.mul(mantissa, power)]
}

/// From here on down `e^x - 1` is -1.
const LEAST_OF_EXPM1: f32 = -20.0;

/// Returns `2 · (2^(n-1) · (e^r - 1) + (2^(n-1) - 1/2))`.
fn expm1(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), LEAST_OF_EXPM1, MOST);
    let Reduced { power, rest } = reduced(r, x, 1.0);
    let sum = r.horner(EXPM1.coefficients, rest);
    let half = r.mul(rest, number(0.5));
    let sum = r.mul(sum, half);
    let sum = r.fma(sum, rest, rest);
    let power = half_power(r, power);
    let offset = r.add(power, number(-0.5));
    let half = r.fma(sum, power, offset);
    vec![r.add(half, half)]
}

/// The largest argument for which `1 + e^x` has a reciprocal, or one that counts as 0.
const MOST_OF_SIGMOID: f32 = 87.9;

/// Returns `1 / (1 + e^-x)` for `x` between -`MOST_OF_SIGMOID` and 87.
fn sigmoid_of_clamped(r: &mut ItemBuilder, x: Value) -> Value {
    let power = tame(r, x, -1.0, 1.0);
    let sum = r.add(power, number(1.0));
    reciprocal::reciprocal_of_normal(r, sum)
}

pub(super) fn sigmoid(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), -MOST_OF_SIGMOID, 87.0);
    vec![sigmoid_of_clamped(r, x)]
}

/// Returns `x · sigmoid(x)`. The factor is clamped below, where the sigmoid is 0, but not above.
pub(super) fn silu(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.max(x[0].clone(), number(-MOST_OF_SIGMOID));
    let clamped = r.min(x, number(87.0));
    let factor = sigmoid_of_clamped(r, clamped);
    vec![r.mul(factor, x)]
}

// Powers: `x^y = 2^(y · log2 x)`. The product has up to 8 integral bits, so the logarithm needs as
// many bits more than a float has. It is represented by an unevaluated sum of two floats, the first
// of 12 bits. Its product with the upper 12 bits of `y` is exact (T. J. Dekker, "A floating-point
// technique for extending the available precision", 1971).

/// An unevaluated sum of two floats, the first of 12 bits.
struct Sum {
    upper: Value,
    lower: Value,
}

/// Returns `a + b` as a sum whose first number has 12 bits; `b` must be small compared to `a`.
fn split(r: &mut ItemBuilder, a: Value, b: Value) -> Sum {
    let sum = r.add(a, b);
    let upper = r.int(AluKind::And, sum, word(UPPER));
    let rest = r.add(a, minus(upper));
    let lower = r.add(rest, b);
    Sum { upper, lower }
}

/// Returns flags for integral numbers.
fn is_integer(r: &mut ItemBuilder, x: Value) -> Value {
    let below = r.float(AluKind::Floor, &[x.into()]);
    r.at_least(below, x)
}

/// The bit that an integral exponent has in its kind.
const WHOLE: u32 = 1;

/// Returns the kind of an exponent: [`WHOLE`] if it is an even integer, [`WHOLE`] with the sign bit
/// if it is odd, and 0 if it is not integral.
fn kind(r: &mut ItemBuilder, y: Value) -> Value {
    let kind = r.copy(word(0));
    let is_whole = is_integer(r, y);
    r.replace(kind, is_whole, word(SIGN | WHOLE));
    let half = r.mul(y, number(0.5));
    let is_even = is_integer(r, half);
    r.replace(kind, is_even, word(WHOLE));
    kind
}

/// Returns n and t of a magnitude `x = 2^n · (1 + t)`. As logarithms of infinity and 0 are
/// [`LOG_OF_INFINITY`] and its negative, so is n.
pub(super) fn log2_parts(r: &mut ItemBuilder, x: Value) -> [Value; 2] {
    let [from_least, shifted] = nearest_exponent(r, x);
    let m = r.int(AluKind::Sub, x, shifted);
    let n = exponent(r, from_least);
    let zero = r.at_most(x, number(0.0));
    r.replace(n, zero, number(-LOG_OF_INFINITY));
    let infinite = r.at_least(x, word(EXPONENT));
    r.replace(n, infinite, number(LOG_OF_INFINITY));
    let t = r.add(m, number(-1.0));
    [n, t]
}

/// Returns `log2 x` of a magnitude: 2^70 for infinity, -2^70 for 0.
fn log2(r: &mut ItemBuilder, x: Value) -> Sum {
    let [n, t] = log2_parts(r, x);
    // log(1 + t) = t - t²/2 + t³·P(t), the square without an error.
    let sum = r.horner(LOG_CUBIC.coefficients, t);
    let square = r.mul(t, t);
    let cube = r.mul(square, t);
    let cube = r.mul(cube, sum);
    // A copy of `t` for the operations that do not read the polynomial's coefficients.
    let t = r.copy(t);
    let upper = r.int(AluKind::And, t, word(UPPER));
    let lower = r.add(t, minus(upper));
    let both = r.add(t, upper);
    let product = r.mul(both, lower);
    let rest = r.fma(product, number(-0.5), cube);
    let square = r.mul(upper, upper);
    let first = r.fma(square, number(-0.5), t);
    let lost = r.add(t, minus(first));
    let lost = r.fma(square, number(-0.5), lost);
    let rest = r.add(rest, lost);
    let log = split(r, first, rest);
    // Multiplied by 1 / ln 2, plus `n`.
    let product = r.mul(log.lower, number(LOG2_E[0]));
    let lower = r.fma(log.upper, number(LOG2_E[2]), product);
    let upper = r.mul(log.upper, number(LOG2_E[1]));
    let sum = r.add(n, upper);
    let lost = r.add(n, minus(sum));
    let lost = r.add(lost, upper);
    let lower = r.add(lower, lost);
    split(r, sum, lower)
}

/// Returns an exponent `y` clamped to [`EXPONENTS`], with its sign; zeros stay zeros.
fn bounded(r: &mut ItemBuilder, y: &Operand) -> Value {
    let magnitude = r.int(AluKind::And, y.clone(), word(!SIGN));
    let zero = r.at_most(magnitude, number(0.0));
    let bounded = r.clamp(magnitude, EXPONENTS[0], EXPONENTS[1]);
    let bounded = reciprocal::copy_sign(r, y.clone(), bounded);
    r.replace(bounded, zero, word(0));
    bounded
}

pub(super) fn power(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    power_by(r, x, power_of_magnitude)
}

/// A power of a magnitude, given a bounded exponent.
type PowerOfMagnitude = fn(&mut ItemBuilder, Value, Value) -> Value;

/// Returns the power, given that of the magnitude.
pub(super) fn power_by(
    r: &mut ItemBuilder,
    x: &[Operand],
    power_of_magnitude: PowerOfMagnitude,
) -> Vec<Value> {
    let (x, y) = (&x[0], bounded(r, &x[1]));
    let kind = kind(r, y);
    let sign = r.int(AluKind::And, x.clone(), word(SIGN));
    let sign = r.int(AluKind::And, sign, kind);
    // For an `x` that is nonnegative or -infinity, every exponent counts as integral.
    let is_positive = r.at_least(x.clone(), number(0.0));
    r.replace(kind, is_positive, word(WHOLE));
    let is_infinite = r.at_most(x.clone(), word(SIGN | EXPONENT));
    r.replace(kind, is_infinite, word(WHOLE));
    let magnitude = r.int(AluKind::And, x.clone(), word(!SIGN));
    let result = power_of_magnitude(r, magnitude, y);
    let result = r.int(AluKind::Or, result, sign);
    let none = r.flags(
        AluKind::And,
        Precision::Int,
        &[kind.into(), word(WHOLE)],
        None,
    );
    r.replace(result, none, word(EXPONENT));
    vec![result]
}

fn power_of_magnitude(r: &mut ItemBuilder, magnitude: Value, y: Value) -> Value {
    let log = log2(r, magnitude);
    // `y · log2 x`, with an exact product of the upper parts.
    let upper = r.int(AluKind::And, y, word(UPPER));
    let lower = r.add(y, minus(upper));
    let product = r.mul(y, log.lower);
    let rest = r.fma(lower, log.upper, product);
    let product = r.mul(upper, log.upper);
    let sum = r.add(product, rest);
    let sum = r.clamp(sum, LOGARITHMS[0], LOGARITHMS[1]);
    let scaled = r.add(sum, number(0.5));
    let n = r.float(AluKind::Floor, &[scaled.into()]);
    let whole = r.add(product, minus(n));
    let rest = r.add(whole, rest);
    let rest = r.clamp(rest, -1.0, 1.0);
    let rest = r.mul(rest, number(std::f32::consts::LN_2));
    let twice = polynomial(r, rest, 1.0, 2.0);
    let power = half_power(r, n);
    r.mul(twice, power)
}
