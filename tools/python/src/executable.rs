//! Programs of a file, and running them.

use std::error::Error;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{json, Value};
use tessera_program::{Binary, GlobalId, Linked, Program};
use tessera_reference::Tensor as HostTensor;
use tessera_runtime::options::{OptionKind, OptionValue};
use tessera_runtime::{
    devices, join_names, run_linked, select_program, select_programs, Device, DeviceInfo, Golden,
    Init, Options, Source,
};

use crate::errors::ExecutionError;
use crate::interruptible_device::interruptible;
use crate::tensor::Tensor;
use crate::worker;

/// A program of a program file. It is immutable.
#[pyclass(frozen, module = "tessera._native")]
pub struct Executable {
    /// The file without its programs.
    binary: Binary,
    program: Linked<'static>,
}

/// A program on a device, with some inputs bound. It is immutable.
#[pyclass(frozen, module = "tessera._native")]
pub struct Prepared {
    executable: Py<Executable>,
    runs: tessera_runtime::Prepared,
    device: &'static DeviceInfo,
    options: Options,
}

/// The results of one run.
struct Run {
    outputs: Vec<HostTensor>,
    /// The statistics of each kernel, if the device records them.
    kernels: Option<Vec<Value>>,
}

/// The name, shape and element type of a tensor.
type Described = (Option<String>, Vec<u64>, String);

#[pymethods]
impl Executable {
    /// Reads a program of a file; without a name, the only one.
    #[new]
    fn new(file: &[u8], name: Option<&str>) -> PyResult<Self> {
        let mut binary = read(file)?;
        let program = select_program(&binary, name).map_err(PyValueError::new_err)?;
        let program = binary.link(program).into_owned();
        binary.programs.clear();
        Ok(Executable { binary, program })
    }

    /// The name of the program.
    #[getter]
    fn name(&self) -> &str {
        &self.program.name
    }

    /// The name, shape and element type of each input.
    #[getter]
    fn inputs(&self) -> Vec<Described> {
        describe(&self.program, &self.program.inputs)
    }

    /// The name, shape and element type of each output.
    #[getter]
    fn outputs(&self) -> Vec<Described> {
        describe(&self.program, &self.program.outputs)
    }

    /// Returns random inputs that are inside the operations' domains where possible.
    fn generate_inputs(&self, seed: u64) -> PyResult<Vec<Tensor>> {
        let inputs = Source::new(Init::Randn, seed).inputs(&self.program);
        let inputs = inputs.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(inputs.into_iter().map(Tensor).collect())
    }

    /// Prepares runs with bound inputs: moves them to the device and computes what depends on them
    /// alone. An input that is `None` is given to each run.
    fn prepare(
        this: PyRef<'_, Self>,
        py: Python<'_>,
        device: &str,
        inputs: Vec<Option<PyRef<'_, Tensor>>>,
        options: Vec<(String, String)>,
    ) -> PyResult<Prepared> {
        let Self { binary, program } = &*this;
        let device = find_device(device)?;
        let options = read_options(device, &options).map_err(PyValueError::new_err)?;
        let inputs = inputs.into_iter();
        let inputs: Vec<_> = inputs.map(|input| Some(input?.0.clone())).collect();
        let runs = worker::run(py, |stop| {
            let mut device = (device.open)(binary, program, &options)?;
            let mut model = interruptible(&mut *device, stop);
            Ok(tessera_runtime::Prepared::new(&mut model, program, inputs)?)
        })?;
        Ok(Prepared {
            runs: runs.map_err(to_python)?,
            executable: this.into(),
            device,
            options,
        })
    }

    /// Runs the program with all inputs and compares every operation with the reference, those that
    /// depend on weights alone, too. Returns the reports as JSON.
    fn golden(
        &self,
        py: Python<'_>,
        device: &str,
        inputs: Vec<PyRef<'_, Tensor>>,
        options: Vec<(String, String)>,
    ) -> PyResult<String> {
        let program = &self.program;
        let device = find_device(device)?;
        let options = read_options(device, &options).map_err(PyValueError::new_err)?;
        let inputs: Vec<_> = inputs.iter().map(|tensor| tensor.0.clone()).collect();
        let reports = worker::run(py, |stop| {
            let mut device = (device.open)(&self.binary, program, &options)?;
            let mut model = interruptible(&mut *device, stop);
            let mut golden = Golden::new(program);
            run_linked(&mut model, program, inputs, Some(&mut golden))?;
            Ok(json!(golden.reports()).to_string())
        })?;
        reports.map_err(to_python)
    }
}

#[pymethods]
impl Prepared {
    /// Runs the program with the inputs that are not bound. Returns the outputs.
    fn run(&self, py: Python<'_>, inputs: Vec<PyRef<'_, Tensor>>) -> PyResult<Vec<Tensor>> {
        let run = self.execute(py, &inputs)?;
        Ok(run.outputs.into_iter().map(Tensor).collect())
    }

    /// Runs the program with the inputs that are not bound. Returns the statistics of its kernels
    /// as JSON.
    fn stats(&self, py: Python<'_>, inputs: Vec<PyRef<'_, Tensor>>) -> PyResult<String> {
        let run = self.execute(py, &inputs)?;
        let kernels = run.kernels.ok_or_else(|| {
            let chips = join_names(&devices::chips(), "or");
            let device = self.device.name;
            let message = format!("device '{device}' records no statistics; use {chips}");
            PyValueError::new_err(message)
        })?;
        Ok(Value::from(kernels).to_string())
    }
}

impl Prepared {
    fn execute(&self, py: Python<'_>, inputs: &[PyRef<'_, Tensor>]) -> PyResult<Run> {
        let Executable { binary, program } = self.executable.get();
        let inputs: Vec<_> = inputs.iter().map(|tensor| tensor.0.clone()).collect();
        let run = worker::run(py, |stop| {
            let mut device = (self.device.open)(binary, program, &self.options)?;
            let mut model = interruptible(&mut *device, stop);
            Ok(Run {
                outputs: self.runs.run(&mut model, program, inputs)?,
                kernels: model.take_kernel_runs().map(|kernels| kernels.to_json()),
            })
        })?;
        run.map_err(to_python)
    }
}

/// An error of opening a device, or of a run.
type Failure = Box<dyn Error + Send + Sync>;

fn to_python(failure: Failure) -> PyErr {
    ExecutionError::new_err(failure.to_string())
}

fn read(file: &[u8]) -> PyResult<Binary> {
    Binary::read(file).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn find_device(name: &str) -> PyResult<&'static DeviceInfo> {
    devices::from_name(name).ok_or_else(|| {
        let known = join_names(devices::ALL, "or");
        PyValueError::new_err(format!("unknown device '{name}'; expected {known}"))
    })
}

/// Converts options of a device, given as names and values.
fn read_options(
    device: &'static DeviceInfo,
    given: &[(String, String)],
) -> Result<Options, String> {
    let mut options = Options::default();
    for (name, value) in given {
        let option = device.options.iter().find(|option| option.name == *name);
        let option = option.ok_or_else(|| {
            let known: Vec<_> = device.options.iter().map(|option| option.name).collect();
            let known = known.join(", ");
            let device = device.name;
            format!("device '{device}' has no option '{name}'; known: {known}")
        })?;
        let accepted = match option.kind {
            OptionKind::Flag => "true".to_owned(),
            OptionKind::Number { least, most } => format!("a number from {least} to {most}"),
            OptionKind::Choice(choices) => {
                let words: Vec<_> = choices.iter().map(|choice| choice.name).collect();
                words.join(" or ")
            }
        };
        let value = match option.kind {
            OptionKind::Flag => (value == "true").then_some(OptionValue::Flag),
            OptionKind::Number { .. } => value.parse().ok().map(OptionValue::Number),
            OptionKind::Choice(choices) => {
                let index = choices.iter().position(|choice| choice.name == value);
                index.map(OptionValue::Choice)
            }
        };
        let is_set = value.is_some_and(|value| options.set(option, value).is_ok());
        if !is_set {
            return Err(format!("option '{name}' takes {accepted}"));
        }
    }
    Ok(options)
}

/// Returns the names of the programs of a file that can be run.
#[pyfunction]
pub fn program_names(file: &[u8]) -> PyResult<Vec<String>> {
    let binary = read(file)?;
    let programs = select_programs(&binary, None).map_err(PyValueError::new_err)?;
    Ok(programs
        .iter()
        .map(|program| program.name.clone())
        .collect())
}

/// Returns the names of the devices that model a chip that a file is compiled for, and of the
/// reference.
#[pyfunction]
pub fn device_names(file: &[u8]) -> PyResult<Vec<&'static str>> {
    let binary = read(file)?;
    let runs = |device: &&'static DeviceInfo| {
        let chip = device.chip.as_ref();
        chip.is_some_and(|model| {
            binary
                .system_desc
                .chips
                .iter()
                .any(|chip| (model.runs)(*chip))
        })
    };
    let models = devices::chips().into_iter().filter(runs);
    let names = models.map(|device| device.name);
    Ok(names.chain([devices::REFERENCE]).collect())
}

fn describe(program: &Program, ids: &[GlobalId]) -> Vec<Described> {
    let tensors = ids.iter().filter_map(|&id| program.tensor(id));
    let described = tensors.map(|tensor| {
        let data_type = tensor.data_type.to_string();
        (tensor.name.clone(), tensor.shape.clone(), data_type)
    });
    described.collect()
}
