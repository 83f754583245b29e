//! The mapping from reduction opcodes to the arithmetic of the reduction network.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{Rrn, RrnKind};

use crate::numerics::lanes::Width;
use crate::numerics::rrn::{Operation, Reduction};

/// Returns the reduction that an opcode computes.
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

/// Returns the element width of a precision.
pub fn width(precision: Precision) -> Width {
    match precision.bits() {
        16 => Width::Half,
        32 => Width::Single,
        _ => Width::Long,
    }
}
