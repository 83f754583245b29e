//! Locations of bytes on the chip, and the addresses by which requests name them.

use tessera_isa_tensix::Arch;

use super::grid::{node_kind, NodeKind};
use crate::map::{self, Coordinate};
use crate::trap::Fault;

/// A location of bytes on the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Dram {
        bank: u32,
        offset: u64,
    },
    L1 {
        tile: Coordinate,
        addr: u32,
    },
    /// A register of a tile, accessed as a word.
    Device {
        tile: Coordinate,
        addr: u32,
    },
}

impl Location {
    pub(crate) fn plus(self, bytes: u32) -> Self {
        match self {
            Location::Dram { bank, offset } => Location::Dram {
                bank,
                offset: offset + u64::from(bytes),
            },
            Location::L1 { tile, addr } => Location::L1 {
                tile,
                addr: addr + bytes,
            },
            device @ Location::Device { .. } => device,
        }
    }

    /// Returns the location of the surrounding 16 bytes in L1.
    pub(crate) fn line(self) -> Self {
        match self {
            Location::L1 { tile, addr } => Location::L1 {
                tile,
                addr: addr & !15,
            },
            other => other,
        }
    }

    /// Returns the lowest bits of the address.
    pub(crate) fn low_bits(self) -> u32 {
        match self {
            Location::Dram { offset, .. } => offset as u32,
            Location::L1 { addr, .. } | Location::Device { addr, .. } => addr,
        }
    }

    /// Returns the name for messages.
    pub(super) fn name(self) -> String {
        match self {
            Location::Dram { offset, .. } => format!("DRAM offset {offset:#x}"),
            Location::L1 { addr, .. } => format!("remote L1 address {addr:#x}"),
            Location::Device { addr, .. } => format!("register {addr:#x}"),
        }
    }
}

/// The first address of registers.
const DEVICES: u32 = 0xff00_0000;

/// Returns the location of an address in a tile with L1.
pub(super) fn in_tile(arch: Arch, tile: Coordinate, address: u64) -> Result<Location, Fault> {
    let nothing = || Fault::unmodelled(format!("NoC requests of {address:#x}, which is not in L1"));
    let addr = u32::try_from(address).map_err(|_| nothing())?;
    match addr {
        DEVICES.. if !map::is_unmapped_for_noc(arch, addr) => Ok(Location::Device { tile, addr }),
        _ if addr < map::l1_end(arch) => Ok(Location::L1 { tile, addr }),
        _ => Err(nothing()),
    }
}

/// Bytes of a DRAM channel of Wormhole; each DRAM tile has two channels.
const CHANNEL: u64 = 1 << 30;

/// Returns bank and offset of an address in a DRAM tile.
pub(crate) fn dram_place(arch: Arch, at: Coordinate, address: u64) -> Result<(u32, u64), Fault> {
    let nothing = || {
        Fault::undefined(format!(
            "there is no DRAM at {address:#x} of tile ({}, {})",
            at.0, at.1
        ))
    };
    let NodeKind::Dram(group) = node_kind(arch, at) else {
        return Err(nothing());
    };
    match arch {
        Arch::WormholeB0 if address < 2 * CHANNEL => {
            Ok((2 * group + (address / CHANNEL) as u32, address % CHANNEL))
        }
        Arch::Blackhole if address < arch.dram_bank_bytes() => Ok((group, address)),
        _ => Err(nothing()),
    }
}
