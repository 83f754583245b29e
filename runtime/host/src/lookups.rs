//! Checks positions that data movement reads from tensors, before a kernel runs.
//!
//! The code of a kernel does not check them: a position that is out of range would read another
//! tensor.

use tessera_ops::Class;
use tessera_program::{GlobalId, KernelOp, Program, TensorOp};
use tessera_reference::{EvalError, Tensor};

use crate::DeviceError;

/// Checks the positions that the operations of a kernel look up.
///
/// # Errors
/// One is out of range, or its tensor cannot be read.
pub fn check_lookups(
    program: &Program,
    group: &KernelOp,
    mut read: impl FnMut(GlobalId) -> Result<Tensor, DeviceError>,
) -> Result<(), DeviceError> {
    let operations = group.operations.iter();
    for op in operations.filter_map(|operation| operation.op.as_tensor()) {
        check_lookup(program, op, &mut read)?;
    }
    Ok(())
}

fn check_lookup(
    program: &Program,
    op: &TensorOp,
    read: &mut impl FnMut(GlobalId) -> Result<Tensor, DeviceError>,
) -> Result<(), DeviceError> {
    let (Class::Lookup(map), Ok(types)) = (op.op.class, op.operand_types(program)) else {
        return Ok(());
    };
    let Some(lookup) = map(&op.call(&types)).lookup else {
        return Ok(());
    };
    let indices = read(op.inputs[lookup.indices])?.to_f64s();
    for (position, index) in indices.into_iter().enumerate() {
        lookup
            .check(index as i64, position)
            .map_err(EvalError::from)?;
    }
    Ok(())
}
