//! Integers of 32 bits, in two's complement.

use tessera_ops::{Binary, Unary};

use super::compare::sign_of_less;
use super::{Function, Row};
use crate::code::Code;
use crate::item::{Condition, Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[Row] = &[
    Row::exact(
        Function::Convert,
        from_float,
        "Beyond the integers that there are, the one nearest; NaN counts as beyond, by its sign.",
    ),
    Row::integer(Function::Unary(Unary::Neg), neg, "Wraps."),
    Row::integer(Function::Unary(Unary::Abs), abs, "Wraps."),
    Row::integer(Function::Unary(Unary::BitwiseNot), not, "None."),
    Row::integer(Function::Binary(Binary::Add), add, "Wraps."),
    Row::integer(Function::Binary(Binary::Subtract), subtract, "Wraps."),
    Row::integer(Function::Binary(Binary::Multiply), multiply, "Wraps."),
    Row::integer(Function::Binary(Binary::Max), max, "None."),
    Row::integer(Function::Binary(Binary::Min), min, "None."),
    Row::integer(Function::Binary(Binary::BitwiseAnd), and, "None."),
    Row::integer(Function::Binary(Binary::BitwiseOr), or, "None."),
    Row::integer(Function::Binary(Binary::BitwiseXor), xor, "None."),
    Row::integer(
        Function::Binary(Binary::ShiftLeft),
        shift_left,
        "0 for amounts that are not from 0 to 31.",
    ),
    Row::integer(
        Function::Binary(Binary::ShiftRight),
        shift_right,
        "0 for amounts that are not from 0 to 31.",
    ),
    Row::integer(Function::Convert, to_float, "Rounded, ties to even."),
];

pub(super) fn add(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_two(Op::IntAdd, x[0], x[1])
}

pub(super) fn subtract(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_two(Op::IntSub, x[0], x[1])
}

/// Bits of a digit of a factor, so few that sums of two products of digits are less than 2^23.
const DIGIT: i8 = 11;
/// Added to an integer below it, all bits of the sum are the mantissa's.
const UNIT: f32 = (1 << 23) as f32;

/// Digits are multiplied as floats, which is exact: `a·b = a0·b0 + (a0·b1 + a1·b0) · 2^11 + (a0·b2
/// + a1·b1 + a2·b0) · 2^22`, modulo 2^32.
pub(super) fn multiply(c: &mut Code, x: &[Reg]) -> Reg {
    let [a0, b0] = [x[0], x[1]].map(|x| digit(c, x, 0));
    let low = product(c, UNIT, &[[a0, b0]]);
    let [a1, b1] = [x[0], x[1]].map(|x| digit(c, x, 1));
    let middle = product(c, UNIT, &[[a0, b1], [a1, b0]]);
    let middle = c.shift_by(middle, DIGIT);
    let sum = c.of_two(Op::IntAdd, middle, low);
    let ones = c.mad(a1, b1, UNIT);
    let b2 = digit(c, x[1], 2);
    let ones = c.mad(a0, b2, ones);
    let a2 = digit(c, x[0], 2);
    let high = product(c, ones, &[[a2, b0]]);
    let high = c.shift_by(high, 2 * DIGIT);
    c.of_two(Op::IntAdd, high, sum)
}

/// A digit of an integer, as a float.
fn digit(c: &mut Code, x: Reg, number: i8) -> Reg {
    let shifted = match number {
        0 => x,
        _ => c.shift_by(x, -DIGIT * number),
    };
    // Of the highest digit there are only ten bits.
    let digit = match number {
        2 => shifted,
        _ => c.of_two(Op::And, shifted, (1u32 << DIGIT) - 1),
    };
    c.of_one(Op::Cast, digit)
}

/// Sums of products, and of 2^23 already, less than 2^24: as an integer without the 2^23.
fn product(c: &mut Code, already: impl Into<Operand>, of: &[[Reg; 2]]) -> Reg {
    let mut sum = already.into();
    for [a, b] in of {
        sum = c.mad(*a, *b, sum).into();
    }
    c.of_one(Op::Mantissa(false), sum)
}

pub(super) fn max(c: &mut Code, x: &[Reg]) -> Reg {
    greater(c, x[0], x[1])
}

pub(super) fn min(c: &mut Code, x: &[Reg]) -> Reg {
    let sign = sign_of_less(c, x[0], x[1]);
    let result = c.copy(x[1]);
    c.when(Condition::Negative, sign, |c| c.assign(result, x[0]));
    result
}

fn greater(c: &mut Code, x: Reg, y: Reg) -> Reg {
    let sign = sign_of_less(c, x, y);
    let result = c.copy(x);
    c.when(Condition::Negative, sign, |c| c.assign(result, y));
    result
}

pub(super) fn neg(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_two(Op::IntSub, 0, x[0])
}

pub(super) fn abs(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_one(Op::IntAbs, x[0])
}

pub(super) fn and(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_two(Op::And, x[0], x[1])
}

pub(super) fn or(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_two(Op::Or, x[0], x[1])
}

pub(super) fn xor(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_two(Op::Xor, x[0], x[1])
}

pub(super) fn not(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_one(Op::Not, x[0])
}

pub(super) fn shift_left(c: &mut Code, x: &[Reg]) -> Reg {
    let shifted = c.of_two(Op::Shift, x[1], x[0]);
    within_word(c, shifted, x[1])
}

pub(super) fn shift_right(c: &mut Code, x: &[Reg]) -> Reg {
    let by = c.of_two(Op::IntSub, 0, x[1]);
    let shifted = c.of_two(Op::Shift, by, x[0]);
    within_word(c, shifted, x[1])
}

/// 0 where an amount is not from 0 to 31, of which the hardware would take the lowest bits.
fn within_word(c: &mut Code, shifted: Reg, amount: Reg) -> Reg {
    let beyond = c.shift_by(amount, -5);
    let result = c.copy(shifted);
    c.when(Condition::NotZero, beyond, |c| c.assign(result, 0));
    result
}

/// 2^16, and what a halfword counts as that is negative.
const HALFWORD: f32 = 65_536.0;

/// The upper and the lower halfword are floats; a multiply-add rounds their sum once.
pub(super) fn to_float(c: &mut Code, x: &[Reg]) -> Reg {
    let lower = c.of_two(Op::And, x[0], 0xffffu32);
    let lower = c.of_one(Op::Cast, lower);
    let upper = c.shift_by(x[0], -16);
    let upper = c.of_one(Op::Cast, upper);
    let below = c.add(upper, -HALFWORD);
    let upper = c.copy(upper);
    c.when(Condition::Negative, x[0], |c| c.assign(upper, below));
    c.mad(upper, HALFWORD, lower)
}

/// The mantissa, shifted by the exponent: towards zero. Beyond the integers there are, the last
/// one; NaN too.
pub(super) fn from_float(c: &mut Code, x: &[Reg]) -> Reg {
    let exponent = c.of_one(Op::Exponent, x[0]);
    let by = c.of_one(Op::IntAddNumber(-23), exponent);
    let mantissa = c.of_one(Op::Mantissa(true), x[0]);
    let result = c.of_two(Op::Shift, by, mantissa);
    c.when(Condition::Negative, exponent, |c| c.assign(result, 0));
    let room = c.of_one(Op::IntAddNumber(-31), exponent);
    c.when(Condition::NotNegative, room, |c| {
        c.assign(result, i32::MAX as u32);
    });
    let negative = c.of_two(Op::IntSub, 0, result);
    // The last one below zero is one further away.
    c.when(Condition::NotNegative, room, |c| {
        c.assign(negative, i32::MIN as u32);
    });
    c.when(Condition::Negative, x[0], |c| c.assign(result, negative));
    result
}
