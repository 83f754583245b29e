//! Integers of 32 bits, in two's complement.

use tessera_ops::{Binary, Unary};

use super::compare::sign_of_less;
use super::{Function, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::exact(
        Function::Convert,
        from_float,
        "Beyond the integers that there are, the one nearest; NaN counts as beyond, by its sign.",
    ),
    FunctionImpl::integer(Function::Unary(Unary::Neg), neg, "Wraps."),
    FunctionImpl::integer(Function::Unary(Unary::Abs), abs, "Wraps."),
    FunctionImpl::integer(Function::Unary(Unary::BitwiseNot), not, "None."),
    FunctionImpl::integer(Function::Binary(Binary::Add), add, "Wraps."),
    FunctionImpl::integer(Function::Binary(Binary::Subtract), subtract, "Wraps."),
    FunctionImpl::integer(Function::Binary(Binary::Multiply), multiply, "Wraps."),
    FunctionImpl::integer(Function::Binary(Binary::Max), max, "None."),
    FunctionImpl::integer(Function::Binary(Binary::Min), min, "None."),
    FunctionImpl::integer(Function::Binary(Binary::BitwiseAnd), and, "None."),
    FunctionImpl::integer(Function::Binary(Binary::BitwiseOr), or, "None."),
    FunctionImpl::integer(Function::Binary(Binary::BitwiseXor), xor, "None."),
    FunctionImpl::integer(
        Function::Binary(Binary::ShiftLeft),
        shift_left,
        "0 for amounts that are not from 0 to 31.",
    ),
    FunctionImpl::integer(
        Function::Binary(Binary::ShiftRight),
        shift_right,
        "0 for amounts that are not from 0 to 31.",
    ),
    FunctionImpl::integer(Function::Convert, to_float, "Rounded, ties to even."),
];

pub(super) fn add(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.binary(Op::IntAdd, x[0], x[1])
}

pub(super) fn subtract(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.binary(Op::IntSub, x[0], x[1])
}

/// Bits of a digit of a factor, so few that sums of two products of digits are less than 2^23.
const DIGIT: i8 = 11;
/// Added to an integer below it, all bits of the sum are the mantissa's.
const UNIT: f32 = (1 << 23) as f32;

/// Digits are multiplied as floats, which is exact. Modulo 2^32,
/// `a·b = a0·b0 + (a0·b1 + a1·b0) · 2^11 + (a0·b2 + a1·b1 + a2·b0) · 2^22`.
pub(super) fn multiply(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let [a0, b0] = [x[0], x[1]].map(|x| digit(c, x, 0));
    let low = product(c, UNIT, &[[a0, b0]]);
    let [a1, b1] = [x[0], x[1]].map(|x| digit(c, x, 1));
    let middle = product(c, UNIT, &[[a0, b1], [a1, b0]]);
    let middle = c.shift_by(middle, DIGIT);
    let sum = c.binary(Op::IntAdd, middle, low);
    let ones = c.mad(a1, b1, UNIT);
    let b2 = digit(c, x[1], 2);
    let ones = c.mad(a0, b2, ones);
    let a2 = digit(c, x[0], 2);
    let high = product(c, ones, &[[a2, b0]]);
    let high = c.shift_by(high, 2 * DIGIT);
    c.binary(Op::IntAdd, high, sum)
}

/// Returns a digit of an integer, as a float.
fn digit(c: &mut SfpuBuilder, x: Reg, number: i8) -> Reg {
    let shifted = match number {
        0 => x,
        _ => c.shift_by(x, -DIGIT * number),
    };
    // Of the highest digit there are only ten bits.
    let digit = match number {
        2 => shifted,
        _ => c.binary(Op::And, shifted, (1u32 << DIGIT) - 1),
    };
    c.unary(Op::Cast, digit)
}

/// Sums of products, and of 2^23 already, less than 2^24: as an integer without the 2^23.
fn product(c: &mut SfpuBuilder, already: impl Into<Operand>, of: &[[Reg; 2]]) -> Reg {
    let mut sum = already.into();
    for [a, b] in of {
        sum = c.mad(*a, *b, sum).into();
    }
    c.unary(Op::Mantissa(false), sum)
}

pub(super) fn max(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    greater(c, x[0], x[1])
}

pub(super) fn min(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let sign = sign_of_less(c, x[0], x[1]);
    let result = c.copy(x[1]);
    c.when(Condition::Negative, sign, |c| c.assign(result, x[0]));
    result
}

fn greater(c: &mut SfpuBuilder, x: Reg, y: Reg) -> Reg {
    let sign = sign_of_less(c, x, y);
    let result = c.copy(x);
    c.when(Condition::Negative, sign, |c| c.assign(result, y));
    result
}

pub(super) fn neg(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.binary(Op::IntSub, 0, x[0])
}

pub(super) fn abs(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.unary(Op::IntAbs, x[0])
}

pub(super) fn and(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.binary(Op::And, x[0], x[1])
}

pub(super) fn or(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.binary(Op::Or, x[0], x[1])
}

pub(super) fn xor(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.binary(Op::Xor, x[0], x[1])
}

pub(super) fn not(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.unary(Op::Not, x[0])
}

pub(super) fn shift_left(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let shifted = c.binary(Op::Shift, x[1], x[0]);
    within_word(c, shifted, x[1])
}

pub(super) fn shift_right(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let by = c.binary(Op::IntSub, 0, x[1]);
    let shifted = c.binary(Op::Shift, by, x[0]);
    within_word(c, shifted, x[1])
}

/// 0 where an amount is not from 0 to 31, of which the hardware would take the lowest bits.
fn within_word(c: &mut SfpuBuilder, shifted: Reg, amount: Reg) -> Reg {
    let beyond = c.shift_by(amount, -5);
    let result = c.copy(shifted);
    c.when(Condition::NotZero, beyond, |c| c.assign(result, 0));
    result
}

/// 2^16, and what a halfword counts as that is negative.
const HALFWORD: f32 = 65_536.0;

/// Returns the upper and the lower halfword are floats; a multiply-add rounds their sum once.
pub(super) fn to_float(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let lower = c.binary(Op::And, x[0], 0xffffu32);
    let lower = c.unary(Op::Cast, lower);
    let upper = c.shift_by(x[0], -16);
    let upper = c.unary(Op::Cast, upper);
    let below = c.add(upper, -HALFWORD);
    let upper = c.copy(upper);
    c.when(Condition::Negative, x[0], |c| c.assign(upper, below));
    c.mad(upper, HALFWORD, lower)
}

/// Returns the mantissa, shifted by the exponent: towards zero. Beyond the integers there are, the
/// last one; NaN too.
pub(super) fn from_float(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let exponent = c.unary(Op::Exponent, x[0]);
    let by = c.unary(Op::IntAddNumber(-23), exponent);
    let mantissa = c.unary(Op::Mantissa(true), x[0]);
    let result = c.binary(Op::Shift, by, mantissa);
    c.when(Condition::Negative, exponent, |c| c.assign(result, 0));
    let room = c.unary(Op::IntAddNumber(-31), exponent);
    c.when(Condition::NotNegative, room, |c| {
        c.assign(result, i32::MAX as u32);
    });
    let negative = c.binary(Op::IntSub, 0, result);
    // The last one below zero is one further away.
    c.when(Condition::NotNegative, room, |c| {
        c.assign(negative, i32::MIN as u32);
    });
    c.when(Condition::Negative, x[0], |c| c.assign(result, negative));
    result
}
