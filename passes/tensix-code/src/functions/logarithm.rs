//! The natural logarithm.
//!
//! Argument reduction: `x = 2^n · m` with m from 2/3 to 4/3, so `log x = n · ln 2 + log m`. With
//! `t = m - 1`, a polynomial P gives `log m = t + t²·P(t)`.
//!
//! For `log(1 + x)`, t is the sum of `2^-n · x` and `2^-n - 1`, both exact. The rounding error of
//! `1 + x` affects only the choice of n, not the result.

use tessera_ops::Unary;
use tessera_pto::polynomials::LOG;

use super::arithmetic::ROUNDING_CONSTANT;
use super::compare::{apply_positive_domain, flush_denormals};
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

/// The bits of 1.0 minus those of 2/3. Adding this to the bits of x increments its exponent where
/// the significand is at least 4/3.
const NEAREST_POWER_BIAS: u32 = 0x3f80_0000 - 0x3f2a_aaab;
pub(super) const NEG_INFINITY: u32 = 0xff80_0000;

/// Converts an integer of magnitude below 2^22 to a float.
pub(super) fn int_to_float(c: &mut SfpuBuilder, n: Reg) -> Reg {
    let sum = c.binary(Op::IntAdd, n, ROUNDING_CONSTANT);
    c.add(sum, -ROUNDING_CONSTANT)
}

/// Computes `log(2^n · (1 + t))`.
fn log_scaled(c: &mut SfpuBuilder, n: Reg, t: Reg) -> Reg {
    let sum = c.horner(LOG.coefficients, t);
    let square = c.mul(t, t);
    let log_mantissa = c.mad(square, sum, t);
    c.mad(n, std::f32::consts::LN_2, log_mantissa)
}

/// Returns the n for which `x / 2^n` is in `[2/3, 4/3)`.
pub(super) fn nearest_exponent(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let nearest = c.binary(Op::IntAdd, x, NEAREST_POWER_BIAS);
    c.unary(Op::Exponent, nearest)
}

/// A number as `2^n · (1 + t)`.
pub(super) struct Reduced {
    pub n: Reg,
    pub t: Reg,
    /// The number, of which special cases depend.
    pub operand: Reg,
}

/// Reduces x.
pub(super) fn reduced(c: &mut SfpuBuilder, x: Reg) -> Reduced {
    let operand = flush_denormals(c, x);
    let n = nearest_exponent(c, operand);
    let power = c.shift_by(n, 23);
    let m = c.binary(Op::IntSub, operand, power);
    let n = int_to_float(c, n);
    let t = c.add(m, -1.0);
    Reduced { n, t, operand }
}

/// Reduces `1 + x`. The sums flush denormals.
pub(super) fn reduced_sum(c: &mut SfpuBuilder, x: Reg) -> Reduced {
    let operand = c.add(x, 1.0);
    let n = nearest_exponent(c, operand);
    let power = c.shift_by(n, 23);
    let scaled = c.binary(Op::IntSub, x, power);
    let one = c.binary(Op::IntSub, 1.0, power);
    // 2^-128 is not representable as a normal number; use 0.
    let one = c.max(one, 0);
    let one = c.add(one, -1.0);
    let t = c.add(scaled, one);
    let n = int_to_float(c, n);
    Reduced { n, t, operand }
}

pub(super) fn log(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let Reduced { n, t, operand } = reduced(c, x[0]);
    let result = log_scaled(c, n, t);
    handle_special_operands(c, result, operand);
    result
}

pub(super) fn log1p(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    log1p_of(c, x[0])
}

/// Computes `log(1 + x)`.
pub(super) fn log1p_of(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let Reduced { n, t, operand } = reduced_sum(c, x);
    let result = log_scaled(c, n, t);
    handle_special_operands(c, result, operand);
    result
}

/// Sets the results for an x that is zero, negative, infinite or NaN.
pub(super) fn handle_special_operands(c: &mut SfpuBuilder, result: Reg, x: Reg) {
    apply_positive_domain(c, result, x);
    c.when(Condition::Zero, x, |c| c.assign(result, NEG_INFINITY));
}
