//! Expansions of small streams, and every refusal.

use super::*;
use crate::table::{Mop, Replay};

const NOP: u32 = 0x0200_0000;
const TEMPLATE1: u32 = 0x0180_0000;

/// A word that stands for itself: SETC16 with a telling value.
fn w(tag: u32) -> u32 {
    0xb200_0000 | tag
}

fn replay(start: u32, len: u32, exec: u32, load: u32) -> u32 {
    Instruction::from(Replay {
        start_idx: start,
        len,
        execute_while_loading: exec,
        load_mode: load,
    })
    .encode(Arch::WormholeB0)
    .unwrap()
}

/// Streams that both chips expand equally.
fn shared(config: [u32; MOP_CFG_WORDS], words: &[u32]) -> Result<Vec<u32>, ExpandError> {
    let [wormhole, blackhole] = Arch::ALL.map(|arch| expand(arch, config, words));
    assert_eq!(wormhole, blackhole);
    wormhole
}

fn tags(words: &[u32]) -> Vec<u32> {
    words.iter().map(|w| w & 0xffff).collect()
}

/// S start, E/F end ops, L/M loop ops, X last of the last, Y last of the others.
#[test]
fn template_1() {
    let (s, e, f, l, m, x, y) = (w(1), w(2), w(3), w(4), w(5), w(6), w(7));
    let check = |cfg: [u32; 9], expect: &[u32]| {
        assert_eq!(tags(&shared(cfg, &[TEMPLATE1]).unwrap()), expect, "{cfg:?}");
    };
    check([1, 1, NOP, NOP, NOP, l, NOP, x, y], &[6]);
    check(
        [2, 3, s, e, f, l, NOP, x, y],
        &[1, 4, 4, 7, 2, 3, 1, 4, 4, 6, 2, 3],
    );
    // The second end word needs the first.
    check([1, 2, s, NOP, f, l, NOP, x, y], &[1, 4, 6]);
    // Alternation doubles the inner count; the last word replaces the alternate.
    check(
        [2, 2, NOP, e, NOP, l, m, x, y],
        &[4, 5, 4, 7, 2, 4, 5, 4, 6, 2],
    );
    check([0, 3, s, e, f, l, NOP, x, y], &[]);
    check([2, 0, s, e, f, l, NOP, x, y], &[1, 2, 3, 1, 2, 3]);
    check([2, 0, NOP, e, NOP, l, NOP, x, y], &[2; 2]);
    check([1, 0, s, e, NOP, l, NOP, x, y], &[1, 2]);
    check([1, 0, NOP, NOP, f, l, NOP, x, y], &[]);
}

/// Differences between the chips' double loops: counts beyond seven bits, the counter bug,
/// operands.
#[test]
fn template_1_by_chip() {
    let (e, l, m, x, y) = (w(2), w(4), w(5), w(6), w(7));
    let check = |cfg: [u32; 9], operands: u32, expect: [Result<&[u32], &str>; 2]| {
        for (arch, expect) in Arch::ALL.into_iter().zip(expect) {
            let found = expand(arch, cfg, &[TEMPLATE1 | operands]);
            let found = found.map(|words| tags(&words)).map_err(|e| e.to_string());
            let expect = expect.map(Vec::from).map_err(str::to_owned);
            assert_eq!(found, expect, "{arch} {cfg:?} {operands:#x}");
        }
    };
    let of_config =
        "a MOP of template 1 takes its counts from MopCfg; loop_count and zmask_lo16 must be 0";
    check(
        [128 + 1, 256 + 1, NOP, NOP, NOP, l, NOP, x, y],
        0,
        [
            Ok(&[6]),
            Err(
                "MopCfg[0] is a count of 129; what Blackhole makes of more than 127 is not \
                 published, so give the count in the MOP",
            ),
        ],
    );
    check(
        [1, 0, NOP, e, NOP, l, NOP, x, y],
        0,
        [
            Ok(&[2; 129]),
            Err(
                "the MOP runs once and has nothing but end words; how often Blackhole emits them \
                 is not published, so push them",
            ),
        ],
    );
    // Three inner iterations; two outer ones; both, in place of unused counts.
    check(
        [2, 9, NOP, e, NOP, l, NOP, x, y],
        3,
        [Err(of_config), Ok(&[4, 4, 7, 2, 4, 4, 6, 2])],
    );
    check(
        [9, 2, NOP, NOP, NOP, l, NOP, x, y],
        2 << 10,
        [Err(of_config), Ok(&[4, 7, 4, 6])],
    );
    check(
        [!0, !0, NOP, NOP, NOP, l, m, x, y],
        1 << 10 | 2,
        [Err(of_config), Ok(&[4, 5, 4, 6])],
    );
    // The outer count's upper bits, and the longest counts.
    let long = [&[4, 7].repeat(64)[..126], &[4, 6]].concat();
    check(
        [9, 2, NOP, NOP, NOP, l, NOP, x, y],
        1 << 16,
        [Err(of_config), Ok(&long)],
    );
    let longest = expand(
        Arch::Blackhole,
        [0, 0, NOP, NOP, NOP, l, NOP, x, y],
        &[TEMPLATE1 | 0xf_ffff],
    );
    assert_eq!(longest.unwrap().len(), 1023 * 1023);
    check(
        [1, 1, NOP, NOP, NOP, l, NOP, x, y],
        1 << 20,
        [
            Err(of_config),
            Err("loop_count of a MOP of template 1 is the upper 4 bits of its outer count, not 16"),
        ],
    );
}

/// Only NOP is left out: DMANOP and SFPNOP are words like others, a NOP with something in its other
/// bits is a NOP. In the loop itself a NOP is a word, too.
#[test]
fn words_that_count_as_nops() {
    const DMANOP: u32 = 0x6000_0000;
    const SFPNOP: u32 = 0x8f00_0000;
    const OTHER_NOP: u32 = NOP | 5;
    let l = w(4);
    for (cfg, expect) in [
        (
            [1, 1, DMANOP, SFPNOP, DMANOP, l, NOP, l, l],
            &[DMANOP, l, SFPNOP, DMANOP][..],
        ),
        ([1, 1, OTHER_NOP, OTHER_NOP, l, l, OTHER_NOP, l, l], &[l]),
        ([1, 1, NOP, NOP, NOP, l, SFPNOP, DMANOP, l], &[l, DMANOP]),
        ([2, 2, NOP, NOP, NOP, NOP, NOP, l, NOP], &[NOP, NOP, NOP, l]),
    ] {
        assert_eq!(shared(cfg, &[TEMPLATE1]).unwrap(), expect, "{cfg:x?}");
    }
}

/// 127 times a start, twice 127 words in turn, two ends.
#[test]
fn the_longest_expansion() {
    let cfg = [127, 127, w(1), w(2), w(3), w(4), w(5), w(6), w(7)];
    let words = shared(cfg, &[TEMPLATE1]).unwrap();
    assert_eq!(words.len(), 32_639);
    assert_eq!(tags(&words[..4]), [1, 4, 5, 4]);
    assert_eq!(tags(&words[253..260]), [4, 7, 2, 3, 1, 4, 5]);
    assert_eq!(tags(&words[words.len() - 4..]), [4, 6, 2, 3]);
}

#[test]
fn template_0() {
    let cfg = |flags| [0, flags, w(1), w(2), w(3), w(4), w(5), w(6), w(7)];
    let check = |flags, count: u32, mask: u32, expect: &[u32]| {
        let words = [
            Instruction::from(crate::table::MopCfg {
                zmask_hi16: mask >> 16,
            })
            .encode(Arch::WormholeB0)
            .unwrap(),
            Instruction::from(Mop {
                mop_type: 0,
                loop_count: count - 1,
                zmask_lo16: mask & 0xffff,
            })
            .encode(Arch::WormholeB0)
            .unwrap(),
        ];
        assert_eq!(tags(&shared(cfg(flags), &words).unwrap()), expect);
    };
    check(0, 3, 0b010, &[2, 6, 2]);
    check(1, 2, 0b10, &[2, 1, 6, 7]);
    check(2, 2, 0b01, &[6, 2, 3, 4, 5]);
    check(3, 1, 0, &[2, 3, 4, 5, 1]);
    check(0, 18, 0x2_0000, &[[2; 17].as_slice(), &[6]].concat());
    check(0, 32, 0x8000_0001, &[&[6][..], &[2; 30], &[6]].concat());
}

/// The upper mask bits stay until MOP_CFG sets them again; a NOP for what is left out is a word.
#[test]
fn template_0_keeps_its_upper_mask() {
    let mask = |zmask_hi16| {
        let word = Instruction::from(crate::table::MopCfg { zmask_hi16 });
        word.encode(Arch::WormholeB0).unwrap()
    };
    let mop = Mop {
        mop_type: 0,
        loop_count: 16,
        zmask_lo16: 0xffff,
    };
    let mop = Instruction::from(mop).encode(Arch::WormholeB0).unwrap();
    let cfg = [0, 0, NOP, w(2), NOP, NOP, NOP, NOP, NOP];
    let words = [mask(1), mop, mop, mask(0), mop];
    let skipped = [NOP; 16];
    let expect = [&skipped[..], &[NOP], &skipped, &[NOP], &skipped, &[w(2)]];
    assert_eq!(shared(cfg, &words).unwrap(), expect.concat());
}

#[test]
fn records_and_plays() {
    let cfg = [0; 9];
    let stream = |words: &[u32]| shared(cfg, words).map(|words| tags(&words));
    let recorded = [replay(30, 3, 0, 1), w(1), w(2), w(3)];
    assert_eq!(stream(&recorded), Ok(vec![]));
    assert_eq!(
        stream(&[&recorded[..], &[w(9), replay(30, 3, 0, 0)]].concat()),
        Ok(vec![9, 1, 2, 3])
    );
    assert_eq!(
        stream(&[&recorded[..], &[replay(0, 1, 0, 0), w(8)]].concat()),
        Ok(vec![3, 8])
    );
    assert_eq!(
        stream(&[replay(0, 2, 1, 1), w(1), w(2), replay(1, 1, 0, 0)]),
        Ok(vec![1, 2, 2])
    );
    // Count 0 is 32.
    let all: Vec<u32> = [replay(0, 0, 0, 1)]
        .into_iter()
        .chain((0..32).map(w))
        .chain([replay(8, 0, 0, 0)])
        .collect();
    assert_eq!(stream(&all), Ok((8..32).chain(0..8).collect()));
}

/// MOP around REPLAY: what a matmul inner loop does.
#[test]
fn mop_of_replays() {
    let play = replay(16, 2, 0, 0);
    let cfg = [1, 3, NOP, w(9), NOP, play, NOP, play, play];
    let words = [replay(16, 2, 0, 1), w(1), w(2), TEMPLATE1, w(7)];
    assert_eq!(
        tags(&shared(cfg, &words).unwrap()),
        [1, 2, 1, 2, 1, 2, 9, 7]
    );
}

/// A recording of 16 words as a loop's body, in each of `phases` iterations, with a word instead of
/// the last: that word stands for the whole body, so there are 15 words fewer, and with one
/// iteration the body never runs.
#[test]
fn a_last_word_replaces_a_whole_replay() {
    const RECORDED: u32 = 16;
    let play = replay(16, RECORDED, 0, 0);
    for phases in 1..5 {
        let cfg = [1, phases, NOP, NOP, NOP, play, NOP, w(9), w(8)];
        let recording: Vec<u32> = [replay(16, RECORDED, 0, 1)]
            .into_iter()
            .chain((0..RECORDED).map(|k| w(100 + k)))
            .chain([TEMPLATE1])
            .collect();
        let found = tags(&shared(cfg, &recording).unwrap());
        let bodies = (1..phases).flat_map(|_| 100..100 + RECORDED);
        assert_eq!(found, bodies.chain([9]).collect::<Vec<_>>(), "{phases}");
    }
}

/// A MOP inside a recording records its expansion.
#[test]
fn mop_into_a_recording() {
    let cfg = [1, 3, NOP, NOP, NOP, w(4), NOP, w(6), w(7)];
    let words = [replay(0, 3, 0, 1), TEMPLATE1, replay(0, 3, 0, 0)];
    assert_eq!(tags(&shared(cfg, &words).unwrap()), [4, 4, 6]);
}

#[test]
fn refusals() {
    let mop0 = |count: u32| 0x0100_0000 | (count - 1) << 16;
    let fresh = |arch, words: &[u32]| run(MopExpander::new(arch), words);
    let cases: &[(&[u32], &str)] = &[
        (
            &[TEMPLATE1],
            "the MOP uses MopCfg[0], which was never written",
        ),
        (
            &[mop0(17)],
            "the MOP runs 17 iterations of template 0, but MOP_CFG never set mask bits 31:16",
        ),
        (
            &[mop0(33)],
            "the MOP runs 33 iterations of template 0, but its mask has 32 bits",
        ),
        (
            &[replay(3, 1, 0, 0)],
            "REPLAY plays slot 3, which was never recorded",
        ),
        (
            &[replay(0, 33, 0, 0)],
            "REPLAY of 33 instructions; the buffer has 32 slots",
        ),
        (
            &[replay(5, 2, 0, 1), replay(0, 1, 0, 0)],
            "a REPLAY is recorded into slot 5; recorded instructions are not expanded again",
        ),
        (
            &[0x0400_0004],
            "word 0x04000004: REPLAY with reserved bits 0x000004 set; they must be zero",
        ),
        (
            &[0x0301_0000],
            "word 0x03010000: MOP_CFG with reserved bits 0x010000 set; they must be zero",
        ),
    ];
    for (words, expect) in cases {
        for arch in Arch::ALL {
            assert_eq!(fresh(arch, words).unwrap_err().to_string(), *expect);
        }
    }
    let mut e = MopExpander::new(Arch::WormholeB0);
    assert_eq!(
        e.set_config(9, 0).unwrap_err().to_string(),
        "MopCfg has words 0 to 8, not 9"
    );
    for index in 0..9 {
        e.set_config(index, [2, 2, NOP, NOP, NOP, w(1), NOP, w(1), w(1)][index])
            .unwrap();
    }
    assert_eq!(e.accept(TEMPLATE1), Ok(None));
    assert!(e.expanding());
    assert_eq!(
        e.set_config(5, 0).unwrap_err().to_string(),
        "MopCfg[5] is written while a MOP expands; wait for the expander first (wait_mop)"
    );
}
