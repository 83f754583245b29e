//! Static checks of a program for the Tensix device.

use tessera_isa_tensix::list::Entry;
use tessera_isa_tensix::Instruction;
use tessera_program::{Binary, GlobalId, KernelBody, Op, Operation, Program};

use super::{
    check_elements, check_tensor, images, kernel_for_device, no_kernel, TensixError, PIPELINE,
};
use crate::run::operation_place;
use crate::{DeviceError, RunError};

/// Returns the errors of `program` on the Tensix device that can be detected without running it:
/// unsupported tensors, operations without a kernel, and kernels with invalid instructions. Errors
/// that depend on execution, such as deadlocks, are not found.
pub fn check(binary: &Binary, program: &Program) -> Vec<RunError> {
    let mut problems = Vec::new();
    let place = format!("program '{}'", program.name);
    let mut note = |place: String, error: DeviceError| {
        problems.push(RunError {
            place,
            reason: error.into(),
        })
    };
    for (id, desc) in program.tensors.iter().enumerate() {
        if let Err(error) = check_tensor(id as GlobalId, desc) {
            note(place.clone(), error);
        }
    }
    for (index, operation) in program.operations.iter().enumerate() {
        if let Err(error) = check_operation(binary, program, operation) {
            note(operation_place(program, index, operation), error);
        }
    }
    problems
}

fn check_operation(
    binary: &Binary,
    program: &Program,
    operation: &Operation,
) -> Result<(), DeviceError> {
    let kernels = match &operation.op {
        Op::Kernel(group) => &group.kernels,
        op if op.is_arithmetic() => {
            return Err(DeviceError::NoKernel {
                op: op.name(),
                pipeline: PIPELINE,
            })
        }
        _ => return Ok(()),
    };
    let (kernel, args) = kernel_for_device(binary, kernels)?;
    check_elements(program, kernel, args)?;
    let body = match &kernel.body {
        KernelBody::Tensix(body) => body,
        KernelBody::TensixImages(body) => return Ok(images::check(&kernel.name, body)?),
        _ => return Err(no_kernel(super::arch(binary)?)),
    };
    for (list, entries) in body.lists.threads() {
        for (entry, word) in entries.iter().enumerate() {
            let Entry::Push(word) = *word else { continue };
            Instruction::decode(body.arch, word).map_err(|error| TensixError::Word {
                kernel: kernel.name.clone(),
                list,
                entry,
                error,
            })?;
        }
    }
    Ok(())
}
