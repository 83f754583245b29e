//! Passes on TTNN, its conversion to kernels over tiles, and to the program file.

pub(crate) mod convert_ttnn_to_pto;
pub mod fusion;
pub mod layout;
pub(crate) mod ttnn_deallocate;
pub(crate) mod ttnn_decompose_layouts;
pub(crate) mod ttnn_decompose_linear;
pub(crate) mod ttnn_decompose_reductions;
pub(crate) mod ttnn_expand_vectors;
pub(crate) mod ttnn_layout;
pub(crate) mod ttnn_materialize_broadcasts;
pub(crate) mod ttnn_set_compute_kernel_config;
pub(crate) mod ttnn_share_kernels;
pub(crate) mod ttnn_split_concat;
pub mod ttnn_to_flatbuffer;
pub(crate) mod ttnn_transpose_factors;
