//! The hyperbolic tangent, the error function, its complement and GELU.
//!
//! The first two are odd: x times a polynomial, of the magnitude or of the square of x, up to where
//! they round to 1. The complement and the tail of GELU are powers of two; polynomials of degree 7
//! approximate their logarithms over the whole range.

use tessera_ops::Unary;
use tessera_pto::polynomials::{Polynomial, ERFC_BF16, ERF_BF16, GELU_BF16, TANH_BF16};

use super::super::compare::propagate_nan;
use super::super::FunctionImpl;
use super::exponential::{scaled_power, EXPONENT_BIAS, UNITS};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary_bf16(Unary::Tanh, tanh, None),
    FunctionImpl::unary_bf16(
        Unary::Erf,
        erf,
        Some("1 with the sign of x where the result rounds to it; +0 for zeros."),
    ),
    FunctionImpl::unary_bf16(
        Unary::Erfc,
        erfc,
        Some("2 for -inf; 0 from 9.16 on, where results are less than 2^-125."),
    ),
    FunctionImpl::unary_bf16(
        Unary::Gelu,
        gelu,
        Some("0 below -12.9, where results are less than 10^-35, and for -inf."),
    ),
];

/// Clamps x to a magnitude.
fn clamp(c: &mut SfpuBuilder, x: Reg, limit: f32) -> Reg {
    let x = c.min(x, limit);
    c.max(x, -limit)
}

fn tanh(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let bounded = clamp(c, x[0], TANH_BF16.range[1] as f32);
    let magnitude = c.magnitude(bounded);
    let sum = c.horner(TANH_BF16.coefficients, magnitude);
    let result = c.mul(sum, bounded);
    propagate_nan(c, result, x[0]);
    result
}

fn erf(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let bounded = clamp(c, x[0], ERF_BF16.range[1].sqrt() as f32);
    let square = c.mul(bounded, bounded);
    let sum = c.horner(ERF_BF16.coefficients, square);
    let result = c.mul(sum, bounded);
    propagate_nan(c, result, x[0]);
    result
}

/// Computes `scale · 2^P(x)` of a polynomial P, for a non-negative x. Beyond the polynomial's range
/// the power is 0.
fn power_of_polynomial(c: &mut SfpuBuilder, polynomial: &Polynomial, x: Reg, scale: f32) -> Reg {
    let shifted = c.horner(&polynomial.scaled(UNITS, EXPONENT_BIAS), x);
    scaled_power(c, shifted, scale)
}

fn erfc(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let magnitude = c.min(magnitude, ERFC_BF16.range[1] as f32);
    let result = power_of_polynomial(c, &ERFC_BF16, magnitude, 1.0);
    let other = c.mad(result, -1.0, 2.0);
    c.when(Condition::Negative, x[0], |c| c.assign(result, other));
    propagate_nan(c, result, x[0]);
    result
}

/// Computes `x · (1 - Q)` from 0 on and `x · Q` below, where Q is the tail `(1 - erf(|x|/√2)) / 2`.
fn gelu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let magnitude = c.min(magnitude, GELU_BF16.range[1] as f32);
    let negative_tail = power_of_polynomial(c, &GELU_BF16, magnitude, -1.0);
    c.begin_when(Condition::NotNegative, x[0]);
    c.set(
        negative_tail,
        Op::Add,
        vec![negative_tail.into(), 1.0.into()],
    );
    c.assign(magnitude, x[0]);
    c.end_when();
    let result = c.mul(negative_tail, magnitude);
    propagate_nan(c, result, x[0]);
    result
}
