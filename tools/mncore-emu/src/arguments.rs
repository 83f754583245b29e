//! The command line.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use tessera_mncore::image::{Memory, Region};
use tessera_mncore::machine::{Model, Options};
use tessera_mncore::race::RacePolicy;
use tessera_mncore::undetermined::UndeterminedPolicy;

/// Runs MN-Core 2 assembly on a functional, bit-exact model of the board.
#[derive(Parser)]
#[command(disable_version_flag = true)]
pub struct Cli {
    /// The program: assembly, or the output of mncore-as as text or packed; standard input if
    /// absent.
    #[arg(short = 'i', value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// The output file for dumps; standard output if absent.
    #[arg(short = 'd', value_name = "FILE")]
    pub dump: Option<PathBuf>,
    /// The initial contents of DRAM; if absent, reading uninitialized DRAM is an error.
    #[arg(long, value_name = "CONTENT")]
    pub offchip_memory_init: Option<Content>,
    /// The execution mode.
    #[arg(long, value_enum, default_value = "fast", value_name = "MODEL")]
    pub model: ModelArgument,
    /// How to handle statements that access data of a pending MV instruction.
    #[arg(long, value_enum, default_value = "error", value_name = "WHAT")]
    pub races: RacesArgument,
    /// How to handle results that the manual leaves undetermined.
    #[arg(long, value_enum, default_value = "trap", value_name = "WHAT")]
    pub undetermined: UndeterminedArgument,
    /// Tags that the host has completed before the run, such as i01,i02.
    #[arg(long, value_delimiter = ',', value_parser = tag, value_name = "TAGS")]
    pub armed_tags: Vec<u8>,
    /// The maximum number of steps to execute.
    #[arg(long, value_name = "COUNT")]
    pub limit_steps: Option<u64>,
    /// The number of threads; the number of processors if absent. Results do not depend on it.
    #[arg(long, value_name = "COUNT")]
    pub threads: Option<NonZero<usize>>,
    /// Load a file into a memory before the run: pdm0 to pdm3 or dram0 to dram3, at an offset in
    /// bytes. Long words are big-endian.
    #[arg(long, value_parser = load, value_name = "MEMORY:OFFSET:FILE")]
    pub load: Vec<Load>,
    /// Save a part of a memory to a file after a successful run.
    #[arg(long, value_parser = save, value_name = "MEMORY:OFFSET:LENGTH:FILE")]
    pub save: Vec<Save>,
    /// Print statistics: steps, occupancy of the units, transfers, estimated cycles, and the
    /// undetermined points of the manual that results depend on.
    #[arg(long)]
    pub stats: bool,
    /// Write a timeline of each unit as JSON for Perfetto. A microsecond in it is an estimated
    /// cycle.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print the version.
    #[arg(short = 'V', long)]
    pub version: bool,
    /// With --version, list the undetermined points of the manual and the choices of this model.
    #[arg(short = 'v', long, requires = "version")]
    pub verbose: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Content {
    /// Zeros.
    Zero,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ModelArgument {
    /// Every statement completes before the next.
    Fast,
    /// Like `fast`, but reading data that has not arrived yet traps.
    Timed,
    /// Execute the pseudo-code of the manual literally; slow.
    Reference,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum RacesArgument {
    /// Stop.
    Error,
    /// Warn and continue.
    Warn,
    /// Do not check.
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum UndeterminedArgument {
    /// Stop.
    Trap,
    /// Use the documented choice; --stats reports it.
    Mark,
}

impl Cli {
    /// Options that configure the machine.
    pub fn options(&self) -> Options {
        Options {
            model: match self.model {
                ModelArgument::Fast => Model::Fast,
                ModelArgument::Timed => Model::Timed,
                ModelArgument::Reference => Model::Reference,
            },
            zero_dram: self.offchip_memory_init.is_some(),
            races: match self.races {
                RacesArgument::Error => RacePolicy::Error,
                RacesArgument::Warn => RacePolicy::Warn,
                RacesArgument::Off => RacePolicy::Off,
            },
            undetermined: match self.undetermined {
                UndeterminedArgument::Trap => UndeterminedPolicy::Trap,
                UndeterminedArgument::Mark => UndeterminedPolicy::Mark,
            },
            limit_steps: self.limit_steps,
            threads: self.threads,
            ..Options::default()
        }
    }
}

/// A file to load into a memory.
#[derive(Clone, Debug)]
pub struct Load {
    pub memory: Memory,
    pub offset: u64,
    pub file: PathBuf,
}

/// A part of a memory to save to a file.
#[derive(Clone, Debug)]
pub struct Save {
    pub region: Region,
    pub file: PathBuf,
}

/// Returns a tag as the assembly writes it: `i` and two hexadecimal digits.
fn tag(text: &str) -> Result<u8, String> {
    text.strip_prefix('i')
        .filter(|digits| digits.len() == 2)
        .and_then(|digits| u8::from_str_radix(digits, 16).ok())
        .filter(|tag| *tag != 0)
        .ok_or_else(|| "a tag is i and two hexadecimal digits, i01 to iff".into())
}

/// Parses `MEMORY:OFFSET:FILE`.
fn load(text: &str) -> Result<Load, String> {
    let mut parts = text.splitn(3, ':');
    let (Some(name), Some(offset), Some(file)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("write MEMORY:OFFSET:FILE, such as pdm0:0:in.bin".into());
    };
    let region = region(name, offset, "0")?;
    Ok(Load {
        memory: region.memory,
        offset: region.offset,
        file: file.into(),
    })
}

/// Parses `MEMORY:OFFSET:LENGTH:FILE`.
fn save(text: &str) -> Result<Save, String> {
    let parts: Vec<_> = text.splitn(4, ':').collect();
    let [name, offset, length, file] = parts[..] else {
        return Err("write MEMORY:OFFSET:LENGTH:FILE, such as pdm0:0:4096:out.bin".into());
    };
    Ok(Save {
        region: region(name, offset, length)?,
        file: file.into(),
    })
}

fn region(name: &str, offset: &str, length: &str) -> Result<Region, String> {
    let group = |digit: &str| digit.parse().ok().filter(|group| *group < 4);
    let pdm = name.strip_prefix("pdm").and_then(group).map(Memory::Pdm);
    let dram = name.strip_prefix("dram").and_then(group).map(Memory::Dram);
    let memory = pdm.or(dram);
    let region = Region {
        memory: memory.ok_or_else(|| {
            format!("there is no memory `{name}`: write pdm0 to pdm3 or dram0 to dram3")
        })?,
        offset: bytes(offset)?,
        length: bytes(length)?,
    };
    region.check().map_err(|error| error.to_string())?;
    Ok(region)
}

/// Returns a number of bytes, decimal or hexadecimal.
fn bytes(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| format!("`{text}` is not a number of bytes: write 4096 or 0x1000"))
}
