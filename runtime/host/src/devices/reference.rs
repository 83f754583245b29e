//! The reference device, which interprets operations.

use serde_json::json;
use tessera_program::{DataType, GlobalId, Operation, Program};
use tessera_reference::{execute, Tensor, Values};

use crate::device::{value, SavedTensors};
use crate::device_info::DeviceInfo;
use crate::devices::NUMERICS;
use crate::golden::numerics::Numerics;
use crate::{Device, DeviceError};

/// Its name.
pub const NAME: &str = "reference";

/// The device.
pub static INFO: DeviceInfo = DeviceInfo {
    name: NAME,
    description: "Evaluates the operations in f64, one rounding each",
    options: &[],
    chip: None,
    open: |_, program, _| Ok(Box::new(ReferenceDevice::new(program))),
    facts: || json!({ "data_types": DataType::ALL }),
};

/// Evaluates every operation by `tessera_reference` and ignores kernels.
pub struct ReferenceDevice<'a> {
    program: &'a Program,
    values: Values,
}

impl<'a> ReferenceDevice<'a> {
    /// Creates a device for one run of `program`.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            values: Values::new(),
        }
    }
}

impl Device for ReferenceDevice<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn write(&mut self, id: GlobalId, tensor: Tensor) -> Result<(), DeviceError> {
        self.values.set(id, tensor);
        Ok(())
    }

    fn read(&mut self, id: GlobalId) -> Result<Tensor, DeviceError> {
        value(&self.values, id).cloned()
    }

    fn execute(&mut self, operation: &Operation) -> Result<(), DeviceError> {
        Ok(execute(self.program, operation, &mut self.values)?)
    }

    fn save(&mut self) -> SavedTensors {
        SavedTensors::new(self.values.clone())
    }

    fn restore(&mut self, saved: &SavedTensors) -> Result<(), DeviceError> {
        self.values = saved.of_device::<Values>()?.clone();
        Ok(())
    }

    fn numerics(&self, _: &Operation) -> Numerics {
        Numerics {
            rounds_results: true,
            ..NUMERICS
        }
    }
}
