//! The passes of Tessera.

pub mod files;
mod functions;
pub mod layout;
pub mod opt;
pub mod options;
pub mod pipeline;
mod pto_allocate_memory_addr;
mod pto_check_pipes;
pub mod pto_group;
pub mod registry;
mod retype;
mod system_desc;
pub mod tensix_to_riscv;

mod convert_pto_to_tensix;
mod convert_ttir_to_ttnn;
mod convert_ttnn_to_pto;
mod pto_expand_mixed_kernel;
mod tensix_form_mop;
mod tensix_form_replay;
mod tensix_pipeline;
mod tensix_words;
pub mod ttcore_mark_functions_as_forward;
pub mod ttcore_register_device;
mod ttcore_wrap_device_module;
mod ttir_drop_outputs;
mod ttir_element_type_normalization;
mod ttir_splat_to_full;
mod ttir_to_ttnn_pipeline;
mod ttnn_deallocate;
mod ttnn_decompose_layouts;
mod ttnn_decompose_linear;
mod ttnn_layout;
mod ttnn_set_compute_kernel_config;
pub mod ttnn_to_flatbuffer;
