//! Arithmetic, sign operations, `floor`, minimum and maximum, selection and rounding to bf16.

use tessera_ops::{Binary, Unary};

use super::compare::flush_denormals;
use super::{Function, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(Unary::Neg, neg, "Only the sign bit changes."),
    FunctionImpl::unary(Unary::Abs, abs, "Only the sign bit changes."),
    FunctionImpl::unary(
        Unary::Relu,
        relu,
        "+0 for -0 and for NaN with its sign set.",
    ),
    FunctionImpl::binary(Binary::Add, add, "NaN for inf - inf; zeros are +0."),
    FunctionImpl::binary(
        Binary::Subtract,
        subtract,
        "NaN for inf - inf; zeros are +0.",
    ),
    FunctionImpl::binary(Binary::Multiply, multiply, "NaN for inf · 0; zeros are +0."),
    FunctionImpl::binary(
        Binary::Prelu,
        prelu,
        "The product wherever the sign of x is set, for -0 and NaN too.",
    ),
    FunctionImpl::binary(
        Binary::Max,
        max,
        "-0 is less than +0. NaN is above inf, or below -inf if its sign is set.",
    ),
    FunctionImpl::binary(
        Binary::Min,
        min,
        "-0 is less than +0. NaN is above inf, or below -inf if its sign is set.",
    ),
    FunctionImpl::exact(
        Function::Select,
        select,
        "A denormal condition counts as zero, NaN as nonzero. The selected operand is unchanged.",
    ),
    FunctionImpl::exact(
        Function::Round,
        round_bf16,
        "Ties away from zero; an infinity for NaN, +0 for zeros and denormals.",
    ),
    FunctionImpl::integer(Function::Unary(Unary::Relu), relu, "None."),
    FunctionImpl::integer(Function::Select, int_select, "None."),
];

pub(super) fn add(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.add(x[0], x[1])
}

pub(super) fn subtract(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let negative = c.negate(x[1]);
    c.add(x[0], negative)
}

pub(super) fn multiply(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.mul(x[0], x[1])
}

pub(super) fn neg(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.negate(x[0])
}

pub(super) fn abs(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.magnitude(x[0])
}

pub(super) fn relu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = c.copy(x[0]);
    c.when(Condition::Negative, result, |c| c.assign(result, 0));
    result
}

pub(super) fn max(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.max(x[0], x[1])
}

pub(super) fn min(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.min(x[0], x[1])
}

/// 1.5 · 2^23, the constant for rounding to integer by addition.
///
/// After `x + ROUNDING_CONSTANT` the low mantissa bits hold the integer nearest to x, for `|x|`
/// below 2^22. Conversely, integer addition of a small n to the constant's bits gives the float
/// `ROUNDING_CONSTANT + n`.
pub(super) const ROUNDING_CONSTANT: f32 = 12_582_912.0;
/// 2^23: every f32 of at least this magnitude is an integer.
pub(super) const MIN_INTEGRAL: f32 = 8_388_608.0;

/// Returns the integer nearest to a non-negative number below [`MIN_INTEGRAL`].
pub(super) fn nearest_integer(c: &mut SfpuBuilder, magnitude: Reg) -> Reg {
    let sum = c.add(magnitude, MIN_INTEGRAL);
    c.add(sum, -MIN_INTEGRAL)
}

/// Selects the product, computed in all lanes, where x is negative.
pub(super) fn prelu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let product = c.mul(x[0], x[1]);
    let result = c.copy(x[0]);
    c.when(Condition::Negative, x[0], |c| c.assign(result, product));
    result
}

/// Returns `x[1]` where the float `x[0]` is nonzero, else `x[2]`. A denormal condition counts as
/// zero.
pub(super) fn select(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let condition = flush_denormals(c, x[0]);
    select_nonzero(c, condition, x[1], x[2])
}

/// Returns `x[1]` where the integer `x[0]` is nonzero, else `x[2]`.
pub(super) fn int_select(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    select_nonzero(c, x[0], x[1], x[2])
}

fn select_nonzero(c: &mut SfpuBuilder, condition: Reg, if_nonzero: Reg, if_zero: Reg) -> Reg {
    let result = c.copy(if_zero);
    c.when(Condition::NotZero, condition, |c| {
        c.assign(result, if_nonzero)
    });
    result
}

/// Rounds to bf16 as the packers do: to nearest, ties away from zero.
pub(super) fn round_bf16(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.unary(Op::RoundBf16, x[0])
}
