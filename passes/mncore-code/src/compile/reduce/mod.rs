//! Kernels with reductions.
//!
//! | file | holds |
//! |---|---|
//! | `reduction.rs` | the reductions of a kernel |
//! | `loops.rs` | their loops |
//! | `chip_reduction.rs` | the loops of reductions across the chip |

pub(crate) mod chip_reduction;
pub(crate) mod loops;
pub(crate) mod reduction;
