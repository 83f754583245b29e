//! A product as one software-pipelined loop that loads both sides.
//!
//! | file | holds |
//! |---|---|
//! | `product.rs` | the loop |
//! | `row_ordered_drain.rs` | its epilogue in row order, so that rows drain early |

pub(crate) mod product;
pub(crate) mod row_ordered_drain;
