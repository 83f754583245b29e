//! ALU operations and their mask flags (section 3.6.12).
//!
//! An operation maps the first long word of its operands to the first long word of its result and
//! four mask flags ([`Use`]). The second long word of the result is that of the first operand for
//! every operation but `zero` and `imm` ([`immediate`]) and the block float conversions
//! ([`super::block`]), which also span PEs, as `msl` and `msr` do ([`rotate_left`],
//! [`rotate_right`]).
//!
//! Flags are four bits, lane 0 highest, repeated for wide elements (table 3.11). Operations that
//! table 3.11 marks "never" give 0, as do `zero`, `imm`, `msl`, `msr` and the block float
//! conversions.

pub mod float;
pub mod integer;
pub mod rsqrt;

use crate::undetermined::UndeterminedSet;

/// Something to do with an operation that works element by element: the tables of [`integer`] and
/// [`float`] hand it over as what it makes of the first long words of x and y, the first long word
/// of the result and the mask flags.
pub trait Use {
    /// What comes of it.
    type Output;
    /// Uses the operation.
    fn with(self, operation: impl Fn(u64, u64, &mut UndeterminedSet) -> (u64, u8)) -> Self::Output;
}

/// Applies an operation to one pair of long words.
#[derive(Debug)]
pub struct Once<'a> {
    /// The first operand.
    pub x: u64,
    /// The second operand.
    pub y: u64,
    /// What the result depends on.
    pub undetermined: &'a mut UndeterminedSet,
}

impl Use for Once<'_> {
    type Output = (u64, u8);
    fn with(self, operation: impl Fn(u64, u64, &mut UndeterminedSet) -> (u64, u8)) -> (u64, u8) {
        operation(self.x, self.y, self.undetermined)
    }
}

/// The two long words of `imm` (section 3.6.12.3): the literal four times, or with a zero after
/// each with `u`.
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
mod tests;
