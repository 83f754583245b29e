//! One instruction at a time.

use tessera_isa_tensix::cfg;

use super::of_packer;
use crate::adc::Axis;
use crate::testing::{f32_of, Bench, THREAD};

const OUT: u32 = 0x20000;
const ALL: &str = "ttpacr 0, 0, 15, 0, 0, 0, 1";

/// Packers set up like a kernel does: a face each, packer i from row 16 i, outputs one after the other from [`OUT`].
/// 32-bit Dst row r, column c holds 16 r + c − 500.
fn bench() -> Bench {
    let mut bench = Bench::new();
    for row in 0..128 {
        bench.put_dst32(
            row,
            std::array::from_fn(|column| f32_of(value(row, column))),
        );
    }
    for packer in 0..4 {
        for family in [
            cfg::THCON_PACK_In_data_format,
            cfg::THCON_PACK_Out_data_format,
        ] {
            bench.set(of_packer(family, packer), 5);
        }
        bench.set(of_packer(cfg::THCON_PACK_Disable_zero_compress, packer), 1);
        let address = if packer == 0 {
            1 << 31 | (OUT / 16 - 1)
        } else {
            32 * packer - 1
        };
        bench.set(of_packer(cfg::THCON_PACK_L1_Dest_addr, packer), address);
        bench.set(cfg::DEST_TARGET_REG_CFG_PACK_Offset.at(packer), 16 * packer);
        bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.at(packer), 16);
    }
    bench.set(cfg::PCK_EDGE_OFFSET_mask.at(0), 0xFFFF);
    bench.set(cfg::PCK0_ADDR_CTRL_Xstride.at(0), 2);
    bench.core.adcs[THREAD].packers[1].set(Axis::X, 255);
    bench
}

fn value(row: usize, column: usize) -> i32 {
    (16 * row + column) as i32 - 500
}

/// BF16 of `n`, |n| < 2048, to nearest, ties away from zero.
fn bf16_rounded(n: i32) -> u16 {
    let bits = f32_of(n);
    if bits == 0 {
        0
    } else {
        ((bits + 0x8000) >> 16) as u16
    }
}

/// `count` datums of L1.
fn output(bench: &mut Bench, address: u32, count: usize) -> Vec<u16> {
    let bytes = bench.core.l1.read(address, 2 * count).unwrap();
    bytes
        .chunks(2)
        .map(|b| u16::from_le_bytes([b[0], b[1]]))
        .collect()
}

/// Rows from `first`, rounded.
fn rows(first: usize, count: usize, f: impl Fn(i32) -> u16) -> Vec<u16> {
    (first..first + count)
        .flat_map(|row| (0..16).map(move |column| value(row, column)))
        .map(f)
        .collect()
}

#[test]
fn four_packers_write_a_tile() {
    let mut bench = bench();
    bench.run(ALL);
    assert_eq!(output(&mut bench, OUT, 1024), rows(0, 64, bf16_rounded));
    let mut noted = crate::access::RowSet::default();
    noted.extend(0..128);
    assert_eq!(
        (bench.core.access.dst_read, bench.core.access.dst_write),
        (noted, Default::default())
    );
}

#[test]
fn packers_are_selected() {
    // Selection, then the faces written.
    for (selection, faces) in [
        (0, 1),
        (1, 1),
        (2, 2),
        (4, 4),
        (8, 8),
        (3, 3),
        (12, 12),
        (15, 15),
    ] {
        let mut bench = bench();
        bench.run(&format!("ttpacr 0, 0, {selection}, 0, 0, 0, 1"));
        let written = (0..4)
            .filter(|&p| bench.core.l1.read(OUT + 512 * p, 512).is_ok())
            .fold(0, |mask, p| mask | 1 << p);
        assert_eq!(written, faces, "selection {selection}");
    }
}

#[test]
fn output_is_appended_until_last() {
    let mut bench = bench();
    bench.core.adcs[THREAD].packers[1].set(Axis::X, 15);
    bench.set(cfg::PCK0_ADDR_CTRL_Ystride.at(0), 32);
    bench.set_thread(cfg::ADDR_MOD_PACK_YsrcIncr.at(1), 2);
    // Rows 0 and 2 one after the other, then row 4 at the start again; a flush moves no data and ends an output, too.
    bench.run("ttpacr 1, 0, 1, 0, 0, 0, 0\n ttpacr 1, 0, 1, 0, 0, 0, 1");
    assert_eq!(
        output(&mut bench, OUT, 32),
        [rows(0, 1, bf16_rounded), rows(2, 1, bf16_rounded)].concat()
    );
    bench.run(
        "ttpacr 1, 0, 1, 0, 0, 0, 0\n ttpacr 1, 0, 1, 0, 0, 1, 0\n ttpacr 0, 0, 1, 0, 0, 0, 1",
    );
    assert_eq!(
        output(&mut bench, OUT, 32),
        [rows(8, 1, bf16_rounded), rows(2, 1, bf16_rounded)].concat()
    );
}

#[test]
fn counters_address_input_and_output() {
    let mut bench = bench();
    bench.core.adcs[THREAD].packers[1].set(Axis::X, 23);
    for channel in &mut bench.core.adcs[THREAD].packers {
        channel.set(Axis::Y, 1);
        channel.set(Axis::Z, 2);
        channel.set(Axis::W, 3);
    }
    bench.core.adcs[THREAD].packers[0].set(Axis::X, 8);
    for (channel, [y, z, w]) in [(0, [32, 128, 512]), (1, [16, 48, 0x100])] {
        bench.set(cfg::PCK0_ADDR_CTRL_Ystride.at(channel), y);
        bench.set(cfg::PCK0_ADDR_CTRL_Zstride.at(channel), z);
        bench.set(cfg::PCK0_ADDR_CTRL_Wstride.at(channel), w);
    }
    bench.run("ttpacr 0, 0, 1, 0, 0, 0, 1");
    // Row 1 + 2·4 + 3·16 from column 8; output in units of 16 bytes, 16 + 96 + 768 further on.
    let expected = &rows(57, 2, bf16_rounded)[8..24];
    assert_eq!(output(&mut bench, OUT + 16 * (16 + 96 + 768), 16), expected);
}

#[test]
fn address_modes_step_both_channels() {
    let mut bench = bench();
    let set =
        |bench: &mut Bench, field: cfg::ThreadField, value| bench.set_thread(field.at(2), value);
    set(&mut bench, cfg::ADDR_MOD_PACK_YsrcIncr, 4);
    set(&mut bench, cfg::ADDR_MOD_PACK_YsrcCR, 1);
    set(&mut bench, cfg::ADDR_MOD_PACK_ZsrcIncr, 1);
    set(&mut bench, cfg::ADDR_MOD_PACK_YdstClear, 1);
    set(&mut bench, cfg::ADDR_MOD_PACK_ZdstClear, 1);
    let [input, out] = &mut bench.core.adcs[THREAD].packers;
    input.set(Axis::Y, 8);
    input.add(Axis::Y, 3);
    out.set(Axis::Y, 5);
    out.set(Axis::Z, 5);
    bench.run("ttpacr 2, 0, 1, 0, 0, 0, 1");
    let [input, out] = bench.core.adcs[THREAD].packers;
    assert_eq!(
        (input.get(Axis::Y), input.cr(Axis::Y), input.get(Axis::Z)),
        (12, 12, 1)
    );
    assert_eq!((out.get(Axis::Y), out.get(Axis::Z)), (0, 0));
}

#[test]
fn edge_masks_by_row_and_packer() {
    let mut bench = bench();
    // Packer p uses mapping p; mapping 0 keeps all, 1 keeps column 0 of even rows, 2 and 3 keep nothing.
    bench.set(cfg::PCK_EDGE_TILE_ROW_SET_SELECT_select, 0b11_10_01_00);
    bench.set(cfg::PCK_EDGE_OFFSET_mask.at(1), 1);
    for row in 0..16 {
        bench.set(
            cfg::TILE_ROW_SET_MAPPING.at(1).at(row),
            if row % 2 == 0 { 1 } else { 2 },
        );
        bench.set(cfg::TILE_ROW_SET_MAPPING.at(2).at(row), 2);
        bench.set(cfg::TILE_ROW_SET_MAPPING.at(3).at(row), 3);
    }
    bench.run(ALL);
    let tile = output(&mut bench, OUT, 1024);
    assert_eq!(tile[..256], rows(0, 16, bf16_rounded));
    for (index, &datum) in tile[256..512].iter().enumerate() {
        let (row, column) = (16 + index / 16, index % 16);
        let kept = row % 2 == 0 && column == 0;
        assert_eq!(
            datum,
            if kept {
                bf16_rounded(value(row, column))
            } else {
                0
            },
            "{row}, {column}"
        );
    }
    assert_eq!(tile[512..], [0; 512]);
    // The row number starts again after as many rows as the counters say, and with each output.
    let mut bench = self::bench();
    bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.at(0), 3);
    bench.set(cfg::TILE_ROW_SET_MAPPING.at(0).at(2), 3);
    bench.core.adcs[THREAD].packers[1].set(Axis::X, 127);
    for _ in 0..2 {
        bench.run("ttpacr 0, 0, 1, 0, 0, 0, 1");
        let kept: Vec<bool> = output(&mut bench, OUT, 128)
            .chunks(16)
            .map(|row| row != [0; 16])
            .collect();
        assert_eq!(kept, [true, true, false, true, true, false, true, true]);
    }
}

#[test]
fn conversions_and_relu() {
    // ReLU mode and threshold, raw, width of Dst, what a value becomes.
    type Case = (u32, u32, u32, u32, fn(i32) -> u16);
    let cases: [Case; 6] = [
        (0, 0, 0, 1, bf16_rounded),
        (1, 0, 0, 1, |n| bf16_rounded(n.max(0))),
        (
            2,
            0x42C8,
            0,
            1,
            |n| if n <= 100 { 0 } else { bf16_rounded(n) },
        ),
        (3, 0x42C8, 0, 1, |n| bf16_rounded(n.clamp(0, 100))),
        (0, 0, 1, 1, |n| (f32_of(n) >> 16) as u16),
        (1, 0, 0, 0, |n| (f32_of(n.max(0)) >> 16) as u16),
    ];
    for (mode, threshold, raw, wide, expect) in cases {
        let mut bench = bench().dst_width(wide);
        if wide == 0 {
            for row in 0..64 {
                bench.put_dst16(
                    row,
                    std::array::from_fn(|column| (f32_of(value(row, column)) >> 16) as u16),
                );
            }
        }
        bench.set(cfg::STACC_RELU_ApplyRelu, mode);
        bench.set(cfg::STACC_RELU_ReluThreshold, threshold);
        bench.set(cfg::PCK_DEST_RD_CTRL_Read_int8, raw);
        bench.run(ALL);
        assert_eq!(
            output(&mut bench, OUT, 1024),
            rows(0, 64, expect),
            "ReLU {mode}, raw {raw}, wide {wide}"
        );
    }
    // Raw keeps what rounding flushes; marked rows are zero.
    let mut bench = bench().dst_width(0);
    bench.put_dst16(0, [0x8001; 16]);
    bench.run("ttzeroacc 1, 0, 1");
    bench.put_dst16(1, [0xFFFF; 16]);
    bench.core.adcs[THREAD].packers[1].set(Axis::X, 31);
    for (raw, expected) in [(1, [0x8001, 0xFFFF]), (0, [0, 0xFF80])] {
        bench.set(cfg::PCK_DEST_RD_CTRL_Read_int8, raw);
        bench.run("ttpacr 0, 0, 3, 0, 0, 0, 1");
        assert_eq!(
            output(&mut bench, OUT, 32),
            [[expected[0]; 16], [expected[1]; 16]].concat()
        );
        assert_eq!(output(&mut bench, OUT + 512, 32), [0; 32]);
    }
}

/// Every bit of FP32 is kept: denormals, NaNs, minus zero, raw or not. Faces are 1024 bytes, and a start in the middle of a
/// row is counted in words.
#[test]
fn fp32_is_packed_bit_by_bit() {
    let bits = |row: usize, column: usize| match column {
        0 => 0x8000_0000,
        1 => 0x7fc0_1234,
        2 => 0xff80_0000,
        3 => row as u32 + 1,
        _ => (16 * row as u32 + column as u32).wrapping_mul(0x9e37_79b9),
    };
    for raw in [0, 1] {
        let mut bench = bench();
        for row in 0..128 {
            bench.put_dst32(row, std::array::from_fn(|column| bits(row, column)));
        }
        for packer in 0..4 {
            for family in [
                cfg::THCON_PACK_In_data_format,
                cfg::THCON_PACK_Out_data_format,
            ] {
                bench.set(of_packer(family, packer), 0);
            }
            let address = match packer {
                0 => 1 << 31 | (OUT / 16 - 1),
                _ => 64 * packer - 1,
            };
            bench.set(of_packer(cfg::THCON_PACK_L1_Dest_addr, packer), address);
        }
        bench.set(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, 0);
        bench.set(cfg::PCK0_ADDR_CTRL_Xstride.at(0), 4);
        bench.set(cfg::PCK_DEST_RD_CTRL_Read_int8, raw);
        let words = |bench: &mut Bench, count: usize| -> Vec<u32> {
            let bytes = bench.core.l1.read(OUT, 4 * count).unwrap();
            bytes
                .chunks(4)
                .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect()
        };
        let all: Vec<u32> = (0..1024).map(|k| bits(k / 16, k % 16)).collect();
        bench.run(ALL);
        assert_eq!(words(&mut bench, 1024), all, "raw {raw}");
        bench.core.adcs[THREAD].packers[0].set(Axis::X, 20);
        bench.core.adcs[THREAD].packers[1].set(Axis::X, 31);
        bench.run("ttpacr 0, 0, 1, 0, 0, 0, 1");
        assert_eq!(words(&mut bench, 12), all[20..32], "raw {raw}");
    }
}

#[test]
fn compression_can_be_disabled_for_all_at_once() {
    let mut bench = bench();
    for packer in 0..4 {
        bench.set(of_packer(cfg::THCON_PACK_Disable_zero_compress, packer), 0);
    }
    bench.set(cfg::THCON_REG1_All_pack_disable_zero_compress_ovrd.at(0), 1);
    bench.set(cfg::THCON_REG1_All_pack_disable_zero_compress.at(0), 0b0111);
    bench.run("ttpacr 0, 0, 3, 0, 0, 0, 1");
    bench.refuses(
        ALL,
        "not modelled: compression while packing; set Disable_zero_compress",
    );
}

/// Formats of all packers: intermediate and in, then out.
fn formats(b: &mut Bench, between: u32, to: u32) {
    b.set(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, between);
    for packer in 0..4 {
        b.set(of_packer(cfg::THCON_PACK_In_data_format, packer), between);
        b.set(of_packer(cfg::THCON_PACK_Out_data_format, packer), to);
    }
}

/// Sets the last datum that packer 0 takes.
fn take(b: &mut Bench, datums: u32) {
    b.core.adcs[THREAD].packers[1].set(Axis::X, datums - 1);
}

const FIRST: &str = "ttpacr 0, 0, 1, 0, 0, 0, 1";

/// Sixteen datums of a 32-bit Dst through each pair of formats that its sources have, and what L1 gets.
#[test]
fn formats_of_l1() {
    let datums = |row: usize| match row {
        0 => [f32_of(1), f32_of(-3), 0x3F81_8000, f32_of(100)],
        _ => [5, 0x8000_0007, 300, 0x8000_0000],
    };
    // Format between, in L1, row, bytes of a datum, datums.
    for (between, to, row, width, expect) in [
        (
            0,
            0,
            0,
            4,
            [0x3F80_0000, 0xC040_0000, 0x3F81_8000, 0x42C8_0000],
        ),
        (
            4,
            4,
            0,
            4,
            [0x3F80_0000, 0xC040_0000, 0x3F81_8000, 0x42C8_0000],
        ),
        (0, 5, 0, 2, [0x3F80, 0xC040, 0x3F81, 0x42C8]),
        (5, 5, 0, 2, [0x3F80, 0xC040, 0x3F82, 0x42C8]),
        (
            5,
            0,
            0,
            4,
            [0x3F80_0000, 0xC040_0000, 0x3F82_0000, 0x42C8_0000],
        ),
        (0, 1, 0, 2, [0x3C00, 0xC200, 0x3C0C, 0x5640]),
        (5, 10, 0, 1, [0x3C, 0xC2, 0x3C, 0x56]),
        (6, 5, 0, 2, [0x3F80, 0xC040, 0x3F82, 0x42C8]),
        (8, 8, 1, 4, [5, 0x8000_0007, 300, 0x8000_0000]),
        (14, 14, 1, 1, [5, 0x87, 127, 0x80]),
    ] {
        let mut bench = bench();
        let mut all = [0; 16];
        all[..4].copy_from_slice(&datums(row));
        bench.put_dst32(0, all);
        formats(&mut bench, between, to);
        take(&mut bench, 16);
        bench.run(FIRST);
        let bytes = bench.core.l1.read(OUT, 4 * width).unwrap();
        let little = |b: &[u8]| b.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
        let words: Vec<u32> = bytes.chunks(width).map(little).collect();
        assert_eq!(words, expect, "{between} to {to}");
    }
}

/// Exponents come first, a byte for each sixteen datums; datums lie where the size of that section says.
#[test]
fn blocks_have_their_exponents_apart() {
    for (to, bits) in [(6, 8), (7, 4), (15, 2), (2, 8), (3, 4), (11, 2)] {
        let mut bench = bench();
        for row in 0..2 {
            bench.put_dst32(row, [[f32_of(3); 16], [f32_of(-32); 16]][row]);
        }
        formats(&mut bench, 5, to);
        bench.set(of_packer(cfg::THCON_PACK_Exp_section_size, 0), 2);
        take(&mut bench, 32);
        bench.run(FIRST);
        let (bias, first) = if matches!(to, 6 | 7 | 15) {
            (127, 96)
        } else {
            (15, 96)
        };
        let mut exponents = [0; 16];
        exponents[..2].copy_from_slice(&[bias + 1, bias + 5]);
        assert_eq!(bench.core.l1.read(OUT, 16).unwrap(), exponents, "{to}");
        let repeated = |datum: u8| (0..8 / bits).fold(0, |byte, k| byte | datum << (k * bits));
        let datums = [first >> (8 - bits), 64 >> (8 - bits) | 1 << (bits - 1)].map(repeated);
        let bytes = bench.core.l1.read(OUT + 32, 4 * bits as usize).unwrap();
        assert_eq!(
            bytes,
            datums.map(|byte| vec![byte; 2 * bits as usize]).concat(),
            "{to}"
        );
    }
}

#[test]
fn outputs_of_several_pacrs_share_lines() {
    let mut bench = bench();
    bench.set_thread(cfg::ADDR_MOD_PACK_YsrcIncr.at(1), 1);
    bench.set(cfg::PCK0_ADDR_CTRL_Ystride.at(0), 32);
    take(&mut bench, 3);
    bench.run("ttpacr 1, 0, 1, 0, 0, 0, 0");
    // Nothing is written before a line is full.
    assert!(bench.core.l1.read(OUT, 1).is_err());
    bench.run(
        "ttpacr 1, 0, 1, 0, 0, 0, 0\n ttpacr 1, 0, 1, 0, 0, 0, 0\n ttpacr 0, 0, 1, 0, 0, 1, 0",
    );
    let mut expect = [0; 16];
    for row in 0..3 {
        for column in 0..3 {
            expect[3 * row + column] = bf16_rounded(value(row, column));
        }
    }
    assert_eq!(output(&mut bench, OUT, 16), expect);
    // A block fills up likewise.
    let mut bench = self::bench();
    formats(&mut bench, 5, 6);
    take(&mut bench, 8);
    bench.run("ttpacr 0, 0, 1, 0, 0, 0, 0\n ttpacr 0, 0, 1, 0, 0, 0, 1");
    assert_eq!(bench.core.l1.read(OUT, 1).unwrap().len(), 1);
}

#[test]
fn sums_in_l1() {
    let mut bench = bench();
    for packer in 0..4 {
        bench.set(of_packer(cfg::THCON_PACK_Pack_L1_Acc, packer), 1);
    }
    let ones: Vec<u8> = (0..1024).flat_map(|_| 0x3F80u16.to_le_bytes()).collect();
    bench.core.l1.write(OUT, &ones).unwrap();
    bench.run(ALL);
    let plus_one = |n: i32| crate::numerics::packer::accumulate::bf16(0x3F80, bf16_rounded(n));
    assert_eq!(output(&mut bench, OUT, 1024), rows(0, 64, plus_one));
    // It starts with what L1 has.
    let mut bench = self::bench();
    bench.set(of_packer(cfg::THCON_PACK_Pack_L1_Acc, 0), 1);
    bench.refuses(
        FIRST,
        "undefined behaviour: reads L1 0x20000, which nothing has written",
    );
}

#[test]
fn downsampling_keeps_the_datums_of_a_mask() {
    let mut bench = bench();
    bench.set(of_packer(cfg::THCON_PACK_Downsample_mask, 0), 0x8005);
    take(&mut bench, 128);
    bench.run(FIRST);
    let all = rows(0, 8, bf16_rounded);
    let expect: Vec<u16> = (0..128)
        .filter(|k| [0, 2, 15].contains(&(k % 16)))
        .map(|k| all[k])
        .collect();
    assert_eq!(output(&mut bench, OUT, 24), expect);
    // Every PACR begins with bit 0.
    take(&mut bench, 8);
    bench.run("ttpacr 0, 0, 1, 0, 0, 0, 0\n ttpacr 0, 0, 1, 0, 0, 0, 1");
    assert_eq!(output(&mut bench, OUT, 4), [all[0], all[2], all[0], all[2]]);
}

#[test]
fn exponent_thresholds() {
    let mut bench = bench();
    bench.set(of_packer(cfg::THCON_PACK_Exp_threshold_en, 0), 1);
    bench.set(of_packer(cfg::THCON_PACK_Exp_threshold, 0), 135);
    take(&mut bench, 256);
    bench.run(FIRST);
    let expect = |n: i32| if n.abs() < 256 { 0 } else { bf16_rounded(n) };
    assert_eq!(output(&mut bench, OUT, 256), rows(0, 16, expect));
    // LLK's way around what the hardware mishandles: 1.5 · 2^-15 would trap as BFP8a.
    let mut bench = self::bench();
    bench.put_dst32(0, [0x3840_0000; 16]);
    formats(&mut bench, 0, 2);
    take(&mut bench, 16);
    assert!(bench.try_run(FIRST).is_err());
    bench.set(of_packer(cfg::THCON_PACK_Exp_threshold_en, 0), 1);
    bench.set(of_packer(cfg::THCON_PACK_Exp_threshold, 0), 113);
    bench.core.regs.packers = Default::default();
    bench.run(FIRST);
    assert_eq!(bench.core.l1.read(OUT, 16).unwrap(), [0; 16]);
}

#[test]
fn masks_by_face_and_to_infinity() {
    let mut bench = bench();
    formats(&mut bench, 0, 0);
    bench.set(cfg::PCK0_ADDR_CTRL_Xstride.at(0), 4);
    bench.set(cfg::PCK_EDGE_MODE_mode, 1);
    bench.set(cfg::PCK_EDGE_TILE_FACE_SET_SELECT_enable, 1);
    bench.set(cfg::PCK_EDGE_TILE_FACE_SET_SELECT_select, 2);
    bench.set(cfg::DEST_TARGET_REG_CFG_PACK_ZOffset.at(0), 3);
    bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.at(0), 1);
    // Faces 3 and 4 are whole, face 5 keeps column 1.
    bench.set(cfg::TILE_FACE_SET_MAPPING.at(2).at(5), 1);
    bench.set(cfg::TILE_ROW_SET_MAPPING.at(1).at(0), 1);
    bench.set(cfg::PCK_EDGE_OFFSET_mask.at(1), 2);
    take(&mut bench, 48);
    bench.run(FIRST);
    let bytes = bench.core.l1.read(OUT, 192).unwrap();
    let words: Vec<u32> = bytes
        .chunks(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    for (k, &word) in words.iter().enumerate() {
        let kept = k < 32 || k == 33;
        assert_eq!(
            word,
            if kept {
                f32_of(value(k / 16, k % 16))
            } else {
                0xFF80_0000
            },
            "{k}"
        );
    }
}

/// Rows of which nothing is kept need not have been written: LLK's reduction packs such rows.
#[test]
fn masked_rows_are_not_read() {
    let mut bench = bench();
    bench.set(cfg::DEST_TARGET_REG_CFG_PACK_Offset.at(0), 127);
    bench.set(cfg::TILE_ROW_SET_MAPPING.at(0).at(1), 1);
    take(&mut bench, 32);
    bench.run(FIRST);
    let expect = [rows(127, 1, bf16_rounded), vec![0; 16]].concat();
    assert_eq!(output(&mut bench, OUT, 32), expect);
}

#[test]
fn zeros_and_datums_from_l1() {
    let mut bench = bench();
    take(&mut bench, 16);
    bench.run("ttpacr 0, 1, 1, 0, 0, 0, 1");
    assert_eq!(output(&mut bench, OUT, 16), [0; 16]);
    // Bit 18 on of the address is configured, the rest comes from strides; X counts within 16 bytes.
    let from: Vec<u8> = (0..64).collect();
    bench.core.l1.write(0x4_1230, &from).unwrap();
    for (format, stride, x) in [(5, 2, 2), (14, 1, 5), (8, 4, 1), (10, 1, 0)] {
        formats(&mut bench, format, format);
        bench.set(cfg::PCK0_ADDR_CTRL_Xstride.at(0), 0);
        bench.set(cfg::PCK0_ADDR_CTRL_Ystride.at(0), 0x230);
        bench.set(cfg::PCK0_ADDR_BASE.at(0), 0x1000);
        bench.set(of_packer(cfg::THCON_PACK_Source_interface_selection, 0), 1);
        bench.set(of_packer(cfg::THCON_PACK_L1_source_addr, 0), 1);
        let [input, out] = &mut bench.core.adcs[THREAD].packers;
        input.set(Axis::X, x);
        input.set(Axis::Y, 1);
        out.set(Axis::X, x + 16 / stride - 1);
        bench.run(FIRST);
        let bytes = bench.core.l1.read(OUT, 16).unwrap();
        assert_eq!(bytes, &from[(x * stride) as usize..][..16], "{format}");
    }
}

#[test]
fn counters_of_another_thread() {
    let mut bench = bench();
    bench.set(of_packer(cfg::THCON_PACK_Addr_cnt_context, 0), 2);
    bench.set(of_packer(cfg::THCON_PACK_Addr_cnt_context, 1), 3);
    bench.set(cfg::PCK0_ADDR_CTRL_Ystride.at(0), 32);
    bench.set_thread(cfg::ADDR_MOD_PACK_YsrcIncr.at(0), 1);
    for (thread, y) in [(2, 5), (0, 6)] {
        bench.core.adcs[thread].packers[0].set(Axis::Y, y);
        bench.core.adcs[thread].packers[1].set(Axis::X, 15);
    }
    bench.run("ttpacr 0, 0, 3, 1, 0, 0, 1");
    assert_eq!(output(&mut bench, OUT, 16), rows(5, 1, bf16_rounded));
    assert_eq!(output(&mut bench, OUT + 512, 16), rows(22, 1, bf16_rounded));
    let y = |thread: usize| bench.core.adcs[thread].packers[0].get(Axis::Y);
    assert_eq!([0, 1, 2].map(y), [7, 0, 6]);
}

#[test]
fn outputs_wrap_and_move() {
    let mut bench = bench();
    // A FIFO of 8 lines that ends behind line 0x2003.
    bench.set(of_packer(cfg::THCON_PACK_L1_Dest_addr, 0), 0x2004);
    bench.set(cfg::THCON_REG9_Pack_limit_address.at(0).at(0), 0x1001);
    bench.set(cfg::THCON_REG9_Pack_fifo_size.at(0).at(0), 4);
    take(&mut bench, 8);
    bench.run(FIRST);
    assert_eq!(
        output(&mut bench, 0x1_FFD0, 8),
        rows(0, 1, bf16_rounded)[..8]
    );
    bench.set(of_packer(cfg::THCON_PACK_L1_Dest_addr, 0), 0x2002);
    bench.run(FIRST);
    assert_eq!(
        output(&mut bench, 0x2_0030, 8),
        rows(0, 1, bf16_rounded)[..8]
    );
    let mut bench = self::bench();
    bench.set(of_packer(cfg::THCON_PACK_Add_l1_dest_addr_offset, 0), 1);
    bench.set(of_packer(cfg::THCON_PACK_Sub_l1_tile_header_size, 0), 1);
    bench.core.regs.packers[0].address_offset = 0x101;
    take(&mut bench, 8);
    bench.run(FIRST);
    assert_eq!(
        output(&mut bench, OUT + 0x1000, 8),
        rows(0, 1, bf16_rounded)[..8]
    );
}

#[test]
fn exponents_are_counted() {
    let mut bench = bench();
    bench.set_thread(cfg::ENABLE_ACC_STATS_Enable, 1);
    bench.put_dst32(0, [f32_of(3); 16]);
    take(&mut bench, 16);
    bench.run(FIRST);
    let histogram = &bench.core.regs.packers[0].histogram;
    assert_eq!(
        (histogram.greatest(), histogram.bins().unwrap()[0]),
        (Ok(128), 16)
    );
    bench.run("ttclrexphist");
    assert_eq!(bench.core.regs.packers[0].histogram, Default::default());
}

#[test]
fn the_intermediate_format_can_be_overridden() {
    let mut bench = bench();
    bench.set(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, 1);
    bench.set(cfg::ALU_FORMAT_SPEC_REG_Dstacc_override, 1);
    bench.set(cfg::ALU_FORMAT_SPEC_REG_Dstacc_val, 5);
    bench.run(ALL);
    assert_eq!(output(&mut bench, OUT, 1024), rows(0, 64, bf16_rounded));
}

/// A change of the set-up, the refusal of a PACR on all packers.
type Refusal = (fn(&mut Bench), &'static str);

#[test]
fn refusals() {
    use cfg::*;
    fn first(family: ConfigField) -> ConfigField {
        of_packer(family, 0)
    }
    let rows: &[Refusal] = &[
        (
            |b| b.set(first(THCON_PACK_Downsample_rate), 1),
            "not modelled: the packers' downsampling rate (THCON_SEC*_REG{1,8}_Downsample_rate, word 59, is 1 and must be 0)",
        ),
        (
            |b| b.set(first(THCON_PACK_Read_mode), 1),
            "not modelled: the packers' read mode (THCON_SEC*_REG{1,8}_Read_mode, word 59, is 1 and must be 0)",
        ),
        (
            |b| b.set(PACK_COUNTERS_pack_per_xy_plane.at(0), 1),
            "not modelled: the packers' automatic end of a tile (PACK_COUNTERS_SEC*_pack_per_xy_plane, word 24, is 1 and must be 0)",
        ),
        (
            |b| b.set(THCON_REG9_Pack_fifo_size.at(0).at(0), 4),
            "undefined behaviour: the output address 0x80002000 of packer 0, which has a FIFO: whether the bits above 16 count for its \
             limit is not documented",
        ),
        (
            |b| b.set(first(THCON_PACK_Out_data_format), 8),
            "undefined behaviour: packing BF16 datums as INT32; the late conversion does not have this pair",
        ),
        (
            |b| b.set(first(THCON_PACK_Disable_zero_compress), 0),
            "not modelled: compression while packing; set Disable_zero_compress",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG2_Dstacc, 0),
            "undefined behaviour: In_data_format BF16 of a packer with the intermediate format FP32; set both to the same",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG2_Dstacc, 1),
            "undefined behaviour: packing through the intermediate format FP16 from a 32-bit Dst; the early conversion does not have this",
        ),
        (
            |b| {
                b.set(ALU_FORMAT_SPEC_REG2_Dstacc, 10);
                b.set(PCK_DEST_RD_CTRL_Read_32b_data, 0);
            },
            "undefined behaviour: packing through the intermediate format FP8 from a 16-bit Dst; the early conversion does not have this",
        ),
        (
            |b| {
                b.set(ALU_FORMAT_SPEC_REG2_Dstacc, 0);
                b.set(PCK_DEST_RD_CTRL_Read_32b_data, 0);
                b.set(PCK_DEST_RD_CTRL_Read_int8, 1);
            },
            "undefined behaviour: packing through the intermediate format FP32 from a 16-bit Dst, raw; the early conversion does not have this",
        ),
        (
            |b| {
                b.set(PCK_DEST_RD_CTRL_Round_10b_mant, 1);
                b.set(first(THCON_PACK_Out_data_format), 1);
            },
            "undefined behaviour: packing BF16 as FP16 with PCK_DEST_RD_CTRL_Round_10b_mant; clear it, or set In_data_format to TF32",
        ),
        (
            |b| {
                formats(b, 14, 14);
                b.set(INT_DESCALE_Enable, 1);
                b.set(INT_DESCALE_Mode, 1);
            },
            "undefined behaviour: INT_DESCALE_Mode = 1, for which no source says which amount a datum is shifted by",
        ),
        (
            |b| b.set(ALU_ROUNDING_MODE_Packer_srnd_en, 1),
            "not modelled: stochastic rounding in the packers (ALU_ROUNDING_MODE_Packer_srnd_en, word 1, is 1 and must be 0)",
        ),
        (
            |b| {
                formats(b, 8, 8);
                b.set(STACC_RELU_ApplyRelu, 2);
            },
            "undefined behaviour: STACC_RELU_ApplyRelu = 2 for integers; 0 and 1, and for unsigned ones 0, are defined",
        ),
        (
            |b| {
                b.set(STACC_RELU_ApplyRelu, 2);
                b.set(STACC_RELU_ReluThreshold, 0x8000);
            },
            "undefined behaviour: a negative ReLU threshold (0x8000)",
        ),
        (
            |b| {
                formats(b, 6, 6);
                b.set(STACC_RELU_ApplyRelu, 3);
                b.set(STACC_RELU_ReluThreshold, 0x3F81);
            },
            "undefined behaviour: the ReLU threshold 0x3f81, which is no number of the intermediate format",
        ),
        (
            |b| {
                formats(b, 0, 0);
                b.set(STACC_RELU_ApplyRelu, 1);
                b.put_dst32(0, [0xFFC0_0000; 16]);
            },
            "undefined behaviour: ReLU of 0xffc00000, which is not a number: the sources disagree on it; pack through BF16 and clear \
             PCK_DEST_RD_CTRL_Read_int8",
        ),
        (
            |b| {
                formats(b, 0, 5);
                b.put_dst32(0, [0x8000_0000; 16]);
            },
            "undefined behaviour: packing the datum 0x80000000 as BF16, which the hardware mishandles or gives an unknown sign; flush such \
             datums by rounding or by an exponent threshold",
        ),
        (
            |b| {
                formats(b, 8, 8);
                b.set(PCK_EDGE_MODE_mode, 1);
                b.set(PCK_EDGE_OFFSET_mask.at(0), 1);
            },
            "undefined behaviour: edge masks to negative infinity for integers; clear PCK_EDGE_MODE_mode",
        ),
        (
            |b| {
                b.set(PACK_COUNTERS_pack_reads_per_xy_plane.at(0), 0);
                b.set(PCK_EDGE_OFFSET_mask.at(0), 1);
            },
            "not modelled: edge masks with pack_reads_per_xy_plane = 0; set it to the rows of a face, 16",
        ),
        (
            |b| b.core.adcs[THREAD].packers[0].set(Axis::X, 257),
            "undefined behaviour: packing from datum 257 to datum 255",
        ),
        (
            |b| b.set(PCK0_ADDR_BASE.at(0), 1),
            "undefined behaviour: a packer's input address of 1 bytes, in the middle of a datum",
        ),
        (
            |b| b.set(DEST_TARGET_REG_CFG_PACK_Offset.at(3), 128),
            "undefined behaviour: reads Dst row 256 (of 1024), which nothing has written; ZEROACC the rows that are accumulated onto, \
             write those that are packed",
        ),
        (
            |b| b.set(first(THCON_PACK_L1_Dest_addr), 0x1_6DFF),
            "undefined behaviour: L1 bytes 0x16e000 to 0x16e010 are beyond its end 0x16e000",
        ),
        (
            |b| {
                b.set(first(THCON_PACK_Source_interface_selection), 1);
                b.set(STACC_RELU_ApplyRelu, 1);
            },
            "not modelled: ReLU of datums from L1; set STACC_RELU_ApplyRelu to 0",
        ),
        (
            |b| {
                b.set(first(THCON_PACK_Source_interface_selection), 1);
                formats(b, 6, 6);
            },
            "not modelled: packing BFP8 datums from L1; use a format of whole bytes without shared exponents",
        ),
        (
            |b| {
                b.set(first(THCON_PACK_Source_interface_selection), 1);
                b.set(PCK_EDGE_OFFSET_mask.at(3), 1);
                b.set(TILE_ROW_SET_MAPPING.at(0).at(0), 3);
            },
            "undefined behaviour: edge masks for datums that do not come from Dst; set all four masks to 0xffff",
        ),
        (
            |b| {
                formats(b, 6, 6);
                b.set(first(THCON_PACK_Pack_L1_Acc), 1);
            },
            "not modelled: accumulating BFP8 in L1; FP32, FP16 and BF16 are modelled",
        ),
        (
            |b| {
                formats(b, 6, 6);
                b.core.adcs[THREAD].packers[1].set(Axis::X, 19);
            },
            "undefined behaviour: ends an output of BFP8 behind 4 of 16 datums that share an exponent; pack whole blocks",
        ),
        (
            |b| {
                b.set(first(THCON_PACK_Pack_L1_Acc), 1);
                b.core.l1.write(OUT, &[0; 512]).unwrap();
                b.core.adcs[THREAD].packers[1].set(Axis::X, 19);
            },
            "undefined behaviour: ends an output that is added to L1 behind 8 of 16 bytes; accumulate whole lines",
        ),
    ];
    for (change, fault) in rows {
        let mut bench = bench();
        change(&mut bench);
        bench.refuses(ALL, fault);
    }
    for (text, fault) in [
        (
            "ttpacr 0, 0, 5, 0, 0, 0, 1",
            "undefined behaviour: PACR on the packers 0b0101; one, 0 and 1, 2 and 3, or all can be selected",
        ),
        (
            "ttpacr_setreg 1, 0, 0, 15, 0, 1, 0",
            "undefined behaviour: PACR_SETREG while packer 0 has an output that has not ended; end it first (last)",
        ),
    ] {
        let mut bench = bench();
        bench.run("ttpacr 0, 0, 1, 0, 0, 0, 0");
        bench.refuses(text, fault);
    }
    let mut bench = bench();
    bench.run("ttpacr 0, 0, 1, 0, 0, 0, 0");
    formats(&mut bench, 0, 0);
    bench.refuses(
        "ttpacr 0, 0, 1, 0, 0, 0, 1",
        "undefined behaviour: packing FP32 behind BF16 in one output; end it first (last)",
    );
}
