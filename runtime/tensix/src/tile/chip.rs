//! Many tiles at once, and what the NoCs carry between them.
//!
//! Each tile has its own schedule; the chip lets one tile take a few turns after the other, as the seed decides. A tile none of
//! whose parties can advance leaves the round until something arrives for it, so tiles that only wait cost nothing.
//! What is carried arrives at once when the sender's NoC says so ([`super::niu`] for the order).

use std::collections::HashMap;
use std::fmt;

use super::map::Coordinate;
use super::niu::{Carried, Location, Progress};
use super::{trap, Stop, Tile, NOC};
use crate::dram::{Dram, DramError};
use crate::scheduler::{SplitMix64, Turn};
use crate::trap::{Fault, Place, Reason, Source, Trap};

/// The two words that count a ring's slots. A producer has sent as many as `ready` says, and got back what `freed` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Tile and address of the consumer's word.
    pub ready: (Coordinate, u32),
    /// Tile and address of the producer's word.
    pub freed: (Coordinate, u32),
}

/// Why many tiles stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChipTrap {
    /// The tile, if it is one tile's doing.
    pub tile: Option<Coordinate>,
    /// What happened there.
    pub trap: Box<Trap>,
}

impl fmt::Display for ChipTrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((x, y)) = self.tile {
            write!(f, "tile ({x}, {y}): ")?;
        }
        self.trap.fmt(f)
    }
}

impl std::error::Error for ChipTrap {}

/// Turns of a tile before another has its turn.
const TURNS: u64 = 64;

/// Tiles that share a DRAM, which the methods are given.
pub(crate) struct Chip<'a> {
    tiles: Vec<Tile<'a>>,
    coordinates: Vec<Coordinate>,
    index: HashMap<Coordinate, usize>,
    /// Tiles that may be able to advance.
    live: Vec<usize>,
    random: SplitMix64,
}

pub(crate) fn setup(tile: Option<Coordinate>, text: String) -> ChipTrap {
    ChipTrap {
        tile,
        trap: Box::new(trap(None, Reason::Setup(text))),
    }
}

impl<'a> Chip<'a> {
    /// A chip without tiles, with the schedule that `seed` gives.
    pub(crate) fn new(seed: u64) -> Self {
        Chip {
            tiles: Vec::new(),
            coordinates: Vec::new(),
            index: HashMap::new(),
            live: Vec::new(),
            random: SplitMix64::new(!seed),
        }
    }

    /// Puts a tile in, unless one is there.
    pub(crate) fn add(&mut self, at: Coordinate, tile: Tile<'a>) -> bool {
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

    /// The tile at a place, if there is one. It may be able to advance afterwards.
    pub(crate) fn tile(&mut self, at: Coordinate) -> Option<&mut Tile<'a>> {
        let k = *self.index.get(&at)?;
        self.wake(k);
        Some(&mut self.tiles[k])
    }

    fn wake(&mut self, k: usize) {
        if !self.live.contains(&k) {
            self.live.push(k);
        }
    }

    /// All tiles, with their places.
    pub(crate) fn tiles(&mut self) -> impl Iterator<Item = (Coordinate, &mut Tile<'a>)> {
        self.coordinates.iter().copied().zip(&mut self.tiles)
    }

    pub(crate) fn into_tiles(self) -> impl Iterator<Item = Tile<'a>> {
        self.tiles.into_iter()
    }

    /// A trap of tile `k`. A launch of one tile need not say which.
    fn at(&self, k: usize, trap: Trap) -> ChipTrap {
        ChipTrap {
            tile: (self.tiles.len() > 1).then(|| self.coordinates[k]),
            trap: Box::new(trap),
        }
    }

    /// Lets tiles advance until none can, or for so many steps, or up to a break.
    pub(crate) fn run(&mut self, dram: &mut Dram, mut steps: u64) -> Result<Stop, ChipTrap> {
        while !self.live.is_empty() {
            let place = (self.random.next() % self.live.len() as u64) as usize;
            let k = self.live[place];
            for _ in 0..1 + self.random.next() % TURNS {
                if steps == 0 {
                    return Ok(Stop::Turns);
                }
                let (turn, others_are_blocked) = match self.tiles[k].choose() {
                    Some(turn) => (turn, false),
                    None => {
                        let checked = self.tiles[k].check_rest(dram);
                        checked.map_err(|trap| self.at(k, trap))?;
                        if !self.tiles[k].has_requests() {
                            self.live.swap_remove(place);
                            break;
                        }
                        (self.tiles[k].turn_of_noc(), true)
                    }
                };
                let turn = turn.of_at_most(steps);
                let took = self.turn(dram, k, turn, others_are_blocked)?;
                steps -= u64::from(took);
                if std::mem::take(&mut self.tiles[k].broke) {
                    return Ok(Stop::Break(self.coordinates[k]));
                }
            }
        }
        Ok(Stop::Rest)
    }

    /// Lets a party of a tile have its turn, up to a break; gives how many steps that took.
    fn turn(
        &mut self,
        dram: &mut Dram,
        k: usize,
        turn: Turn,
        others_are_blocked: bool,
    ) -> Result<u32, ChipTrap> {
        let party = turn.party;
        let mut done = 0;
        while done < turn.steps && !self.tiles[k].broke {
            let steps = match party {
                NOC.. => {
                    let advanced = self.noc(dram, (k, party - NOC), others_are_blocked);
                    advanced.map(u32::from)
                }
                _ => self.tiles[k].advance(party, turn.steps - done, dram),
            };
            let steps = steps.map_err(|trap| self.at(k, trap))?;
            let tile = &mut self.tiles[k];
            if steps == 0 {
                tile.block(party);
                break;
            }
            done += steps;
            tile.note_advanced(party);
        }
        Ok(done.max(1))
    }

    /// Lets a NoC advance with a request of a tile.
    fn noc(
        &mut self,
        dram: &mut Dram,
        (k, noc): (usize, usize),
        others_are_blocked: bool,
    ) -> Result<bool, Trap> {
        let at_pc = |pc, fault| Trap {
            place: Some(Place::Pc(pc)),
            ..trap(Some(Source::Noc), fault)
        };
        let devices = &mut self.tiles[k].devices;
        let progress = devices.nius[noc].advance(others_are_blocked, &mut devices.coprocessor);
        let delivery = match progress.map_err(|(pc, fault)| at_pc(pc, fault))? {
            Progress::Nothing => return Ok(false),
            Progress::Advanced => return Ok(true),
            Progress::Deliver(delivery) => delivery,
        };
        self.deliver(dram, &delivery.what)
            .map_err(|fault| at_pc(delivery.pc, fault))?;
        let devices = &mut self.tiles[k].devices;
        let stats = &mut devices.coprocessor.stats;
        let served = devices.nius[noc].delivered(&delivery, stats);
        if let Some((served, tile)) = served.and_then(|s| Some((s, s.tile?))) {
            if let Some(&k) = self.index.get(&tile) {
                self.tiles[k].devices.nius[noc].note_served(served);
                self.tiles[k].devices.other_changes += 1;
            }
        }
        Ok(true)
    }

    fn deliver(&mut self, dram: &mut Dram, what: &Carried) -> Result<(), Fault> {
        match what {
            &Carried::Copy { from, to, length } => {
                let bytes = self.read(dram, from, length)?;
                self.write(dram, to, &bytes)
            }
            Carried::Store { to, bytes, enabled } => {
                for (start, run) in enabled_runs(bytes, *enabled) {
                    self.write(dram, to.plus(start), run)?;
                }
                Ok(())
            }
            &Carried::Atomic { at, atomic, answer } => {
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
        match from {
            Location::Dram { bank, offset } => {
                let mut bytes = vec![0; length as usize];
                dram.read(bank, offset, &mut bytes).map_err(refused)?;
                Ok(bytes)
            }
            Location::L1 { tile, addr } | Location::Device { tile, addr } => {
                let k = self.tile_at(tile)?;
                self.tiles[k].read(addr, length)
            }
        }
    }

    fn write(&mut self, dram: &mut Dram, to: Location, bytes: &[u8]) -> Result<(), Fault> {
        match to {
            Location::Dram { bank, offset } => dram.write(bank, offset, bytes).map_err(refused),
            Location::L1 { tile, addr } | Location::Device { tile, addr } => {
                let k = self.tile_at(tile)?;
                self.tiles[k].write(addr, bytes)?;
                self.wake(k);
                Ok(())
            }
        }
    }

    /// How often units used the same bytes of L1 or rows of Dst at a time.
    pub(crate) fn races(&self) -> u64 {
        let of_tile = |tile: &Tile| tile.devices.coprocessor.flights.races();
        self.tiles.iter().map(of_tile).sum()
    }

    /// The tiles that may be able to advance, in order.
    pub(crate) fn live(&self) -> Vec<Coordinate> {
        let mut live: Vec<Coordinate> = self.live.iter().map(|&k| self.coordinates[k]).collect();
        live.sort_unstable_by_key(|&(x, y)| (y, x));
        live
    }

    /// What `lines` says of each tile, with the tile's name if there are many.
    pub(crate) fn lines_of_tiles(
        &mut self,
        lines: impl Fn(&mut Tile, Coordinate) -> Result<Vec<String>, Trap>,
    ) -> Result<Vec<String>, ChipTrap> {
        let many = self.tiles.len() > 1;
        let mut out = Vec::new();
        for k in 0..self.tiles.len() {
            let (x, y) = self.coordinates[k];
            let of_tile = lines(&mut self.tiles[k], (x, y)).map_err(|trap| self.at(k, trap))?;
            out.extend(of_tile.into_iter().map(|line| match many {
                true => format!("tile ({x}, {y}): {line}"),
                false => line,
            }));
        }
        Ok(out)
    }

    /// The value of a ring's word.
    pub(crate) fn count(&mut self, (at, addr): (Coordinate, u32)) -> Result<u32, ChipTrap> {
        let fault = |fault| ChipTrap {
            tile: Some(at),
            trap: Box::new(trap(None, fault)),
        };
        let k = self.tile_at(at).map_err(fault)?;
        self.tiles[k].word(addr).map_err(fault)
    }
}

/// The stretches of bytes that are enabled, with where they begin; bit k is for byte k, and all bits set for all bytes.
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

fn refused(error: DramError) -> Fault {
    Fault::undefined(error.to_string())
}
