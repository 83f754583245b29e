//! Exponentials, sigmoid and SiLU.
//!
//! `2^y` begins as a number whose bits are y in fixed point, so that its exponent is the integer
//! part and its mantissa the fraction: `2^n · (1 + f)` (N. Schraudolph, "A fast, compact
//! approximation of the exponential function", 1999). A polynomial in `1 + f` corrects it.

use tessera_isa_mncore::table::AluKind;
use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::{EXP2_BF16, EXPM1_BF16, LOG2_BF16};

use super::super::exponential::{half_power, log2_parts, power_by};
use super::super::recipe::{minus, number, word, ItemBuilder, UNIT_EXPONENT};
use super::super::Row;
use super::reciprocal::approximate_reciprocal;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary_bf16(
        Unary::Exp,
        [5, 4],
        exp,
        Some("inf from 88.73 on and for inf; 0 below -86.64, where results are less than 2^-125, and \
         for -inf."),
    ),
    Row::unary_bf16(
        Unary::Exp2,
        [5, 4],
        exp2,
        Some("inf from 128 on and for inf; 0 below -125, where results are less than 2^-125, and for -inf."),
    ),
    Row::unary_bf16(
        Unary::Expm1,
        [8, 6],
        expm1,
        Some("inf from 88.73 on and for inf, -1 for -inf; +0 below 2^-125 in magnitude."),
    ),
    Row::unary_bf16(
        Unary::Sigmoid,
        [7, 6],
        sigmoid,
        None,
    ),
    Row::unary_bf16(
        Unary::Silu,
        [8, 6],
        silu,
        None,
    ),
    Row::binary_bf16(
        Binary::Power,
        [16, 37],
        power,
        Some("As C's pow: 1 for x = 1 and for y = 0; infinities and zeros, with their signs, for zeros and infinities. \
         inf for negative x unless y is an integer. 0 where results are less than 2^-125."),
    ),
];

/// Units of a fixed-point exponent in 1: 2^23.
pub(super) const UNITS: f32 = UNIT_EXPONENT as f32;
/// The bits of 1.0, as a number.
const BIAS: f32 = 127.0 * UNITS;

/// The factors of a power of two.
pub(super) struct Factors {
    pub power: Value,
    pub mantissa: Value,
}

/// Returns the factors of `scale · 2^(bits / UNITS - 127)` for nonnegative bits.
pub(super) fn factors(r: &mut ItemBuilder, bits: Value, scale: f32) -> Factors {
    let power = r.float(AluKind::Ftoi, &[bits.into()]);
    let fraction = r.int(AluKind::And, power, word(UNIT_EXPONENT - 1));
    let m = r.int(AluKind::Or, fraction, number(1.0));
    let coefficients = EXP2_BF16.coefficients.iter();
    let coefficients: Vec<f32> = coefficients.map(|one| scale * one).collect();
    let mantissa = r.horner(&coefficients, m);
    Factors { power, mantissa }
}

/// Returns the factors of `2^(k·x)`. The power is 0 for all sufficiently negative exponents, and
/// infinite for large ones.
fn factors_of(r: &mut ItemBuilder, x: impl Into<Operand>, k: f32) -> Factors {
    let bits = r.fma(x, number(k * UNITS), number(BIAS));
    let bits = r.max(bits, number(0.0));
    factors(r, bits, 1.0)
}

/// Returns `2^(k·x)`.
fn exp2_of_multiple(r: &mut ItemBuilder, x: impl Into<Operand>, k: f32) -> Value {
    let Factors { power, mantissa } = factors_of(r, x, k);
    r.mul(mantissa, power)
}

fn exp(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![exp2_of_multiple(r, x[0].clone(), std::f32::consts::LOG2_E)]
}

fn exp2(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![exp2_of_multiple(r, x[0].clone(), 1.0)]
}

/// The arguments between which `e^x - 1` is neither -1 nor infinite.
const EXPM1_LIMITS: [f32; 2] = [-20.0, 89.0];

/// Returns `2^n · (2^r - 1) + (2^n - 1)` with the integer n nearest to `x / ln 2`, as twice half of
/// it, since 2^128 is not representable.
fn expm1(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let [least, most] = EXPM1_LIMITS;
    let x = r.clamp(x[0].clone(), least, most);
    let scaled = r.fma(x, number(std::f32::consts::LOG2_E), number(0.5));
    let n = r.float(AluKind::Floor, &[scaled.into()]);
    let rest = r.fma(x, number(std::f32::consts::LOG2_E), minus(n));
    let sum = r.horner(EXPM1_BF16.coefficients, rest);
    let sum = r.mul(sum, rest);
    let half = half_power(r, n);
    let offset = r.add(half, number(-0.5));
    let result = r.fma(sum, half, offset);
    vec![r.add(result, result)]
}

/// Up to here sigmoid is 0: the reciprocal of 2^126 underflows.
const SIGMOID_LEAST: f32 = -87.5;

/// Returns `1 / (1 + e^-x)` of an x from [`SIGMOID_LEAST`] on.
fn sigmoid_of_clamped(r: &mut ItemBuilder, x: Value) -> Value {
    let Factors { power, mantissa } = factors_of(r, x, -std::f32::consts::LOG2_E);
    let sum = r.fma(mantissa, power, number(1.0));
    approximate_reciprocal(r, sum)
}

fn sigmoid(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.max(x[0].clone(), number(SIGMOID_LEAST));
    vec![sigmoid_of_clamped(r, x)]
}

fn silu(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.max(x[0].clone(), number(SIGMOID_LEAST));
    let factor = sigmoid_of_clamped(r, x);
    vec![r.mul(x, factor)]
}

fn power(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    power_by(r, x, power_of_magnitude)
}

/// Returns `2^(y · log2 x)`. The product has up to 8 integral bits, which leaves 16 bits of the
/// logarithm for its fraction.
fn power_of_magnitude(r: &mut ItemBuilder, magnitude: Value, y: Value) -> Value {
    let [n, t] = log2_parts(r, magnitude);
    let sum = r.horner(LOG2_BF16.coefficients, t);
    let log = r.fma(sum, t, n);
    let exponent = r.mul(y, log);
    exp2_of_multiple(r, exponent, 1.0)
}
