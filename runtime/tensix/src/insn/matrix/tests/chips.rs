//! Differences on Blackhole: implied formats, the layout of Dst, ZEROACC, the bug in renormalising
//! −1.

use super::*;
use crate::arith::spec::format::Format;
use crate::arith::COLUMNS;
use crate::state::dst_layout::Layout;
use crate::state::row32::Row32;

/// Returns a bench whose banks record the formats in which they were unpacked; the configured
/// format is FP16.
fn implying(a: Format, b: Format) -> Bench {
    let mut bench = Bench::on(Arch::Blackhole).dst_width(1);
    for field in [
        cfg::ALU_FORMAT_SPEC_REG0_SrcA,
        cfg::ALU_FORMAT_SPEC_REG1_SrcB,
    ] {
        bench.set(field, 1);
    }
    bench.set_thread(cfg::DISABLE_IMPLIED_SRCA_FMT_Base, 0);
    bench.set_thread(cfg::DISABLE_IMPLIED_SRCB_FMT_Base, 0);
    for (src, format) in [(Src::A, a), (Src::B, b)] {
        let datum = bits::src_from_tf32(0x1_FFFF & !(0x3F << 3));
        bench.core.regs.src_mut(src).fill(0, datum);
        bench
            .core
            .banks
            .hand_filled(src, THREAD, 0, format)
            .unwrap();
    }
    bench
}

#[test]
fn banks_imply_formats() {
    // 1.5 + 7/1024 as TF32; BF16 lacks the last bits.
    let [exact, cut] = [0x3FC0_E000, 0x3FC0_0000];
    for (format, value) in [
        (Format::TF32, exact),
        (Format::BF16, cut),
        (Format::BFP8, cut),
        (Format::FP32, cut),
    ] {
        let mut bench = implying(format, format);
        if format == Format::TF32 {
            bench.run("ttmova2d 0, 0, 0, 2, 8\n ttmovb2d 0, 0, 0, 4, 16");
            assert_eq!(bench.dst32(8), [value; COLUMNS]);
            assert_eq!(bench.dst32(16), [value; COLUMNS]);
        }
        bench.run("ttelwadd 0, 0, 0, 0, 0");
        assert_eq!(bench.dst32(0), [value + (1 << 23); COLUMNS], "{format}");
        // The second time the formats are remembered; the bank that follows has its own.
        bench.core.regs.src_mut(Src::A).fill(1, 0);
        bench
            .core
            .banks
            .hand_filled(Src::A, THREAD, 0, Format::FP16)
            .unwrap();
        bench.run("ttelwadd 1, 0, 0, 0, 0");
        assert_eq!(bench.dst32(0), [value + (1 << 23); COLUMNS], "{format}");
        let text = format!(
            "not modelled: arithmetic with SrcA in FP16 and SrcB in {format}; give both the same \
             format of floats, or set ALU_ACC_CTRL_INT8_math_enabled"
        );
        bench.refuses("ttelwadd 0, 0, 0, 0, 0", &text);
    }
}

#[test]
fn implied_formats_may_be_unknown() {
    let mut bench = implying(Format::BF16, Format::BF16);
    bench
        .core
        .banks
        .hand_to_unpacker(Src::B, true, true)
        .unwrap();
    bench.run("ttsetdvalid 2");
    let unknown = "undefined behaviour: the format of SrcB bank 1 is implied by its unpacker, \
                   which has not handed it over; hand it over by UNPACR or UNPACR_NOP, or set \
                   DISABLE_IMPLIED_SRCB_FMT_Base";
    bench.refuses("ttelwadd 0, 0, 0, 0, 0", unknown);
    bench.refuses("ttmovd2b 0, 0, 0, 2, 0", unknown);
    bench.set_thread(cfg::DISABLE_IMPLIED_SRCB_FMT_Base, 1);
    bench.refuses(
        "ttmovd2b 0, 0, 0, 2, 0",
        "not modelled: a move between SrcB and Dst with DISABLE_IMPLIED_SRCA_FMT_Base = 0 and \
         DISABLE_IMPLIED_SRCB_FMT_Base = 1, of which the sources do not agree which one counts; \
         set both or none",
    );
    bench.zero_dst();
    bench.run("ttmovd2a 0, 0, 0, 2, 0");
}

/// Mode, immediate and row counter; whether tile mode is absolute; places that must be marked:
/// first, last, number.
#[test]
fn zeroacc_marks_rows() {
    for (wide, text, counter, absolute, expected) in [
        (1, "ttzeroacc 0, 0, 0, 0, 8", 40, 0, (96, 104, 2)),
        (0, "ttzeroacc 0, 0, 0, 0, 8", 40, 0, (48, 48, 1)),
        (0, "ttzeroacc 1, 0, 0, 0, 2", 40, 0, (32, 47, 16)),
        (0, "ttzeroacc 1, 0, 0, 0, 2", 512, 0, (544, 559, 16)),
        (0, "ttzeroacc 1, 0, 0, 0, 2", 512, 1, (32, 47, 16)),
        (0, "ttzeroacc 1, 0, 0, 0, 34", 512, 1, (544, 559, 16)),
        // Measured on a p150.
        (0, "ttzeroacc 1, 0, 0, 0, 31", 480, 0, (496, 511, 16)),
        (0, "ttzeroacc 1, 0, 0, 0, 31", 488, 0, (1008, 1023, 16)),
        (0, "ttzeroacc 1, 0, 0, 0, 15", 496, 0, (240, 255, 16)),
        (0, "ttzeroacc 1, 0, 0, 0, 16", 496, 0, (768, 783, 16)),
        (1, "ttzeroacc 1, 1, 0, 0, 2", 40, 0, (64, 95, 32)),
        (1, "ttzeroacc 1, 1, 0, 0, 2", 256, 0, (576, 607, 32)),
        (1, "ttzeroacc 2, 1, 0, 0, 1", 40, 0, (512, 1023, 512)),
        (0, "ttzeroacc 3, 0, 0, 0, 0", 40, 0, (0, 1023, 1024)),
    ] {
        let mut bench = Bench::on(Arch::Blackhole).dst_width(wide);
        bench.set(cfg::DEST_ACCESS_CFG_zeroacc_absolute_tile_mode, absolute);
        bench.core.regs.rwcs[THREAD].dst.value = counter;
        bench.run(text);
        let dst = &bench.core.regs.dst;
        let marked: Vec<usize> = (0..1024).filter(|&row| dst.is_marked(row, false)).collect();
        let found = (marked[0], marked[marked.len() - 1], marked.len());
        assert_eq!(found, expected, "{text} at {counter}");
    }
}

/// Marks that are taken back leave the datums that were written before.
#[test]
fn zeroacc_takes_marks_back() {
    let mut bench = Bench::on(Arch::Blackhole).dst_width(1);
    let datums = |row: usize| [row as u32 + 0x3F80_0000; COLUMNS];
    for row in 0..64 {
        let dst = &mut bench.core.regs.dst;
        dst.write_row32(Row32::new(row), datums(row));
    }
    bench.run("ttzeroacc 3, 1, 0, 0, 0\n ttzeroacc 1, 1, 1, 0, 2\n ttzeroacc 1, 1, 1, 0, 15");
    let dst = &bench.core.regs.dst;
    for row in 0..64 {
        let is_taken_back = (32..48).contains(&row);
        let expected = if is_taken_back {
            datums(row)
        } else {
            [0; COLUMNS]
        };
        assert_eq!(dst.row32(Row32::new(row)).unwrap(), expected, "row {row}");
    }
    let never_written = dst.row32(Row32::new(15 * 16)).unwrap_err();
    let text = never_written.to_string();
    assert!(text.contains("which nothing has written"), "{text}");
}

#[test]
fn zeroacc_refuses() {
    for (wide, remap, counter, text, fault) in [
        (
            1,
            0,
            0,
            "ttzeroacc 1, 0, 1, 0, 0",
            "undefined behaviour: ZEROACC with clear_zero_flags, which takes marks back, of other \
             than sixteen 32-bit rows; use clear_mode 1 with use_32_bit_mode, or clear the field",
        ),
        (
            1,
            0,
            250,
            "ttzeroacc 1, 1, 0, 0, 8",
            "not modelled: ZEROACC of group 8 with a 32-bit Dst after row 250, which together \
             reach the other half of Dst; clear the group in another way",
        ),
        (
            0,
            0,
            512,
            "ttzeroacc 1, 0, 0, 0, 32",
            "undefined behaviour: ZEROACC of group 64 of sixteen rows of Dst, which has 64",
        ),
        (
            0,
            1,
            0,
            "ttzeroacc 0, 0, 0, 0, 0",
            "not modelled: ZEROACC of a 16-bit row while DEST_ACCESS_CFG_remap_addrs is set: the \
             sources disagree on which one is meant; clear a group",
        ),
    ] {
        let mut bench = Bench::on(Arch::Blackhole).dst_width(wide);
        bench.set(cfg::DEST_ACCESS_CFG_remap_addrs, remap);
        bench.core.regs.rwcs[THREAD].dst.value = counter;
        bench.refuses(text, fault);
    }
}

/// The layout is configured. It moves rows, which programs can observe only if they clear a group
/// or change the layout.
#[test]
fn rows_have_a_layout() {
    let mut bench = sources(Arch::Blackhole);
    bench.set(cfg::DEST_ACCESS_CFG_remap_addrs, 1);
    bench.set(cfg::DEST_ACCESS_CFG_swizzle_32b, 1);
    bench.run("ttzeroacc 3, 1, 0, 0, 0\n ttmvmul 0, 0, 0, 16\n ttelwadd 0, 0, 0, 0, 24");
    let layout = Layout {
        remap: true,
        swizzle: true,
    };
    assert_eq!(bench.core.regs.dst.layout(), layout);
    let product = |m: usize, n: usize| -> i32 { (0..16).map(|k| b(m, k) * a(k, n)).sum() };
    for m in 0..8 {
        assert_eq!(
            bench.dst32(16 + m),
            std::array::from_fn(|n| f32_of(product(m, n)))
        );
        assert_eq!(
            bench.dst32(24 + m),
            std::array::from_fn(|n| f32_of(a(m, n) + b(m, n)))
        );
    }
    let before = bench.dst32(16);
    bench.set(cfg::DEST_ACCESS_CFG_remap_addrs, 0);
    bench.set(cfg::DEST_ACCESS_CFG_swizzle_32b, 0);
    bench.run("ttmovd2b 0, 0, 0, 0, 2");
    assert_eq!(bench.dst32(2), [0; COLUMNS]);
    assert_eq!(bench.dst32(4), before, "row 16 lay where row 4 lies now");
}

/// One times one, minus the same in the second eight and two to the −23: −1 in the last place.
/// Wormhole makes 2⁴ of its exponent.
#[test]
fn minus_one() {
    for (arch, expected) in [
        (Arch::WormholeB0, 0xC180_0000),
        (Arch::Blackhole, 0xB400_0000),
    ] {
        let mut bench = Bench::on(arch);
        bench.give_src(Src::A, |row, _| [0x3F80, 0][usize::from(row != 0)]);
        bench.give_src(Src::B, |_, column| [0x3F80, 0][usize::from(column != 0)]);
        (0..8).for_each(|row| bench.put_dst32(row, [0xBF80_0001; COLUMNS]));
        bench.run("ttmvmul 0, 0, 0, 0");
        assert_eq!(bench.dst32(0), [expected; COLUMNS], "{arch}");
    }
}
