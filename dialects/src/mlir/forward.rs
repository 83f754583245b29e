//! The functions C++ calls: verifiers.
//!
//! They turn raw handles into cursors, and a panic into a diagnostic: unwinding into C++ would end the process.

use super::ffi;
use super::op::Op;
use crate::verify;
use mlir_sys::MlirOperation;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Runs a check and emits its message at the op; false if it failed.
fn checked(op: MlirOperation, check: impl Fn(Op) -> Result<(), String>) -> bool {
    // SAFETY: MLIR verifies living operations, and the cursor ends with the closure.
    let verdict = catch_unwind(AssertUnwindSafe(|| check(unsafe { Op::from_raw(op) })));
    let message = match verdict {
        Ok(Ok(())) => return true,
        Ok(Err(message)) => message,
        Err(_) => "internal error: its verifier panicked".to_owned(),
    };
    // SAFETY: the operation is alive and the message is borrowed for the call.
    unsafe {
        ffi::tesseraOperationEmit(
            op,
            super::Severity::Error.to_raw(),
            ffi::string_ref(&message),
        );
    }
    false
}

/// Trait `VerifiedInRust`.
#[unsafe(no_mangle)]
extern "C" fn tesseraVerifyOp(op: MlirOperation) -> bool {
    checked(op, verify::op)
}

/// Trait `InputsThenOutput`.
#[unsafe(no_mangle)]
extern "C" fn tesseraVerifyInputs(op: MlirOperation, least: isize, most: isize) -> bool {
    checked(op, |op| {
        verify::input_count(op, least.unsigned_abs(), most.unsigned_abs())
    })
}
