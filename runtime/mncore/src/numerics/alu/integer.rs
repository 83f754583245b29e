//! ALU operations on words as integers or bits (sections 3.6.12.5 to 3.6.12.8 and 3.6.12.13 to
//! 3.6.12.17).
//!
//! `passa` and `packbit` take floating-point precisions too; only the width matters to them.

use super::super::lanes::{flags, lane, placed, Width};
use super::Use;

/// An operation; `u` in the program selects [`Operation`]s' unsigned mode where the manual has one.
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
    /// `lnot`: 1 if x is 0, else 0.
    LogicalNot,
    /// `max`: the larger integer.
    Max,
    /// `min`: the smaller integer.
    Min,
    /// `packbit`: x shifted left by one, with the top bit of y.
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

/// An operation on each lane: the element's result and its flag.
fn each<const BITS: u32, U: Use>(user: U, element: impl Fn(u64, u64) -> (u64, bool)) -> U::Output {
    user.with(
        #[inline(always)]
        |x, y, _| {
            let mut result = 0;
            let flags = flags::<BITS>(|index| {
                let (word, flag) = element(lane::<BITS>(x, index), lane::<BITS>(y, index));
                result |= placed::<BITS>(word, index);
                flag
            });
            (result, flags)
        },
    )
}

/// The operation on long words.
pub fn select<U: Use>(operation: Operation, width: Width, unsigned: bool, user: U) -> U::Output {
    match width {
        Width::Half => of_width::<16, U>(operation, unsigned, user),
        Width::Single => of_width::<32, U>(operation, unsigned, user),
        Width::Long => of_width::<64, U>(operation, unsigned, user),
    }
}

fn of_width<const BITS: u32, U: Use>(operation: Operation, unsigned: bool, user: U) -> U::Output {
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

/// The element as a signed integer.
const fn signed<const BITS: u32>(word: u64) -> i64 {
    (word << (64 - BITS)) as i64 >> (64 - BITS)
}

/// A result whose flag says that it is zero.
const fn or_zero(word: u64) -> (u64, bool) {
    (word, word == 0)
}

/// A result whose flag says that it is not negative.
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

/// The flag says that no carry leaves the element.
const fn add_unsigned<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    let sum = x.wrapping_add(y) & all::<BITS>();
    (sum, sum >= x)
}

/// The flag says that nothing is borrowed.
const fn subtract_unsigned<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    (x.wrapping_sub(y) & all::<BITS>(), x >= y)
}

/// The flag says that the top bit of y is clear.
const fn pack_bit<const BITS: u32>(x: u64, y: u64) -> (u64, bool) {
    let bit = y >> (BITS - 1);
    (x << 1 & all::<BITS>() | bit, bit == 0)
}

/// The shift amount of section 3.6.12.17: modulo twice the width.
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
    // Shifting out everything leaves the sign in every bit, as shifting by one less does.
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
mod tests {
    use super::super::Once;
    use super::*;
    use crate::undetermined::UndeterminedSet;
    use Operation::*;

    #[track_caller]
    fn check(operation: Operation, width: Width, x: u64, y: u64, expect: (u64, u8)) {
        check_mode(operation, width, false, x, y, expect);
    }

    #[track_caller]
    fn check_mode(
        operation: Operation,
        width: Width,
        unsigned: bool,
        x: u64,
        y: u64,
        expect: (u64, u8),
    ) {
        let mut undetermined = UndeterminedSet::NONE;
        let once = Once {
            x,
            y,
            undetermined: &mut undetermined,
        };
        let result = select(operation, width, unsigned, once);
        assert_eq!(
            result, expect,
            "{operation:?} {width:?} {x:#x} {y:#x}: {:#x}",
            result.0
        );
        assert!(undetermined.is_empty());
    }

    const X: u64 = 0x0000_ffff_8000_0001;

    #[test]
    fn copies_and_bits() {
        check(Pass, Width::Half, X, 0, (X, 0b1000));
        check(Pass, Width::Single, 0x8000_0000, 0, (0x8000_0000, 0b1100));
        check(Pass, Width::Long, 0, 0, (0, 0b1111));
        check(Not, Width::Half, X, 0, (0xffff_0000_7fff_fffe, 0b0100));
        check(Not, Width::Long, 0, 0, (u64::MAX, 0));
        check(
            LogicalNot,
            Width::Half,
            X,
            0,
            (0x0001_0000_0000_0000, 0b0111),
        );
        check(LogicalNot, Width::Single, 0, 0, (0x0000_0001_0000_0001, 0));
        let y = 0xffff_0000_8000_0001;
        check(And, Width::Half, X, y, (0x8000_0001, 0b1100));
        check(Or, Width::Single, X, y, (0xffff_ffff_8000_0001, 0));
        check(Xor, Width::Half, X, y, (0xffff_ffff_0000_0000, 0b0011));
    }

    #[test]
    fn sums_wrap() {
        check(
            Increment,
            Width::Half,
            X,
            0,
            (0x0001_0000_8001_0002, 0b1101),
        );
        check_mode(
            Increment,
            Width::Half,
            true,
            X,
            0,
            (0x0001_0000_8001_0002, 0b1011),
        );
        check(
            Decrement,
            Width::Half,
            X,
            0,
            (0xffff_fffe_7fff_0000, 0b0011),
        );
        check_mode(
            Decrement,
            Width::Half,
            true,
            X,
            0,
            (0xffff_fffe_7fff_0000, 0b0111),
        );
        check(Decrement, Width::Half, 0, 0, (u64::MAX, 0));
        check(Add, Width::Single, X, X, (0x0001_fffe_0000_0002, 0b1111));
        check_mode(
            Add,
            Width::Single,
            true,
            X,
            X,
            (0x0001_fffe_0000_0002, 0b1100),
        );
        check(Subtract, Width::Long, 1, 2, (u64::MAX, 0));
        check_mode(Subtract, Width::Long, true, 1, 2, (u64::MAX, 0));
        check_mode(
            Subtract,
            Width::Long,
            true,
            1 << 63,
            1,
            (i64::MAX as u64, 0b1111),
        );
        check_mode(Add, Width::Long, true, u64::MAX, 0, (u64::MAX, 0b1111));
        check_mode(
            Add,
            Width::Long,
            true,
            u64::MAX,
            u64::MAX,
            (u64::MAX - 1, 0),
        );
    }

    #[test]
    fn extremes() {
        let (x, y) = (0x0001_ffff_8000_0005, 0x0002_0001_7fff_0005);
        check(Max, Width::Half, x, y, (0x0002_0001_7fff_0005, 0b0001));
        check_mode(
            Max,
            Width::Half,
            true,
            x,
            y,
            (0x0002_ffff_8000_0005, 0b0111),
        );
        check(Min, Width::Half, x, y, (0x0001_ffff_8000_0005, 0b1111));
        check_mode(
            Min,
            Width::Half,
            true,
            x,
            y,
            (0x0001_0001_7fff_0005, 0b1001),
        );
        check(Max, Width::Long, u64::MAX, 0, (0, 0));
        check(Min, Width::Single, u64::MAX, 0, (u64::MAX, 0b1111));
    }

    #[test]
    fn sign_bits_are_packed() {
        check(
            PackBit,
            Width::Half,
            X,
            0x8000_7fff_0000_ffff,
            (0x0001_fffe_0000_0003, 0b0110),
        );
        check(PackBit, Width::Long, 1 << 63 | 1, 1 << 63, (3, 0));
    }

    #[test]
    fn shift_amounts_are_modulo_twice_the_width() {
        #[track_caller]
        fn check_half(operation: Operation, x: u64, y: u64, expect: u64) {
            let place = |word: u64| word << 48 | word << 32 | word << 16 | word;
            let flags = if expect == 0 { 0b1111 } else { 0 };
            check(
                operation,
                Width::Half,
                place(x),
                place(y),
                (place(expect), flags),
            );
        }
        check_half(ShiftLeft, 0x8421, 4, 0x4210);
        check_half(ShiftLeft, 0x8421, 16, 0);
        check_half(ShiftLeft, 0x8421, 31, 0);
        check_half(ShiftLeft, 0x8421, 32, 0x8421);
        check_half(ShiftLeft, 0x8421, 0xffe1, 0x0842);
        check_half(ShiftRight, 0x8421, 4, 0xf842);
        check_half(ShiftRight, 0x8421, 16, 0xffff);
        check_half(ShiftRight, 0x7fff, 16, 0);
        check_half(RotateLeft, 0x8421, 4, 0x4218);
        check_half(RotateLeft, 0x8421, 20, 0x4218);
        check_half(RotateLeft, 0x8421, 0, 0x8421);
        check_half(RotateRight, 0x8421, 4, 0x1842);
        check_half(RotateRight, 0x8421, 17, 0xc210);
        check_mode(ShiftRight, Width::Half, true, 0x8421, 4, (0x0842, 0b1110));
        check(ShiftRight, Width::Long, 1 << 63, 127, (u64::MAX, 0));
        check(ShiftLeft, Width::Single, 1, 31, (0x8000_0000, 0b1100));
        check(RotateRight, Width::Long, 1, 1, (1 << 63, 0));
    }
}
