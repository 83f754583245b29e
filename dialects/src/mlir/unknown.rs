//! What MLIR says of operations that a dialect does not have, in words for people who write
//! programs.
//!
//! MLIR 19 has one text for an unknown operation in the generic form and another for one in a form
//! of its own. Both become one that names the operation, what may have been meant, and where the
//! supported operations are listed.

use super::context::operations;
use super::diagnostic::Diagnostic;
use crate::spelling;
use mlir_sys::MlirContext;

/// Rewrites a diagnostic of MLIR about an unknown operation; any other stays as it is.
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

/// Returns the operation that a text of MLIR says is unknown.
fn unknown(message: &str) -> Option<&str> {
    let (name, behind) = message
        .strip_prefix("unregistered operation '")
        .or_else(|| message.strip_prefix("custom op '"))?
        .split_once('\'')?;
    let is_unknown = behind.starts_with(" found in dialect (") || behind.starts_with(" is unknown");
    is_unknown.then_some(name)
}
