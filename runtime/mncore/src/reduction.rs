//! Reductions of instructions in terms of the reduction network's arithmetic.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{Rrn, RrnKind};

use crate::numerics::lanes::Width;
use crate::numerics::rrn::{Operation, Reduction};

/// What the network computes for an opcode.
pub fn from_opcode(rrn: Rrn) -> Reduction {
    let operation = match rrn.kind {
        RrnKind::FloatAdd => Operation::FloatAdd,
        RrnKind::Max => Operation::FloatMax,
        RrnKind::Min => Operation::FloatMin,
        RrnKind::IntAdd => Operation::IntegerAdd,
        RrnKind::BitAnd => Operation::BitAnd,
        RrnKind::LogicalAnd => Operation::And,
        RrnKind::BitOr => Operation::BitOr,
        RrnKind::LogicalOr => Operation::Or,
    };
    Reduction {
        operation,
        width: width(rrn.precision),
    }
}

/// The width of a precision's elements.
pub fn width(precision: Precision) -> Width {
    match precision.bits() {
        16 => Width::Half,
        32 => Width::Single,
        _ => Width::Long,
    }
}
