//! The registers of an NIU other than requests: identification, configuration, counters.

use tessera_isa_tensix::noc::{layout, Layout, TRANSLATE_BIT};
use tessera_isa_tensix::Arch;

use super::translation;
use crate::map::{self, Coordinate, NodeKind};
use crate::trap::Fault;

/// Number of counters of an NIU.
pub(crate) const COUNTERS: usize = 64;

/// Numbers of counters (ISA documentation, `NoC/Counters.md`). Counters of posted requests, if
/// separate, follow those of requests with responses.
pub(crate) mod counter {
    pub(crate) const ATOMIC_RESPONSES: usize = 0;
    pub(crate) const WRITE_ACKS: usize = 1;
    pub(crate) const READ_RESPONSES: usize = 2;
    pub(crate) const READ_WORDS: usize = 3;
    pub(crate) const ACCEPTED: usize = 4;
    pub(crate) const READS_SENT: usize = 5;
    pub(crate) const ATOMICS_SENT: usize = 6;
    pub(crate) const WRITE_WORDS_SENT: usize = 8;
    pub(crate) const WRITES_SENT: usize = 10;
    pub(crate) const WRITES_STARTED: usize = 12;
    pub(crate) const READS_STARTED: usize = 14;
    pub(crate) const ATOMICS_STARTED: usize = 15;
    pub(crate) const OUTSTANDING: usize = 16;
    pub(crate) const OUTGOING: usize = 32;
    pub(crate) const SERVED_ATOMIC_RESPONSES: usize = 48;
    pub(crate) const SERVED_WRITE_ACKS: usize = 49;
    pub(crate) const SERVED_READ_RESPONSES: usize = 50;
    pub(crate) const SERVED_READ_WORDS: usize = 51;
    pub(crate) const SERVED_ACCEPTED: usize = 52;
    pub(crate) const SERVED_READS: usize = 53;
    pub(crate) const SERVED_ATOMICS: usize = 54;
    pub(crate) const SERVED_WRITE_WORDS: usize = 56;
    pub(crate) const SERVED_WRITES: usize = 58;
    pub(crate) const SERVED_WRITES_STARTED: usize = 60;
}

/// Converts coordinates on NoC 0 to those of a NoC.
pub(crate) fn on_noc(arch: Arch, noc: usize, (x, y): Coordinate) -> Coordinate {
    let Layout { width, height, .. } = layout(arch);
    match noc {
        0 => (x, y),
        _ => (width - 1 - x, height - 1 - y),
    }
}

/// Returns NOC_NODE_ID of the tile at these coordinates of NoC 0. The dateline bits are
/// undocumented and 0.
pub(crate) fn node_id(arch: Arch, noc: usize, at: Coordinate) -> u32 {
    let (x, y) = on_noc(arch, noc, at);
    let Layout { width, height, .. } = layout(arch);
    x | y << 6 | width << 12 | height << 19 | u32::from(noc == 0) << 28
}

/// Returns NOC_ENDPOINT_ID of a tile, if its kind has a documented numbering.
pub(crate) fn endpoint_id(arch: Arch, noc: usize, (x, y): Coordinate) -> Option<u32> {
    let index = match map::node_kind(arch, (x, y)) {
        NodeKind::Tensix if arch == Arch::Blackhole => {
            let column = if x > 9 { x - 3 } else { x - 1 };
            column + 14 * (y - 2)
        }
        _ => return None,
    };
    Some(index | 0x0100 << 8 | (noc as u32) << 24)
}

/// Maximum number of configuration words.
const MAX_WORDS: usize = 32;

/// The configuration words of an NIU.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    words: [u32; MAX_WORDS],
    arch: Arch,
    noc: usize,
    /// The coordinates of the tile on NoC 0.
    at: Coordinate,
    names: TileNaming,
}

/// How requests name tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileNaming {
    /// By coordinates on the request's NoC, or as translated by the tables of the NIU.
    PerNoc,
    /// By coordinates on NoC 0, also on NoC 1, as if translated by a table, except for DRAM and the
    /// tile itself. Hosts name tiles this way if the chip reports that translated coordinates are
    /// those of NoC 0. On Blackhole the NIU's tables translate, as set by the chip's firmware.
    Noc0,
}

impl Configuration {
    /// Creates the power-on configuration, without translation. With [`TileNaming::Noc0`] on
    /// Blackhole it is the configuration that the firmware leaves.
    pub(crate) fn new(arch: Arch, noc: usize, at: Coordinate, names: TileNaming) -> Self {
        let mut words = [0; MAX_WORDS];
        let (x, y) = match (arch, names) {
            (Arch::Blackhole, TileNaming::Noc0) => {
                translation::configure(&mut words, noc);
                at
            }
            _ => on_noc(arch, noc, at),
        };
        words[layout(arch).id_logical] = x | y << 6;
        Configuration {
            words,
            arch,
            noc,
            at,
            names,
        }
    }

    pub(crate) fn word(&self, k: usize) -> u32 {
        self.words[k]
    }

    pub(crate) fn set_word(&mut self, k: usize, value: u32) {
        self.words[k] = value;
    }

    pub(crate) fn arch(&self) -> Arch {
        self.arch
    }

    /// Translates X and Y of the upper half of an address to coordinates of the NoC.
    fn translated(&self, (x, y): (u32, u32)) -> Coordinate {
        if self.words[0] >> TRANSLATE_BIT & 1 == 0 {
            return (x, y);
        }
        match self.arch {
            Arch::WormholeB0 => {
                let [x_table, y_table] = layout(self.arch).translate_tables;
                let entry = |table, k| translation::entry(&self.words[table..], 4, k);
                (entry(x_table, x), entry(y_table, y))
            }
            Arch::Blackhole => translation::translate(&self.words, (x, y)),
        }
    }

    /// Returns the tile that coordinates name, in coordinates of NoC 0.
    pub(crate) fn tile(&self, named: (u32, u32)) -> Result<Coordinate, Fault> {
        let (x, y) = self.translated(named);
        let Layout { width, height, .. } = layout(self.arch);
        if x >= *width || y >= *height {
            return Err(Fault::undefined(format!(
                "makes a NoC request of ({x}, {y}); the NoC has tiles (0, 0) to ({}, {})",
                width - 1,
                height - 1
            )));
        }
        let here = on_noc(self.arch, self.noc, (x, y));
        let has_cores = |at| {
            matches!(
                map::node_kind(self.arch, at),
                NodeKind::Tensix | NodeKind::Ethernet
            )
        };
        let is_other = here != self.at && has_cores(here) && has_cores((x, y));
        Ok(match (self.arch, self.names) {
            (Arch::WormholeB0, TileNaming::Noc0) if is_other => (x, y),
            _ => here,
        })
    }
}

#[cfg(test)]
mod tests;
