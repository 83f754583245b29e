//! The registers of an NIU that are not part of a request: identification, configuration, counters.

use tessera_isa_tensix::noc::{
    CONFIG_WORDS, HEIGHT, ID_LOGICAL, TRANSLATE_BIT, TRANSLATE_TABLE, WIDTH,
};

use super::super::map::{self, Coordinate};
use crate::trap::Fault;

/// Counters of an NIU.
pub(crate) const COUNTERS: usize = 64;

/// Numbers of counters (ISA documentation, `NoC/Counters.md`). Those of posted requests, where there are two, come
/// right after those of requests that are answered.
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

/// Where a tile is in the coordinates of a NoC.
pub(crate) fn on_noc(noc: usize, (x, y): Coordinate) -> Coordinate {
    match noc {
        0 => (x, y),
        _ => (WIDTH - 1 - x, HEIGHT - 1 - y),
    }
}

/// NOC_NODE_ID of the tile at these coordinates of NoC 0. The dateline bits are not documented and 0.
pub(crate) fn node_id(noc: usize, at: Coordinate) -> u32 {
    let (x, y) = on_noc(noc, at);
    x | y << 6 | WIDTH << 12 | HEIGHT << 19 | u32::from(noc == 0) << 28
}

/// The configuration words of an NIU.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    words: [u32; CONFIG_WORDS],
    noc: usize,
    /// Where the tile is on NoC 0.
    at: Coordinate,
    names: Names,
}

/// How requests name tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// By their coordinates on the NoC of the request, or as the tables of the NIU translate.
    OfEachNoc,
    /// On NoC 1, too, other Tensix and Ethernet tiles are named by their coordinates on NoC 0, as if a table translated them; DRAM
    /// and the tile itself are not. Hosts that believe that coordinates are translated name tiles so, if the chip tells them
    /// that translated coordinates are those of NoC 0.
    OfNoc0,
}

impl Configuration {
    /// As it is when power comes on: no translation.
    pub(crate) fn new(noc: usize, at: Coordinate, names: Names) -> Self {
        let (x, y) = on_noc(noc, at);
        let mut words = [0; CONFIG_WORDS];
        words[ID_LOGICAL] = x | y << 6;
        Configuration {
            words,
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

    /// X and Y of the upper half of an address, in the coordinates of the NoC.
    fn translated(&self, (x, y): (u32, u32)) -> Coordinate {
        if self.words[0] >> TRANSLATE_BIT & 1 == 0 {
            return (x, y);
        }
        // Only five bits have an entry.
        let entry =
            |table: usize, k: u32| self.words[table + (k % 32 / 8) as usize] >> (4 * (k % 8)) & 15;
        (entry(TRANSLATE_TABLE, x), entry(TRANSLATE_TABLE + 4, y))
    }

    /// The tile that coordinates name, in those of NoC 0.
    pub(crate) fn tile(&self, named: (u32, u32)) -> Result<Coordinate, Fault> {
        let (x, y) = self.translated(named);
        if x >= WIDTH || y >= HEIGHT {
            return Err(Fault::undefined(format!(
                "makes a NoC request of ({x}, {y}); the NoC has tiles (0, 0) to ({}, {})",
                WIDTH - 1,
                HEIGHT - 1
            )));
        }
        let here = on_noc(self.noc, (x, y));
        let has_cores = |at| map::is_tensix(at) || map::is_ethernet(at);
        let is_other = here != self.at && has_cores(here) && has_cores((x, y));
        Ok(match self.names {
            Names::OfNoc0 if is_other => (x, y),
            _ => here,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another Tensix tile by its name on NoC 0; itself and DRAM as on NoC 1.
    #[test]
    fn names_of_noc_0() {
        let c = Configuration::new(1, (1, 1), Names::OfNoc0);
        let tiles = [(1, 2), (8, 10), (9, 0), (4, 6)].map(|named| c.tile(named).unwrap());
        assert_eq!(tiles, [(1, 2), (1, 1), (0, 11), (5, 5)]);
        let c = Configuration::new(0, (1, 1), Names::OfNoc0);
        assert_eq!(c.tile((8, 10)), Ok((8, 10)));
    }

    #[test]
    fn coordinates() {
        assert_eq!((on_noc(0, (1, 2)), on_noc(1, (1, 2))), ((1, 2), (8, 9)));
        assert_eq!(node_id(0, (1, 2)), 0x1060_a081);
        assert_eq!(node_id(1, (1, 2)), 0x0060_a248);
        let mut c = Configuration::new(1, (1, 2), Names::OfEachNoc);
        assert_eq!(c.word(ID_LOGICAL), 8 | 9 << 6);
        assert_eq!(c.tile((8, 9)), Ok((1, 2)));
        assert_eq!(
            c.tile((18, 3)).unwrap_err().to_string(),
            "undefined behaviour: makes a NoC request of (18, 3); the NoC has tiles (0, 0) to (9, 11)"
        );
        // As firmware translates 18 and 19: columns 8 and 7, rows 10 and 9 of NoC 1.
        c.set_word(0, 1 << TRANSLATE_BIT);
        c.set_word(TRANSLATE_TABLE + 2, 0x7800);
        c.set_word(TRANSLATE_TABLE + 4 + 2, 0x9a00);
        assert_eq!(c.tile((18, 19)), Ok((1, 2)));
    }
}
