//! Comparisons and logical functions. The result is 1 or 0 in the element type of the operands.
//!
//! Float comparisons first flush denormals and -0 to +0. They then compare an operand's bits with
//! those of the minimum of both. A subtraction would not do: the difference of two distinct numbers
//! may underflow to zero.
//!
//! Integer comparisons use the sign of the difference, corrected for overflow.

use tessera_ops::{Binary, Unary};

use super::{Function, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::LogicalNot,
        logical_not,
        "Denormals count as zeros, NaN as nonzero.",
    ),
    FunctionImpl::unary(
        Unary::Sign,
        sign,
        "+0 for zeros and denormals; NaN for NaN.",
    ),
    FunctionImpl::unary(
        Unary::Signbit,
        sign_bit,
        "1 for -0, and for NaN with a sign.",
    ),
    FunctionImpl::unary(Unary::IsFinite, is_finite, "0 for infinities and NaN."),
    FunctionImpl::binary(
        Binary::Equal,
        equal,
        "0 for NaN; denormals count as zeros, and -0 equals +0.",
    ),
    FunctionImpl::binary(
        Binary::NotEqual,
        not_equal,
        "1 for NaN; denormals count as zeros, and -0 equals +0.",
    ),
    FunctionImpl::binary(
        Binary::Greater,
        greater,
        "0 for NaN; denormals count as zeros, and -0 equals +0.",
    ),
    FunctionImpl::binary(
        Binary::GreaterEqual,
        greater_equal,
        "0 for NaN; denormals count as zeros, and -0 equals +0.",
    ),
    FunctionImpl::binary(
        Binary::Less,
        less,
        "0 for NaN; denormals count as zeros, and -0 equals +0.",
    ),
    FunctionImpl::binary(
        Binary::LessEqual,
        less_equal,
        "0 for NaN; denormals count as zeros, and -0 equals +0.",
    ),
    FunctionImpl::binary(
        Binary::LogicalAnd,
        logical_and,
        "Denormals count as zeros, NaN as nonzero.",
    ),
    FunctionImpl::binary(
        Binary::LogicalOr,
        logical_or,
        "Denormals count as zeros, NaN as nonzero.",
    ),
    FunctionImpl::binary(
        Binary::LogicalXor,
        logical_xor,
        "Denormals count as zeros, NaN as nonzero.",
    ),
    FunctionImpl::integer(Function::Unary(Unary::LogicalNot), int_logical_not, "None."),
    FunctionImpl::integer(Function::Unary(Unary::Sign), int_sign, "None."),
    FunctionImpl::integer(Function::Unary(Unary::Signbit), int_sign_bit, "None."),
    FunctionImpl::integer(Function::Binary(Binary::Equal), int_equal, "None."),
    FunctionImpl::integer(Function::Binary(Binary::NotEqual), int_not_equal, "None."),
    FunctionImpl::integer(Function::Binary(Binary::Greater), int_greater, "None."),
    FunctionImpl::integer(
        Function::Binary(Binary::GreaterEqual),
        int_greater_equal,
        "None.",
    ),
    FunctionImpl::integer(Function::Binary(Binary::Less), int_less, "None."),
    FunctionImpl::integer(Function::Binary(Binary::LessEqual), int_less_equal, "None."),
    FunctionImpl::integer(
        Function::Binary(Binary::LogicalAnd),
        int_logical_and,
        "None.",
    ),
    FunctionImpl::integer(Function::Binary(Binary::LogicalOr), int_logical_or, "None."),
    FunctionImpl::integer(
        Function::Binary(Binary::LogicalXor),
        int_logical_xor,
        "None.",
    ),
];

const ONE: f32 = 1.0;
const INFINITY: u32 = 0x7f80_0000;

/// Replaces -0 and denormals by +0.
pub(super) fn flush_denormals(c: &mut SfpuBuilder, x: Reg) -> Reg {
    c.add(x, 0)
}

/// Returns `one` where `a` satisfies the condition, else 0.
fn one_if(c: &mut SfpuBuilder, condition: Condition, a: Reg, one: impl Into<Operand>) -> Reg {
    let result = c.constant(0);
    let one = one.into();
    c.when(condition, a, |c| c.assign(result, one));
    result
}

/// Returns 1 where `a` satisfies the condition and no operand is NaN (an ordered comparison), else
/// 0.
fn one_if_ordered(c: &mut SfpuBuilder, condition: Condition, a: Reg, operands: &[Reg]) -> Reg {
    let result = c.constant(0);
    let infinity = c.constant(INFINITY);
    let magnitudes: Vec<Reg> = operands.iter().map(|x| c.magnitude(*x)).collect();
    c.begin_when(condition, a);
    for magnitude in magnitudes {
        c.begin_when_difference(false, infinity, magnitude);
    }
    c.assign(result, ONE);
    c.end_when();
    result
}

/// Computes `x < y`: the minimum of both is not y.
fn less_than(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let (x, y) = (flush_denormals(c, x), flush_denormals(c, y));
    let minimum = c.min(x, y);
    let differs = c.binary(Op::Xor, y, minimum);
    one_if_ordered(c, Condition::NotZero, differs, &[x, y])
}

/// Computes `x <= y`: the minimum of both is x.
fn less_or_equal(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let (x, y) = (flush_denormals(c, x), flush_denormals(c, y));
    let minimum = c.min(x, y);
    let differs = c.binary(Op::Xor, x, minimum);
    one_if_ordered(c, Condition::Zero, differs, &[x, y])
}

pub(super) fn less(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    less_than(c, x[0], x[1])
}

pub(super) fn less_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    less_or_equal(c, x[0], x[1])
}

pub(super) fn greater(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    less_than(c, x[1], x[0])
}

pub(super) fn greater_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    less_or_equal(c, x[1], x[0])
}

pub(super) fn equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let (x, y) = (flush_denormals(c, x[0]), flush_denormals(c, x[1]));
    let differ = c.binary(Op::Xor, x, y);
    one_if_ordered(c, Condition::Zero, differ, &[x])
}

pub(super) fn not_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let equal = equal(c, x);
    c.binary(Op::Xor, ONE, equal)
}

pub(super) fn logical_not(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flush_denormals(c, x[0]);
    one_if(c, Condition::Zero, x, ONE)
}

/// Returns 1 with the sign of x; x for zeros and NaN.
pub(super) fn sign(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let number = flush_denormals(c, x[0]);
    let result = c.binary(Op::CopySign, ONE, number);
    c.when(Condition::Zero, number, |c| c.assign(result, 0));
    propagate_nan(c, result, x[0]);
    result
}

pub(super) fn sign_bit(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    one_if(c, Condition::Negative, x[0], ONE)
}

pub(super) fn is_finite(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = c.constant(0);
    let magnitude = c.magnitude(x[0]);
    let most = c.constant(INFINITY - 1);
    c.begin_when_difference(false, most, magnitude);
    c.assign(result, ONE);
    c.end_when();
    result
}

pub(super) fn logical_and(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let (x, y) = (flush_denormals(c, x[0]), flush_denormals(c, x[1]));
    both_nonzero(c, x, y, ONE)
}

pub(super) fn logical_or(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let (x, y) = (flush_denormals(c, x[0]), flush_denormals(c, x[1]));
    any_nonzero(c, x, y, ONE)
}

pub(super) fn logical_xor(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let (x, y) = (flush_denormals(c, x[0]), flush_denormals(c, x[1]));
    exactly_one_nonzero(c, x, y, ONE)
}

/// Returns `one` where both are nonzero, else 0.
fn both_nonzero(c: &mut SfpuBuilder, x: Reg, y: Reg, one: impl Into<Operand>) -> Reg {
    let result = c.constant(0);
    c.begin_when(Condition::NotZero, x);
    c.begin_when(Condition::NotZero, y);
    c.assign(result, one);
    c.end_when();
    result
}

/// Returns `one` where at least one is nonzero, else 0.
fn any_nonzero(c: &mut SfpuBuilder, x: Reg, y: Reg, one: impl Into<Operand>) -> Reg {
    let bits = c.binary(Op::Or, x, y);
    one_if(c, Condition::NotZero, bits, one)
}

/// Returns `one` where exactly one is nonzero, else 0.
fn exactly_one_nonzero(c: &mut SfpuBuilder, x: Reg, y: Reg, one: impl Into<Operand>) -> Reg {
    let one = one.into();
    let [x, y] = [x, y].map(|x| one_if(c, Condition::NotZero, x, one));
    c.binary(Op::Xor, x, y)
}

const INT_ONE: u32 = 1;

/// Returns a register whose sign bit is set where the integer x is less than y.
///
/// This is `x - y`, or x itself where the signs differ, since the difference could overflow there.
pub(super) fn less_than_sign(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let difference = c.binary(Op::IntSub, x, y);
    let signs = c.binary(Op::Xor, x, y);
    c.when(Condition::Negative, signs, |c| c.assign(difference, x));
    difference
}

fn int_less_than(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let sign = less_than_sign(c, x, y);
    one_if(c, Condition::Negative, sign, INT_ONE)
}

fn int_not_less_than(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let sign = less_than_sign(c, x, y);
    one_if(c, Condition::NotNegative, sign, INT_ONE)
}

pub(super) fn int_less(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    int_less_than(c, x[0], x[1])
}

pub(super) fn int_less_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    int_not_less_than(c, x[1], x[0])
}

pub(super) fn int_greater(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    int_less_than(c, x[1], x[0])
}

pub(super) fn int_greater_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    int_not_less_than(c, x[0], x[1])
}

pub(super) fn int_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let differ = c.binary(Op::Xor, x[0], x[1]);
    one_if(c, Condition::Zero, differ, INT_ONE)
}

pub(super) fn int_not_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let differ = c.binary(Op::Xor, x[0], x[1]);
    one_if(c, Condition::NotZero, differ, INT_ONE)
}

pub(super) fn int_logical_not(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    one_if(c, Condition::Zero, x[0], INT_ONE)
}

pub(super) fn int_sign(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let result = c.constant(INT_ONE);
    c.when(Condition::Zero, x[0], |c| c.assign(result, 0));
    c.when(Condition::Negative, x[0], |c| c.assign(result, u32::MAX));
    result
}

pub(super) fn int_sign_bit(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    one_if(c, Condition::Negative, x[0], INT_ONE)
}

pub(super) fn int_logical_and(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    both_nonzero(c, x[0], x[1], INT_ONE)
}

pub(super) fn int_logical_or(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    any_nonzero(c, x[0], x[1], INT_ONE)
}

pub(super) fn int_logical_xor(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    exactly_one_nonzero(c, x[0], x[1], INT_ONE)
}

/// Assigns x to `result` in the lanes where x is NaN.
pub(super) fn propagate_nan(c: &mut SfpuBuilder, result: Reg, x: Reg) {
    let magnitude = c.magnitude(x);
    propagate_nan_of(c, result, x, magnitude);
}

/// Assigns x to `result` in the lanes where x is NaN, given its magnitude, which has no later use.
pub(super) fn propagate_nan_of(c: &mut SfpuBuilder, result: Reg, x: Reg, magnitude: Reg) {
    c.begin_when_difference(true, INFINITY, magnitude);
    c.assign(result, x);
    c.end_when();
}

/// Sets the results of operands outside the domain of a function of positive finite numbers.
///
/// `result` becomes x in the lanes where x is +inf or a NaN with a clear sign. It becomes NaN where
/// the sign of x is set. Requires an x flushed by [`flush_denormals`], so that -0 does not occur.
pub(super) fn apply_positive_domain(c: &mut SfpuBuilder, result: Reg, x: Reg) {
    let copy = c.copy(x);
    let max_finite = c.constant(INFINITY - 1);
    c.begin_when_difference(true, max_finite, copy);
    c.assign(result, x);
    c.end_when();
    c.when(Condition::Negative, x, |c| c.assign(result, f32::NAN));
}
