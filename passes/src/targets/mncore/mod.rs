//! The MN-Core 2 target: lowers kernels over tiles to programs for the whole chip.

pub(crate) mod convert_pto_to_mncore;
mod fusion_limit;
mod joined_stages;
pub(crate) mod mncore_pipeline;
pub(crate) mod mncore_schedule;
mod mncore_to_program;
pub mod mncore_to_vsm;
mod scale_lint;
pub(crate) mod system_desc;
pub(crate) mod target;

use crate::driver::registry::TargetRegistration;

/// The target's passes and pipelines.
pub const REGISTERED: TargetRegistration = TargetRegistration {
    passes: &[convert_pto_to_mncore::INFO, mncore_schedule::INFO],
    pipelines: &[mncore_pipeline::FROM_TTIR, mncore_pipeline::FROM_TTNN],
};
