//! Reciprocals and quotients. Wormhole has no instruction for either.
//!
//! The magnitude of x with its exponent replaced by that of 2 is a number m in [2, 4). A polynomial
//! approximates -1/m with a relative error of 1 %. One Newton iteration and one third-order
//! iteration refine it to f32 precision, up to rounding. Inverting the bits of x yields the
//! remaining factor: a power of two with the opposite sign.

use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::RECIP;

use super::compare::propagate_nan;
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Reciprocal,
        recip,
        "An infinity with the sign of x for zeros and denormals; +0 for infinities, and above \
         2^126, where results are denormal.",
    ),
    FunctionImpl::binary(
        Binary::Divide,
        divide,
        "Infinities for x / 0, with the sign of the quotient; NaN for 0 / 0 and inf / inf; \
         zeros are +0. Dividends of magnitude below 2^-124 may count as 0.",
    ),
];

/// The biased exponent of numbers in [2, 4).
pub(super) const EXPONENT_OF_2: u8 = 128;

/// Two factors whose product is 1/x.
struct Factors {
    /// -1/m
    mantissa: Reg,
    /// A power of two with the sign of -x: infinite if x is zero, zero if x is infinite.
    power: Reg,
}

/// Returns the magnitude of x with the exponent of 2.
pub(super) fn mantissa(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let m = c.unary(Op::SetExponent(EXPONENT_OF_2), x);
    c.magnitude(m)
}

/// Returns the power of two that makes x a number from 2 to 4, with the other sign: infinite for
/// zeros, and zero for infinities.
pub(super) fn power(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let power = c.unary(Op::Not, x);
    c.unary(Op::SetMantissa(0), power)
}

/// Returns -1/m of an m from 2 to 4.
pub(super) fn negative_of_mantissa(c: &mut SfpuBuilder, m: Reg) -> Reg {
    let y = c.horner(RECIP.coefficients, m);
    let error = c.mad(m, y, 1.0);
    let y = c.mad(error, y, y);
    let error = c.mad(m, y, 1.0);
    let factor = c.mad(error, error, error);
    c.mad(factor, y, y)
}

fn recip_factors(c: &mut SfpuBuilder, x: Reg) -> Factors {
    let m = mantissa(c, x);
    Factors {
        mantissa: negative_of_mantissa(c, m),
        power: power(c, x),
    }
}

/// Computes 1/x for an x that is not NaN.
pub(super) fn recip_non_nan(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let Factors { mantissa, power } = recip_factors(c, x);
    c.mul(mantissa, power)
}

pub(super) fn recip(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = recip_non_nan(c, x[0]);
    propagate_nan(c, result, x[0]);
    result
}

/// Multiplies the dividend by one factor of the reciprocal after the other, so that only the
/// quotient can overflow or underflow, not the reciprocal.
pub(super) fn divide(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let Factors { mantissa, power } = recip_factors(c, x[1]);
    let quotient = c.mul(mantissa, Operand::Reg(x[0]));
    let result = c.mul(quotient, power);
    propagate_nan(c, result, x[1]);
    result
}
