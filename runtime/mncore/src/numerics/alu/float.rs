//! ALU operations on floating-point words (sections 3.6.12.9 to 3.6.12.11, 3.6.12.13 and
//! 3.6.12.18).
//!
//! No operation normalises: a selected word keeps all its bits.

use tessera_isa_mncore::table::AluKind;

use super::super::format::{
    classify, exponent, is_negative, significand, Class, Double, Format, Half, Single,
};
use super::super::lanes::{flags, lane, place_lane, Width};
use super::rsqrt::rsqrt;
use super::OperationVisitor;
use crate::undetermined::{Undetermined, UndeterminedSet};
use std::cmp::Ordering;

/// A floating-point ALU operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `rsqrt`: an approximation of the reciprocal square root.
    ReciprocalRoot,
    /// `floor`: the largest integer not larger than x.
    Floor,
    /// `ftoi`: x rounded toward zero and clamped; unsigned, the absolute value.
    ToInteger,
    /// `max`: the larger number.
    Max,
    /// `min`: the smaller number.
    Min,
    /// `relu`, `relu0`: y if the top bit of x is clear, otherwise -0.
    Relu,
    /// `relu1`: as `relu`, using the second bit of x.
    Relu1,
    /// `relu2`: as `relu`, using the third bit of x.
    Relu2,
    /// `relu3`: as `relu`, using the fourth bit of x.
    Relu3,
    /// `lrelud`: y if the top bit of x is clear, otherwise y/2.
    LeakyHalf,
    /// `lreluo`: y if the top bit of x is clear, otherwise y/8.
    LeakyEighth,
    /// `ilrelud`: y if the top bit of x is clear, otherwise y with its exponent incremented.
    InverseLeaky,
}

impl Operation {
    /// Returns the operation of an opcode on floating-point words, if it has one.
    pub const fn from_kind(kind: AluKind) -> Option<Self> {
        Some(match kind {
            AluKind::Rsqrt => Operation::ReciprocalRoot,
            AluKind::Floor => Operation::Floor,
            AluKind::Ftoi => Operation::ToInteger,
            AluKind::Max => Operation::Max,
            AluKind::Min => Operation::Min,
            AluKind::Relu => Operation::Relu,
            AluKind::Relu1 => Operation::Relu1,
            AluKind::Relu2 => Operation::Relu2,
            AluKind::Relu3 => Operation::Relu3,
            AluKind::Lrelud => Operation::LeakyHalf,
            AluKind::Lreluo => Operation::LeakyEighth,
            AluKind::Ilrelud => Operation::InverseLeaky,
            _ => return None,
        })
    }
}

/// Applies `element` to each lane; it returns the lane's result and flag.
fn each<F: Format, U: OperationVisitor>(
    user: U,
    element: impl Fn(u64, u64, &mut UndeterminedSet) -> (u64, bool),
) -> U::Output {
    match F::BITS {
        16 => each_of::<16, U>(user, element),
        32 => each_of::<32, U>(user, element),
        _ => each_of::<64, U>(user, element),
    }
}

fn each_of<const BITS: u32, U: OperationVisitor>(
    user: U,
    element: impl Fn(u64, u64, &mut UndeterminedSet) -> (u64, bool),
) -> U::Output {
    user.visit(
        #[inline(always)]
        |x, y, undetermined| {
            let mut result = 0;
            let flags = flags::<BITS>(|index| {
                let (word, flag) =
                    element(lane::<BITS>(x, index), lane::<BITS>(y, index), undetermined);
                result |= place_lane::<BITS>(word, index);
                flag
            });
            (result, flags)
        },
    )
}

/// Passes the operation to `user`; `unsigned` affects [`Operation::ToInteger`] only.
pub fn select<U: OperationVisitor>(
    operation: Operation,
    width: Width,
    unsigned: bool,
    user: U,
) -> U::Output {
    match width {
        Width::Half => of_format::<Half, U>(operation, unsigned, user),
        Width::Single => of_format::<Single, U>(operation, unsigned, user),
        Width::Long => of_format::<Double, U>(operation, unsigned, user),
    }
}

fn of_format<F: Format, U: OperationVisitor>(
    operation: Operation,
    unsigned: bool,
    user: U,
) -> U::Output {
    match operation {
        Operation::ReciprocalRoot => each::<F, U>(user, |x, _, undetermined| {
            undetermined.add(Undetermined::ReciprocalRoot);
            (rsqrt::<F>(x), !is_negative::<F>(x))
        }),
        Operation::Floor => each::<F, U>(user, |x, _, _| (floor::<F>(x), false)),
        Operation::ToInteger if unsigned => {
            each::<F, U>(user, |x, _, _| (to_unsigned::<F>(x), false))
        }
        Operation::ToInteger => each::<F, U>(user, |x, _, undetermined| {
            (to_signed::<F>(x, undetermined), false)
        }),
        Operation::Max => each::<F, U>(user, |x, y, undetermined| {
            let first = compare::<F>(x, y, undetermined) != Ordering::Less;
            (if first { x } else { y }, first)
        }),
        Operation::Min => each::<F, U>(user, |x, y, undetermined| {
            let first = compare::<F>(x, y, undetermined) != Ordering::Greater;
            (if first { x } else { y }, first)
        }),
        Operation::Relu => each::<F, U>(user, relu::<F, 1>),
        Operation::Relu1 => each::<F, U>(user, relu::<F, 2>),
        Operation::Relu2 => each::<F, U>(user, relu::<F, 3>),
        Operation::Relu3 => each::<F, U>(user, relu::<F, 4>),
        Operation::LeakyHalf => each::<F, U>(user, leaky::<F, 1>),
        Operation::LeakyEighth => each::<F, U>(user, leaky::<F, 3>),
        Operation::InverseLeaky => each::<F, U>(user, inverse_leaky::<F>),
    }
}

/// Rounds toward minus infinity. Zeros and infinities are unchanged.
fn floor<F: Format>(word: u64) -> u64 {
    if classify::<F>(word) != Class::Finite {
        return word;
    }
    let power = exponent::<F>(word) as i32 - F::BIAS;
    if power < 0 {
        return if is_negative::<F>(word) {
            F::SIGN | F::ONE
        } else {
            0
        };
    }
    if power >= F::MANTISSA_BITS as i32 {
        return word;
    }
    let unit = 1u64 << (F::MANTISSA_BITS - power as u32);
    let fraction = word & (unit - 1);
    // A carry out of the mantissa correctly increments the exponent.
    let away = is_negative::<F>(word) && fraction != 0;
    word - fraction + if away { unit } else { 0 }
}

/// Returns the integer part of the absolute value without overflow.
fn magnitude<F: Format>(word: u64) -> u128 {
    let power = exponent::<F>(word) as i32 - F::BIAS - F::MANTISSA_BITS as i32;
    let significand = u128::from(significand::<F>(word));
    match classify::<F>(word) {
        Class::Zero => 0,
        Class::Infinite => u128::MAX,
        // All integers beyond 64 bits are clamped, whatever their value.
        Class::Finite if power > 64 => u128::MAX,
        Class::Finite if power >= 0 => significand << power,
        Class::Finite if power > -64 => significand >> -power,
        Class::Finite => 0,
    }
}

fn to_unsigned<F: Format>(word: u64) -> u64 {
    magnitude::<F>(word).min(u128::from(F::ALL)) as u64
}

fn to_signed<F: Format>(word: u64, undetermined: &mut UndeterminedSet) -> u64 {
    let magnitude = magnitude::<F>(word);
    // The sign bit of the format and of the integer are at the same position.
    let limit = u128::from(F::SIGN);
    if is_negative::<F>(word) {
        undetermined.add_if(magnitude > limit, Undetermined::ToIntegerMinimum);
        (magnitude.min(limit) as u64).wrapping_neg() & F::ALL
    } else {
        magnitude.min(limit - 1) as u64
    }
}

/// Compares as `max` and `min` do (section 3.6.12.13): zeros are equal, infinities of the same sign
/// differ by their mantissas.
fn compare<F: Format>(x: u64, y: u64, undetermined: &mut UndeterminedSet) -> Ordering {
    if x == y {
        return Ordering::Equal;
    }
    let classes = (classify::<F>(x), classify::<F>(y));
    if classes == (Class::Zero, Class::Zero) {
        return Ordering::Equal;
    }
    let negative = is_negative::<F>(x) && is_negative::<F>(y);
    let infinite = classes == (Class::Infinite, Class::Infinite);
    undetermined.add_if(negative && infinite, Undetermined::ExtremeInfinities);
    value_order::<F>(x).cmp(&value_order::<F>(y))
}

/// Maps a word to an integer with the order of its value.
fn value_order<F: Format>(word: u64) -> i64 {
    let magnitude = match classify::<F>(word) {
        Class::Zero => 0,
        Class::Finite | Class::Infinite => (word & !F::SIGN) as i64,
    };
    if is_negative::<F>(word) {
        -magnitude
    } else {
        magnitude
    }
}

/// Returns y if bit `PLACE` of x, counted from 1 at the top, is clear, otherwise -0. The flag is
/// the inverse of that bit.
fn relu<F: Format, const PLACE: u32>(x: u64, y: u64, _: &mut UndeterminedSet) -> (u64, bool) {
    let clear = x >> (F::BITS - PLACE) & 1 == 0;
    (if clear { y } else { F::SIGN }, clear)
}

/// Returns y, or y / 2^`SHIFT` if x is negative; an underflow gives -0.
fn leaky<F: Format, const SHIFT: u64>(
    x: u64,
    y: u64,
    undetermined: &mut UndeterminedSet,
) -> (u64, bool) {
    if !is_negative::<F>(x) {
        return (y, true);
    }
    undetermined.add_if(
        classify::<F>(y) == Class::Zero && y != F::SIGN,
        Undetermined::LeakyZero,
    );
    undetermined.add_if(
        classify::<F>(y) == Class::Infinite,
        Undetermined::LeakyInfinity,
    );
    let word = if exponent::<F>(y) <= SHIFT {
        F::SIGN
    } else if classify::<F>(y) == Class::Infinite {
        y
    } else {
        y - (SHIFT << F::MANTISSA_BITS)
    };
    (word, false)
}

/// Returns y, or, if x is negative, y with its exponent field incremented, also from 0. An exponent
/// of all ones stays.
fn inverse_leaky<F: Format>(x: u64, y: u64, _: &mut UndeterminedSet) -> (u64, bool) {
    if !is_negative::<F>(x) {
        return (y, true);
    }
    let word = if classify::<F>(y) == Class::Infinite {
        y
    } else {
        y + (1 << F::MANTISSA_BITS)
    };
    (word, false)
}

#[cfg(test)]
mod tests;
