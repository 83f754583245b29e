//! A device whose operations pass through a function.

use tessera_program::{GlobalId, Operation};
use tessera_reference::Tensor;

use crate::device::{Device, DeviceError, SavedTensors};
use crate::device_info::KernelRuns;
use crate::golden::numerics::Numerics;

/// A device that calls a function to execute an operation. The function decides whether, and with
/// what around it, the other device executes the operation.
pub struct InterceptedDevice<'a, F> {
    device: &'a mut dyn Device,
    execute: F,
}

impl<'a, F> InterceptedDevice<'a, F>
where
    F: FnMut(&mut dyn Device, &Operation) -> Result<(), DeviceError>,
{
    /// Wraps a device. `execute` gets it with each operation.
    pub fn new(device: &'a mut dyn Device, execute: F) -> Self {
        InterceptedDevice { device, execute }
    }
}

impl<F> Device for InterceptedDevice<'_, F>
where
    F: FnMut(&mut dyn Device, &Operation) -> Result<(), DeviceError>,
{
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
        (self.execute)(&mut *self.device, operation)
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
