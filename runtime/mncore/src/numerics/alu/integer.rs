//! ALU operations on integers or bits (sections 3.6.12.5 to 3.6.12.8 and 3.6.12.13 to 3.6.12.17).
//!
//! `passa` and `packbit` accept floating-point precisions too; only the width matters to them.

use tessera_isa_mncore::table::AluKind;

use super::super::lanes::{flags, lane, place_lane, Width};
use super::OperationVisitor;

/// An integer or bitwise ALU operation. The prefix `u` selects its unsigned mode where the manual
/// defines one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `passa`: x.
    Pass,
    /// `inc`: x + 1.
    Increment,
    /// `dec`: x - 1.
    Decrement,
    /// `not`: all bits of x inverted.
    Not,
    /// `lnot`: 1 if x is 0, otherwise 0.
    LogicalNot,
    /// `max`: the larger integer.
    Max,
    /// `min`: the smaller integer.
    Min,
    /// `packbit`: x shifted left by one, with the top bit of y as lowest bit.
    PackBit,
    /// `and`.
    And,
    /// `or`.
    Or,
    /// `xor`.
    Xor,
    /// `add`: x + y.
    Add,
    /// `sub`: x - y.
    Subtract,
    /// `lsl`: x shifted left by y.
    ShiftLeft,
    /// `lsr`: x shifted right by y, keeping the sign unless unsigned.
    ShiftRight,
    /// `bsl`: x rotated left by y.
    RotateLeft,
    /// `bsr`: x rotated right by y.
    RotateRight,
}

impl Operation {
    /// Returns the operation of an opcode on integers or bits, if it has one.
    pub const fn from_kind(kind: AluKind) -> Option<Self> {
        Some(match kind {
            AluKind::Passa => Operation::Pass,
            AluKind::Inc => Operation::Increment,
            AluKind::Dec => Operation::Decrement,
            AluKind::Not => Operation::Not,
            AluKind::Lnot => Operation::LogicalNot,
            AluKind::Max => Operation::Max,
            AluKind::Min => Operation::Min,
            AluKind::Packbit => Operation::PackBit,
            AluKind::And => Operation::And,
            AluKind::Or => Operation::Or,
            AluKind::Xor => Operation::Xor,
            AluKind::Add => Operation::Add,
            AluKind::Sub => Operation::Subtract,
            AluKind::Lsl => Operation::ShiftLeft,
            AluKind::Lsr => Operation::ShiftRight,
            AluKind::Bsl => Operation::RotateLeft,
            AluKind::Bsr => Operation::RotateRight,
            _ => return None,
        })
    }
}

/// Applies `element` to each lane; it returns the lane's result and flag.
fn each<const BITS: u32, U: OperationVisitor>(
    user: U,
    element: impl Fn(u64, u64) -> (u64, bool),
) -> U::Output {
    user.visit(
        #[inline(always)]
        |x, y, _| {
            let mut result = 0;
            let flags = flags::<BITS>(|index| {
                let (word, flag) = element(lane::<BITS>(x, index), lane::<BITS>(y, index));
                result |= place_lane::<BITS>(word, index);
                flag
            });
            (result, flags)
        },
    )
}

/// Passes the operation to `user`.
pub fn select<U: OperationVisitor>(
    operation: Operation,
    width: Width,
    unsigned: bool,
    user: U,
) -> U::Output {
    match width {
        Width::Half => of_width::<16, U>(operation, unsigned, user),
        Width::Single => of_width::<32, U>(operation, unsigned, user),
        Width::Long => of_width::<64, U>(operation, unsigned, user),
    }
}

fn of_width<const BITS: u32, U: OperationVisitor>(
    operation: Operation,
    unsigned: bool,
    user: U,
) -> U::Output {
    match (operation, unsigned) {
        (Operation::Pass, _) => each::<BITS, U>(user, |x, _| or_zero(x)),
        (Operation::Increment, false) => each::<BITS, U>(user, |x, _| add::<BITS>(x, 1)),
        (Operation::Increment, true) => each::<BITS, U>(user, |x, _| add_unsigned::<BITS>(x, 1)),
        (Operation::Decrement, false) => each::<BITS, U>(user, |x, _| subtract::<BITS>(x, 1)),
        (Operation::Decrement, true) => {
            each::<BITS, U>(user, |x, _| subtract_unsigned::<BITS>(x, 1))
        }
        (Operation::Not, _) => each::<BITS, U>(user, |x, _| or_zero(!x & all::<BITS>())),
        (Operation::LogicalNot, _) => each::<BITS, U>(user, |x, _| or_zero(u64::from(x == 0))),
        (Operation::Max, unsigned) => {
            if unsigned {
                each::<BITS, U>(user, |x, y| (x.max(y), x >= y))
            } else {
                {
                    each::<BITS, U>(user, |x, y| {
                        pick(x, y, signed::<BITS>(x) >= signed::<BITS>(y))
                    })
                }
            }
        }
        (Operation::Min, unsigned) => {
            if unsigned {
                each::<BITS, U>(user, |x, y| (x.min(y), x <= y))
            } else {
                {
                    each::<BITS, U>(user, |x, y| {
                        pick(x, y, signed::<BITS>(x) <= signed::<BITS>(y))
                    })
                }
            }
        }
        (Operation::PackBit, _) => each::<BITS, U>(user, pack_bit::<BITS>),
        (Operation::And, _) => each::<BITS, U>(user, |x, y| or_zero(x & y)),
        (Operation::Or, _) => each::<BITS, U>(user, |x, y| or_zero(x | y)),
        (Operation::Xor, _) => each::<BITS, U>(user, |x, y| or_zero(x ^ y)),
        (Operation::Add, false) => each::<BITS, U>(user, add::<BITS>),
        (Operation::Add, true) => each::<BITS, U>(user, add_unsigned::<BITS>),
        (Operation::Subtract, false) => each::<BITS, U>(user, subtract::<BITS>),
        (Operation::Subtract, true) => each::<BITS, U>(user, subtract_unsigned::<BITS>),
        (Operation::ShiftLeft, _) => each::<BITS, U>(user, shift_left::<BITS>),
        (Operation::ShiftRight, false) => each::<BITS, U>(user, shift_right::<BITS>),
        (Operation::ShiftRight, true) => each::<BITS, U>(user, shift_right_unsigned::<BITS>),
        (Operation::RotateLeft, _) => each::<BITS, U>(user, rotate_left::<BITS>),
        (Operation::RotateRight, _) => {
            each::<BITS, U>(user, |x, y| rotate_left::<BITS>(x, y.wrapping_neg()))
        }
    }
}

const fn all<const BITS: u32>() -> u64 {
    u64::MAX >> (64 - BITS)
}

/// Returns the element as a signed integer.
const fn signed<const BITS: u32>(word: u64) -> i64 {
    (word << (64 - BITS)) as i64 >> (64 - BITS)
}

/// Returns a result with a flag that is set if it is zero.
const fn or_zero(word: u64) -> (u64, bool) {
    (word, word == 0)
}

/// Returns a result with a flag that is set if it is not negative.
const fn or_sign<const BITS: u32>(word: u64) -> (u64, bool) {
    (word & all::<BITS>(), signed::<BITS>(word) >= 0)
}

const fn pick(x: u64, y: u64, first: bool) -> (u64, bool) {
    (if first { x } else { y }, first)
}

const fn add<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    or_sign::<BITS>(x.wrapping_add(y))
}

const fn subtract<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    or_sign::<BITS>(x.wrapping_sub(y))
}

/// Adds; the flag is set if there is no carry out of the element.
const fn add_unsigned<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    let sum = x.wrapping_add(y) & all::<BITS>();
    (sum, sum >= x)
}

/// Subtracts; the flag is set if there is no borrow.
const fn subtract_unsigned<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    (x.wrapping_sub(y) & all::<BITS>(), x >= y)
}

/// Packs a bit; the flag is set if the top bit of y is clear.
const fn pack_bit<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    let bit = y >> (BITS - 1);
    (x << 1 & all::<BITS>() | bit, bit == 0)
}

/// Returns the shift amount (section 3.6.12.17): modulo twice the width.
const fn amount<const BITS: u32>(y: u64) -> u32 {
    (y % (2 * BITS as u64)) as u32
}

const fn shift_left<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    let amount = amount::<BITS>(y);
    or_zero(if amount < BITS {
        x << amount & all::<BITS>()
    } else {
        0
    })
}

const fn shift_right<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    let amount = amount::<BITS>(y);
    // Shifting by the width or more leaves the sign in every bit, as shifting by one less does.
    let amount = if amount < BITS { amount } else { BITS - 1 };
    or_zero((signed::<BITS>(x) >> amount) as u64 & all::<BITS>())
}

const fn shift_right_unsigned<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    let amount = amount::<BITS>(y);
    or_zero(if amount < BITS { x >> amount } else { 0 })
}

const fn rotate_left<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    let amount = (y % BITS as u64) as u32;
    or_zero(if amount == 0 {
        x
    } else {
        (x << amount | x >> (BITS - amount)) & all::<BITS>()
    })
}

#[cfg(test)]
mod tests;
