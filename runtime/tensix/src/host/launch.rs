//! Launches: images compiled by this project, with their arguments.

use tessera_isa_tensix::list::DmEntry;
use tessera_isa_tensix::Arch;

use crate::data_movement::TensorArg;
use crate::map;

/// A kernel of RISC-V images with its arguments. Arrays are in the order of [`map::CORES`].
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// The code of each core. A core without code stays in reset.
    pub images: [&'a [u32]; 5],
    /// The arguments of each core.
    pub args: [&'a [u32]; 5],
    /// The data movement list.
    pub dm: &'a [DmEntry],
    /// The tensors that the data movement list names.
    pub tensors: &'a [TensorArg],
    /// The seed of the cores' memory order; `None` for program order.
    pub order: Option<u64>,
    /// The maximum number of instructions of a core.
    pub limit: u64,
}

/// A kernel on one tile.
#[derive(Clone, Debug)]
pub struct TileLaunch<'a> {
    /// The coordinates of the tile on NoC 0.
    pub coordinate: map::Coordinate,
    /// The images and arguments.
    pub launch: Launch<'a>,
}

/// The two words that count the slots of a ring: `ready` counts the slots sent by the producer,
/// `freed` those returned to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Tile and address of the consumer's word.
    pub ready: (map::Coordinate, u32),
    /// Tile and address of the producer's word.
    pub freed: (map::Coordinate, u32),
}

/// Kernels that run concurrently.
#[derive(Clone, Debug)]
pub struct ChipLaunch<'a> {
    /// The tiles.
    pub tiles: Vec<TileLaunch<'a>>,
    /// The rings between them.
    pub rings: Vec<Ring>,
    /// Whether NoC packets arrive in pieces, in any order that the chip permits.
    pub split: bool,
}

impl<'a> ChipLaunch<'a> {
    /// Creates a launch on one tile of a chip.
    pub fn single(arch: Arch, launch: Launch<'a>) -> Self {
        ChipLaunch {
            tiles: vec![TileLaunch {
                coordinate: map::worker(arch, 0),
                launch,
            }],
            rings: Vec::new(),
            split: false,
        }
    }
}
