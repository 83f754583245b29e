//! The runtime: runs program files on devices and judges what comes out.
//!
//! A [`Device`] holds the tensors of one run of one program and executes its operations; [`run()`]
//! feeds it inputs and operations. [`devices`] lists the devices there are: some interpret the
//! operations, or kernels before they are made for a chip; others own the DRAM of a modelled chip,
//! move tensors in and out of it, and run the kernels attached to operations. None ever stands in
//! for another. What can be said of a device before it runs anything is in its [`DeviceInfo`].
//! [`Golden`] watches a run and compares every operation with the reference.
//!
//! Nothing here knows MLIR. Within this crate, only the folder of a device uses its instruction
//! set.

mod device;
mod device_info;
pub mod devices;
mod domain;
pub mod golden;
mod init;
pub mod options;
mod places;
mod query;
mod run;
pub mod statistics;

pub use device::{Device, DeviceError, DeviceFailure};
pub use device_info::{chips_first, join_names, ChipModel, DeviceInfo, KernelRuns};
pub use golden::Golden;
pub use init::{Init, Source};
pub use options::Options;
pub use query::query;
pub use run::{run, select_program, select_programs, Reason, RunError};
