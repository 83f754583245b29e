//! Random bodies: scheduled and one item after the other leave the same in every memory that a body names, and the timed model, the
//! assembler's rules and [`Schedule::verify`] have nothing against the schedule.
//!
//! `TESSERA_LONG_TESTS=1` makes many more of them.

mod common;

use common::bodies::body;
use common::dice::Dice;
use common::{run, text};
use tessera_isa_mncore::memory::Bank;
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::undetermined::Undetermined;
use tessera_mncore_code::body::Body;
use tessera_mncore_code::item::{Source, Target};
use tessera_mncore_code::program::Form;
use tessera_mncore_code::schedule::{self, schedule, Schedule, ScheduleError};

const GEOMETRY: Geometry = Geometry {
    groups: 1,
    l2bs: 1,
    l1bs: 1,
    mabs: 2,
};

/// A machine with something everywhere.
fn machine(model: Model) -> Machine {
    let mut machine = Machine::new(Options {
        geometry: GEOMETRY,
        model,
        undetermined: Undetermined::Mark,
        threads: std::num::NonZero::new(1),
        ..Options::default()
    });
    let dice = &mut Dice::new(77);
    // Small numbers: exponents near that of one.
    let mut word = || {
        let halves = [dice.word(), dice.word()].map(|bits| 0x3e80_0000 | bits & 0x81ff_ffff);
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

/// What the memories hold that a body names.
fn named(body: &Body, machine: &Machine) -> Vec<u64> {
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
            // The upper ends are for values.
            let planes = 0..RESERVED / 2;
            planes.for_each(|plane| all.extend(block.memory[bank as usize].plane(plane)));
        }
    }
    all
}

/// Words of each memory that a body may name.
const RESERVED: usize = 256;

fn options() -> schedule::Options {
    schedule::Options {
        reserved: Bank::ALL.map(|bank| (bank, 0..RESERVED as u16)).to_vec(),
    }
}

fn outcome(body: &Body, schedule: &Schedule, form: Form, model: Model) -> Vec<u64> {
    let mut machine = machine(model);
    run(&mut machine, &text(body, schedule, form));
    named(body, &machine)
}

/// Whether a random body is a good one. What is scheduled must be right.
fn check(seed: u64, most: usize, iterations: bool) -> bool {
    let body = body(&mut Dice::new(seed), most, iterations);
    body.check()
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let options = options();
    let made = schedule(&body, &options);
    let both = made.and_then(|made| schedule::sequential(&body, &options.reserved).map(|_| made));
    let (schedule, report) = match both {
        Ok(made) => made,
        // Some items read two words of one memory, or must follow one at once whose port they need; there is one T register.
        Err(ScheduleError::Clash { .. } | ScheduleError::NoOrder { .. }) => return false,
        Err(ScheduleError::Full {
            memory: "the T register",
            ..
        }) => return false,
        Err(error) => panic!("seed {seed}: {error}"),
    };
    assert!(report.ii >= report.mii, "seed {seed}: {report:?}");
    let expect = outcome(&body, &schedule, Form::Sequential, Model::Fast);
    let got = outcome(&body, &schedule, Form::Scheduled, Model::Timed);
    assert!(
        got == expect,
        "seed {seed}: results differ\n{}",
        text(&body, &schedule, Form::Scheduled)
    );
    true
}

fn check_all(seeds: std::ops::Range<u64>, most: usize, iterations: bool) {
    let count = seeds.end - seeds.start;
    let good = seeds.filter(|&seed| check(seed, most, iterations)).count() as u64;
    println!("{good} of {count} bodies are good");
    assert!(good * 2 > count);
}

fn count(short: u64, long: u64) -> u64 {
    match std::env::var_os("TESSERA_LONG_TESTS") {
        Some(_) => long,
        None => short,
    }
}

#[test]
fn loops() {
    check_all(0..count(60, 20_000), 24, true);
}

#[test]
fn blocks() {
    let first = 1 << 40;
    check_all(first..first + count(40, 10_000), 40, false);
}
