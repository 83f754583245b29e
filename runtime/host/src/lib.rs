//! The runtime: runs program files on devices and compares the results with the reference.
//!
//! A [`Device`] holds the tensors of one run of one program and executes its operations; [`run()`]
//! passes it inputs and operations. [`Prepared`] runs a program several times with inputs bound.
//! [`devices`] is the registry of devices. Some interpret the operations, or their tile kernels.
//! Others model a chip: they own its DRAM, move tensors in and out of it, and run the kernels
//! attached to operations. A device never falls back to another one.
//! [`DeviceInfo`] holds the static properties of a device. [`Golden`] compares every operation of a
//! run with the reference.
//!
//! The runtime does not depend on MLIR. Within this crate, only the module of a device uses its
//! instruction set.

mod device;
mod device_info;
pub mod devices;
mod domain;
pub mod golden;
mod init;
mod intercepted_device;
mod locations;
mod lookups;
pub mod options;
mod prepared;
mod query;
mod run;
pub mod statistics;

pub use device::{Device, DeviceError, DeviceFailure, SavedTensors};
pub use device_info::{chips_first, join_names, ChipModel, DeviceInfo, KernelRuns};
pub use golden::Golden;
pub use init::{Init, Source};
pub use intercepted_device::InterceptedDevice;
pub use options::Options;
pub use prepared::Prepared;
pub use query::query;
pub use run::{run, run_linked, select_program, select_programs, Outcome, Reason, RunError};
