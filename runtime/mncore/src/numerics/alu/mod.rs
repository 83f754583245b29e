//! ALU operations and their mask flags (section 3.6.12).
//!
//! An operation maps the first long words of its operands to the first long word of its result and
//! four mask flags ([`OperationVisitor`]). The second long word of the result is that of the first
//! operand. Exceptions are `zero`, `imm` ([`immediate`]) and the block float conversions
//! ([`super::block`]). The latter span PEs, as do `msl` and `msr` ([`rotate_left`],
//! [`rotate_right`]).
//!
//! The flags are four bits, lane 0 highest, repeated for wide elements (table 3.11). They are 0 for
//! operations that table 3.11 marks "never", and for `zero`, `imm`, `msl`, `msr` and the block
//! float conversions.

pub mod float;
pub mod integer;
pub mod rsqrt;

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{alu, AluKind};

use crate::undetermined::UndeterminedSet;

/// An element-wise operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// On floating-point words.
    Float(float::Operation),
    /// On integers or bits.
    Integer(integer::Operation),
}

impl Operation {
    /// Returns the element-wise operation of an opcode in a precision; `None` for opcodes without
    /// operands or across PEs.
    pub fn from_kind(kind: AluKind, precision: Option<Precision>) -> Option<Self> {
        let float = float::Operation::from_kind(kind).map(Operation::Float);
        let integer = integer::Operation::from_kind(kind).map(Operation::Integer);
        match precision.is_some_and(Precision::is_float) {
            true => float.or(integer),
            false => integer.or(float),
        }
    }
}

/// Returns whether an opcode has no operands or works across PEs.
const fn is_of_whole_words(kind: AluKind) -> bool {
    matches!(
        kind,
        AluKind::Zero
            | AluKind::Imm
            | AluKind::Immu
            | AluKind::Msl
            | AluKind::Msr
            | AluKind::Bfe
            | AluKind::Bfn
    )
}

/// Every opcode has an operation.
const _: () = {
    let rows = alu::rows();
    let mut k = 0;
    while k < rows.len() {
        let kind = rows[k].kind;
        let is_lanewise = float::Operation::from_kind(kind).is_some()
            || integer::Operation::from_kind(kind).is_some();
        assert!(
            is_lanewise != is_of_whole_words(kind),
            "an ALU opcode has no operation, or two"
        );
        k += 1;
    }
};

/// A visitor that receives an element-wise operation, monomorphised for its operation and width.
/// The operation maps the first long words of x and y to the first long word of the result and the
/// mask flags. [`integer::select`] and [`float::select`] call it.
pub trait OperationVisitor {
    /// The result of the visit.
    type Output;
    /// Visits the operation.
    fn visit(self, operation: impl Fn(u64, u64, &mut UndeterminedSet) -> (u64, u8))
        -> Self::Output;
}

/// Applies the operation to one pair of long words.
#[derive(Debug)]
pub struct SingleEvaluation<'a> {
    /// The first operand.
    pub x: u64,
    /// The second operand.
    pub y: u64,
    /// Receives the undetermined points of the result.
    pub undetermined: &'a mut UndeterminedSet,
}

impl OperationVisitor for SingleEvaluation<'_> {
    type Output = (u64, u8);
    fn visit(self, operation: impl Fn(u64, u64, &mut UndeterminedSet) -> (u64, u8)) -> (u64, u8) {
        operation(self.x, self.y, self.undetermined)
    }
}

/// Returns the two long words of `imm` (section 3.6.12.3): the literal four times, or followed by a
/// zero each with `u`.
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
