//! The Tensix target: lowers tile kernels to code for the RISC-V cores of Tensix tiles.

mod accumulator;
mod block;
pub(crate) mod convert_pto_to_tensix;
mod joined_stages;
mod legality;
mod machine;
mod packager;
pub(crate) mod system_desc;
pub(crate) mod target;
pub(crate) mod tensix_form_mop;
pub(crate) mod tensix_form_replay;
pub(crate) mod tensix_pipeline;
pub mod tensix_to_riscv;
pub(crate) mod tensix_words;
mod vector_unit;
mod worker_grid;

use crate::driver::registry::TargetRegistration;

/// The target's passes and pipelines.
pub const REGISTERED: TargetRegistration = TargetRegistration {
    passes: &[
        convert_pto_to_tensix::INFO,
        tensix_form_mop::INFO,
        tensix_form_replay::INFO,
    ],
    pipelines: &[tensix_pipeline::FROM_TTIR, tensix_pipeline::FROM_TTNN],
};
