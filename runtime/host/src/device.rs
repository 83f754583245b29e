//! The `Device` trait: holds the tensors of one run of one program and executes its operations.

use std::any::Any;
use std::error::Error;

use tessera_program::{GlobalId, MemorySpace, Operation};
use tessera_reference::{EvalError, Tensor, TensorError, Values};

use crate::device_info::KernelRuns;
use crate::devices::REFERENCE;
use crate::golden::numerics::Numerics;

/// Executes the operations of one run of one program.
pub trait Device {
    /// Returns the name, as `ttrt --device` takes it.
    fn name(&self) -> &'static str;

    /// Defines tensor `id`.
    ///
    /// # Errors
    /// If the device has no place for it.
    fn write(&mut self, id: GlobalId, tensor: Tensor) -> Result<(), DeviceError>;

    /// Returns the tensor `id` as it is now.
    ///
    /// # Errors
    /// If it is not defined, or what the device holds is not a tensor.
    fn read(&mut self, id: GlobalId) -> Result<Tensor, DeviceError>;

    /// Executes one operation of the program.
    ///
    /// # Errors
    /// If the operation fails or the device cannot do it.
    fn execute(&mut self, operation: &Operation) -> Result<(), DeviceError>;

    /// Returns what the device holds now, for devices that run the same program later. It shares
    /// memory with this device as far as possible.
    fn save(&mut self) -> SavedTensors;

    /// Replaces what the device holds by what another device saved.
    ///
    /// # Errors
    /// If that was a device of another kind.
    fn restore(&mut self, saved: &SavedTensors) -> Result<(), DeviceError>;

    /// Returns the arithmetic of an operation, from which the bounds of its results are computed.
    fn numerics(&self, operation: &Operation) -> Numerics;

    /// Removes and returns the kernels that ran so far, or `None` if the device does not record
    /// them.
    fn take_kernel_runs(&mut self) -> Option<Box<dyn KernelRuns>> {
        None
    }
}

/// The tensors of a device in its own form.
pub struct SavedTensors(Box<dyn Any + Send + Sync>);

impl SavedTensors {
    /// Wraps the tensors of a device.
    pub fn new(tensors: impl Any + Send + Sync) -> Self {
        SavedTensors(Box::new(tensors))
    }

    /// Returns the tensors of a device whose tensors have type `T`.
    ///
    /// # Errors
    /// If another kind of device saved them.
    pub fn of_device<T: Any>(&self) -> Result<&T, DeviceError> {
        self.0.downcast_ref().ok_or(DeviceError::OtherDevice)
    }
}

/// Returns the tensor that a device holds.
pub(crate) fn value(values: &Values, id: GlobalId) -> Result<&Tensor, DeviceError> {
    values.get(id).ok_or(DeviceError::Undefined(id))
}

/// Why a device cannot perform a request.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// An operation cannot be evaluated.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// A tensor cannot be created.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// The program does not declare a tensor.
    #[error("tensor {0} is not declared")]
    Undeclared(GlobalId),
    /// A tensor has no value.
    #[error("tensor {0} has no value")]
    Undefined(GlobalId),
    /// Tensors that another kind of device saved.
    #[error("the tensors were saved by another kind of device")]
    OtherDevice,
    /// A tensor in a memory the runtime does not allocate.
    #[error(
        "tensor {id} lies in {memory}, but the runtime places tensors in DRAM and host memory \
         only: give it a dram memory config"
    )]
    Memory {
        /// The tensor.
        id: GlobalId,
        /// Its memory.
        memory: MemorySpace,
    },
    /// An operation outside a kernel group.
    #[error(
        "{op} has no kernel: this device runs kernels and moves tensors, nothing else; compile the \
         module with ttmlir-opt {pipeline}, or run it with --device {REFERENCE}"
    )]
    NoKernel {
        /// The operation.
        op: &'static str,
        /// The pipeline that makes kernels for the device.
        pipeline: &'static str,
    },
    /// A kernel group without a kernel for this device.
    #[error(
        "the group has no {kernel}: compile the module {remedy}, or run it with --device \
         {REFERENCE}"
    )]
    NoKernelInGroup {
        /// What it lacks.
        kernel: String,
        /// How to compile the module.
        remedy: String,
    },
    /// An error specific to the device.
    #[error("{0}")]
    Failure(Box<dyn DeviceFailure>),
}

/// An error specific to a device.
pub trait DeviceFailure: Error + Send + Sync {
    /// Returns the target of the kernel if its code stopped at a source location, or `None` for
    /// other errors.
    fn stopped_target(&self) -> Option<&'static str> {
        None
    }

    /// Replaces the source locations at which code stopped.
    fn map_locations(&mut self, _function: &dyn Fn(&str) -> String) {}
}

impl<F: DeviceFailure + 'static> From<F> for DeviceError {
    fn from(failure: F) -> Self {
        DeviceError::Failure(Box::new(failure))
    }
}

/// Maps the location in a text ` at <location>`; does nothing for an empty text.
pub(crate) fn map_place(place: &mut String, function: &dyn Fn(&str) -> String) {
    if let Some(location) = place.strip_prefix(" at ") {
        *place = format!(" at {}", function(location));
    }
}
