//! What `ttmlir-opt` does: parse, run passes, print; or compare diagnostics with those announced.

mod expected;
mod split;
mod watch;

use crate::driver::pipeline::{self, PipelineError};
use crate::pto::pto_allocate_memory_addr::MEMORY_OF;
use std::io::{self, Write};
use tessera_dialects::builtin;
use tessera_dialects::mlir::{
    crash, render, render_summary, Context, Diagnostic, Module, Pipeline, PrintOptions, Reason,
    Source, Step, Stopped,
};
use tessera_dialects::spelling;
pub use watch::Around;
use watch::Watch;

/// What to do with the input.
#[derive(Debug, Default)]
pub struct Options {
    /// Let operations of unknown dialects through.
    pub allow_unregistered_dialect: bool,
    /// Treat the parts between `// -----` lines as files of their own.
    pub split_input_file: bool,
    /// Compare the diagnostics with those announced in comments, instead of printing them.
    pub verify_diagnostics: bool,
    /// Verify the module after each pass.
    pub verify_each: bool,
    /// Print the IR to the error stream before these passes.
    pub print_ir_before: Around,
    /// Print the IR to the error stream after these passes.
    pub print_ir_after: Around,
    /// Print to the error stream how long each pass took.
    pub timing: bool,
    /// Print every remark, and not one for each kind.
    pub verbose: bool,
    /// Print MLIR's bytecode instead of text.
    pub emit_bytecode: bool,
    /// How to print text.
    pub print: PrintOptions,
}

/// The passes asked for.
#[derive(Clone, Debug)]
pub enum Passes {
    /// As pipeline text.
    Text(String),
    /// As names with options, run on the module.
    Flags(Vec<(String, String)>),
}

impl Passes {
    /// Makes the passes.
    ///
    /// # Errors
    /// The first that is unknown or does not fit.
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

/// Takes a pass out of a pipeline, wherever it stands.
pub fn leave_out(pipeline: &mut Pipeline, pass: &str) {
    pipeline
        .steps
        .retain(|step| !matches!(step, Step::Rust(found) if found.name() == pass));
    for step in &mut pipeline.steps {
        if let Step::Nested(nested) = step {
            leave_out(nested, pass);
        }
    }
}

/// Checks that the pipeline has the passes around which the IR is to be printed.
///
/// # Errors
/// The first name that no pass of it has.
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

/// The names of the passes of a pipeline, each once.
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

/// What became of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What to print: the modules that made it through.
    pub output: Vec<u8>,
    /// Whether all did; with `verify_diagnostics`, whether all that was announced was reported and
    /// nothing else.
    pub success: bool,
}

/// Where a run says what it does.
pub struct Reports<'r> {
    /// Takes messages and IR dumps.
    pub messages: &'r mut dyn Write,
    /// Told the name of each pass before it runs.
    pub progress: &'r dyn Fn(&str),
}

/// Runs the pipeline over an input read from `name`.
///
/// # Errors
/// Only if messages cannot be written.
pub fn run(
    options: &Options,
    pipeline: &Pipeline,
    name: &str,
    input: Vec<u8>,
    reports: &mut Reports,
) -> io::Result<Outcome> {
    if !options.split_input_file {
        return chunk(options, pipeline, name, input, reports);
    }
    let mut outputs = Vec::new();
    let mut success = true;
    for part in split::split(&input) {
        let outcome = chunk(options, pipeline, name, part.padded(), reports)?;
        outputs.extend(Some(outcome.output).filter(|output| !output.is_empty()));
        success &= outcome.success;
    }
    Ok(Outcome {
        output: outputs.join(&b"\n// -----\n"[..]),
        success,
    })
}

/// Runs the pipeline over one case, in a context of its own.
fn chunk(
    options: &Options,
    pipeline: &Pipeline,
    name: &str,
    input: Vec<u8>,
    reports: &mut Reports,
) -> io::Result<Outcome> {
    match Source::new(name, input) {
        Ok(source) => crash::guard_source("the compiler", &source, || {
            checked(options, pipeline, &source, reports)
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

/// Runs the pipeline and prints what it reports, or how that differs from what the input announces.
fn checked(
    options: &Options,
    pipeline: &Pipeline,
    source: &Source,
    reports: &mut Reports,
) -> io::Result<Outcome> {
    let context = Context::new();
    context.allow_unregistered_dialects(options.allow_unregistered_dialect);
    let mut watch = Watch::new(options, reports);
    let output = transform(options, pipeline, &context, source, &mut watch);
    watch.finish()?;
    let reported = context.diagnostics().take();
    let (success, text) = match (options.verify_diagnostics, options.verbose) {
        (true, _) => {
            let wrong = expected::check(source.name(), source.text(), &reported);
            (wrong.is_empty(), render(&wrong, source.text()))
        }
        (false, true) => (output.is_some(), render(&reported, source.text())),
        (false, false) => (output.is_some(), {
            let is_map = |message: &str| message.starts_with(MEMORY_OF);
            render_summary(&reported, source.text(), is_map)
        }),
    };
    reports.messages.write_all(text.as_bytes())?;
    Ok(Outcome {
        success,
        output: output.unwrap_or_default(),
    })
}

/// Returns the printed module, if it parses and all passes succeed.
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
        explain(context, stopped);
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

/// Says which pass is to blame, where the diagnostics do not.
fn explain(context: &Context, stopped: Stopped) {
    if stopped.reason == Reason::Invalid || context.diagnostics().errors() == 0 {
        context
            .diagnostics()
            .push(Diagnostic::error(stopped.to_string()));
    }
}
