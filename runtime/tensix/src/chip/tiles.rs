//! The tiles of a chip by their coordinates, and deliveries between them and DRAM.

use std::collections::HashMap;

use super::outcome::ChipTrap;
use crate::dram::Dram;
use crate::map::Coordinate;
use crate::noc::{noc_trap, Delivery, Location, Payload};
use crate::tile::Tile;
use crate::trap::{Fault, Trap};

/// Tiles at coordinates.
#[derive(Default)]
pub(super) struct Tiles<'a> {
    pub(super) tiles: Vec<Box<Tile<'a>>>,
    pub(super) coordinates: Vec<Coordinate>,
    index: HashMap<Coordinate, usize>,
    /// The numbers of tiles that are not blocked.
    pub(super) live: Vec<usize>,
    /// Buffer for NoC payloads.
    carried: Vec<u8>,
}

impl<'a> Tiles<'a> {
    /// Adds a tile; returns false if there is one at these coordinates.
    pub(super) fn add(&mut self, at: Coordinate, tile: Box<Tile<'a>>) -> bool {
        let k = self.tiles.len();
        if self.index.contains_key(&at) {
            return false;
        }
        self.index.insert(at, k);
        self.tiles.push(tile);
        self.coordinates.push(at);
        self.live.push(k);
        true
    }

    /// Returns the tile at these coordinates and marks it as runnable.
    pub(super) fn get_mut(&mut self, at: Coordinate) -> Option<&mut Tile<'a>> {
        let k = *self.index.get(&at)?;
        self.wake(k);
        Some(&mut self.tiles[k])
    }

    pub(super) fn wake(&mut self, k: usize) {
        if !self.live.contains(&k) {
            self.live.push(k);
        }
    }

    /// Returns all tiles with their coordinates.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Coordinate, &mut Tile<'a>)> {
        let tiles = self.tiles.iter_mut().map(|tile| &mut **tile);
        self.coordinates.iter().copied().zip(tiles)
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = Box<Tile<'a>>> {
        self.tiles.into_iter()
    }

    /// Makes a trap of tile `k`. The coordinates are omitted if there is only one tile.
    pub(super) fn trap_at(&self, k: usize, trap: Trap) -> ChipTrap {
        ChipTrap {
            tile: (self.tiles.len() > 1).then(|| self.coordinates[k]),
            trap: Box::new(trap),
        }
    }

    /// Makes the deliveries of a tile's NoCs, each only one or all that have been requested.
    /// Returns whether there were any.
    pub(super) fn deliver_from(
        &mut self,
        dram: &mut Dram,
        k: usize,
        all: bool,
    ) -> Result<bool, ChipTrap> {
        let mut any = false;
        for noc in 0..2 {
            let mut next = self.tiles[k].take_delivery(noc);
            while let Some(delivery) = next {
                any = true;
                let done = self.complete(dram, (k, noc), &delivery);
                done.map_err(|fault| self.trap_at(k, noc_trap(delivery.pc, fault)))?;
                if !all {
                    break;
                }
                let further = self.tiles[k].next_delivery(noc, dram);
                next = further.map_err(|trap| self.trap_at(k, trap))?;
            }
        }
        Ok(any)
    }

    /// Makes a NoC's delivery and lets the NoC continue.
    fn complete(
        &mut self,
        dram: &mut Dram,
        (k, noc): (usize, usize),
        delivery: &Delivery,
    ) -> Result<(), Fault> {
        self.deliver(dram, &delivery.what)?;
        let served = self.tiles[k].complete_delivery(noc, delivery);
        self.wake(k);
        if let Some((served, tile)) = served.and_then(|s| Some((s, s.tile?))) {
            if let Some(&k) = self.index.get(&tile) {
                self.tiles[k].note_served(noc, served);
            }
        }
        Ok(())
    }

    fn deliver(&mut self, dram: &mut Dram, what: &Payload) -> Result<(), Fault> {
        match what {
            &Payload::Copy { from, to, length } => {
                let mut bytes = std::mem::take(&mut self.carried);
                bytes.resize(length as usize, 0);
                self.read_into(dram, from, &mut bytes)?;
                let written = self.write(dram, to, &bytes);
                self.carried = bytes;
                written
            }
            Payload::Store {
                to,
                data,
                range,
                enabled,
            } => {
                for (start, run) in enabled_runs(&data[range.clone()], *enabled) {
                    self.write(dram, to.plus(start), run)?;
                }
                Ok(())
            }
            &Payload::Atomic { at, atomic, answer } => {
                let old = self.read(dram, at, 4)?;
                let (start, length) = atomic.place();
                let place = at.line().plus(start);
                let mut bytes = self.read(dram, place, length)?;
                atomic.apply(&mut bytes);
                self.write(dram, place, &bytes)?;
                match answer {
                    Some(answer) => self.write(dram, answer, &old),
                    None => Ok(()),
                }
            }
        }
    }

    fn tile_at(&mut self, at: Coordinate) -> Result<usize, Fault> {
        self.index.get(&at).copied().ok_or_else(|| {
            Fault::undefined(format!(
                "makes a NoC request of tile ({}, {}), where this launch has no kernel",
                at.0, at.1
            ))
        })
    }

    fn read(&mut self, dram: &mut Dram, from: Location, length: u32) -> Result<Vec<u8>, Fault> {
        let mut bytes = vec![0; length as usize];
        self.read_into(dram, from, &mut bytes)?;
        Ok(bytes)
    }

    fn read_into(
        &mut self,
        dram: &mut Dram,
        from: Location,
        bytes: &mut [u8],
    ) -> Result<(), Fault> {
        match from {
            Location::Dram { bank, offset } => Ok(dram.read(bank, offset, bytes)?),
            Location::L1 { tile, addr } | Location::Device { tile, addr } => {
                let k = self.tile_at(tile)?;
                self.tiles[k].read_into(addr, bytes)
            }
        }
    }

    fn write(&mut self, dram: &mut Dram, to: Location, bytes: &[u8]) -> Result<(), Fault> {
        match to {
            Location::Dram { bank, offset } => Ok(dram.write(bank, offset, bytes)?),
            Location::L1 { tile, addr } | Location::Device { tile, addr } => {
                let k = self.tile_at(tile)?;
                self.tiles[k].write(addr, bytes)?;
                self.wake(k);
                Ok(())
            }
        }
    }

    /// Reads a word of a tile.
    pub(super) fn word(&mut self, (at, addr): (Coordinate, u32)) -> Result<u32, ChipTrap> {
        let word = self.tile_at(at).and_then(|k| self.tiles[k].word(addr));
        word.map_err(|fault| ChipTrap {
            tile: Some(at),
            trap: Box::new(Trap::new(None, fault)),
        })
    }
}

/// Returns the runs of enabled bytes with their offsets. Bit k enables byte k; all bits set enable
/// all bytes.
fn enabled_runs(bytes: &[u8], enabled: u64) -> Vec<(u32, &[u8])> {
    if enabled == u64::MAX {
        return vec![(0, bytes)];
    }
    let on = |k: usize| k < 64 && enabled >> k & 1 != 0;
    let mut runs = Vec::new();
    let mut k = 0;
    while k < bytes.len() {
        let end = (k..bytes.len()).find(|&k| !on(k)).unwrap_or(bytes.len());
        if end > k {
            runs.push((k as u32, &bytes[k..end]));
        }
        k = end + 1;
    }
    runs
}
