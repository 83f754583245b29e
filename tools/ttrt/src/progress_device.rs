//! A device that shows its progress.

use tessera_cli::Progress;
use tessera_program::{Op, Operation};
use tessera_runtime::{Device, InterceptedDevice};

/// Returns a device with a progress bar that counts its operations. `is_compared` says whether each
/// operation is compared with the reference after it is executed.
pub fn with_progress<'a>(
    device: &'a mut dyn Device,
    progress: &'a Progress,
    is_compared: bool,
) -> impl Device + 'a {
    InterceptedDevice::new(
        device,
        move |device: &mut dyn Device, operation: &Operation| {
            let label = label(&operation.op);
            let name = device.name();
            progress.set_message(format!("{label} on {name}"));
            device.execute(operation)?;
            progress.advance(1);
            if is_compared {
                let message = format!("{label} compared with the reference");
                progress.set_message(message);
            }
            Ok(())
        },
    )
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
