//! The command line.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tessera_isa_tensix::Arch;
use tessera_tensix::tile::{map, Break, Dump};
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
    /// Does to a chip what a recorded host did, and compares the chip's replies with the recorded
    /// ones.
    Trace(Recording),
    /// Lets threads of a tile execute instructions.
    Words(Words),
    /// Lets cores of a tile run RISC-V images.
    Images(Images),
}

#[derive(Args)]
pub struct Recording {
    /// The recording; the standard input without it.
    pub input: Option<PathBuf>,
    /// The maximum number of steps of the chip before a read.
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().read)]
    pub read_limit: u64,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args)]
pub struct Words {
    /// The instructions: assembly, as tensix-as takes it, of one thread or with T0=, T1= or T2=
    /// before each of several; the standard input without any.
    #[arg(value_name = "[THREAD=]FILE")]
    pub inputs: Vec<Input>,
    /// The inputs are words, little-endian.
    #[arg(long)]
    pub binary: bool,
    /// The thread of what names none: 0, 1 or 2.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..3))]
    pub thread: u8,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args)]
pub struct Images {
    /// The images: a core (B, T0, T1, T2 or NC) and a file each. They lie where the cores begin
    /// after reset, ELF executables where they are linked to, and these cores run.
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

/// How the matrix and the vector unit compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelArgument {
    /// In this processor's widest vector instructions.
    Fast,
    /// Element by element, as the arithmetic is stated.
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

/// What all programs have.
#[derive(Args)]
pub struct Common {
    /// The chip: wormhole_b0 or blackhole.
    #[arg(long, default_value_t = Arch::WormholeB0)]
    pub arch: Arch,
    /// A random schedule of those that the chip allows; without, each of its parts goes on as far
    /// as it can.
    #[arg(long)]
    pub seed: Option<u64>,
    /// How the matrix and the vector unit compute; the results are the same.
    #[arg(long, value_enum, value_name = "WAY", default_value_t = ModelArgument::Fast)]
    pub model: ModelArgument,
    /// The tile that runs words and images, and that is shown; the first Tensix tile without it.
    #[arg(long, value_name = "X,Y")]
    pub tile: Option<Tile>,
    /// Refuses what only the vendor's programs may trust in: to read what nothing has written, to
    /// change what something at work may be using.
    #[arg(long)]
    pub strict: bool,
    /// A file that is brought to the chip first, to L1 of the tile or an address of any (DRAM,
    /// too): l1:ADDRESS:FILE or X,Y:ADDRESS:FILE.
    #[arg(long, value_name = "PLACE:FILE")]
    pub load: Vec<Load>,
    /// Bytes that are written to a file in the end: l1:ADDRESS:BYTES:FILE or
    /// X,Y:ADDRESS:BYTES:FILE.
    #[arg(long, value_name = "PLACE:BYTES:FILE")]
    pub save: Vec<Save>,
    /// The maximum number of steps of the chip.
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().total)]
    pub limit: u64,
    /// What to show in the end: cores, gprs, lregs, config, srca:FIRST+ROWS, srcb:FIRST+ROWS,
    /// dst16:FIRST+ROWS, dst32:FIRST+ROWS, l1:ADDRESS+BYTES.
    #[arg(long, value_name = "WHAT")]
    pub dump: Vec<Dump>,
    /// Where to stop: CORE:ADDRESS, MNEMONIC or MNEMONIC:COUNT.
    #[arg(long = "break", value_name = "WHERE")]
    pub stop: Vec<Break>,
    /// Prints counts of what was executed, what waited for what, and for how many cycles that kept
    /// units busy, at which rates.
    #[arg(long)]
    pub stats: bool,
    /// Writes what the tile's coprocessor did, for Perfetto.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

impl Common {
    /// Returns the tile that is meant.
    pub fn tile(&self) -> map::Coordinate {
        match (self.tile, self.arch) {
            (Some(Tile(at)), _) => at,
            (None, Arch::WormholeB0) => (1, 1),
            (None, Arch::Blackhole) => (1, 2),
        }
    }
}

/// Where a tile is on NoC 0.
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
