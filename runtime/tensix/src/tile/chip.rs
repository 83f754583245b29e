//! Many tiles at once, and what the NoCs carry between them.
//!
//! Each tile has its own schedule; the chip lets tiles advance in rounds ([`super::rounds`]), as
//! the schedule decides. A tile none of whose parties can advance leaves the rounds until something
//! arrives for it, so tiles that only wait cost nothing. What is carried to other tiles and to DRAM
//! arrives at the end of the round in which the sender's NoC says so ([`super::niu`] for the
//! order).

use std::collections::HashMap;
use std::fmt;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::map::Coordinate;
use super::niu::{Carried, Delivery, Location};
use super::rounds::{self, Memory, Part, Pause, Share};
use super::{trap, Stop, Tile};
use crate::changes::Changes;
use crate::dram::{Dram, DramError};
use crate::scheduler::{Chance, Schedule};
use crate::trap::{Fault, Reason, Trap};

/// The two words that count a ring's slots. A producer has sent as many as `ready` says, and got
/// back what `freed` says.
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

/// Most turns of a tile that is alone, between two looks at the others.
const TURNS: u64 = 64;
/// A tile has up to two to this power turns in a round with others; how many a seed decides anew
/// for each, and few are as likely as many, so that what one tile does comes before or after what
/// another one does.
const MOST_TURNS_LOG2: u64 = 11;
/// The most steps of a round that no seed decides on, which are in vain if a core waits for another
/// tile in a way that does not show.
const GREEDY_STEPS: u64 = 1 << 16;
/// Steps of a round for which it is worth while to wake other threads, if the one before had so
/// many: that takes as long as a few hundred.
const WORTH_THREADS: u64 = 1000;

/// Tiles that share a DRAM, which the methods are given.
pub(crate) struct Chip<'a> {
    tiles: Vec<Tile<'a>>,
    coordinates: Vec<Coordinate>,
    index: HashMap<Coordinate, usize>,
    /// Tiles that may be able to advance.
    live: Vec<usize>,
    chance: Chance,
    /// Threads of the host that rounds may run on, and those beside this one once they have been
    /// started.
    threads: usize,
    others: Option<ThreadPool>,
    /// Steps of the last round.
    last_round: u64,
    /// What is being carried, in a place that is used again.
    carried: Vec<u8>,
}

pub(crate) fn setup(tile: Option<Coordinate>, text: String) -> ChipTrap {
    ChipTrap {
        tile,
        trap: Box::new(trap(None, Reason::Setup(text))),
    }
}

impl<'a> Chip<'a> {
    /// A chip without tiles.
    pub(crate) fn new(schedule: Schedule) -> Self {
        Chip {
            tiles: Vec::new(),
            coordinates: Vec::new(),
            index: HashMap::new(),
            live: Vec::new(),
            chance: schedule.chance(|seed| !seed),
            threads: 1,
            others: None,
            last_round: 0,
            carried: Vec::new(),
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

    /// Has rounds run on so many threads of the host at most; the results are the same.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        (self.threads, self.others) = (threads, None);
    }

    /// Starts the other threads, unless there are to be none or the host has none: the results are
    /// the same.
    fn start_others(&mut self) {
        if self.threads > 1 && self.others.is_none() {
            let pool = ThreadPoolBuilder::new().num_threads(self.threads - 1);
            self.others = pool.build().ok();
        }
    }

    /// Lets tiles advance until none can, or for so many steps, or up to a break.
    pub(crate) fn run(&mut self, dram: &mut Dram, mut steps: u64) -> Result<Stop, ChipTrap> {
        loop {
            if let Some(k) = (0..self.tiles.len()).find(|&k| self.tiles[k].broke) {
                self.tiles[k].broke = false;
                return Ok(Stop::Break(self.coordinates[k]));
            }
            if self.live.is_empty() {
                return Ok(Stop::Rest);
            }
            if steps == 0 {
                return Ok(Stop::Turns);
            }
            let place = self.chance.below(self.live.len() as u64) as usize;
            steps -= match self.live.len() {
                1 => self.go_alone(dram, steps)?,
                _ => self.round(dram, place, steps)?,
            };
        }
    }

    /// Lets the one tile that can advance do so, until another one can; gives how many steps that
    /// took.
    fn go_alone(&mut self, dram: &mut Dram, steps: u64) -> Result<u64, ChipTrap> {
        let k = self.live[0];
        let random = self.chance.next();
        let turns = random.map_or(TURNS, |random| 1 + random % TURNS);
        let mut share = Share::new(turns, steps, true);
        loop {
            let pause = self.tiles[k].go(&mut share, Memory::Own(dram));
            if pause.map_err(|trap| self.at(k, trap))? == Pause::Rests {
                self.live.retain(|&live| live != k);
            }
            if !self.deliver_of(dram, k)? || self.live.len() > 1 {
                return Ok(steps - share.steps());
            }
        }
    }

    /// A round of all tiles that can advance, and the deliveries of all in the same order, which
    /// begins with that at a place; gives how many steps it took.
    fn round(&mut self, dram: &mut Dram, place: usize, steps: u64) -> Result<u64, ChipTrap> {
        self.live.rotate_left(place);
        let order = self.live.clone();
        let each = (steps / order.len() as u64).max(1);
        let mut left = steps;
        let worthwhile = self.last_round > WORTH_THREADS;
        if worthwhile {
            self.start_others();
        }
        // By tile, the turns and steps of those that take part.
        let mut given = vec![None; self.tiles.len()];
        for &k in &order {
            let (turns, most) = match self.chance.next() {
                Some(random) => {
                    let log2 = random % (MOST_TURNS_LOG2 + 1);
                    (1 + (random >> 32) % (1 << log2), each)
                }
                None => (1 << MOST_TURNS_LOG2, each.min(GREEDY_STEPS)),
            };
            given[k] = (left > 0).then(|| (turns, most.min(left)));
            left = left.saturating_sub(each);
        }
        let parts = self.tiles.iter_mut().zip(&given);
        let parts = parts.filter_map(|(tile, given)| {
            let &(turns, steps) = given.as_ref()?;
            Some(Part::new(tile, Share::new(turns, steps, false)))
        });
        let mut parts: Vec<Part> = parts.collect();
        let has_lists = parts.iter().any(|part| part.tile.has_lists());
        let others = self.others.as_ref().filter(|_| worthwhile && !has_lists);
        rounds::run(&mut parts, others, dram);
        let mut ended = parts.into_iter().map(|part| (part.share, part.ended));
        let mut ended: Vec<_> = (given.iter())
            .map(|given| given.and_then(|given| ended.next().map(|ended| (given, ended))))
            .collect();
        self.last_round = 0;
        for &k in &order {
            let Some((given, (share, pause))) = ended[k].take() else {
                continue;
            };
            self.last_round += given.1 - share.steps();
            if pause.map_err(|trap| self.at(k, trap))? == Pause::Rests {
                self.live.retain(|&live| live != k);
            }
        }
        for k in order {
            self.deliver_of(dram, k)?;
        }
        Ok(self.last_round)
    }

    /// Delivers what the NoCs of a tile have to deliver; says whether there was something.
    fn deliver_of(&mut self, dram: &mut Dram, k: usize) -> Result<bool, ChipTrap> {
        let mut any = false;
        for noc in 0..2 {
            if let Some(delivery) = self.tiles[k].deliveries[noc].take() {
                any = true;
                let done = self.complete(dram, (k, noc), &delivery);
                done.map_err(|fault| self.at(k, rounds::of_noc(delivery.pc, fault)))?;
            }
        }
        Ok(any)
    }

    /// Delivers what a NoC of a tile has to deliver, which then can go on.
    fn complete(
        &mut self,
        dram: &mut Dram,
        (k, noc): (usize, usize),
        delivery: &Delivery,
    ) -> Result<(), Fault> {
        self.deliver(dram, &delivery.what)?;
        let devices = &mut self.tiles[k].devices;
        let stats = &mut devices.coprocessor.stats;
        let served = devices.nius[noc].delivered(delivery, stats);
        self.tiles[k].note_delivered(noc);
        self.wake(k);
        if let Some((served, tile)) = served.and_then(|s| Some((s, s.tile?))) {
            if let Some(&k) = self.index.get(&tile) {
                self.tiles[k].devices.nius[noc].note_served(served);
                self.tiles[k].devices.note_changes(Changes::NOCS);
            }
        }
        Ok(())
    }

    fn deliver(&mut self, dram: &mut Dram, what: &Carried) -> Result<(), Fault> {
        match what {
            &Carried::Copy { from, to, length } => {
                let mut bytes = std::mem::take(&mut self.carried);
                bytes.resize(length as usize, 0);
                self.read_into(dram, from, &mut bytes)?;
                let written = self.write(dram, to, &bytes);
                self.carried = bytes;
                written
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
            Location::Dram { bank, offset } => dram.read(bank, offset, bytes).map_err(refused),
            Location::L1 { tile, addr } | Location::Device { tile, addr } => {
                let k = self.tile_at(tile)?;
                self.tiles[k].read_into(addr, bytes)
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

/// The stretches of bytes that are enabled, with where they begin; bit k is for byte k, and all
/// bits set for all bytes.
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

/// What of DRAM nobody may read or write.
pub(super) fn refused(error: DramError) -> Fault {
    Fault::undefined(error.to_string())
}
