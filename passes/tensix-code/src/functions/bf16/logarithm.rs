//! Logarithms: the forms for f32 with a cubic polynomial.

use tessera_ops::Unary;
use tessera_pto::polynomials::LOG_BF16;

use super::super::logarithm::{reduced, reduced_sum, Reduced, NEG_INFINITY};
use super::super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary_bf16(Unary::Log, log, None),
    FunctionImpl::unary_bf16(Unary::Log1p, log1p, None),
];

/// Computes `log(2^n · (1 + t))`.
pub(super) fn log_scaled(c: &mut SfpuBuilder, n: Reg, t: Reg) -> Reg {
    let sum = c.horner(LOG_BF16.coefficients, t);
    let log_mantissa = c.mul(sum, t);
    c.mad(n, std::f32::consts::LN_2, log_mantissa)
}

/// The exponent of infinities and NaN.
const MAX_EXPONENT: i16 = 128;

/// Sets the results for a flushed x that is zero, negative, infinite or NaN.
pub(super) fn handle_special_operands(c: &mut SfpuBuilder, result: Reg, x: Reg) {
    let exponent = c.unary(Op::Exponent, x);
    c.begin_when_sum(exponent, -MAX_EXPONENT, false);
    c.assign(result, x);
    c.end_when();
    c.begin_when_not_positive(x);
    c.assign(result, f32::NAN);
    c.begin_when(Condition::Zero, x);
    c.assign(result, NEG_INFINITY);
    c.end_when();
}

fn log(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let Reduced { n, t, operand } = reduced(c, x[0]);
    let result = log_scaled(c, n, t);
    handle_special_operands(c, result, operand);
    result
}

fn log1p(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let Reduced { n, t, operand } = reduced_sum(c, x[0]);
    let result = log_scaled(c, n, t);
    handle_special_operands(c, result, operand);
    result
}
