//! Kernels with reductions.
//!
//! | file | holds |
//! |---|---|
//! | `plan.rs` | the plans of a kernel |
//! | `chip_reduction.rs` | the loops of reductions across the chip |
//! | `loops.rs` | the loops of reductions |
//! | `form.rs` | the data distributions |
//! | `reduction.rs` | the reductions of a kernel |
//!
//! A file imports only files below it in this table.

pub(crate) mod chip_reduction;
pub(crate) mod form;
pub(crate) mod loops;
pub(crate) mod plan;
pub(crate) mod reduction;
