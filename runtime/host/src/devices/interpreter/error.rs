//! Errors of the interpreter.

use tessera_pto::trap::Trap;
use tessera_pto::validate::Invalid;

use crate::device::DeviceFailure;

/// Why the device cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum InterpreterError {
    /// Kernels over tiles that are not well formed.
    #[error("{0}")]
    Group(Box<Invalid>),
    /// A kernel over tiles stopped.
    #[error("kernel '{kernel}': {trap}")]
    Trap {
        /// Name of the kernel.
        kernel: String,
        /// Where and why.
        trap: Box<Trap>,
    },
}

impl DeviceFailure for InterpreterError {
    fn stopped_target(&self) -> Option<&'static str> {
        matches!(self, InterpreterError::Trap { .. }).then_some("pto")
    }

    fn map_locations(&mut self, function: &dyn Fn(&str) -> String) {
        if let InterpreterError::Trap { trap, .. } = self {
            trap.map_locations(function);
        }
    }
}
