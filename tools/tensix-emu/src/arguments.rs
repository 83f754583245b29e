//! The command line.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tessera_isa_tensix::Arch;
use tessera_tensix::host::Dump;
use tessera_tensix::map;
use tessera_tensix::tile::Break;
use tessera_tensix::trace::Limits;
use tessera_tensix::Model;

use crate::memory::{Load, Save};

/// Runs programs on a functional, bit-exact model of a Tensix chip.
#[derive(Parser)]
#[command(version)]
pub struct Cli {
    #[command(subcommand)]
    pub what: What,
}

#[derive(Subcommand)]
pub enum What {
    /// Replay a recorded host, and compare the replies of the chip with the recorded ones.
    Trace(Recording),
    /// Execute instructions on threads of a tile.
    Words(Words),
    /// Run RISC-V images on cores of a tile.
    Images(Images),
}

#[derive(Args)]
pub struct Recording {
    /// The recording; standard input if absent.
    pub input: Option<PathBuf>,
    /// The maximum number of steps of the chip before a read.
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().read)]
    pub read_limit: u64,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args)]
pub struct Words {
    /// The instructions: assembly for tensix-as of one thread, or several files prefixed by T0=,
    /// T1= or T2=; standard input if absent.
    #[arg(value_name = "[THREAD=]FILE")]
    pub inputs: Vec<Input>,
    /// Inputs are little-endian words instead of assembly.
    #[arg(long)]
    pub binary: bool,
    /// The thread of inputs without a prefix: 0, 1 or 2.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..3))]
    pub thread: u8,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args)]
pub struct Images {
    /// The images: a core (B, T0, T1, T2 or NC) and a file each. Images are loaded at the reset
    /// address of their core, ELF executables at their linked address, and these cores run.
    #[arg(required = true, value_name = "CORE=FILE")]
    pub images: Vec<Image>,
    #[command(flatten)]
    pub common: Common,
}

impl Images {
    /// Returns the name of a core that has two images.
    pub fn duplicate_core(&self) -> Option<&'static str> {
        let (mut cores, all) = (self.images.iter().map(|image| image.core), &self.images);
        let twice = cores.find(|core| all.iter().filter(|other| other.core == *core).count() > 1);
        twice.map(|core| map::CORES[core])
    }
}

/// The implementation of the matrix and vector unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelArgument {
    /// Use the widest vector instructions of this processor.
    Fast,
    /// Compute element by element, as the arithmetic is specified.
    Reference,
}

impl From<ModelArgument> for Model {
    fn from(way: ModelArgument) -> Model {
        match way {
            ModelArgument::Fast => Model::fast(),
            ModelArgument::Reference => Model::Reference,
        }
    }
}

/// Options of all programs.
#[derive(Args)]
pub struct Common {
    /// The chip: wormhole_b0 or blackhole.
    #[arg(long, default_value_t = Arch::WormholeB0)]
    pub arch: Arch,
    /// The seed of a random schedule among those that the chip allows; if absent, each unit runs as
    /// far as it can.
    #[arg(long)]
    pub seed: Option<u64>,
    /// The implementation of the matrix and vector unit; results are the same.
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = ModelArgument::Fast)]
    pub model: ModelArgument,
    /// The tile that executes and is shown; the first Tensix tile if absent.
    #[arg(long, value_name = "X,Y")]
    pub tile: Option<Tile>,
    /// Trap on undefined behaviour that only the vendor's programs may rely on: reading
    /// uninitialized data, and changing state that a running operation may use.
    #[arg(long)]
    pub strict: bool,
    /// Load a file before the run, into L1 of the tile or to an address of any tile, including
    /// DRAM: l1:ADDRESS:FILE or X,Y:ADDRESS:FILE.
    #[arg(long, value_name = "PLACE:FILE")]
    pub load: Vec<Load>,
    /// Save memory to a file after the run: l1:ADDRESS:BYTES:FILE or X,Y:ADDRESS:BYTES:FILE.
    #[arg(long, value_name = "PLACE:BYTES:FILE")]
    pub save: Vec<Save>,
    /// The maximum number of steps of the chip.
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().total)]
    pub limit: u64,
    /// State to print after the run: cores, gprs, lregs, config, srca:FIRST+ROWS, srcb:FIRST+ROWS,
    /// dst16:FIRST+ROWS, dst32:FIRST+ROWS, l1:ADDRESS+BYTES.
    #[arg(long, value_name = "WHAT")]
    pub dump: Vec<Dump>,
    /// Breakpoints: CORE:ADDRESS, MNEMONIC or MNEMONIC:COUNT.
    #[arg(long = "break", value_name = "WHERE")]
    pub stop: Vec<Break>,
    /// Print statistics: executed instructions, stalls and their causes, busy cycles and rates of
    /// the units.
    #[arg(long)]
    pub stats: bool,
    /// Write a timeline of the tile's coprocessor for Perfetto.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

impl Common {
    /// Returns the selected tile.
    pub fn tile(&self) -> map::Coordinate {
        match (self.tile, self.arch) {
            (Some(Tile(at)), _) => at,
            (None, Arch::WormholeB0) => (1, 1),
            (None, Arch::Blackhole) => (1, 2),
        }
    }
}

/// The coordinates of a tile on NoC 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile(pub map::Coordinate);

impl FromStr for Tile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split_once(',')
            .and_then(|(x, y)| Some(Tile((x.parse().ok()?, y.parse().ok()?))))
            .ok_or_else(|| "a tile is X,Y".to_owned())
    }
}

/// The instructions of a thread.
#[derive(Clone, Debug)]
pub struct Input {
    pub thread: Option<usize>,
    pub file: PathBuf,
}

impl FromStr for Input {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let of_thread = |thread: usize| {
            let rest = text.strip_prefix(["T0=", "T1=", "T2="][thread])?;
            Some((Some(thread), rest))
        };
        let (thread, file) = (0..3).find_map(of_thread).unwrap_or((None, text));
        let file = file.into();
        Ok(Input { thread, file })
    }
}

/// The image of a core.
#[derive(Clone, Debug)]
pub struct Image {
    pub core: usize,
    pub file: PathBuf,
}

impl FromStr for Image {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=');
        let core = parts.and_then(|(core, _)| map::CORES.iter().position(|c| *c == core));
        match (core, parts) {
            (Some(core), Some((_, file))) => Ok(Image {
                core,
                file: file.into(),
            }),
            _ => Err(format!(
                "an image is CORE=FILE, with one of {}",
                map::CORES.join(", ")
            )),
        }
    }
}
