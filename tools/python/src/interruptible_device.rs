//! A device that stops between operations.

use std::sync::atomic::{AtomicBool, Ordering};

use tessera_program::Operation;
use tessera_runtime::{Device, DeviceFailure, InterceptedDevice};

/// The error of an operation that is not executed because the flag is set.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
struct Interrupted;

impl DeviceFailure for Interrupted {}

/// Returns a device that executes operations on another device until a flag is set.
pub fn interruptible<'a>(device: &'a mut dyn Device, stop: &'a AtomicBool) -> impl Device + 'a {
    InterceptedDevice::new(
        device,
        |device: &mut dyn Device, operation: &Operation| match stop.load(Ordering::Relaxed) {
            true => Err(Interrupted.into()),
            false => device.execute(operation),
        },
    )
}
