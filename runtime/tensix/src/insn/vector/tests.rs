//! Tests of single instructions.

mod blackhole;
mod config;
mod lane_macros;
mod macros;

use tessera_isa_tensix::{cfg, Arch};

use crate::arith::spec::bits;
use crate::arith::{Lanes, LANES};
use crate::testing::{f32_of, Bench, THREAD};

const ONE: u32 = 0x3F80_0000;

/// Returns a bench whose LRegs 0 to 3 hold: the lane's number minus 16 as float, 1.0, −0.0, the
/// lane's number as integer.
fn bench() -> Bench {
    bench_on(Arch::WormholeB0)
}

/// Returns the same bench for a given architecture.
fn bench_on(arch: Arch) -> Bench {
    let mut bench = Bench::on(arch);
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
    bench.run(
        "sfpload 0, 3, 0, 0\n sfpload 1, 3, 0, 4\n sfpload 2, 3, 0, 8\n sfpload 3, 3, 0, 12\n \
         sfpencc 3, 0, 10",
    );
    bench
}

fn lreg(bench: &Bench, index: usize) -> Lanes {
    *bench.core.regs.vector.lreg(index).unwrap()
}

fn lanes(f: impl Fn(i32) -> u32) -> Lanes {
    std::array::from_fn(|lane| f(lane as i32))
}

/// Pushes flags of the lanes below 16, and leaves the lanes of rows 0 and 2 enabled.
fn push_flags(bench: &mut Bench) {
    bench.run("sfpsetcc 0, 0, 0, 0\n sfppushc 0, 0\n sfpencc 0, 0, 0");
    bench.core.regs.vector.predication.as_mut().unwrap().flags = 0x00FF_00FF;
}

/// Returns a bench after mode 13 of SFPPOPC has read a full stack of flags, and after the stack has
/// been popped.
fn full_stack(mut full: Bench) -> Bench {
    full.run("sfpsetcc 0, 0, 0, 0\n sfppushc 0, 0\n sfpencc 0, 0, 0");
    (0..7).for_each(|_| full.run("sfppushc 0, 0"));
    full.run("sfppopc 0, 13");
    (0..8).for_each(|_| full.run("sfppopc 0, 0"));
    full
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
    bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.nth(1), 2);
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
        // A factor of zero adds nothing.
        ("sfpadd 0, 9, 0, 4, 0", 4, |l| f32_of(l - 16)),
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
        ("sfpswap 0, 1, 15", 1, |l| f32_of((l - 16).max(1))),
        ("sfpmov 1, 8, 0", 8, |_| 0x3F56_594B),
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
        ("sfpconfig 0, 15, 1", 15, |l| 2 * l as u32),
        ("sfpnop", 15, |l| 2 * l as u32),
        ("sfpmov 15, 4, 8", 4, |_| 0),
        // Integers.
        ("sfpiadd 0xFFF, 3, 4, 5", 4, |l| (l - 1) as u32),
        ("sfpmov 3, 4, 0\n sfpiadd 0, 3, 4, 4", 4, |l| 2 * l as u32),
        ("sfpmov 15, 4, 0\n sfpiadd 0, 3, 4, 6", 4, |l| -l as u32),
        ("sfpmov 3, 4, 0\n sfpshft 2, 0, 4, 1", 4, |l| 4 * l as u32),
        ("sfpmov 3, 4, 0\n sfpshft 0xFFF, 0, 4, 1", 4, |l| {
            l as u32 / 2
        }),
        ("sfpmov 0, 4, 0\n sfpshft 0, 3, 4, 0", 4, |l| {
            f32_of(l - 16) << l
        }),
        ("sfplz 3, 4, 0", 4, |l| (l as u32).leading_zeros()),
        ("sfplz 2, 4, 4", 4, |_| 32),
        ("sfplz 2, 4, 0", 4, |_| 0),
        ("sfpmov 15, 4, 0\n sfpand 0, 3, 4, 0", 4, |l| {
            (l & (2 * l)) as u32
        }),
        ("sfpmov 15, 4, 0\n sfpor 0, 3, 4, 0", 4, |l| {
            (l | (2 * l)) as u32
        }),
        ("sfpmov 15, 4, 0\n sfpxor 3, 4", 4, |l| (l ^ (2 * l)) as u32),
        ("sfpnot 3, 4", 4, |l| !l as u32),
        // Parts of floats.
        ("sfpdivp2 130, 1, 4, 0", 4, |_| f32_of(8)),
        ("sfpdivp2 3, 0, 4, 1", 4, |l| match l {
            16 => 3 << 23,
            l => f32_of(8 * (l - 16)),
        }),
        ("sfpdivp2 0xFF, 1, 4, 1", 4, |_| 0x3F00_0000),
        ("sfpdivp2 0xFFF, 1, 4, 1", 4, |_| 0x3F00_0000),
        ("sfpdivp2 255, 1, 4, 0\n sfpdivp2 3, 4, 4, 1", 4, |_| {
            0x7F80_0000
        }),
        ("sfpexexp 1, 4, 0", 4, |_| 0),
        ("sfpexexp 1, 4, 1", 4, |_| 127),
        ("sfpexexp 0, 4, 0", 4, |l| match (l - 16).unsigned_abs() {
            0 => -127_i32 as u32,
            x => x.ilog2(),
        }),
        ("sfpexman 8, 4, 0", 4, |_| 0xD6_594B),
        ("sfpexman 8, 4, 1", 4, |_| 0x56_594B),
        ("sfpsetexp 130, 8, 4, 1", 4, |_| 0x4156_594B),
        ("sfpmov 3, 4, 0\n sfpsetexp 0, 8, 4, 0", 4, |l| {
            (l as u32) << 23 | 0x56_594B
        }),
        ("sfpmov 1, 4, 0\n sfpsetexp 0, 8, 4, 2", 4, |_| 0x3FD6_594B),
        ("sfpsetman 0x800, 1, 4, 1", 4, |_| 0x3FC0_0000),
        ("sfpmov 3, 4, 0\n sfpsetman 0, 1, 4, 0", 4, |l| {
            ONE | l as u32
        }),
        // Immediates, and registers that LReg 7 names.
        ("sfpmov 0, 4, 0\n sfpmuli 0x4040, 4, 0", 4, |l| {
            f32_of(3 * (l - 16))
        }),
        ("sfpmov 0, 4, 0\n sfpaddi 0x4040, 4, 0", 4, |l| {
            f32_of(l - 13)
        }),
        ("sfploadi 7, 2, 0\n sfpmad 8, 10, 9, 4, 4", 4, |l| {
            f32_of(l - 16)
        }),
        (
            "sfploadi 7, 2, 5\n sfpmov 9, 4, 0\n sfpmad 0, 10, 1, 4, 8",
            5,
            |l| f32_of(l - 15),
        ),
        (
            "sfploadi 7, 2, 9\n sfpmov 9, 4, 0\n sfpmad 0, 10, 1, 4, 8",
            4,
            |_| 0,
        ),
        // Rounding.
        ("sfpcast 3, 4, 0", 4, f32_of),
        ("sfpstochrnd 0, 0, 0, 0, 4, 3", 4, |l| {
            (l - 16).unsigned_abs() | if l < 16 { 1 << 31 } else { 0 }
        }),
        ("sfpstochrnd 0, 0, 0, 0, 4, 6", 4, |l| {
            (l - 16).unsigned_abs()
        }),
        ("sfpstochrnd 0, 2, 0, 3, 4, 12", 4, |l| (l as u32 + 2) / 4),
        ("sfploadi 5, 2, 1\n sfpstochrnd 0, 0, 5, 3, 4, 5", 4, |l| {
            (l as u32).div_ceil(2)
        }),
        // Lanes.
        ("sfpmov 3, 0, 0\n sfptransp 0", 0, |l| match l / 8 {
            0 => l as u32,
            1 => ONE,
            2 => 1 << 31,
            _ => l as u32 - 24,
        }),
        ("sfptransp 0", 3, |l| match l / 8 {
            0 => f32_of(l + 8),
            1 => ONE,
            2 => 1 << 31,
            _ => l as u32,
        }),
        ("sfpshft2 0, 0, 0, 0", 0, |_| ONE),
        ("sfpshft2 0, 0, 0, 0", 2, |l| l as u32),
        ("sfpshft2 0, 0, 0, 0", 3, |_| 0),
        ("sfpshft2 0, 0, 0, 1", 3, |l| {
            if l < 24 {
                f32_of(l - 8)
            } else {
                0
            }
        }),
        ("sfpshft2 0, 3, 0, 2", 3, |l| {
            (l - l % 8 + (l + 7) % 8) as u32
        }),
        ("sfpshft2 0, 3, 4, 3", 4, |l| {
            (l - l % 8 + (l + 7) % 8) as u32
        }),
        ("sfpshft2 3, 3, 4, 5", 4, |l| (l as u32) << l),
        ("sfpshft2 3, 0, 4, 6", 4, |l| (l as u32) << 3),
    ];
    for arch in Arch::ALL {
        for &(text, index, expect) in rows {
            let mut bench = bench_on(arch);
            bench.run(text);
            assert_eq!(lreg(&bench, index), lanes(expect), "{text} on {arch}");
        }
    }
}

/// On Wormhole a shift of rows lets in what the last rotation brought to the first column.
#[test]
fn shifts_of_rows_on_wormhole() {
    type Expect = fn(i32) -> u32;
    let rows: &[(&str, usize, Expect)] = &[
        ("sfpshft2 0, 9, 9, 3\n sfpshft2 0, 3, 4, 4", 4, |l| {
            if l % 8 == 0 {
                0
            } else {
                l as u32 - 1
            }
        }),
        ("sfpshft2 0, 3, 9, 3\n sfpshft2 0, 1, 4, 4", 4, |l| {
            if l % 8 == 0 {
                l as u32 + 7
            } else {
                ONE
            }
        }),
    ];
    for &(text, index, expect) in rows {
        let mut bench = bench();
        bench.run(text);
        assert_eq!(lreg(&bench, index), lanes(expect), "{text}");
    }
}

/// Both tables, at the ends of their pieces.
#[test]
fn tables() {
    let argument = |bench: &mut Bench, x: f32| {
        let bits = x.to_bits();
        bench.run(&format!(
            "sfploadi 3, 2, {}\n sfploadi 3, 8, {}",
            bits & 0xFFFF,
            bits >> 16
        ));
    };
    // LRegs 0 to 2 and 4 to 6 hold, in eight bits, 1 and 0, 1/2 and 1, 0 and −1; in sixteen, below
    // them, those of six pieces.
    for (instruction, tables, points) in [
        (
            "sfplut 5, 0",
            "sfploadi 0, 2, 0x00FF\n sfploadi 1, 2, 0x1000\n sfploadi 2, 2, 0xFF80",
            &[
                (0.5, 0.5), (-0.75, 0.75), (1.0, 1.5), (-1.5, 1.75), (2.0, -1.0),
                (f32::NAN, f32::NAN),
            ][..],
        ),
        (
            "sfplut 5, 4",
            "sfploadi 0, 2, 0x00FF\n sfploadi 1, 2, 0x1000\n sfploadi 2, 2, 0xFF80",
            &[(0.5, 0.5), (-0.75, -0.75), (-1.5, -1.75), (3.0, 1.0), (-3.0, -1.0)],
        ),
        (
            "sfplutfp32 7, 0",
            "sfploadi 0, 0, 0x4000\n sfploadi 1, 0, 0x3F80\n sfploadi 2, 0, 0\n sfploadi 4, 0, 0\n \
             sfploadi 5, 0, 0x3F80\n sfploadi 6, 0, 0x4040",
            &[(0.5, 1.0), (-0.5, 1.0), (1.0, 2.0), (1.5, 2.5), (2.0, 3.0), (-9.0, 3.0)],
        ),
        (
            // 1x + 0, 2x + 0 | 0 + 1, 0 + 2 | 0 + 3, 0 + 4
            "sfplutfp32 7, 2",
            "sfploadi 0, 2, 0x3C00\n sfploadi 0, 8, 0x4000\n sfploadi 1, 0, 0x7C00\n \
             sfploadi 1, 10, 0x7C00\n sfploadi 2, 0, 0x7C00\n sfploadi 2, 10, 0x7C00\n \
             sfploadi 4, 0, 0x7C00\n sfploadi 4, 10, 0x7C00\n sfploadi 5, 2, 0x3C00\n \
             sfploadi 5, 8, 0x4000\n sfploadi 6, 2, 0x4200\n sfploadi 6, 8, 0x4400",
            &[
                (0.25, 0.25), (0.5, 1.0), (1.25, 1.0), (1.5, 2.0), (2.5, 3.0), (3.0, 4.0),
                (-3.5, 4.0),
            ],
        ),
        (
            "sfplutfp32 7, 3",
            "sfploadi 2, 0, 0x7C00\n sfploadi 2, 10, 0x7C00\n sfploadi 6, 2, 0x4200\n \
             sfploadi 6, 8, 0x4400",
            &[(3.5, 3.0), (4.0, 4.0)],
        ),
        (
            // Three entries of sixteen bits; the destination is in LReg 7.
            "sfploadi 7, 2, 5\n sfplutfp32 0, 10",
            "sfploadi 0, 2, 0x3C00\n sfploadi 0, 8, 0x4000\n sfploadi 1, 2, 0x4000\n \
             sfploadi 1, 8, 0x3C00",
            &[(0.5, 2.0), (1.5, 3.5)],
        ),
    ] {
        for &(x, expect) in points {
            let mut bench = bench();
            bench.run(tables);
            argument(&mut bench, x);
            bench.run(instruction);
            let is_in_7 = instruction.contains(" 7,") && !instruction.contains('\n');
            let dest = if is_in_7 { 7 } else { 5 };
            let result = f32::from_bits(lreg(&bench, dest)[9]);
            let same = result == expect || result.is_nan() && f32::is_nan(expect);
            assert!(same, "{instruction} of {x}: {result}, not {expect}");
        }
    }
}

/// Unwritten lanes are moved with the written ones, and trap only where they are used.
#[test]
fn unwritten_lanes_are_moved() {
    let mut bench = Bench::new();
    bench.run("sfploadi 0, 2, 7\n sfptransp 0");
    let vector = &bench.core.regs.vector;
    assert_eq!(vector.known[..4], [0xFF, 0xFF, 0xFF, 0xFF]);
    bench.refuses(
        "sfpmov 1, 2, 0",
        "undefined behaviour: reads lane 8 of LReg 1, which nothing has written; load it first",
    );
}

/// Modes of integers, both ways.
#[test]
fn integers_in_dst() {
    // 32-bit Dst: the stored bits of an LReg, loaded unchanged, and loaded in the same mode.
    for (mode, value, plain) in [
        (12, -5_i32 as u32, 0x8000_0005),
        (12, 5, 5),
        (10, 0x8000_0005, 0x8000_0005),
    ] {
        let mut bench = bench();
        bench.run(&format!(
            "sfploadi 4, 2, {}\n sfploadi 4, 8, {}\n sfpstore 4, {mode}, 0, 0\n \
             sfpload 5, 4, 0, 0\n sfpload 6, {mode}, 0, 0",
            value & 0xFFFF,
            value >> 16
        ));
        assert_eq!(
            (lreg(&bench, 5)[3], lreg(&bench, 6)[3]),
            (plain, value),
            "mode {mode}"
        );
    }
    // 16-bit Dst: the stored bits, and the loaded LReg.
    for (mode, value, raw, back) in [
        (5, 0x8000_0007_u32, 0x80F0, 0x8000_0007),
        (13, -7_i32 as u32, 0x80F0, -7_i32 as u32),
        (8, 0x8000_1234, 0x9234, 0x8000_1234),
        (6, 0x5678_9ABC, 0x9ABC, 0x9ABC),
        (14, 0x5678_9ABC, 0x9ABC, 0x4049_9ABC),
        (15, 0x5678_9ABC, 0x5678, 0x5678_1111),
        (11, 0x5678_9ABC, 0, 0),
    ] {
        let mut bench = Bench::new().dst_width(0);
        (0..4).for_each(|row| bench.core.regs.dst.write_row16(row, [0; 16]));
        bench.run(&format!(
            "sfploadi 4, 2, {}\n sfploadi 4, 8, {}\n sfpstore 4, {mode}, 0, 0",
            value & 0xFFFF,
            value >> 16
        ));
        assert_eq!(bench.core.regs.dst.row16(0).unwrap()[6], raw, "mode {mode}");
        bench.run(&format!(
            "sfploadi 5, 2, 0x1111\n sfploadi 5, 8, 0x4049\n sfpload 5, {mode}, 0, 0"
        ));
        assert_eq!(lreg(&bench, 5)[3], back, "mode {mode}");
    }
    // All lanes, whatever the flags say.
    let mut bench = bench();
    bench.run("sfpsetcc 0, 0, 0, 0\n sfpload 4, 10, 0, 12");
    assert_eq!(lreg(&bench, 4), lanes(|l| l as u32));
}

#[test]
fn integers_set_the_flags() {
    type Holds = fn(i32) -> bool;
    let rows: &[(&str, Holds)] = &[
        ("sfpiadd 0xFF0, 3, 4, 1", |l| l < 16),
        ("sfpiadd 0xFF0, 3, 4, 9", |l| l >= 16),
        ("sfpiadd 0xFF0, 3, 4, 5", |_| true),
        ("sfpexexp 0, 4, 2", |l| l == 16),
        ("sfpexexp 0, 4, 10", |l| l != 16),
        ("sfpexexp 0, 4, 8", |_| false),
        ("sfplz 3, 4, 2", |l| l != 0),
        ("sfplz 3, 4, 10", |l| l == 0),
    ];
    for &(text, holds) in rows {
        let mut bench = bench();
        bench.run(text);
        let expected = (0..32).fold(0, |bits, l| bits | u32::from(holds(l)) << l);
        assert_eq!(bench.core.regs.vector.enabled(), expected, "{text}");
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
        ("sfpsetcc 1, 0, 0, 7", |_| true),
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
    bench.run(
        "sfploadi 4, 4, 0xFFF8\n sfpload 5, 3, 0, 12\n sfppushc 0, 0\n sfpsetcc 0, 0, 0, 0\n \
         sfppushc 0, 0\n sfpsetcc 0, 3, 0, 6",
    );
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
        (
            bench.core.regs.vector.access.read,
            bench.core.regs.vector.access.written
        ),
        (0b111, 1 << 6)
    );
    bench.run("sfpswap 0, 1, 1");
    assert_eq!(
        (
            bench.core.regs.vector.access.read,
            bench.core.regs.vector.access.written
        ),
        (0b11, 0b11)
    );
    bench.run("sfpstore 6, 3, 0, 8");
    let mut rows = crate::state::access::RowSet::default();
    rows.extend([16, 17, 18, 19, 24, 25, 26, 27]);
    assert_eq!(
        (
            bench.core.access.dst_write,
            bench.core.regs.vector.access.read
        ),
        (rows, 1 << 6)
    );
    bench.run("sfpload 6, 3, 0, 8");
    assert_eq!(
        (
            bench.core.access.dst_read,
            bench.core.regs.vector.access.written
        ),
        (rows, 1 << 6)
    );
}

#[test]
fn refusals() {
    let rows: &[(&str, &str)] = &[
        (
            "sfplz 0, 1, 1",
            "not modelled: SFPLZ in mode 1; modelled: sums of 2 (flags), 4 (without sign), 8 \
             (inverted flags)",
        ),
        ("sfpshft 0, 0, 1, 2", "not modelled: SFPSHFT in mode 2; modelled: 0 (amount in VC), 1 \
                                (immediate)"),
        ("sfpand 0, 0, 1, 1", "not modelled: SFPAND in mode 1; modelled: 0"),
        ("sfpor 1, 0, 1, 0", "not modelled: SFPOR in mode 1; modelled: 0"),
        (
            "sfpexexp 0, 1, 4",
            "not modelled: SFPEXEXP in mode 4; modelled: sums of 1 (with bias), 2 (flags), 8 \
             (inverted flags)",
        ),
        (
            "sfpexman 0, 1, 2",
            "not modelled: SFPEXMAN in mode 2; modelled: 0 (with the hidden bit), 1 (without)",
        ),
        (
            "sfpsetexp 0, 0, 1, 4",
            "not modelled: SFPSETEXP in mode 4; modelled: 0 (low bits of VD), 1 (immediate), 2 \
             (exponent of VD)",
        ),
        (
            "sfpsetman 0, 0, 1, 2",
            "not modelled: SFPSETMAN in mode 2; modelled: 0 (low bits of VD), 1 (immediate)",
        ),
        ("sfpdivp2 3, 0, 1, 2", "not modelled: SFPDIVP2 in mode 2; modelled: 0 (set), 1 (add)"),
        (
            "sfpdivp2 256, 0, 1, 0",
            "undefined behaviour: SFPDIVP2 with the immediate 256; exponents are below 256",
        ),
        (
            "sfpmuli 0, 0, 1",
            "not modelled: SFPMULI in mode 1; modelled: 0, 8 (destination named by LReg 7)",
        ),
        (
            "sfplut 0, 1",
            "not modelled: SFPLUT in mode 1; modelled: sums of 4 (keep the sign), 8 (destination \
             in LReg 7)",
        ),
        (
            "sfplutfp32 0, 0",
            "undefined behaviour: reads lane 0 of LReg 4, which nothing has written; load it first",
        ),
        ("sfpcast 0, 1, 2", "not modelled: SFPCAST in mode 2; modelled: 0 (to nearest), 1 \
                             (stochastically), on Blackhole 2 (absolute value), 3 (between \
                             integers)"),
        (
            "sfpcast 0, 1, 1",
            "undefined behaviour: random bits from generators that have no seed; write one to \
             PRNG_SEED_Seed_Val first",
        ),
        (
            "sfpmov 9, 1, 8",
            "undefined behaviour: random bits from generators that have no seed; write one to \
             PRNG_SEED_Seed_Val first",
        ),
        (
            "sfpshft2 0, 0, 0, 4",
            "undefined behaviour: SFPSHFT2 in mode 4 before any rotation, from which the hardware \
             fills the first column; rotate LReg 9 into itself (mode 3) to bring zeros",
        ),
        (
            "sfpshft2 0, 0, 0, 7",
            "not modelled: SFPSHFT2 in mode 7; modelled: 0 to 2 (shuffles), 3 (rotation), 4 (shift \
             of rows), 5 (shift by VC), 6 (shift by the immediate)",
        ),
        (
            "sfpmov 7, 0, 0",
            "undefined behaviour: reads lane 0 of LReg 7, which nothing has written; load it first",
        ),
        ("sfpmov 12, 0, 0", "undefined behaviour: reads lane 0 of LReg 12, which nothing has \
                             written; load it first"),
        (
            "sfpmov 0, 1, 3",
            "not modelled: SFPMOV in mode 3; modelled: 0 (copy), 1 (negate), 2 (copy in all \
             lanes), 8 (special register)",
        ),
        ("sfpabs 0, 1, 2", "not modelled: SFPABS in mode 2; modelled: 0 (integer), 1 (float)"),
        (
            "sfpsetsgn 0, 0, 1, 2",
            "not modelled: SFPSETSGN in mode 2; modelled: 0 (sign of VD), 1 (immediate)",
        ),
        (
            "sfpmad 0, 0, 0, 1, 1",
            "not modelled: a multiply-add in mode 1; modelled: sums of 4 (factor named by LReg 7), \
             8 (destination named by LReg 7)",
        ),
        (
            "sfpstochrnd 1, 0, 0, 0, 1, 1",
            "undefined behaviour: random bits from generators that have no seed; write one to \
             PRNG_SEED_Seed_Val first",
        ),
        (
            "sfpstochrnd 0, 1, 0, 0, 1, 1",
            "undefined behaviour: SFPSTOCHRND from a float with a shift amount; leave it 0",
        ),
        (
            "sfploadi 0, 3, 0",
            "undefined behaviour: SFPLOADI in mode 3; 0 is BF16, 1 FP16, 2 unsigned, 4 signed, 8 \
             the upper half, 10 the lower half",
        ),
        ("sfppushc 0, 1", "not modelled: SFPPUSHC in mode 1; modelled: 0 (push)"),
        ("sfppopc 0, 0", "undefined behaviour: SFPPOPC from an empty flag stack; push first"),
        (
            "sfpload 0, 5, 0, 0",
            "undefined behaviour: SFPLOAD in mode 5 on a 32-bit Dst; use mode 0 or the one that \
             fits",
        ),
        (
            "sfpstore 0, 2, 0, 0",
            "undefined behaviour: SFPSTORE in mode 2 on a 32-bit Dst; use mode 0 or the one that \
             fits",
        ),
        (
            "sfpstore 3, 3, 0, 0",
            "not modelled: SFPSTORE of the denormal 0x00000001 in FP32, on whose fate the sources \
             disagree; flush it before, or store it in mode 4, which keeps it",
        ),
        (
            "sfpload 0, 3, 0, 16",
            "undefined behaviour: the vector unit touches Dst row 32 (of 1024), which is cleared, \
             was never written or holds datums of another width; move data there first",
        ),
    ];
    for (text, fault) in rows {
        bench().refuses(text, fault);
    }
    let mut cleared = bench();
    cleared.run("ttzeroacc 3, 0, 0");
    cleared.refuses(
        "sfpstore 0, 3, 0, 0",
        "undefined behaviour: the vector unit touches Dst row 0 (of 1024), which is cleared, was \
         never written or holds datums of another width; move data there first",
    );
    let mut full = bench();
    (0..8).for_each(|_| full.run("sfppushc 0, 0"));
    full.refuses(
        "sfppushc 0, 0",
        "undefined behaviour: SFPPUSHC onto a full flag stack; it has eight places",
    );
    Bench::new().refuses(
        "sfppushc 0, 0",
        "undefined behaviour: lane flags are used before SFPENCC has set them; execute SFPENCC \
         first",
    );
}
