//! Random bodies: the software-pipelined and the sequential schedule leave the same contents in all
//! memories that the body addresses. The timed model, the assembler's rules and
//! [`verify`](tessera_mncore_code::check::verify) accept the schedule.
//!
//! `TESSERA_LONG_TESTS=1` generates many more.

mod common;

use common::bodies::body;
use common::{program, text};
use tessera_isa_mncore::memory::Bank;
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::undetermined::UndeterminedPolicy;
use tessera_mncore_code::check::verify;
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_code::sched::{self, schedule, ScheduleError};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Source, Target};
use tessera_mncore_ir::schedule::Schedule;
use tessera_test_support::is_long_run;
use tessera_test_support::random::Rng;

const GEOMETRY: Geometry = Geometry {
    groups: 1,
    l2bs: 1,
    l1bs: 1,
    mabs: 2,
};

/// Returns a machine whose memories contain random small numbers.
fn machine(model: Model) -> Machine {
    let mut machine = Machine::new(Options {
        geometry: GEOMETRY,
        model,
        undetermined: UndeterminedPolicy::Mark,
        threads: std::num::NonZero::new(1),
        ..Options::default()
    });
    let rng = &mut Rng::new(77);
    // Small numbers: exponents near that of one.
    let mut word = || {
        let halves = [rng.next_u64(), rng.next_u64()].map(|bits| 0x3e80_0000 | bits & 0x81ff_ffff);
        halves[0] << 32 | halves[1]
    };
    let block = &mut machine.blocks[0];
    for bank in Bank::ALL {
        for plane in 0..usize::from(bank.words()).min(512) / 2 {
            block.memory[bank as usize]
                .plane_mut(plane)
                .fill_with(&mut word);
        }
    }
    block.l1bm.iter_mut().take(2048).for_each(|at| *at = word());
    machine
}

/// Returns the contents of the memories that a body addresses.
fn addressed_contents(body: &Body, machine: &Machine) -> Vec<u64> {
    let block = &machine.blocks[0];
    let places = |bank: Bank| {
        let mut items = body.items.iter();
        items.any(|item| {
            item.inputs
                .iter()
                .any(|i| matches!(&i.source, Source::Memory(p) if p.bank == bank))
                || item
                    .outputs
                    .iter()
                    .any(|o| matches!(&o.target, Target::Memory(p) if p.bank == bank))
        })
    };
    let mut all = block.l1bm.to_vec();
    for bank in Bank::ALL {
        if places(bank) {
            // The upper ends are allocated to values.
            let planes = 0..RESERVED / 2;
            planes.for_each(|plane| all.extend(block.memory[bank as usize].plane(plane)));
        }
    }
    all
}

/// Words of each memory that a body may address.
const RESERVED: usize = 256;

fn options() -> sched::Options {
    sched::Options {
        reserved: Bank::ALL.map(|bank| (bank, 0..RESERVED as u16)).to_vec(),
    }
}

fn outcome(body: &Body, schedule: &Schedule, form: IssueOrder, model: Model) -> Vec<u64> {
    let text = text(body, schedule, form);
    result(body, &text, model).unwrap_or_else(|trap| panic!("{trap}\n{text}"))
}

/// Returns the memories that a program leaves, or its trap.
fn result(body: &Body, text: &str, model: Model) -> Result<Vec<u64>, String> {
    let mut machine = machine(model);
    let parsed = tessera_isa_mncore::parse(text).map_err(|found| found[0].message.clone())?;
    let ran = machine.run(&parsed, &mut |_| {});
    ran.map_err(|trap| trap.to_string())?;
    Ok(addressed_contents(body, &machine))
}

/// Schedules and checks a random body. Returns `false` if it has no schedule.
fn check(seed: u64, most: usize, iterations: bool) -> bool {
    let body = body(&mut Rng::new(seed), most, iterations);
    body.check()
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let options = options();
    let made = schedule(&body, &options);
    let both = made.and_then(|made| sched::sequential(&body, &options.reserved).map(|_| made));
    let (schedule, report) = match both {
        Ok(made) => made,
        // Some items read two words of one memory, or must directly follow an item whose port they
        // need; there is one T register.
        Err(ScheduleError::FieldConflict { .. } | ScheduleError::NoOrder { .. }) => return false,
        Err(ScheduleError::OutOfRegisters {
            memory: "the T register",
            ..
        }) => return false,
        Err(error) => panic!("seed {seed}: {error}"),
    };
    assert!(report.ii >= report.mii, "seed {seed}: {report:?}");
    verify(&schedule, &body).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let expect = outcome(&body, &schedule, IssueOrder::Sequential, Model::Fast);
    let got = outcome(&body, &schedule, IssueOrder::Scheduled, Model::Timed);
    assert!(
        got == expect,
        "seed {seed}: results differ\n{}",
        text(&body, &schedule, IssueOrder::Scheduled)
    );
    true
}

fn check_all(seeds: std::ops::Range<u64>, most: usize, iterations: bool) {
    let count = seeds.end - seeds.start;
    let good = seeds.filter(|&seed| check(seed, most, iterations)).count() as u64;
    println!("{good} of {count} bodies have schedules");
    assert!(good * 2 > count);
}

/// Mutated schedules, by the check that rejected them.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    verify: usize,
    rules: usize,
    timed: usize,
    harmless: usize,
}

/// Advances and delays items of a schedule: a check rejects it, or the results are the same.
fn mutate(seed: u64, moved: &mut Moved) {
    let rng = &mut Rng::new(seed);
    let body = body(rng, 16, true);
    let Ok((schedule, _)) = schedule(&body, &options()) else {
        return;
    };
    let Ok(alone) = program::statements(&program(&body, &schedule), IssueOrder::Sequential) else {
        return;
    };
    let expect = result(&body, &alone.to_string(), Model::Fast).expect("it runs");
    for _ in 0..6 {
        let mut other = schedule.clone();
        let at = &mut other.at[rng.below(body.items.len())];
        *at = if rng.percent(50) {
            *at + 1
        } else {
            at.saturating_sub(1)
        };
        if other == schedule {
            continue;
        }
        let refused = verify(&other, &body).is_err();
        let statements = program::statements(&program(&body, &other), IssueOrder::Scheduled);
        match (refused, statements) {
            (true, _) => moved.verify += 1,
            (_, Err(_)) => moved.rules += 1,
            (_, Ok(statements)) => match result(&body, &statements.to_string(), Model::Timed) {
                Err(_) => moved.timed += 1,
                Ok(got) => {
                    assert!(
                        got == expect,
                        "seed {seed}: {other:?} is wrong, but no check fails"
                    );
                    moved.harmless += 1;
                }
            },
        }
    }
}

#[test]
fn moved_items_are_found() {
    let mut moved = Moved::default();
    (0..count(25, 5_000)).for_each(|seed| mutate(1 << 41 | seed, &mut moved));
    println!("{moved:?}");
    assert!(
        moved.verify > moved.harmless && moved.rules > 0,
        "{moved:?}"
    );
}

fn count(short: u64, long: u64) -> u64 {
    if is_long_run() {
        long
    } else {
        short
    }
}

#[test]
fn loops() {
    check_all(0..count(30, 20_000), 24, true);
}

#[test]
fn blocks() {
    let first = 1 << 40;
    check_all(first..first + count(15, 10_000), 40, false);
}
