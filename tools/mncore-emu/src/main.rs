//! `mncore-emu`: runs MN-Core 2 assembly, as it is written or as `mncore-as` leaves it.
//!
//! Arguments and printing only; the machine is `tessera_mncore`. Dumps and what goes to the host are printed to the
//! standard output or the file given with `-d`, everything else to the standard error. Exit codes: 0 done, 1 the program
//! is wrong or trapped, 2 the command line is bad.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, Context, Result};
use clap::{Parser, ValueEnum};
use tessera_isa_mncore::{text_form, Diagnostic, Program};
use tessera_mncore::machine::{Event, Machine, Model, Options};
use tessera_mncore::race::Races;
use tessera_mncore::undetermined::{Undetermined, POINTS};

/// Runs MN-Core 2 assembly on a functional, bit-exact model of the board.
#[derive(Parser)]
#[command(disable_version_flag = true)]
struct Cli {
    /// The assembly, or what mncore-as made of it; the standard input without it.
    #[arg(short = 'i', value_name = "FILE")]
    input: Option<PathBuf>,
    /// Where dumps go; the standard output without it.
    #[arg(short = 'd', value_name = "FILE")]
    dump: Option<PathBuf>,
    /// What DRAM holds before it is written; without it, reading such DRAM is an error.
    #[arg(long, value_name = "CONTENT")]
    offchip_memory_init: Option<Content>,
    /// How to execute.
    #[arg(long, value_enum, default_value = "fast", value_name = "MODEL")]
    model: ModelArgument,
    /// What to do where a statement touches what an MV instruction still moves.
    #[arg(long, value_enum, default_value = "error", value_name = "WHAT")]
    races: RacesArgument,
    /// What to do where the manual does not determine a result.
    #[arg(long, value_enum, default_value = "trap", value_name = "WHAT")]
    undetermined: UndeterminedArgument,
    /// Tags that the host has completed, such as i01,i02.
    #[arg(long, value_delimiter = ',', value_parser = tag, value_name = "TAGS")]
    armed_tags: Vec<u8>,
    /// The most steps to execute.
    #[arg(long, value_name = "COUNT")]
    limit_steps: Option<u64>,
    /// Prints how many steps were executed, and on which open points of the manual results depend.
    #[arg(long)]
    stats: bool,
    /// Prints the version.
    #[arg(short = 'V', long)]
    version: bool,
    /// With --version: prints what the manual leaves open, and what this model does there.
    #[arg(short = 'v', long, requires = "version")]
    verbose: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Content {
    /// Zeros.
    Zero,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModelArgument {
    /// Every statement is complete before the next.
    Fast,
    /// The same, and reads of what would not have arrived yet trap.
    Timed,
}

#[derive(Clone, Copy, ValueEnum)]
enum RacesArgument {
    /// Stop.
    Error,
    /// Tell, and go on.
    Warn,
    /// Do not look.
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
enum UndeterminedArgument {
    /// Stop.
    Trap,
    /// Take the documented result; --stats tells.
    Mark,
}

/// A tag as the assembly writes it: `i` and two hexadecimal digits.
fn tag(text: &str) -> Result<u8, String> {
    text.strip_prefix('i')
        .filter(|digits| digits.len() == 2)
        .and_then(|digits| u8::from_str_radix(digits, 16).ok())
        .filter(|tag| *tag != 0)
        .ok_or_else(|| "a tag is i and two hexadecimal digits, i01 to iff".into())
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = if cli.version {
        print_version(cli.verbose)
    } else {
        run(&cli)
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

fn print_version(verbose: bool) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "mncore-emu {}", env!("CARGO_PKG_VERSION"))?;
    for point in POINTS.iter().filter(|_| verbose) {
        writeln!(out, "{point}")?;
    }
    Ok(())
}

/// The name of the input in messages, and its text.
fn read(input: Option<&Path>) -> Result<(String, String)> {
    let mut text = String::new();
    match input {
        Some(path) => {
            let name = path.display().to_string();
            let read = File::open(path).and_then(|mut file| file.read_to_string(&mut text));
            read.with_context(|| format!("cannot read {name}"))?;
            Ok((name, text))
        }
        None => {
            let read = io::stdin().read_to_string(&mut text);
            read.context("cannot read the standard input")?;
            Ok(("<stdin>".into(), text))
        }
    }
}

/// The program of a text: assembly, or what `mncore-as` made of it.
fn parse(name: &str, text: &str) -> Result<Program> {
    let loaded = text_form::load(text).and_then(|program| {
        let found = tessera_isa_mncore::check(&program);
        if found.is_empty() {
            Ok(program)
        } else {
            Err(found)
        }
    });
    loaded.map_err(|found| {
        let rendered = found.iter().map(|one| one.render(name, text));
        anyhow!(rendered.collect::<Vec<_>>().concat().trim_end().to_owned())
    })
}

fn run(cli: &Cli) -> Result<()> {
    let (name, text) = read(cli.input.as_deref())?;
    let program = parse(&name, &text)?;
    let mut out: BufWriter<Box<dyn Write>> = BufWriter::new(match &cli.dump {
        Some(path) => {
            let file = File::create(path);
            Box::new(file.with_context(|| format!("cannot write {}", path.display()))?)
        }
        None => Box::new(io::stdout().lock()),
    });
    let mut machine = Machine::new(Options {
        model: match cli.model {
            ModelArgument::Fast => Model::Fast,
            ModelArgument::Timed => Model::Timed,
        },
        zero_dram: cli.offchip_memory_init.is_some(),
        races: match cli.races {
            RacesArgument::Error => Races::Error,
            RacesArgument::Warn => Races::Warn,
            RacesArgument::Off => Races::Off,
        },
        undetermined: match cli.undetermined {
            UndeterminedArgument::Trap => Undetermined::Trap,
            UndeterminedArgument::Mark => Undetermined::Mark,
        },
        limit_steps: cli.limit_steps,
        ..Options::default()
    });
    cli.armed_tags.iter().for_each(|tag| machine.arm(*tag));
    let mut written = Ok(());
    let ran = machine.run(&program, &mut |event| {
        let result = match event {
            Event::Dump(line) => writeln!(out, "{line}"),
            Event::ToHost(address, word) => writeln!(out, "{address:09x}: {word:016x}"),
            Event::Race(span, reason) => {
                eprint!(
                    "{}",
                    Diagnostic::new(span, reason.to_string())
                        .render(&name, &text)
                        .replacen("error: ", "warning: ", 1)
                );
                Ok(())
            }
        };
        if written.is_ok() {
            written = result;
        }
    });
    written?;
    out.flush()?;
    if cli.stats {
        eprintln!("steps: {}", machine.steps());
        for doubt in machine.marks().iter() {
            eprintln!("depends on: {}", doubt.point());
        }
    }
    ran.map_err(|trap| anyhow!(trap.render(&name, &text).trim_end().to_owned()))
}
