//! What a verified operation has.
//!
//! Passes run on operations that their dialect's verifier has accepted. What that promises is asked
//! for here, so that a promise that is not kept is an error at its place, whatever the profile, and
//! not a text of its own that no input reaches.

use tessera_dialects::mlir::{Op, Reported, Value};

/// What every verified operation of a kind has where it is asked for.
///
/// # Errors
/// Reported if it is not there.
pub(crate) fn expect_verified<T>(op: Op, what: Option<T>) -> Result<T, Reported> {
    what.ok_or_else(|| op.error(UNVERIFIED))
}

/// What is said of an operation that lacks what it should have.
pub(crate) const UNVERIFIED: &str =
    "internal error: lacks what every verified operation of its kind has";

/// The result of an operation of a kind that has one.
///
/// # Errors
/// As [`promised`].
pub(crate) fn expect_result<'a>(op: Op<'a>) -> Result<Value<'a>, Reported> {
    expect_verified(op, op.result(0))
}
