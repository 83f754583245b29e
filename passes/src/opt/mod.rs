//! What `ttmlir-opt` does: parse, run passes, print; or compare diagnostics with those announced.

mod expected;
mod split;

use crate::pipeline::{self, PipelineError};
use std::io::{self, Write};
use tessera_dialects::mlir::{
    render, Context, Diagnostic, Module, Observer, Op, Pipeline, PrintOptions, Reason, Source,
    Step, Stopped,
};

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
    /// Print the IR to the error stream before each pass.
    pub print_ir_before_all: bool,
    /// Print the IR to the error stream after each pass.
    pub print_ir_after_all: bool,
    /// How to print.
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
                let mut made = Pipeline::new("builtin.module");
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

/// What became of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What to print: the modules that made it through.
    pub output: String,
    /// Whether all did; with `verify_diagnostics`, whether all that was announced was reported and nothing else.
    pub success: bool,
}

/// Runs the pipeline over a text read from `name`; messages and IR dumps go to `messages`.
///
/// # Errors
/// Only if `messages` cannot be written.
pub fn run(
    options: &Options,
    pipeline: &Pipeline,
    name: &str,
    text: Vec<u8>,
    messages: &mut dyn Write,
) -> io::Result<Outcome> {
    if !options.split_input_file {
        return chunk(options, pipeline, name, text, messages);
    }
    let mut outputs = Vec::new();
    let mut success = true;
    for part in split::split(&text) {
        let outcome = chunk(options, pipeline, name, part.padded(), messages)?;
        outputs.extend(Some(outcome.output).filter(|output| !output.is_empty()));
        success &= outcome.success;
    }
    Ok(Outcome {
        output: outputs.join("\n// -----\n"),
        success,
    })
}

/// Runs the pipeline over one case, in a context of its own.
fn chunk(
    options: &Options,
    pipeline: &Pipeline,
    name: &str,
    text: Vec<u8>,
    messages: &mut dyn Write,
) -> io::Result<Outcome> {
    let context = Context::new();
    context.allow_unregistered_dialects(options.allow_unregistered_dialect);
    let source = match Source::new(name, text) {
        Ok(source) => source,
        Err(diagnostic) => {
            messages.write_all(diagnostic.render("").as_bytes())?;
            return Ok(Outcome {
                output: String::new(),
                success: false,
            });
        }
    };
    let (output, dumps) = transform(options, pipeline, &context, &source);
    messages.write_all(dumps.as_bytes())?;
    let reported = context.diagnostics().take();
    if options.verify_diagnostics {
        let wrong = expected::check(name, source.text(), &reported);
        messages.write_all(render(&wrong, source.text()).as_bytes())?;
        return Ok(Outcome {
            output: output.unwrap_or_default(),
            success: wrong.is_empty(),
        });
    }
    messages.write_all(render(&reported, source.text()).as_bytes())?;
    Ok(Outcome {
        success: output.is_some(),
        output: output.unwrap_or_default(),
    })
}

/// The printed module, if it parses and all passes succeed, and the IR dumps asked for.
fn transform(
    options: &Options,
    pipeline: &Pipeline,
    context: &Context,
    source: &Source,
) -> (Option<String>, String) {
    let mut dumper = Dumper {
        options,
        text: String::new(),
    };
    let Ok(mut module) = Module::parse(context, source) else {
        return (None, dumper.text);
    };
    let result = pipeline.run(&mut module, options.verify_each, &mut dumper);
    let output = match result {
        Ok(()) => Some(format!("{}\n", module.op().print(options.print))),
        Err(stopped) => {
            explain(context, stopped);
            None
        }
    };
    (output, dumper.text)
}

/// Says which pass is to blame, where the diagnostics do not.
fn explain(context: &Context, stopped: Stopped) {
    if stopped.reason == Reason::Invalid || context.diagnostics().errors() == 0 {
        context
            .diagnostics()
            .push(Diagnostic::error(stopped.to_string()));
    }
}

/// Collects the IR around passes.
struct Dumper<'o> {
    options: &'o Options,
    text: String,
}

impl Dumper<'_> {
    fn dump(&mut self, when: &str, pass: &str, op: Op) {
        let ir = op.print(self.options.print);
        self.text.push_str(&format!(
            "// -----// IR Dump {when} {pass} //----- //\n{ir}\n\n"
        ));
    }
}

impl Observer for Dumper<'_> {
    fn before(&mut self, pass: &str, op: Op) {
        if self.options.print_ir_before_all {
            self.dump("Before", pass, op);
        }
    }

    fn after(&mut self, pass: &str, op: Op) {
        if self.options.print_ir_after_all {
            self.dump("After", pass, op);
        }
    }
}
