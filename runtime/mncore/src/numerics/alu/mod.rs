//! ALU operations and their mask flags (section 3.6.12).
//!
//! An operation maps the first long word of its operands to the first long word of its result and four mask flags
//! ([`Lanewise`]). The second long word of the result is that of the first operand for every operation but `zero` and
//! `imm` ([`immediate`]) and the block float conversions ([`super::block`]), which also span PEs, as `msl` and `msr` do
//! ([`rotate_left`], [`rotate_right`]).
//!
//! Flags are four bits, lane 0 highest, repeated for wide elements (table 3.11). Operations that table 3.11 marks
//! "never" give 0, as do `zero`, `imm`, `msl`, `msr` and the block float conversions.

pub mod float;
pub mod integer;
pub mod rsqrt;

use crate::undetermined::Doubts;

/// The first long word of the result and the mask flags, from the first long words of x and y.
pub type Lanewise = fn(x: u64, y: u64, doubts: &mut Doubts) -> (u64, u8);

/// The two long words of `imm` (section 3.6.12.3): the literal four times, or with a zero after each with `u`.
pub const fn immediate(literal: u32, unsigned: bool) -> [u64; 2] {
    let upper = (literal as u64) << 32;
    let long = if unsigned {
        upper
    } else {
        upper | literal as u64
    };
    [long; 2]
}

/// `msl`: each PE receives the long word of the PE before it.
pub const fn rotate_left([a, b, c, d]: [u64; 4]) -> [u64; 4] {
    [d, a, b, c]
}

/// `msr`: each PE receives the long word of the PE after it.
pub const fn rotate_right([a, b, c, d]: [u64; 4]) -> [u64; 4] {
    [b, c, d, a]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn immediates() {
        assert_eq!(immediate(0x4048_f5c3, false), [0x4048_f5c3_4048_f5c3; 2]);
        assert_eq!(immediate(0x0001_0001, true), [0x0001_0001_0000_0000; 2]);
    }

    #[test]
    fn rotation_over_the_pes() {
        assert_eq!(rotate_left([0, 1, 2, 3]), [3, 0, 1, 2]);
        assert_eq!(rotate_right(rotate_left([0, 1, 2, 3])), [0, 1, 2, 3]);
    }
}
