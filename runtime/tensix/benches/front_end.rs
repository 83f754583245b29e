//! Benchmark of the front end:
//! `cargo bench -p tessera-tensix --bench front_end [-- PART OF A NAME]`.
//!
//! Reports nanoseconds and millions of instructions per second, of list programs in which one
//! thread issues the same instruction again and again: pushed one by one, as the body of MOPs, and
//! replayed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tessera_isa_tensix::list::{Entry, Lists};
use tessera_isa_tensix::{Arch, Instruction};
use tessera_tensix::{Machine, Schedule};

const ARCH: Arch = Arch::WormholeB0;
/// Instructions per program.
const COUNT: usize = 1 << 20;
/// Programs per measurement, of which the fastest counts because other processes may be running.
const PROGRAMS: u32 = 8;

/// Instructions, with the names of what they do.
const CASES: &[(&str, &[&str])] = &[
    ("NOP", &["ttnop"]),
    ("SFPNOP", &["sfpnop"]),
    ("INCRWC", &["ttincrwc 0, 0, 0, 0"]),
    ("SFPAND", &["sfpand 0, 1, 4, 0"]),
    ("MVMUL", &["ttmvmul 0, 0, 0, 0"]),
    ("ELWADD", &["ttelwadd 0, 0, 0, 0, 0"]),
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

/// Returns the time this thread has spent on a core, if the system reports it.
fn time_on_cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn main() {
    let only = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    for (name, body) in CASES {
        for (how, way) in [
            ("pushed", Way::Pushed),
            ("by MOPs", Way::Mop),
            ("replayed", Way::Replay),
        ] {
            let name = format!("{name} {how}");
            if only.as_ref().is_some_and(|only| !name.contains(only)) {
                continue;
            }
            let lists = program(way, body);
            let mut best = f64::MAX;
            for _ in 0..PROGRAMS {
                let mut machine = Machine::new(ARCH);
                let (started, start) = (Instant::now(), time_on_cpu());
                let ran = machine.run(black_box(&lists), &[], Schedule::Greedy);
                let elapsed = match (start, time_on_cpu()) {
                    (Some(start), Some(end)) if end > start => end - start,
                    _ => started.elapsed(),
                };
                let count = match ran {
                    Ok(stats) => stats.by_thread(1),
                    Err(trap) => panic!("{name}: {trap}"),
                };
                best = best.min(elapsed.as_nanos() as f64 / count as f64);
            }
            println!("{name:24} {best:8.1} ns {:8.2} M/s", 1e3 / best);
        }
    }
}
