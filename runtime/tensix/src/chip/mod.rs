//! A chip: several tiles, and the NoC deliveries between them.
//!
//! Each tile has its own scheduler. The chip lets its tiles advance in epochs (`epochs`).
//! A tile all of whose agents are blocked leaves the epochs until something arrives for it, so idle
//! tiles cost nothing. Deliveries to other tiles and to DRAM happen at the end of the epoch;
//! `noc` defines their order.

use std::collections::HashMap;
use std::fmt;

use rayon::{ThreadPool, ThreadPoolBuilder};

mod epochs;
mod sharing;

use crate::dram::{Dram, DramError};
use crate::issue::scheduler::{ChoiceSource, Schedule};
use crate::map::Coordinate;
use crate::noc::{Delivery, Location, Payload};
use crate::state::changes::Changes;
use crate::tile::{trap, Tile};
use crate::trap::{Fault, Reason, Trap};
use epochs::{Budget, DramAccess, EpochTask, TileState};
pub(crate) use sharing::{DecodedImages, SpareParts};

/// A trap on a chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChipTrap {
    /// The tile that caused it, if it was a single one.
    pub tile: Option<Coordinate>,
    /// The trap.
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

/// Why a chip has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All tiles are blocked until the host does something.
    Quiescent,
    /// The step limit was reached.
    StepLimit,
    /// A breakpoint was hit in this tile.
    Break(Coordinate),
}

/// The maximum number of quanta of a tile that runs alone, before other tiles are considered.
const MAX_SOLO_QUANTA: u64 = 64;
/// The maximum number of quanta of a tile in an epoch with others, as a power of two. A seed draws
/// a new number for each tile and epoch on a logarithmic scale, so that tiles run ahead of each
/// other by short and by long distances.
const MAX_QUANTA_LOG2: u64 = 11;
/// The maximum number of steps of a tile in an epoch without a seed. Steps are wasted if a core
/// busy-waits for another tile in a way that the model does not recognise as polling.
const MAX_EPOCH_STEPS: u64 = 1 << 16;
/// The number of steps of the last epoch from which worker threads pay off: waking them takes as
/// long as a few hundred steps.
const MIN_PARALLEL_STEPS: u64 = 1000;

/// Tiles that share a DRAM, which is passed to the methods.
pub(crate) struct Chip<'a> {
    tiles: Vec<Box<Tile<'a>>>,
    coordinates: Vec<Coordinate>,
    index: HashMap<Coordinate, usize>,
    /// Tiles that are not blocked.
    live: Vec<usize>,
    choices: ChoiceSource,
    /// The maximum number of host threads, and the worker threads besides this one once they are
    /// started.
    threads: usize,
    workers: Option<ThreadPool>,
    /// Steps of the last epoch.
    last_epoch_steps: u64,
    /// Buffer for NoC payloads.
    carried: Vec<u8>,
}

pub(crate) fn setup_trap(tile: Option<Coordinate>, text: String) -> ChipTrap {
    ChipTrap {
        tile,
        trap: Box::new(trap(None, Reason::Setup(text))),
    }
}

impl<'a> Chip<'a> {
    /// Creates a chip without tiles.
    pub(crate) fn new(schedule: Schedule) -> Self {
        Chip {
            tiles: Vec::new(),
            coordinates: Vec::new(),
            index: HashMap::new(),
            live: Vec::new(),
            choices: schedule.choice_source(|seed| !seed),
            threads: 1,
            workers: None,
            last_epoch_steps: 0,
            carried: Vec::new(),
        }
    }

    /// Adds a tile; returns false if there is one at these coordinates.
    pub(crate) fn add(&mut self, at: Coordinate, tile: Box<Tile<'a>>) -> bool {
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

    /// Returns all tiles with their coordinates.
    pub(crate) fn tiles(&mut self) -> impl Iterator<Item = (Coordinate, &mut Tile<'a>)> {
        let tiles = self.tiles.iter_mut().map(|tile| &mut **tile);
        self.coordinates.iter().copied().zip(tiles)
    }

    pub(crate) fn into_tiles(self) -> impl Iterator<Item = Box<Tile<'a>>> {
        self.tiles.into_iter()
    }

    /// Makes a trap of tile `k`. The coordinates are omitted if there is only one tile.
    fn trap_at(&self, k: usize, trap: Trap) -> ChipTrap {
        ChipTrap {
            tile: (self.tiles.len() > 1).then(|| self.coordinates[k]),
            trap: Box::new(trap),
        }
    }

    /// Sets the maximum number of host threads; results do not depend on it.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        (self.threads, self.workers) = (threads, None);
    }

    /// Starts the worker threads, if there should be any. If the host has none, the results are the
    /// same.
    fn start_workers(&mut self) {
        if self.threads > 1 && self.workers.is_none() {
            let pool = ThreadPoolBuilder::new().num_threads(self.threads - 1);
            self.workers = pool.build().ok();
        }
    }

    /// Lets tiles advance until all are blocked, for at most `steps` steps, or up to a break.
    pub(crate) fn run(&mut self, dram: &mut Dram, mut steps: u64) -> Result<Stop, ChipTrap> {
        loop {
            if let Some(k) = (0..self.tiles.len()).find(|&k| self.tiles[k].hit_break) {
                self.tiles[k].hit_break = false;
                return Ok(Stop::Break(self.coordinates[k]));
            }
            if self.live.is_empty() {
                return Ok(Stop::Quiescent);
            }
            if steps == 0 {
                return Ok(Stop::StepLimit);
            }
            let place = self.choices.below(self.live.len() as u64) as usize;
            steps -= match self.live.len() {
                1 => self.run_alone(dram, steps)?,
                _ => self.run_epoch(dram, place, steps)?,
            };
        }
    }

    /// Lets the only runnable tile advance until another one becomes runnable; returns the number
    /// of steps.
    fn run_alone(&mut self, dram: &mut Dram, steps: u64) -> Result<u64, ChipTrap> {
        let k = self.live[0];
        let random = self.choices.next();
        let quanta = random.map_or(MAX_SOLO_QUANTA, |random| 1 + random % MAX_SOLO_QUANTA);
        let mut budget = Budget::new(quanta, steps, true);
        loop {
            let state = self.tiles[k].run_quanta(&mut budget, DramAccess::Exclusive(dram));
            if state.map_err(|trap| self.trap_at(k, trap))? == TileState::Blocked {
                self.live.retain(|&live| live != k);
            }
            if !self.deliver_from(dram, k)? || self.live.len() > 1 {
                return Ok(steps - budget.steps());
            }
        }
    }

    /// Runs an epoch of all runnable tiles, then makes their deliveries in the same order, which
    /// starts at `place`. Returns the number of steps.
    fn run_epoch(&mut self, dram: &mut Dram, place: usize, steps: u64) -> Result<u64, ChipTrap> {
        self.live.rotate_left(place);
        let order = self.live.clone();
        let each = (steps / order.len() as u64).max(1);
        let mut left = steps;
        let worthwhile = self.last_epoch_steps > MIN_PARALLEL_STEPS;
        if worthwhile {
            self.start_workers();
        }
        // Per tile, the quanta and steps of those that take part.
        let mut budgets = vec![None; self.tiles.len()];
        for &k in &order {
            let (quanta, most) = match self.choices.next() {
                Some(random) => {
                    let log2 = random % (MAX_QUANTA_LOG2 + 1);
                    (1 + (random >> 32) % (1 << log2), each)
                }
                None => (1 << MAX_QUANTA_LOG2, each.min(MAX_EPOCH_STEPS)),
            };
            budgets[k] = (left > 0).then(|| (quanta, most.min(left)));
            left = left.saturating_sub(each);
        }
        let tasks = self.tiles.iter_mut().zip(&budgets);
        let tasks = tasks.filter_map(|(tile, limits)| {
            let &(quanta, steps) = limits.as_ref()?;
            Some(EpochTask::new(tile, Budget::new(quanta, steps, false)))
        });
        let mut tasks: Vec<EpochTask> = tasks.collect();
        let has_lists = tasks.iter().any(|task| task.tile.has_lists());
        let workers = self.workers.as_ref().filter(|_| worthwhile && !has_lists);
        epochs::run(&mut tasks, workers, dram);
        let mut outcomes = tasks.into_iter().map(|task| (task.budget, task.outcome));
        let mut outcomes: Vec<_> = (budgets.iter())
            .map(|limits| {
                limits.and_then(|limits| outcomes.next().map(|outcome| (limits, outcome)))
            })
            .collect();
        self.last_epoch_steps = 0;
        for &k in &order {
            let Some((limits, (budget, state))) = outcomes[k].take() else {
                continue;
            };
            self.last_epoch_steps += limits.1 - budget.steps();
            if state.map_err(|trap| self.trap_at(k, trap))? == TileState::Blocked {
                self.live.retain(|&live| live != k);
            }
        }
        for k in order {
            self.deliver_from(dram, k)?;
        }
        Ok(self.last_epoch_steps)
    }

    /// Makes the deliveries of a tile's NoCs; returns whether there were any.
    fn deliver_from(&mut self, dram: &mut Dram, k: usize) -> Result<bool, ChipTrap> {
        let mut any = false;
        for noc in 0..2 {
            if let Some(delivery) = self.tiles[k].deliveries[noc].take() {
                any = true;
                let done = self.complete(dram, (k, noc), &delivery);
                done.map_err(|fault| self.trap_at(k, epochs::noc_trap(delivery.pc, fault)))?;
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
            Payload::Store { to, bytes, enabled } => {
                for (start, run) in enabled_runs(bytes, *enabled) {
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

    /// Returns how often units accessed the same bytes of L1 or rows of Dst concurrently.
    pub(crate) fn races(&self) -> u64 {
        let tiles = self.tiles.iter();
        tiles
            .map(|tile| tile.devices.coprocessor.flights.races())
            .sum()
    }

    /// Returns the tiles that are not blocked, sorted.
    pub(crate) fn live(&self) -> Vec<Coordinate> {
        let mut live: Vec<Coordinate> = self.live.iter().map(|&k| self.coordinates[k]).collect();
        live.sort_unstable_by_key(|&(x, y)| (y, x));
        live
    }

    /// Collects the lines that `lines` returns for each tile, prefixed with the tile if there are
    /// several.
    pub(crate) fn collect_lines(
        &mut self,
        lines: impl Fn(&mut Tile, Coordinate) -> Result<Vec<String>, Trap>,
    ) -> Result<Vec<String>, ChipTrap> {
        let many = self.tiles.len() > 1;
        let mut out = Vec::new();
        for k in 0..self.tiles.len() {
            let (x, y) = self.coordinates[k];
            let of_tile =
                lines(&mut self.tiles[k], (x, y)).map_err(|trap| self.trap_at(k, trap))?;
            out.extend(of_tile.into_iter().map(|line| match many {
                true => format!("tile ({x}, {y}): {line}"),
                false => line,
            }));
        }
        Ok(out)
    }

    /// Returns the value of a ring's word.
    pub(crate) fn count(&mut self, (at, addr): (Coordinate, u32)) -> Result<u32, ChipTrap> {
        let fault = |fault| ChipTrap {
            tile: Some(at),
            trap: Box::new(trap(None, fault)),
        };
        let k = self.tile_at(at).map_err(fault)?;
        self.tiles[k].word(addr).map_err(fault)
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

/// Converts a DRAM error of an access through the NoC.
pub(super) fn refused(error: DramError) -> Fault {
    Fault::undefined(error.to_string())
}
