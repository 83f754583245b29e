//! Comparisons and logical functions: 1 or 0, of floats as a float, of integers as an integer.
//!
//! Floats are flushed first: denormals and -0 become +0. Then their bits decide, as those of sorted
//! pairs do: no difference is taken, which could vanish.

use tessera_ops::{Binary, Unary};

use super::{Function, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::LogicalNot,
        logical_not,
        "Denormals are zeros; NaN is none.",
    ),
    FunctionImpl::binary(
        Binary::Equal,
        equal,
        "0 for NaN; denormals are zeros, which are equal.",
    ),
    FunctionImpl::binary(
        Binary::NotEqual,
        not_equal,
        "1 for NaN; denormals are zeros, which are equal.",
    ),
    FunctionImpl::binary(
        Binary::Greater,
        greater,
        "0 for NaN; denormals are zeros, which are equal.",
    ),
    FunctionImpl::binary(
        Binary::GreaterEqual,
        greater_equal,
        "0 for NaN; denormals are zeros, which are equal.",
    ),
    FunctionImpl::binary(
        Binary::Less,
        less,
        "0 for NaN; denormals are zeros, which are equal.",
    ),
    FunctionImpl::binary(
        Binary::LessEqual,
        less_equal,
        "0 for NaN; denormals are zeros, which are equal.",
    ),
    FunctionImpl::binary(
        Binary::LogicalAnd,
        logical_and,
        "Denormals are zeros; NaN is none.",
    ),
    FunctionImpl::binary(
        Binary::LogicalOr,
        logical_or,
        "Denormals are zeros; NaN is none.",
    ),
    FunctionImpl::binary(
        Binary::LogicalXor,
        logical_xor,
        "Denormals are zeros; NaN is none.",
    ),
    FunctionImpl::integer(Function::Unary(Unary::LogicalNot), int_logical_not, "None."),
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

/// With +0 for -0 and for denormals.
pub(super) fn flushed(c: &mut SfpuBuilder, x: Reg) -> Reg {
    c.add(x, 0)
}

/// 1 where `a` is so, else 0.
fn truth(c: &mut SfpuBuilder, condition: Condition, a: Reg, one: impl Into<Operand>) -> Reg {
    let result = c.constant(0);
    let one = one.into();
    c.when(condition, a, |c| c.assign(result, one));
    result
}

/// 1 where `a` is so and none of these is NaN, else 0.
fn truth_of_numbers(c: &mut SfpuBuilder, condition: Condition, a: Reg, of: &[Reg]) -> Reg {
    let result = c.constant(0);
    let infinity = c.constant(INFINITY);
    let magnitudes: Vec<Reg> = of.iter().map(|x| c.magnitude(*x)).collect();
    c.begin_when(condition, a);
    for magnitude in magnitudes {
        c.begin_when_difference(false, infinity, magnitude);
    }
    c.assign(result, ONE);
    c.end_when();
    result
}

/// Returns whether x is less: whether the lesser of both is not y.
fn less_of(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let (x, y) = (flushed(c, x), flushed(c, y));
    let lesser = c.min(x, y);
    let is_other = c.binary(Op::Xor, y, lesser);
    truth_of_numbers(c, Condition::NotZero, is_other, &[x, y])
}

/// Returns whether x is not greater: whether it is the lesser of both.
fn less_equal_of(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let (x, y) = (flushed(c, x), flushed(c, y));
    let lesser = c.min(x, y);
    let is_other = c.binary(Op::Xor, x, lesser);
    truth_of_numbers(c, Condition::Zero, is_other, &[x, y])
}

pub(super) fn less(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    less_of(c, x[0], x[1])
}

pub(super) fn less_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    less_equal_of(c, x[0], x[1])
}

pub(super) fn greater(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    less_of(c, x[1], x[0])
}

pub(super) fn greater_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    less_equal_of(c, x[1], x[0])
}

pub(super) fn equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let (x, y) = (flushed(c, x[0]), flushed(c, x[1]));
    let differ = c.binary(Op::Xor, x, y);
    truth_of_numbers(c, Condition::Zero, differ, &[x])
}

pub(super) fn not_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let equal = equal(c, x);
    c.binary(Op::Xor, ONE, equal)
}

pub(super) fn logical_not(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flushed(c, x[0]);
    truth(c, Condition::Zero, x, ONE)
}

pub(super) fn logical_and(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let (x, y) = (flushed(c, x[0]), flushed(c, x[1]));
    both(c, x, y, ONE)
}

pub(super) fn logical_or(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let (x, y) = (flushed(c, x[0]), flushed(c, x[1]));
    either(c, x, y, ONE)
}

pub(super) fn logical_xor(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let (x, y) = (flushed(c, x[0]), flushed(c, x[1]));
    one_of(c, x, y, ONE)
}

fn both(c: &mut SfpuBuilder, x: Reg, y: Reg, one: impl Into<Operand>) -> Reg {
    let result = c.constant(0);
    c.begin_when(Condition::NotZero, x);
    c.begin_when(Condition::NotZero, y);
    c.assign(result, one);
    c.end_when();
    result
}

fn either(c: &mut SfpuBuilder, x: Reg, y: Reg, one: impl Into<Operand>) -> Reg {
    let bits = c.binary(Op::Or, x, y);
    truth(c, Condition::NotZero, bits, one)
}

fn one_of(c: &mut SfpuBuilder, x: Reg, y: Reg, one: impl Into<Operand>) -> Reg {
    let one = one.into();
    let [x, y] = [x, y].map(|x| truth(c, Condition::NotZero, x, one));
    c.binary(Op::Xor, x, y)
}

const INT_ONE: u32 = 1;

/// Returns what has the sign that says whether the integer x is less than y: their difference;
/// where their signs differ, which might overflow, x.
pub(super) fn sign_of_less(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let difference = c.binary(Op::IntSub, x, y);
    let signs = c.binary(Op::Xor, x, y);
    c.when(Condition::Negative, signs, |c| c.assign(difference, x));
    difference
}

fn int_less_of(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let sign = sign_of_less(c, x, y);
    truth(c, Condition::Negative, sign, INT_ONE)
}

fn int_not_less_of(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let sign = sign_of_less(c, x, y);
    truth(c, Condition::NotNegative, sign, INT_ONE)
}

pub(super) fn int_less(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    int_less_of(c, x[0], x[1])
}

pub(super) fn int_less_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    int_not_less_of(c, x[1], x[0])
}

pub(super) fn int_greater(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    int_less_of(c, x[1], x[0])
}

pub(super) fn int_greater_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    int_not_less_of(c, x[0], x[1])
}

pub(super) fn int_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let differ = c.binary(Op::Xor, x[0], x[1]);
    truth(c, Condition::Zero, differ, INT_ONE)
}

pub(super) fn int_not_equal(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let differ = c.binary(Op::Xor, x[0], x[1]);
    truth(c, Condition::NotZero, differ, INT_ONE)
}

pub(super) fn int_logical_not(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    truth(c, Condition::Zero, x[0], INT_ONE)
}

pub(super) fn int_logical_and(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    both(c, x[0], x[1], INT_ONE)
}

pub(super) fn int_logical_or(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    either(c, x[0], x[1], INT_ONE)
}

pub(super) fn int_logical_xor(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    one_of(c, x[0], x[1], INT_ONE)
}

/// In the lanes where x is NaN, `result` becomes x.
pub(super) fn keep_nan(c: &mut SfpuBuilder, result: Reg, x: Reg) {
    let magnitude = c.magnitude(x);
    let infinity = c.constant(INFINITY);
    c.begin_when_difference(true, infinity, magnitude);
    c.assign(result, x);
    c.end_when();
}

/// In the lanes where x is an infinity or NaN with a sign that is not set, `result` becomes x; in
/// those where x has a sign, and is not -0, it becomes NaN. The x given is flushed.
pub(super) fn of_positive_only(c: &mut SfpuBuilder, result: Reg, x: Reg) {
    let below = c.copy(x);
    let most = c.constant(INFINITY - 1);
    c.begin_when_difference(true, most, below);
    c.assign(result, x);
    c.end_when();
    c.when(Condition::Negative, x, |c| c.assign(result, f32::NAN));
}
