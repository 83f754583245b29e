//! The mncore dialect: operations ↔ the loops of [`tessera_mncore_ir`], which say what everything
//! means.
//!
//! | module | holds |
//! |---|---|
//! | [`kernel`] | `mncore.kernel`, `mncore.repeat`, `mncore.pipeline`: reading them |
//! | `instruction` | an operation inside a pipeline, as attributes and operands |
//! | `spelling` | the same as a line of the assembler, which says what the instruction is |
//! | `place` | `#mncore.place` ↔ addresses and memories |
//! | [`write`](mod@write) | making all of them |
//!
//! Checked by the verifiers: the assembler accepts each instruction, at the first and last index of
//! every loop around; values that are written over are not read any more; loops satisfy
//! [`Body::check`](tessera_mncore_ir::body::Body::check); a scheduled loop has a step for each
//! instruction; layouts can be read. Not checked: that a schedule is right, and what only all
//! instructions of a step together break: the code generator does, when it makes statements of a
//! program.

pub mod kernel;
pub mod write;

mod instruction;
mod place;
mod spelling;

use crate::mlir::OpView;
use crate::verify::Verifier;
pub use crate::views::mncore::*;

/// Returns the verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    match name {
        KernelOp::NAME => Some(|op| kernel::verify_kernel(KernelOp::view(op))),
        RepeatOp::NAME => Some(|op| kernel::verify_repeat(RepeatOp::view(op))),
        PipelineOp::NAME => Some(|op| kernel::verify_pipeline(PipelineOp::view(op))),
        _ if instruction::Family::from_name(name).is_some() => Some(instruction::verify),
        _ => None,
    }
}
