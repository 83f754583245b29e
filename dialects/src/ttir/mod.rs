//! The ttir dialect.

use crate::mlir::{AttributeValue, Op, Value};
use crate::verify::shape::{self, join};
use crate::verify::{constant, function, matmul, result, Verifier};

/// The verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    Some(match name {
        "ttir.matmul" | "ttir.linear" => verify_product,
        "ttir.typecast" => |op| shape::verify_broadcast(&inputs(op), result(op)?),
        "ttir.full" | "ttir.zeros" | "ttir.ones" => verify_shape_attribute,
        "ttir.constant" => |op| constant::verify(op, result(op)?),
        _ => return function::verifier(name.strip_prefix("ttir.")?),
    })
}

/// The output operand of the older spelling: the last one, if `ttir.empty` or `tensor.empty` defines it.
pub fn output(op: Op) -> Option<Value> {
    // The operations with outputs have inputs, too: a single operand is one.
    let index = op.operand_count().checked_sub(1).filter(|last| *last > 0)?;
    let last = op.operand(index)?;
    last.defining_op()
        .is_some_and(|op| op.is("ttir.empty") || op.is("tensor.empty"))
        .then_some(last)
}

/// The operands without the [`output`] of the older spelling.
pub fn inputs(op: Op) -> Vec<Value> {
    let mut operands = op.operands();
    if output(op).is_some() {
        operands.pop();
    }
    operands
}

fn verify_product(op: Op) -> Result<(), String> {
    match inputs(op)[..] {
        [a, b] => matmul::verify(op, a, b, None, result(op)?),
        [a, b, bias] => matmul::verify(op, a, b, Some(bias), result(op)?),
        ref other => Err(format!("expected 2 operands, but found {}", other.len())),
    }
}

/// The shape attribute says what the type of the result says.
fn verify_shape_attribute(op: Op) -> Result<(), String> {
    let output = shape::of(result(op)?)?;
    let shape = op
        .attribute("shape")
        .and_then(AttributeValue::integers)
        .unwrap_or_default();
    if shape
        .iter()
        .map(|extent| u64::try_from(*extent).ok())
        .eq(output.iter().map(|extent| Some(*extent)))
    {
        return Ok(());
    }
    let shape: Vec<_> = shape.iter().map(i64::to_string).collect();
    Err(format!(
        "expected shape ({}), got ({})",
        join(&output, ", "),
        shape.join(", ")
    ))
}
