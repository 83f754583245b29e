//! Runs one program on one device.

use tessera_program::{Binary, GlobalId, Linked, Operation, Program};
use tessera_reference::Tensor;

use crate::golden::GoldenError;
use crate::{Device, DeviceError, Golden, KernelRuns};

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
    /// A program with cached calls that was not linked.
    #[error("it calls '{0}'; link it with the other programs of its file first")]
    NotLinked(String),
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
/// If the program has cached calls: see [`run_linked`].
pub fn run(
    device: &mut dyn Device,
    program: &Program,
    inputs: Vec<Tensor>,
    mut golden: Option<&mut Golden<'_>>,
) -> Result<Vec<Tensor>, RunError> {
    write_inputs(device, program, inputs, golden.as_deref_mut())?;
    execute(device, program, 0..program.operations.len(), golden)?;
    read_outputs(device, program)
}

/// The outcome of a run of a linked program.
pub struct Outcome {
    /// The outputs.
    pub outputs: Vec<Tensor>,
    /// The kernels of cached calls, if the device records kernels and there are such calls.
    pub cached_kernels: Option<Box<dyn KernelRuns>>,
    /// All other kernels, if the device records them.
    pub kernels: Option<Box<dyn KernelRuns>>,
}

/// Runs a linked program on `device`. `golden` compares every operation. Operations are numbered in
/// the order of execution: those of cached calls are the first.
///
/// # Errors
/// As [`run`].
pub fn run_linked(
    device: &mut dyn Device,
    program: &Linked<'_>,
    inputs: Vec<Tensor>,
    mut golden: Option<&mut Golden<'_>>,
) -> Result<Outcome, RunError> {
    write_inputs(device, program, inputs, golden.as_deref_mut())?;
    let own = program.first_own_operation();
    execute(device, program, 0..own, golden.as_deref_mut())?;
    let cached_kernels = match program.calls() {
        [] => None,
        _ => device.take_kernel_runs(),
    };
    execute(device, program, own..program.operations.len(), golden)?;
    Ok(Outcome {
        outputs: read_outputs(device, program)?,
        cached_kernels,
        kernels: device.take_kernel_runs(),
    })
}

/// Checks and writes all inputs.
fn write_inputs(
    device: &mut dyn Device,
    program: &Program,
    inputs: Vec<Tensor>,
    mut golden: Option<&mut Golden<'_>>,
) -> Result<(), RunError> {
    if let [call, ..] = &program.cached[..] {
        return Err(at_program(program)(Reason::NotLinked(call.program.clone())));
    }
    let all: Vec<_> = (0..program.inputs.len()).collect();
    check_count(program, &all, inputs.len())?;
    for (index, tensor) in inputs.iter().enumerate() {
        check_input(program, index, tensor)?;
    }
    for (&id, tensor) in program.inputs.iter().zip(inputs) {
        if let Some(golden) = golden.as_deref_mut() {
            golden.input(id, &tensor);
        }
        write(device, program, id, tensor)?;
    }
    Ok(())
}

/// Writes a tensor that is known to fit.
pub(crate) fn write(
    device: &mut dyn Device,
    program: &Program,
    id: GlobalId,
    tensor: Tensor,
) -> Result<(), RunError> {
    let written = device.write(id, tensor);
    written.map_err(|error| at_program(program)(error.into()))
}

/// Executes operations of a program.
pub(crate) fn execute(
    device: &mut dyn Device,
    program: &Program,
    operations: impl IntoIterator<Item = usize>,
    mut golden: Option<&mut Golden<'_>>,
) -> Result<(), RunError> {
    for index in operations {
        let operation = &program.operations[index];
        let executed = match golden.as_deref_mut() {
            None => device.execute(operation).map_err(Reason::from),
            Some(golden) => golden.execute(device, index, operation),
        };
        executed.map_err(|reason| RunError {
            place: operation_place(program, index, operation),
            reason,
        })?;
    }
    Ok(())
}

/// Returns the outputs of a program that has run.
pub(crate) fn read_outputs(
    device: &mut dyn Device,
    program: &Program,
) -> Result<Vec<Tensor>, RunError> {
    let outputs = program.outputs.iter().map(|&id| device.read(id));
    let outputs: Result<_, _> = outputs.collect();
    outputs.map_err(|error| at_program(program)(error.into()))
}

/// Returns an error without a place inside of the program.
pub(crate) fn at_program(program: &Program) -> impl FnOnce(Reason) -> RunError {
    let place = format!("program '{}'", program.name);
    move |reason| RunError { place, reason }
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

/// Checks the number of inputs. `expected` has the indices of those that the program still takes.
pub(crate) fn check_count(
    program: &Program,
    expected: &[usize],
    found: usize,
) -> Result<(), RunError> {
    if found == expected.len() {
        return Ok(());
    }
    let inputs = expected
        .iter()
        .map(|&index| describe(program, program.inputs[index]));
    Err(at_program(program)(Reason::InputCount {
        found,
        expected: expected.len(),
        inputs: inputs.collect::<Vec<_>>().join(", "),
    }))
}

/// Checks that a tensor is of the shape and type of an input.
pub(crate) fn check_input(
    program: &Program,
    index: usize,
    tensor: &Tensor,
) -> Result<(), RunError> {
    let id = program.inputs[index];
    if program.tensor(id).is_some_and(|desc| tensor.fits(desc)) {
        return Ok(());
    }
    Err(RunError {
        place: format!("program '{}', input {index}", program.name),
        reason: Reason::Input {
            found: tensor_text(tensor.shape(), tensor.data_type()),
            expected: describe(program, id),
        },
    })
}

/// Returns the shape and type of a tensor of a program.
fn describe(program: &Program, id: GlobalId) -> String {
    match program.tensor(id) {
        Some(desc) => tensor_text(&desc.shape, desc.data_type),
        None => format!("undeclared tensor {id}"),
    }
}

/// Returns a shape and type in the form of MLIR's tensor types: `2x3xbf16`.
fn tensor_text(shape: &[u64], data_type: tessera_program::DataType) -> String {
    shape
        .iter()
        .map(|extent| format!("{extent}x"))
        .collect::<String>()
        + &data_type.to_string()
}
