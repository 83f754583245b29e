//! `ttrt run`.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{bail, Context, Result};
use clap::ValueEnum;
use tessera_cli::Progress;
use tessera_program::{Binary, Program};
use tessera_reference::npy::{self, Bf16Form};
use tessera_reference::Tensor;
use tessera_runtime::devices::interpreter::InterpreterDevice;
use tessera_runtime::devices::mncore::{self, MncoreDevice, MncoreOptions};
use tessera_runtime::devices::reference::ReferenceDevice;
use tessera_runtime::devices::tensix::{self, TensixDevice, TensixOptions};
use tessera_runtime::{run as run_program, select_programs, Golden, Source};

use crate::report::{self, Kernels, Report};
use crate::watched::Watched;
use crate::{files, print, Verdict};

/// Runs the programs of a file on a device, one after the other.
#[derive(clap::Args)]
pub struct Arguments {
    /// The program file; one file, not a directory; `-` for the standard input.
    file: PathBuf,
    /// What runs it.
    #[arg(long, value_enum, default_value_t = Device::Tensix)]
    device: Device,
    /// The program to run, if not all of the file.
    #[arg(long)]
    program: Option<String>,
    /// An input, as a .npy file, once for each input of the programs in order; `-` for the standard
    /// input: float32 for bf16 and f32 tensors, else the tensor's own type. Without any, inputs are
    /// made up; see --init.
    #[arg(long = "input", value_name = "FILE.npy", conflicts_with_all = ["init", "seed"])]
    inputs: Vec<PathBuf>,
    /// What inputs are made up of.
    #[arg(long, value_enum, default_value_t = Init::Randn)]
    init: Init,
    /// Seed of random inputs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where an output goes, as a .npy file, once for each output in order; `-` for the standard
    /// output, and everything else goes to the standard error then. Without, the first elements are
    /// printed.
    #[arg(short, long = "output", value_name = "FILE.npy")]
    outputs: Vec<PathBuf>,
    /// bf16 tensors are their bits in uint16 in .npy files, instead of float32.
    #[arg(long)]
    raw_bits: bool,
    /// Compare every operation with the reference and fail if one exceeds its error bound.
    #[arg(long)]
    golden: bool,
    /// On tensix and mncore: print how many instructions the kernels executed, and modelled cycles.
    #[arg(long)]
    stats: bool,
    /// On tensix and interpreter: seed of the order in which threads and units, or kernels of a group, advance; a correct kernel
    /// gives the same for each.
    #[arg(long)]
    schedule_seed: Option<u64>,
    /// On tensix: seed of the order in which memory requests of RISC-V cores happen, where that is not that of the program;
    /// a correct kernel gives the same for each.
    #[arg(long)]
    order_seed: Option<u64>,
    /// On tensix: how many tiles at most share the work of a kernel.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    workers: Option<u32>,
    /// On tensix: fill results with 0x7f7f before a kernel writes them, so that what it does not write shows.
    #[arg(long)]
    padding_canaries: bool,
    /// On mncore: how kernels are executed [default: fast]; the results are the same.
    #[arg(long, value_enum)]
    model: Option<Model>,
    /// On tensix and mncore: on how many threads of the host to run; as many as it has cores without it. Results do not depend on it.
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZero<usize>>,
    /// On mncore: what to do where the manual does not determine a result [default: trap].
    #[arg(long, value_enum, value_name = "WHAT")]
    undetermined: Option<Undetermined>,
    /// The most that a kernel may execute: on mncore steps, on tensix instructions of each core, on
    /// interpreter operations.
    #[arg(long, value_name = "COUNT")]
    limit_steps: Option<u64>,
    /// On mncore: fill the memories on the chip with 1e9 before a kernel, so that what it reads without having written it shows.
    #[arg(long)]
    memory_canaries: bool,
    /// Write what happened to this file, as JSON; `-` for the standard output.
    #[arg(long, value_name = "FILE.json")]
    result_file: Option<PathBuf>,
    /// On tensix and mncore: write what the units of the chip did when to this file, as JSON for
    /// Perfetto; on tensix, those of the tiles that do the first share of the work.
    #[arg(long, value_name = "FILE.json")]
    trace: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Device {
    /// Evaluates the operations in f64, one rounding each.
    Reference,
    /// Runs the kernels over tiles, before they are made for a chip.
    Interpreter,
    /// Runs the kernels on the Tensix model.
    Tensix,
    /// Runs the kernels on the model of MN-Core 2.
    Mncore,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Every instruction is complete before the next.
    Fast,
    /// The same, and reads of what would not have arrived yet trap.
    Timed,
    /// The manual's pseudo-code as it stands: slow.
    Reference,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Undetermined {
    /// Stop.
    Trap,
    /// Take the documented result; --stats tells.
    Mark,
}

#[derive(Clone, Copy, ValueEnum)]
enum Init {
    /// Normally distributed, or uniformly where an operation would leave its domain otherwise;
    /// integers from 0 to 99.
    Randn,
    /// 0, 1, 2, …
    Arange,
    /// 0.
    Zeros,
    /// 1.
    Ones,
}

/// Runs what the arguments say; the verdict is that of the comparison with the reference.
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

/// Runs the programs, and tells of each when it has come to its end.
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
        let tensors = arguments.inputs(program, of_program)?;
        let of_program;
        (of_program, outputs) = outputs.split_at(program.outputs.len().min(outputs.len()));
        let report = execute_one(arguments, (&file, &binary), program, tensors)?;
        for (path, output) in of_program.iter().zip(&report.outputs) {
            files::write(path, npy::write(output, arguments.bf16_form()))?;
        }
        let report = Report {
            output_files: of_program.to_vec(),
            ..report
        };
        if programs.len() > 1 {
            arguments.tell(&format!("program '{}':\n", program.name))?;
        }
        arguments.tell(&report.text(arguments.stats))?;
        if let Some(failure) = report.failure() {
            tessera_cli::tell(format_args!("error: {failure}"));
        }
        reports.push(report);
    }
    if let Some(path) = &arguments.trace {
        let written = write_trace(&binary, &reports, files::create(path)?);
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(reports)
}

/// Writes the time line of all kernels that ran.
fn write_trace(binary: &Binary, reports: &[Report], out: impl Write) -> io::Result<()> {
    let (mut on_tensix, mut on_mncore) = (Vec::new(), Vec::new());
    for report in reports {
        match &report.kernels {
            Kernels::None => {}
            Kernels::Tensix(runs) => on_tensix.extend_from_slice(runs),
            Kernels::Mncore(runs) => on_mncore.extend_from_slice(runs),
        }
    }
    match on_mncore.is_empty() {
        true => tensix::write_trace(&on_tensix, out),
        false => mncore::write_trace(binary, &on_mncore, out),
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
        bail!("{takes}, but {given} files were given with --input; ttrt read --section inputs lists them");
    }
    Ok(())
}

/// Runs one program.
fn execute_one(
    arguments: &Arguments,
    (file, binary): (&str, &Binary),
    program: &Program,
    inputs: Vec<Tensor>,
) -> Result<Report> {
    let mut golden = arguments.golden.then(|| Golden::new(program));
    let started = Instant::now();
    let (outputs, kernels) = arguments
        .on_device(binary, program, inputs, golden.as_mut())
        .with_context(|| file.to_owned())?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(Report {
        file: file.to_owned(),
        program: program.name.clone(),
        device: arguments
            .device
            .to_possible_value()
            .expect("no device is hidden")
            .get_name()
            .to_owned(),
        seconds,
        outputs,
        output_files: Vec::new(),
        kernels,
        golden: golden.map(|golden| golden.reports().to_vec()),
    })
}

impl Arguments {
    /// What is wrong with an option that was given and says nothing to the device chosen.
    pub fn misplaced(&self) -> Option<&'static str> {
        let [tensix, mncore] = [Device::Tensix, Device::Mncore].map(|device| self.device == device);
        let scheduled = tensix || self.device == Device::Interpreter;
        let options = [
            (
                "--stats is for --device tensix or mncore",
                self.stats && !tensix && !mncore,
            ),
            (
                "--trace is for --device tensix or mncore, which have a time line",
                self.trace.is_some() && !tensix && !mncore,
            ),
            (
                "the standard input can be read once: give '-' for the program or for one input",
                std::iter::once(&self.file).chain(&self.inputs).filter(|path| files::is_stream(path)).count() > 1,
            ),
            (
                "the standard output can hold one kind of file: give '-' to one of --output, --result-file and --trace",
                [
                    self.outputs.iter().any(|path| files::is_stream(path)),
                    self.result_file.iter().any(|path| files::is_stream(path)),
                    self.trace.iter().any(|path| files::is_stream(path)),
                ].into_iter().filter(|is_there| *is_there).count() > 1,
            ),
            (
                "--schedule-seed is for --device tensix or interpreter",
                self.schedule_seed.is_some() && !scheduled,
            ),
            (
                "--order-seed is for --device tensix",
                self.order_seed.is_some() && !tensix,
            ),
            (
                "--workers is for --device tensix",
                self.workers.is_some() && !tensix,
            ),
            (
                "--padding-canaries is for --device tensix",
                self.padding_canaries && !tensix,
            ),
            (
                "--model is for --device mncore",
                self.model.is_some() && !mncore,
            ),
            (
                "--threads is for --device tensix or mncore",
                self.threads.is_some() && !tensix && !mncore,
            ),
            (
                "--undetermined is for --device mncore",
                self.undetermined.is_some() && !mncore,
            ),
            (
                "--limit-steps is for --device tensix, mncore or interpreter, which run kernels",
                self.limit_steps.is_some() && self.device == Device::Reference,
            ),
            (
                "--memory-canaries is for --device mncore",
                self.memory_canaries && !mncore,
            ),
        ];
        let misplaced = options.iter().find(|(_, misplaced)| *misplaced);
        misplaced.map(|(problem, _)| *problem)
    }

    /// Whether the standard output is for a file.
    fn prints_a_file(&self) -> bool {
        let mut files = self
            .outputs
            .iter()
            .chain(&self.result_file)
            .chain(&self.trace);
        files.any(|path| files::is_stream(path))
    }

    /// Tells people something: on the standard output, unless a file goes there.
    fn tell(&self, text: &str) -> Result<()> {
        if !self.prints_a_file() {
            return print(text);
        }
        tessera_cli::tell(format_args!("{text}"));
        Ok(())
    }

    fn mncore_options(&self) -> MncoreOptions {
        MncoreOptions {
            model: match self.model {
                None | Some(Model::Fast) => mncore::Model::Fast,
                Some(Model::Timed) => mncore::Model::Timed,
                Some(Model::Reference) => mncore::Model::Reference,
            },
            threads: self.threads,
            undetermined: match self.undetermined {
                None | Some(Undetermined::Trap) => mncore::Undetermined::Trap,
                Some(Undetermined::Mark) => mncore::Undetermined::Mark,
            },
            limit_steps: self.limit_steps,
            memory_canaries: self.memory_canaries,
        }
    }

    fn bf16_form(&self) -> Bf16Form {
        if self.raw_bits {
            Bf16Form::Bits
        } else {
            Bf16Form::Values
        }
    }

    /// The program's inputs, from these files or made up.
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
            tessera_cli::tell(format_args!(
                "warning: {rounded} input elements were rounded to bf16"
            ));
        }
        Ok(inputs)
    }

    /// Outputs, and the kernels that ran.
    fn on_device(
        &self,
        binary: &Binary,
        program: &Program,
        inputs: Vec<Tensor>,
        golden: Option<&mut Golden<'_>>,
    ) -> Result<(Vec<Tensor>, Kernels)> {
        let progress = Progress::start(Some(program.operations.len() as u64));
        let run = |device: &mut dyn tessera_runtime::Device| {
            let mut watched = Watched {
                device,
                progress: &progress,
                is_compared: golden.is_some(),
            };
            run_program(&mut watched, program, inputs, golden)
        };
        match self.device {
            Device::Reference => {
                let outputs = run(&mut ReferenceDevice::new(program))?;
                Ok((outputs, Kernels::None))
            }
            Device::Interpreter => {
                let mut device = InterpreterDevice::new(binary, program, self.schedule_seed);
                if let Some(limit) = self.limit_steps {
                    device.set_limit(limit);
                }
                Ok((run(&mut device)?, Kernels::None))
            }
            Device::Tensix => {
                let options = TensixOptions {
                    schedule_seed: self.schedule_seed,
                    padding_canaries: self.padding_canaries,
                    order_seed: self.order_seed,
                    workers: self.workers,
                    limit: self.limit_steps,
                };
                let mut device = TensixDevice::new(binary, program, options)?;
                if self.trace.is_some() {
                    device.record();
                }
                if let Some(threads) = self.threads {
                    device.set_threads(threads);
                }
                let outputs = run(&mut device)?;
                Ok((outputs, Kernels::Tensix(device.into_kernel_runs())))
            }
            Device::Mncore => {
                let mut device = MncoreDevice::new(binary, program, self.mncore_options());
                let outputs = run(&mut device)?;
                Ok((outputs, Kernels::Mncore(device.kernel_runs().to_vec())))
            }
        }
    }
}
