//! Static checks of a program for the MN-Core 2 device.

use tessera_program::{Binary, Op, Operation, Program};

use super::{kernel_for_device, PIPELINE};
use crate::run::operation_place;
use crate::{DeviceError, RunError};

/// Returns the errors of `program` that can be detected without running it: operations without a
/// kernel for the device. Units and layouts of kernels were checked when the file was read. Errors
/// that depend on execution, such as races, are not found.
pub fn check(binary: &Binary, program: &Program) -> Vec<RunError> {
    let operations = program.operations.iter().enumerate();
    let problem = |(index, operation): (usize, &Operation)| {
        let error = check_operation(binary, operation).err()?;
        Some(RunError {
            place: operation_place(program, index, operation),
            reason: error.into(),
        })
    };
    operations.filter_map(problem).collect()
}

fn check_operation(binary: &Binary, operation: &Operation) -> Result<(), DeviceError> {
    match &operation.op {
        Op::Kernel(group) => kernel_for_device(binary, &group.kernels).map(|_| ()),
        op if op.is_arithmetic() => Err(DeviceError::NoKernel {
            op: op.name(),
            pipeline: PIPELINE,
        }),
        _ => Ok(()),
    }
}
