//! Static checks of a program for the MN-Core 2 device.

use tessera_ops::{Class, Ternary};
use tessera_program::{Binary, KernelOp, Op, Operation, Program};

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

/// Returns whether the host executes an operation that has no kernel. It moves or selects elements,
/// without arithmetic: lookups, because transfers of the chip have addresses that are known to the
/// compiler, and selections, of which the compiler leaves those of a constant NaN, which the chip
/// does not have.
pub(super) fn is_done_by_host(op: &Op) -> bool {
    let is_selection = |class| matches!(class, Class::Ternary(Ternary::Where));
    is_lookup(op) || op.as_tensor().is_some_and(|op| is_selection(op.op.class))
}

fn is_lookup(op: &Op) -> bool {
    let tensor = op.as_tensor();
    tensor.is_some_and(|op| matches!(op.op.class, Class::Lookup(_)))
}

/// Returns whether the host executes a group, whose operations are lookups.
pub(super) fn executes_on_host(group: &KernelOp) -> bool {
    let mut operations = group.operations.iter();
    operations.all(|operation| is_lookup(&operation.op))
}

fn check_operation(binary: &Binary, operation: &Operation) -> Result<(), DeviceError> {
    match &operation.op {
        Op::Kernel(group) if executes_on_host(group) => Ok(()),
        Op::Kernel(group) => kernel_for_device(binary, &group.kernels).map(|_| ()),
        op if op.is_arithmetic() && !is_done_by_host(op) => Err(DeviceError::NoKernel {
            op: op.name(),
            pipeline: PIPELINE,
        }),
        _ => Ok(()),
    }
}
