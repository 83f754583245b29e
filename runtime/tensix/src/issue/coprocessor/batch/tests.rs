use tessera_isa_tensix::{Arch, Instruction};

use crate::issue::coprocessor::vector_batch::tests::{coprocessor, prologue};
use crate::issue::coprocessor::Coprocessor;
use crate::issue::scheduler::SplitMix64;
use crate::issue::timeline::Timeline;
use crate::state::units::UNITS;

fn word(arch: Arch, text: &str) -> u32 {
    let instruction = Instruction::parse(arch, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    instruction.encode(arch).unwrap()
}

/// Returns a random instruction that no expander changes: mostly in runs of the same kind.
fn plain(arch: Arch, kind: u64, random: &mut SplitMix64) -> u32 {
    let bits = random.next();
    let [a, b, c, d] = [8, 16, 24, 32].map(|shift| bits >> shift & 7);
    let kind = if bits % 4 == 0 { bits >> 40 } else { kind };
    let text = match kind % 24 {
        0..=3 => format!("ttincrwc {a}, {b}, {c}, {d}"),
        4..=6 => format!("sfpand 0, {a}, {b}, 0"),
        7..=8 => format!("sfploadi {a}, 0, {}", 0x3F00 + b),
        9 => format!("sfpstore {a}, 3, 0, {}", 2 * b),
        10 => format!("sfpload {a}, 3, 0, {}", 2 * b),
        11..=12 => "sfpnop".to_owned(),
        13..=15 => "ttnop".to_owned(),
        16 => "ttdmanop".to_owned(),
        17 if a < 3 => format!(
            "ttstallwait {}, {}",
            [256, 511, 64][a as usize],
            [1, 128, 4096][b as usize % 3]
        ),
        18 if a < 3 => format!("ttmvmul 0, 0, 0, {}", 8 * b),
        19 => format!("ttsetrwc 0, 0, 0, 0, 0, {}", 8 + a),
        20 => format!("ttsetc16 {}, 0", 5 + a % 2),
        21 => format!("ttadddmareg 1, {}, {b}, {c}", 8 + a),
        22 if a + b == 0 => return 0xff00_0000,
        22 => format!("ttatgetm {}", b % 2),
        23 => format!("ttatrelm {}", b % 2),
        _ => "ttincrwc 0, 1, 1, 1".to_owned(),
    };
    word(arch, &text)
}

/// Returns a random REPLAY, mostly a short one.
fn replay(arch: Arch, random: &mut SplitMix64) -> u32 {
    let bits = random.next();
    let (start, len) = match bits % 16 {
        0 => (bits >> 8 & 31, 1 + (bits >> 16) % 32),
        _ => (bits >> 8 & 7, 1 + (bits >> 16) % 8),
    };
    word(arch, &format!("ttreplay {start}, {len}, 0, 0"))
}

/// Returns the words of a program of one thread: runs, recordings, playbacks and MOPs.
fn program(arch: Arch, random: &mut SplitMix64) -> Vec<u32> {
    // Most programs fill all slots.
    let mut words = Vec::new();
    if random.next() % 8 != 0 {
        let kind = random.next();
        words.push(word(arch, "ttreplay 0, 0, 0, 1"));
        words.extend((0..32).map(|_| plain(arch, kind, random)));
    }
    for _ in 0..random.next() % 40 {
        let bits = random.next();
        let kind = bits >> 20;
        match bits % 12 {
            0 => {
                let [start, len, execute] = [bits >> 8 & 31, 1 + (bits >> 16) % 6, bits >> 32 & 1];
                words.push(word(
                    arch,
                    &format!("ttreplay {start}, {len}, {execute}, 1"),
                ));
                words.extend((0..len).map(|_| plain(arch, kind, random)));
            }
            1..=4 => {
                let replay = replay(arch, random);
                words.extend((0..1 + bits % 3).map(|_| replay));
            }
            5..=6 => words.extend((0..1 + bits % 3).map(|_| word(arch, "ttmop 1, 0, 0"))),
            7 => {
                let mask = bits >> 8 & 0xff;
                words.push(word(arch, &format!("ttmop 0, {}, {mask}", bits >> 32 & 7)));
            }
            8 if bits >> 8 & 1 == 0 => {
                words.push(word(arch, &format!("ttmop_cfg {}", bits >> 16 & 0xff)));
            }
            _ => words.extend((0..1 + (bits >> 8) % 12).map(|_| plain(arch, kind, random))),
        }
    }
    words
}

/// Returns words of `MopCfg`, with short loops of instructions and of REPLAYs.
fn mop_config(arch: Arch, random: &mut SplitMix64) -> [u32; 9] {
    let kind = random.next();
    let mut config = [0; 9].map(|_: u32| match random.next() % 8 {
        0 => replay(arch, random),
        1..=2 => word(arch, "ttnop"),
        _ => plain(arch, kind, random),
    });
    config[0] = 2 + random.next() as u32 % 3;
    config[1] = random.next() as u32 % 12;
    config
}

/// Returns what others can see of the front ends.
fn words_of(coprocessor: &Coprocessor) -> [String; 3] {
    [0, 1, 2].map(|thread: usize| {
        let frontend = &coprocessor.frontends[thread];
        let [pushes, _, rooms] = frontend.changes();
        let is = [
            frontend.is_mop_done(),
            frontend.is_empty(),
            frontend.is_recording(),
            frontend.gate_with_entry().is_some(),
        ];
        let counts = [pushes, rooms, frontend.issued, frontend.mop_ends];
        format!(
            "{:?} {:?} {is:?} {counts:?} {:?} {:?}",
            frontend.occupants().collect::<Vec<_>>(),
            (frontend.queued(), frontend.last_entry()),
            (frontend.replay_fifo_status(), frontend.uses()),
            frontend.latch,
        )
    })
}

/// Returns what else instructions can change.
fn state(coprocessor: &Coprocessor) -> [String; 3] {
    let regs = &coprocessor.core.regs;
    let previous = coprocessor.previous.iter();
    let previous = previous.map(|it| {
        (
            it.written().collect::<Vec<_>>(),
            it.config,
            it.vector_is_done(),
        )
    });
    [
        format!("{:?} {:?}", regs.rwcs, regs.vector),
        format!(
            "{:?} {:?}",
            previous.collect::<Vec<_>>(),
            coprocessor.core.gprs
        ),
        coprocessor.flights.held(),
    ]
}

/// Words that go directly to the gate, and batches of instructions, leave the same state, the same
/// counters and the same traps as words that move step by step and are issued one by one: with
/// recordings, MOPs that contain REPLAYs, changes of both, and three threads in turn.
#[test]
fn traces_are_as_single_words() {
    let mut random = SplitMix64::new(23);
    let (mut traps, mut ends, mut direct, mut longest) = (0, 0, 0, 0);
    for case in 0..600 {
        let arch = Arch::ALL[case % 2];
        let mut one = coprocessor(arch, case);
        one.core.gprs = [crate::state::gpr::Gprs::zeroed(); 3];
        for text in prologue() {
            assert!(one.frontends[0].push(word(arch, &text), 0));
            while !one.frontends[0].is_empty() {
                one.issue(0, 8).unwrap();
            }
            (0..UNITS).for_each(|unit| while one.finish(unit).unwrap().is_some() {});
        }
        let mut more = one.clone();
        // Words move step by step while a time line is recorded.
        one.timeline = Some(Timeline::new(arch));
        let programs = [(); 3].map(|()| program(arch, &mut random));
        let mut at = [0; 3];
        for round in 0..120 {
            let thread = random.next() as usize % 3;
            let [config, steps] = [(); 2].map(|()| random.next());
            let config = (config % 8 == 0 || round < 12).then(|| mop_config(arch, &mut random));
            let most = random.next() as usize % 40;
            let mut pushed = [0; 2];
            for (coprocessor, pushed) in [&mut one, &mut more].into_iter().zip(&mut pushed) {
                let frontend = &mut coprocessor.frontends[thread];
                if let Some(config) = config.filter(|_| frontend.is_mop_done()) {
                    for (index, value) in config.into_iter().enumerate() {
                        frontend.set_mop_config(index, value).unwrap();
                    }
                }
                let words = programs[thread].iter().enumerate().skip(at[thread]);
                *pushed = (words.take(most))
                    .take_while(|&(entry, &word)| frontend.push(word, entry))
                    .count();
            }
            assert_eq!(pushed[0], pushed[1], "case {case}");
            at[thread] += pushed[0];
            direct += u32::from(more.frontends[thread].allows_fetching());
            let steps = match steps % 4 {
                0 => 1 + steps as u32 / 4 % 3,
                _ => 1 + (steps as u32 / 4) % 200,
            };
            let before = more.frontends[thread].issued;
            let [single, together] = [&mut one, &mut more].map(|coprocessor| {
                let issued = coprocessor.issue(thread, steps);
                coprocessor.forget_satisfied_waits();
                issued
            });
            assert_eq!(
                single, together,
                "case {case}, thread {thread}, {steps} steps"
            );
            longest = longest.max(more.frontends[thread].issued - before);
            let [single_words, words] = [&one, &more].map(words_of);
            assert_eq!(single_words, words, "case {case}");
            if single.is_err() {
                traps += 1;
                break;
            }
            let states = [&one, &more].map(state);
            for (one, more) in states[0].iter().zip(&states[1]) {
                assert_eq!(one, more, "case {case}");
            }
            assert_eq!(one.stats, more.stats, "case {case}");
            let retired = random.next() as usize % (2 * UNITS);
            if retired < UNITS {
                let [single, together] =
                    [&mut one, &mut more].map(|it| it.finish(retired).map(|done| done.is_some()));
                assert_eq!(single, together, "case {case}");
            }
            ends += u32::from((0..3).all(|thread| at[thread] == programs[thread].len()));
        }
        let dst = [&one, &more].map(|it| format!("{:?}", it.core.regs.dst));
        assert!(dst[0] == dst[1], "case {case}");
    }
    let counts = [traps, ends, direct, longest as u32];
    assert!(
        traps > 100 && ends > 100 && direct > 5000 && longest > 150,
        "{counts:?}"
    );
}
