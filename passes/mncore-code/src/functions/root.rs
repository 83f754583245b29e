//! Square roots, their reciprocals, and cube roots, without the machine's `rsqrt`, whose bits are
//! not documented.
//!
//! The seed is a constant minus half of the bits of `x`, which approximates minus half of the
//! logarithm. The constant scales it to 0.82/√x, so that the square in the correcting polynomial
//! has the coefficient 1.

use tessera_isa_mncore::table::{AluKind, MauKind};
use tessera_ops::Unary;
use tessera_pto::polynomials::CBRT;

use super::recipe::{minus, number, word, ItemBuilder, EXPONENT, SIGN, UNIT_EXPONENT};
use super::reciprocal::copy_sign;
use super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Sqrt,
        [9, 8],
        sqrt,
        "The square root.",
        "0 for zeros and negative x, inf for inf.",
    ),
    Row::unary(
        Unary::Rsqrt,
        [7, 9],
        rsqrt,
        "1 / √x.",
        "inf for zeros and negative x, 0 for inf.",
    ),
    Row::unary(
        Unary::Cbrt,
        [13, 10],
        cbrt,
        "The cube root.",
        "Zeros and infinities with the sign of x for zeros and infinities.",
    ),
];

/// The seed is this minus half of the bits of `x`.
const SEED: u32 = 0x5f11_1000;
/// Coefficients of the step `y · ((C - x·y²)² + D)`, which reduces the error of the seed to
/// 2·10^-5.
const CUBIC: [f32; 2] = [1.126_652_8, 1.013_172_5];
/// The smallest normal number.
const LEAST: f32 = f32::MIN_POSITIVE;
/// From here on `x - s²`, with `s` approximating the root of `x`, does not underflow prematurely.
const SMALL: f32 = 3.308_722_5e-24;
/// The factor that scales smaller `x`: 2^48.
const LIFT: f32 = 281_474_976_710_656.0;
/// The factor that scales their roots back.
const LOWER: f32 = 5.960_464_5e-8;

/// Returns `1/√x` of a normal `x` to 2·10^-5.
fn approximate(r: &mut ItemBuilder, x: Value) -> Value {
    let half = r.unsigned(AluKind::Lsr, x, word(1));
    let seed = r.int(AluKind::Sub, word(SEED), half);
    let product = r.mul(x, seed);
    let distance = r.fma(minus(product), seed, number(CUBIC[0]));
    let factor = r.fma(distance, distance, number(CUBIC[1]));
    r.mul(factor, seed)
}

/// Returns half of a normal number that is far from the smallest.
fn half(r: &mut ItemBuilder, y: Value) -> Value {
    r.int(AluKind::Sub, y, word(UNIT_EXPONENT))
}

pub(super) fn rsqrt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let zero = r.at_most(x[0].clone(), number(0.0));
    let infinite = r.at_least(x[0].clone(), word(EXPONENT));
    let x = r.clamp(x[0].clone(), LEAST, f32::MAX);
    let y = approximate(r, x);
    let halved = half(r, y);
    let product = r.mul(x, y);
    let error = r.fma(minus(product), y, number(1.0));
    let result = r.fma(error, halved, y);
    r.replace(result, zero, word(EXPONENT));
    r.replace(result, infinite, number(0.0));
    vec![result]
}

/// Returns the square root. A small `x`, for which `x - s²` would underflow, is scaled up and its
/// root scaled back.
pub(super) fn sqrt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let infinite = r.at_least(x[0].clone(), word(EXPONENT));
    let positive = r.max(x[0].clone(), number(0.0));
    let small = r.at_most(positive, number(SMALL));
    let x = r.min(positive, number(f32::MAX));
    let lifted = vec![positive.into(), number(LIFT)];
    r.mau_where(MauKind::Vmul, lifted, x, small);
    let y = approximate(r, x);
    let halved = half(r, y);
    let root = r.mul(x, y);
    let rest = r.fma(minus(root), root, x);
    let root = r.fma(rest, halved, root);
    let lowered = vec![root.into(), number(LOWER)];
    r.mau_where(MauKind::Vmul, lowered, root, small);
    r.replace(root, infinite, word(EXPONENT));
    vec![root]
}

/// The seed of `1/∛x` is this minus a third of the bits of `x`: `1 - x·y³` is from -0.105 to 0.101.
pub(super) const CBRT_SEED: u32 = 0x54a2_1d2a;
/// Low bits of `x` that are dropped before its bits are divided by three, so that they are an
/// integer below 2^23.
const LACKING: u32 = 8;
/// The bits of 2^23, whose last mantissa bit has the weight 1.
const INTEGER_BITS: u32 = 0x4b00_0000;

/// Returns a third of the bits of `x`: they become the mantissa of a number from 2^23 to 2^24, of
/// which a third plus two thirds of 2^23 has the result in its mantissa.
pub(super) fn third_of_bits(r: &mut ItemBuilder, x: Value) -> Value {
    let bits = r.unsigned(AluKind::Lsr, x, word(LACKING));
    let bits = r.int(AluKind::Or, bits, word(INTEGER_BITS));
    let offset = f32::from_bits(INTEGER_BITS) * (2.0 / 3.0);
    let third = r.fma(bits, number(1.0 / 3.0), number(offset));
    r.int(AluKind::Lsl, third, word(LACKING))
}

/// Returns the cube root `x·y²` for an approximation `y` of `1/∛x`. A polynomial in the error
/// `1 - x·y³` corrects `y`; one more such step corrects the result.
fn cbrt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = r.int(AluKind::And, x[0].clone(), word(!SIGN));
    let infinite = r.at_least(magnitude, word(EXPONENT));
    let a = r.min(magnitude, number(f32::MAX));
    let third = third_of_bits(r, a);
    let seed = r.int(AluKind::Sub, word(CBRT_SEED), third);
    let product = r.mul(a, seed);
    let product = r.mul(product, seed);
    let error = r.fma(minus(product), seed, number(1.0));
    let factor = r.horner(CBRT.coefficients, error);
    let y = r.mul(seed, factor);
    let product = r.mul(a, y);
    let root = r.mul(product, y);
    let error = r.fma(minus(root), y, number(1.0));
    let error = r.mul(error, number(2.0 / 3.0));
    let root = r.fma(error, root, root);
    r.replace(root, infinite, word(EXPONENT));
    vec![copy_sign(r, x[0].clone(), root)]
}
