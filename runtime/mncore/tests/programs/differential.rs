//! Differential test: compares the fast model with the reference model on random programs.
//!
//! Both start from the same random memories. The following must be equal: reported races, the trap
//! with its location and reason, and the undetermined points; without a trap also every memory,
//! register, forwarding and turn-around register and mask. The state after a trap is not compared,
//! since other blocks may be ahead.
//!
//! A failure prints its seed and the shortest program that still fails. `TESSERA_LONG_TESTS=1` runs
//! a hundred thousand programs on small machines, a thousand on all blocks of the board, and a
//! thousand on the full board. `TESSERA_SEED=n` runs one of the small cases.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tessera_isa_mncore::Program;
use tessera_mncore::block::Block;
use tessera_mncore::bus::Bus;
use tessera_mncore::geometry::{Geometry, CYCLES};
use tessera_mncore::machine::{Event, Machine, Model, Options};
use tessera_mncore::matrix_register::MATRIX_ROWS;
use tessera_mncore::race::RacePolicy;
use tessera_mncore::trap::Trap;
use tessera_mncore::undetermined::UndeterminedPolicy;
use tessera_test_support::is_long_run;

use super::generate::{Contents, Generator};

/// Groups, L2B, L1B and MAB of the test machines; mostly small ones, as the reference model is
/// slow.
const MACHINES: [[usize; 4]; 16] = [
    [1, 1, 1, 1],
    [1, 1, 2, 4],
    [1, 1, 1, 1],
    [1, 1, 1, 16],
    [1, 1, 1, 2],
    [1, 1, 8, 1],
    [1, 1, 1, 1],
    [4, 2, 1, 1],
    [1, 1, 1, 1],
    [1, 1, 2, 4],
    [1, 1, 1, 1],
    [1, 1, 8, 1],
    [1, 2, 2, 2],
    [2, 2, 8, 1],
    [1, 1, 1, 8],
    [4, 2, 1, 1],
];

/// The number of statements of a program.
const LENGTH: usize = 8;

/// A random program with the machines it runs on.
struct Case {
    seed: u64,
    program: Program,
    contents: Contents,
    options: Options,
}

impl Case {
    fn new(seed: u64, [groups, l2bs, l1bs, mabs]: [usize; 4]) -> Self {
        let geometry = Geometry {
            groups,
            l2bs,
            l1bs,
            mabs,
        };
        let mut generator = Generator::new(seed, geometry);
        let kind = seed / MACHINES.len() as u64;
        Case {
            seed,
            program: generator.program(LENGTH),
            contents: generator.contents(),
            options: Options {
                geometry,
                zero_dram: kind % 7 != 0,
                races: [RacePolicy::Error, RacePolicy::Warn, RacePolicy::Off][(kind % 3) as usize],
                undetermined: [UndeterminedPolicy::Mark, UndeterminedPolicy::Trap]
                    [(kind % 2) as usize],
                limit_steps: (kind % 50 == 0).then_some(5),
                ..Options::default()
            },
        }
    }

    /// Creates a case on one of the small machines.
    fn small(seed: u64) -> Self {
        Case::new(seed, MACHINES[seed as usize % MACHINES.len()])
    }

    /// Creates a machine with the memories of this case.
    fn machine(&self, model: Model) -> Machine {
        let mut machine = Machine::new(Options {
            model,
            ..self.options
        });
        self.contents.fill(&mut machine);
        machine
    }

    /// Describes how the two machines differ after a program; `None` if they do not.
    fn difference(&self, program: &Program) -> Option<String> {
        let mut fast = self.machine(Model::Fast);
        let mut reference = self.machine(Model::Reference);
        let (ran, told) = run(&mut fast, program);
        let (expect, expect_told) = run(&mut reference, program);
        if told != expect_told {
            return Some(format!("races: {told:?}, not {expect_told:?}"));
        }
        if fast.undetermined_points() != reference.undetermined_points() {
            let marks =
                [&fast, &reference].map(|machine| machine.undetermined_points().iter().collect());
            let [marks, expect]: [Vec<_>; 2] = marks;
            return Some(format!("marks {marks:?}, not {expect:?}"));
        }
        match (ran, expect) {
            (Err(trap), Err(expect)) if trap == expect => None,
            (Ok(()), Ok(())) => state_difference(&fast, &reference),
            (ran, expect) => Some(format!("ended with {ran:?}, not {expect:?}")),
        }
    }

    /// Runs the case; panics with the shortest program that shows a difference.
    #[track_caller]
    fn check(&self) {
        let mut program = self.program.clone();
        if self.difference(&program).is_none() {
            return;
        }
        let mut at = 0;
        while at < program.statements.len() {
            let mut shorter = program.clone();
            shorter.statements.remove(at);
            if self.difference(&shorter).is_some() {
                program = shorter;
            } else {
                at += 1;
            }
        }
        panic!(
            "seed {} on {:?}: {}\n{program}",
            self.seed,
            self.options.geometry,
            self.difference(&program).unwrap_or_default()
        );
    }
}

fn run(machine: &mut Machine, program: &Program) -> (Result<(), Trap>, Vec<String>) {
    let mut told = Vec::new();
    let ran = machine.run(program, &mut |event| {
        if let Event::Race(span, reason) = event {
            told.push(format!("line {}: {reason}", span.line));
        }
    });
    (ran, told)
}

/// Describes the first difference between the memories and registers of two machines.
fn state_difference(fast: &Machine, reference: &Machine) -> Option<String> {
    if (fast.undetermined_points(), fast.steps())
        != (reference.undetermined_points(), reference.steps())
    {
        let marks = [fast, reference]
            .map(|machine| machine.undetermined_points().iter().collect::<Vec<_>>());
        return Some(format!(
            "marks or steps: {:?}, not {:?}",
            marks[0], marks[1]
        ));
    }
    let blocks = fast.blocks.iter().zip(reference.blocks.iter());
    let of_blocks = || {
        blocks.clone().find_map(|(fast, reference)| {
            block_difference(fast, reference).map(|what| format!("{}: {what}", fast.id))
        })
    };
    let l2bm = fast.board.l2bm.iter().zip(reference.board.l2bm.iter());
    let mut l2bm_renaming = l2bm.enumerate().filter_map(|(number, (fast, reference))| {
        words_difference(&format!("L2BM {number}"), fast, reference)
    });
    let groups = fast.board.groups.iter().zip(&reference.board.groups);
    let mut of_groups = groups
        .enumerate()
        .filter_map(|(number, (fast, reference))| {
            let differs = [
                ("DRAM", fast.dram != reference.dram),
                ("DAR", fast.dar != reference.dar),
                ("DARBUF", fast.darbuf != reference.darbuf),
            ];
            let what = differs.iter().find(|(_, differs)| *differs);
            what.map(|(what, _)| format!("{what} of group {number}"))
                .or_else(|| words_difference(&format!("PDM {number}"), &fast.pdm, &reference.pdm))
        });
    let positions = |machine: &Machine| (machine.board.dar_write, machine.board.darbuf_read);
    of_blocks()
        .or_else(|| l2bm_renaming.next())
        .or_else(|| of_groups.next())
        .or_else(|| (positions(fast) != positions(reference)).then(|| "DAR positions".into()))
}

/// Describes the first difference between two blocks.
fn block_difference(fast: &Block, reference: &Block) -> Option<String> {
    for (bank, (memory, expect)) in fast.memory.iter().zip(&reference.memory).enumerate() {
        for plane in 0..memory.count() {
            if memory.plane(plane) != expect.plane(plane) {
                let name = format!("bank {bank}, long word {plane}");
                return words_difference(&name, memory.plane(plane), expect.plane(plane));
            }
        }
    }
    for (side, (matrix, expect)) in fast.matrix.iter().zip(&reference.matrix).enumerate() {
        for row in 0..MATRIX_ROWS {
            let name = format!("matrix {side}, row {row}");
            let found = words_difference(&name, matrix.row(row), expect.row(row));
            if found.is_some() {
                return found;
            }
        }
    }
    let forwards = fast.forward.iter().zip(&reference.forward);
    let of_forwards = || {
        forwards
            .clone()
            .enumerate()
            .find_map(|(unit, (one, other))| {
                bus_difference(&format!("forwarding register {unit}"), one, other)
            })
    };
    let rows = (&fast.turnaround.rows, &reference.turnaround.rows);
    let rates = (fast.turnaround.rate, reference.turnaround.rate);
    words_difference("L1BM", &fast.l1bm, &reference.l1bm)
        .or_else(|| bus_difference("T", &fast.t, &reference.t))
        .or_else(of_forwards)
        .or_else(|| (fast.masks != reference.masks).then(|| "mask registers".into()))
        .or_else(|| (fast.base != reference.base).then(|| "base address registers".into()))
        .or_else(|| (rows.0 != rows.1 || rates.0 != rates.1).then(|| "turn-around register".into()))
}

fn bus_difference(what: &str, fast: &Bus, reference: &Bus) -> Option<String> {
    (0..CYCLES).find_map(|cycle| {
        let (one, other) = (fast.cycle(cycle), reference.cycle(cycle));
        words_difference(&format!("{what}, cycle {cycle}, upper"), one.0, other.0)
            .or_else(|| words_difference(&format!("{what}, cycle {cycle}, lower"), one.1, other.1))
    })
}

fn words_difference(what: &str, fast: &[u64], reference: &[u64]) -> Option<String> {
    if fast == reference {
        return None;
    }
    let at = (0..fast.len()).find(|at| fast[*at] != reference[*at])?;
    Some(format!(
        "{what}: {:#018x} at {at}, not {:#018x}",
        fast[at], reference[at]
    ))
}

/// Runs cases 0 to `count` on all cores.
fn check_all(count: u64, case: fn(u64) -> Case) {
    let next = AtomicU64::new(0);
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= count {
                    return;
                }
                case(seed).check();
            });
        }
    });
}

#[test]
fn a_reset_machine_is_as_new() {
    for seed in 0..40 {
        let (first, second) = (Case::small(seed), Case::small(seed + MACHINES.len() as u64));
        let mut used = first.machine(Model::Fast);
        run(&mut used, &first.program).0.ok();
        used.reset();
        let mut new = Machine::new(first.options);
        assert_eq!(state_difference(&used, &new), None, "seed {seed} before");
        for machine in [&mut used, &mut new] {
            second.contents.fill(machine);
        }
        let (ran, expect) = (
            run(&mut used, &second.program),
            run(&mut new, &second.program),
        );
        assert_eq!(ran, expect, "seed {seed}");
        assert_eq!(state_difference(&used, &new), None, "seed {seed} after");
    }
}

#[test]
fn random_programs_on_small_machines() {
    if let Some(seed) = std::env::var("TESSERA_SEED")
        .ok()
        .and_then(|s| s.parse().ok())
    {
        return Case::small(seed).check();
    }
    check_all(if is_long_run() { 100_000 } else { 300 }, Case::small);
}

/// All groups, L2B and L1B, for instructions that do not depend on the number of MABs: MV and L2BM.
#[test]
fn random_programs_on_all_blocks() {
    let case = |seed| Case::new(seed, [4, 2, 8, 1]);
    check_all(if is_long_run() { 1_000 } else { 6 }, case);
}

#[test]
fn random_programs_on_the_whole_board() {
    check_all(if is_long_run() { 1_000 } else { 1 }, |seed| {
        Case::new(seed, [4, 2, 8, 16])
    });
}
