//! Names of what passes add to a module.

use tessera_dialects::mlir::{Op, Reported};

/// Checks that `kernel` can be lowered to an operation called `name` beside it or in `module`.
///
/// # Errors
/// Something there has the name, as when the kernel was lowered before. Reported at the kernel.
pub fn require(module: Op, kernel: Op, name: &str) -> Result<(), Reported> {
    let is_taken = |place: Op| place.children().iter().any(|op| op.symbol() == Some(name));
    match is_taken(module) || kernel.parent().is_some_and(is_taken) {
        true => Err(kernel.error(format!(
            "is lowered to '@{name}', but that symbol exists; lower each kernel once"
        ))),
        false => Ok(()),
    }
}
