//! StableHLO, the portable form in which JAX and PyTorch export programs, and its conversion to
//! TTIR.
//!
//! The operations are read in MLIR's generic form and belong to an unregistered dialect: no
//! StableHLO library is linked. The conversion therefore verifies what it reads.

mod cloner;
pub(crate) mod convert_stablehlo_to_ttir;
mod opaque;
mod source;
pub(crate) mod stablehlo_flatten_control_flow;
pub(crate) mod stablehlo_inline_calls;
pub(crate) mod stablehlo_to_ttir_pipeline;
