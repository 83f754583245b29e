//! The compiler, as functions of the native module.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{json, Value};
use tessera_dialects::mlir::{self, crash, Diagnostic};
use tessera_passes::driver::compile as driver;
use tessera_passes::driver::compile::{CompileError, Compiled, Frontend, Request};
use tessera_passes::driver::options::{Kind, OptionInfo};
use tessera_passes::targets as registry;

use crate::errors::RejectedModule;
use crate::worker;

/// The result of `compile`.
#[pyclass(frozen, module = "tessera._native")]
pub struct CompiledModule(Compiled);

#[pymethods]
impl CompiledModule {
    /// The module in TTIR.
    #[getter]
    fn ttir(&self) -> &str {
        &self.0.ttir
    }

    /// The program file.
    #[getter]
    fn program<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.program)
    }

    /// Warnings and remarks as JSON.
    #[getter]
    fn diagnostics(&self) -> String {
        to_json(&self.0.diagnostics).to_string()
    }
}

/// Compiles a module of StableHLO or TTIR. Options are names and values of the target's pipeline,
/// `parameters` the indices of arguments that hold weights.
#[pyfunction]
pub fn compile(
    py: Python<'_>,
    text: &str,
    name: &str,
    is_stablehlo: bool,
    target: &str,
    options: Vec<(String, String)>,
    parameters: Vec<usize>,
) -> PyResult<CompiledModule> {
    let assignments = options.iter().map(|(name, value)| assignment(name, value));
    let request = Request {
        name: name.to_owned(),
        input: text.into(),
        frontend: match is_stablehlo {
            true => Frontend::StableHlo,
            false => Frontend::Ttir,
        },
        target: target.to_owned(),
        parameters,
        options: assignments.collect::<PyResult<Vec<_>>>()?.join(" "),
    };
    match worker::run(py, |stop| driver::compile(request, stop))? {
        Ok(compiled) => Ok(CompiledModule(compiled)),
        Err(CompileError::Module {
            diagnostics,
            rendered,
        }) => {
            let diagnostics = to_json(&diagnostics).to_string();
            Err(RejectedModule::new_err((rendered, diagnostics)))
        }
        Err(error) => Err(PyValueError::new_err(error.to_string())),
    }
}

/// Returns `name="value"`. The options' syntax has no escapes.
fn assignment(name: &str, value: &str) -> PyResult<String> {
    let quote = ['"', '\'']
        .into_iter()
        .find(|quote| !value.contains(*quote));
    let quote = quote.ok_or_else(|| {
        let message = format!("option '{name}': a value cannot contain both kinds of quotes");
        PyValueError::new_err(message)
    })?;
    Ok(format!("{name}={quote}{value}{quote}"))
}

/// Returns diagnostics as JSON: severity, place, message and notes of each.
fn to_json(diagnostics: &[Diagnostic]) -> Value {
    let all = diagnostics.iter().map(|diagnostic| {
        let place = diagnostic.place.as_ref();
        json!({
            "severity": diagnostic.severity.to_string(),
            "file": place.map(|place| &place.file),
            "line": place.map(|place| place.line),
            "column": place.map(|place| place.column),
            "message": diagnostic.message,
            "notes": to_json(&diagnostic.notes),
        })
    });
    all.collect()
}

/// Returns the names of all targets, the default first.
#[pyfunction]
pub fn targets() -> Vec<&'static str> {
    registry::NAMES.to_vec()
}

/// Returns the options of a target's pipeline: name, description, accepted values, default. The
/// accepted values are a list of words, or the name of a type.
#[pyfunction]
pub fn pipeline_options(target: &str) -> PyResult<String> {
    let pipeline = driver::pipeline_for(target);
    let pipeline = pipeline.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let all = pipeline.options.iter().map(|option: &OptionInfo| {
        let values = match option.kind {
            Kind::Bool => json!("bool"),
            Kind::Integer => json!("int"),
            Kind::Text => json!("str"),
            Kind::Choice(words) => json!(words),
        };
        json!({
            "name": option.name,
            "description": option.description,
            "values": values,
            "default": option.default,
        })
    });
    Ok(all.collect::<Value>().to_string())
}

/// Turns crashes of this process into an error text and exit code 1. For processes that only
/// compile.
#[pyfunction]
pub fn report_crashes() {
    crash::install();
}

/// Returns the version of LLVM and MLIR.
#[pyfunction]
pub fn llvm_version() -> &'static str {
    mlir::llvm_version()
}
