//! The ttir dialect.

use crate::mlir::{Op, OpView, Value};
use crate::tensor;
use crate::verify::shape::{self, join};
use crate::verify::{call, constant, result, Verifier};
pub use crate::views::ttir::*;
use tessera_ops::{table, Class, Creation};

/// Returns the verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    let name = name.strip_prefix("ttir.")?;
    Some(match table::from_ttir_name(name)?.class {
        Class::Creation(Creation::Constant) => {
            |op| constant::verify(ConstantOp::view(op).value(), result(op)?)
        }
        Class::Creation(Creation::Range) => call::verify_creation,
        Class::Creation(_) => verify_shape_attribute,
        _ => call::verify,
    })
}

/// Returns the output operand of the older form of TTIR: the last one, if `ttir.empty` or
/// `tensor.empty` defines it.
pub fn output(op: Op) -> Option<Value> {
    // Operations with output operands also have inputs, so a single operand is an input.
    let index = op.operand_count().checked_sub(1).filter(|last| *last > 0)?;
    let last = op.operand(index)?;
    last.defining_op()
        .is_some_and(|op| op.isa::<EmptyOp>() || op.isa::<tensor::EmptyOp>())
        .then_some(last)
}

/// Returns the operands without the [`output`] operand of the older form.
pub fn inputs(op: Op) -> Vec<Value> {
    let mut operands = op.operands();
    if output(op).is_some() {
        operands.pop();
    }
    operands
}

/// Checks that the shape attribute matches the result type.
fn verify_shape_attribute(op: Op) -> Result<(), String> {
    let output = shape::static_shape(result(op)?)?;
    let shape = FilledTensorOp::view(op).shape().unwrap_or_default();
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
