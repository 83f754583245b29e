//! The driver of `ttmlir-opt`: parses, runs passes and prints, or verifies expected diagnostics.

mod expected;
mod split;
mod watch;

use crate::driver::pipeline::{self, PipelineError};
use crate::pto::pto_allocate_memory_addr::MEMORY_OF;
use crate::stablehlo::convert_stablehlo_to_ttir;
use std::io::{self, Write};
use tessera_dialects::builtin;
use tessera_dialects::mlir::{
    crash, render, render_summary, Context, Diagnostic, Module, Pipeline, PrintOptions, Reason,
    Source, Step, Stopped,
};
use tessera_dialects::spelling;
pub use watch::PassFilter;
use watch::Watch;

/// Options of a run.
#[derive(Debug, Default)]
pub struct Options {
    /// Accept operations of unregistered dialects.
    pub allow_unregistered_dialect: bool,
    /// Process the parts between `// -----` lines as separate files.
    pub split_input_file: bool,
    /// Compare the diagnostics with `expected-*` comments instead of printing them.
    pub verify_diagnostics: bool,
    /// Verify the module after each pass.
    pub verify_each: bool,
    /// Print the IR to the error stream before these passes.
    pub print_ir_before: PassFilter,
    /// Print the IR to the error stream after these passes.
    pub print_ir_after: PassFilter,
    /// Print to the error stream how long each pass took.
    pub timing: bool,
    /// Print every remark instead of one for each kind.
    pub verbose: bool,
    /// Emit MLIR bytecode instead of text.
    pub emit_bytecode: bool,
    /// How to print the IR as text.
    pub print: PrintOptions,
}

/// The requested passes.
#[derive(Clone, Debug)]
pub enum Passes {
    /// As pipeline text.
    Text(String),
    /// As names with options, run on the module.
    Flags(Vec<(String, String)>),
}

impl Passes {
    /// Builds the pass pipeline.
    ///
    /// # Errors
    /// The first pass that is unknown or runs on another operation.
    pub fn build(&self) -> Result<Pipeline, PipelineError> {
        let context = Context::new();
        match self {
            Passes::Text(text) => pipeline::parse(&context, text),
            Passes::Flags(flags) => {
                let mut made = Pipeline::new(builtin::ModuleOp::NAME);
                for (name, options) in flags {
                    pipeline::append(&context, &mut made, name, options)?;
                }
                Ok(made)
            }
        }
    }
}

/// Removes all occurrences of a pass from a pipeline and its nested pipelines.
pub fn remove_pass(pipeline: &mut Pipeline, pass: &str) {
    pipeline
        .steps
        .retain(|step| !matches!(step, Step::Rust(found) if found.name() == pass));
    for step in &mut pipeline.steps {
        if let Step::Nested(nested) = step {
            remove_pass(nested, pass);
        }
    }
}

/// Checks that the pipeline contains the passes around which the IR is to be printed.
///
/// # Errors
/// The first name that no pass of the pipeline has.
pub fn check_names(options: &Options, pipeline: &Pipeline) -> Result<(), String> {
    let mut names = Vec::new();
    pass_names(pipeline, &mut names);
    let before = options.print_ir_before.passes.iter();
    let asked = before.chain(&options.print_ir_after.passes);
    match asked
        .into_iter()
        .find(|name| !names.contains(&name.as_str()))
    {
        None => Ok(()),
        Some(name) => Err(format!(
            "the pipeline has no pass '{name}'{}; it has {}",
            spelling::suggestion(name, names.iter().copied()),
            if names.is_empty() {
                "none".into()
            } else {
                names.join(", ")
            }
        )),
    }
}

/// Collects the names of the passes of a pipeline without duplicates.
fn pass_names<'p>(pipeline: &'p Pipeline, names: &mut Vec<&'p str>) {
    for step in &pipeline.steps {
        let name = match step {
            Step::Rust(pass) => pass.name(),
            Step::Upstream(pass) => pass.name(),
            Step::Nested(nested) => {
                pass_names(nested, names);
                continue;
            }
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The printed modules of the chunks that succeeded.
    pub output: Vec<u8>,
    /// Whether all chunks succeeded; with `verify_diagnostics`, whether the reported diagnostics
    /// are exactly the expected ones.
    pub success: bool,
}

/// Receivers of messages and progress.
pub struct Reports<'r> {
    /// Receives messages and IR dumps.
    pub messages: &'r mut dyn Write,
    /// Called with the name of each pass before it runs.
    pub progress: &'r dyn Fn(&str),
}

/// Runs the pipeline on an input, chunk by chunk if it is split. `name` is the file name for
/// diagnostics.
///
/// # Errors
/// Messages cannot be written.
pub fn run(
    options: &Options,
    pipeline: &Pipeline,
    name: &str,
    input: Vec<u8>,
    reports: &mut Reports,
) -> io::Result<Outcome> {
    if !options.split_input_file {
        return run_chunk(options, pipeline, name, input, reports);
    }
    let mut outputs = Vec::new();
    let mut success = true;
    for part in split::split(&input) {
        let outcome = run_chunk(options, pipeline, name, part.padded(), reports)?;
        outputs.extend(Some(outcome.output).filter(|output| !output.is_empty()));
        success &= outcome.success;
    }
    Ok(Outcome {
        output: outputs.join(&b"\n// -----\n"[..]),
        success,
    })
}

/// Runs the pipeline on one chunk, in a context of its own.
fn run_chunk(
    options: &Options,
    pipeline: &Pipeline,
    name: &str,
    input: Vec<u8>,
    reports: &mut Reports,
) -> io::Result<Outcome> {
    match Source::new(name, input) {
        Ok(source) => crash::guard_source("the compiler", &source, || {
            run_and_report(options, pipeline, &source, reports)
        }),
        Err(diagnostic) => {
            reports
                .messages
                .write_all(diagnostic.render("").as_bytes())?;
            Ok(Outcome {
                output: Vec::new(),
                success: false,
            })
        }
    }
}

/// Runs the pipeline and prints the diagnostics, or their differences from the expected ones.
fn run_and_report(
    options: &Options,
    pipeline: &Pipeline,
    source: &Source,
    reports: &mut Reports,
) -> io::Result<Outcome> {
    let context = Context::new();
    // StableHLO is not a registered dialect; the pass that converts it verifies it.
    let mut names = Vec::new();
    pass_names(pipeline, &mut names);
    let reads_stablehlo = names.contains(&convert_stablehlo_to_ttir::INFO.name);
    context.allow_unregistered_dialects(options.allow_unregistered_dialect || reads_stablehlo);
    let mut watch = Watch::new(options, reports);
    let output = transform(options, pipeline, &context, source, &mut watch);
    watch.finish()?;
    let reported = context.diagnostics().drain();
    let (success, text) = match (options.verify_diagnostics, options.verbose) {
        (true, _) => {
            let wrong = expected::check(source.name(), source.text(), &reported);
            (wrong.is_empty(), render(&wrong, source))
        }
        (false, true) => (output.is_some(), render(&reported, source)),
        (false, false) => (output.is_some(), {
            let is_map = |message: &str| message.starts_with(MEMORY_OF);
            render_summary(&reported, source, is_map)
        }),
    };
    reports.messages.write_all(text.as_bytes())?;
    Ok(Outcome {
        success,
        output: output.unwrap_or_default(),
    })
}

/// Returns the printed module; `None` if parsing or a pass fails.
fn transform(
    options: &Options,
    pipeline: &Pipeline,
    context: &Context,
    source: &Source,
    watch: &mut Watch,
) -> Option<Vec<u8>> {
    let parsed = watch.phase("(parser)", || Module::parse(context, source));
    let mut module = parsed.ok()?;
    if let Err(stopped) = pipeline.run(&mut module, options.verify_each, watch) {
        report_failed_pass(context, stopped);
        return None;
    }
    Some(watch.phase("(printer)", || match options.emit_bytecode {
        true => module.op().bytecode(),
        false => {
            let options = PrintOptions {
                verified: options.verify_each,
                ..options.print
            };
            format!("{}\n", module.op().print(options)).into_bytes()
        }
    }))
}

/// Reports which pass failed, if no diagnostic says so.
pub(crate) fn report_failed_pass(context: &Context, stopped: Stopped) {
    if stopped.reason == Reason::Invalid || context.diagnostics().errors() == 0 {
        context
            .diagnostics()
            .push(Diagnostic::error(stopped.to_string()));
    }
}
