//! A chip: several tiles, and the NoC deliveries between them.
//!
//! Each tile has its own scheduler. The chip lets its tiles advance in epochs (`epochs`). A tile
//! whose agents are all blocked leaves the epochs until something arrives for it, so idle tiles
//! cost nothing. Deliveries to other tiles and to DRAM (`tiles`) happen at the end of the epoch;
//! `noc` defines their order.

mod epochs;
mod outcome;
mod sharing;
mod tiles;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::dram::Dram;
use crate::issue::scheduler::{ChoiceSource, Schedule};
use crate::map::Coordinate;
use crate::tile::{Budget, DramAccess, Tile, TileKind, TileState};
use crate::trap::Trap;
use epochs::EpochTask;
use tiles::Tiles;

pub(crate) use outcome::setup_trap;
pub use outcome::{ChipTrap, Stop};
pub(crate) use sharing::{DecodedImages, SpareParts};

/// The maximum number of quanta of a tile that runs alone, before other tiles are considered.
const MAX_SOLO_QUANTA: u64 = 64;
/// The maximum number of quanta of a tile in an epoch with others, as a power of two. A seed draws
/// a new number for each tile and epoch on a logarithmic scale, so that tiles run ahead of each
/// other by short and by long distances.
const MAX_QUANTA_LOG2: u64 = 11;
/// The maximum number of steps of a tile in an epoch without a seed. Steps are wasted if a core
/// busy-waits for another tile in a way that the model does not recognise as polling.
const MAX_EPOCH_STEPS: u64 = 1 << 16;
/// The number of steps of one of the last two epochs from which worker threads pay off: waking them
/// takes as long as a few hundred steps. Short epochs, in which tiles tell each other of data and
/// of free slots, alternate with long ones.
const MIN_PARALLEL_STEPS: u64 = 1000;

/// How tiles share the steps of an epoch.
struct StepShares {
    steps: u64,
    /// The sum of the shares.
    sum: u64,
}

impl StepShares {
    fn new(tiles: &Tiles, order: &[usize], steps: u64) -> Self {
        let shares = order.iter().map(|&k| tiles.tiles[k].kind().share());
        let sum = shares.sum();
        StepShares { steps, sum }
    }

    /// Returns the number of steps of a tile, and the most that it makes without a seed.
    fn of(&self, tiles: &Tiles, k: usize) -> (u64, u64) {
        let share = tiles.tiles[k].kind().share();
        let part = |whole: u64, sum: u64| {
            let part = u128::from(whole) * u128::from(share) / u128::from(sum);
            (part as u64).max(1)
        };
        let most = part(MAX_EPOCH_STEPS, TileKind::Tensix.share());
        (part(self.steps, self.sum), most)
    }
}

/// Tiles that share a DRAM, which is passed to the methods.
pub(crate) struct Chip<'a> {
    tiles: Tiles<'a>,
    choices: ChoiceSource,
    /// The maximum number of host threads, and the worker threads besides this one once they are
    /// started.
    threads: usize,
    workers: Option<ThreadPool>,
    /// Steps of the last two epochs, the last one first.
    recent_steps: [u64; 2],
}

impl<'a> Chip<'a> {
    /// Creates a chip without tiles.
    pub(crate) fn new(schedule: Schedule) -> Self {
        Chip {
            tiles: Tiles::default(),
            choices: schedule.choice_source(|seed| !seed),
            threads: 1,
            workers: None,
            recent_steps: [0; 2],
        }
    }

    /// Adds a tile; returns false if there is one at these coordinates.
    pub(crate) fn add(&mut self, at: Coordinate, tile: Box<Tile<'a>>) -> bool {
        self.tiles.add(at, tile)
    }

    /// Returns the tile at these coordinates and marks it as runnable.
    pub(crate) fn tile(&mut self, at: Coordinate) -> Option<&mut Tile<'a>> {
        self.tiles.get_mut(at)
    }

    /// Returns all tiles with their coordinates.
    pub(crate) fn tiles(&mut self) -> impl Iterator<Item = (Coordinate, &mut Tile<'a>)> {
        self.tiles.iter_mut()
    }

    pub(crate) fn into_tiles(self) -> impl Iterator<Item = Box<Tile<'a>>> {
        self.tiles.into_iter()
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
            if let Some(k) = self
                .tiles
                .tiles
                .iter_mut()
                .position(|tile| tile.take_hit_break())
            {
                return Ok(Stop::Break(self.tiles.coordinates[k]));
            }
            if self.tiles.live.is_empty() {
                return Ok(Stop::Quiescent);
            }
            if steps == 0 {
                return Ok(Stop::StepLimit);
            }
            let place = self.choices.below(self.tiles.live.len() as u64) as usize;
            steps -= match self.tiles.live.len() {
                1 => self.run_alone(dram, steps)?,
                _ => self.run_epoch(dram, place, steps)?,
            };
        }
    }

    /// Lets the only runnable tile advance until another one becomes runnable; returns the number
    /// of steps.
    fn run_alone(&mut self, dram: &mut Dram, steps: u64) -> Result<u64, ChipTrap> {
        let k = self.tiles.live[0];
        let random = self.choices.next();
        let quanta = random.map_or(MAX_SOLO_QUANTA, |random| 1 + random % MAX_SOLO_QUANTA);
        let mut budget = Budget::new(quanta, steps, true);
        loop {
            let state = self.tiles.tiles[k].run_quanta(&mut budget, DramAccess::Exclusive(dram));
            if state.map_err(|trap| self.tiles.trap_at(k, trap))? == TileState::Blocked {
                self.tiles.live.retain(|&live| live != k);
            }
            if !self.deliver_from(dram, k)? || self.tiles.live.len() > 1 {
                return Ok(steps - budget.steps());
            }
        }
    }

    /// Runs an epoch of all runnable tiles, then makes their deliveries in the same order, which
    /// starts at `place`. Returns the number of steps.
    fn run_epoch(&mut self, dram: &mut Dram, place: usize, steps: u64) -> Result<u64, ChipTrap> {
        self.tiles.live.rotate_left(place);
        let order = self.tiles.live.clone();
        let [last, before] = self.recent_steps;
        let is_long = last.max(before) > MIN_PARALLEL_STEPS;
        let limits = self.limits(&order, steps);
        let mut outcomes = self.run_tiles(&limits, is_long, dram);
        let mut done = 0;
        for &k in &order {
            let (Some((_, most)), Some((budget, state))) = (limits[k], outcomes[k].take()) else {
                continue;
            };
            done += most - budget.steps();
            if state.map_err(|trap| self.tiles.trap_at(k, trap))? == TileState::Blocked {
                self.tiles.live.retain(|&live| live != k);
            }
        }
        for k in order {
            self.deliver_from(dram, k)?;
        }
        self.recent_steps = [done, last];
        Ok(done)
    }

    /// Returns for each tile the most quanta and steps in an epoch of `steps` steps, or `None` if
    /// the tile does not take part.
    fn limits(&mut self, order: &[usize], steps: u64) -> Vec<Option<(u64, u64)>> {
        let shares = StepShares::new(&self.tiles, order, steps);
        let mut left = steps;
        let mut limits = vec![None; self.tiles.tiles.len()];
        for &k in order {
            let (each, most) = shares.of(&self.tiles, k);
            let (quanta, most) = match self.choices.next() {
                Some(random) => {
                    let log2 = random % (MAX_QUANTA_LOG2 + 1);
                    (1 + (random >> 32) % (1 << log2), each)
                }
                None => (1 << MAX_QUANTA_LOG2, each.min(most)),
            };
            limits[k] = (left > 0).then(|| (quanta, most.min(left)));
            left = left.saturating_sub(each);
        }
        limits
    }

    /// Runs the tiles that have limits, on the worker threads if the epoch is expected to be long.
    /// Returns what is left of their budgets, and their states.
    fn run_tiles(
        &mut self,
        limits: &[Option<(u64, u64)>],
        is_long: bool,
        dram: &mut Dram,
    ) -> Vec<Option<(Budget, Result<TileState, Trap>)>> {
        if is_long {
            self.start_workers();
        }
        let tasks = self.tiles.tiles.iter_mut().zip(limits);
        let tasks = tasks.filter_map(|(tile, limits)| {
            let &(quanta, steps) = limits.as_ref()?;
            Some(EpochTask::new(tile, Budget::new(quanta, steps, false)))
        });
        let mut tasks: Vec<EpochTask> = tasks.collect();
        let has_lists = tasks.iter().any(|task| task.tile.has_lists());
        let workers = self.workers.as_ref().filter(|_| is_long && !has_lists);
        epochs::run(&mut tasks, workers, dram);
        let mut outcomes = tasks.into_iter().map(|task| (task.budget, task.outcome));
        let outcomes = limits.iter().map(|limits| {
            limits.as_ref()?;
            outcomes.next()
        });
        outcomes.collect()
    }

    /// Makes the deliveries of a tile: with a seed one of each NoC, so that others come in between,
    /// otherwise all that have been requested. Returns whether there were any.
    fn deliver_from(&mut self, dram: &mut Dram, k: usize) -> Result<bool, ChipTrap> {
        self.tiles.deliver_from(dram, k, !self.choices.is_random())
    }

    /// Returns how often units accessed the same bytes of L1 or rows of Dst concurrently.
    pub(crate) fn races(&self) -> u64 {
        let tiles = self.tiles.tiles.iter();
        tiles.map(|tile| tile.coprocessor().flights.races()).sum()
    }

    /// Returns the tiles that are not blocked, sorted.
    pub(crate) fn live(&self) -> Vec<Coordinate> {
        let mut live: Vec<Coordinate> = self
            .tiles
            .live
            .iter()
            .map(|&k| self.tiles.coordinates[k])
            .collect();
        live.sort_unstable_by_key(|&(x, y)| (y, x));
        live
    }

    /// Collects the lines that `lines` returns for each tile, prefixed with the tile if there are
    /// several.
    pub(crate) fn collect_lines(
        &mut self,
        lines: impl Fn(&mut Tile, Coordinate) -> Result<Vec<String>, Trap>,
    ) -> Result<Vec<String>, ChipTrap> {
        let many = self.tiles.tiles.len() > 1;
        let mut out = Vec::new();
        for k in 0..self.tiles.tiles.len() {
            let (x, y) = self.tiles.coordinates[k];
            let of_tile = lines(&mut self.tiles.tiles[k], (x, y))
                .map_err(|trap| self.tiles.trap_at(k, trap))?;
            out.extend(of_tile.into_iter().map(|line| match many {
                true => format!("tile ({x}, {y}): {line}"),
                false => line,
            }));
        }
        Ok(out)
    }

    /// Returns the value of a ring's word.
    pub(crate) fn count(&mut self, place: (Coordinate, u32)) -> Result<u32, ChipTrap> {
        self.tiles.word(place)
    }
}
