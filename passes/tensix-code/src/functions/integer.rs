//! Functions of 32-bit integers in two's complement, and conversions between them and floats.

use tessera_ops::{Binary, Unary};

use super::arithmetic::ROUNDING_CONSTANT;
use super::compare::less_than_sign;
use super::{reciprocal, Function, FunctionImpl};
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Operand, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::exact(
        Function::Convert,
        from_float,
        "Saturates; NaN saturates by its sign.",
    ),
    FunctionImpl::integer(Function::Unary(Unary::Neg), neg, "Wraps around."),
    FunctionImpl::integer(Function::Unary(Unary::Abs), abs, "Wraps around."),
    FunctionImpl::integer(Function::Unary(Unary::BitwiseNot), not, "None."),
    FunctionImpl::integer(Function::Binary(Binary::Add), add, "Wraps around."),
    FunctionImpl::integer(
        Function::Binary(Binary::Subtract),
        subtract,
        "Wraps around.",
    ),
    FunctionImpl::integer(
        Function::Binary(Binary::Multiply),
        multiply,
        "Wraps around.",
    ),
    FunctionImpl::integer(Function::Binary(Binary::Max), max, "None."),
    FunctionImpl::integer(Function::Binary(Binary::Min), min, "None."),
    FunctionImpl::integer(Function::Binary(Binary::BitwiseAnd), and, "None."),
    FunctionImpl::integer(Function::Binary(Binary::BitwiseOr), or, "None."),
    FunctionImpl::integer(Function::Binary(Binary::BitwiseXor), xor, "None."),
    FunctionImpl::integer(
        Function::Binary(Binary::ShiftLeft),
        shift_left,
        "0 for amounts outside 0 to 31.",
    ),
    FunctionImpl::integer(
        Function::Binary(Binary::ShiftRight),
        shift_right,
        "0 for amounts outside 0 to 31.",
    ),
    FunctionImpl::integer(
        Function::Convert,
        to_float,
        "Rounds to nearest, ties to even.",
    ),
    FunctionImpl::integer(
        Function::Binary(Binary::ShiftRightSigned),
        shift_right_signed,
        "0 or -1, by the sign of x, for amounts that are not from 0 to 31.",
    ),
    FunctionImpl::integer(
        Function::Binary(Binary::Divide),
        divide,
        "-1 for x / 0; the least integer divided by -1 is itself.",
    ),
    FunctionImpl::integer(
        Function::Binary(Binary::Remainder),
        remainder,
        "x for x / 0; 0 for the least integer divided by -1.",
    ),
];

pub(super) fn add(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.binary(Op::IntAdd, x[0], x[1])
}

pub(super) fn subtract(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    c.binary(Op::IntSub, x[0], x[1])
}

/// Width of a limb. The sum of two products of limbs is less than 2^23.
const LIMB_BITS: i8 = 11;
/// 2^23: the mantissa field of `TWO_POW_23 + n` holds the integer n, for n below 2^23.
const TWO_POW_23: f32 = (1 << 23) as f32;

/// Splits the factors into 11-bit limbs, whose products are exact in f32. Modulo 2^32,
/// `a·b = a0·b0 + (a0·b1 + a1·b0) · 2^11 + (a0·b2 + a1·b1 + a2·b0) · 2^22`.
pub(super) fn multiply(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let [a0, b0] = [x[0], x[1]].map(|x| limb(c, x, 0));
    let low = multiply_limbs(c, TWO_POW_23, &[[a0, b0]]);
    let [a1, b1] = [x[0], x[1]].map(|x| limb(c, x, 1));
    let middle = multiply_limbs(c, TWO_POW_23, &[[a0, b1], [a1, b0]]);
    let middle = c.shift_by(middle, LIMB_BITS);
    let sum = c.binary(Op::IntAdd, middle, low);
    let partial = c.mad(a1, b1, TWO_POW_23);
    let b2 = limb(c, x[1], 2);
    let partial = c.mad(a0, b2, partial);
    let a2 = limb(c, x[0], 2);
    let high = multiply_limbs(c, partial, &[[a2, b0]]);
    let high = c.shift_by(high, 2 * LIMB_BITS);
    c.binary(Op::IntAdd, high, sum)
}

/// Returns limb `number` of an integer as a float, the least significant first.
fn limb(c: &mut SfpuBuilder, x: Reg, number: i8) -> Reg {
    let shifted = match number {
        0 => x,
        _ => c.shift_by(x, -LIMB_BITS * number),
    };
    // The highest limb has only ten bits.
    let bits = match number {
        2 => shifted,
        _ => c.binary(Op::And, shifted, (1u32 << LIMB_BITS) - 1),
    };
    c.unary(Op::Cast, bits)
}

/// Adds products of limbs to `addend`, which includes 2^23, and returns the sum minus 2^23 as an
/// integer. Requires the sum to be less than 2^24.
fn multiply_limbs(c: &mut SfpuBuilder, addend: impl Into<Operand>, factors: &[[Reg; 2]]) -> Reg {
    let mut sum = addend.into();
    for [a, b] in factors {
        sum = c.mad(*a, *b, sum).into();
    }
    c.unary(Op::Mantissa(false), sum)
}

pub(super) fn max(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let sign = less_than_sign(c, x[0], x[1]);
    let result = c.copy(x[0]);
    c.when(Condition::Negative, sign, |c| c.assign(result, x[1]));
    result
}

pub(super) fn min(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let sign = less_than_sign(c, x[0], x[1]);
    let result = c.copy(x[1]);
    c.when(Condition::Negative, sign, |c| c.assign(result, x[0]));
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
    zero_if_out_of_range(c, shifted, x[1])
}

pub(super) fn shift_right(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let amount = c.binary(Op::IntSub, 0, x[1]);
    let shifted = c.binary(Op::Shift, amount, x[0]);
    zero_if_out_of_range(c, shifted, x[1])
}

/// Returns x shifted right with its sign: where x is negative, its inverse is shifted and inverted.
pub(super) fn shift_right_signed(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let signs = c.constant(0);
    c.when(Condition::Negative, x[0], |c| c.assign(signs, u32::MAX));
    let number = c.binary(Op::Xor, signs, x[0]);
    let shifted = shift_right(c, &[number, x[1]]);
    c.binary(Op::Xor, signs, shifted)
}

/// Bits of the digits of a quotient, from above: multiples of 2^20, of 2^9 and of 1.
const SHIFTS: [i8; 3] = [20, 9, 0];

/// Returns the remainder with the sign of the dividend.
pub(super) fn remainder(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let rest = divide_to_nearest(c, x[0], x[1], |_, _, _| {});
    let rest = with_sign_of(c, rest, x[0]);
    let divisor = c.unary(Op::IntAbs, x[1]);
    let result = c.copy(rest);
    let above = c.binary(Op::IntAdd, rest, divisor);
    c.when(Condition::Negative, rest, |c| c.assign(result, above));
    let result = with_sign_of(c, result, x[0]);
    c.when(Condition::Zero, x[1], |c| c.assign(result, x[0]));
    result
}

/// Returns the quotient rounded towards zero.
///
/// The dividend is made negative, and the divisor changes its sign with it, so that the sign of the
/// rest tells whether the nearest quotient is too far from zero.
pub(super) fn divide(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let divisor = c.binary(Op::IntSub, 0, x[1]);
    c.when(Condition::Negative, x[0], |c| c.assign(divisor, x[1]));
    let dividend = c.unary(Op::IntAbs, x[0]);
    let dividend = c.binary(Op::IntSub, 0, dividend);
    let mut quotient: Option<Reg> = None;
    let rest = divide_to_nearest(c, dividend, divisor, |c, digit, shift| {
        let digit = c.binary(Op::IntSub, digit, ROUNDING_CONSTANT);
        let digit = match shift {
            0 => digit,
            _ => c.shift_by(digit, shift),
        };
        quotient = Some(match quotient {
            None => digit,
            Some(sum) => c.binary(Op::IntAdd, digit, sum),
        });
    });
    let quotient = match quotient {
        Some(sum) => c.copy(sum),
        None => c.constant(0),
    };
    let nearer = c.unary(Op::IntAddNumber(1), quotient);
    let below = c.unary(Op::IntAddNumber(-1), quotient);
    c.when(Condition::Negative, divisor, |c| c.assign(nearer, below));
    let is_positive = c.binary(Op::IntSub, 0, rest);
    c.when(Condition::Negative, is_positive, |c| {
        c.assign(quotient, nearer)
    });
    c.when(Condition::Zero, divisor, |c| c.assign(quotient, u32::MAX));
    quotient
}

/// Returns the rest of a division by the nearest quotient, or one next to it: the dividend less the
/// product of quotient and divisor.
///
/// The quotient has three digits of at most 11 bits, each the nearest one. Quotients of floats are
/// off by 2^-21 of themselves, so the last rest is half of the divisor, or 2^-11 of it more.
/// `digit` is called with the sum of each digit and [`ROUNDING_CONSTANT`], a float, and the weight
/// of the digit as a shift.
fn divide_to_nearest(
    c: &mut SfpuBuilder,
    dividend: Reg,
    divisor: Reg,
    mut digit: impl FnMut(&mut SfpuBuilder, Reg, i8),
) -> Reg {
    let number = to_float(c, &[divisor]);
    let reciprocal = reciprocal::recip_non_nan(c, number);
    let mut rest = dividend;
    for shift in SHIFTS {
        let dividend = to_float(c, &[rest]);
        let quotient = c.mul(dividend, reciprocal);
        let scaled = c.mad(quotient, 1.0 / (1u32 << shift) as f32, ROUNDING_CONSTANT);
        digit(c, scaled, shift);
        let quotient = c.add(scaled, -ROUNDING_CONSTANT);
        for number in 0..3 {
            let factor = limb(c, divisor, number);
            let product = c.mad(quotient, factor, ROUNDING_CONSTANT);
            let product = c.binary(Op::IntSub, product, ROUNDING_CONSTANT);
            let product = match number * LIMB_BITS + shift {
                0 => product,
                32.. => continue,
                weight => c.shift_by(product, weight),
            };
            rest = c.binary(Op::IntSub, rest, product);
        }
    }
    rest
}

/// Returns an integer, negated where another one is negative.
fn with_sign_of(c: &mut SfpuBuilder, number: Reg, x: Reg) -> Reg {
    let negative = c.binary(Op::IntSub, 0, number);
    let result = c.copy(number);
    c.when(Condition::Negative, x, |c| c.assign(result, negative));
    result
}

/// Replaces a shift result by 0 where the amount is not in 0 to 31. The hardware uses only the
/// amount's lowest bits.
fn zero_if_out_of_range(c: &mut SfpuBuilder, shifted: Reg, amount: Reg) -> Reg {
    let beyond = c.shift_by(amount, -5);
    let result = c.copy(shifted);
    c.when(Condition::NotZero, beyond, |c| c.assign(result, 0));
    result
}

/// 2^16, the weight of the upper halfword.
const HALFWORD: f32 = 65_536.0;

/// Converts the upper and lower halfword, exactly, and combines them with one multiply-add, which
/// rounds once. The upper halfword is converted as unsigned, and corrected by -2^16 if x is
/// negative.
pub(super) fn to_float(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let lower = c.binary(Op::And, x[0], 0xffffu32);
    let lower = c.unary(Op::Cast, lower);
    let upper = c.shift_by(x[0], -16);
    let upper = c.unary(Op::Cast, upper);
    let negative = c.add(upper, -HALFWORD);
    let upper = c.copy(upper);
    c.when(Condition::Negative, x[0], |c| c.assign(upper, negative));
    c.mad(upper, HALFWORD, lower)
}

/// Converts with truncation: shifts the mantissa by the exponent. Saturates where the result is out
/// of range or x is NaN.
pub(super) fn from_float(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let exponent = c.unary(Op::Exponent, x[0]);
    let amount = c.unary(Op::IntAddNumber(-23), exponent);
    let mantissa = c.unary(Op::Mantissa(true), x[0]);
    let result = c.binary(Op::Shift, amount, mantissa);
    c.when(Condition::Negative, exponent, |c| c.assign(result, 0));
    let excess = c.unary(Op::IntAddNumber(-31), exponent);
    c.when(Condition::NotNegative, excess, |c| {
        c.assign(result, i32::MAX as u32);
    });
    let negative = c.binary(Op::IntSub, 0, result);
    // The least integer is one farther from zero than the greatest.
    c.when(Condition::NotNegative, excess, |c| {
        c.assign(negative, i32::MIN as u32);
    });
    c.when(Condition::Negative, x[0], |c| c.assign(result, negative));
    result
}
