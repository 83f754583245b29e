//! Sums, products, signs, extremes; choices.

use tessera_ops::{Binary, Unary};

use super::compare::flushed;
use super::{Function, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Floor,
        floor,
        "Zeros keep their signs, infinities and NaN all bits; denormals are zeros.",
    ),
    FunctionImpl::unary(Unary::Neg, neg, "All bits but the sign are kept."),
    FunctionImpl::unary(Unary::Abs, abs, "All bits but the sign are kept."),
    FunctionImpl::unary(Unary::Relu, relu, "+0 for -0 and for NaN with a sign."),
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
        "The product where the sign of x is set.",
    ),
    FunctionImpl::binary(
        Binary::Max,
        max,
        "Zeros by their signs. NaN is above inf, or with a sign below -inf.",
    ),
    FunctionImpl::binary(
        Binary::Min,
        min,
        "Zeros by their signs. NaN is above inf, or with a sign below -inf.",
    ),
    FunctionImpl::exact(
        Function::Select,
        select,
        "Denormals are zeros; NaN is none. What is chosen keeps its bits.",
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

/// 1.5 · 2^23: added to a number of few digits, it leaves the nearest integer in the low bits; an
/// integer of few bits added to its bits is a float plus that.
pub(super) const INTEGER: f32 = 12_582_912.0;
/// From here on all floats are integers: 2^23.
pub(super) const INTEGERS: f32 = 8_388_608.0;

/// Returns the integer nearest to a magnitude below [`INTEGERS`].
pub(super) fn nearest_integer(c: &mut SfpuBuilder, magnitude: Reg) -> Reg {
    let sum = c.add(magnitude, INTEGERS);
    c.add(sum, -INTEGERS)
}

/// Returns the nearest integer, less 1 where that is above x.
pub(super) fn floor(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let magnitude = c.magnitude(x[0]);
    let nearest = nearest_integer(c, magnitude);
    let result = c.binary(Op::CopySign, nearest, x[0]);
    let negative = c.negate(result);
    let rest = c.add(x[0], negative);
    let below = c.add(result, -1.0);
    c.when(Condition::Negative, rest, |c| c.assign(result, below));
    let most = c.constant(INTEGERS.to_bits() - 1);
    c.begin_when_difference(true, most, magnitude);
    c.assign(result, x[0]);
    c.end_when();
    result
}

/// Returns the product where x is negative, which is computed for all.
pub(super) fn prelu(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let product = c.mul(x[0], x[1]);
    let result = c.copy(x[0]);
    c.when(Condition::Negative, x[0], |c| c.assign(result, product));
    result
}

/// Returns the second where the first is not zero; denormals are.
pub(super) fn select(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let condition = flushed(c, x[0]);
    choose(c, condition, x[1], x[2])
}

/// Returns the same of an integer.
pub(super) fn int_select(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    choose(c, x[0], x[1], x[2])
}

fn choose(c: &mut SfpuBuilder, condition: Reg, yes: Reg, no: Reg) -> Reg {
    let result = c.copy(no);
    c.when(Condition::NotZero, condition, |c| c.assign(result, yes));
    result
}

/// Rounded to bf16 as packers do it.
pub(super) fn round_bf16(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.unary(Op::RoundBf16, x[0])
}
