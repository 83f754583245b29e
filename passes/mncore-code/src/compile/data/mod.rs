//! Data: the distribution of tensors over the chip, and their transfers between DRAM and PEs.
//!
//! | file | holds |
//! |---|---|
//! | `geometry.rs` | numbers of the chip's parts, and sizes of vectors in its memories |
//! | `vector_layout.rs` | the layout of a vector over the parts of the chip |
//! | `distribution.rs` | the data distribution: which index of the result is mapped to which part of the chip |
//! | `tensor_use.rs` | which index the rows and columns of a tensor are |
//! | `mixed_radix.rs` | layouts as mixed-radix indices |
//! | `reduced_sums.rs` | layouts of the reduced sums of split-K products |
//! | `outer_loops.rs` | the loops over blocks of a result |
//! | `guards.rs` | guards for ranges of loop indices |
//! | `vectors.rs` | tensors as vectors: their places in DRAM |
//! | `streams.rs` | streams of vectors between DRAM and PEs, with their buffers |
//! | `local_tensors.rs` | what stages of a kernel hand to one another |
//! | `row_operands.rs` | tensors with one row for all rows, which stay in local memory |
//! | `arguments.rs` | the tensors of a kernel, placed in DRAM |
//!
//! A file imports only files above it. Nothing here depends on what a kernel computes.

pub(crate) mod arguments;
pub(crate) mod distribution;
pub(crate) mod geometry;
pub(crate) mod guards;
pub(crate) mod local_tensors;
pub(crate) mod mixed_radix;
pub(crate) mod outer_loops;
pub(crate) mod reduced_sums;
pub(crate) mod row_operands;
pub(crate) mod streams;
pub(crate) mod tensor_use;
pub(crate) mod vector_layout;
pub(crate) mod vectors;
