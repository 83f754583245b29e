//! The runtime: runs program files on devices and judges what comes out.
//!
//! A [`Device`] holds the tensors of one run of one program and executes its operations; [`run`] feeds it inputs and
//! operations. [`ReferenceDevice`] interprets operations; [`InterpreterDevice`] interprets kernels over tiles; [`TensixDevice`] owns the DRAM of a modelled chip, moves
//! tensors in and out of it, and runs the kernels attached to operations. None ever stands in for the
//! other. [`Golden`] watches a run and compares every operation with the reference.
//!
//! Nothing here knows MLIR, and nothing outside `tensix` knows an instruction set.

mod device;
pub mod golden;
mod init;
mod interpreter;
mod query;
mod reference_device;
mod run;
mod tensix;

pub use device::{Device, DeviceError};
pub use golden::{Chip, Golden};
pub use init::{Init, Source};
pub use interpreter::InterpreterDevice;
pub use query::query;
pub use reference_device::ReferenceDevice;
pub use run::{run, select_program, Reason, RunError};
pub use tensix::{check, Figures, KernelRun, TensixDevice, TensixOptions};
pub use tessera_isa_tensix::tile::CORES;
pub use tessera_tensix::Stats;
