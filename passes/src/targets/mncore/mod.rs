//! Kernels over tiles become programs for MN-Core 2.

pub(crate) mod badly_scaled;
pub(crate) mod convert_pto_to_mncore;
pub(crate) mod mncore_pipeline;
pub(crate) mod mncore_schedule;
pub(crate) mod mncore_to_program;
pub mod mncore_to_vsm;
