//! The supported chips.

use std::fmt;
use std::str::FromStr;

/// A Tensix generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arch {
    /// Wormhole B0 (n150, n300).
    WormholeB0,
    /// Blackhole A0 (p100, p150).
    Blackhole,
}

impl Arch {
    /// All generations.
    pub const ALL: [Arch; 2] = [Arch::WormholeB0, Arch::Blackhole];

    /// Returns the name used on command lines and in program files.
    pub fn name(self) -> &'static str {
        match self {
            Arch::WormholeB0 => "wormhole_b0",
            Arch::Blackhole => "blackhole",
        }
    }

    /// Returns the number of DRAM banks over which tensor pages are interleaved.
    pub const fn dram_banks(self) -> u32 {
        match self {
            Arch::WormholeB0 => 12,
            Arch::Blackhole => 8,
        }
    }

    /// Returns the bytes of one DRAM bank: 12 GB on an n150, 32 GB on a p150, over their banks.
    pub fn dram_bank_bytes(self) -> u64 {
        match self {
            Arch::WormholeB0 => 1 << 30,
            Arch::Blackhole => 4 << 30,
        }
    }

    /// Returns the bytes of L1 memory of one Tensix tile.
    pub fn l1_bytes(self) -> u32 {
        match self {
            Arch::WormholeB0 => 1464 * 1024,
            Arch::Blackhole => 1536 * 1024,
        }
    }

    /// Returns the capacity in words of the FIFO between a RISC-V core and its thread's MOP
    /// expander, for threads 0 to 2, if the core pushes one word at a time.
    ///
    /// Wormhole: the ISA documentation's front-end diagram. Blackhole: `PushTensixInstruction.md`.
    /// The FIFO has 32 entries, but accepts nothing once more than 28 are in use, so only pushes of
    /// four words fill it. 27 to 33 were measured on silicon.
    pub fn fifo_words(self) -> [usize; 3] {
        match self {
            Arch::WormholeB0 => [32, 16, 16],
            Arch::Blackhole => [29, 29, 29],
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of an unknown architecture name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown architecture `{0}`; known are wormhole_b0 and blackhole")]
pub struct UnknownArch(pub String);

impl FromStr for Arch {
    type Err = UnknownArch;
    fn from_str(s: &str) -> Result<Self, UnknownArch> {
        Arch::ALL
            .into_iter()
            .find(|a| a.name() == s)
            .ok_or_else(|| UnknownArch(s.to_owned()))
    }
}

#[cfg(test)]
mod tests;
