//! Equality classes of operations by source location.

use tessera_dialects::mlir::Op;

/// Returns for each operation the number of the first one with the same location.
///
/// Kernels that share code keep the locations of its first use. The location of an operation in
/// another use is found by its number. That is correct if the result of this function is equal for
/// both uses.
pub fn first_with_location(ops: &[Op]) -> Vec<usize> {
    let first = |op: &Op| {
        ops.iter()
            .position(|other| other.location() == op.location())
    };
    ops.iter()
        .enumerate()
        .map(|(number, op)| first(op).unwrap_or(number))
        .collect()
}
