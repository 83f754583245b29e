//! Checks that an operation of the table fits its operands, attributes and result.

use tessera_ops::{Class, Creation, Placement};

use super::Problem;
use crate::{GlobalId, MemorySpace, Program, TensorDesc, TensorOp};

/// Checks operands, attributes and result against the entry of the operation.
pub(super) fn check(program: &Program, op: &TensorOp) -> Result<(), Problem> {
    let operands = op.operand_types(program).map_err(Problem::Undeclared)?;
    let call = op.call(&operands);
    call.check_count()?;
    call.check_attributes()?;
    if op.attributes.get("activation").is_some() {
        return Err(Problem::Activation(op.op.name));
    }
    let results = op.op.result_count();
    let (&[out], 1) = (&op.outputs[..], results) else {
        return check_result_count(op, results);
    };
    let desc = describe(program, out)?;
    if let Class::Creation(creation) = op.op.class {
        (op.op.verify)(&call, &desc.tensor_type()).map_err(Problem::Upstream)?;
        return check_creation(op, creation, desc);
    }
    let result = desc.tensor_type();
    (op.op.verify)(&call, &result).map_err(Problem::Upstream)?;
    call.check_domain()?;
    call.check_shape(&result.shape)?;
    call.check_elements(result.element)?;
    match (op.op.class, &op.inputs[..]) {
        (Class::Placement(placement), &[input]) => {
            check_memory(op, placement, describe(program, input)?, desc)
        }
        _ => Ok(()),
    }
}

fn describe(program: &Program, id: GlobalId) -> Result<&TensorDesc, Problem> {
    program.tensor(id).ok_or(Problem::Undeclared(id))
}

fn check_result_count(op: &TensorOp, expected: usize) -> Result<(), Problem> {
    let found = op.outputs.len();
    if found == expected {
        return Ok(());
    }
    Err(Problem::ResultCount {
        op: op.op.name,
        found,
        expected,
    })
}

/// Checks that a constant has as many bytes as its tensor.
fn check_creation(op: &TensorOp, creation: Creation, result: &TensorDesc) -> Result<(), Problem> {
    if creation != Creation::Constant {
        return Ok(());
    }
    let found = op.attributes.bytes("value").unwrap_or_default().len() as u64;
    let expected = result.elements() * result.data_type.size() as u64;
    if found == expected {
        Ok(())
    } else {
        Err(Problem::ConstantSize { found, expected })
    }
}

fn check_memory(
    op: &TensorOp,
    placement: Placement,
    input: &TensorDesc,
    result: &TensorDesc,
) -> Result<(), Problem> {
    let (from, to) = (input.memory, result.memory);
    let on_host = |memory| memory == MemorySpace::System;
    let is_possible = match placement {
        Placement::Layout => true,
        Placement::ToDevice => on_host(from) && !on_host(to),
        Placement::FromDevice => !on_host(from) && on_host(to),
        Placement::MemoryConfig => !on_host(from) && !on_host(to),
    };
    if is_possible {
        return Ok(());
    }
    let op = op.op.name;
    Err(Problem::Memory { op, from, to })
}
