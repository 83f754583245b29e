//! The memories of the machines that kernels are placed on.
//!
//! On Tensix a kernel has rings in L1 and nothing else: tiles pass through slots that the lowering puts behind them, some to read
//! ahead and two to send or store results from, and what is computed stays in Dst. On the others every tile has a place of its own.
//! Their figures are the usable sizes of the spaces of two generations of one chip: the upper 8 KB of vec are not usable.

use std::ops::Range;

use tessera_dialects::pto::Space;
use tessera_isa_tensix::{tile, Arch};

/// Every address of a tile is a multiple of this.
pub const ALIGN: u64 = 32;

/// Bytes of a 32x32 tile of f32. The unpackers of Tensix count the tiles of a ring from the first address that is free for it.
const UNPACKED: u64 = 32 * 32 * 4;

/// A memory of a core.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its name in messages.
    pub name: &'static str,
    /// The spaces that it has.
    pub spaces: &'static [Space],
    /// The addresses that are free for kernels.
    pub room: Range<u64>,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name in messages.
    pub name: &'static str,
    /// What a core has.
    pub memories: Vec<Memory>,
    /// Every address of a ring is a multiple of this.
    pub ring_align: u64,
    /// Whether tiles have addresses.
    pub places_tiles: bool,
    /// Whether kernels of a group may share a core, so that their rings are parts of its accumulators.
    pub shares_cores: bool,
}

/// The names of the targets, the default first.
pub const NAMES: &[&str] = &["tensix", "a5", "a2a3"];

impl Target {
    /// The target of that name, on that generation if it is Tensix.
    pub fn named(name: &str, arch: Arch) -> Option<Target> {
        match name {
            "tensix" => Some(Target {
                name: "tensix",
                memories: vec![Memory {
                    name: "L1",
                    spaces: &[Space::Mat, Space::Vec],
                    room: u64::from(tile::FREE)..u64::from(arch.l1_bytes()),
                }],
                ring_align: UNPACKED,
                places_tiles: false,
                shares_cores: true,
            }),
            "a5" => Some(generic("a5", 240, 256, 4)),
            "a2a3" => Some(generic("a2a3", 184, 128, 1)),
            _ => None,
        }
    }

    /// The number of the memory that has a space.
    pub fn memory(&self, space: Space) -> Option<usize> {
        let mut memories = self.memories.iter();
        memories.position(|memory| memory.spaces.contains(&space))
    }
}

/// A machine with a memory for each space, of which these differ; in units of 1024 bytes.
fn generic(name: &'static str, vec: u64, acc: u64, bias: u64) -> Target {
    let memory = |name, spaces, size: u64| Memory {
        name,
        spaces,
        room: 0..size << 10,
    };
    Target {
        name,
        memories: vec![
            memory("mat", &[Space::Mat], 512),
            memory("vec", &[Space::Vec], vec),
            memory("acc", &[Space::Acc], acc),
            memory("left", &[Space::Left], 64),
            memory("right", &[Space::Right], 64),
            memory("bias", &[Space::Bias], bias),
        ],
        ring_align: ALIGN,
        places_tiles: true,
        shares_cores: false,
    }
}
