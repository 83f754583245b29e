//! Runs one program on one device.

use tessera_program::{Binary, GlobalId, Operation, Program};
use tessera_reference::Tensor;

use crate::golden::GoldenError;
use crate::{Device, DeviceError, Golden};

/// An error of a run, with its place in the program.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct RunError {
    /// The program, and its input or operation with the source location.
    pub place: String,
    /// The error.
    pub reason: Reason,
}

/// Why a run fails.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// Too few or too many inputs.
    #[error("it takes {expected} inputs, but {found} were given: {inputs}")]
    InputCount {
        /// Inputs given.
        found: usize,
        /// Inputs of the program.
        expected: usize,
        /// Names and types of the inputs.
        inputs: String,
    },
    /// An input of another shape or type.
    #[error("it is a {expected} tensor, but a {found} tensor was given")]
    Input {
        /// Shape and type given.
        found: String,
        /// Shape and type of the program's input.
        expected: String,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The result cannot be compared with the reference.
    #[error(transparent)]
    Golden(#[from] GoldenError),
}

/// Returns the program called `name`, or the only public one.
///
/// # Errors
/// A text that lists the programs, if that is none or several.
pub fn select_program<'a>(binary: &'a Binary, name: Option<&str>) -> Result<&'a Program, String> {
    match select_programs(binary, name)?[..] {
        [program] => Ok(program),
        ref several => Err(format!(
            "the file has several programs, {}: choose one with --program",
            names(several)
        )),
    }
}

/// Returns the program called `name`, or all public ones, of which there is at least one.
///
/// # Errors
/// A text that lists the programs, if there is none of that name, or none at all.
pub fn select_programs<'a>(
    binary: &'a Binary,
    name: Option<&str>,
) -> Result<Vec<&'a Program>, String> {
    let public: Vec<_> = binary
        .programs
        .iter()
        .filter(|program| !program.private)
        .collect();
    match name {
        None if public.is_empty() => Err("the file has no program that can be run".into()),
        None => Ok(public),
        Some(name) => match public.iter().find(|program| program.name == name) {
            Some(program) => Ok(vec![program]),
            None => Err(format!(
                "the file has no program '{name}' that can be run; it has: {}",
                names(&public)
            )),
        },
    }
}

/// Returns the names of programs for diagnostics.
fn names(programs: &[&Program]) -> String {
    let names = programs.iter().map(|program| format!("'{}'", program.name));
    names.collect::<Vec<_>>().join(", ")
}

/// Runs `program` on `device` and returns its outputs. `golden` compares every operation.
///
/// # Errors
/// If the inputs are not those of the program, the device fails, or an operation cannot be judged.
pub fn run(
    device: &mut dyn Device,
    program: &Program,
    inputs: Vec<Tensor>,
    mut golden: Option<&mut Golden<'_>>,
) -> Result<Vec<Tensor>, RunError> {
    let program_place = || format!("program '{}'", program.name);
    let at = |place: String| move |reason: Reason| RunError { place, reason };
    check_inputs(program, &inputs)?;
    for (&id, tensor) in program.inputs.iter().zip(inputs) {
        if let Some(golden) = golden.as_deref_mut() {
            golden.input(id, &tensor);
        }
        device
            .write(id, tensor)
            .map_err(|error| at(program_place())(error.into()))?;
    }
    for (index, operation) in program.operations.iter().enumerate() {
        let place = || operation_place(program, index, operation);
        match golden.as_deref_mut() {
            None => device
                .execute(operation)
                .map_err(|error| at(place())(error.into()))?,
            Some(golden) => golden
                .execute(device, index, operation)
                .map_err(at(place()))?,
        }
    }
    let mut read = |&id: &GlobalId| {
        device
            .read(id)
            .map_err(|error| at(program_place())(error.into()))
    };
    program.outputs.iter().map(&mut read).collect()
}

/// Returns the place of an operation for diagnostics.
pub(crate) fn operation_place(program: &Program, index: usize, operation: &Operation) -> String {
    let place = format!(
        "program '{}', operation {index} ({})",
        program.name,
        operation.op.name()
    );
    if operation.loc.is_empty() {
        place
    } else {
        format!("{place} at {}", operation.loc)
    }
}

fn check_inputs(program: &Program, inputs: &[Tensor]) -> Result<(), RunError> {
    let description = |id: GlobalId| match program.tensor(id) {
        Some(desc) => tensor_text(&desc.shape, desc.data_type),
        None => format!("undeclared tensor {id}"),
    };
    if inputs.len() != program.inputs.len() {
        let inputs_of_program: Vec<_> = program.inputs.iter().map(|&id| description(id)).collect();
        return Err(RunError {
            place: format!("program '{}'", program.name),
            reason: Reason::InputCount {
                found: inputs.len(),
                expected: program.inputs.len(),
                inputs: inputs_of_program.join(", "),
            },
        });
    }
    for (index, (&id, tensor)) in program.inputs.iter().zip(inputs).enumerate() {
        if !program.tensor(id).is_some_and(|desc| tensor.fits(desc)) {
            return Err(RunError {
                place: format!("program '{}', input {index}", program.name),
                reason: Reason::Input {
                    found: tensor_text(tensor.shape(), tensor.data_type()),
                    expected: description(id),
                },
            });
        }
    }
    Ok(())
}

/// Returns a shape and type in the form of MLIR's tensor types: `2x3xbf16`.
fn tensor_text(shape: &[u64], data_type: tessera_program::DataType) -> String {
    shape
        .iter()
        .map(|extent| format!("{extent}x"))
        .collect::<String>()
        + &data_type.to_string()
}
