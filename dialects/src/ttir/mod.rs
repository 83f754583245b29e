//! The ttir dialect.

use crate::mlir::{Op, Value};
use crate::verify::{matmul, Verifier};

/// The verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    Some(match name {
        "ttir.matmul" => verify_matmul,
        _ => return None,
    })
}

/// The output operand of the older spelling: the last one, if `ttir.empty` or `tensor.empty` defines it.
pub fn output(op: Op) -> Option<Value> {
    let last = op.operand(op.operand_count().checked_sub(1)?)?;
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

/// The result of an operation that has one; ODS checks that before any verifier of ours runs.
fn result(op: Op) -> Result<Value, String> {
    op.result(0)
        .ok_or_else(|| "expected 1 result, but found 0".into())
}

fn verify_matmul(op: Op) -> Result<(), String> {
    match inputs(op)[..] {
        [a, b] => matmul::verify(op, a, b, None, result(op)?),
        ref other => Err(format!("expected 2 operands, but found {}", other.len())),
    }
}
