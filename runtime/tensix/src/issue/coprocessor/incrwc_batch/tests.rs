use tessera_isa_tensix::{Arch, Instruction};

use crate::issue::coprocessor::Coprocessor;
use crate::issue::scheduler::SplitMix64;
use crate::issue::timeline::Timeline;
use crate::state::check_policy::CheckPolicy;
use crate::testing::{Bench, THREAD};

/// Creates a coprocessor with a written Dst and defined flags of lanes.
fn coprocessor(arch: Arch, case: usize) -> Coprocessor {
    let mut bench = Bench::on(arch).dst_width(1);
    (0..64).for_each(|row| bench.put_dst32(row, [0x3F80_0000; 16]));
    let policy = match case % 8 {
        5.. => CheckPolicy::Vendor,
        _ => CheckPolicy::Strict,
    };
    let mut coprocessor = Coprocessor::with_check_policy(arch, policy);
    coprocessor.core = bench.core;
    coprocessor.core.check_policy = policy;
    coprocessor
}

/// Returns a random instruction: mostly an INCRWC.
fn text(arch: Arch, random: &mut SplitMix64) -> String {
    let bits = random.next();
    let [a, b, c, d] = [8, 16, 24, 32].map(|shift| bits >> shift & 7);
    match bits % 24 {
        0 => format!("ttsetrwc 0, 0, 0, 0, 0, {}", 8 + a),
        1 => match arch {
            Arch::WormholeB0 => "ttzeroacc 0, 0, 0".to_owned(),
            Arch::Blackhole => "ttzeroacc 0, 0, 0, 0, 0".to_owned(),
        },
        2 => format!(
            "ttstallwait {}, {}",
            [256, 511, 64, 1][b as usize % 4],
            1 << a
        ),
        3 => "ttnop".to_owned(),
        4 => "sfpnop".to_owned(),
        5 => format!("sfploadi {a}, 0, {b}"),
        6 => format!("sfpload {a}, 3, 0, {}", 2 * (b + c)),
        7 => "ttsetc16 5, 0".to_owned(),
        _ => format!("ttincrwc {a}, {b}, {c}, {d}"),
    }
}

/// Returns the parts of the state that these instructions can change.
fn state(coprocessor: &Coprocessor) -> [String; 5] {
    let frontend = &coprocessor.frontends[THREAD];
    let stats = &coprocessor.stats;
    let previous = &coprocessor.previous[THREAD];
    [
        format!("{:?}", coprocessor.core.regs.rwcs),
        coprocessor.flights.held(),
        format!("{} {:x}", stats.total(), stats.words(THREAD)),
        format!("{previous:?} {:?}", previous.written().collect::<Vec<_>>()),
        format!(
            "{:?} {:?} {} {:?}",
            frontend.latch,
            frontend.gate(),
            frontend.issued,
            coprocessor.core.slot,
        ),
    ]
}

fn push(coprocessor: &mut Coprocessor, arch: Arch, mut texts: SplitMix64) {
    for entry in 0..12 {
        let text = text(arch, &mut texts);
        let instruction = Instruction::parse(arch, &text);
        let instruction = instruction.unwrap_or_else(|e| panic!("{text}: {e}"));
        coprocessor.frontends[THREAD].push(instruction.encode(arch).unwrap(), entry);
    }
}

/// Batched issue leaves the same state as issuing the instructions one by one.
#[test]
fn runs_are_as_single_instructions() {
    let mut random = SplitMix64::new(11);
    let (mut longest, mut traps, mut others) = (0, 0, 0);
    for case in 0..600 {
        let arch = Arch::ALL[case % 2];
        let mut one = coprocessor(arch, case);
        let mut more = one.clone();
        // Nothing is batched while a time line is recorded.
        one.timeline = Some(Timeline::new(arch));
        for _ in 0..12 {
            let texts = random.next();
            for coprocessor in [&mut one, &mut more] {
                push(coprocessor, arch, SplitMix64::new(texts));
            }
            let steps = 1 + random.next() as u32 % 24;
            let mut done = 0;
            let single = loop {
                match one.issue(THREAD, 1) {
                    Ok((1, true)) if done + 1 < steps => done += 1,
                    Ok((last, goes_on)) => break Ok((done + last, goes_on)),
                    Err(trap) => break Err(trap),
                }
            };
            let before = more.frontends[THREAD].issued;
            let together = more.issue(THREAD, steps);
            assert_eq!(single, together, "case {case}");
            longest = longest.max(more.frontends[THREAD].issued - before);
            if single.is_err() {
                traps += 1;
                break;
            }
            for (one, more) in state(&one).iter().zip(state(&more)) {
                assert_eq!(*one, more, "case {case}");
            }
            others += u32::from(one.frontends[THREAD].latch.is_some());
        }
    }
    assert!(
        longest > 12 && traps > 20 && others > 20,
        "{longest} {traps} {others}"
    );
}
