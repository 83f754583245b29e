//! Compiles a module to a program file in memory: parses, runs a front-end and a target pipeline,
//! and translates the result.
//!
//! This is the path of `ttmlir-opt` followed by `ttmlir-translate --ttnn-to-flatbuffer`, in one
//! context and without the text between them. Diagnostics are returned as values.

mod parameters;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::driver::opt::{report_failed_pass, Passes};
use crate::driver::pipeline::PipelineError;
use crate::driver::registry::{self, PipelineInfo};
use crate::stablehlo::stablehlo_to_ttir_pipeline::STABLEHLO_TO_TTIR;
use crate::targets;
use crate::ttnn::ttnn_to_flatbuffer;
use tessera_dialects::mlir::{
    crash, render, Context, Diagnostic, Module, Observer, Pipeline, PrintOptions, Source,
    SourceText,
};
use tessera_dialects::spelling;

/// The dialect in which a module is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frontend {
    /// TTIR.
    Ttir,
    /// StableHLO in MLIR's generic form.
    StableHlo,
}

/// A module to compile.
#[derive(Clone, Debug)]
pub struct Request {
    /// The name of the module's file in diagnostics.
    pub name: String,
    /// Its text or bytecode.
    pub input: Vec<u8>,
    /// The dialect of its operations.
    pub frontend: Frontend,
    /// The name of the target.
    pub target: String,
    /// The indices of the arguments of public functions that hold weights.
    pub parameters: Vec<usize>,
    /// Options of the target's pipeline, in the text form `a=b c="d"`.
    pub options: String,
}

/// A compiled module.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The module in TTIR, with locations.
    pub ttir: String,
    /// The program file.
    pub program: Vec<u8>,
    /// Warnings and remarks.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a module is not compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// There is no such target.
    #[error(
        "unknown target '{name}'{}; known: {}",
        spelling::suggestion(name, targets::NAMES.iter().copied()),
        targets::NAMES.join(", ")
    )]
    Target {
        /// The name given.
        name: String,
    },
    /// The options are not those of the target's pipeline.
    #[error(transparent)]
    Options(#[from] PipelineError),
    /// The module was rejected.
    #[error("the module cannot be compiled")]
    Module {
        /// All diagnostics, at least one of which is an error.
        diagnostics: Vec<Diagnostic>,
        /// The diagnostics with lines of the module's text.
        rendered: String,
    },
    /// The caller stopped the compilation.
    #[error("the compilation was interrupted")]
    Interrupted,
}

/// Returns the pipeline that compiles TTIR for a target.
///
/// # Errors
/// [`CompileError::Target`] if there is no such target.
pub fn pipeline_for(target: &str) -> Result<&'static PipelineInfo, CompileError> {
    let known = targets::from_name(target);
    let pipeline = known.and_then(|target| {
        let name = format!("ttir-to-{}-pipeline", target.name());
        registry::pipeline(&name)
    });
    pipeline.ok_or_else(|| CompileError::Target {
        name: target.to_owned(),
    })
}

/// Compiles a module. The compilation ends before the next pass when `stop` is set.
///
/// # Errors
/// The target or its options are unknown, the module is rejected, or `stop` was set.
pub fn compile(request: Request, stop: &AtomicBool) -> Result<Compiled, CompileError> {
    let backend = build(pipeline_for(&request.target)?.name, &request.options)?;
    let frontend = match request.frontend {
        Frontend::Ttir => None,
        Frontend::StableHlo => Some(build(STABLEHLO_TO_TTIR.name, "")?),
    };
    let source =
        Source::new(&request.name, request.input).map_err(|error| rejected(vec![error], ""))?;
    crash::guard_source("the compiler", &source, || {
        let context = Context::new();
        // StableHLO is not a registered dialect; the pass that converts it verifies it.
        context.allow_unregistered_dialects(frontend.is_some());
        let pipelines = (frontend.as_ref(), &backend);
        let compiled = translate(&context, &source, &request.parameters, pipelines, stop);
        let diagnostics = context.diagnostics().drain();
        match compiled {
            Some((ttir, program)) => Ok(Compiled {
                ttir,
                program,
                diagnostics,
            }),
            None if stop.load(Ordering::Relaxed) => Err(CompileError::Interrupted),
            None => Err(rejected(diagnostics, &source)),
        }
    })
}

fn build(pipeline: &str, options: &str) -> Result<Pipeline, PipelineError> {
    Passes::Flags(vec![(pipeline.into(), options.into())]).build()
}

fn rejected<'t>(diagnostics: Vec<Diagnostic>, source: impl Into<SourceText<'t>>) -> CompileError {
    let rendered = render(&diagnostics, source);
    CompileError::Module {
        diagnostics,
        rendered,
    }
}

/// Returns the TTIR and the program file, or `None` after reporting an error.
fn translate(
    context: &Context,
    source: &Source,
    parameters: &[usize],
    (frontend, backend): (Option<&Pipeline>, &Pipeline),
    stop: &AtomicBool,
) -> Option<(String, Vec<u8>)> {
    let mut module = Module::parse(context, source).ok()?;
    let marked = module.edit(|op, rewriter| parameters::mark(op, parameters, rewriter));
    marked.ok()?;
    let ttir = match frontend {
        Some(frontend) => {
            run(frontend, &mut module, stop)?;
            format!("{}\n", module.op().print(WITH_LOCATIONS))
        }
        None => source.text().to_owned(),
    };
    run(backend, &mut module, stop)?;
    let name = source.name();
    let translated = ttnn_to_flatbuffer::translate(context, module.op(), name, &|_| {});
    let (binary, _) = translated.ok()?;
    match ttnn_to_flatbuffer::encode(&binary) {
        Ok(program) => Some((ttir, program)),
        Err(error) => {
            let message = format!("{error}: {}", error.0);
            context.diagnostics().push(Diagnostic::error(message));
            None
        }
    }
}

/// An observer that interrupts a pipeline when a flag is set.
struct UntilSet<'a>(&'a AtomicBool);

impl Observer for UntilSet<'_> {
    fn is_interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs a pipeline; reports an error and returns `None` if it fails.
fn run(pipeline: &Pipeline, module: &mut Module, stop: &AtomicBool) -> Option<()> {
    let stopped = pipeline.run(module, true, &mut UntilSet(stop)).err();
    stopped.map_or(Some(()), |stopped| {
        report_failed_pass(module.context(), stopped);
        None
    })
}

/// How TTIR is printed.
const WITH_LOCATIONS: PrintOptions = PrintOptions {
    debug_info: true,
    local_scope: false,
    generic: false,
    elide_larger: None,
    verified: true,
};

#[cfg(test)]
mod tests;
