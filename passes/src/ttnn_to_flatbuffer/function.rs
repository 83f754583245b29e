//! Functions of tensors that are more than an element-wise function by name, with their parameters.

use tessera_dialects::mlir::{AttributeValue, Op, Reported, TensorType};
use tessera_dialects::verify::TensorCall;
use tessera_ops::table::normalize_dimension as dimension;
use tessera_program::{Function, ReduceKind};

/// The function that an operation of ttnn is; nothing if it is none of these.
///
/// # Errors
/// If it lacks a parameter.
pub fn function(op: Op) -> Result<Option<Function>, Reported> {
    let name = op.name().strip_prefix("ttnn.").unwrap_or_default();
    let rank = || {
        let input = op.operand(0);
        let shape = input.and_then(|input| input.r#type().shape());
        shape.map_or(0, |shape| shape.len())
    };
    if let Some(kind) = ReduceKind::from_name(name) {
        let dims = TensorCall::new(op).and_then(|call| call.reduced_dimensions());
        let dims = dims.map_err(|error| op.error(error))?;
        return Ok(Some(Function::Reduce {
            kind,
            dims: dims.into_iter().map(|dim| dim as u32).collect(),
            keep_dim: op.flag("keep_dim"),
        }));
    }
    Ok(Some(match name {
        "where" => Function::Where,
        "clamp_tensor" => Function::ClampTensor,
        "leaky_relu" => Function::LeakyRelu {
            parameter: number(op, "parameter")?,
        },
        "clamp_scalar" => Function::ClampScalar {
            min: number(op, "min")?,
            max: number(op, "max")?,
        },
        "softmax" => {
            let named = op.attribute("dimension").and_then(AttributeValue::integer);
            let dimension = named.and_then(|named| dimension(named, rank()));
            Function::Softmax {
                dimension: dimension.ok_or_else(|| lacks(op, "dimension"))? as u32,
            }
        }
        "permute" => {
            let permutation = op.attribute("permutation");
            let permutation = permutation.and_then(AttributeValue::integers);
            let permutation = permutation.ok_or_else(|| lacks(op, "permutation"))?;
            Function::Permute {
                permutation: permutation.into_iter().map(|dim| dim as u32).collect(),
            }
        }
        _ => return Ok(None),
    }))
}

/// The number that an attribute is, a float or an integer.
pub fn number(op: Op, name: &'static str) -> Result<f64, Reported> {
    let value = op.attribute(name);
    let integer = || Some(value?.integer()? as f64);
    let number = value.and_then(AttributeValue::float).or_else(integer);
    number.ok_or_else(|| lacks(op, name))
}

fn lacks(op: Op, name: &str) -> Reported {
    op.error(format!("requires attribute '{name}'"))
}
