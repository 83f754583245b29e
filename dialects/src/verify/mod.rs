//! The verifiers of operations, by name.

pub(crate) mod matmul;
pub(crate) mod shape;

use crate::mlir::Op;
use crate::{pto, tensix, ttir};

/// A check of one operation; the error is the message that MLIR prefixes with `'name' op `.
pub type Verifier = fn(Op) -> Result<(), String>;

/// Checks an operation whose ODS says `VerifiedInRust`.
///
/// # Errors
/// The message of its verifier; an operation without one is an error too, never a silent pass.
pub fn op(op: Op) -> Result<(), String> {
    let dialect = op.name().split('.').next().unwrap_or_default();
    let verifier = match dialect {
        "pto" => pto::verifier(op.name()),
        "tensix" => tensix::verifier(op.name()),
        "ttir" => ttir::verifier(op.name()),
        _ => None,
    };
    let verifier =
        verifier.ok_or("internal error: declared VerifiedInRust, but no verifier has its name")?;
    verifier(op)
}

/// Checks the operand count of an operation whose ODS says `InputsThenOutput<least, most>`.
///
/// # Errors
/// MLIR's own message for the count that the operation has without an output operand.
pub fn input_count(op: Op, least: usize, most: usize) -> Result<(), String> {
    let found = op.operand_count();
    if (least..=most).contains(&ttir::inputs(op).len()) {
        return Ok(());
    }
    Err(match (least, most) {
        (1, 1) => "requires a single operand".into(),
        _ if found < least && least < most => {
            format!("expected {least} or more operands, but found {found}")
        }
        _ => format!("expected {most} operands, but found {found}"),
    })
}
