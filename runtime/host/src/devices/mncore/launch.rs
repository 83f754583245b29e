//! Runs kernels on a board.
//!
//! Programs launch the same short kernels many times, so their statements are unpacked once, also
//! for several runs. The statements of long kernels are unpacked for each launch, a portion at a
//! time, since they would take too much memory. Runs also hand on the board, whose memory takes
//! longer to get from the system than to clear.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tessera_isa_mncore::ast;
use tessera_isa_mncore::layout::Image;
use tessera_isa_mncore::unit::UnpackError;
use tessera_mncore::decoded::DecodedProgram;
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::race::RacePolicy;
use tessera_mncore::stats::Stats;
use tessera_mncore::trap::Trap;
use tessera_mncore::undetermined::UndeterminedSet;
use tessera_program::{MncoreProgram, MncoreStatement};

use super::{MncoreError, MncoreOptions};

/// Number of statements of a portion; a long kernel has a million.
const PORTION: usize = 4096;

/// The initial content of memories on the chip with [`MncoreOptions::memory_canaries`]: 1e9 in each
/// single. Sums and products of a few of them are finite; the manual leaves much of infinities
/// undetermined.
const CANARY: u64 = 0x4e6e_6b28_4e6e_6b28;

/// Statistics of a kernel's run.
#[derive(Debug, Clone)]
pub struct Launch {
    /// Steps, transfers, modelled cycles.
    pub stats: Stats,
    /// The undetermined points of the manual that its results depend on.
    pub marks: UndeterminedSet,
}

/// Runs kernels, each on a board in its initial state.
pub struct Launcher {
    options: MncoreOptions,
    /// The board; `None` before the first kernel.
    machine: Option<Machine>,
    shared: Arc<SharedLaunches>,
}

/// What runs of a program hand on to later ones.
#[derive(Default)]
pub struct SharedLaunches {
    /// The statements of the kernels that ran and have one portion, by their numbers in the file.
    portions: Mutex<HashMap<u32, Arc<Portion>>>,
    /// A board that no run uses, with the options that it was made for.
    machine: Mutex<Option<(MncoreOptions, Machine)>>,
}

impl SharedLaunches {
    fn get(&self, kernel: u32) -> Option<Arc<Portion>> {
        let portions = self.portions.lock().unwrap_or_else(PoisonError::into_inner);
        portions.get(&kernel).map(Arc::clone)
    }

    fn insert(&self, kernel: u32, portion: Portion) {
        let mut portions = self.portions.lock().unwrap_or_else(PoisonError::into_inner);
        portions.insert(kernel, Arc::new(portion));
    }

    /// Takes the board if it was made for these options.
    fn take_machine(&self, options: MncoreOptions) -> Option<Machine> {
        let mut machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, machine) = machine.take_if(|(own, _)| *own == options)?;
        Some(machine)
    }

    fn return_machine(&self, options: MncoreOptions, machine: Machine) {
        let mut free = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        *free = Some((options, machine));
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        if let Some(machine) = self.machine.take() {
            self.shared.return_machine(self.options, machine);
        }
    }
}

impl Launcher {
    /// Creates a launcher, without a board as yet.
    pub fn new(options: MncoreOptions) -> Self {
        Launcher {
            options,
            machine: None,
            shared: Arc::default(),
        }
    }

    /// Returns what other runs of the program can share.
    pub fn shared(&self) -> Arc<SharedLaunches> {
        Arc::clone(&self.shared)
    }

    /// Shares with other runs of the program.
    pub fn share(&mut self, shared: &Arc<SharedLaunches>) {
        self.shared = Arc::clone(shared);
    }

    /// Runs kernel number `index` of the file. `inputs` and `results` hold its arguments in
    /// DRAM before the run, the latter also after it.
    pub fn launch(
        &mut self,
        (index, kernel): (u32, &str),
        body: &MncoreProgram,
        inputs: &[Arc<Image>],
        results: &mut [Image],
    ) -> Result<Launch, MncoreError> {
        if self.machine.is_none() {
            self.machine = self.shared.take_machine(self.options);
        }
        let machine = initial_machine(&mut self.machine, self.options);
        for image in inputs.iter().map(|image| &**image).chain(&*results) {
            for (group, words) in machine.board.groups.iter_mut().zip(&image.groups) {
                group.dram.write(image.base.into(), words);
            }
        }
        let mut stats = Stats::new(Geometry::BOARD);
        match self.shared.get(index) {
            Some(portion) => portion.run(kernel, body, machine, &mut stats)?,
            None => {
                let only = run(kernel, body, machine, &mut stats)?;
                if let Some(only) = only {
                    self.shared.insert(index, only);
                }
            }
        }
        for image in results {
            for (group, words) in machine.board.groups.iter().zip(&mut image.groups) {
                let read = group.dram.read(image.base.into(), words);
                read.expect("the host wrote all of an argument before");
            }
        }
        let marks = machine.undetermined_points();
        Ok(Launch { stats, marks })
    }
}

/// Returns the board in its initial state; creates it if there is none.
fn initial_machine(machine: &mut Option<Machine>, options: MncoreOptions) -> &mut Machine {
    if let Some(machine) = machine {
        machine.reset();
    }
    let machine = machine.get_or_insert_with(|| {
        Machine::new(Options {
            geometry: Geometry::BOARD,
            model: options.model,
            zero_dram: false,
            races: RacePolicy::Error,
            undetermined: options.undetermined,
            limit_steps: options.limit_steps,
            threads: options.threads,
        })
    });
    if options.memory_canaries {
        fill(machine);
    }
    machine
}

/// Fills all memories on the chip with canaries.
fn fill(machine: &mut Machine) {
    let board = &mut machine.board;
    board.l2bm.for_each(|l2bm| l2bm.fill(CANARY));
    for group in &mut board.groups {
        group.pdm.fill(CANARY);
    }
    machine.blocks.for_each(|block| {
        block.l1bm.fill(CANARY);
        block
            .memory
            .iter_mut()
            .for_each(|planes| planes.fill(CANARY));
        block
            .matrix
            .iter_mut()
            .for_each(|register| register.fill(CANARY));
    });
}

/// Executes the statements, a portion at a time. Returns the portion if it is the only one.
fn run(
    kernel: &str,
    body: &MncoreProgram,
    machine: &mut Machine,
    stats: &mut Stats,
) -> Result<Option<Portion>, MncoreError> {
    let damaged = |error| damaged(kernel, error);
    let mut rest = body.statements().map_err(damaged)?;
    let mut only = None;
    for count in 0.. {
        let portion = Portion::unpack(&mut rest).map_err(damaged)?;
        if portion.places.is_empty() {
            break;
        }
        portion.run(kernel, body, machine, stats)?;
        only = (count == 0).then_some(portion);
    }
    Ok(only)
}

/// Unpacked statements of a kernel.
struct Portion {
    program: DecodedProgram,
    /// The line of each statement in the listing, its word, and the number of steps before it.
    places: Vec<(u32, usize, usize)>,
}

impl Portion {
    /// Unpacks the next statements.
    fn unpack(
        statements: &mut impl Iterator<Item = Result<MncoreStatement, UnpackError>>,
    ) -> Result<Portion, UnpackError> {
        let mut places = Vec::new();
        let mut program = ast::Program::default();
        for found in statements.take(PORTION) {
            let MncoreStatement {
                statement,
                word,
                step,
            } = found?;
            places.push((statement.span.line, word, step));
            program.statements.push(statement);
        }
        Ok(Portion {
            program: DecodedProgram::new(program, Geometry::BOARD),
            places,
        })
    }

    /// Executes the statements.
    fn run(
        &self,
        kernel: &str,
        body: &MncoreProgram,
        machine: &mut Machine,
        stats: &mut Stats,
    ) -> Result<(), MncoreError> {
        // There are no statements that tell anything, and races stop.
        let ran = machine.run_decoded(&self.program, &mut |_| ());
        ran.map_err(|trap| stopped(kernel, body, &self.places, trap))?;
        stats.add(&self.program.program().statements);
        Ok(())
    }
}

fn damaged(kernel: &str, error: UnpackError) -> MncoreError {
    MncoreError::Units {
        kernel: kernel.to_owned(),
        error: Box::new(error),
    }
}

/// Returns a trap with its place.
fn stopped(
    kernel: &str,
    body: &MncoreProgram,
    places: &[(u32, usize, usize)],
    trap: Trap,
) -> MncoreError {
    let line = trap.span.line;
    let here = places.iter().find(|place| place.0 == line);
    let (word, step) = here.map_or((0, 0), |place| (place.1, place.2));
    let place = body.place(word);
    MncoreError::Board {
        kernel: kernel.to_owned(),
        step,
        line,
        place: place
            .map(|place| format!(" at {place}"))
            .unwrap_or_default(),
        reason: Box::new(trap.reason),
    }
}
