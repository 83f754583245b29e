//! The hyperbolic tangent, the error function, its complement and GELU.
//!
//! The first two are odd: x times a polynomial, of the magnitude or of the square of x, up to where
//! they round to 1. The complement and the tail of GELU are powers of two; polynomials of degree 7
//! approximate their logarithms over the whole range.

use tessera_isa_mncore::table::AluKind;
use tessera_ops::Unary;
use tessera_pto::polynomials::{Polynomial, ERFC_BF16, ERF_BF16, GELU_BF16, TANH_BF16};

use super::super::inverse_trigonometric::{is_positive, magnitude};
use super::super::recipe::{minus, number, word, ItemBuilder, SIGN};
use super::super::Row;
use super::exponential::{factors, Factors, UNITS};
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary_bf16(
        Unary::Tanh,
        [8, 3],
        tanh,
        Some("1 with the sign of x where the result rounds to it, and for ±inf."),
    ),
    Row::unary_bf16(
        Unary::Erf,
        [7, 2],
        erf,
        Some("1 with the sign of x where the result rounds to it, and for ±inf."),
    ),
    Row::unary_bf16(
        Unary::Erfc,
        [12, 7],
        erfc,
        Some("2 for -inf; 0 from 9.16 on, where results are near 2^-125 or less, and for inf."),
    ),
    Row::unary_bf16(
        Unary::Gelu,
        [12, 6],
        gelu,
        Some("0 below -12.9, where results are less than 10^-35, and for -inf; inf for inf."),
    ),
];

fn tanh(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let limit = TANH_BF16.range[1] as f32;
    let x = r.clamp(x[0].clone(), -limit, limit);
    let magnitude = r.int(AluKind::And, x, word(!SIGN));
    let sum = r.horner(TANH_BF16.coefficients, magnitude);
    vec![r.mul(sum, x)]
}

fn erf(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let limit = ERF_BF16.range[1].sqrt() as f32;
    let x = r.clamp(x[0].clone(), -limit, limit);
    let square = r.mul(x, x);
    let sum = r.horner(ERF_BF16.coefficients, square);
    vec![r.mul(sum, x)]
}

/// The bits of 1/2, as a number. The power is half as large as the factors say, so that it is 0 at
/// the end of a polynomial's range.
const HALF: f32 = 126.0 * UNITS;

/// Returns `scale · 2^P(x)` of a polynomial P, for an x in its range.
fn power_of_polynomial(
    r: &mut ItemBuilder,
    polynomial: &Polynomial,
    x: Value,
    scale: f32,
) -> Value {
    let bits = r.horner(&polynomial.scaled(UNITS, HALF), x);
    let Factors { power, mantissa } = factors(r, bits, 2.0 * scale);
    r.mul(mantissa, power)
}

fn erfc(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = magnitude(r, &x[0]);
    let magnitude = r.min(magnitude, number(ERFC_BF16.range[1] as f32));
    let right = power_of_polynomial(r, &ERFC_BF16, magnitude, 1.0);
    let result = r.add(number(2.0), minus(right));
    let is_right = is_positive(r, &x[0]);
    r.replace(result, is_right, right);
    vec![result]
}

/// Returns `max(x, 0) - |x| · (1 - erf(|x|/√2)) / 2`.
fn gelu(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = magnitude(r, &x[0]);
    let magnitude = r.min(magnitude, number(GELU_BF16.range[1] as f32));
    let negative_tail = power_of_polynomial(r, &GELU_BF16, magnitude, -1.0);
    let relu = r.max(x[0].clone(), number(0.0));
    vec![r.fma(negative_tail, magnitude, relu)]
}
