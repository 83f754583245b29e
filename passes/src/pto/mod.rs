//! Passes on tile kernels.

pub mod kernel_index;
pub mod machine;
pub(crate) mod pto_allocate_memory_addr;
pub(crate) mod pto_check_pipes;
pub(crate) mod pto_expand_mixed_kernel;
pub mod pto_group;
