//! Split-K products.
//!
//! | file | holds |
//! |---|---|
//! | `rows.rs` | the third form of the row side: vectors |
//! | `sums.rs` | the reduction of partial sums |

pub(crate) mod rows;
pub(crate) mod sums;
