//! Many tiles at once: their launches, and what the NoC carries between them.
//!
//! Each tile has its own schedule; the chip lets one tile take a few turns after the other, as the seed decides. A tile none of
//! whose parties can advance leaves the round until something arrives for it, so tiles that only wait cost nothing.
//! What is carried arrives at once when the sender's NoC says so ([`super::niu`] for the order).
//!
//! Checked at the end, besides what is checked for each tile: the two lines of each ring count the same.

use std::collections::HashMap;
use std::fmt;

use tessera_isa_tensix::Arch;

use super::map::{self, Coordinate, CORES};
use super::niu::{Carried, Delivery, Location, Progress};
use super::{trap, Launch, Tile, NIU};
use crate::dram::{Dram, DramError};
use crate::scheduler::SplitMix64;
use crate::stats::Stats;
use crate::trap::{Fault, Place, Reason, Source, Trap};

/// A kernel on one tile.
#[derive(Clone, Debug)]
pub struct TileLaunch<'a> {
    /// Where the tile is on NoC 0.
    pub coordinate: Coordinate,
    /// Its images and arguments.
    pub launch: Launch<'a>,
}

/// The two words that count a ring's slots. A producer has sent as many as `ready` says, and got back what `freed` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Tile and address of the consumer's word.
    pub ready: (Coordinate, u32),
    /// Tile and address of the producer's word.
    pub freed: (Coordinate, u32),
}

/// Kernels that run at the same time.
#[derive(Clone, Debug)]
pub struct ChipLaunch<'a> {
    /// The tiles.
    pub tiles: Vec<TileLaunch<'a>>,
    /// The rings between them.
    pub rings: Vec<Ring>,
    /// Whether what the NoC carries arrives in units, in any order that the chip allows.
    pub split: bool,
}

impl<'a> ChipLaunch<'a> {
    /// A launch of one tile.
    pub fn of_one(launch: Launch<'a>) -> Self {
        ChipLaunch {
            tiles: vec![TileLaunch {
                coordinate: map::worker(0),
                launch,
            }],
            rings: Vec::new(),
            split: false,
        }
    }
}

/// Why a launch of many tiles stops.
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

struct Chip<'a> {
    dram: &'a mut Dram,
    tiles: Vec<Tile<'a>>,
    coordinates: Vec<Coordinate>,
    index: HashMap<Coordinate, usize>,
    /// Tiles that may be able to advance.
    live: Vec<usize>,
}

/// Runs tiles until none can advance.
pub(crate) fn run(
    arch: Arch,
    dram: &mut Dram,
    launch: &ChipLaunch,
    seed: u64,
) -> Result<Vec<Stats>, ChipTrap> {
    let mut chip = Chip::new(arch, dram, launch, seed)?;
    chip.run(seed)?;
    chip.check_ended(&launch.rings)?;
    Ok(chip.tiles.into_iter().map(Tile::stats).collect())
}

fn setup(tile: Option<Coordinate>, text: String) -> ChipTrap {
    ChipTrap {
        tile,
        trap: Box::new(trap(None, Reason::Setup(text))),
    }
}

impl<'a> Chip<'a> {
    fn new(
        arch: Arch,
        dram: &'a mut Dram,
        launch: &'a ChipLaunch,
        seed: u64,
    ) -> Result<Self, ChipTrap> {
        let mut chip = Chip {
            dram,
            tiles: Vec::new(),
            coordinates: Vec::new(),
            index: HashMap::new(),
            live: (0..launch.tiles.len()).collect(),
        };
        for (
            k,
            TileLaunch {
                coordinate,
                launch: kernel,
            },
        ) in launch.tiles.iter().enumerate()
        {
            let at = Some(*coordinate);
            if !(0..map::WORKERS).any(|k| map::worker(k) == *coordinate) {
                return Err(setup(at, "no worker is there".to_owned()));
            }
            if chip.index.insert(*coordinate, k).is_some() {
                return Err(setup(at, "two kernels are launched there".to_owned()));
            }
            let own = seed.wrapping_add((k as u64).wrapping_mul(0x2545_f491_4f6c_dd1d));
            let tile =
                Tile::new(arch, kernel, (*coordinate, launch.split), own).map_err(|trap| {
                    ChipTrap {
                        tile: at,
                        trap: Box::new(trap),
                    }
                })?;
            chip.tiles.push(tile);
            chip.coordinates.push(*coordinate);
        }
        Ok(chip)
    }

    /// A trap of tile `k`. A launch of one tile need not say which.
    fn at(&self, k: usize, trap: Trap) -> ChipTrap {
        ChipTrap {
            tile: (self.tiles.len() > 1).then(|| self.coordinates[k]),
            trap: Box::new(trap),
        }
    }

    fn run(&mut self, seed: u64) -> Result<(), ChipTrap> {
        let mut random = SplitMix64::new(!seed);
        while !self.live.is_empty() {
            let place = (random.next() % self.live.len() as u64) as usize;
            let k = self.live[place];
            let turns = 1 + random.next() % TURNS;
            for _ in 0..turns {
                let (party, others_are_blocked) = match self.tiles[k].choose() {
                    Some(party) => (party, false),
                    None if self.tiles[k].niu.is_idle() => {
                        self.live.swap_remove(place);
                        break;
                    }
                    None => (NIU, true),
                };
                let advanced = match party {
                    NIU => self.noc(k, others_are_blocked),
                    _ => self.tiles[k].advance(party, self.dram),
                };
                let advanced = advanced.map_err(|trap| self.at(k, trap))?;
                self.tiles[k].note(party, advanced);
            }
        }
        Ok(())
    }

    /// Lets the NoC advance with a request of a tile.
    fn noc(&mut self, k: usize, others_are_blocked: bool) -> Result<bool, Trap> {
        let delivery = match self.tiles[k].niu.advance(others_are_blocked) {
            Progress::Nothing => return Ok(false),
            Progress::Started => return Ok(true),
            Progress::Deliver(delivery) => delivery,
        };
        self.deliver(&delivery).map_err(|fault| Trap {
            place: Some(Place::Pc(delivery.pc)),
            ..trap(Some(Source::Noc), fault)
        })?;
        let tile = &mut self.tiles[k];
        tile.niu.delivered(&delivery, &mut tile.coprocessor.stats);
        Ok(true)
    }

    fn deliver(&mut self, delivery: &Delivery) -> Result<(), Fault> {
        let &Delivery { from, to, .. } = delivery;
        match &delivery.what {
            Carried::Bytes(length, expected) => {
                let bytes = self.read(from, *length)?;
                if let (Some(expected), Location::L1 { addr, .. }) = (expected, from) {
                    if bytes != *expected {
                        return Err(Fault::hazard(format!(
                            "L1 from {addr:#x} on has changed while a NoC write was taking {length} bytes from there; wait for its acknowledgement first"
                        )));
                    }
                }
                self.write(to, &bytes)
            }
            Carried::Increment { by, mask } => {
                let old = self.read(from, 4)?;
                let word = old.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
                let new = word & !mask | word.wrapping_add(*by) & mask;
                self.write(from, &new.to_le_bytes())?;
                self.write(to, &old)
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

    fn read(&mut self, from: Location, length: u32) -> Result<Vec<u8>, Fault> {
        match from {
            Location::Dram { bank, offset } => {
                let mut bytes = vec![0; length as usize];
                self.dram.read(bank, offset, &mut bytes).map_err(refused)?;
                Ok(bytes)
            }
            Location::L1 { tile, addr } => {
                let k = self.tile_at(tile)?;
                let coprocessor = &mut self.tiles[k].coprocessor;
                let bytes = coprocessor.core.l1.read(addr, length as usize)?.to_vec();
                coprocessor.check_l1()?;
                Ok(bytes)
            }
        }
    }

    fn write(&mut self, to: Location, bytes: &[u8]) -> Result<(), Fault> {
        match to {
            Location::Dram { bank, offset } => {
                self.dram.write(bank, offset, bytes).map_err(refused)
            }
            Location::L1 { tile, addr } => {
                let k = self.tile_at(tile)?;
                let tile = &mut self.tiles[k];
                let length = bytes.len() as u32;
                if let Some(core) = map::image_at(&tile.image_words, addr, length) {
                    return Err(Fault::undefined(format!(
                        "brings {length} bytes to {addr:#x}, into the image of core {}; images cannot change",
                        CORES[core]
                    )));
                }
                tile.coprocessor.core.l1.write(addr, bytes)?;
                tile.coprocessor.check_l1()?;
                tile.changed();
                if !self.live.contains(&k) {
                    self.live.push(k);
                }
                Ok(())
            }
        }
    }

    fn check_ended(&mut self, rings: &[Ring]) -> Result<(), ChipTrap> {
        let all = |reason| ChipTrap {
            tile: None,
            trap: Box::new(trap(None, reason)),
        };
        let waiting =
            self.lines_of_tiles(|tile, at| Ok(tile.waiting(|addr| ring_of(rings, at, addr))))?;
        if !waiting.is_empty() {
            return Err(all(Reason::Deadlock(waiting)));
        }
        let mut left = self.lines_of_tiles(|tile, _| tile.left_over())?;
        for (k, ring) in rings.iter().enumerate() {
            let [ready, freed] = [ring.ready, ring.freed].map(|place| self.count(place));
            let (ready, freed) = (ready?, freed?);
            if ready != freed {
                left.push(format!(
                    "ring {k} was given {ready} tiles, of which {freed} were freed"
                ));
            }
        }
        if left.is_empty() {
            Ok(())
        } else {
            Err(all(Reason::Unclean(left)))
        }
    }

    /// What `lines` says of each tile, with the tile's name if there are many.
    fn lines_of_tiles(
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
    fn count(&mut self, (at, addr): (Coordinate, u32)) -> Result<u32, ChipTrap> {
        let fault = |fault| ChipTrap {
            tile: Some(at),
            trap: Box::new(trap(None, fault)),
        };
        let k = self.tile_at(at).map_err(fault)?;
        self.tiles[k].word(addr).map_err(fault)
    }
}

fn refused(error: DramError) -> Fault {
    Fault::undefined(error.to_string())
}

/// Which ring a polled word belongs to, as an addition to its address.
fn ring_of(rings: &[Ring], at: Coordinate, addr: u32) -> String {
    let find = |word: fn(&Ring) -> (Coordinate, u32)| {
        rings.iter().position(|ring| word(ring) == (at, addr))
    };
    match (find(|ring| ring.ready), find(|ring| ring.freed)) {
        (Some(k), _) => format!(" (tiles ready in ring {k})"),
        (_, Some(k)) => format!(" (slots freed of ring {k})"),
        _ => String::new(),
    }
}
