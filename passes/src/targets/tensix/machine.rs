//! The memories of a Tensix core, for address assignment.
//!
//! Only rings have addresses in L1. Tiles pass through slots that the lowering places after the
//! rings, and computed values stay in Dst.

use tessera_dialects::pto::Space;
use tessera_isa_tensix::{tile, Arch};

use crate::pto::machine::{Machine, Memory};

/// Bytes of a 32x32 tile of f32, the granularity of the unpackers' tile counters.
const UNPACKED: u64 = 32 * 32 * 4;

/// Bytes that all DRAM channels of a chip move in a cycle, for estimates: 24 for each of the twelve
/// of Wormhole.
pub const DRAM_BYTES_PER_CYCLE: u64 = 12 * 24;

/// Returns the machine of a generation.
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
