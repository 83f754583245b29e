//! The passes of Tessera.
//!
//! | module | holds |
//! |---|---|
//! | [`driver`] | options, pipeline texts, the registry of passes and pipelines, files |
//! | [`stablehlo`] | the conversion of StableHLO to TTIR |
//! | [`ttcore`] | passes on the description of the target system |
//! | [`ttir`] | passes on TTIR, and its conversion to TTNN |
//! | [`ttnn`] | passes on TTNN, its conversion to kernels over tiles, and to the program file |
//! | [`pto`] | passes on kernels over tiles |
//! | [`target`] | the interface between passes and targets |
//! | [`targets`] | the targets: the lowering of tile kernels |

pub mod driver;
mod functions;
mod locations;
pub mod pto;
mod retype;
pub mod stablehlo;
mod symbols;
pub mod target;
pub mod targets;
pub mod ttcore;
pub mod ttir;
pub mod ttnn;
mod verified;
