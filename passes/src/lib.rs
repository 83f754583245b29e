//! The passes of Tessera.
//!
//! | module | holds |
//! |---|---|
//! | [`driver`] | options, pipeline texts, the registry of passes and pipelines, files |
//! | [`ttcore`] | what a module says of the system that it is for |
//! | [`ttir`] | passes on TTIR, and its conversion to TTNN |
//! | [`ttnn`] | passes on TTNN, its conversion to kernels over tiles, and to the program file |
//! | [`pto`] | passes on kernels over tiles |
//! | [`target`] | what passes may know of a target |
//! | [`targets`] | the targets: what each makes of kernels over tiles |

pub mod driver;
mod functions;
mod locations;
pub mod pto;
mod retype;
mod symbols;
pub mod target;
pub mod targets;
pub mod ttcore;
pub mod ttir;
pub mod ttnn;
mod verified;
