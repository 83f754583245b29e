//! MN-Core 2: kernels over tiles become programs for the whole chip.

mod badly_scaled;
pub(crate) mod convert_pto_to_mncore;
mod loop_length;
pub(crate) mod mncore_pipeline;
pub(crate) mod mncore_schedule;
mod mncore_to_program;
pub mod mncore_to_vsm;
pub(crate) mod system_desc;
pub(crate) mod target;

use crate::driver::registry::TargetRegistration;

/// Its passes and pipelines.
pub const REGISTERED: TargetRegistration = TargetRegistration {
    passes: &[convert_pto_to_mncore::INFO, mncore_schedule::INFO],
    pipelines: &[mncore_pipeline::FROM_TTIR, mncore_pipeline::FROM_TTNN],
};
