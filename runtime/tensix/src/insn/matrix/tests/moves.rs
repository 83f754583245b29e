//! Tests of moves.

use super::*;

on_both_chips! {
    moves_within_the_sources
    moves_from_dst
    moves_of_halves
    the_override_of_the_format_counts
    moves_to_a_32_bit_dst_are_exact
    moves_flush_denormals_unless_told_not_to
    columns_that_are_left_out_keep_what_they_held
    a_move_for_debuggers_reads_any_bank
    bits_beyond_the_format_of_src_b
}

fn moves_within_the_sources(arch: Arch) {
    let rows = |bench: &Bench, src: Src, first: usize, count: usize| {
        let bank = bench.core.banks.matrix_bank(src);
        let rows = bench.core.regs.src(src).rows(bank, first, count);
        rows.unwrap().to_vec()
    };
    let mut bench = sources(arch);
    let before = rows(&bench, Src::B, 0, 64);
    bench.run("ttmovb2a 8, 0, 2, 20\n ttmovb2a 63, 0, 0, 1");
    assert_eq!(rows(&bench, Src::A, 8, 4), before[20..24]);
    assert_eq!(rows(&bench, Src::A, 63, 1), before[1..2]);
    bench.run("tttrnspsrcb");
    let after = rows(&bench, Src::B, 0, 64);
    for (row, column) in [(0, 0), (3, 9), (15, 1)] {
        assert_eq!(after[16 + row][column], before[16 + column][row]);
    }
    assert_eq!((&after[..16], &after[32..]), (&before[..16], &before[32..]));
    bench.run("ttgatesrcrst 1, 1");
    assert_eq!(rows(&bench, Src::B, 0, 16), before[..16]);
}

#[test]
fn shiftxb_shifts_a_row() {
    // An address mode that only Blackhole can encode.
    for (arch, mode) in [(Arch::WormholeB0, 0), (Arch::Blackhole, 6)] {
        let mut bench = sources(arch);
        bench.set_thread(cfg::ADDR_MOD_AB_SrcBIncr.nth(mode), 1);
        let rows = |bench: &Bench| bench.core.regs.src(Src::B).rows(0, 40, 2).unwrap().to_vec();
        let before = rows(&bench);
        bench.run(&format!(
            "ttshiftxb {mode}, 0, 40\n ttshiftxb {mode}, 1, 40"
        ));
        let shifted = rows(&bench);
        assert_eq!(shifted[0][..15], before[0][1..], "{arch}");
        assert_eq!(shifted[0][15], before[0][0], "{arch}");
        assert_eq!(shifted[1][14..], [before[1][15], 0], "{arch}");
    }
}

fn moves_from_dst(arch: Arch) {
    let value = 0x4049_0FDB;
    for (format, datum) in [
        (5, bits::src_from_bf16(0x4049)),
        (4, bits::src_from_tf32(value >> 13)),
    ] {
        let mut bench = sources(arch);
        bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, format);
        (0..4).for_each(|r| bench.put_dst32(4 + r, [value; 16]));
        bench.run("ttmovd2a 0, 8, 0, 2, 4\n ttmovd2b 0, 3, 0, 0, 5");
        assert_eq!(
            bench.core.regs.src(Src::A).rows(0, 8, 4).unwrap(),
            [[datum; 16]; 4]
        );
        assert_eq!(bench.core.regs.src(Src::B).row(0, 3).unwrap(), &[datum; 16]);
        assert_ne!(bench.core.regs.src(Src::B).row(0, 4).unwrap(), &[datum; 16]);
    }
    let mut bench = sources(arch).dst_width(0);
    (0..4).for_each(|r| bench.put_dst16(r, [0x4049; 16]));
    bench.run("ttmovd2b 0, 0, 0, 2, 0");
    assert_eq!(
        bench.core.regs.src(Src::B).row(0, 3).unwrap(),
        &[bits::src_from_bf16(0x4049); 16]
    );
}

/// MOVDBGA2D does what MOVA2D does, also if the unpackers own the bank.
fn a_move_for_debuggers_reads_any_bank(arch: Arch) {
    let moved = |text: &str| {
        let mut bench = sources(arch).dst_width(0);
        bench.run(text);
        [8, 15].map(|row| bench.dst16(row))
    };
    let expect = moved("ttmova2d 0, 16, 0, 2, 8");
    for text in ["", "ttcleardvalid 1, 2\n "] {
        assert_eq!(moved(&format!("{text}ttmovdbga2d 0, 16, 0, 2, 8")), expect);
    }
}

/// `LaneConfig.BLOCK_DEST_MOV`: its first bit disables even columns, the second one odd columns.
fn columns_that_are_left_out_keep_what_they_held(arch: Arch) {
    // Rows 8 of all three are written from rows 16.
    let moves = [
        ("ttmovb2a 8, 0, 0, 16", 0),
        ("ttmova2d 0, 16, 0, 0, 8", 1),
        ("ttmovb2d 0, 16, 0, 0, 8", 1),
        ("ttmovd2a 0, 8, 0, 0, 16", 0),
        ("ttmovd2b 0, 8, 0, 0, 16", 2),
    ];
    let row8 = |bench: &Bench, of: usize, wide: bool| -> [u32; COLUMNS] {
        let src = |src| *bench.core.regs.src(src).row(0, 8).unwrap();
        match of {
            0 => src(Src::A),
            1 if wide => bench.dst32(8),
            1 => bench.dst16(8).map(u32::from),
            _ => src(Src::B),
        }
    };
    for (text, of) in moves {
        for (config, left_out) in [(0x200, 0x5555), (0x400, 0xAAAA), (0x600, 0xFFFF)] {
            for (wide, format) in [(false, 5), (true, 4)] {
                let mut bench = sources(arch).dst_width(wide.into());
                bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, format);
                for (row, value) in [(8, 0x4049), (16, 0x3F81)] {
                    match wide {
                        true => bench.put_dst32(row, [value << 16; COLUMNS]),
                        false => bench.put_dst16(row, [value as u16; COLUMNS]),
                    }
                }
                let before = row8(&bench, of, wide);
                let mut all = sources(arch).dst_width(wide.into());
                all.core = bench.core.clone();
                all.run(text);
                let moved = row8(&all, of, wide);
                assert_ne!(moved, before, "{text}");
                bench.run(&format!("sfpconfig {config}, 15, 1\n{text}"));
                let expect: [u32; COLUMNS] = std::array::from_fn(|c| match left_out >> c & 1 {
                    0 => moved[c],
                    _ => before[c],
                });
                assert_eq!(row8(&bench, of, wide), expect, "{text} {config:#x} {wide}");
                assert!(bench.core.access.unsettled_columns, "{text}");
            }
        }
    }
    let mut bench = sources(arch);
    bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, 4);
    bench.run("sfpconfig 0x200, 15, 1");
    bench.refuses(
        "ttmova2d 0, 0, 0, 0, 3",
        "not modelled: a move to some columns of Dst row 3, which does not hold 32-bit datums \
         (LaneConfig.BLOCK_DEST_MOV leaves columns 0x5555 out); write the whole row first",
    );
    // Nothing is written.
    bench.run("sfpconfig 0x600, 15, 1\n ttmova2d 0, 0, 0, 0, 3");
    assert!(!bench.core.regs.dst.holds_row(3, true));
}

/// High halves, low halves, and back; integers as what they are overlaid onto.
fn moves_of_halves(arch: Arch) {
    let value = 0x4049_8FDB_u32;
    for (format, datum) in [
        (5, bits::src_from_dst_bf16(0x8FDB)),
        (8, bits::src_from_dst_bf16(0x8FDB)),
        (14, bits::src_from_dst_fp16(0x8FDB)),
        (4, 0x0FDB),
    ] {
        let mut bench = sources(arch);
        bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, format);
        (0..4).for_each(|row| bench.put_dst32(4 + row, [value; 16]));
        bench.run("ttmovd2b 1, 8, 0, 2, 4\n ttmovd2a 1, 3, 0, 0, 5");
        assert_eq!(
            bench.core.regs.src(Src::B).rows(0, 8, 4).unwrap(),
            [[datum; 16]; 4]
        );
        assert_eq!(bench.core.regs.src(Src::A).row(0, 3).unwrap(), &[datum; 16]);
        if format == 4 {
            continue;
        }
        bench.set(cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
        (0..8).for_each(|row| bench.put_dst32(16 + row, [0x1234_5678; 16]));
        bench.run("ttmovb2d 1, 8, 0, 4, 20\n ttmova2d 1, 3, 0, 0, 16");
        for row in [16, 20, 21, 22, 23] {
            assert_eq!(
                bench.dst32(row),
                [0x1234_8FDB; 16],
                "format {format}, row {row}"
            );
        }
        assert_eq!(bench.dst32(17), [0x1234_5678; 16]);
    }
}

#[test]
fn shiftxa_shifts_the_rows_of_the_instruction_before() {
    for (before, from) in [
        ("ttmvmul 0, 0, 0, 0", 16),
        ("ttelwadd 0, 0, 0, 0, 0", 16),
        ("ttgmpool 0, 1, 0, 0, 0", 16),
        ("ttmovd2a 0, 36, 0, 2, 0", 48),
        ("ttmovb2a 20, 0, 2, 0", 32),
    ] {
        for mode in [2, 3] {
            let mut bench = sources(Arch::WormholeB0);
            bench.core.regs.rwcs[THREAD].src_a.value = 16;
            bench.run(&format!("ttzeroacc 3, 0, 0\n {before}"));
            let source = bench.core.regs.src(Src::A);
            let rows = source.rows(0, from, 16).unwrap().to_vec();
            bench.run(&format!("ttshiftxa 0, {mode}"));
            for (row, before) in rows.iter().enumerate() {
                let shifted = bench.core.regs.src(Src::A).row(0, row).unwrap();
                let expected: [u32; 16] = std::array::from_fn(|n| match (mode, n) {
                    (2, 0) | (3, 15) => 0,
                    (2, n) => before[n - 1],
                    (_, n) => before[n + 1],
                });
                assert_eq!(shifted, &expected, "{before:?}, mode {mode}, row {row}");
            }
        }
    }
}

fn the_override_of_the_format_counts(arch: Arch) {
    let mut bench = sources(arch);
    bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, 1);
    bench.set(cfg::ALU_FORMAT_SPEC_REG_SrcA_override, 1);
    bench.set(cfg::ALU_FORMAT_SPEC_REG_SrcA_val, 4);
    bench.run("ttmova2d 0, 8, 0, 2, 0\n ttelwadd 0, 0, 0, 0, 8");
    assert_eq!(bench.dst32(0), std::array::from_fn(|n| f32_of(a(8, n))));
    assert_eq!(
        bench.dst32(8),
        std::array::from_fn(|n| f32_of(a(0, n) + b(0, n)))
    );
}

fn moves_to_a_32_bit_dst_are_exact(arch: Arch) {
    let mut bench = sources(arch);
    bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, 4);
    bench.run("ttmova2d 0, 16, 0, 2, 8");
    bench.run("ttmova2d 0, 33, 0, 0, 19");
    bench.run("ttmovb2d 0, 12, 0, 4, 32");
    bench.run("ttmovb2d 0, 9, 0, 2, 40");
    bench.run("ttmovb2d 0, 7, 0, 3, 48");
    bench.run("ttmovb2d 0, 5, 0, 0, 57");
    let row = |f: fn(usize, usize) -> i32, r: usize| -> [u32; 16] {
        std::array::from_fn(|c| f32_of(f(r, c)))
    };
    for r in 0..8 {
        assert_eq!(bench.dst32(8 + r), row(a, 16 + r));
        assert_eq!(bench.dst32(40 + r), row(b, 9));
        assert_eq!(bench.dst32(48 + r), [f32_of(b(7, 0)); 16]);
    }
    assert_eq!(bench.dst32(19), row(a, 33));
    assert_eq!(bench.dst32(35), row(b, 15));
    assert_eq!(bench.dst32(57), row(b, 5));
}

fn moves_flush_denormals_unless_told_not_to(arch: Arch) {
    for (disabled, expected) in [(0, 0), (1, 0x8001)] {
        let mut bench = Bench::on(arch).dst_width(0);
        bench.set(cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src, disabled);
        bench.give_src(Src::A, |_, _| 0x8001);
        bench.run("ttmova2d 0, 0, 0, 2, 0");
        assert_eq!(bench.dst16(7), [expected; 16]);
    }
}

/// Bits of SrcB beyond its format trap where the target has them: the mantissa bits that only TF32
/// and FP16 have, and the exponent bits that FP16 does not have.
fn bits_beyond_the_format_of_src_b(arch: Arch) {
    let [tf32, fp16, bf16] = [4, 1, 5];
    for (a, b, datum, traps) in [
        (tf32, bf16, 0x0_0180, true),
        (tf32, bf16, 0x0_0880, false),
        (tf32, fp16, 0x0_0080, true),
        (tf32, tf32, 0x7_FFFF, false),
        (fp16, bf16, 0x0_0111, true),
        (fp16, bf16, 0x0_0881, false),
        (fp16, fp16, 0x0_01FF, false),
        (bf16, fp16, 0x0_0080, true),
        (bf16, fp16, 0x0_0711, false),
        (bf16, bf16, 0x7_FFFF, false),
    ] {
        let mut bench = sources(arch).dst_width((a == tf32).into());
        bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, a);
        bench.set(cfg::ALU_FORMAT_SPEC_REG1_SrcB, b);
        bench.core.regs.src_mut(Src::B).fill(0, datum);
        match traps {
            false => bench.run("ttmovb2d 0, 0, 0, 4, 0"),
            true => bench.refuses(
                "ttmovb2d 0, 0, 0, 4, 0",
                &format!(
                    "not modelled: moving a row of SrcB with datums that have more bits than its \
                     format {}, which the sources cut off or keep; set the format of what was \
                     unpacked",
                    if b == fp16 { "FP16" } else { "BF16" },
                ),
            ),
        }
    }
}
