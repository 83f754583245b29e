//! A device that stops between operations.

use std::sync::atomic::{AtomicBool, Ordering};

use tessera_program::{GlobalId, Operation};
use tessera_reference::Tensor;
use tessera_runtime::golden::numerics::Numerics;
use tessera_runtime::{Device, DeviceError, DeviceFailure, KernelRuns, SavedTensors};

/// Executes operations on another device until a flag is set.
pub struct InterruptibleDevice<'a> {
    pub device: Box<dyn Device + 'a>,
    /// The flag.
    pub stop: &'a AtomicBool,
}

/// The error of an operation that is not executed because the flag is set.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
struct Interrupted;

impl DeviceFailure for Interrupted {}

impl Device for InterruptibleDevice<'_> {
    fn name(&self) -> &'static str {
        self.device.name()
    }

    fn write(&mut self, id: GlobalId, tensor: Tensor) -> Result<(), DeviceError> {
        self.device.write(id, tensor)
    }

    fn read(&mut self, id: GlobalId) -> Result<Tensor, DeviceError> {
        self.device.read(id)
    }

    fn execute(&mut self, operation: &Operation) -> Result<(), DeviceError> {
        match self.stop.load(Ordering::Relaxed) {
            true => Err(Interrupted.into()),
            false => self.device.execute(operation),
        }
    }

    fn save(&mut self) -> SavedTensors {
        self.device.save()
    }

    fn restore(&mut self, saved: &SavedTensors) -> Result<(), DeviceError> {
        self.device.restore(saved)
    }

    fn numerics(&self, operation: &Operation) -> Numerics {
        self.device.numerics(operation)
    }

    fn take_kernel_runs(&mut self) -> Option<Box<dyn KernelRuns>> {
        self.device.take_kernel_runs()
    }
}
