//! Element-wise kernels, and element-wise expressions within the loops of others.
//!
//! | file | holds |
//! |---|---|
//! | `elements.rs` | element-wise expressions within loops |
//! | `apply.rs` | library functions applied to operands |
//! | `fusion_limit.rs` | the size above which a chain of functions is split into several loops |

pub(crate) mod apply;
pub(crate) mod elements;
pub(crate) mod fusion_limit;
