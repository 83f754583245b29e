//! The mncore dialect: conversion between its operations and the loops of [`tessera_mncore_ir`],
//! which defines their semantics.
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
//! every loop around; overwritten values are not read; loops satisfy
//! [`Body::check`](tessera_mncore_ir::body::Body::check); a scheduled loop has a step for each
//! instruction; layouts can be read. Not checked: the correctness of schedules, and constraints on
//! the instructions of a step as a whole; the code generator checks those when it emits statements.

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
