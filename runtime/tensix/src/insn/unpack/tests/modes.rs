//! Tests of the modes of reading and placing datums, each by its purpose.

use tessera_isa_tensix::{cfg, Arch};

use crate::arith::spec::bits::{src_from_bf16, src_from_fp16};
use crate::arith::spec::format::Format as F;
use crate::insn::unpack::testing::{bench, bench_on, code, span, src, to_dst, L1, WHOLE};
use crate::state::adc::Axis;
use crate::state::banks::{Client, Src};
use crate::testing::{Bench, THREAD};

/// Writes row-major BF16 of `columns`, whose bits are their index.
fn matrix(bench: &mut Bench, rows: usize, columns: usize) {
    let bytes: Vec<u8> = (0..rows * columns)
        .flat_map(|i| (i as u16).to_le_bytes())
        .collect();
    bench.core.l1.write(L1, &bytes).unwrap();
}

fn expect(indices: impl IntoIterator<Item = usize>) -> Vec<u32> {
    indices
        .into_iter()
        .map(|i| src_from_bf16(i as u16))
        .collect()
}

/// The configuration of `llk_unpack_tilize.h`: faces of a row-major block of two tiles, one UNPACR
/// each, Z counting faces of 16 columns.
#[test]
fn tilizing() {
    for u in 0..2 {
        let mut bench = bench(F::BF16, F::BF16);
        matrix(&mut bench, 32, 64);
        span(&mut bench, 0, 255);
        let unpacker = u as u32;
        bench.set(cfg::THCON_REG2_Tileize_mode.nth(unpacker), 1);
        // Rows of 64 datums are 128 bytes, in units of 16.
        bench.set(cfg::THCON_REG2_Shift_amount.nth(unpacker).nth(0), 8);
        bench.set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(0), 16);
        bench.set(cfg::THCON_REG0_TileDescriptor.nth(1).nth(0), 16 << 16 | 5);
        for face in 0..4 {
            bench.run(&WHOLE[u].replacen(", 0,", ", 1,", 1));
            let got = src(&bench, [Src::A, Src::B][u], 0, 16);
            let from = 16 * face;
            assert_eq!(
                got,
                expect((0..256).map(|i| from + i / 16 * 64 + i % 16)),
                "{face}"
            );
        }
    }
}

/// The configuration of `_llk_unpack_tilizeA_B_`: SrcA is set to negative infinity and receives a
/// face of a row-major block, SrcB a face of a tile; then both banks are handed over.
#[test]
fn tilizing_a_beside_b() {
    let mut bench = bench(F::BF16, F::BF16);
    matrix(&mut bench, 64, 32);
    span(&mut bench, 0, 127);
    bench.set(cfg::THCON_REG2_Tileize_mode.nth(0), 1);
    bench.set(cfg::THCON_REG2_Shift_amount.nth(0).nth(0), 4);
    bench.set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(0), 16);
    for face in 0..2 {
        bench.run(
            "ttunpacr_nop 0, 5
             ttunpacr 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1
             ttunpacr 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1",
        );
        let rows = |src| bench.core.regs.src(src).rows(face, 0, 16);
        let a = rows(Src::A).unwrap().concat();
        assert_eq!(
            a[..128],
            expect((0..128).map(|i| 16 * face + i / 16 * 32 + i % 16))
        );
        assert_eq!(a[128..], [0x7_FFFF; 128]);
        let b = bench
            .core
            .regs
            .src(Src::B)
            .rows(face, 0, 8)
            .unwrap()
            .concat();
        assert_eq!(b, expect(256 * face..256 * face + 128));
        for src in [Src::A, Src::B] {
            assert_eq!(bench.core.banks.owner(src, face), Client::MatrixUnit);
        }
    }
}

/// Blackhole has 32 datums of more than a byte side by side.
#[test]
fn tilizing_on_blackhole() {
    for (format, width) in [(F::BF16, 32), (F::INT8, 16)] {
        let mut bench = bench_on(Arch::Blackhole, format, format);
        let bytes: Vec<u8> = (0..0x1000u32).map(|k| (k / 64) as u8).collect();
        bench.core.l1.write(L1, &bytes).unwrap();
        span(&mut bench, 0, 127);
        bench.set(cfg::THCON_REG2_Tileize_mode.nth(0), 1);
        bench.set(cfg::THCON_REG2_Shift_amount.nth(0).nth(0), 8);
        bench.run(WHOLE[0]);
        let datum = |i: u32| {
            let byte = i / width * 2 + i % width * format.bits().unwrap() / 8 / 64;
            match format {
                F::BF16 => src_from_bf16(byte as u16 * 0x101),
                _ if byte == 0 => 0,
                _ => src_from_fp16(16 << 10 | byte as u16),
            }
        };
        assert_eq!(
            src(&bench, Src::A, 0, 8),
            (0..128).map(datum).collect::<Vec<_>>(),
            "{format}"
        );
    }
}

/// The configuration of `llk_unpack_untilize.h`: rows of 16 datums of two faces side by side, Z
/// counting faces and Y rows.
#[test]
fn untilizing() {
    let mut bench = bench(F::BF16, F::BF16);
    matrix(&mut bench, 64, 16);
    span(&mut bench, 0, 15);
    bench.set(cfg::THCON_REG5_Tile_x_dim.nth(0).nth(0), 16);
    bench.set(cfg::THCON_REG0_TileDescriptor.nth(0).nth(1), 4 << 16 | 16);
    bench.set(cfg::UNP_ADD_DEST_ADDR_CNTR.nth(0), 1);
    bench.set(cfg::UNP_ADDR_CTRL_Ystride.nth(0).nth(1), 32);
    bench.core.adcs[THREAD] = bench.core.adcs[0];
    for _ in 0..16 {
        // Z of the input and Y of the output by one, by the thread's own counters.
        bench.run(
            "ttunpacr 0, 65, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1
             ttunpacr 0, 65, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1
             ttaddrcrzw 1, 0, 0, 0, 0, 1
             ttincadcxy 1, 0, 0, 1, 0",
        );
    }
    let tile = |row: usize, column: usize| 256 * (column / 16) + 16 * row + column % 16;
    let got = src(&bench, Src::A, 0, 32);
    assert_eq!(got, expect((0..512).map(|i| tile(i / 32, i % 32))));
}

/// BFP8 while tilizing: datums lie apart, their exponents do not.
#[test]
fn exponents_stay_together_while_tilizing() {
    let mut bench = bench(F::BFP8, F::BFP8);
    let exponents: Vec<u8> = (0..64).map(|k| 100 + k).collect();
    bench.core.l1.write(L1, &exponents).unwrap();
    bench.core.l1.write(L1 + 64, &[0x40; 1024]).unwrap();
    span(&mut bench, 0, 63);
    bench.set(cfg::THCON_REG2_Tileize_mode.nth(0), 1);
    bench.set(cfg::THCON_REG2_Shift_amount.nth(0).nth(0), 2);
    bench.run(WHOLE[0]);
    let expect: Vec<u32> = (0..64)
        .map(|i| src_from_bf16((100 + i / 16) << 7))
        .collect();
    assert_eq!(src(&bench, Src::A, 0, 4), expect);
}

/// `Upsample_rate` 1, 2, 3 has 1, 3, 7 places follow each datum.
#[test]
fn upsampling() {
    for (rate, places) in [(1, 2), (2, 4), (3, 8)] {
        let mut bench = bench(F::BF16, F::BF16);
        matrix(&mut bench, 4, 16);
        span(&mut bench, 0, 63);
        bench.set(cfg::THCON_REG2_Upsample_rate.nth(1), rate);
        bench.run(WHOLE[1]);
        let datum = |i: usize| {
            if i % places == 0 {
                src_from_bf16((i / places) as u16)
            } else {
                0
            }
        };
        let got = src(&bench, Src::B, 0, 4 * places);
        assert_eq!(
            got,
            (0..64 * places).map(datum).collect::<Vec<_>>(),
            "{rate}"
        );
        // Skipped places keep what they had.
        bench.run("ttunpacr_nop 1, 1");
        bench.core.l1.write(L1, &[0x11; 128]).unwrap();
        bench.set(cfg::THCON_REG2_Upsample_and_interleave.nth(1), 1);
        bench.run(WHOLE[1]);
        bench.set(cfg::UNP_ADDR_BASE.nth(1).nth(1), 2);
        bench.core.l1.write(L1, &[0x22; 128]).unwrap();
        bench.run(WHOLE[1]);
        let datum = |i: usize| match i % places {
            0 => src_from_bf16(0x1111),
            1 => src_from_bf16(0x2222),
            _ => 0,
        };
        let got = src(&bench, Src::B, 0, 4 * places);
        assert_eq!(
            got,
            (0..64 * places).map(datum).collect::<Vec<_>>(),
            "{rate}"
        );
    }
}

/// Datums move to the left, and those that leave their row are dropped.
#[test]
fn column_shift() {
    for shift in [1, 5, 15] {
        let mut bench = bench(F::BF16, F::BF16);
        matrix(&mut bench, 64, 16);
        bench.run("ttunpacr_nop 0, 1");
        bench.set(cfg::THCON_REG2_Shift_amount.nth(0).nth(0), shift as u32);
        // Not unpacker 1's.
        bench.set(cfg::THCON_REG2_Shift_amount.nth(1).nth(0), shift as u32);
        bench.run(WHOLE[0]);
        bench.run(WHOLE[1]);
        let datum = |i: usize| match i % 16 + shift {
            c if c < 16 => src_from_bf16((i / 16 * 16 + c) as u16),
            _ => 0,
        };
        assert_eq!(
            src(&bench, Src::A, 0, 64),
            (0..1024).map(datum).collect::<Vec<_>>()
        );
        assert_eq!(src(&bench, Src::B, 0, 64), expect(0..1024));
    }
}

/// A row of which not all columns have been written must not be read.
#[test]
fn parts_of_rows() {
    let mut bench = bench(F::BF16, F::BF16);
    matrix(&mut bench, 64, 16);
    span(&mut bench, 3, 20);
    bench.run(WHOLE[1]);
    let file = bench.core.regs.src(Src::B);
    assert_eq!(file.row(0, 0).unwrap()[..], expect(3..19)[..]);
    assert!(file.row(0, 1).is_err());
    bench.set(cfg::UNP_ADDR_BASE.nth(1).nth(1), 36);
    span(&mut bench, 100, 113);
    bench.run(WHOLE[1]);
    let file = bench.core.regs.src(Src::B);
    assert_eq!(
        file.row(0, 1).unwrap()[..],
        expect((19..21).chain(100..114))[..]
    );
    // Parts of faces are transposed, too.
    bench.set(cfg::THCON_REG2_Haloize_mode.nth(0), 1);
    span(&mut bench, 8, 8 + 127);
    for half in 0..2 {
        bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64 + 128 * half);
        bench.run(WHOLE[0]);
    }
    let face: Vec<u32> = (0..256)
        .map(|i| (8 + i % 16 % 8 * 16 + i / 16) as u32)
        .collect();
    let face: Vec<u32> = face.into_iter().map(|i| src_from_bf16(i as u16)).collect();
    assert_eq!(src(&bench, Src::A, 0, 16), face);
    // In Dst a row must have been written whole before.
    to_dst(&mut bench);
    bench.set(cfg::THCON_REG2_Haloize_mode.nth(0), 0);
    bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64);
    span(&mut bench, 0, 3);
    bench.refuses(
        WHOLE[0],
        "not modelled: unpacking a part of row 0 of Dst, which does not hold 16-bit datums; write \
         the whole row first",
    );
    span(&mut bench, 0, 15);
    bench.run(WHOLE[0]);
    span(&mut bench, 32, 35);
    bench.run(WHOLE[0]);
    assert_eq!(bench.dst16(0)[..6], [32, 33, 34, 35, 4, 5]);
}

/// An address beyond the limit wraps, where the unpacker looks: after each row of datums and each
/// 16 exponents.
#[test]
fn circular_buffers() {
    for u in 0..2 {
        let mut bench = bench(F::BF16, F::BF16);
        matrix(&mut bench, 64, 16);
        let unpacker = u as u32;
        // The last 256 bytes begin at 0x18700; 0x18800 is after the buffer and is 0x18400.
        bench.set(cfg::THCON_REG2_Unpack_limit_address.nth(unpacker), 0x187F);
        bench.set(cfg::THCON_REG2_Unpack_fifo_size.nth(unpacker), 0x40);
        bench.set(
            cfg::THCON_REG3_Base_address.nth(unpacker).nth(0),
            0x1870 - 1,
        );
        span(&mut bench, 0, 511);
        bench.run(WHOLE[u]);
        let source = [Src::A, Src::B][u];
        assert_eq!(
            src(&bench, source, 0, 32),
            expect((0x380..0x400).chain(0x200..0x380))
        );
        // The first address wraps at once.
        bench.set(
            cfg::THCON_REG3_Base_address.nth(unpacker).nth(0),
            0x1888 - 1,
        );
        bench.run(WHOLE[u]);
        assert_eq!(
            src(&bench, source, 0, 32),
            expect((0x240..0x400).chain(0x200..0x240))
        );
    }
    let mut bench = bench(F::BFP8, F::BFP8);
    bench.core.l1.write(L1, &[130; 16]).unwrap();
    bench.core.l1.write(L1 + 16, &[0x40; 0x800]).unwrap();
    bench.core.l1.write(L1 + 0x7F0, &[120; 16]).unwrap();
    bench.set(cfg::THCON_REG2_Unpack_limit_address.nth(1), 0x187F);
    bench.set(cfg::THCON_REG2_Unpack_fifo_size.nth(1), 0x80);
    bench.set(cfg::THCON_REG3_Base_address.nth(1).nth(0), 0x187F - 1);
    span(&mut bench, 0, 511);
    bench.run(WHOLE[1]);
    let datum = |i: usize| src_from_bf16((if i < 256 { 120 } else { 130 }) << 7);
    assert_eq!(
        src(&bench, Src::B, 0, 32),
        (0..512).map(datum).collect::<Vec<_>>()
    );
}

/// Each of unpacker 0's eight contexts has its base; what it shares with the context four on, it
/// shares.
#[test]
fn eight_contexts() {
    let mut bench = bench(F::BF16, F::BF16);
    matrix(&mut bench, 1024, 16);
    bench.set(cfg::THCON_REG2_Context_count.nth(0), 3);
    bench.set(cfg::THCON_REG2_Unpack_if_sel_hi.nth(0).nth(2), 1);
    for context in 0..8 {
        let base = cfg::THCON_REG3_Base_address.nth(0).nth(context);
        bench.set(base, (L1 + 32 * context) / 16 - 1);
        let offset = cfg::THCON_REG7_Offset_address.nth(0).nth(context & 3);
        bench.set(offset, 0x40 * (context & 3));
    }
    for context in 0..8 {
        bench.set_thread(cfg::SRCA_SET_SetOvrdWithAddr, (context != 6).into());
        assert_eq!(bench.core.context_counter[0][THREAD], context);
        bench.run("ttunpacr 0, 0, 0, 5, 0, 1, 0, 0, 0, 1, 0, 0, 1");
        let first = 16 * context as usize + 512 * (context as usize & 3);
        if context == 6 {
            let row: Vec<u16> = (first..first + 16).map(|i| i as u16).collect();
            assert_eq!(bench.dst16(0)[..], row[..]);
        } else {
            assert_eq!(
                src(&bench, Src::A, 0, 64),
                expect(first..first + 1024),
                "{context}"
            );
        }
    }
    assert_eq!(bench.core.context_counter[0][THREAD], 0);
    // The counter steps by itself, too, as far as it counts.
    for count in 0..4 {
        bench.set(cfg::THCON_REG2_Context_count.nth(0), count);
        for context in 0..9 {
            assert_eq!(
                bench.core.context_counter[0][THREAD],
                context % (1 << count)
            );
            bench.run("ttunpacr 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0");
        }
        bench.core.context_counter[0][THREAD] = 0;
    }
    assert_eq!(bench.core.context_counter[1][THREAD], 0);
}

/// A row search takes a row, or a blob of whole rows of 16, whatever the counters X say of the
/// rest.
#[test]
fn row_search() {
    let search = |text: &str| text.replace("0, 0, 1", "1, 0, 1");
    let mut bench = bench(F::BF16, F::BF16);
    matrix(&mut bench, 128, 16);
    span(&mut bench, 7, 32);
    for adcs in &mut bench.core.adcs {
        adcs.unpacker[0][0].set(Axis::Y, 1);
    }
    bench.set(cfg::THCON_REG0_TileDescriptor.nth(0).nth(1), 4 << 16 | 2);
    bench.run(&search(WHOLE[0]));
    assert_eq!(src(&bench, Src::A, 0, 2), expect(256..288));
    // Three blobs from rows 2, 5 and 11 on; the third ends with the row, of which bits 8 to 4
    // count.
    for u in 0..2 {
        let mut bench = crate::insn::unpack::testing::bench(F::BF16, F::BF16);
        matrix(&mut bench, 128, 16);
        let descriptor = cfg::THCON_REG0_TileDescriptor.nth(u as u32);
        bench.set(descriptor.nth(0), 256 << 16 | 3 << 8 | 5);
        if u == 0 {
            bench.set(cfg::UNP0_BLOBS_Y_START.nth(0), 0xB52);
        } else {
            bench.set(descriptor.nth(2), 0xB52 << 16);
        }
        for (blob, rows) in [(0, 2..5), (1, 5..11), (2, 11..16)] {
            for adcs in &mut bench.core.adcs {
                adcs.unpacker[u][0].set(Axis::Y, blob);
                adcs.unpacker[u][0].set(Axis::X, blob);
            }
            bench.run(&search(WHOLE[u]));
            let got = src(&bench, [Src::A, Src::B][u], 0, rows.len());
            assert_eq!(got, expect(16 * rows.start..16 * rows.end), "{u} {blob}");
        }
    }
}

/// Rows of SrcA from 64 on: a revision of the documentation lets them wrap, the later one calls
/// them undefined. tt-llk writes a zero there after each unpacking to Dst, so they are let through,
/// and what the row that they would wrap to holds is not known.
#[test]
fn rows_beyond_src_a() {
    let mut bench = bench(F::BF16, F::BF16);
    matrix(&mut bench, 64, 16);
    bench.run(WHOLE[0]);
    span(&mut bench, 0, 15);
    for (row, lost) in [(64, 0), (65, 1), (127, 63)] {
        bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64 + 16 * row);
        for zeros in ["1", "0"] {
            bench.run(&format!(
                "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, {zeros}, 0, 0, 0, 1"
            ));
        }
        let file = bench.core.regs.src(Src::A);
        for row in 0..64 {
            assert_eq!(file.row(0, row).is_err(), row == lost, "{row}");
        }
        bench.core.regs.src_mut(Src::A).write_row(0, lost, [0; 16]);
    }
}

/// Erratum of seed 001 §2.7: the counters of the issuing thread and of the thread whose X and Y
/// apply advance, once if they are the same.
#[test]
fn counters_advance_once() {
    for other in 0..3 {
        let mut bench = bench(F::BF16, F::BF16);
        matrix(&mut bench, 64, 16);
        bench.core.adcs[other] = bench.core.adcs[0];
        bench.run(&format!(
            "ttunpacr 0, 255, 0, 0, {other}, 1, 0, 0, 1, 0, 0, 0, 1"
        ));
        for (thread, adcs) in bench.core.adcs.iter().enumerate() {
            let by = if thread == THREAD || thread == other {
                3
            } else {
                0
            };
            for channel in &adcs.unpacker[0] {
                let yz = [Axis::Y, Axis::Z].map(|axis| channel.get(axis));
                assert_eq!(yz, [by; 2], "{other} {thread}");
            }
        }
    }
}

/// The INT8 overlay has exponent 16, or 0 for zero; erratum of seed 001 §3.1: INT8 is format 14.
#[test]
fn int8_is_format_14() {
    assert_eq!(code(F::INT8), 14);
    let mut bench = bench(F::INT8, F::INT8);
    let bytes: Vec<u8> = (0..=255).collect();
    bench.core.l1.write(L1, &bytes).unwrap();
    span(&mut bench, 0, 255);
    bench.run(WHOLE[0]);
    let datum = |x: u16| {
        src_from_fp16((x & 0x80) << 8 | (x & 0x7F) | if x & 0x7F == 0 { 0 } else { 16 << 10 })
    };
    assert_eq!(
        src(&bench, Src::A, 0, 16),
        (0..256).map(datum).collect::<Vec<_>>()
    );
}
