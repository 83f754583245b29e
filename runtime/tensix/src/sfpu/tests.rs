//! One instruction at a time.

use tessera_isa_tensix::cfg;

use super::{Lanes, LANES};
use crate::numerics::bits;
use crate::testing::{f32_of, Bench, THREAD};

const ONE: u32 = 0x3F80_0000;

/// A bench whose LRegs 0 to 3 hold: the lane's number minus 16 as float, 1.0, −0.0, the lane's number as integer.
fn bench() -> Bench {
    let mut bench = Bench::new();
    for (row, f) in [
        (0, (|lane| f32_of(lane - 16)) as fn(i32) -> u32),
        (4, |_| ONE),
        (8, |_| 1 << 31),
        (12, |lane| lane as u32),
    ] {
        for r in 0..4 {
            // Lane l of a load from even columns is row l / 8, column 2 (l mod 8).
            bench.put_dst32(row + r, std::array::from_fn(|c| f((8 * r + c / 2) as i32)));
        }
    }
    bench.run("sfpload 0, 3, 0, 0\n sfpload 1, 3, 0, 4\n sfpload 2, 3, 0, 8\n sfpload 3, 3, 0, 12\n sfpencc 3, 0, 10");
    bench
}

fn lreg(bench: &Bench, index: usize) -> Lanes {
    *bench.core.regs.vector.lreg(index).unwrap()
}

fn lanes(f: impl Fn(i32) -> u32) -> Lanes {
    std::array::from_fn(|lane| f(lane as i32))
}

#[test]
fn load_and_store_go_to_the_documented_places() {
    let mut bench = Bench::new();
    for row in 0..512 {
        bench.put_dst32(
            row,
            std::array::from_fn(|column| (row * 16 + column + 0x0080_0000) as u32),
        );
    }
    bench.set_thread(cfg::DEST_TARGET_REG_CFG_MATH_Offset, 64);
    bench.core.regs.rwcs[THREAD].dst.value = 32;
    bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.at(1), 2);
    for (immediate, row, column) in [(0, 96, 0), (2, 96, 1), (13, 108, 0), (7, 100, 1)] {
        bench.run(&format!("sfpload 4, 0, 0, {immediate}"));
        let expected = lanes(|l| ((row + l / 8) * 16 + column + 2 * (l % 8) + 0x0080_0000) as u32);
        assert_eq!(lreg(&bench, 4), expected, "immediate {immediate}");
        bench.core.regs.rwcs[THREAD].fidelity = 3;
        bench.run(&format!("sfpstore 4, 3, 1, {}", immediate + 128));
        for lane in 0..32 {
            let (r, c) = (row + 128 + lane / 8, column + 2 * (lane % 8));
            assert_eq!(
                bench.dst32(r as usize)[c as usize],
                expected[lane as usize],
                "immediate {immediate}"
            );
        }
        let rwc = &mut bench.core.regs.rwcs[THREAD];
        assert_eq!((rwc.dst.value, rwc.fidelity), (34, 3));
        rwc.dst.value = 32;
    }
}

/// INT32 keeps all bits: those of small integers, which are denormals, of −0 and of NaNs.
#[test]
fn thirty_two_bits_as_they_are() {
    let patterns = [
        1,
        0x807F_FFFF,
        1 << 31,
        0x7FC0_1234,
        0xFF80_0000,
        0x1234_5678,
    ];
    let of = |lane: i32| patterns[lane as usize % patterns.len()];
    let mut bench = bench();
    for row in 0..4 {
        bench.put_dst32(row, std::array::from_fn(|c| of((8 * row + c / 2) as i32)));
    }
    bench.run("sfpload 4, 4, 0, 0");
    assert_eq!(lreg(&bench, 4), lanes(of));
    bench.run("sfpstore 4, 4, 0, 8\n sfpload 5, 4, 0, 8");
    assert_eq!(lreg(&bench, 5), lanes(of));
}

#[test]
fn sixteen_bit_formats() {
    for (format, mode, dst, value, stored, back) in [
        (5, 0, 0x4049, 0x4049_0000, 0x4049_FFFFu32, 0x4049),
        (5, 2, 0x8001, 0x8001_0000, 0x8000_0001, 0x8000),
        (1, 0, 0x3C01, 0x3F80_2000, 0x3F80_3FFF, 0x3C01),
        (1, 1, 0xFC00, 0xC780_0000, 0xFF80_0000, 0xFFFF),
    ] {
        let mut bench = Bench::new().dst_width(0);
        bench.set(cfg::ALU_FORMAT_SPEC_REG1_SrcB, format);
        let (to, from): (fn(u16) -> u16, fn(u16) -> u16) = if format == 5 {
            (bits::dst_from_bf16, bits::bf16_from_dst)
        } else {
            (bits::dst_from_fp16, bits::fp16_from_dst)
        };
        (0..4).for_each(|row| bench.core.regs.dst.write_row16(row, [to(dst); 16]));
        bench.run(&format!("sfpload 0, {mode}, 0, 0"));
        assert_eq!(lreg(&bench, 0), [value; LANES]);
        bench.run(&format!(
            "sfploadi 0, 2, {}\n sfploadi 0, 8, {}\n sfpstore 0, {mode}, 0, 2",
            stored & 0xFFFF,
            stored >> 16
        ));
        assert_eq!(from(bench.core.regs.dst.row16(3).unwrap()[15]), back);
        assert_eq!(from(bench.core.regs.dst.row16(3).unwrap()[14]), dst);
    }
}

#[test]
fn operations() {
    type Expect = fn(i32) -> u32;
    let rows: &[(&str, usize, Expect)] = &[
        ("sfpmov 0, 4, 0", 4, |l| f32_of(l - 16)),
        ("sfpmov 0, 4, 1", 4, |l| f32_of(l - 16) ^ 1 << 31),
        ("sfpmov 0, 4, 2", 4, |l| f32_of(l - 16)),
        ("sfpabs 0, 4, 1", 4, |l| f32_of((l - 16).abs())),
        ("sfpabs 3, 4, 0", 4, |l| l as u32),
        ("sfpsetsgn 1, 0, 4, 1", 4, |l| f32_of(l - 16) | 1 << 31),
        ("sfpsetsgn 0, 1, 2, 0", 2, |_| 0xBF80_0000),
        ("sfpmad 0, 0, 1, 4, 0", 4, |l| {
            f32_of((l - 16) * (l - 16) + 1)
        }),
        ("sfpadd 10, 0, 1, 4, 0", 4, |l| f32_of(l - 15)),
        ("sfpmul 0, 0, 9, 4, 0", 4, |l| f32_of((l - 16) * (l - 16))),
        ("sfploadi 4, 0, 0x4049", 4, |_| 0x4049_0000),
        ("sfploadi 4, 1, 0x3C00", 4, |_| ONE),
        ("sfploadi 4, 2, 0x8001", 4, |_| 0x8001),
        ("sfploadi 4, 4, 0x8001", 4, |_| 0xFFFF_8001),
        ("sfploadi 1, 8, 0x1234", 1, |_| 0x1234_0000),
        ("sfploadi 1, 10, 0x1234", 1, |_| 0x3F80_1234),
        ("sfpswap 0, 1, 0", 1, |l| f32_of(l - 16)),
        ("sfpswap 0, 1, 0", 0, |_| ONE),
        ("sfpswap 0, 1, 1", 1, |l| f32_of((l - 16).min(1))),
        ("sfpswap 0, 1, 1", 0, |l| f32_of((l - 16).max(1))),
        ("sfpswap 0, 1, 9", 1, |l| f32_of((l - 16).max(1))),
        ("sfpswap 0, 1, 2", 1, |l| {
            f32_of(if l < 16 {
                (l - 16).min(1)
            } else {
                (l - 16).max(1)
            })
        }),
        ("sfpswap 0, 1, 5", 1, |l| {
            f32_of(if l < 8 {
                (l - 16).min(1)
            } else {
                (l - 16).max(1)
            })
        }),
        ("sfpswap 0, 1, 8", 1, |l| {
            f32_of(if l >= 24 {
                (l - 16).min(1)
            } else {
                (l - 16).max(1)
            })
        }),
        ("sfpstochrnd 0, 0, 0, 2, 4, 1", 4, |_| 0),
        ("sfpstochrnd 0, 0, 0, 8, 4, 1", 4, |_| 0x3F56_0000),
        ("sfpstochrnd 0, 0, 0, 8, 4, 0", 4, |_| 0x3F56_6000),
        ("sfpconfig 0, 11, 1", 11, |_| 0xBF80_0000),
        ("sfpconfig 0, 12, 1", 12, |_| 0x3780_0000),
        ("sfpconfig 0, 13, 0", 13, |l| f32_of(l % 8 - 16)),
        ("sfpnop", 15, |l| 2 * l as u32),
    ];
    for &(text, index, expect) in rows {
        let mut bench = bench();
        bench.run(text);
        assert_eq!(lreg(&bench, index), lanes(expect), "{text}");
    }
}

#[test]
fn comparisons_set_the_flags_of_enabled_lanes() {
    type Holds = fn(i32) -> bool;
    let rows: &[(&str, Holds)] = &[
        ("sfpsetcc 0, 0, 0, 0", |x| x < 0),
        ("sfpsetcc 0, 0, 0, 2", |x| x != 0),
        ("sfpsetcc 0, 0, 0, 4", |x| x >= 0),
        ("sfpsetcc 0, 0, 0, 6", |x| x == 0),
        ("sfpsetcc 1, 0, 0, 1", |_| true),
        ("sfpsetcc 0, 0, 0, 1", |_| false),
        ("sfpsetcc 0, 0, 0, 8", |_| false),
    ];
    for &(text, holds) in rows {
        let mut bench = bench();
        bench.run(text);
        let expected = (0..32).fold(0, |bits, l| bits | u32::from(holds(l - 16)) << l);
        assert_eq!(bench.core.regs.vector.enabled(), expected, "{text}");
        // A second comparison narrows the first one.
        bench.run("sfpsetcc 0, 3, 0, 0");
        assert_eq!(bench.core.regs.vector.enabled(), 0, "{text}, then never");
    }
    // Negative zero is negative to a comparison.
    let mut bench = bench();
    bench.run("sfpsetcc 0, 2, 0, 0");
    assert_eq!(bench.core.regs.vector.enabled(), u32::MAX);
}

#[test]
fn only_enabled_lanes_change() {
    let mut bench = bench();
    // relu: where x < 0, x = 0.
    bench.run("sfppushc 0, 0\n sfpsetcc 0, 0, 0, 0\n sfpmov 9, 0, 0");
    let half: Lanes = lanes(|l| f32_of((l - 16).max(0)));
    assert_eq!(lreg(&bench, 0), half);
    // else: x = 1, in the lanes that were not negative; then back to all lanes.
    bench.run("sfpcompc 0\n sfpmov 1, 0, 0");
    assert_eq!(lreg(&bench, 0), lanes(|l| if l < 16 { 0 } else { ONE }));
    bench.run("sfpstore 0, 3, 0, 0");
    assert_eq!(
        bench.dst32(1)[0],
        f32_of(-8),
        "disabled lanes are not stored"
    );
    assert_eq!(bench.dst32(2)[0], ONE);
    bench.run("sfpmov 1, 5, 2\n sfppopc 0, 0\n sfpmov 2, 0, 0");
    assert_eq!(lreg(&bench, 5), [ONE; LANES]);
    assert_eq!(lreg(&bench, 0), [1 << 31; LANES]);
}

#[test]
fn nested_conditions() {
    let mut bench = bench();
    // x < 0 inside lane < 8 … and the else of the inner condition stays within the outer one.
    bench.run("sfploadi 4, 4, 0xFFF8\n sfpload 5, 3, 0, 12\n sfppushc 0, 0\n sfpsetcc 0, 0, 0, 0\n sfppushc 0, 0\n sfpsetcc 0, 3, 0, 6");
    assert_eq!(bench.core.regs.vector.enabled(), 1);
    bench.run("sfpcompc 0");
    assert_eq!(bench.core.regs.vector.enabled(), 0xFFFE);
    bench.run("sfppopc 0, 0");
    assert_eq!(bench.core.regs.vector.enabled(), 0xFFFF);
    bench.run("sfpcompc 0");
    assert_eq!(bench.core.regs.vector.enabled(), 0xFFFF_0000);
    bench.run("sfppopc 0, 0");
    assert_eq!(bench.core.regs.vector.enabled(), u32::MAX);
}

#[test]
fn predication_is_switched_by_sfpencc() {
    // Immediate and mode; enabled lanes with the flags of x < 0 before.
    for (text, enabled) in [
        ("sfpencc 0, 0, 0", u32::MAX),  // flags become true
        ("sfpencc 0, 0, 2", u32::MAX),  // flags no longer count
        ("sfpencc 1, 0, 10", 0),        // flags count and are false
        ("sfpencc 3, 0, 10", u32::MAX), // flags count and are true
        ("sfpencc 0, 0, 9", u32::MAX),  // flags false, but no longer in use
        ("sfpencc 0, 0, 8", 0),         // flags false, still in use
    ] {
        let mut bench = bench();
        bench.run("sfpsetcc 0, 0, 0, 0");
        bench.run(text);
        assert_eq!(bench.core.regs.vector.enabled(), enabled, "{text}");
    }
    // While flags are not in use, a comparison clears them.
    let mut bench = bench();
    bench.run("sfpencc 2, 0, 10\n sfpsetcc 0, 0, 0, 4");
    assert_eq!(bench.core.regs.vector.enabled(), u32::MAX);
    bench.run("sfpencc 0, 0, 9");
    assert_eq!(bench.core.regs.vector.enabled(), 0);
}

#[test]
fn accesses_are_noted() {
    let mut bench = bench();
    bench.run("sfpmad 0, 1, 2, 6, 0");
    assert_eq!(
        (bench.core.access.lreg_read, bench.core.access.lreg_write),
        (0b111, 1 << 6)
    );
    bench.run("sfpswap 0, 1, 1");
    assert_eq!(
        (bench.core.access.lreg_read, bench.core.access.lreg_write),
        (0b11, 0b11)
    );
    bench.run("sfpstore 6, 3, 0, 8");
    let mut rows = crate::access::RowSet::default();
    rows.extend([16, 17, 18, 19, 24, 25, 26, 27]);
    assert_eq!(
        (bench.core.access.dst_write, bench.core.access.lreg_read),
        (rows, 1 << 6)
    );
    bench.run("sfpload 6, 3, 0, 8");
    assert_eq!(
        (bench.core.access.dst_read, bench.core.access.lreg_write),
        (rows, 1 << 6)
    );
}

#[test]
fn refusals() {
    let rows: &[(&str, &str)] = &[
        ("sfplz 0, 1, 0", "not modelled: SFPLZ"),
        (
            "sfpmov 7, 0, 0",
            "undefined behaviour: reads lane 0 of LReg 7, which nothing has written; load it first",
        ),
        ("sfpmov 12, 0, 0", "undefined behaviour: reads lane 0 of LReg 12, which nothing has written; load it first"),
        ("sfpmov 0, 8, 0", "not modelled: LReg 8 as a destination; 0 to 7 can be written"),
        (
            "sfpmov 0, 1, 8",
            "not modelled: SFPMOV in mode 8; modelled: 0 (copy), 1 (negate), 2 (copy in all lanes)",
        ),
        ("sfpabs 0, 1, 2", "not modelled: SFPABS in mode 2; modelled: 0 (integer), 1 (float)"),
        (
            "sfpsetsgn 0, 0, 1, 2",
            "not modelled: SFPSETSGN in mode 2; modelled: 0 (sign of VD), 1 (immediate)",
        ),
        (
            "sfpmad 0, 0, 0, 1, 4",
            "not modelled: a multiply-add in mode 4; modelled: 0 (registers by number)",
        ),
        (
            "sfpswap 0, 1, 10",
            "not modelled: SFPSWAP in mode 10; modelled: 0 (swap), 1 to 9 (minimum and maximum)",
        ),
        (
            "sfpstochrnd 1, 0, 0, 0, 1, 1",
            "not modelled: stochastic rounding in the vector unit; leave rnd_mode 0",
        ),
        (
            "sfpstochrnd 0, 1, 0, 0, 1, 1",
            "undefined behaviour: SFPSTOCHRND between floats with a shift amount; leave it 0",
        ),
        (
            "sfpstochrnd 0, 0, 0, 0, 1, 2",
            "not modelled: SFPSTOCHRND in mode 2; modelled: 0 (10 mantissa bits), 1 (7 mantissa bits)",
        ),
        (
            "sfploadi 0, 3, 0",
            "undefined behaviour: SFPLOADI in mode 3; 0 is BF16, 1 FP16, 2 unsigned, 4 signed, 8 the upper half, 10 the lower half",
        ),
        (
            "sfpconfig 0, 15, 1",
            "not modelled: SFPCONFIG of destination 15; LRegs 11 to 14 can be set",
        ),
        (
            "sfpconfig 0, 11, 3",
            "not modelled: SFPCONFIG in mode 3; modelled: 0 (from LReg 0) and 1 (default value), immediate 0",
        ),
        (
            "sfpsetcc 0, 0, 0, 3",
            "not modelled: SFPSETCC in mode 3; modelled: 0 (< 0), 1 (immediate), 2 (≠ 0), 4 (≥ 0), 6 (= 0), 8 (clear)",
        ),
        ("sfppushc 0, 1", "not modelled: SFPPUSHC in mode 1; modelled: 0"),
        ("sfppopc 0, 1", "not modelled: SFPPOPC in mode 1; modelled: 0 (pop)"),
        ("sfppopc 0, 0", "undefined behaviour: SFPPOPC from an empty flag stack; push first"),
        (
            "sfpload 0, 12, 0, 0",
            "not modelled: SFPLOAD in mode 12; modelled: 0 (by configuration), 1 (FP16), 2 (BF16), 3 (FP32), 4 (INT32)",
        ),
        (
            "sfpstore 0, 2, 0, 0",
            "undefined behaviour: SFPSTORE in mode 2 on a 32-bit Dst; use mode 0 or the one that fits",
        ),
        ("sfpstore 12, 3, 0, 0", "not modelled: SFPSTORE of LReg 12; 0 to 11 can be stored"),
        (
            "sfpstore 3, 3, 0, 0",
            "not modelled: SFPSTORE of the denormal 0x00000001 in FP32, on whose fate the sources disagree; flush it before, or store it in mode 4, which keeps it",
        ),
        (
            "sfpload 0, 3, 0, 16",
            "undefined behaviour: the vector unit touches Dst row 32 (of 1024), which is cleared, was never written or holds datums of \
             another width; move data there first",
        ),
    ];
    for (text, fault) in rows {
        bench().refuses(text, fault);
    }
    let mut cleared = bench();
    cleared.run("ttzeroacc 3, 0, 0");
    cleared.refuses(
        "sfpstore 0, 3, 0, 0",
        "undefined behaviour: the vector unit touches Dst row 0 (of 1024), which is cleared, was never written or holds datums of another width; move data there first",
    );
    let mut full = bench();
    (0..8).for_each(|_| full.run("sfppushc 0, 0"));
    full.refuses(
        "sfppushc 0, 0",
        "undefined behaviour: SFPPUSHC onto a full flag stack; it has eight places",
    );
    let mut disabled = bench();
    disabled.run("sfpsetcc 0, 0, 0, 0");
    disabled.refuses(
        "sfpconfig 0, 11, 1",
        "not modelled: SFPCONFIG with lanes disabled; enable all lanes first",
    );
    Bench::new().refuses(
        "sfppushc 0, 0",
        "undefined behaviour: lane flags are used before SFPENCC has set them; execute SFPENCC first",
    );
}
