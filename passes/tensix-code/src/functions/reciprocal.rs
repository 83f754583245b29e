//! Reciprocals and quotients. Wormhole has no instruction for either.
//!
//! With the exponent of 2, x is a number m from 2 to 4. A polynomial gives -1/m to 1 %; a step of
//! Newton and one of third order make that 1/m but for its rounding. The sign and what the exponent
//! lacked come from the inverted bits of x.

use tessera_ops::{Binary, Unary};
use tessera_pto::polynomials::RECIP;

use super::compare::keep_nan;
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
        "Infinities for x / 0, with the sign of both; NaN for 0 / 0 and inf / inf; zeros are +0. \
         Dividends below 2^-124 may count as 0.",
    ),
];

/// The biased exponent of numbers from 2 to 4.
const TWO: u8 = 128;

/// The two factors of 1/x, both with the other sign.
struct Factors {
    /// -1/m
    mantissa: Reg,
    /// A power of two, infinite for zeros and zero for infinities.
    power: Reg,
}

fn factors(c: &mut SfpuBuilder, x: Reg) -> Factors {
    let m = c.unary(Op::SetExponent(TWO), x);
    let m = c.magnitude(m);
    let y = c.horner(RECIP.coefficients, m);
    let error = c.mad(m, y, 1.0);
    let y = c.mad(error, y, y);
    let error = c.mad(m, y, 1.0);
    let factor = c.mad(error, error, error);
    let mantissa = c.mad(factor, y, y);
    let power = c.unary(Op::Not, x);
    let power = c.unary(Op::SetMantissa(0), power);
    Factors { mantissa, power }
}

/// 1/x of an x that is not NaN.
pub(super) fn of_number(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let Factors { mantissa, power } = factors(c, x);
    c.mul(mantissa, power)
}

pub(super) fn recip(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = of_number(c, x[0]);
    keep_nan(c, result, x[0]);
    result
}

/// Returns the dividend is multiplied with one factor after the other, so that only the quotient
/// overflows or underflows.
pub(super) fn divide(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let Factors { mantissa, power } = factors(c, x[1]);
    let quotient = c.mul(mantissa, Operand::Reg(x[0]));
    let result = c.mul(quotient, power);
    keep_nan(c, result, x[1]);
    result
}
