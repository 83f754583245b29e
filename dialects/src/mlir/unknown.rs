//! Rewrites MLIR's diagnostics about unknown operations.
//!
//! MLIR 19 has one message for an unknown operation in the generic form and another for custom
//! syntax. Both are replaced by a message with the operation, a suggestion, and the option that
//! lists the supported operations.

use super::context::operations;
use super::diagnostic::Diagnostic;
use crate::spelling;
use mlir_sys::MlirContext;

/// Rewrites a diagnostic about an unknown operation, and leaves others unchanged.
///
/// # Safety
/// The context must be alive.
pub(super) unsafe fn clarify(diagnostic: &mut Diagnostic, context: MlirContext) {
    let Some((dialect, name)) = unknown(&diagnostic.message).and_then(|op| op.split_once('.'))
    else {
        return;
    };
    // SAFETY: the caller's promise.
    let known = unsafe { operations(context, dialect) };
    if known.is_empty() {
        return;
    }
    let prefix = format!("{dialect}.");
    let names = known.iter().filter_map(|op| op.strip_prefix(&prefix));
    let nearest = spelling::suggestion(name, names).replace("mean '", &format!("mean '{prefix}"));
    diagnostic.message = format!(
        "'{dialect}.{name}' is not supported{nearest}; 'ttmlir-opt --list-operations={dialect}' lists the \
         operations that are"
    );
}

/// Parses the name of the unknown operation in a message of MLIR.
fn unknown(message: &str) -> Option<&str> {
    let (name, behind) = message
        .strip_prefix("unregistered operation '")
        .or_else(|| message.strip_prefix("custom op '"))?
        .split_once('\'')?;
    let is_unknown = behind.starts_with(" found in dialect (") || behind.starts_with(" is unknown");
    is_unknown.then_some(name)
}
