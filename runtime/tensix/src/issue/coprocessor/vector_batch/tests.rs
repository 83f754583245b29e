use tessera_isa_tensix::{Arch, Instruction};

use crate::issue::coprocessor::Coprocessor;
use crate::issue::scheduler::SplitMix64;
use crate::issue::timeline::Timeline;
use crate::state::banks::Src;
use crate::state::check_policy::CheckPolicy;
use crate::state::units::UNITS;
use crate::testing::{Bench, THREAD};
use crate::trap::Trap;

/// Creates a coprocessor with written sources and a written Dst; in some cases with the checks for
/// the vendor's programs.
pub(in super::super) fn coprocessor(arch: Arch, case: usize) -> Coprocessor {
    let mut bench = Bench::on(arch).dst_width(1);
    (0..64).for_each(|row| bench.put_dst32(row, [0x3F80_0000 + row as u32; 16]));
    for src in [Src::A, Src::B] {
        bench.give_src(src, |_, _| 0x3F80);
    }
    let policy = match case % 8 {
        5.. => CheckPolicy::Vendor,
        _ => CheckPolicy::Strict,
    };
    let mut coprocessor = Coprocessor::with_check_policy(arch, policy);
    coprocessor.core = bench.core;
    coprocessor.core.check_policy = policy;
    coprocessor
}

/// Instructions that define the flags of lanes, registers and rows of Dst.
pub(in super::super) fn prologue() -> Vec<String> {
    let loads = (0..8).map(|lreg| format!("sfploadi {lreg}, 0, {}", 0x3F80 + lreg));
    let flags = ["sfpencc 3, 0, 10".to_owned()];
    let stores = (0..16).map(|row| format!("sfpstore 0, 3, 0, {}", 2 * row));
    flags.into_iter().chain(loads).chain(stores).collect()
}

/// Returns a random instruction: mostly one of the vector unit.
fn text(arch: Arch, random: &mut SplitMix64) -> String {
    let bits = random.next();
    let [a, b, c, d] = [8, 16, 24, 32].map(|shift| bits >> shift & 7);
    match bits % 32 {
        0 => format!("ttmvmul 0, 0, 0, {}", 8 * a),
        1 if a % 2 == 0 => "ttdmanop".to_owned(),
        1 => match arch {
            Arch::WormholeB0 => "ttzeroacc 0, 0, 0".to_owned(),
            Arch::Blackhole => "ttzeroacc 0, 0, 0, 0, 0".to_owned(),
        },
        2 => format!("ttstallwait {}, {}", [256, 511][b as usize % 2], 1 << a),
        3 => format!("ttsetrwc 0, 0, 0, 0, 0, {}", 8 + a),
        4 => "ttnop".to_owned(),
        5..=7 => format!("sfpmad {a}, {b}, {c}, {d}, 0"),
        8..=10 => format!("sfpload {d}, 3, 0, {}", 2 * (a + c)),
        11..=13 => format!("sfpstore {d}, 3, 0, {}", 2 * (a + c)),
        14 => format!("sfpsetcc 0, {c}, {d}, 0"),
        15 => "sfpencc 3, 0, 10".to_owned(),
        16 => format!("sfpshft2 0, {c}, {d}, 3"),
        17..=18 => "ttnop".to_owned(),
        19..=22 => "sfpnop".to_owned(),
        23 => format!("sfpswap {c}, {d}, 1"),
        _ => format!("sfploadi {d}, 0, {}", 0x3F00 + a),
    }
}

/// Returns the parts of the state that instructions can change.
fn state(coprocessor: &Coprocessor) -> [String; 5] {
    let frontend = &coprocessor.frontends[THREAD];
    let regs = &coprocessor.core.regs;
    [
        format!("{:?} {:?}", regs.dst, regs.vector),
        format!("{:?} {:?}", regs.rwcs, coprocessor.previous[THREAD]),
        coprocessor.flights.held(),
        format!("{:?} {}", coprocessor.stats, coprocessor.flights.races()),
        format!("{:?} {:?}", frontend.latch, frontend.gate()),
    ]
}

/// Batched issue leaves the same state and the same traps as issuing the instructions one by one.
#[test]
fn batches_are_as_single_instructions() {
    let mut random = SplitMix64::new(7);
    let (mut longest, mut traps, mut ends) = (0, 0, 0);
    for case in 0..200 {
        let arch = Arch::ALL[case % 2];
        let [mut one, mut more] = [coprocessor(arch, case), coprocessor(arch, case)];
        // A recorded time line excludes batches.
        one.timeline = Some(Timeline::new(arch));
        let random_texts: Vec<_> = (0..60).map(|_| text(arch, &mut random)).collect();
        let mut words = prologue().into_iter().chain(random_texts).map(|text| {
            let instruction = Instruction::parse(arch, &text);
            let instruction = instruction.unwrap_or_else(|e| panic!("{text}: {e}"));
            instruction.encode(arch).unwrap()
        });
        for entry in (0..).step_by(8) {
            let some: Vec<u32> = words.by_ref().take(8).collect();
            if some.is_empty() {
                ends += 1;
                break;
            }
            for coprocessor in [&mut one, &mut more] {
                for (entry, &word) in (entry..).zip(&some) {
                    assert!(coprocessor.frontends[THREAD].push(word, entry));
                }
            }
            let steps = 1 + random.next() as u32 % 12;
            let before = more.frontends[THREAD].issued;
            let [single, together] = [&mut one, &mut more].map(|it| it.issue(THREAD, steps));
            assert_eq!(single, together, "case {case}");
            longest = longest.max(more.frontends[THREAD].issued - before);
            if single.is_err() {
                traps += 1;
                break;
            }
            for (one, more) in state(&one).iter().zip(state(&more)) {
                assert_eq!(*one, more, "case {case}");
            }
            // Everything is issued and retired, so that the next words find space.
            let [single, together] = [&mut one, &mut more].map(|coprocessor| {
                while !coprocessor.frontends[THREAD].is_empty() {
                    coprocessor.issue(THREAD, 100)?;
                    for unit in 0..UNITS {
                        while coprocessor.finish(unit)?.is_some() {}
                    }
                    coprocessor.forget_satisfied_waits();
                }
                Ok::<_, Trap>(())
            });
            assert_eq!(single, together, "case {case}");
            if single.is_err() {
                traps += 1;
                break;
            }
        }
    }
    let counts = [longest, traps, ends];
    assert!(longest >= 8 && traps > 20 && ends > 20, "{counts:?}");
}

/// A front end that holds nothing but the same NOP or SFPNOP is left as by issuing the words one by
/// one, also if they do not all pass the gate, and if something else comes before or after.
#[test]
fn repeated_words_are_as_single_instructions() {
    let mut random = SplitMix64::new(11);
    let encode = |arch, text: &str| {
        let instruction = Instruction::parse(arch, text).unwrap_or_else(|e| panic!("{text}: {e}"));
        instruction.encode(arch).unwrap()
    };
    let mut longest = 0;
    for case in 0..600 {
        let arch = Arch::ALL[case % 2];
        let [mut one, mut more] = [coprocessor(arch, case), coprocessor(arch, case)];
        one.timeline = Some(Timeline::new(arch));
        let nop = ["ttnop", "sfpnop"][random.next() as usize % 2];
        for _ in 0..4 {
            let before = random.next() % 8;
            let repeats = random.next() % 17;
            let mut texts: Vec<String> = match before {
                0 => vec![text(arch, &mut random)],
                1 => vec!["ttmova2d 0, 0, 0, 2, 0".to_owned()],
                _ => vec![],
            };
            texts.extend((0..repeats).map(|_| nop.to_owned()));
            texts.extend((before == 7).then(|| text(arch, &mut random)));
            for (entry, text) in (0..16).zip(&texts) {
                let word = encode(arch, text);
                for coprocessor in [&mut one, &mut more] {
                    coprocessor.frontends[THREAD].push(word, entry);
                }
            }
            let steps = 1 + random.next() as u32 % 24;
            let before = more.frontends[THREAD].issued;
            let [single, together] = [&mut one, &mut more].map(|it| it.issue(THREAD, steps));
            assert_eq!(single, together, "case {case}");
            if single.is_err() {
                break;
            }
            longest = longest.max(more.frontends[THREAD].issued - before);
            for (one, more) in state(&one).iter().zip(state(&more)) {
                assert_eq!(*one, more, "case {case}");
            }
            let of_words = [&one, &more].map(|it| {
                let frontend = &it.frontends[THREAD];
                let words: Vec<_> = frontend.occupants().collect();
                let [pushes, _, rooms] = frontend.changes();
                let counts = [frontend.issued, frontend.mop_ends, pushes, rooms];
                (
                    words,
                    frontend.queued(),
                    frontend.last_entry(),
                    counts,
                    frontend.uses(),
                )
            });
            assert_eq!(of_words[0], of_words[1], "case {case}");
        }
    }
    assert!(longest >= 14, "{longest}");
}
