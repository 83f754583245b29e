//! Passes on TTIR, and its conversion to TTNN.

pub(crate) mod attributes;
pub(crate) mod constant_value;
pub(crate) mod convert_ttir_to_ttnn;
pub(crate) mod emitter;
pub(crate) mod tensor;
pub(crate) mod ttir_arrange_attention;
pub(crate) mod ttir_check_calls;
pub(crate) mod ttir_check_initialized;
pub(crate) mod ttir_drop_outputs;
pub(crate) mod ttir_element_type_normalization;
pub(crate) mod ttir_fusing;
pub(crate) mod ttir_implicit_broadcast_fold;
pub(crate) mod ttir_splat_to_full;
pub(crate) mod ttir_to_ttir_decomposition;
pub(crate) mod ttir_to_ttnn_pipeline;
