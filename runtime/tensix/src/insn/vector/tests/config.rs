//! Configuration of lanes, templates, random bits, the flag stack's further modes.

use tessera_isa_tensix::cfg;

use super::{bench, lanes, lreg, ONE};
use crate::testing::{f32_of, Bench};

/// A special register, as SFPMOV reads it into LReg 4.
fn special(bench: &mut Bench, index: usize) -> super::Lanes {
    bench.run(&format!("sfpmov {index}, 4, 8"));
    lreg(bench, 4)
}

#[test]
fn configuration_is_written_by_column() {
    type Expect = fn(u32) -> u32;
    let rows: &[(&str, usize, Expect)] = &[
        ("sfpconfig 0x1234, 5, 1", 5, |_| 0x1234),
        // From LReg 0, of which the first eight lanes count.
        ("sfpmov 15, 0, 0\n sfpconfig 0, 5, 0", 5, |column| {
            2 * column
        }),
        ("sfpmov 15, 0, 0\n sfpconfig 0, 2, 1", 2, |column| {
            2 * column
        }),
        ("sfpconfig 0xFFFF, 8, 1", 8, |_| 0xFFF),
        ("sfpconfig 0x0F0, 8, 1\n sfpconfig 0x00F, 8, 3", 8, |_| {
            0x0FF
        }),
        ("sfpconfig 0x0F0, 8, 1\n sfpconfig 0x03C, 8, 5", 8, |_| {
            0x030
        }),
        ("sfpconfig 0x0F0, 8, 1\n sfpconfig 0x03C, 8, 7", 8, |_| {
            0x0CC
        }),
        ("sfpconfig 0x8, 9, 1", 8, |_| 0),
        // A mask of columns takes every other bit of the immediate.
        (
            "sfpmov 15, 0, 0\n sfpconfig 0x0011, 4, 8",
            4,
            |column| match column {
                2 => 4,
                _ => 0,
            },
        ),
        ("sfpconfig 0x0140, 15, 9", 15, |column| {
            if column == 3 || column == 4 {
                0x0140
            } else {
                0
            }
        }),
        // Flags of the first row decide; they leave the lanes below them to it.
        (
            "sfpiadd 0xFFC, 3, 5, 5\n sfpsetcc 0, 5, 0, 0\n sfpconfig 0x77, 5, 1\n sfpencc 0, 0, 0",
            5,
            |column| if column < 4 { 0x77 } else { 0 },
        ),
    ];
    for (text, index, expect) in rows {
        let mut bench = bench();
        bench.run(text);
        let found = special(&mut bench, *index);
        let expected: super::Lanes = std::array::from_fn(|lane| expect(lane as u32 % 8));
        assert_eq!(found, expected, "{text}");
    }
    // Upper bits of the configuration of lanes stay where an immediate cannot reach them.
    let mut bench = bench();
    bench.run("sfploadi 0, 2, 0\n sfploadi 0, 8, 3\n sfpconfig 0, 15, 0\n sfpconfig 1, 15, 1");
    assert_eq!(special(&mut bench, 15), [0x3_0001; 32]);
}

#[test]
fn rows_of_lanes_are_disabled() {
    let mut bench = bench();
    // Rows 1 and 3.
    bench.run("sfpconfig 0xA000, 15, 1\n sfpmov 1, 3, 0");
    assert_eq!(bench.core.regs.vector.enabled(), 0x00FF_00FF);
    assert_eq!(
        lreg(&bench, 3),
        lanes(|l| if l / 8 % 2 == 0 { ONE } else { l as u32 })
    );
    // SFPMOV in all lanes does not ask.
    bench.run("sfpmov 0, 3, 2");
    assert_eq!(lreg(&bench, 3), lanes(|l| f32_of(l - 16)));
}

#[test]
fn loads_and_stores_are_configured() {
    // The fourth lane of each row of the registers at rows 0 and 8, in even columns.
    let mut bench = bench();
    bench.run("sfpconfig 0x20, 15, 1\n sfpload 1, 3, 0, 0");
    assert_eq!(lreg(&bench, 1), [ONE; 32], "blocked");
    bench.run("sfpconfig 0x10, 15, 1\n sfpstore 1, 3, 0, 0");
    assert_eq!(bench.dst32(0)[0], f32_of(-16), "blocked");
    bench.run("sfpconfig 0x80, 15, 1\n sfpstore 3, 4, 0, 0");
    assert_eq!((bench.dst32(0)[6], bench.dst32(0)[7]), (f32_of(-13), 3));
    bench.run("sfpconfig 0x40, 15, 1\n sfpload 1, 4, 0, 0");
    assert_eq!(lreg(&bench, 1), lanes(|l| l as u32), "odd columns");
    // In the second column of lanes only.
    bench.run(
        "sfpconfig 0, 15, 1\n sfploadi 0, 2, 0x40\n sfpconfig 0x0004, 15, 8\n sfpload 1, 4, 0, 0",
    );
    assert_eq!((lreg(&bench, 1)[0], lreg(&bench, 1)[1]), (f32_of(-16), 1));
    // Indices: row and column.
    bench.run("sfpconfig 0x0C, 15, 1\n sfpload 1, 4, 0, 6");
    assert_eq!(
        lreg(&bench, 5),
        lanes(|l| ((4 + l / 8) << 4 | (2 * (l % 8) + 1)) as u32)
    );
    bench.run("sfpload 5, 4, 0, 6");
    assert_eq!(lreg(&bench, 5)[1], ONE, "only LRegs 0 to 3 have indices");
}

#[test]
fn infinity_of_fp16() {
    let mut bench = Bench::new().dst_width(0);
    bench.set(cfg::ALU_FORMAT_SPEC_REG1_SrcB, 1);
    for row in 0..4 {
        let datum = crate::arith::spec::bits::dst_from_fp16(if row == 2 { 0xFFFF } else { 0x7FFE });
        bench.core.regs.dst.write_row16(row, [datum; 16]);
    }
    bench.run("sfpconfig 1, 15, 1\n sfpload 0, 0, 0, 0");
    let expected = lanes(|l| if l / 8 == 2 { 0xFF80_0000 } else { 0x47FF_C000 });
    assert_eq!(lreg(&bench, 0), expected);
}

#[test]
fn swaps_of_indices() {
    let mut bench = bench();
    bench.run("sfpmov 3, 4, 0\n sfpmov 15, 5, 0\n sfpconfig 4, 15, 1\n sfpswap 0, 1, 1");
    // VD = min, VC = max; where they swap, so do LRegs 4 and 5.
    let swapped = |l: i32| l - 16 < 1;
    assert_eq!(lreg(&bench, 1), lanes(|l| f32_of((l - 16).min(1))));
    assert_eq!(
        lreg(&bench, 4),
        lanes(|l| if swapped(l) { 2 * l } else { l } as u32)
    );
    assert_eq!(
        lreg(&bench, 5),
        lanes(|l| if swapped(l) { l } else { 2 * l } as u32)
    );
    // The other way round.
    bench.run("sfpconfig 0x104, 15, 1\n sfpswap 0, 1, 1");
    assert_eq!(lreg(&bench, 1), lanes(|l| f32_of((l - 16).max(1))));
    bench.refuses(
        "sfpmov 0, 6, 0",
        "undefined behaviour: SFPMOV writes an LReg from 4 to 7 while LaneConfig.ENABLE_DEST_INDEX \
         is set; by an erratum it gets something else",
    );
}

#[test]
fn upper_registers_are_templates_or_not() {
    let mut bench = bench();
    bench.run("sfpabs 0, 13, 1");
    let word = tessera_isa_tensix::Instruction::parse(bench.core.arch, "sfpabs 0, 13, 1")
        .unwrap()
        .encode(bench.core.arch)
        .unwrap();
    assert_eq!(special(&mut bench, 1), [word; 32]);
    // A store moves the counter all the same.
    bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.nth(1), 2);
    bench.run("sfpstore 12, 3, 1, 0");
    assert_eq!(bench.core.regs.rwcs[crate::testing::THREAD].dst.value, 2);
    // Not any longer: LReg 11 to 15 can be stored and compared, and stay as they are.
    bench.run("sfpconfig 2, 15, 1\n sfpnop\n sfpstore 15, 4, 0, 6\n sfpswap 0, 15, 0");
    assert_eq!(bench.dst32(9)[2], 18);
    assert_eq!(lreg(&bench, 15), lanes(|l| 2 * l as u32));
    assert_eq!(lreg(&bench, 0), lanes(|l| 2 * l as u32));
    assert_eq!(special(&mut bench, 1), [word; 32]);
    for (setup, text, fault) in [
        (
            "sfpconfig 2, 15, 1",
            "sfpabs 0, 13, 1",
            "hazard: SFPABS with destination 13, right after an SFPCONFIG that changes whether it \
             is a template; put an SFPNOP between them",
        ),
        (
            "sfpsetcc 0, 0, 0, 0",
            "sfpabs 0, 13, 1",
            "undefined behaviour: SFPABS as a template (destination 13) with lanes disabled, or \
             with DISABLE_BACKDOOR_LOAD in some lanes; no document says which get it",
        ),
        (
            "sfploadi 0, 2, 2\n sfpconfig 0x0004, 15, 8\n sfpnop",
            "sfpabs 0, 13, 1",
            "undefined behaviour: SFPABS as a template (destination 13) with lanes disabled, or \
             with DISABLE_BACKDOOR_LOAD in some lanes; no document says which get it",
        ),
    ] {
        let mut bench = super::bench();
        bench.run(setup);
        bench.refuses(text, fault);
    }
}

/// The generators go on in the lanes that draw, also where rounding ignores what they give.
#[test]
fn random_bits() {
    let step = |state: u32| !((state & 0x8020_0003).count_ones()) << 31 | state >> 1;
    let mut bench = bench();
    bench.set(cfg::PRNG_SEED_Seed_Val, 12345);
    bench.run("sfpmov 9, 4, 8\n sfpmov 9, 5, 8");
    let (first, second) = (lreg(&bench, 4), lreg(&bench, 5));
    assert_eq!(second, first.map(step));
    bench.run(
        "sfpsetcc 0, 0, 0, 0\n sfpstochrnd 0, 0, 0, 1, 4, 1\n sfpencc 0, 0, 0\n sfpmov 9, 5, 8",
    );
    let third: super::Lanes = std::array::from_fn(|l| {
        let next = step(second[l]);
        if l < 16 {
            step(next)
        } else {
            next
        }
    });
    assert_eq!(lreg(&bench, 5), third);
    // Rounding by them: of 1 + 2^-8 the half that is lost is above or not; of 3·2^24 + 1 a quarter.
    bench.run("sfploadi 4, 2, 0x8000\n sfploadi 4, 8, 0x3F80\n sfpstochrnd 1, 0, 0, 4, 4, 1");
    let fourth = third.map(step);
    let rounded = |l: usize| {
        if 0x8000 >= (fourth[l] & 0x7F_FFFF) >> 7 {
            0x3F81_0000
        } else {
            ONE
        }
    };
    assert_eq!(lreg(&bench, 4), std::array::from_fn(rounded));
    bench.run("sfploadi 4, 2, 1\n sfploadi 4, 8, 0x0300\n sfpcast 4, 4, 1");
    let fifth = fourth.map(step);
    let cast = |l: usize| 0x4C40_0000 + u32::from(0x40 > fifth[l] >> 9 & 0xFE);
    assert_eq!(lreg(&bench, 4), std::array::from_fn(cast));
    // The same seed, the same bits.
    bench.set(cfg::PRNG_SEED_Seed_Val, 12345);
    bench.run("sfpmov 9, 4, 8");
    assert_eq!(lreg(&bench, 4), first);
    let mut words = crate::state::access::WordSet::default();
    let word = cfg::PRNG_SEED_Seed_Val
        .place_on(bench.core.arch)
        .unwrap()
        .addr32();
    let part = bench.core.config.write(0, word, 1, 0xFF, &mut words);
    assert_eq!(
        part.unwrap_err().to_string(),
        "undefined behaviour: a part of a seed for generators of random bits; write the whole word \
         PRNG_SEED_Seed_Val"
    );
}

/// SFPPOPC in modes but 0 takes its second operand from the top of the stack, which stays.
#[test]
fn the_top_of_the_stack_is_combined() {
    for (mode, expected) in [
        (1, 0x0000_FFFF),
        (2, 0xFFFF_0000),
        (3, 0x0000_00FF),
        (4, 0x00FF_FFFF),
        (5, 0x00FF_0000),
        (6, 0xFFFF_00FF),
        (7, 0x0000_FF00),
        (8, 0xFF00_FFFF),
        (9, 0xFF00_0000),
        (10, 0xFFFF_FF00),
        (11, 0x00FF_FF00),
        (12, 0xFF00_00FF),
        (13, 0xFF00_FF00),
        (14, 0xFFFF_FFFF),
        (15, 0),
    ] {
        let mut bench = bench();
        super::push_flags(&mut bench);
        bench.run(&format!("sfppopc 0, {mode}"));
        assert_eq!(bench.core.regs.vector.enabled(), expected, "mode {mode}");
        assert_eq!(bench.core.regs.vector.depth, 1);
    }
    let mut empty = bench();
    empty.run("sfppopc 0, 1");
    assert_eq!(empty.core.regs.vector.enabled(), u32::MAX, "nothing in use");
    // On a full stack the bottom becomes the top.
    let full = super::full_stack(bench());
    assert_eq!(full.core.regs.vector.enabled(), u32::MAX);
}
