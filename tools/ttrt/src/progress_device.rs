//! A device that shows its progress.

use tessera_cli::Progress;
use tessera_program::{GlobalId, Op, Operation};
use tessera_reference::Tensor;
use tessera_runtime::golden::numerics::Numerics;
use tessera_runtime::{Device, DeviceError, KernelRuns, SavedTensors};

/// A device with a progress bar that counts its operations.
pub struct ProgressDevice<'a> {
    pub device: &'a mut dyn Device,
    pub progress: &'a Progress,
    /// Whether each operation is compared with the reference after it is executed.
    pub is_compared: bool,
}

impl Device for ProgressDevice<'_> {
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
        let label = label(&operation.op);
        let name = self.device.name();
        self.progress.set_message(format!("{label} on {name}"));
        self.device.execute(operation)?;
        self.progress.advance(1);
        if self.is_compared {
            let message = format!("{label} compared with the reference");
            self.progress.set_message(message);
        }
        Ok(())
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

/// Returns the name of an operation; for a kernel group, the names of its operations.
fn label(op: &Op) -> String {
    match op {
        Op::Kernel(group) => {
            let names = group.operations.iter().map(|operation| operation.op.name());
            names.collect::<Vec<_>>().join(" + ")
        }
        Op::Tensor(op) => op.op.name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
