//! The configuration words of an NIU, and what tiles they let requests name.

use tessera_isa_tensix::noc::{layout, on_noc, Layout, DEAF_COLUMNS, DEAF_ROWS, TRANSLATE_BIT};
use tessera_isa_tensix::Arch;

use super::grid::{node_kind, NodeKind};
use super::translation;
use crate::map::{self, Coordinate};
use crate::trap::Fault;

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
    /// Creates the power-on configuration, without translation, except that rows which are fused
    /// off receive no broadcasts. With [`TileNaming::Noc0`] on Blackhole it is the configuration
    /// that the firmware leaves.
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
        if names == TileNaming::PerNoc {
            words[DEAF_ROWS] = rows_without_workers(arch, noc);
        }
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

    /// Returns whether a tile, in coordinates of NoC 0, receives broadcasts. All NIUs of a NoC have
    /// the same masks.
    pub(super) fn receives_broadcasts(&self, at: Coordinate) -> bool {
        let (x, y) = on_noc(self.arch, self.noc, at);
        let is_deaf = |word: usize, place: u32| self.words[word] >> place & 1 != 0;
        node_kind(self.arch, at) == NodeKind::Tensix
            && !is_deaf(DEAF_COLUMNS, x)
            && !is_deaf(DEAF_ROWS, y)
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
                node_kind(self.arch, at),
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

/// Returns the rows of a NoC that have no workers, one bit each.
fn rows_without_workers(arch: Arch, noc: usize) -> u32 {
    let worker = |k| on_noc(arch, noc, map::worker(arch, k));
    let rows = (0..map::workers(arch)).fold(0, |rows, k| rows | 1 << worker(k).1);
    !rows & ((1 << layout(arch).height) - 1)
}

#[cfg(test)]
mod tests;
