//! Square roots and their reciprocals.
//!
//! The seed of 1/√x is a constant less half of x's bits, which is about minus half of its
//! logarithm. The constant makes it 0.82/√x, so that in the quadratic polynomial that corrects it
//! the square has the factor 1; then a step of Newton.

use tessera_ops::Unary;

use super::compare::{flushed, of_positive_only};
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Sqrt,
        sqrt,
        "+0 for zeros and denormals, NaN below zero.",
    ),
    FunctionImpl::unary(
        Unary::Rsqrt,
        rsqrt,
        "inf for zeros and denormals, NaN below zero, +0 for inf.",
    ),
];

/// Less half of the bits of x, the seed.
const SEED: u32 = 0x5f11_1000;
/// `y · ((C - x·y²)² + D)` leaves 2·10^-5 of the seed's error.
const CUBIC: [f32; 2] = [1.126_652_8, 1.013_172_5];
const INFINITY: u32 = 0x7f80_0000;

/// -x and 1/√x to 2·10^-5, of a positive x.
fn approximate(c: &mut SfpuBuilder, x: Reg) -> [Reg; 2] {
    let half = c.shift_by(x, -1);
    let seed = c.binary(Op::IntSub, SEED, half);
    let negative = c.negate(x);
    let product = c.mul(negative, seed);
    let distance = c.mad(product, seed, CUBIC[0]);
    let factor = c.mad(distance, distance, CUBIC[1]);
    [negative, c.mul(factor, seed)]
}

/// 1/√x, or with `of_square` x/√x, with a last step of Newton: what 1 - x·y² is off is no matter of
/// how large x is.
fn refined(c: &mut SfpuBuilder, x: Reg, of_square: bool) -> Reg {
    let [negative, y] = approximate(c, x);
    let product = c.mul(negative, y);
    let error = c.mad(product, y, 1.0);
    let result = match of_square {
        true => c.negate(product),
        false => y,
    };
    let half = c.mul(result, 0.5);
    let result = c.mad(error, half, result);
    of_positive_only(c, result, x);
    result
}

pub(super) fn rsqrt(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flushed(c, x[0]);
    let result = refined(c, x, false);
    let beyond = c.binary(Op::Xor, x, INFINITY);
    c.when(Condition::Zero, beyond, |c| c.assign(result, 0));
    c.when(Condition::Zero, x, |c| c.assign(result, INFINITY));
    result
}

pub(super) fn sqrt(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flushed(c, x[0]);
    refined(c, x, true)
}
