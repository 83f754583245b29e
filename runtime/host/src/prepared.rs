//! Several runs of a program with some inputs bound.
//!
//! [`Prepared`] writes the bound inputs to a device, creates the program's constants there, and
//! evaluates the cached calls whose inputs are all bound. It saves what the device then holds. Each
//! run continues from there on a device of its own, so runs do not influence each other, and the
//! bits of results are those of [`run_linked`](crate::run_linked()).

use tessera_ops::{Class, Creation};
use tessera_program::{Linked, Operation};
use tessera_reference::Tensor;

use crate::device::SavedTensors;
use crate::run::{at_program, check_count, check_input, execute, read_outputs, write};
use crate::{Device, RunError};

/// What runs with the same bound inputs have in common.
pub struct Prepared {
    saved: SavedTensors,
    /// Whether each input of the program is bound.
    bound: Vec<bool>,
    /// Whether each operation of the linked program has been executed.
    executed: Vec<bool>,
}

impl Prepared {
    /// Prepares runs with these inputs, on a device that has run nothing yet. An input that is
    /// `None` is given to each run.
    ///
    /// # Errors
    /// If an input is not that of the program, or the device fails.
    pub fn new(
        device: &mut dyn Device,
        program: &Linked<'_>,
        inputs: Vec<Option<Tensor>>,
    ) -> Result<Self, RunError> {
        let all: Vec<_> = (0..program.inputs.len()).collect();
        check_count(program, &all, inputs.len())?;
        let mut bound = vec![false; inputs.len()];
        for (index, tensor) in inputs.into_iter().enumerate() {
            if let Some(tensor) = tensor {
                check_input(program, index, &tensor)?;
                write(device, program, program.inputs[index], tensor)?;
                bound[index] = true;
            }
        }
        let executed = independent_operations(program, &bound);
        let operations = (0..executed.len()).filter(|index| executed[*index]);
        execute(device, program, operations, None)?;
        Ok(Prepared {
            saved: device.save(),
            bound,
            executed,
        })
    }

    /// Runs the program on a new device and returns its outputs. `inputs` are those that are not
    /// bound, `program` and the device's kind those that were prepared.
    ///
    /// # Errors
    /// If an input is not that of the program, or the device fails.
    pub fn run(
        &self,
        device: &mut dyn Device,
        program: &Linked<'_>,
        inputs: Vec<Tensor>,
    ) -> Result<Vec<Tensor>, RunError> {
        let free = (0..self.bound.len()).filter(|index| !self.bound[*index]);
        let free: Vec<_> = free.collect();
        check_count(program, &free, inputs.len())?;
        device
            .restore(&self.saved)
            .map_err(|error| at_program(program)(error.into()))?;
        for (index, tensor) in free.into_iter().zip(inputs) {
            check_input(program, index, &tensor)?;
            write(device, program, program.inputs[index], tensor)?;
        }
        let operations = (0..self.executed.len()).filter(|index| !self.executed[*index]);
        execute(device, program, operations, None)?;
        read_outputs(device, program)
    }
}

/// Returns for each operation whether it depends on bound inputs only: those of cached calls, and
/// those that create constants.
fn independent_operations(program: &Linked<'_>, bound: &[bool]) -> Vec<bool> {
    let creates = program.operations.iter().map(is_constant);
    let mut independent: Vec<_> = creates.collect();
    for call in program.calls() {
        let is_bound = |id| {
            let mut inputs = program.inputs.iter().zip(bound);
            inputs.any(|(input, is_bound)| input == id && *is_bound)
        };
        let is_independent = call.call.inputs.iter().all(is_bound);
        independent[call.operations.clone()].fill(is_independent);
    }
    independent
}

fn is_constant(operation: &Operation) -> bool {
    let class = operation.op.as_tensor().map(|op| op.op.class);
    matches!(class, Some(Class::Creation(creation)) if creation != Creation::Empty)
}
