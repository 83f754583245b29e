//! `ttrt run`.

use std::io::{self, Write};
use std::iter;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{bail, Context, Result};
use clap::ValueEnum;
use tessera_cli::Progress;
use tessera_program::{Binary, Linked, Program};
use tessera_reference::npy::{self, Bf16Form};
use tessera_reference::Tensor;
use tessera_runtime::{devices, join_names, run_linked, select_programs};
use tessera_runtime::{DeviceInfo, Golden, Outcome, Source};

use crate::devices::{device, on_chips, trace_help, DeviceOptions};
use crate::progress_device::with_progress;
use crate::report::{self, Report};
use crate::{files, print, Verdict};

/// Runs the programs of a file on a device, one after another.
#[derive(clap::Args)]
pub struct Arguments {
    /// The program file; one file, not a directory; `-` for the standard input.
    file: PathBuf,
    /// The device to run on.
    #[arg(long, default_value = devices::DEFAULT.name, value_parser = device())]
    device: &'static DeviceInfo,
    /// The name of a program; by default all programs of the file are run.
    #[arg(long)]
    program: Option<String>,
    /// An input, as a .npy file, once for each input of the programs in order; `-` for the standard
    /// input: float32 for bf16 and f32 tensors, else the tensor's own type. Without any, inputs are
    /// generated; see --init.
    #[arg(long = "input", value_name = "FILE.npy", conflicts_with_all = ["init", "seed"])]
    inputs: Vec<PathBuf>,
    /// The elements of generated inputs.
    #[arg(long, value_enum, default_value_t = Init::Randn)]
    init: Init,
    /// Seed of random inputs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The .npy file to write an output to, once for each output in order; `-` for the standard
    /// output, which moves all messages to the standard error. Without any, the first elements are
    /// printed.
    #[arg(short, long = "output", value_name = "FILE.npy")]
    outputs: Vec<PathBuf>,
    /// Represent bf16 tensors in .npy files by their bits as uint16, instead of float32.
    #[arg(long)]
    raw_bits: bool,
    /// Compare every operation with the reference and fail if one exceeds its error bound.
    #[arg(long)]
    golden: bool,
    #[arg(long, help = on_chips("print the executed instructions and modelled cycles of each \
                                 kernel"))]
    stats: bool,
    #[command(flatten)]
    device_options: DeviceOptions,
    /// Write a report of the run to this file, as JSON; `-` for the standard output.
    #[arg(long, value_name = "FILE.json")]
    result_file: Option<PathBuf>,
    #[arg(long, value_name = "FILE.json", help = trace_help())]
    trace: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Init {
    /// Normally distributed, or uniformly distributed where an operation's domain requires it;
    /// integers from 0 to 99.
    Randn,
    /// 0, 1, 2, …
    Arange,
    /// 0.
    Zeros,
    /// 1.
    Ones,
}

/// Runs the command. Returns the verdict of the comparison with the reference.
pub fn run(arguments: &Arguments) -> Result<Verdict> {
    let result = execute(arguments);
    if let Some(path) = &arguments.result_file {
        let json = match &result {
            Ok(reports) => report::to_json(reports),
            Err(error) => serde_json::json!({ "result": "error", "message": format!("{error:#}") }),
        };
        files::write(path, format!("{json:#}\n"))?;
    }
    Ok(report::verdict(&result?))
}

/// Runs the programs and reports each.
fn execute(arguments: &Arguments) -> Result<Vec<Report>> {
    let (file, binary) = files::read_binary(&arguments.file)?;
    let programs = select_programs(&binary, arguments.program.as_deref())
        .map_err(anyhow::Error::msg)
        .with_context(|| file.clone())?;
    check_counts(arguments, &programs)?;
    let mut reports = Vec::new();
    let (mut inputs, mut outputs) = (&arguments.inputs[..], &arguments.outputs[..]);
    for program in &programs {
        let of_program;
        (of_program, inputs) = inputs.split_at(program.inputs.len().min(inputs.len()));
        let linked = binary.link(program);
        let tensors = arguments.inputs(&linked, of_program)?;
        let of_program;
        (of_program, outputs) = outputs.split_at(program.outputs.len().min(outputs.len()));
        let report = execute_one(arguments, (&file, &binary), &linked, tensors)?;
        for (path, output) in of_program.iter().zip(&report.outcome.outputs) {
            files::write(path, npy::write(output, arguments.bf16_form()))?;
        }
        let report = Report {
            output_files: of_program.to_vec(),
            ..report
        };
        if programs.len() > 1 {
            arguments.print_message(&format!("program '{}':\n", program.name))?;
        }
        arguments.print_message(&report.text(arguments.stats))?;
        if let Some(failure) = report.failure() {
            tessera_cli::print_message(format_args!("error: {failure}"));
        }
        reports.push(report);
    }
    if let Some(path) = &arguments.trace {
        let out = files::create(path)?;
        let written = write_trace(arguments.device, &binary, &reports, out);
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(reports)
}

/// Writes the timeline of all kernels that ran.
fn write_trace(
    device: &DeviceInfo,
    binary: &Binary,
    reports: &[Report],
    mut out: impl Write,
) -> io::Result<()> {
    let kernels = reports.iter().flat_map(Report::kernels);
    match &device.chip {
        Some(model) => (model.write_trace)(binary, &kernels.collect::<Vec<_>>(), &mut out),
        None => Ok(()),
    }
}

/// Checks that there are as many files as the programs have inputs and outputs, if there are any.
fn check_counts(arguments: &Arguments, programs: &[&Program]) -> Result<()> {
    let count = |of: fn(&Program) -> usize| programs.iter().map(|program| of(program)).sum();
    let (inputs, outputs): (usize, usize) = (
        count(|program| program.inputs.len()),
        count(|program| program.outputs.len()),
    );
    let (takes, has) = match programs {
        [Program { name, .. }] => (
            format!("program '{name}' takes {inputs} inputs"),
            format!("program '{name}' has {outputs} outputs"),
        ),
        _ => (
            format!("the programs of the file take {inputs} inputs together"),
            format!("the programs of the file have {outputs} outputs together"),
        ),
    };
    let given = arguments.outputs.len();
    if given != 0 && given != outputs {
        bail!("{has}, but {given} files were given with --output");
    }
    let given = arguments.inputs.len();
    if given != 0 && given != inputs {
        bail!(
            "{takes}, but {given} files were given with --input; ttrt read --section inputs lists \
             them"
        );
    }
    Ok(())
}

/// Runs one program.
fn execute_one(
    arguments: &Arguments,
    (file, binary): (&str, &Binary),
    program: &Linked<'_>,
    inputs: Vec<Tensor>,
) -> Result<Report> {
    let mut golden = arguments.golden.then(|| Golden::new(program));
    let started = Instant::now();
    let outcome = arguments
        .run_on_device(binary, program, inputs, golden.as_mut())
        .with_context(|| file.to_owned())?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(Report {
        file: file.to_owned(),
        program: program.name.clone(),
        device: arguments.device.name,
        seconds,
        outcome,
        output_files: Vec::new(),
        golden: golden.map(|golden| golden.reports().to_vec()),
    })
}

impl Arguments {
    /// Returns the diagnostic for invalid combinations of options: an option that the device does
    /// not accept, or a stream used twice.
    pub fn find_conflict(&self) -> Option<String> {
        self.without_chip()
            .or_else(|| self.streams_used_twice().map(str::to_owned))
            .or_else(|| self.device_options.find_unsupported(self.device))
    }

    /// Returns the diagnostic for an option of chip models on a device that is none.
    fn without_chip(&self) -> Option<String> {
        let (option, more) = match (self.stats, &self.trace) {
            _ if self.device.chip.is_some() => return None,
            (true, _) => ("--stats", ""),
            (false, Some(_)) => ("--trace", ", which have a time line"),
            (false, None) => return None,
        };
        let chips = join_names(&devices::chips(), "or");
        Some(format!("{option} is for --device {chips}{more}"))
    }

    /// Returns the diagnostic for a standard stream that is used for several files.
    fn streams_used_twice(&self) -> Option<&'static str> {
        let is_stream = |path: &&PathBuf| files::is_stream(path);
        let read = iter::once(&self.file).chain(&self.inputs);
        let written = [
            self.outputs.iter().find(is_stream),
            self.result_file.iter().find(is_stream),
            self.trace.iter().find(is_stream),
        ];
        if read.filter(is_stream).count() > 1 {
            Some("the standard input can be read once: give '-' for the program or for one input")
        } else if written.into_iter().flatten().count() > 1 {
            Some(
                "the standard output can hold one kind of file: \
                 give '-' to one of --output, --result-file and --trace",
            )
        } else {
            None
        }
    }

    /// Returns whether a file is written to the standard output.
    fn writes_to_stdout(&self) -> bool {
        let mut files = self
            .outputs
            .iter()
            .chain(&self.result_file)
            .chain(&self.trace);
        files.any(|path| files::is_stream(path))
    }

    /// Prints a message: to the standard output, unless a file is written there.
    fn print_message(&self, text: &str) -> Result<()> {
        if !self.writes_to_stdout() {
            return print(text);
        }
        tessera_cli::print_message(format_args!("{text}"));
        Ok(())
    }

    fn bf16_form(&self) -> Bf16Form {
        if self.raw_bits {
            Bf16Form::Bits
        } else {
            Bf16Form::Values
        }
    }

    /// An input, as a .npy file, once for each input of the programs in order; `-` for the standard
    /// input: float32 for bf16 and f32 tensors, else the tensor's own type. Without any, inputs are
    /// generated; see --init.
    fn inputs(&self, program: &Program, files: &[PathBuf]) -> Result<Vec<Tensor>> {
        let descs = program.inputs.iter().filter_map(|&id| program.tensor(id));
        if self.inputs.is_empty() {
            let init = match self.init {
                Init::Randn => tessera_runtime::Init::Randn,
                Init::Arange => tessera_runtime::Init::Arange,
                Init::Zeros => tessera_runtime::Init::Zeros,
                Init::Ones => tessera_runtime::Init::Ones,
            };
            return Ok(Source::new(init, self.seed).inputs(program)?);
        }
        let mut rounded = 0;
        let mut inputs = Vec::new();
        for (path, desc) in files.iter().zip(descs) {
            let (name, bytes) = files::read(path)?;
            let loaded = npy::read_shaped(&bytes, desc.data_type, &desc.shape, self.bf16_form())
                .with_context(|| name)?;
            rounded += loaded.rounded;
            inputs.push(loaded.tensor);
        }
        if rounded > 0 {
            tessera_cli::print_message(format_args!(
                "warning: {rounded} input elements were rounded to bf16"
            ));
        }
        Ok(inputs)
    }

    /// Runs a program; returns its outputs and the kernels that ran.
    fn run_on_device(
        &self,
        binary: &Binary,
        program: &Linked<'_>,
        inputs: Vec<Tensor>,
        golden: Option<&mut Golden<'_>>,
    ) -> Result<Outcome> {
        let mut options = self.device_options.to_options()?;
        options.is_traced = self.trace.is_some();
        let mut device = (self.device.open)(binary, program, &options)?;
        let progress = Progress::start(Some(program.operations.len() as u64));
        let mut watched = with_progress(&mut *device, &progress, golden.is_some());
        Ok(run_linked(&mut watched, program, inputs, golden)?)
    }
}
