//! The verifiers of operations, by name.

pub mod call;
pub(crate) mod constant;
pub(crate) mod shape;

use crate::mlir::{Op, Value};
use crate::{mncore, pto, tensix, ttcore, ttir, ttnn};
pub use call::TensorCall;

/// A check of one operation; the error is the message that MLIR prefixes with `'name' op `.
pub type Verifier = fn(Op) -> Result<(), String>;

/// Verifies an operation whose ODS declaration has the trait `VerifiedInRust`.
///
/// # Errors
/// The message of its verifier. An operation without a verifier is an error, too.
pub fn op(op: Op) -> Result<(), String> {
    let dialect = op.name().split('.').next().unwrap_or_default();
    let verifier = match dialect {
        "mncore" => mncore::verifier(op.name()),
        "pto" => pto::verifier(op.name()),
        "tensix" => tensix::verifier(op.name()),
        "ttcore" => ttcore::verifier(op.name()),
        "ttir" => ttir::verifier(op.name()),
        "ttnn" => ttnn::verifier(op.name()),
        _ => None,
    };
    let verifier =
        verifier.ok_or("internal error: declared VerifiedInRust, but no verifier has its name")?;
    verifier(op)
}

/// Checks the operand count of an operation with the trait `InputsThenOutput<least, most>`, and the
/// type of its output operand, if it has one.
///
/// # Errors
/// MLIR's message for the operand count without output operands.
pub fn inputs(op: Op, least: usize, most: usize) -> Result<(), String> {
    let found = op.operand_count();
    if (least..=most).contains(&ttir::inputs(op).len()) {
        let (output, result) = (ttir::output(op).map(Value::r#type), result(op)?.r#type());
        return match output {
            Some(output) if output != result => Err(format!(
                "expected an output operand of the result type, got {output}"
            )),
            _ => Ok(()),
        };
    }
    Err(match (least, most) {
        (1, 1) => "requires a single operand".into(),
        _ if found < least && least < most => {
            format!("expected {least} or more operands, but found {found}")
        }
        _ if found == most => format!(
            "expected {most} operands besides the output, which an empty tensor in the last place is; found {}",
            found - 1
        ),
        _ => format!("expected {most} operands, but found {found}"),
    })
}

/// Unwraps a declared property. The verifiers that ODS generates check it before those of this
/// crate.
pub(crate) fn declared<T>(what: Option<T>) -> Result<T, String> {
    what.ok_or_else(|| "internal error: lacks a declared property".into())
}

/// Returns the result of an operation that has one.
pub(crate) fn result(op: Op) -> Result<Value, String> {
    declared(op.result(0))
}

/// Returns an operand that every operation of its kind has.
pub(crate) fn operand(op: Op, index: usize) -> Result<Value, String> {
    declared(op.operand(index))
}
