//! Reciprocals and quotients: the forms for f32 with a linear polynomial and one Newton iteration.

use tessera_ops::{Binary, Unary};

use super::super::compare::propagate_nan_of;
use super::super::reciprocal::{power, EXPONENT_OF_2};
use super::super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary_bf16(Unary::Reciprocal, recip, None),
    FunctionImpl::binary_bf16(Binary::Divide, divide, None),
];

/// Less the bits of x, a seed of `1/x` with an error of 5 %.
const SEED_CONSTANT: u32 = 0x7ef3_3000;
/// C of the refinement `y · (C - x·y)`. Its relative error is at most 0.14 %.
const CORRECTION: f32 = 2.001_2;

/// Computes `1/x` of a number that is neither zero nor infinite, given its negative. The relative
/// error is 0.14 %. The result is 0 from 2^126 on, and x must be below 2^127.
pub(super) fn approximate_reciprocal(c: &mut SfpuBuilder, x: Reg, negative: Reg) -> Reg {
    let seed = c.binary(Op::IntSub, SEED_CONSTANT, x);
    let factor = c.mad(negative, seed, CORRECTION);
    c.mul(factor, seed)
}

/// The linear approximation y of `-1/m` for an m from 2 to 4, and C of its refinement
/// `y · (C + m·y)`. The error of y is 6 %, and that of the refinement 0.18 %.
const LINEAR: [f32; 2] = [0.117_748_84, -0.706_493];
const LINEAR_CORRECTION: f32 = 2.001_73;

/// Returns -1/m of an m from 2 to 4.
pub(super) fn negative_of_mantissa(c: &mut SfpuBuilder, m: Reg) -> Reg {
    let y = c.horner(&LINEAR, m);
    let factor = c.mad(m, y, LINEAR_CORRECTION);
    c.mul(factor, y)
}

/// Computes the reciprocal or a quotient: that by the mantissa of the divisor, times a power of
/// two.
fn quotient(c: &mut SfpuBuilder, dividend: Option<Reg>, divisor: Reg) -> Reg {
    let magnitude = c.magnitude(divisor);
    let m = c.unary(Op::SetExponent(EXPONENT_OF_2), magnitude);
    let inverse = negative_of_mantissa(c, m);
    let inverse = match dividend {
        Some(dividend) => c.mul(inverse, dividend),
        None => inverse,
    };
    let power = power(c, divisor);
    let result = c.mul(inverse, power);
    propagate_nan_of(c, result, divisor, magnitude);
    result
}

fn recip(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    quotient(c, None, x[0])
}

fn divide(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    quotient(c, Some(x[0]), x[1])
}
