//! The machine: DRAM, and the executor of a kernel's four lists on one Tensix core.
//!
//! Seventeen agents advance in an order determined by the [`Schedule`]: the three RISC-V traces,
//! data movement, the three front ends, and the ten units in which instructions stay in flight
//! ([`crate::issue::flight`]). The run ends when all agents are blocked: either the kernel is
//! complete, or it has deadlocked.
//!
//! Each run starts with a core after reset, so no kernel can depend on the state left by another
//! one; DRAM persists. [`crate::issue::coprocessor`] defines what is checked.
//!
//! Cycles are not modelled. Kernels of RISC-V images run in [`crate::host`].

use rayon::{ThreadPool, ThreadPoolBuilder};
use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::Arch;

use crate::chip::{ChipTrap, DecodedImages, SpareParts};
use crate::data_movement::{DataMovement, TensorArg};
use crate::dram::Dram;
use crate::host::{ChipLaunch, Launch};
use crate::issue::coprocessor::{Advanced, Coprocessor};
use crate::issue::scheduler::{Schedule, Scheduler};
use crate::issue::stats::Stats;
use crate::issue::timeline::Timeline;
use crate::map::{self, Coordinate};
use crate::state::changes::{self, Changes, Counts};
use crate::state::model::Model;
use crate::state::request;
use crate::state::units::UNITS;
use crate::trap::{Fault, Reason, Source, Trap, TrapLocation};

/// A chip. List programs run on one of its cores.
#[derive(Clone)]
pub struct Machine {
    arch: Arch,
    model: Model,
    dram: Dram,
    /// The maximum number of instructions per thread of a list program.
    limit: u64,
    /// The recorded time lines, if recording is on.
    recorded: Option<Vec<(Coordinate, Timeline)>>,
    /// Memory of tiles of ended launches.
    spare: SpareParts,
    workers: Workers,
}

impl Machine {
    /// Creates a machine with empty DRAM and the fast model.
    #[must_use]
    pub fn new(arch: Arch) -> Self {
        Machine::with_model(arch, Model::fast())
    }

    /// Creates a machine with empty DRAM.
    #[must_use]
    pub fn with_model(arch: Arch, model: Model) -> Self {
        Machine {
            arch,
            model,
            dram: Dram::new(arch),
            limit: u64::MAX,
            recorded: None,
            spare: SpareParts::default(),
            workers: Workers::default(),
        }
    }

    /// Starts recording the activity of the coprocessors; [`Machine::run_chips`] records its first
    /// launch only.
    pub fn record(&mut self) {
        self.recorded.get_or_insert_default();
    }

    /// Returns the time lines recorded since the last call, with the coordinates of their tiles.
    pub fn take_timelines(&mut self) -> Vec<(Coordinate, Timeline)> {
        self.recorded
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Sets the maximum number of instructions per thread of a list program; launches of images
    /// have their own limits.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Returns the chip's architecture.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Returns the DRAM banks.
    pub fn dram(&mut self) -> &mut Dram {
        &mut self.dram
    }

    /// Runs a kernel to completion.
    ///
    /// # Errors
    /// A [`Trap`]; DRAM then holds whatever had been written.
    pub fn run(
        &mut self,
        lists: &Lists,
        args: &[TensorArg],
        schedule: impl Into<Schedule>,
    ) -> Result<Stats, Trap> {
        let mut run = Run::new((self.arch, self.model), &mut self.dram, lists, args);
        if self.recorded.is_some() {
            run.coprocessor.timeline = Some(Timeline::new(self.arch));
        }
        let (stats, line) = run.finish(schedule.into(), self.limit)?;
        if let (Some(all), Some(line)) = (&mut self.recorded, line) {
            all.push((map::worker(self.arch, 0), line));
        }
        Ok(stats)
    }

    /// Runs a kernel of RISC-V images to completion.
    ///
    /// # Errors
    /// A [`Trap`]; DRAM then holds whatever had been written.
    pub fn run_images(
        &mut self,
        launch: &Launch,
        schedule: impl Into<Schedule>,
    ) -> Result<Stats, Trap> {
        let chip = ChipLaunch::single(self.arch(), launch.clone());
        let mut stats = self.run_chip(&chip, schedule).map_err(|e| *e.trap)?;
        Ok(stats.swap_remove(0))
    }

    /// Runs kernels of RISC-V images on several tiles at once; returns the statistics of each tile.
    ///
    /// # Errors
    /// A [`ChipTrap`]; DRAM then holds whatever had been written.
    pub fn run_chip(
        &mut self,
        launch: &ChipLaunch,
        schedule: impl Into<Schedule>,
    ) -> Result<Vec<Stats>, ChipTrap> {
        let (chip, recorded) = ((self.arch, self.model), self.recorded.is_some());
        let how = (schedule.into(), 1, recorded);
        let images = decoded_images(self.arch, [launch]);
        let shared = (&images, &self.spare);
        let (stats, lines) = crate::host::run_chip(chip, &mut self.dram, launch, how, shared)?;
        if let Some(all) = &mut self.recorded {
            all.extend(lines);
        }
        Ok(stats)
    }

    /// Runs several launches on up to `threads` host threads, each as [`Machine::run_chip`] does,
    /// but starting from the DRAM contents before the first one. Returns the results up to and
    /// including the first error. The results do not depend on the number of threads.
    pub fn run_chips(
        &mut self,
        launches: &[(ChipLaunch, Schedule)],
        threads: usize,
    ) -> Vec<Result<Vec<Stats>, ChipTrap>> {
        let chip = (self.arch, self.model);
        // Idle threads are distributed to the tiles of the launches.
        let of_each = threads / launches.len().max(1);
        let recorded = self.recorded.is_some();
        let images = decoded_images(self.arch, launches.iter().map(|(launch, _)| launch));
        let shared = (&images, &self.spare);
        let workers = self.workers.get(threads);
        let ran = self
            .dram
            .run_isolated(launches.len(), workers, |number, dram| {
                let (launch, schedule) = &launches[number];
                let how = (*schedule, of_each.max(1), recorded && number == 0);
                crate::host::run_chip(chip, dram, launch, how, shared)
            });
        let mut note = |(stats, lines)| {
            if let Some(all) = &mut self.recorded {
                all.extend(lines);
            }
            stats
        };
        ran.into_iter().map(|ran| ran.map(&mut note)).collect()
    }
}

/// Worker threads besides the one that launches, which sleep between launches: to start a thread
/// takes as long as to run a small tile. Clones of a machine may run at the same time and have
/// workers of their own.
#[derive(Default)]
struct Workers(Option<ThreadPool>);

impl Workers {
    /// Returns the workers for launches on `threads` threads, starting them if necessary; `None` if
    /// there should be none, or the host has none.
    fn get(&mut self, threads: usize) -> Option<&ThreadPool> {
        let count = threads.checked_sub(1).filter(|&count| count > 0)?;
        let started = |pool: &ThreadPool| pool.current_num_threads() == count;
        if !self.0.as_ref().is_some_and(started) {
            self.0 = ThreadPoolBuilder::new().num_threads(count).build().ok();
        }
        self.0.as_ref()
    }
}

impl Clone for Workers {
    fn clone(&self) -> Self {
        Workers::default()
    }
}

/// Returns the images of all tiles of some launches.
fn decoded_images<'l, 'a: 'l>(
    arch: Arch,
    launches: impl IntoIterator<Item = &'l ChipLaunch<'a>>,
) -> DecodedImages<'a> {
    let tiles = launches.into_iter().flat_map(|launch| &launch.tiles);
    DecodedImages::new(arch, tiles.map(|tile| &tile.launch.images))
}

/// Agents of the scheduler: three traces, data movement, three front ends, the units.
const DM: usize = 3;
const FRONTEND: usize = 4;
const UNIT: usize = 7;
const AGENTS: usize = UNIT + UNITS;

struct Run<'a> {
    dram: &'a mut Dram,
    lists: &'a Lists,
    data: DataMovement<'a>,
    coprocessor: Coprocessor,
    /// The next entry of each trace and of data movement.
    at: [usize; 4],
    counters: Vec<u32>,
    /// The number of posts to counters.
    posts: u64,
}

impl<'a> Run<'a> {
    fn new(
        (arch, model): (Arch, Model),
        dram: &'a mut Dram,
        lists: &'a Lists,
        args: &'a [TensorArg],
    ) -> Self {
        let mut coprocessor = Coprocessor::new(arch);
        coprocessor.core.model = model;
        Run {
            dram,
            lists,
            data: DataMovement::new(arch.dram_banks(), args),
            coprocessor,
            at: [0; 4],
            counters: Vec::new(),
            posts: 0,
        }
    }

    fn finish(mut self, schedule: Schedule, limit: u64) -> Result<(Stats, Option<Timeline>), Trap> {
        let mut scheduler = Scheduler::<AGENTS>::new(schedule);
        let mut seen = self.changes();
        while let Some(quantum) = scheduler.next_quantum() {
            let mut done = 0;
            while done < quantum.steps {
                let (steps, goes_on) = self.advance(quantum.agent, quantum.steps - done)?;
                self.coprocessor.forget_satisfied_waits();
                done += steps;
                if !(goes_on || schedule == Schedule::Greedy && self.refill(quantum.agent)) {
                    break;
                }
            }
            if let FRONTEND..UNIT = quantum.agent {
                self.check_limit(quantum.agent - FRONTEND, limit)?;
            }
            let changes = self.changes();
            scheduler.wake(changes::between(&seen, &changes));
            seen = changes;
            if done < quantum.steps {
                scheduler.block(quantum.agent, self.waits_for(quantum.agent));
            }
            let occupied = !self.coprocessor.flights.idle_units() << UNIT;
            scheduler.set_unblocked(((1 << UNITS) - 1) << UNIT, occupied);
        }
        for agent in (0..AGENTS).filter(|_| cfg!(debug_assertions)) {
            let (steps, _) = self.advance(agent, 1)?;
            debug_assert!(steps == 0, "agent {agent} waited for something else");
        }
        self.check_ended()?;
        let line = self.coprocessor.timeline.take();
        Ok((self.coprocessor.take_stats(), line))
    }

    /// Lets an agent advance by at least one step, if it can; front ends and traces by at most
    /// `most` steps. Returns the number of steps, and whether the agent may be able to go on.
    fn advance(&mut self, agent: usize, most: u32) -> Result<(u32, bool), Trap> {
        let advanced = match agent {
            DM => self
                .data_movement()
                .map_err(|reason| self.trap_at_list(Source::Dm, DM, reason))?,
            FRONTEND..UNIT => return self.coprocessor.issue(agent - FRONTEND, most),
            UNIT.. => self.retire_oldest(agent - UNIT)?,
            thread => {
                return self.trace(thread, most).map_err(|reason| {
                    self.trap_at_list(Source::of_thread(thread), thread, reason)
                });
            }
        };
        Ok((advanced.into(), advanced))
    }

    /// Returns the change counters; posts count as `OTHER`.
    fn changes(&self) -> Counts {
        let mut counts = self.coprocessor.changes();
        counts[Changes::KINDS - 1] = self.posts;
        counts
    }

    /// Returns the changes that may unblock an agent.
    fn waits_for(&self, agent: usize) -> Changes {
        match agent {
            DM => Changes::OTHER,
            FRONTEND..UNIT => self.coprocessor.waits_for(agent - FRONTEND),
            UNIT.. => Changes::FLIGHTS,
            thread => match self.lists.thread(thread).get(self.at[thread]) {
                Some(Entry::Push(_) | Entry::WaitMop) => Changes::FRONT_ENDS,
                Some(Entry::WaitIdle) => Changes::FRONT_ENDS.or(Changes::FLIGHTS),
                Some(Entry::SemPoll { .. }) => Changes::SYNC,
                Some(Entry::Wait { .. }) => Changes::OTHER,
                // The other entries never block.
                _ => Changes::NOTHING,
            },
        }
    }

    fn retire_oldest(&mut self, unit: usize) -> Result<Advanced, Trap> {
        match self.coprocessor.finish(unit)? {
            None => Ok(false),
            Some((_, None)) => Ok(true),
            Some((thread, Some(sent))) => {
                let fault = Fault::undefined(format!(
                    "{}, which list programs do not have; only images do",
                    sent.request
                ));
                Err(request::trap(
                    self.coprocessor.core.arch,
                    thread,
                    sent.origin,
                    fault,
                ))
            }
        }
    }

    /// Quanta are short, so it suffices to check at the end of each.
    fn check_limit(&self, thread: usize, limit: u64) -> Result<(), Trap> {
        let frontend = &self.coprocessor.frontends[thread];
        match frontend.issued > limit {
            true => Err(Trap {
                source: Some(Source::of_thread(thread)),
                place: Some(TrapLocation::Entry(frontend.last_entry())),
                instruction: None,
                reason: Reason::Endless(limit),
            }),
            false => Ok(()),
        }
    }

    fn trap_at_list(&self, source: Source, list: usize, reason: Reason) -> Trap {
        Trap {
            source: Some(source),
            place: Some(TrapLocation::Entry(self.at[list])),
            instruction: None,
            reason,
        }
    }

    /// Retires the next entry of a trace, if it is ready, or up to `most` pushes. Returns the
    /// number of entries, and whether the next one may be ready.
    fn trace(&mut self, thread: usize, most: u32) -> Result<(u32, bool), Reason> {
        let entries = self.lists.thread(thread).get(self.at[thread]..);
        let Some(entry) = entries.and_then(<[Entry]>::first) else {
            return Ok((0, false));
        };
        entry.check()?;
        let frontend = &mut self.coprocessor.frontends[thread];
        let advanced = match *entry {
            Entry::Push(_) => return Ok(self.push(thread, most)),
            Entry::MopCfg { index, value } => {
                frontend.set_mop_config(index.into(), value)?;
                true
            }
            Entry::WaitMop => frontend.is_mop_done(),
            Entry::WaitIdle => self.coprocessor.idle(thread),
            Entry::SemPost(sem) => {
                self.coprocessor.sync.post(1 << sem);
                true
            }
            Entry::SemGet(sem) => {
                self.coprocessor.sync.get(1 << sem);
                true
            }
            Entry::SemPoll { sem, at_least } => self.coprocessor.sync.value(sem.into()) >= at_least,
            Entry::Post { counter } => self.post(counter),
            Entry::Wait { counter, at_least } => self.counter(counter) >= at_least,
        };
        self.at[thread] += usize::from(advanced);
        Ok((advanced.into(), advanced))
    }

    /// Retires the next entries of a trace, up to `most`, while they are pushes and there is room
    /// for them. Returns their number, and whether there was room for all.
    fn push(&mut self, thread: usize, most: u32) -> (u32, bool) {
        let at = self.at[thread];
        let frontend = &mut self.coprocessor.frontends[thread];
        let entries = self.lists.thread(thread).get(at..).unwrap_or_default();
        let entries = &entries[..entries.len().min(most as usize)];
        let (mut pushed, mut has_room) = (0, true);
        while let Some(Entry::Push(word)) = entries.get(pushed) {
            has_room = frontend.push(*word, at + pushed);
            if !has_room {
                break;
            }
            pushed += 1;
        }
        self.at[thread] += pushed;
        (pushed as u32, has_room)
    }

    /// If an agent is a front end, retires the pushes of its trace that there is room for; returns
    /// whether there are any. A quantum for each FIFO of words would take longer than to issue
    /// them.
    fn refill(&mut self, agent: usize) -> bool {
        let FRONTEND..UNIT = agent else {
            return false;
        };
        self.push(agent - FRONTEND, u32::MAX).0 > 0
    }

    fn post(&mut self, counter: u16) -> Advanced {
        let counter = usize::from(counter);
        if self.counters.len() <= counter {
            self.counters.resize(counter + 1, 0);
        }
        self.counters[counter] += 1;
        self.posts += 1;
        true
    }

    fn counter(&self, counter: u16) -> u32 {
        self.counters
            .get(usize::from(counter))
            .copied()
            .unwrap_or(0)
    }

    /// Retires the next entry of the data movement list, if it is ready.
    fn data_movement(&mut self) -> Result<Advanced, Reason> {
        let Some(entry) = self.lists.dm.get(self.at[DM]) else {
            return Ok(false);
        };
        let advanced = match *entry {
            DmEntry::Read { arg, page, l1 } => {
                self.data
                    .read_page(self.dram, &mut self.coprocessor, (arg, page, l1))?;
                true
            }
            DmEntry::Write { arg, page, l1 } => {
                self.data
                    .write_page(self.dram, &mut self.coprocessor, (arg, page, l1))?;
                true
            }
            DmEntry::Post { counter } => self.post(counter),
            DmEntry::Wait { counter, at_least } => self.counter(counter) >= at_least,
        };
        self.at[DM] += usize::from(advanced);
        Ok(advanced)
    }

    fn check_ended(&self) -> Result<(), Trap> {
        let trap = |reason| Trap {
            source: None,
            place: None,
            instruction: None,
            reason,
        };
        let waiting = self.waiting();
        if !waiting.is_empty() {
            return Err(trap(Reason::Deadlock(waiting)));
        }
        let left = self.coprocessor.left_over();
        if left.is_empty() {
            Ok(())
        } else {
            Err(trap(Reason::Unclean(left)))
        }
    }

    /// Describes what each unfinished list and front end waits for.
    fn waiting(&self) -> Vec<String> {
        let mut out = Vec::new();
        for thread in 0..3 {
            let source = Source::of_thread(thread);
            if let Some(entry) = self.lists.thread(thread).get(self.at[thread]) {
                out.push(format!(
                    "{source} list at entry {}, `{}`",
                    self.at[thread],
                    entry.text(self.coprocessor.core.arch)
                ));
            }
            if let Some((instruction, entry, why)) = self.coprocessor.waiting(thread) {
                out.push(format!(
                    "{source}: `{}` of entry {entry} waits for {why}",
                    instruction.text(self.coprocessor.core.arch)
                ));
            }
        }
        if let Some(entry) = self.lists.dm.get(self.at[DM]) {
            out.push(format!("dm list at entry {}, `{entry}`", self.at[DM]));
        }
        out
    }
}
