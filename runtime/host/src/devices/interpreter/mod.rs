//! The interpreter: runs tile kernels without a chip, as a reference for kernels that are generated
//! for chips.
//!
//! Numerics are those of [`tessera_pto::numerics`]: every operation is evaluated in f64 and rounded
//! once to the element type of its result. A matrix product adds the products of a tile in the
//! order of K and rounds to f32 after each tile along K. This is nearer to the unrounded product
//! than the bound of a chip in [`crate::golden`], and differs from the result of a chip.
//!
//! An invalid operation or a deadlock is an error that names the location of each kernel and what
//! it waits for. Elements of a result that no kernel writes are NaN.

mod error;

use serde_json::json;
use tessera_program::{
    Binary, GlobalId, Kernel, KernelBody, KernelRef, Op, Operation, Program, PtoGroups,
};
use tessera_pto::machine::{Machine, LIMIT};
use tessera_pto::numerics::{self, Numbers};
use tessera_pto::ring::Protocol;
use tessera_pto::schedule::Schedule;
use tessera_reference::{execute, Tensor, Values};

use crate::device::{value, SavedTensors};
use crate::device_info::DeviceInfo;
use crate::devices::{NUMERICS, PIPELINE};
use crate::golden::numerics::Numerics;
use crate::locations::relocate;
use crate::options::{LIMIT_STEPS, SCHEDULE_SEED};
use crate::query::OF_KERNELS;
use crate::{Device, DeviceError};
pub use error::InterpreterError;

/// Its name.
pub const NAME: &str = "interpreter";

/// The device.
pub static INFO: DeviceInfo = DeviceInfo {
    name: NAME,
    description: "Runs the kernels over tiles, before they are made for a chip",
    options: &[SCHEDULE_SEED, LIMIT_STEPS.counting("operations")],
    chip: None,
    open: |binary, program, options| {
        let seed = options.number(&SCHEDULE_SEED);
        let mut device = InterpreterDevice::new(binary, program, seed);
        if let Some(limit) = options.number(&LIMIT_STEPS) {
            device.set_limit(limit);
        }
        Ok(Box::new(device))
    },
    facts: || json!({ "data_types": OF_KERNELS }),
};

/// Runs the tile kernels that are attached to operations.
pub struct InterpreterDevice<'a> {
    binary: &'a Binary,
    program: &'a Program,
    schedule: Schedule,
    limit: u64,
    values: Values,
}

impl<'a> InterpreterDevice<'a> {
    /// Creates a device for one run of `program`. Without a seed, kernels of a group run in turn
    /// until they block. With a seed, each has a random speed. The results are the same.
    pub fn new(binary: &'a Binary, program: &'a Program, schedule_seed: Option<u64>) -> Self {
        Self {
            binary,
            program,
            schedule: schedule_seed.map_or(Schedule::Greedy, Schedule::Seed),
            limit: LIMIT,
            values: Values::new(),
        }
    }

    /// Sets the number of operations after which a group of kernels is considered an endless loop.
    pub fn set_limit(&mut self, operations: u64) {
        self.limit = operations;
    }

    /// Returns the tile kernels of an operation and their arguments.
    fn groups<'k>(
        &self,
        kernels: &'k [KernelRef],
    ) -> Result<(&'a Kernel, &'a PtoGroups, &'k [GlobalId]), DeviceError> {
        let mut found = kernels.iter().filter_map(|reference| {
            let kernel = self.binary.kernels.get(reference.kernel as usize)?;
            match &kernel.body {
                KernelBody::Pto(groups) => Some((kernel, groups, &reference.args[..])),
                _ => None,
            }
        });
        found.next().ok_or_else(|| DeviceError::NoKernelInGroup {
            kernel: "kernels over tiles".into(),
            remedy: format!("with ttmlir-opt {PIPELINE}"),
        })
    }

    fn run(&mut self, kernels: &[KernelRef]) -> Result<(), DeviceError> {
        let (kernel, groups, args) = self.groups(kernels)?;
        let inputs = usize::from(groups.inputs);
        let mut tensors = Vec::new();
        for (number, (&id, r#type)) in args.iter().zip(groups.tensors()).enumerate() {
            let elements = if number < inputs {
                self.read(id)?.to_f64s()
            } else {
                vec![f64::NAN; r#type.elements().unwrap_or(0) as usize]
            };
            let r#type = *r#type;
            tensors.push(numerics::Tensor { r#type, elements });
        }
        for group in &groups.groups {
            let mut machine = Machine::<Numbers>::new(group, Protocol::default())
                .map_err(|invalid| InterpreterError::Group(Box::new(invalid)))?;
            machine.world.tensors = tensors;
            let launched = machine.launch(self.schedule, self.limit);
            launched.map_err(|trap| InterpreterError::Trap {
                kernel: kernel.name.clone(),
                trap: Box::new(trap),
            })?;
            tensors = machine.world.tensors;
        }
        for (&id, tensor) in args.iter().zip(tensors).skip(inputs) {
            let desc = self.program.tensor(id);
            let desc = desc.ok_or(DeviceError::Undeclared(id))?;
            let shape = desc.shape.clone();
            let tensor = Tensor::from_f64s(shape, desc.data_type, &tensor.elements)?;
            self.values.set(id, tensor);
        }
        Ok(())
    }
}

impl Device for InterpreterDevice<'_> {
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
        match &operation.op {
            Op::Kernel(group) => self
                .run(&group.kernels)
                .map_err(|error| relocate(self.binary, group, error)),
            op if op.is_arithmetic() => Err(DeviceError::NoKernel {
                op: op.name(),
                pipeline: PIPELINE,
            }),
            _ => Ok(execute(self.program, operation, &mut self.values)?),
        }
    }

    fn save(&mut self) -> SavedTensors {
        SavedTensors::new(self.values.clone())
    }

    fn restore(&mut self, saved: &SavedTensors) -> Result<(), DeviceError> {
        self.values = saved.of_device::<Values>()?.clone();
        Ok(())
    }

    fn numerics(&self, _: &Operation) -> Numerics {
        NUMERICS
    }
}
