//! `tensix.alias`: declares that existing code implements another kernel.
//!
//! Checked by the verifier: the code and the kernel exist.

use super::{AliasOp, ClusterOp, CompiledOp, ProgramOp};
use crate::mlir::OpView;

/// Verifies `tensix.alias`.
pub(super) fn verify(alias: AliasOp) -> Result<(), String> {
    super::require_implemented(CompiledOp::view(*alias))?;
    let code = alias.code().unwrap_or_default();
    let is_program = alias.beside::<ProgramOp>(code).is_some();
    match is_program || alias.beside::<ClusterOp>(code).is_some() {
        true => Ok(()),
        false => Err(format!(
            "stands for @{code}, but no 'tensix.program' or 'tensix.cluster' beside it has this \
             name"
        )),
    }
}
