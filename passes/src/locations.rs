//! Operations that come from one place in the source.

use tessera_dialects::mlir::Op;

/// For each operation, the number of the first one that has its location.
///
/// Kernels that share code have the places of its first use, and the place of an operation in
/// another use is found by its number. That is right where this is equal for both uses: then
/// locations that are equal in one are equal in the other.
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
