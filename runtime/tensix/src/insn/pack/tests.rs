//! Tests of single instructions: addresses, counters, masks. Formats and stages, and refusals, have
//! their own files.

mod blackhole;
mod refusals;
mod stages;

use tessera_isa_tensix::cfg;

use super::of_packer;
use crate::state::adc::Axis;
use crate::testing::{f32_of, Bench, THREAD};

const OUT: u32 = 0x20000;
const ALL: &str = "ttpacr 0, 0, 15, 0, 0, 0, 1";

/// Returns a bench with packers configured as in a kernel: one face each, packer i from row 16 i,
/// outputs consecutive from [`OUT`]. 32-bit Dst row r, column c holds 16 r + c − 500.
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
        bench.set(
            cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(packer),
            16 * packer,
        );
        bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(packer), 16);
    }
    bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(0), 0xFFFF);
    bench.set(cfg::PCK0_ADDR_CTRL_Xstride.nth(0), 2);
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

/// Returns `count` datums of L1.
fn output(bench: &mut Bench, address: u32, count: usize) -> Vec<u16> {
    let bytes = bench.core.l1.read(address, 2 * count).unwrap();
    bytes
        .chunks(2)
        .map(|b| u16::from_le_bytes([b[0], b[1]]))
        .collect()
}

/// Returns rows from `first`, rounded.
fn rows(first: usize, count: usize, f: impl Fn(i32) -> u16) -> Vec<u16> {
    (first..first + count)
        .flat_map(|row| (0..16).map(move |column| value(row, column)))
        .map(f)
        .collect()
}

/// Sets the formats of all packers: intermediate and input, then output.
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

/// A PACR on packer 0 alone.
const FIRST: &str = "ttpacr 0, 0, 1, 0, 0, 0, 1";

#[test]
fn four_packers_write_a_tile() {
    let mut bench = bench();
    bench.run(ALL);
    assert_eq!(output(&mut bench, OUT, 1024), rows(0, 64, bf16_rounded));
    let mut noted = crate::state::access::RowSet::default();
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
    bench.set(cfg::PCK0_ADDR_CTRL_Ystride.nth(0), 32);
    bench.set_thread(cfg::ADDR_MOD_PACK_YsrcIncr.nth(1), 2);
    // Rows 0 and 2 one after the other, then row 4 at the start again; a flush moves no data and
    // ends an output, too.
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
        bench.set(cfg::PCK0_ADDR_CTRL_Ystride.nth(channel), y);
        bench.set(cfg::PCK0_ADDR_CTRL_Zstride.nth(channel), z);
        bench.set(cfg::PCK0_ADDR_CTRL_Wstride.nth(channel), w);
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
        |bench: &mut Bench, field: cfg::ThreadField, value| bench.set_thread(field.nth(2), value);
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
    // Packer p uses mapping p; mapping 0 keeps all, 1 keeps column 0 of even rows, 2 and 3 keep
    // nothing.
    bench.set(cfg::PCK_EDGE_TILE_ROW_SET_SELECT_select, 0b11_10_01_00);
    bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(1), 1);
    for row in 0..16 {
        bench.set(
            cfg::TILE_ROW_SET_MAPPING.nth(1).nth(row),
            if row % 2 == 0 { 1 } else { 2 },
        );
        bench.set(cfg::TILE_ROW_SET_MAPPING.nth(2).nth(row), 2);
        bench.set(cfg::TILE_ROW_SET_MAPPING.nth(3).nth(row), 3);
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
    bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(0), 3);
    bench.set(cfg::TILE_ROW_SET_MAPPING.nth(0).nth(2), 3);
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
