//! Data: the distribution of tensors over the chip, and their transfers between DRAM and PEs.
//!
//! | file | holds |
//! |---|---|
//! | `distribution.rs` | the data distribution: which index of the result is mapped to which part of the chip |
//! | `vectors.rs` | tensors as vectors: their places in DRAM |
//! | `mixed_radix.rs` | layouts as mixed-radix indices |
//! | `streams.rs` | streams of vectors between DRAM and PEs, with their buffers |
//! | `arguments.rs` | the tensors of a kernel, placed in DRAM |
//! | `local_tensors.rs` | what stages of a kernel hand to one another |

pub(crate) mod arguments;
pub(crate) mod distribution;
pub(crate) mod local_tensors;
pub(crate) mod mixed_radix;
pub(crate) mod streams;
pub(crate) mod vectors;
