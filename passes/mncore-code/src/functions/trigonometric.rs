//! Trigonometric and hyperbolic functions.
//!
//! # Argument reduction
//! An angle is `x = k · π/2 + r` with an integer `k` and `|r|` slightly above π/4 at most, where
//! sine and cosine are polynomials. `k` modulo 4 selects one of them and its sign. The reduction is
//! that of Cody and Waite ("Software Manual for the Elementary Functions", 1980): π/2 is a sum of
//! three numbers of 24 bits. Angles are below 2^16, so `k` has 16 bits. Its lowest 5 bits in single
//! precision are 0, and a multiply-add rounds once. The first difference is exact, as it has no
//! more bits than `x`. The last has an error below 2^-59, while no nonzero number below 2^16 is
//! closer than 2^-28 to a multiple of π/2. For larger angles the result is infinite, as `r` would
//! lose its last digits.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{AluKind, MauKind};
use tessera_ops::Unary;
use tessera_pto::bounds::MAX_ANGLE;
use tessera_pto::polynomials::{COS, SIN};

use super::exponential::tame;
use super::recipe::{minus, number, word, ItemBuilder, EXPONENT, SIGN};
use super::{reciprocal, Row};
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Tanh,
        [24, 11],
        tanh,
        "The hyperbolic tangent.",
        "1 with the sign of x from 10 on and for ±inf.",
    ),
    Row::unary(
        Unary::Sin,
        [13, 11],
        sin,
        "The sine.",
        "inf from 65536 on in magnitude, and for infinities.",
    ),
    Row::unary(
        Unary::Cos,
        [13, 12],
        cos,
        "The cosine.",
        "inf from 65536 on in magnitude, and for infinities.",
    ),
    Row::unary(
        Unary::Tan,
        [20, 15],
        tan,
        "The tangent.",
        "inf from 65536 on in magnitude, and for infinities.",
    ),
];

/// π/2 as a sum of numbers of 24 bits.
pub(super) const HALF_PI: [f32; 3] = [std::f32::consts::FRAC_PI_2, -4.371_139e-8, -1.715_124_5e-15];

/// An angle less its right angles.
struct Reduced {
    rest: Value,
    /// The number of right angles.
    quadrant: Value,
    /// Flags for angles that are too large.
    beyond: Value,
}

fn reduced(r: &mut ItemBuilder, x: &Operand) -> Reduced {
    let magnitude = r.int(AluKind::And, x.clone(), word(!SIGN));
    let beyond = r.at_least(magnitude, number(MAX_ANGLE));
    let x = r.clamp(x.clone(), -MAX_ANGLE, MAX_ANGLE);
    let scaled = r.fma(x, number(std::f32::consts::FRAC_2_PI), number(0.5));
    let k = r.float(AluKind::Floor, &[scaled.into()]);
    let mut rest = x;
    for part in HALF_PI {
        rest = r.fma(k, number(-part), rest);
    }
    let quadrant = r.float(AluKind::Ftoi, &[k.into()]);
    Reduced {
        rest,
        quadrant,
        beyond,
    }
}

/// Returns the cosine of a reduced angle with this square.
fn cosine_of_reduced(r: &mut ItemBuilder, square: Value) -> Value {
    let sum = r.horner(COS.coefficients, square);
    let sum = r.fma(sum, square, number(-0.5));
    r.fma(sum, square, number(1.0))
}

/// Returns flags for even integers.
pub(super) fn is_even(r: &mut ItemBuilder, integer: Value) -> Value {
    let inputs = [integer.into(), word(1)];
    r.flags(AluKind::And, Precision::Int, &inputs, None)
}

/// Returns the sine of an angle, optionally with a right angle added.
fn sine(r: &mut ItemBuilder, x: &Operand, adds_right_angle: bool) -> Vec<Value> {
    let Reduced {
        rest,
        mut quadrant,
        beyond,
    } = reduced(r, x);
    if adds_right_angle {
        quadrant = r.int(AluKind::Add, quadrant, word(1));
    }
    let square = r.mul(rest, rest);
    let result = cosine_of_reduced(r, square);
    let is_even = is_even(r, quadrant);
    let cube = r.mul(square, rest);
    let sum = r.horner(SIN.coefficients, square);
    let inputs = vec![cube.into(), sum.into(), rest.into()];
    r.mau_where(MauKind::Vfma, inputs, result, is_even);
    let half = r.int(AluKind::And, quadrant, word(2));
    let sign = r.int(AluKind::Lsl, half, word(30));
    let result = r.int(AluKind::Xor, result, sign);
    r.replace(result, beyond, word(EXPONENT));
    vec![result]
}

/// Returns the quotient of sine and cosine, or in odd quadrants the negated quotient of cosine and
/// sine.
fn tan(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let Reduced {
        rest,
        quadrant,
        beyond,
    } = reduced(r, &x[0]);
    let square = r.mul(rest, rest);
    let cosine = cosine_of_reduced(r, square);
    let cube = r.mul(square, rest);
    let sum = r.horner(SIN.coefficients, square);
    let sine = r.fma(cube, sum, rest);
    let is_even = is_even(r, quadrant);
    let divisor = r.copy(sine);
    r.replace(divisor, is_even, cosine);
    let dividend = r.copy(cosine);
    r.replace(dividend, is_even, sine);
    let inverse = reciprocal::reciprocal_of_normal(r, divisor);
    let quotient = r.mul(dividend, inverse);
    let sign = r.int(AluKind::Lsl, quadrant, word(31));
    let result = r.int(AluKind::Xor, quotient, sign);
    r.replace(result, beyond, word(EXPONENT));
    vec![result]
}

pub(super) fn sin(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    sine(r, &x[0], false)
}

pub(super) fn cos(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    sine(r, &x[0], true)
}

/// Coefficients of `(tanh x - x) / x³` in `x²`, in order of descending powers, for arguments up to
/// `SMALL`.
const TANH: [f32; 5] = [
    -0.005_897_966_7,
    0.020_798_625,
    -0.053_784_717,
    0.133_319_36,
    -0.333_333,
];
/// The largest argument for which tanh is a polynomial.
const SMALL: f32 = 0.6;
/// The smallest argument for which tanh is 1.
const LARGE: f32 = 10.0;

/// Returns tanh: a polynomial for small `x`, otherwise `1 - 1 / (e^(2|x|)/2 + 1/2)` with the sign
/// of `x`.
pub(super) fn tanh(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), -LARGE, LARGE);
    let magnitude = r.int(AluKind::And, x, word(!SIGN));
    let power = tame(r, magnitude, 2.0, 0.5);
    let sum = r.add(power, number(0.5));
    let y = reciprocal::reciprocal_of_normal(r, sum);
    let large = r.add(number(1.0), minus(y));
    let result = reciprocal::copy_sign(r, x, large);
    let small = r.at_most(magnitude, number(SMALL));
    let square = r.mul(x, x);
    let sum = r.horner(&TANH, square);
    let cube = r.mul(square, x);
    let inputs = vec![cube.into(), sum.into(), x.into()];
    r.mau_where(MauKind::Vfma, inputs, result, small);
    vec![result]
}
