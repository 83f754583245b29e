//! Tests of features that Blackhole has and Wormhole lacks.

use tessera_isa_tensix::{cfg, Arch};

use super::{lanes, lreg, ONE};
use crate::testing::{f32_of, Bench};

fn bench() -> Bench {
    super::bench_on(Arch::Blackhole)
}

#[test]
fn operations() {
    type Expect = fn(i32) -> u32;
    let rows: &[(&str, usize, Expect)] = &[
        ("sfpmad 0, 0, 1, 4, 1", 4, |l| {
            f32_of(1 - (l - 16) * (l - 16))
        }),
        ("sfpmad 0, 0, 1, 4, 2", 4, |l| {
            f32_of((l - 16) * (l - 16) - 1)
        }),
        ("sfpadd 10, 0, 1, 4, 3", 4, |l| f32_of(15 - l)),
        // A product of −0 stays, if −0 is added.
        ("sfpmul 1, 2, 9, 4, 2", 4, |_| 1 << 31),
        ("sfpmul 1, 2, 9, 4, 0", 4, |_| 0),
        ("sfpmov 0, 4, 0\n sfpaddi 0x4040, 4, 2", 4, |l| {
            f32_of(19 - l)
        }),
        ("sfpmov 0, 4, 0\n sfpmuli 0xC040, 4, 2", 4, |l| {
            f32_of(3 * (l - 16))
        }),
        ("sfpshft 0xFFE, 15, 4, 5", 4, |l| l as u32 / 2),
        ("sfpshft 3, 15, 4, 5", 4, |l| 16 * l as u32),
        ("sfpmov 0, 4, 0\n sfpshft 0xFFF, 0, 4, 3", 4, |l| {
            (f32_of(l - 16) as i32 >> 1) as u32
        }),
        ("sfpshft 0xFFF, 0, 4, 7", 4, |l| {
            (f32_of(l - 16) as i32 >> 1) as u32
        }),
        (
            "sfpnot 3, 5\n sfpiadd 1, 5, 5, 5\n sfpmov 0, 4, 0\n sfpshft 0, 5, 4, 2",
            4,
            |l| (f32_of(l - 16) as i32 >> l) as u32,
        ),
        ("sfpand 3, 15, 4, 1", 4, |l| (l & (2 * l)) as u32),
        ("sfpor 3, 15, 4, 1", 4, |l| (l | (2 * l)) as u32),
        ("sfpiadd 0xFF0, 3, 5, 5\n sfpcast 5, 4, 3", 4, |l| {
            (l - 16).unsigned_abs() | if l < 16 { 1 << 31 } else { 0 }
        }),
        (
            "sfpiadd 0xFF0, 3, 5, 5\n sfpcast 5, 5, 3\n sfpcast 5, 4, 3",
            4,
            |l| (l - 16) as u32,
        ),
        ("sfpiadd 0xFF0, 3, 5, 5\n sfpcast 5, 4, 2", 4, |l| {
            (l - 16).unsigned_abs()
        }),
        ("sfpstochrnd 2, 0, 0, 8, 4, 1", 4, |_| 0x3F56_0000),
        ("sfpstochrnd 2, 0, 0, 8, 4, 0", 4, |_| 0x3F56_4000),
        ("sfpmov 0, 4, 0\n sfple 1, 4, 8", 4, |l| {
            if l - 16 <= 1 {
                u32::MAX
            } else {
                0
            }
        }),
        ("sfpmov 0, 4, 0\n sfpgt 1, 4, 8", 4, |l| {
            if l - 16 > 1 {
                u32::MAX
            } else {
                0
            }
        }),
        ("sfpmul24 3, 15, 9, 4, 0", 4, |l| (2 * l * l) as u32),
        (
            "sfpsetman 0x800, 15, 5, 1\n sfpmul24 5, 3, 9, 4, 1",
            4,
            |l| l as u32 / 2,
        ),
        ("sfploadi 7, 2, 3\n sfpmul24 0, 15, 9, 4, 4", 4, |l| {
            (2 * l * l) as u32
        }),
        ("sfploadi 7, 2, 6\n sfpmul24 3, 15, 9, 4, 8", 6, |l| {
            (2 * l * l) as u32
        }),
        ("sfparecip 0, 1, 4, 0", 4, |_| 0x3F7F_0000),
        ("sfpsetsgn 1, 1, 1, 1\n sfparecip 0, 1, 4, 0", 4, |_| {
            0xBF7F_0000
        }),
        ("sfpsetsgn 1, 1, 1, 1\n sfparecip 0, 1, 4, 1", 4, |l| {
            if l < 16 {
                0x3F7F_0000
            } else {
                0xBF80_0000
            }
        }),
        ("sfpsetsgn 1, 1, 1, 1\n sfparecip 0, 1, 4, 2", 4, |_| {
            0xC02D_0000
        }),
        ("sfpshft2 0, 3, 4, 4", 4, |l| {
            if l % 8 == 0 {
                0
            } else {
                l as u32 - 1
            }
        }),
    ];
    for &(text, index, expect) in rows {
        let mut bench = bench();
        bench.run(text);
        assert_eq!(lreg(&bench, index), lanes(expect), "{text}");
    }
}

#[test]
fn comparisons() {
    type Holds = fn(i32) -> bool;
    let rows: &[(&str, Holds)] = &[
        ("sfpgt 1, 0, 1", |x| x > 1),
        ("sfple 1, 0, 1", |x| x <= 1),
        ("sfpgt 9, 2, 1", |_| false), // −0 is below +0
        ("sfple 9, 2, 1", |_| true),
        // The stack: of lanes below 0 those, or those and others.
        (
            "sfpsetcc 0, 0, 0, 0\n sfppushc 0, 0\n sfpencc 3, 0, 10\n sfpgt 9, 3, 2\n sfppopc 0, 0",
            |x| x < 0 && x > -16,
        ),
        (
            "sfpsetcc 0, 0, 0, 0\n sfppushc 0, 0\n sfpencc 3, 0, 10\n sfpgt 1, 0, 6\n sfppopc 0, 0",
            |x| !(0..=1).contains(&x),
        ),
        // Also that of lanes which are disabled.
        (
            "sfppushc 0, 0\n sfpsetcc 0, 0, 0, 0\n sfpgt 1, 0, 2\n sfppopc 0, 0",
            |x| x > 1,
        ),
        // An empty stack has no top.
        ("sfpgt 1, 0, 2", |_| true),
    ];
    for &(text, holds) in rows {
        let mut bench = bench();
        bench.run(text);
        let expected = (0..32).fold(0, |bits, l| bits | u32::from(holds(l - 16)) << l);
        assert_eq!(bench.core.regs.vector.enabled(), expected, "{text}");
    }
}

/// Modes of SFPPUSHC but 0: the top of the stack and the flags as they are.
#[test]
fn the_top_of_the_stack_changes() {
    for (mode, expected) in [
        (1, 0x00FF_00FF),
        (2, 0xFF00_FF00),
        (3, 0x0000_00FF),
        (4, 0x00FF_FFFF),
        (5, 0x0000_FF00),
        (6, 0xFF00_FFFF),
        (7, 0x00FF_0000),
        (8, 0xFFFF_00FF),
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
        bench.run(&format!("sfppushc 0, {mode}"));
        let own = if mode == 13 { 0xFF00_FF00 } else { 0x00FF_00FF };
        assert_eq!(bench.core.regs.vector.enabled(), own, "mode {mode}");
        bench.run("sfppopc 0, 0");
        assert_eq!(bench.core.regs.vector.enabled(), expected, "mode {mode}");
    }
    // Looking at a full stack leaves its bottom alone.
    let full = super::full_stack(bench());
    assert_eq!(full.core.regs.vector.enabled(), 0xFFFF);
}

/// No mode converts to two's complement; FP32 has no denormals.
#[test]
fn loads_and_stores() {
    for (mode, value, plain) in [
        (12, 0x8000_0005_u32, 0x8000_0005_u32),
        (3, 0x8000_0005, 0x8000_0000),
        (0, 0x007F_FFFF, 0),
        (4, 0x007F_FFFF, 0x007F_FFFF),
    ] {
        let mut bench = bench();
        bench.run(&format!(
            "sfploadi 4, 2, {}\n sfploadi 4, 8, {}\n sfpstore 4, {mode}, 0, 0\n sfpload 5, 4, 0, 0",
            value & 0xFFFF,
            value >> 16
        ));
        assert_eq!(lreg(&bench, 5)[3], plain, "mode {mode}");
    }
    for (mode, value, back) in [
        (5, 0x8000_00F7_u32, 0x8000_00F7_u32),
        (13, 0x8000_03F7, 0x8000_03F7),
    ] {
        let mut bench = Bench::on(Arch::Blackhole).dst_width(0);
        (0..4).for_each(|row| bench.put_dst16(row, [0; 16]));
        bench.run(&format!(
            "sfploadi 4, 2, {}\n sfploadi 4, 8, {}\n sfpstore 4, {mode}, 0, 0\n \
             sfpload 5, {mode}, 0, 0",
            value & 0xFFFF,
            value >> 16
        ));
        assert_eq!(lreg(&bench, 5)[3], back, "mode {mode}");
    }
}

/// Mode 0 goes by SrcB's format, or by the one that the thread has for it: FP16 has codes 1 and 10,
/// BF16 5 and 6.
#[test]
fn threads_may_name_the_format_of_dst() {
    for (of_src, own, expect) in [
        (5, None, ONE),
        (1, None, 0x4780_6000),
        (5, Some(10), 0x4780_6000),
        (1, Some(6), ONE),
    ] {
        let mut bench = Bench::on(Arch::Blackhole).dst_width(0);
        bench.set(cfg::ALU_FORMAT_SPEC_REG1_SrcB, of_src);
        if let Some(own) = own {
            bench.set_thread(cfg::SFPU_DEST_FMT_Enable, 1);
            bench.set_thread(cfg::SFPU_DEST_FMT_Base, own);
        }
        (0..4).for_each(|row| bench.put_dst16(row, [0x3F80; 16]));
        bench.run("sfpload 1, 0, 0, 0");
        assert_eq!(lreg(&bench, 1), [expect; 32], "{of_src}, {own:?}");
    }
}

/// Mode 10: stores push, loads pop, whichever lanes are enabled; other modes add the low bits of
/// the pointer.
#[test]
fn the_stack_in_dst() {
    let mut bench = bench();
    bench.set_thread(cfg::SFPU_STACK_Incr, 2);
    bench.set(cfg::DEST_SP_BASE_Base, 64);
    (64..68).for_each(|row| bench.put_dst32(row, [0; 16]));
    bench
        .run("sfpmov 15, 5, 0\n sfpsetcc 0, 0, 0, 0\n sfpstore 3, 10, 0, 0\n sfpstore 5, 10, 0, 0");
    let even = |l: i32| l as u32;
    let odd = |l: i32| 2 * l as u32;
    for row in 0..4 {
        let expect = std::array::from_fn(|k| {
            let lane = (8 * row + k / 2) as i32;
            if k % 2 == 0 {
                even(lane)
            } else {
                odd(lane)
            }
        });
        assert_eq!(bench.dst32(64 + row), expect, "row {row}");
    }
    bench.refuses(
        "ttsetrwc 0, 0, 0, 0, 0, 4",
        "not modelled: SETRWC while the vector unit's stack is not empty (its pointer is 4); no \
         page says whether that is reset; load what is there (mode 10) first",
    );
    bench.run("sfpload 4, 10, 0, 0");
    assert_eq!(lreg(&bench, 4), lanes(odd));
    // With the pointer at 2 another mode goes to odd columns.
    bench.run("sfpencc 0, 0, 0\n sfpload 6, 4, 0, 64");
    assert_eq!(lreg(&bench, 6), lanes(odd));
    bench.run("sfpload 5, 10, 0, 0\n sfpload 6, 10, 0, 0");
    assert_eq!(lreg(&bench, 5), lanes(even));
    assert_eq!(lreg(&bench, 6), lanes(even), "an empty stack");
    bench.run("ttsetrwc 0, 0, 0, 0, 0, 4");
    // A template moves the pointer, too.
    bench.run("sfpstore 12, 10, 0, 0");
    assert_eq!(bench.core.regs.rwcs[crate::testing::THREAD].stack, 2);
    // Whether a macro's store does is not documented: its sequence stores at once, in mode 10.
    bench.run("sfploadi 0, 2, 0\n sfploadi 0, 8, 0x0300\n sfpconfig 0, 4, 0\n sfpconfig 10, 8, 1");
    bench.run("sfpload 7, 10, 0, 0");
    bench.refuses(
        "sfploadmacro 0, 4, 0, 0",
        "not modelled: SFPSTORE that SFPLOADMACRO has scheduled: a store to the stack (mode 10) by \
         SFPLOADMACRO, whose effect on the pointer is not documented; store in mode 4",
    );
}

#[test]
fn refusals() {
    for (text, fault) in [
        (
            "sfpshft 0, 0, 1, 8",
            "not modelled: SFPSHFT in mode 8; modelled: sums of 1 (immediate), 2 (arithmetic), 4 \
             (VC by the immediate)",
        ),
        (
            "sfpand 0, 0, 1, 2",
            "not modelled: SFPAND in mode 2; modelled: 0, 1 (with VB)",
        ),
        (
            "sfpmuli 0, 1, 1",
            "not modelled: SFPMULI in mode 1; modelled: sums of 2 (negated), 8 (destination named \
             by LReg 7)",
        ),
        (
            "sfpmul24 0, 0, 9, 1, 2",
            "not modelled: SFPMUL24 in mode 2; modelled: sums of 1 (upper half), 4 (factor named \
             by LReg 7), 8 (destination named by LReg 7)",
        ),
        (
            "sfpstochrnd 3, 0, 0, 0, 1, 1",
            "not modelled: SFPSTOCHRND by rounding in mode 3; modelled: 0 (to nearest), 1 \
             (stochastically), on Blackhole 2 (to zero)",
        ),
        (
            "sfppushc 0, 1",
            "undefined behaviour: SFPPUSHC in mode 1 on an empty flag stack; push first",
        ),
    ] {
        bench().refuses(text, fault);
    }
    let mut open = bench();
    open.run("sfpor 0, 0, 12, 0\n sfploadi 0, 2, 4\n sfpconfig 0, 4, 0");
    open.run("sfploadmacro 0, 0, 0, 0");
    open.refuses(
        "sfpnop",
        "undefined behaviour: SFPOR that SFPLOADMACRO has scheduled: SFPOR scheduled with the \
         loaded register as VC and no VB; give it one by mode 1",
    );
}
