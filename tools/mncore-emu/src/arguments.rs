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
    /// The assembly, or what mncore-as made of it, as text or packed; the standard input without
    /// it.
    #[arg(short = 'i', value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Where dumps go; the standard output without it.
    #[arg(short = 'd', value_name = "FILE")]
    pub dump: Option<PathBuf>,
    /// What DRAM holds before it is written; without it, reading such DRAM is an error.
    #[arg(long, value_name = "CONTENT")]
    pub offchip_memory_init: Option<Content>,
    /// How to execute.
    #[arg(long, value_enum, default_value = "fast", value_name = "MODEL")]
    pub model: ModelArgument,
    /// What to do where a statement touches what an MV instruction still moves.
    #[arg(long, value_enum, default_value = "error", value_name = "WHAT")]
    pub races: RacesArgument,
    /// What to do where the manual does not determine a result.
    #[arg(long, value_enum, default_value = "trap", value_name = "WHAT")]
    pub undetermined: UndeterminedArgument,
    /// Tags that the host has completed, such as i01,i02.
    #[arg(long, value_delimiter = ',', value_parser = tag, value_name = "TAGS")]
    pub armed_tags: Vec<u8>,
    /// The most steps to execute.
    #[arg(long, value_name = "COUNT")]
    pub limit_steps: Option<u64>,
    /// On how many threads to run; as many as there are cores without it. Results do not depend on
    /// it.
    #[arg(long, value_name = "COUNT")]
    pub threads: Option<NonZero<usize>>,
    /// Puts the bytes of a file into a memory first: pdm0 to pdm3 or dram0 to dram3, and where in
    /// bytes. Big-endian long words.
    #[arg(long, value_parser = load, value_name = "MEMORY:OFFSET:FILE")]
    pub load: Vec<Load>,
    /// Writes bytes of a memory to a file afterwards, if nothing stopped the program.
    #[arg(long, value_parser = save, value_name = "MEMORY:OFFSET:LENGTH:FILE")]
    pub save: Vec<Save>,
    /// Prints what was done: steps, occupancy of the units, transfers, estimated cycles; and on
    /// which open points of the manual results depend.
    #[arg(long)]
    pub stats: bool,
    /// Writes what each unit did when, as JSON for Perfetto; a microsecond there is an estimated
    /// cycle.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Prints the version.
    #[arg(short = 'V', long)]
    pub version: bool,
    /// With --version: prints what the manual leaves open, and what this model does there.
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
    /// Every statement is complete before the next.
    Fast,
    /// The same, and reads of what would not have arrived yet trap.
    Timed,
    /// The manual's pseudo-code as it stands: slow.
    Reference,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum RacesArgument {
    /// Stop.
    Error,
    /// Tell, and go on.
    Warn,
    /// Do not look.
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum UndeterminedArgument {
    /// Stop.
    Trap,
    /// Take the documented result; --stats tells.
    Mark,
}

impl Cli {
    /// How the machine is set up.
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

/// A file to put into a memory.
#[derive(Clone, Debug)]
pub struct Load {
    pub memory: Memory,
    pub offset: u64,
    pub file: PathBuf,
}

/// A part of a memory to write to a file.
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

/// `MEMORY:OFFSET:FILE`.
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

/// `MEMORY:OFFSET:LENGTH:FILE`.
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
    number.map_err(|_| format!("`{text}` is no number of bytes: write 4096 or 0x1000"))
}
