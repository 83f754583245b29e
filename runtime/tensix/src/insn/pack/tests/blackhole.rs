//! Tests of Blackhole's packer: interfaces, layouts, FP8.

use tessera_isa_tensix::Arch;

use super::*;
use crate::state::dst_rows::arrange_dst;

const START: u32 = OUT / 16 - 1;

/// Returns a bench with the Dst of [`super::bench`], packed from row 0 to [`OUT`] as BF16.
fn bench() -> Bench {
    let mut bench = Bench::on(Arch::Blackhole);
    for row in 0..256 {
        bench.put_dst32(
            row,
            std::array::from_fn(|column| f32_of(value(row, column))),
        );
    }
    formats_of(&mut bench, 5, 5);
    bench.set(of_packer(cfg::THCON_PACK_Disable_zero_compress, 0), 1);
    bench.set(of_packer(cfg::THCON_PACK_L1_Dest_addr, 0), START);
    bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(0), 16);
    (0..4).for_each(|k| bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(k), 0xFFFF));
    bench.set(cfg::PCK0_ADDR_CTRL_Xstride.nth(0), 2);
    bench.set(cfg::PCK0_ADDR_CTRL_Ystride.nth(0), 32);
    take(&mut bench, 16);
    bench
}

fn formats_of(b: &mut Bench, between: u32, to: u32) {
    b.set(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, between);
    b.set(of_packer(cfg::THCON_PACK_In_data_format, 0), between);
    b.set(of_packer(cfg::THCON_PACK_Out_data_format, 0), to);
}

/// Returns a PACR on a number of interfaces; `strided` is `dst_access_mode`.
fn pacr(interfaces: u32, strided: u32) -> String {
    format!("ttpacr 0, 0, {strided}, 0, 0, 0, {interfaces}, 0, 0, 0, 0, 1")
}

fn packed_rows(of: &[usize]) -> Vec<u16> {
    of.iter()
        .flat_map(|&row| rows(row, 1, bf16_rounded))
        .collect()
}

#[test]
fn interfaces_take_rows() {
    for (interfaces, first, taken) in [
        (0, 4, &[4, 5, 6, 7][..]),
        (15, 8, &[8, 9, 10, 11]),
        (1, 3, &[3]),
        (3, 2, &[2, 3]),
        (5, 1, &[1, 3]),
        (10, 4, &[5, 7]),
        (12, 0, &[2, 3]),
    ] {
        let mut bench = bench();
        bench.core.adcs[THREAD].packers[0].set(Axis::Y, first);
        bench.run(&pacr(interfaces, 0));
        assert_eq!(
            output(&mut bench, OUT, 16 * taken.len()),
            packed_rows(taken),
            "interfaces {interfaces:#06b} from row {first}"
        );
        assert!(bench
            .core
            .l1
            .read(OUT + 32 * taken.len() as u32, 32)
            .is_err());
    }
    // Without compression `concat` has no effect.
    let mut joined = bench();
    for (interfaces, last) in [(3, 0), (1, 1)] {
        joined.run(&format!(
            "ttpacr 0, 0, 0, 0, 0, 0, {interfaces}, 0, 1, 0, 0, {last}"
        ));
    }
    assert_eq!(output(&mut joined, OUT, 48), packed_rows(&[0, 1, 0]));
    // Parts of rows follow each other, too.
    let mut bench = bench();
    take(&mut bench, 8);
    bench.run(&pacr(3, 0));
    let parts = [
        &rows(0, 1, bf16_rounded)[..8],
        &rows(1, 1, bf16_rounded)[..8],
    ]
    .concat();
    assert_eq!(output(&mut bench, OUT, 16), parts);
}

/// A part of a row counts as a row, too: of three, the second one is masked.
#[test]
fn edge_masks_count_interfaces() {
    let mut bench = bench();
    bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(1), 0);
    bench.set(cfg::TILE_ROW_SET_MAPPING.nth(0).nth(1), 1);
    take(&mut bench, 8);
    for (row, last) in [(0, 0), (1, 0), (2, 1)] {
        bench.core.adcs[THREAD].packers[0].set(Axis::Y, row);
        bench.run(&format!("ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, {last}"));
    }
    let part = |row| rows(row, 1, bf16_rounded)[..8].to_vec();
    let expect = [part(0), vec![0; 8], part(2)].concat();
    assert_eq!(output(&mut bench, OUT, 24), expect);
}

#[test]
fn interfaces_take_rows_16_apart() {
    let mut bench = bench();
    bench.set(cfg::DEST_ACCESS_CFG_remap_addrs, 1);
    bench.set(cfg::DEST_ACCESS_CFG_swizzle_32b, 1);
    arrange_dst(&mut bench.core.regs.dst, &bench.core.config, THREAD);
    for row in 0..128 {
        let datums = std::array::from_fn(|column| f32_of(value(row, column)));
        bench.put_dst32(row, datums);
    }
    for (interfaces, taken) in [(1, &[0][..]), (3, &[0, 16]), (0, &[0, 16, 32, 48])] {
        bench.run(&pacr(interfaces, 1));
        assert_eq!(
            output(&mut bench, OUT, 16 * taken.len()),
            packed_rows(taken)
        );
    }
}

#[test]
fn exponents_are_forgotten() {
    let mut bench = bench();
    bench.run(&pacr(1, 0));
    let histogram = |bench: &Bench| bench.core.regs.packers[0].histogram.clone();
    assert_ne!(histogram(&bench), Default::default());
    bench.run("ttclrexphist");
    assert_eq!(histogram(&bench), Default::default());
}

#[test]
fn output_is_addressed_in_bytes() {
    let mut bench = bench();
    bench.set(cfg::PCK0_ADDR_CTRL_Ystride.nth(1), 0x64);
    bench.core.adcs[THREAD].packers[1].set(Axis::Y, 3);
    bench.run(&pacr(1, 0));
    assert_eq!(output(&mut bench, OUT + 0x120, 16), packed_rows(&[0]));
}

/// Masks depend on the row's number in the tile, whichever interface packs it.
#[test]
fn edge_masks_by_row() {
    let mut bench = bench();
    bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(1), 1);
    bench.set(cfg::TILE_ROW_SET_MAPPING.nth(0).nth(1), 1);
    bench.set(cfg::TILE_ROW_SET_MAPPING.nth(0).nth(4), 1);
    take(&mut bench, 16);
    bench.run("ttpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0");
    bench.core.adcs[THREAD].packers[0].set(Axis::Y, 4);
    bench.run(&pacr(5, 0));
    let mut expected = packed_rows(&[0, 1, 2, 3, 4, 6]);
    for row in [1, 4] {
        expected[16 * row + 1..16 * row + 16].fill(0);
    }
    assert_eq!(output(&mut bench, OUT, 96), expected);
}

/// FP32 becomes FP16, and FP8 of either kind, by way of TF32.
#[test]
fn floats_become_narrow() {
    let datums = [
        0x3F80_0000,
        0xBFC0_0000,
        0x3F80_1000, // rounds up to the next FP16
        0x3F8F_F000,
        0x4780_0000,
        0x4800_0000, // beyond FP16
        0x3880_0000,
        0x3300_0000,
        0xFF80_0001, // not a number
        0x4380_0000,
        0x4400_0000,
        0x3C80_0000,
        0x3C00_0000,
        0x0000_0001,
        0x8000_0000,
        0xC37F_0000,
    ];
    let mut bench = bench();
    bench.put_dst32(0, datums);
    bench.set(cfg::PCK_DEST_RD_CTRL_Round_10b_mant, 1);
    formats_of(&mut bench, 1, 1);
    bench.run(&pacr(1, 0));
    let fp16 = [
        0x3C00, 0xBE00, 0x3C01, 0x3C80, 0x7C00, 0x7FFF, 0x0400, 0, 0xFFFF, 0x5C00, 0x6000, 0x2400,
        0x2000, 0, 0, 0xDBF8,
    ];
    assert_eq!(output(&mut bench, OUT, 16), fp16);
    formats_of(&mut bench, 1, 10);
    bench.set(cfg::THCON_REG1_Pac_LF8_4b_exp.nth(0), 1);
    bench.run(&pacr(1, 0));
    let fp8 = [
        0x38, 0xBC, 0x38, 0x39, 0x7F, 0x7F, 0, 0, 0xFF, 0x78, 0x7F, 0x08, 0, 0, 0, 0xF7,
    ];
    assert_eq!(bench.core.l1.read(OUT, 16).unwrap(), fp8);
}

#[test]
fn refusals() {
    type Refusal = (fn(&mut Bench), &'static str, &'static str);
    let cases: &[Refusal] = &[
        (
            |_| {},
            "ttpacr 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: cfg_context of PACR on Blackhole, which is not documented; clear it",
        ),
        (
            |b| b.set(of_packer(cfg::THCON_PACK_Source_interface_selection, 0), 1),
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: packing from L1 on Blackhole; clear Source_interface_selection",
        ),
        (
            |b| take(b, 17),
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "undefined behaviour: packing 17 datums of a row on Blackhole; set the X counters to \
             16 at most",
        ),
        (
            |b| {
                take(b, 8);
                b.set(of_packer(cfg::THCON_PACK_Downsample_mask, 0), 1);
            },
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: downsampling parts of rows on Blackhole; pack whole rows or set \
             Downsample_mask to 0xffff",
        ),
        (
            |b| b.core.adcs[THREAD].packers[0].set(Axis::X, 4),
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: packing from column 4 of a row of Dst on Blackhole; begin with column 0",
        ),
        (
            |_| {},
            "ttpacr 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 1",
            "not modelled: dst_access_mode of PACR with the interfaces 0b0011; set remap_addrs and \
             swizzle_32b, and take 1, 3 or 15",
        ),
        (
            |b| {
                b.set(cfg::DEST_ACCESS_CFG_remap_addrs, 1);
                b.set(cfg::DEST_ACCESS_CFG_swizzle_32b, 1);
                b.set(cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(0), 1000);
            },
            "ttpacr 0, 0, 1, 0, 0, 0, 15, 0, 0, 0, 0, 1",
            "not modelled: dst_access_mode of PACR up to row 1048 of Dst, which has 1024",
        ),
        (
            |b| b.core.adcs[THREAD].packers[0].set(Axis::Y, 3),
            "ttpacr 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1",
            "undefined behaviour: PACR on the interfaces 0b0011 from row 3 of Dst: their rows \
             leave a group of four",
        ),
        (
            |b| {
                b.set(cfg::PCK_EDGE_OFFSET_mask.nth(0), 1);
                b.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(0), 3);
            },
            "ttpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1",
            "not modelled: edge masks for rows 0 to 3 of a face with pack_reads_per_xy_plane = 3; \
             set it to a multiple of the rows of a PACR",
        ),
        (
            |b| b.set(cfg::PCK_EDGE_OFFSET_mask.nth(0), 1),
            "ttpacr 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1",
            "undefined behaviour: edge masks for datums that do not come from Dst; set all four \
             masks to 0xffff",
        ),
        (
            |b| {
                formats_of(b, 1, 1);
                b.set(cfg::PCK_DEST_RD_CTRL_Round_10b_mant, 1);
                b.set(cfg::PCK_DEST_RD_CTRL_Read_int8, 1);
            },
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: packing FP16 with PCK_DEST_RD_CTRL_Round_10b_mant, other than a 32-bit \
             Dst as FP16 or FP8 and a 16-bit Dst as FP8, not raw",
        ),
        (
            |b| {
                formats_of(b, 1, 1);
                b.set(cfg::PCK_DEST_RD_CTRL_Round_10b_mant, 1);
                b.set(of_packer(cfg::THCON_PACK_Exp_threshold_en, 0), 1);
            },
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: an exponent threshold for FP16 of a 32-bit Dst; clear Exp_threshold_en",
        ),
        (
            |b| {
                formats_of(b, 5, 10);
                b.set(cfg::THCON_REG1_Pac_LF8_4b_exp.nth(0), 1);
            },
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: packing BF16 as FP8 with 4 bits of exponent; pack FP16, or clear \
             Pac_LF8_4b_exp",
        ),
        (
            |b| b.set(cfg::THCON_REG1_pack_start_intf_pos.nth(0), 1),
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: where the packer's interfaces begin \
             (THCON_SEC*_REG1_pack_start_intf_pos, word 70, is 1 and must be 0)",
        ),
        (
            |b| b.set(cfg::THCON_REG1_Add_tile_header_size.nth(0), 1),
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: room for the header of a tile (THCON_SEC*_REG1_Add_tile_header_size, \
             word 70, is 1 and must be 0)",
        ),
        (
            |b| b.set(cfg::PACK_COUNTERS_auto_ctxt_inc_xys_cnt.nth(0), 1),
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: the packers' contexts (PACK_COUNTERS_SEC*_auto_ctxt_inc_xys_cnt, word \
             28, is 1 and must be 0)",
        ),
        (
            |b| b.set(cfg::PACK_COUNTERS_pack_yz_transposed.nth(0), 1),
            "ttpacr 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1",
            "not modelled: transposed edge masks (PACK_COUNTERS_SEC*_pack_yz_transposed, word 28, \
             is 1 and must be 0)",
        ),
    ];
    for (change, text, fault) in cases {
        let mut bench = bench();
        change(&mut bench);
        bench.refuses(text, fault);
    }
}
