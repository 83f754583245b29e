//! The runtime: runs program files on devices and judges what comes out.
//!
//! A [`Device`] holds the tensors of one run of one program and executes its operations; [`run`] feeds it inputs and
//! operations. [`ReferenceDevice`] interprets operations; [`InterpreterDevice`] interprets kernels over tiles; [`TensixDevice`] and
//! [`MncoreDevice`] own the DRAM of a modelled chip, move tensors in and out of it, and run the kernels attached to operations. None ever
//! stands in for the other. [`Golden`] watches a run and compares every operation with the reference.
//!
//! Nothing here knows MLIR, and nothing outside `devices` knows an instruction set.

mod device;
pub mod devices;
mod domain;
pub mod golden;
mod init;
mod places;
mod query;
mod run;

pub use device::{Device, DeviceError};
pub use golden::Golden;
pub use init::{Init, Source};
pub use query::query;
pub use run::{run, select_program, select_programs, Reason, RunError};
