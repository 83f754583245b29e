//! Element-wise kernels, and element-wise expressions within the loops of others.
//!
//! | file | holds |
//! |---|---|
//! | `plan.rs` | the plans of element-wise kernels |
//! | `elements.rs` | element-wise expressions within loops |
//! | `fusion_limit.rs` | the size above which a chain of functions is split into several loops |
//! | `apply.rs` | library functions applied to operands |
//!
//! A file imports only files below it in this table.

pub(crate) mod apply;
pub(crate) mod elements;
pub(crate) mod fusion_limit;
pub(crate) mod plan;
