//! The safe wrapper of MLIR. No use from safe code causes undefined behaviour.
//!
//! # Invariants
//! * A text reaches the parser only as a [`Source`]: UTF-8, without NUL bytes, not nested too
//!   deeply, its sparse literals as they should be.
//! * [`Op`], [`Value`], [`Block`], [`Region`] read; a [`Rewriter`] changes. A rewriter exists only
//!   while its module is borrowed mutably, and frees what it erased after the last handle is gone.
//! * Lists of operations, uses and blocks are collected before the first is handed out.
//! * Passes run sequentially on one thread; a panic becomes an error.
//! * Every diagnostic ends in the [`Diagnostics`] of its context.
//! * Crashes in MLIR are reported as errors ([`crash`]).
//!
//! # Not checked
//! * A pass that puts an operation inside itself, or makes a value dominate what it does not: the
//!   verifier reports the latter.
//! * That modules printed with [`PrintOptions::verified`] are valid.
//! * That types and attributes put together belong to the same context. There is one context a
//!   process in our tools.
#![allow(unsafe_code)]

pub mod attribute_key;
mod clock;
mod context;
pub mod crash;
mod diagnostic;
mod elements;
mod ffi;
mod forward;
pub mod llvm;
mod make;
mod memory_limit;
mod mncore_place;
mod module;
mod op;
pub(crate) mod op_view;
pub mod parallel;
mod pass;
mod print;
mod pto_types;
mod reaching;
mod rewrite;
mod scalar;
mod siblings;
mod source;
mod sparse;
mod structure;
mod summary;
#[cfg(test)]
mod tests;
mod touched;
mod unknown;
mod views;

pub use attribute_key::{AttributeKey, AttributeKind};
pub use clock::user_time;
pub use context::{llvm_version, register_all, Context, ContextRef};
pub use diagnostic::{render, Diagnostic, Diagnostics, FileLineCol, Severity, SourceText};
pub use elements::{dense_attribute, DenseData, DenseElements};
pub use make::{AttributeValue, Signature, TensorType};
pub use melior::dialect::DialectRegistry;
pub use melior::ir::{Attribute, AttributeLike, Location, Type, TypeLike};
pub use mncore_place::MncorePlace;
pub use module::{Invalid, Module};
pub use op::{error_at, Op, Reported, WalkOrder};
pub use op_view::{NamedOp, OpView};
pub use pass::{Observer, Pass, Pipeline, Reason, Silent, Step, Stopped, UpstreamPass};
pub use print::{PrintOptions, Printer};
pub(crate) use pto_types::{pto_buffer, pto_pipe, pto_tile};
pub use reaching::reaching_definitions;
pub use rewrite::{At, NewOp, Rewriter};
pub use scalar::{Scalar, ScalarType, Sign};
pub use source::{Source, DEEPEST};

pub use structure::{Block, Definition, Region, Use, Value};
pub use summary::render_summary;
pub use views::{word, ChipDesc, ComputeConfig, Layout, LayoutParts, Shape, SystemDesc, Tile};
