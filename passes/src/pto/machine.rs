//! Machines: the memories of a core, for which `pto-allocate-memory-addr` assigns addresses.
//!
//! Besides the targets there are two generic machines, with a memory for each space and an address
//! for every tile. Their sizes are the usable sizes of two generations of one chip; the upper 8 KB
//! of `vec` are reserved.

use std::ops::Range;

use tessera_dialects::pto::Space;

/// Alignment of tile addresses, in bytes.
pub const ALIGN: u64 = 32;

/// A memory of a core.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Name in messages.
    pub name: &'static str,
    /// The spaces in this memory.
    pub spaces: &'static [Space],
    /// The addresses that are free for kernels.
    pub room: Range<u64>,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Name in messages.
    pub name: &'static str,
    /// Memories of a core.
    pub memories: Vec<Memory>,
    /// Alignment of ring addresses, in bytes.
    pub ring_align: u64,
    /// Whether tiles have addresses.
    pub places_tiles: bool,
    /// Whether kernels of a group may share a core, so that their rings are parts of its
    /// accumulators.
    pub shares_cores: bool,
}

/// The names of the machines that are not targets.
pub const GENERIC: &[&str] = &["a5", "a2a3"];

impl Machine {
    /// Returns the machine of a name of [`GENERIC`].
    pub fn generic(name: &str) -> Option<Machine> {
        match name {
            "a5" => Some(generic("a5", 240, 256, 4)),
            "a2a3" => Some(generic("a2a3", 184, 128, 1)),
            _ => None,
        }
    }

    /// Returns the number of the memory that has a space.
    pub fn memory(&self, space: Space) -> Option<usize> {
        let mut memories = self.memories.iter();
        memories.position(|memory| memory.spaces.contains(&space))
    }
}

/// Returns a machine with a memory for each space, of which these differ; in units of 1024 bytes.
fn generic(name: &'static str, vec: u64, acc: u64, bias: u64) -> Machine {
    let memory = |name, spaces, size: u64| Memory {
        name,
        spaces,
        room: 0..size << 10,
    };
    Machine {
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
