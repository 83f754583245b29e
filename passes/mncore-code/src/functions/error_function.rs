//! The error function and GELU.
//!
//! For small `x` a polynomial; otherwise `1 - e^-P(|x|)` with a polynomial `P` for `-log(1 - erf
//! x)`. For nonnegative `x` `erfc x = e^(-x²) · P(q) / (x + 2)` with `q = (x - 2) / (x + 2)` (M. M.
//! Shepherd and J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 ≤ x <
//! ∞", 1981).

use tessera_isa_mncore::table::{AluKind, MauKind};
use tessera_ops::Unary;
use tessera_pto::polynomials::power::UPPER;
use tessera_pto::polynomials::ERFCX;

use super::exponential;
use super::inverse_trigonometric::is_positive;
use super::recipe::{minus, number, word, ItemBuilder, SIGN};
use super::reciprocal::{self, copy_sign};
use super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Erf,
        [24, 10],
        erf,
        "The error function.",
        "1 with the sign of x from 4 on and for ±inf.",
    ),
    Row::unary(
        Unary::Erfc,
        [35, 10],
        erfc,
        "1 - erf x.",
        "2 for -inf; 0 from 9.2 on, where results are less than 2^-126, and for inf.",
    ),
    Row::unary(
        Unary::Gelu,
        [26, 10],
        gelu,
        "x/2 · (1 + erf(x / √2)); the sum cancels for negative x, so the bound is one of the distance.",
        "0 below -5.66 and for -inf, inf for inf.",
    ),
];

/// The approximation of erf at a multiple of `x`.
struct Shape {
    /// Coefficients in `x²` for small `x`, in order of descending powers: of `erf(x)/x - added`.
    small: [f32; 7],
    /// The coefficient of `x` that is added separately.
    added: f32,
    /// The largest `x` that counts as small.
    most_small: f32,
    /// Coefficients of `P`.
    large: [f32; 7],
    /// The smallest `x` whose result is 1.
    one: f32,
}

/// `erf x`.
const ERF: Shape = Shape {
    small: [
        7.806_903e-5,
        -0.000_799_785_3,
        0.005_187_162,
        -0.026_853_347,
        0.112_835_79,
        -0.376_126_26,
        0.128_379_17,
    ],
    added: 1.0,
    most_small: 1.0,
    large: [
        -0.000_186_375_44,
        0.002_947_627_6,
        -0.021_837_963,
        0.103_106_59,
        0.638_144_97,
        1.127_089_1,
        0.000_341_525_36,
    ],
    one: 4.0,
};

/// `erf(x / √2)`.
const SCALED: Shape = Shape {
    small: [
        1.470_444_3e-6,
        -2.139_189_7e-5,
        0.000_237_804_27,
        -0.002_382_652_4,
        0.019_951_168,
        -0.132_981_51,
        0.797_884_6,
    ],
    added: 0.0,
    most_small: std::f32::consts::SQRT_2,
    large: [
        -2.329_696_5e-5,
        0.000_521_072_4,
        -0.005_459_495,
        0.036_453_7,
        0.319_072_46,
        0.796_972_4,
        0.000_341_525_36,
    ],
    one: 5.656_854,
};

/// Returns erf of an `x` that is at most `shape.one`.
fn erf_of_clamped(r: &mut ItemBuilder, x: Value, shape: &Shape) -> Value {
    let magnitude = r.int(AluKind::And, x, word(!SIGN));
    let power = r.horner(&shape.large, magnitude);
    let rest = exponential::tame(r, power, -1.0, 1.0);
    let large = r.add(number(1.0), minus(rest));
    let result = copy_sign(r, x, large);
    let small = r.at_most(magnitude, number(shape.most_small));
    let square = r.mul(x, x);
    let sum = r.horner(&shape.small, square);
    if shape.added == 0.0 {
        r.mau_where(MauKind::Vmul, vec![sum.into(), x.into()], result, small);
    } else {
        let inputs = vec![sum.into(), x.into(), x.into()];
        r.mau_where(MauKind::Vfma, inputs, result, small);
    }
    result
}

pub(super) fn erf(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.clamp(x[0].clone(), -ERF.one, ERF.one);
    vec![erf_of_clamped(r, x, &ERF)]
}

/// From here on erfc vanishes.
const VANISHING: f32 = 9.3;

/// Returns `e^(-x²) · P(q) / (x + 2)` for nonnegative `x`. With `u` being the upper bits of `x`,
/// `x² = u² + (x - u)(x + u)`, the first square without an error.
fn erfc(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = r.int(AluKind::And, x[0].clone(), word(!SIGN));
    let a = r.min(magnitude, number(VANISHING));
    let sum = r.add(a, number(2.0));
    let inverse = reciprocal::reciprocal_of_normal(r, sum);
    let quotient = r.add(a, number(-2.0));
    let quotient = r.mul(quotient, inverse);
    let value = r.horner(ERFCX.coefficients, quotient);
    let value = r.mul(value, inverse);
    let upper = r.int(AluKind::And, a, word(UPPER));
    let lower = r.add(upper, minus(a));
    let both = r.add(a, upper);
    let lower = r.mul(lower, both);
    let square = r.mul(minus(upper), upper);
    let power = exponential::tame_sum(r, square, lower);
    let right = r.mul(power, value);
    let result = r.add(number(2.0), minus(right));
    let is_right = is_positive(r, &x[0]);
    r.replace(result, is_right, right);
    vec![result]
}

/// Returns `x/2 + x/2 · erf(x/√2)`. `x` is clamped below, where the result is 0.
pub(super) fn gelu(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.max(x[0].clone(), number(-SCALED.one));
    let clamped = r.min(x, number(SCALED.one));
    let erf = erf_of_clamped(r, clamped, &SCALED);
    let half = r.mul(x, number(0.5));
    vec![r.fma(erf, half, half)]
}
