//! Trigonometric functions.
//!
//! The reduction is that of the functions for f32, with five parts of π/2 of which the last one has
//! 24 bits. Sine and cosine subtract multiples of π, so that one polynomial serves all angles.

use tessera_ops::Unary;
use tessera_pto::polynomials::{SIN_BF16, TAN_BF16};

use super::super::arithmetic::ROUNDING_CONSTANT;
use super::super::trigonometric::refuse_large;
use super::super::FunctionImpl;
use super::reciprocal::approximate_reciprocal;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary_bf16(Unary::Sin, sin, None),
    FunctionImpl::unary_bf16(Unary::Cos, cos, None),
    FunctionImpl::unary_bf16(Unary::Tan, tan, None),
];

/// `-π/2` as a sum of parts, the largest first.
const NEG_HALF_PI: [f32; 5] = [
    -1.570_312_5,
    -0.000_484_466_55,
    6.407_499_3e-7,
    -9.895_302e-10,
    -2.563_344e-12,
];

/// Subtracts a multiple of a right angle, times `scale`, from an angle.
fn subtract(c: &mut SfpuBuilder, x: Reg, multiple: Reg, scale: f32) -> Reg {
    NEG_HALF_PI
        .into_iter()
        .fold(x, |rest, part| c.mad(multiple, scale * part, rest))
}

/// Computes the sine of a reduced angle, or its negative, and flips its sign if `turns` is odd.
fn sine(c: &mut SfpuBuilder, rest: Reg, turns: Reg, sign: f32) -> Reg {
    let square = c.mul(rest, rest);
    let coefficients = SIN_BF16.coefficients.iter();
    let coefficients: Vec<f32> = coefficients.map(|one| sign * one).collect();
    let sum = c.horner(&coefficients, square);
    let result = c.mul(sum, rest);
    let flip = c.shift_by(turns, 31);
    c.binary(Op::Xor, flip, result)
}

fn sin(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let turns = c.mad(x[0], std::f32::consts::FRAC_1_PI, ROUNDING_CONSTANT);
    let count = c.add(turns, -ROUNDING_CONSTANT);
    let rest = subtract(c, x[0], count, 2.0);
    let result = sine(c, rest, turns, 1.0);
    refuse_large(c, result, x[0]);
    result
}

/// `cos x = -sin(x - (k + 1/2) · π)` for even k.
fn cos(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let quotient = c.mad(x[0], std::f32::consts::FRAC_1_PI, -0.5);
    let turns = c.add(quotient, ROUNDING_CONSTANT);
    let count = c.add(turns, -ROUNDING_CONSTANT);
    let count = c.add(count, 0.5);
    let rest = subtract(c, x[0], count, 2.0);
    let result = sine(c, rest, turns, -1.0);
    refuse_large(c, result, x[0]);
    result
}

/// Computes `tan r` in even quadrants and `-1 / tan r` in odd ones.
fn tan(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let quadrant = c.mad(x[0], std::f32::consts::FRAC_2_PI, ROUNDING_CONSTANT);
    let count = c.add(quadrant, -ROUNDING_CONSTANT);
    let rest = subtract(c, x[0], count, 1.0);
    let square = c.mul(rest, rest);
    let sum = c.horner(TAN_BF16.coefficients, square);
    let result = c.mul(sum, rest);
    let negative = c.negate(result);
    let inverse = approximate_reciprocal(c, negative, result);
    let is_odd = c.shift_by(quadrant, 31);
    c.when(Condition::Negative, is_odd, |c| c.assign(result, inverse));
    refuse_large(c, result, x[0]);
    result
}
