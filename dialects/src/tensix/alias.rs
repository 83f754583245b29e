//! `tensix.alias`: code that implements another kernel, too.
//!
//! Checked by the verifier: the code and the kernel exist.

use crate::mlir::{AttributeValue, Op};

/// The symbol of the program or cluster that an alias stands for.
pub fn code<'a>(alias: Op<'a>) -> Option<&'a str> {
    alias.attribute("code")?.symbol_name()
}

/// The rule of `tensix.alias`.
pub(super) fn verify(alias: Op) -> Result<(), String> {
    super::require_implemented(alias)?;
    let code = code(alias).unwrap_or_default();
    let found = ["tensix.program", "tensix.cluster"].map(|name| alias.beside(name, code));
    match found.iter().any(Option::is_some) {
        true => Ok(()),
        false => Err(format!(
            "stands for @{code}, but no 'tensix.program' or 'tensix.cluster' beside it is called so"
        )),
    }
}
