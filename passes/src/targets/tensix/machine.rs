//! The memories of a Tensix core, as kernels over tiles are placed in them.
//!
//! A kernel has rings in L1 and nothing else: tiles pass through slots that the lowering puts
//! behind them, some to read ahead and two to send or store results from, and what is computed
//! stays in Dst.

use tessera_dialects::pto::Space;
use tessera_isa_tensix::{tile, Arch};

use crate::pto::machine::{Machine, Memory};

/// Bytes of a 32x32 tile of f32. The unpackers count the tiles of a ring from the first address
/// that is free for it.
const UNPACKED: u64 = 32 * 32 * 4;

/// A core of that generation.
pub fn machine(arch: Arch) -> Machine {
    Machine {
        name: super::target::NAME,
        memories: vec![Memory {
            name: "L1",
            spaces: &[Space::Mat, Space::Vec],
            room: u64::from(tile::FREE)..u64::from(arch.l1_bytes()),
        }],
        ring_align: UNPACKED,
        places_tiles: false,
        shares_cores: true,
    }
}
