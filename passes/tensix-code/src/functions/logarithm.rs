//! The natural logarithm.
//!
//! `x = 2^n · m` with m from 2/3 to 4/3; `log m` is `t + t²·P(t)` of `t = m - 1`. For `1 + x`, t is
//! the sum of `2^-n · x` and `2^-n - 1`, which are exact: what `1 + x` loses to rounding only
//! chooses n.

use tessera_ops::Unary;
use tessera_pto::polynomials::LOG;

use super::arithmetic::INTEGER;
use super::compare::{flushed, of_positive_only};
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Log,
        log,
        "-inf for zeros and denormals, NaN below zero.",
    ),
    FunctionImpl::unary(
        Unary::Log1p,
        log1p,
        "-inf for -1, NaN below; zeros and denormals are +0.",
    ),
];

/// Added to the bits of x, the exponent is that of the power of two nearest to x: those of 1 less
/// those of 2/3.
const TO_NEAREST: u32 = 0x3f80_0000 - 0x3f2a_aaab;
const LESS_INFINITY: u32 = 0xff80_0000;

/// Returns an integer as a float.
pub(super) fn float_of(c: &mut SfpuBuilder, n: Reg) -> Reg {
    let sum = c.binary(Op::IntAdd, n, INTEGER);
    c.add(sum, -INTEGER)
}

/// `log(2^n · (1 + t))`.
fn of_parts(c: &mut SfpuBuilder, n: Reg, t: Reg) -> Reg {
    let sum = c.horner(LOG.coefficients, t);
    let square = c.mul(t, t);
    let of_mantissa = c.mad(square, sum, t);
    c.mad(n, std::f32::consts::LN_2, of_mantissa)
}

/// Returns the exponent of the power of two nearest to x.
pub(super) fn nearest_exponent(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let nearest = c.binary(Op::IntAdd, x, TO_NEAREST);
    c.unary(Op::Exponent, nearest)
}

pub(super) fn log(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flushed(c, x[0]);
    let n = nearest_exponent(c, x);
    let power = c.shift_by(n, 23);
    let m = c.binary(Op::IntSub, x, power);
    let n = float_of(c, n);
    let t = c.add(m, -1.0);
    let result = of_parts(c, n, t);
    finish(c, result, x);
    result
}

pub(super) fn log1p(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flushed(c, x[0]);
    let sum = c.add(x, 1.0);
    let n = nearest_exponent(c, sum);
    let power = c.shift_by(n, 23);
    let scaled = c.binary(Op::IntSub, x, power);
    let one = c.binary(Op::IntSub, 1.0, power);
    // 2^-128 has no exponent.
    let one = c.max(one, 0);
    let one = c.add(one, -1.0);
    let t = c.add(scaled, one);
    let n = float_of(c, n);
    let result = of_parts(c, n, t);
    finish(c, result, sum);
    result
}

/// The logarithm of a number that is zero or negative, infinite or NaN.
fn finish(c: &mut SfpuBuilder, result: Reg, of: Reg) {
    of_positive_only(c, result, of);
    c.when(Condition::Zero, of, |c| c.assign(result, LESS_INFINITY));
}
