//! Benchmark of the front end:
//! `cargo bench -p tessera-tensix --bench front_end [-- PARTS OF NAMES]`.
//!
//! Reports millions of instructions per second, of list programs in which one thread issues the
//! same instruction again and again: pushed one by one, as the body of MOPs, and replayed. The time
//! to create the machine is included. Beside them stands the rate of the unit that executes the
//! instruction, without front end, gate and hazard checks. Pushed instructions should reach half of
//! it, and those that do nothing, [`IDLE_GOAL`].

mod common;

use std::hint::black_box;

use tessera_isa_tensix::list::{Entry, Lists};
use tessera_isa_tensix::{Arch, Instruction};
use tessera_tensix::{Machine, Model, Schedule};
use tessera_test_support::bench::{least_time, Figure, Goal, Suite};

const ARCH: Arch = Arch::WormholeB0;
/// Instructions per program.
const COUNT: usize = 1 << 20;
/// Programs per measurement, of which the fastest counts because other processes may be running.
const PROGRAMS: u32 = 8;

/// The goal in millions of instructions per second for those that do nothing.
const IDLE_GOAL: f64 = 60.0;

/// What bounds the rate of instructions whose units take less time than the front end.
const BOUND: &str = "FIFO of 16 words, statistics, hazards";

/// Names of instructions, their bodies, and whether they do something.
const CASES: &[(&str, &[&str], bool)] = &[
    ("NOP", &["ttnop"], false),
    ("SFPNOP", &["sfpnop"], false),
    ("INCRWC", &["ttincrwc 0, 0, 0, 0"], true),
    ("SFPAND", &["sfpand 0, 1, 4, 0"], true),
    ("MVMUL", &["ttmvmul 0, 0, 0, 0"], true),
    ("ELWADD", &["ttelwadd 0, 0, 0, 0, 0"], true),
];

/// What the matrix and vector instructions need: zeros in SrcA, SrcB and Dst, BF16 in the
/// configuration, and four LRegs.
const UNPACK: &[&str] = &[
    "ttunpacr_nop 0, 1",
    "ttunpacr_nop 0, 7",
    "ttunpacr_nop 1, 1",
    "ttunpacr_nop 1, 7",
];
const MATH: &[&str] = &[
    "ttzeroacc 3, 0, 0",
    "sfploadi 0, 0, 0",
    "sfploadi 1, 0, 0",
    "sfploadi 4, 0, 0",
];
/// Hands the banks back.
const END: &[&str] = &["ttsetrwc 3, 0, 0, 0, 0, 0"];

fn word(text: &str) -> u32 {
    let instruction = Instruction::parse(ARCH, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let encoded = instruction.encode(ARCH);
    encoded.unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn pushes(texts: &[&str]) -> Vec<Entry> {
    texts.iter().map(|text| Entry::Push(word(text))).collect()
}

/// The ways in which the front end gets instructions.
#[derive(Clone, Copy)]
enum Way {
    Pushed,
    Mop,
    Replay,
}

fn program(way: Way, body: &[&str]) -> Lists {
    let mut math = pushes(MATH);
    let body = pushes(body);
    match way {
        Way::Pushed => math.extend(body.iter().cycle().take(COUNT)),
        Way::Mop => {
            let Entry::Push(word) = body[0] else {
                return Lists::default();
            };
            let nop = self::word("ttnop");
            // Template 1: outer and inner count, start, ends, loop instructions, last ones.
            let config = [1, 127, nop, nop, nop, word, nop, word, word];
            math.extend(
                (0..)
                    .zip(config)
                    .map(|(index, value)| Entry::MopCfg { index, value }),
            );
            let mops = std::iter::repeat_n(Entry::Push(self::word("ttmop 1, 0, 0")), COUNT / 127);
            math.extend(mops);
        }
        Way::Replay => {
            math.push(Entry::Push(self::word("ttreplay 0, 32, 0, 1")));
            math.extend(body.iter().cycle().take(32));
            let replays =
                std::iter::repeat_n(Entry::Push(self::word("ttreplay 0, 32, 0, 0")), COUNT / 32);
            math.extend(replays);
        }
    }
    math.extend(pushes(END));
    Lists {
        unpack: pushes(UNPACK),
        math,
        ..Lists::default()
    }
}

/// Returns millions of instructions of the program per second.
fn rate(lists: &Lists) -> f64 {
    let mut count = 0;
    let time = least_time(PROGRAMS, || {
        let ran = Machine::new(ARCH).run(black_box(lists), &[], Schedule::Greedy);
        count = match ran {
            Ok(stats) => stats.by_thread(1),
            Err(trap) => panic!("{trap}"),
        };
    });
    count as f64 / time.as_secs_f64() / 1e6
}

/// Returns millions of instructions per second of the unit that executes the body.
fn unit_rate(body: &[&str]) -> f64 {
    let mut core = common::registers::core(ARCH, Model::fast(), false);
    1e3 / common::unit::time(&mut core, body)
}

fn main() {
    let mut suite = Suite::new("front_end", env!("CARGO_TARGET_TMPDIR"));
    for &(name, body, works) in CASES {
        let mut goal = IDLE_GOAL;
        if works && suite.wants(name) {
            let rate = unit_rate(body);
            suite.add(Figure::new(format!("{name} in its unit"), rate, "M/s"));
            goal = rate / 2.0;
        }
        for (how, way) in [
            ("pushed", Way::Pushed),
            ("by MOPs", Way::Mop),
            ("replayed", Way::Replay),
        ] {
            let name = format!("{name} {how}");
            if suite.wants(&name) {
                let figure = Figure {
                    goal: matches!(way, Way::Pushed).then_some(Goal::AtLeast(goal)),
                    ..Figure::new(name, rate(&program(way, body)), "M/s")
                };
                suite.add(figure.or_bound_by(Some(BOUND)));
            }
        }
    }
    suite.finish();
}
