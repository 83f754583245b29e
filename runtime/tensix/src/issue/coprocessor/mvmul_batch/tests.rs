use std::hash::{DefaultHasher, Hash, Hasher};

use tessera_isa_tensix::{cfg, Arch};

use super::*;
use crate::issue::scheduler::SplitMix64;
use crate::state::banks::Src;
use crate::testing::{Bench, THREAD};

/// Creates a coprocessor with floats in the sources, a clear Dst and random address modes.
fn coprocessor(arch: Arch, random: &mut SplitMix64) -> Coprocessor {
    let mut bench = Bench::on(arch);
    let wide = random.next() & 1;
    bench = bench.dst_width(wide as u32);
    for mode in 0..4 {
        let bits = random.next();
        let by = |shift: u64, step: u32| (bits >> shift & 3) as u32 * step;
        let incr = cfg::ADDR_MOD_AB_SrcAIncr.nth(mode);
        bench.set_thread(incr, by(0, 16) & 16);
        bench.set_thread(cfg::ADDR_MOD_AB_SrcBIncr.nth(mode), by(2, 8));
        bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.nth(mode), by(4, 8));
        bench.set_thread(cfg::ADDR_MOD_DST_FidelityIncr.nth(mode), by(6, 1));
        bench.set_thread(cfg::ADDR_MOD_DST_FidelityClear.nth(mode), by(8, 1) & 1);
    }
    for src in [Src::A, Src::B] {
        for _ in 0..2 {
            let offset = random.next() as u16;
            bench.give_src(src, |row, column| {
                0x3F00_u16.wrapping_add(offset & 0xFF) ^ ((row * 37 + column * 5) as u16 & 0x80FF)
            });
        }
    }
    bench.zero_dst();
    let mut coprocessor = Coprocessor::new(arch);
    coprocessor.core = bench.core;
    coprocessor
}

/// Returns a random instruction: mostly an MVMUL, sometimes one that cannot be batched.
fn text(random: &mut SplitMix64) -> String {
    let bits = random.next();
    let row = (bits >> 8 & 15) * 8;
    let mode = bits >> 16 & 3;
    let (clear, flag) = (bits >> 24 & 3, bits >> 26 & 1);
    match bits % 64 {
        0 => format!("ttmvmul {clear}, 0, {mode}, {row}"),
        1 => format!("ttmvmul 0, {flag}, {mode}, {row}"),
        2 => format!("ttmvmul 0, 0, {mode}, {}", row + flag),
        3 => format!("ttelwadd 0, 0, 0, {mode}, {row}"),
        4 => format!("ttsetrwc 0, 0, 0, 0, 0, {}", bits >> 32 & 15),
        5 => "ttdmanop".to_owned(),
        6 => format!("ttstallwait 64, {}", 1 << (bits >> 32 & 7)),
        _ => format!("ttmvmul 0, 0, {mode}, {row}"),
    }
}

/// Returns the parts of the state that instructions can change.
fn state(coprocessor: &Coprocessor) -> [String; 6] {
    let frontend = &coprocessor.frontends[THREAD];
    let regs = &coprocessor.core.regs;
    let mut dst = DefaultHasher::new();
    format!("{:?}", regs.dst).hash(&mut dst);
    let stats = &coprocessor.stats;
    [
        format!("{:x}", dst.finish()),
        format!("{:?} {:?}", regs.rwcs, regs.last_src_a_row),
        coprocessor.flights.held(),
        format!("{} {:x}", stats.total(), stats.words(THREAD)),
        format!(
            "{:?} {:?}",
            coprocessor.previous[THREAD].written().collect::<Vec<_>>(),
            coprocessor.core.banks
        ),
        format!(
            "{:?} {:?} {}",
            frontend.latch,
            frontend.gate(),
            frontend.issued
        ),
    ]
}

/// Batched issue leaves the same state as issuing the instructions one by one.
#[test]
fn runs_are_as_single_instructions() {
    let mut random = SplitMix64::new(5);
    let (mut longest, mut traps) = (0, 0);
    for case in 0..400 {
        let arch = Arch::ALL[case % 2];
        let mut one = coprocessor(arch, &mut random);
        let mut more = one.clone();
        'case: for _ in 0..12 {
            for coprocessor in [&mut one, &mut more] {
                let mut texts = SplitMix64::new(random.clone().next());
                for entry in 0..12 {
                    let text = text(&mut texts);
                    let instruction = Instruction::parse(arch, &text);
                    let instruction = instruction.unwrap_or_else(|e| panic!("{text}: {e}"));
                    let word = instruction.encode(arch).unwrap();
                    coprocessor.frontends[THREAD].push(word, entry);
                }
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
                break 'case;
            }
            for (one, more) in state(&one).iter().zip(state(&more)) {
                assert_eq!(*one, more, "case {case}");
            }
        }
    }
    assert!(longest > 12 && traps > 20, "{longest} {traps}");
}
