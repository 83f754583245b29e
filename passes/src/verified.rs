//! Unwraps properties that the dialects' verifiers guarantee.
//!
//! Passes run on operations that their dialect's verifier has accepted. A missing property is
//! therefore a bug of ours; it is reported as an internal error at the operation, in all build
//! profiles.

use tessera_dialects::mlir::{Op, Reported, Value};

/// Unwraps a property that every verified operation of its kind has.
///
/// # Errors
/// Reports an internal error if the property is missing.
pub(crate) fn expect_verified<T>(op: Op, what: Option<T>) -> Result<T, Reported> {
    what.ok_or_else(|| op.error(UNVERIFIED))
}

/// Diagnostic for an operation that lacks a verified property.
pub(crate) const UNVERIFIED: &str =
    "internal error: lacks what every verified operation of its kind has";

/// Returns the result of an operation whose kind has one.
///
/// # Errors
/// As [`expect_verified`].
pub(crate) fn expect_result<'a>(op: Op<'a>) -> Result<Value<'a>, Reported> {
    expect_verified(op, op.result(0))
}
