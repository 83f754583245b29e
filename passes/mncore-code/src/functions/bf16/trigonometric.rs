//! Trigonometric functions.
//!
//! The reduction is that of the functions for f32. Sine and cosine subtract multiples of π, so that
//! one polynomial serves all angles.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;
use tessera_ops::Unary;
use tessera_pto::bounds::MAX_ANGLE;
use tessera_pto::polynomials::{SIN_BF16, TAN_BF16};

use super::super::recipe::{minus, number, word, ItemBuilder, EXPONENT};
use super::super::reciprocal::{NEWTON, SEED};
use super::super::trigonometric::{is_even, HALF_PI};
use super::super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary_bf16(Unary::Sin, [8, 8], sin, None),
    Row::unary_bf16(Unary::Cos, [9, 8], cos, None),
    Row::unary_bf16(Unary::Tan, [11, 10], tan, None),
];

/// An angle that is not too large.
struct Bounded {
    angle: Value,
    /// Flags for angles that are as they were.
    is_kept: Value,
}

/// Clamps an angle to those below [`MAX_ANGLE`].
fn bounded(r: &mut ItemBuilder, x: &Operand) -> Bounded {
    let most = f32::from_bits(MAX_ANGLE.to_bits() - 1);
    let angle = r.clamp(x.clone(), -most, most);
    let inputs = [x.clone(), angle.into()];
    let is_kept = r.flags(AluKind::Xor, Precision::Int, &inputs, None);
    Bounded { angle, is_kept }
}

/// Returns the result of an operation on words where an angle was kept, else infinity.
fn kept(r: &mut ItemBuilder, kind: AluKind, inputs: &[Operand], is_kept: Value) -> Vec<Value> {
    let result = r.copy(word(EXPONENT));
    r.int_where(kind, inputs, result, is_kept);
    vec![result]
}

/// Subtracts a multiple of a right angle, times `scale`, from an angle.
fn subtract(r: &mut ItemBuilder, x: Value, multiple: Value, scale: f32) -> Value {
    HALF_PI
        .into_iter()
        .fold(x, |rest, part| r.fma(multiple, number(-scale * part), rest))
}

/// Returns the sine of a reduced angle, or its negative, with the other sign for an odd number of
/// half turns.
fn sine(r: &mut ItemBuilder, rest: Value, turns: Value, sign: f32, is_kept: Value) -> Vec<Value> {
    let square = r.mul(rest, rest);
    let coefficients = SIN_BF16.coefficients.iter();
    let coefficients: Vec<f32> = coefficients.map(|one| sign * one).collect();
    let sum = r.horner(&coefficients, square);
    let result = r.mul(sum, rest);
    let turns = r.float(AluKind::Ftoi, &[turns.into()]);
    let flip = r.int(AluKind::Lsl, turns, word(31));
    kept(r, AluKind::Xor, &[result.into(), flip.into()], is_kept)
}

fn sin(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let Bounded { angle, is_kept } = bounded(r, &x[0]);
    let scaled = r.fma(angle, number(std::f32::consts::FRAC_1_PI), number(0.5));
    let turns = r.float(AluKind::Floor, &[scaled.into()]);
    let rest = subtract(r, angle, turns, 2.0);
    sine(r, rest, turns, 1.0, is_kept)
}

/// `cos x = -sin(x - (k + 1/2) · π)` for even k.
fn cos(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let Bounded { angle, is_kept } = bounded(r, &x[0]);
    let scaled = r.mul(angle, number(std::f32::consts::FRAC_1_PI));
    let turns = r.float(AluKind::Floor, &[scaled.into()]);
    let count = r.add(turns, number(0.5));
    let rest = subtract(r, angle, count, 2.0);
    sine(r, rest, turns, -1.0, is_kept)
}

/// Returns `tan r` in even quadrants and `-1 / tan r` in odd ones.
fn tan(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let Bounded { angle, is_kept } = bounded(r, &x[0]);
    let scaled = r.fma(angle, number(std::f32::consts::FRAC_2_PI), number(0.5));
    let count = r.float(AluKind::Floor, &[scaled.into()]);
    let rest = subtract(r, angle, count, 1.0);
    let square = r.mul(rest, rest);
    let sum = r.horner(TAN_BF16.coefficients, square);
    let tangent = r.mul(sum, rest);
    let seed = r.int(AluKind::Sub, word(SEED), tangent);
    let factor = r.fma(minus(tangent), seed, number(NEWTON));
    let result = r.mul(minus(factor), seed);
    let quadrant = r.float(AluKind::Ftoi, &[count.into()]);
    let is_even = is_even(r, quadrant);
    r.replace(result, is_even, tangent);
    kept(r, AluKind::Passa, &[result.into()], is_kept)
}
