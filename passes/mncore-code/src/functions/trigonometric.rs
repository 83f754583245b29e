//! Trigonometric and hyperbolic functions.

use tessera_isa_mncore::table::{AluKind, MauKind};
use tessera_ops::Unary;

use super::exponential::tame;
use super::recipe::{minus, number, word, Recipe, SIGN};
use super::{reciprocal, Row};
use crate::item::{Operand, Value};

/// The rows of this family.
pub(super) const ROWS: &[Row] = &[Row::unary(
    Unary::Tanh,
    [24, 11],
    tanh,
    "The hyperbolic tangent.",
    "1 with the sign of x from 10 on and for ±inf.",
)];

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
    let magnitude = r.int(AluKind::And, x, word(!SIGN));
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
