//! Tests of formats, and of the stages between and after the conversions.

use super::*;

/// Every bit of FP32 is kept: denormals, NaNs, minus zero, raw or not. Faces are 1024 bytes, and a
/// start in the middle of a row is counted in words.
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
        bench.set(cfg::PCK0_ADDR_CTRL_Xstride.nth(0), 4);
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
    bench.set(
        cfg::THCON_REG1_All_pack_disable_zero_compress_ovrd.nth(0),
        1,
    );
    bench.set(
        cfg::THCON_REG1_All_pack_disable_zero_compress.nth(0),
        0b0111,
    );
    bench.run("ttpacr 0, 0, 3, 0, 0, 0, 1");
    bench.refuses(
        ALL,
        "not modelled: compression while packing; set Disable_zero_compress",
    );
}

/// Packs sixteen datums of a 32-bit Dst through each pair of formats that its sources have, and
/// compares the bytes in L1.
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

/// Exponents come first, one byte per sixteen datums; the datums' address follows from the size of
/// that section.
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
    bench.set_thread(cfg::ADDR_MOD_PACK_YsrcIncr.nth(1), 1);
    bench.set(cfg::PCK0_ADDR_CTRL_Ystride.nth(0), 32);
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
    let plus_one = |n: i32| crate::arith::spec::packer::accumulate::bf16(0x3F80, bf16_rounded(n));
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
    bench.set(cfg::PCK0_ADDR_CTRL_Xstride.nth(0), 4);
    bench.set(cfg::PCK_EDGE_MODE_mode, 1);
    bench.set(cfg::PCK_EDGE_TILE_FACE_SET_SELECT_enable, 1);
    bench.set(cfg::PCK_EDGE_TILE_FACE_SET_SELECT_select, 2);
    bench.set(cfg::DEST_TARGET_REG_CFG_PACK_ZOffset.nth(0), 3);
    bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(0), 1);
    // Faces 3 and 4 are whole, face 5 keeps column 1.
    bench.set(cfg::TILE_FACE_SET_MAPPING.nth(2).nth(5), 1);
    bench.set(cfg::TILE_ROW_SET_MAPPING.nth(1).nth(0), 1);
    bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(1), 2);
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
    bench.set(cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(0), 127);
    bench.set(cfg::TILE_ROW_SET_MAPPING.nth(0).nth(1), 1);
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
    // Bit 18 on of the address is configured, the rest comes from strides; X counts within 16
    // bytes.
    let from: Vec<u8> = (0..64).collect();
    bench.core.l1.write(0x4_1230, &from).unwrap();
    for (format, stride, x) in [(5, 2, 2), (14, 1, 5), (8, 4, 1), (10, 1, 0)] {
        formats(&mut bench, format, format);
        bench.set(cfg::PCK0_ADDR_CTRL_Xstride.nth(0), 0);
        bench.set(cfg::PCK0_ADDR_CTRL_Ystride.nth(0), 0x230);
        bench.set(cfg::PCK0_ADDR_BASE.nth(0), 0x1000);
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
    bench.set(cfg::PCK0_ADDR_CTRL_Ystride.nth(0), 32);
    bench.set_thread(cfg::ADDR_MOD_PACK_YsrcIncr.nth(0), 1);
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
    // A FIFO of 8 lines that ends after line 0x2003.
    bench.set(of_packer(cfg::THCON_PACK_L1_Dest_addr, 0), 0x2004);
    bench.set(cfg::THCON_REG9_Pack_limit_address.nth(0).nth(0), 0x1001);
    bench.set(cfg::THCON_REG9_Pack_fifo_size.nth(0).nth(0), 4);
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
