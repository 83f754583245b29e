//! One instruction at a time.

use tessera_isa_tensix::cfg;

use crate::banks::{Client, Src};
use crate::numerics::bits;
use crate::regs::COLUMNS;
use crate::testing::{bf16_of, f32_of, Bench, THREAD};

/// A bench whose sources hold small integers that differ in every row and column.
fn sources() -> Bench {
    let mut bench = Bench::new();
    bench.give_src(Src::A, |row, column| bf16_of(a(row, column)));
    bench.give_src(Src::B, |row, column| bf16_of(b(row, column)));
    bench
}

fn a(row: usize, column: usize) -> i32 {
    (row as i32 * 5 + column as i32 * 3) % 13 - 6
}

fn b(row: usize, column: usize) -> i32 {
    (row as i32 * 7 + column as i32 * 2) % 11 - 5
}

#[test]
fn mvmul_multiplies_the_selected_rows() {
    for (src_a, src_b, offset, rwc_dst, dst, target) in [
        (0, 0, 0, 0, 0, 0),
        (16, 8, 0, 0, 8, 8),
        (48, 56, 256, 32, 16, 304),
        (32, 24, 512, 8, 0, 520),
    ] {
        let mut bench = sources();
        bench.set_thread(cfg::DEST_TARGET_REG_CFG_MATH_Offset, offset);
        let rwc = &mut bench.core.regs.rwcs[THREAD];
        (rwc.src_a.value, rwc.src_b.value, rwc.dst.value) = (src_a, src_b, rwc_dst);
        bench.run("ttzeroacc 3, 0, 0");
        bench.run(&format!("ttmvmul 0, 0, 0, {dst}"));
        let product = |m: usize, n: usize| -> i32 {
            (0..16)
                .map(|k| b(src_b as usize + m, k) * a(src_a as usize + k, n))
                .sum()
        };
        for m in 0..8 {
            assert_eq!(
                bench.dst32(target + m),
                std::array::from_fn(|n| f32_of(product(m, n))),
                "row {m}"
            );
        }
        bench.run(&format!("ttmvmul 0, 0, 0, {dst}"));
        assert_eq!(
            bench.dst32(target + 7)[15],
            f32_of(2 * product(7, 15)),
            "accumulates"
        );
    }
}

#[test]
fn gapool_multiplies_four_rows() {
    let mut bench = sources();
    let rwc = &mut bench.core.regs.rwcs[THREAD];
    (rwc.src_a.value, rwc.src_b.value) = (16, 8);
    bench.run("ttzeroacc 3, 0, 0\n ttgapool 0, 1, 0, 0, 4\n ttgapool 0, 0, 0, 0, 4");
    for row in 0..4 {
        let product = |n: usize| -> i32 { (0..16).map(|k| b(8 + row, k) * a(16 + k, n)).sum() };
        let expected = std::array::from_fn(|n| f32_of(2 * product(n)));
        assert_eq!(bench.dst32(4 + row), expected, "row {row}");
    }
    assert_eq!(bench.dst32(8), [0; COLUMNS], "no more than four rows");
}

/// The greatest of each column, scaled by the exponents of SrcB's first row; then of that and Dst.
#[test]
fn gmpool_takes_maxima() {
    for (scale, rows) in [(0x3F80, 0..16), (0x40C0, 0..16), (0, 0..0)] {
        let mut bench = sources();
        let half = |column: usize| if column < 8 { 0x3F80 } else { scale };
        bench
            .core
            .banks
            .hand_to_unpacker(Src::B, true, true)
            .unwrap();
        bench.give_src(Src::B, |_, column| half(column));
        bench.run("ttzeroacc 3, 0, 0\n ttgmpool 0, 1, 0, 0, 8");
        let greatest = |n: usize| -> i32 {
            let scaled = |k: usize| a(k, n) * if k >= 8 && scale == 0x40C0 { 4 } else { 1 };
            let end = if rows.is_empty() { 8 } else { 16 };
            (0..end).map(scaled).max().unwrap()
        };
        assert_eq!(bench.dst32(8), std::array::from_fn(|n| f32_of(greatest(n))));
        assert_eq!(bench.dst32(9), [0; COLUMNS]);
        // What Dst holds is compared, too.
        bench.put_dst32(8, [f32_of(3); COLUMNS]);
        bench.run("ttgmpool 0, 1, 0, 0, 8");
        let both = |n: usize| f32_of(greatest(n).max(3));
        assert_eq!(
            bench.dst32(8),
            std::array::from_fn(both),
            "scale {scale:#x}"
        );
    }
}

#[test]
fn moves_within_the_sources() {
    let rows = |bench: &Bench, src: Src, first: usize, count: usize| {
        let bank = bench.core.banks.matrix_bank(src);
        let rows = bench.core.regs.src(src).rows(bank, first, count);
        rows.unwrap().to_vec()
    };
    let mut bench = sources();
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
    bench.run("ttshiftxb 0, 0, 40\n ttshiftxb 0, 1, 41");
    let shifted = rows(&bench, Src::B, 40, 2);
    assert_eq!(shifted[0][..15], before[40][1..]);
    assert_eq!(shifted[0][15], before[40][0]);
    assert_eq!(shifted[1][14..], [before[41][15], 0]);
    bench.run("ttgatesrcrst 1, 1");
    assert_eq!(rows(&bench, Src::B, 0, 16), before[..16]);
}

#[test]
fn mvmul_takes_one_phase_at_a_time() {
    // 1 + 2^-7 in both: a phase of the product sees 1 or 2^-7 of SrcA (bit 0), 1 or 2^-7 of SrcB (bit 1).
    let mut bench = Bench::new();
    bench.give_src(Src::A, |row, _| if row == 0 { 0x3F81 } else { 0 });
    bench.give_src(Src::B, |_, column| if column == 0 { 0x3F81 } else { 0 });
    bench.set_thread(cfg::ADDR_MOD_DST_FidelityIncr.at(2), 1);
    let mut sum = 0;
    for (phase, share) in [1 << 14, 1 << 7, 1 << 7, 1].into_iter().enumerate() {
        if phase == 0 {
            bench.run("ttzeroacc 3, 0, 0");
        }
        assert_eq!(bench.core.regs.rwcs[THREAD].fidelity, phase as u32);
        bench.run("ttmvmul 0, 0, 2, 0");
        sum += share;
        assert_eq!(bench.dst32(0)[0], f32_of(sum) - (14 << 23), "phase {phase}");
    }
    bench.set_thread(cfg::FIDELITY_BASE_Phase, 3);
    bench.run("ttzeroacc 3, 0, 0\n ttmvmul 0, 0, 0, 0");
    assert_eq!(
        bench.dst32(0)[0],
        f32_of(1) - (14 << 23),
        "base phase is added"
    );
}

#[test]
fn sixteen_bit_accumulators() {
    let mut bench = sources().dst_width(0);
    bench.run("ttzeroacc 3, 0, 0\n ttmvmul 0, 0, 0, 1016");
    let product: i32 = (0..16).map(|k| b(3, k) * a(k, 4)).sum();
    assert_eq!(bench.dst16(1016 + 3)[4], bf16_of(product));

    let mut bench = Bench::new().dst_width(0);
    for field in [
        cfg::ALU_FORMAT_SPEC_REG0_SrcA,
        cfg::ALU_FORMAT_SPEC_REG1_SrcB,
    ] {
        bench.set(field, 1);
    }
    for src in [Src::A, Src::B] {
        bench
            .core
            .regs
            .src_mut(src)
            .fill(0, bits::src_from_fp16(0x3C01));
        bench.core.banks.hand_to_matrix(src, THREAD, 0).unwrap();
    }
    bench.run("ttelwadd 0, 0, 0, 0, 0");
    assert_eq!(
        bits::fp16_from_dst(bench.core.regs.dst.row16(0).unwrap()[0]),
        0x4001
    );
}

#[test]
fn elementwise_operations_and_broadcasts() {
    type Operation = fn(i32, i32, i32) -> i32;
    let rows: &[(&str, Operation, bool, bool)] = &[
        ("ttelwadd 0, 0, 0, 0, 8", |_, x, y| x + y, false, false),
        ("ttelwsub 0, 0, 0, 0, 8", |_, x, y| x - y, false, false),
        (
            "ttelwadd 0, 1, 0, 0, 8",
            |old, x, y| old + x + y,
            false,
            false,
        ),
        (
            "ttelwsub 0, 1, 0, 0, 8",
            |old, x, y| old + x - y,
            false,
            false,
        ),
        (
            "ttelwmul 0, 0, 0, 0, 8",
            |old, x, y| old + x * y,
            false,
            false,
        ),
        ("ttelwadd 0, 0, 2, 0, 8", |_, x, y| x + y, true, false),
        ("ttelwsub 0, 0, 1, 0, 8", |_, x, y| x - y, false, true),
        (
            "ttelwmul 0, 0, 3, 0, 8",
            |old, x, y| old + x * y,
            true,
            true,
        ),
    ];
    for &(text, operation, broadcast_row, broadcast_column) in rows {
        let mut bench = sources();
        // A broadcast row may be any row.
        let b_row = if broadcast_row { 21 } else { 16 };
        (
            bench.core.regs.rwcs[THREAD].src_a.value,
            bench.core.regs.rwcs[THREAD].src_b.value,
        ) = (40, b_row as u32);
        (0..8).for_each(|m| bench.put_dst32(8 + m, [f32_of(100); COLUMNS]));
        bench.run(text);
        for m in 0..8 {
            let expected = std::array::from_fn(|n| {
                let y = b(
                    b_row + if broadcast_row { 0 } else { m },
                    if broadcast_column { 0 } else { n },
                );
                f32_of(operation(100, a(40 + m, n), y))
            });
            assert_eq!(bench.dst32(8 + m), expected, "{text} row {m}");
        }
    }
}

#[test]
fn elwadd_does_not_read_an_unknown_dst() {
    let mut bench = sources();
    bench.run("ttelwadd 0, 0, 0, 0, 0");
    bench.refuses(
        "ttelwadd 0, 1, 0, 0, 64",
        "undefined behaviour: reads Dst row 128 (of 1024), which nothing has written; ZEROACC the rows that are accumulated onto, \
         write those that are packed",
    );
}

#[test]
fn arithmetic_flips_banks_and_advances_counters() {
    for text in [
        "ttmvmul 3, 0, 1, 0",
        "ttelwadd 3, 0, 0, 1, 0",
        "ttelwmul 3, 0, 0, 1, 0",
        "ttsetrwc 3, 0, 0, 0, 0, 0",
        "ttcleardvalid 3, 0",
    ] {
        let mut bench = sources();
        bench.run("ttzeroacc 3, 0, 0");
        bench.set_thread(cfg::ADDR_MOD_AB_SrcAIncr.at(1), 16);
        bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.at(1), 8);
        bench.run(text);
        for src in [Src::A, Src::B] {
            assert_eq!(bench.core.banks.owner(src, 0), Client::Unpackers, "{text}");
            assert_eq!(bench.core.banks.matrix_bank(src), 1, "{text}");
        }
        if !text.contains("rwc") && !text.contains("clear") {
            let rwc = bench.core.regs.rwcs[THREAD];
            assert_eq!((rwc.src_a.value, rwc.dst.value), (16, 8), "{text}");
        }
    }
    let mut bench = sources();
    bench.set_thread(cfg::CLR_DVALID_SrcB_Disable, 1);
    bench.run("ttsetrwc 2, 0, 0, 0, 0, 0");
    assert_eq!(bench.core.banks.owner(Src::B, 0), Client::MatrixUnit);
    assert_eq!(bench.core.banks.matrix_bank(Src::B), 1);
    let mut bench = sources();
    bench.run("ttcleardvalid 1, 2");
    assert_eq!(
        (
            bench.core.banks.owner(Src::A, 0),
            bench.core.banks.matrix_bank(Src::A)
        ),
        (Client::Unpackers, 0)
    );
}

#[test]
fn moves_to_a_32_bit_dst_are_exact() {
    let mut bench = sources();
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

#[test]
fn moves_flush_denormals_unless_told_not_to() {
    for (disabled, expected) in [(0, 0), (1, 0x8001)] {
        let mut bench = Bench::new().dst_width(0);
        bench.set(cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src, disabled);
        bench.give_src(Src::A, |_, _| 0x8001);
        bench.run("ttmova2d 0, 0, 0, 2, 0");
        assert_eq!(bench.dst16(7), [expected; 16]);
    }
}

#[test]
fn moves_from_dst() {
    let value = 0x4049_0FDB;
    for (format, datum) in [
        (5, bits::src_from_bf16(0x4049)),
        (4, bits::src_from_tf32(value >> 13)),
    ] {
        let mut bench = sources();
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
    let mut bench = sources().dst_width(0);
    (0..4).for_each(|r| bench.put_dst16(r, [0x4049; 16]));
    bench.run("ttmovd2b 0, 0, 0, 2, 0");
    assert_eq!(
        bench.core.regs.src(Src::B).row(0, 3).unwrap(),
        &[bits::src_from_bf16(0x4049); 16]
    );
}

#[test]
fn zeroacc_marks_rows() {
    // Mode and immediate, with row counter 40; 16-bit rows that must be marked: first, last, number.
    for (wide, text, first, last, count) in [
        (1, "ttzeroacc 0, 0, 8", 96, 104, 2),
        (0, "ttzeroacc 0, 0, 8", 48, 48, 1),
        (0, "ttzeroacc 1, 0, 2", 32, 47, 16),
        (1, "ttzeroacc 5, 0, 2", 64, 95, 32),
        (1, "ttzeroacc 2, 0, 0", 0, 511, 512),
        (1, "ttzeroacc 6, 0, 1", 512, 1023, 512),
        (0, "ttzeroacc 3, 0, 0", 0, 1023, 1024),
        (0, "ttzeroacc 7, 0, 0", 0, 1023, 1024),
    ] {
        let mut bench = Bench::new().dst_width(wide);
        bench.core.regs.rwcs[THREAD].dst.value = 40;
        bench.run(text);
        let marked: Vec<usize> = (0..1024)
            .filter(|&row| bench.core.regs.dst.row16(row).is_ok())
            .collect();
        assert_eq!(
            (marked[0], marked[marked.len() - 1], marked.len()),
            (first, last, count),
            "{text}"
        );
    }
    // Groups beyond the end do nothing but advance the counters.
    let mut bench = Bench::new();
    bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.at(3), 8);
    bench.run("ttzeroacc 1, 3, 255\n ttzeroacc 2, 3, 0");
    assert!(bench.core.regs.dst.row16(1023).is_err());
    assert_eq!(bench.core.regs.rwcs[THREAD].dst.value, 8);
}

#[test]
fn zerosrc_clears_the_matrix_units_bank() {
    let mut bench = sources();
    bench.run("ttzerosrc 1, 1, 0, 3");
    assert_eq!(
        bench.core.regs.src(Src::A).rows(0, 0, 64).unwrap(),
        [[0x7_FFFF; 16]; 64]
    );
    assert_eq!(
        bench.core.regs.src(Src::B).rows(0, 0, 64).unwrap(),
        [[0; 16]; 64]
    );
    assert!(bench.core.regs.src(Src::A).row(1, 0).is_err());
}

#[test]
fn incrwc_is_the_threads_own() {
    let mut bench = Bench::new();
    bench.run("ttincrwc 0, 8, 4, 2");
    let rwc = bench.core.regs.rwcs[THREAD];
    assert_eq!((rwc.dst.value, rwc.src_b.value, rwc.src_a.value), (8, 4, 2));
    assert_eq!(bench.core.regs.rwcs[0].dst.value, 0);
}

#[test]
fn accesses_are_noted() {
    let mut bench = sources();
    bench.run("ttzeroacc 3, 0, 0\n ttmvmul 0, 0, 0, 8");
    let mut rows = crate::access::RowSet::default();
    rows.extend(16..32);
    assert_eq!(
        (bench.core.access.dst_read, bench.core.access.dst_write),
        (rows, rows)
    );
    bench.run("ttelwadd 0, 0, 0, 0, 8");
    assert_eq!(
        (bench.core.access.dst_read, bench.core.access.dst_write),
        (Default::default(), rows)
    );
}

/// A change of the set-up, an instruction, the refusal.
type Refusal = (fn(&mut Bench), &'static str, &'static str);

#[test]
fn refusals() {
    use cfg::*;
    let rows: &[Refusal] = &[
        (|_| (), "ttshiftxa 0, 0", "not modelled: SHIFTXA"),
        (
            |_| (),
            "ttgmpool 0, 1, 0, 1, 0",
            "not modelled: GMPOOL with indices of the maxima (max_pool_index_en = 1)",
        ),
        (
            |_| (),
            "ttgmpool 0, 0, 0, 0, 0",
            "undefined behaviour: GMPOOL with instr_mod19 = 0; the documentation has 1",
        ),
        (
            |_| (),
            "ttgapool 0, 1, 0, 1, 0",
            "undefined behaviour: GAPOOL with indices (max_pool_index_en = 1); sums have none",
        ),
        (
            |b| b.core.banks.hand_to_unpacker(Src::A, true, true).unwrap(),
            "ttmovb2a 0, 0, 0, 0",
            "hazard: writes a bank of SrcA that the unpacker has; STALLWAIT for the bank before the move",
        ),
        (
            |_| (),
            "ttmvmul 0, 1, 0, 0",
            "not modelled: MVMUL with a broadcast SrcB row (instr_mod19 = 1); unpack the row eight times",
        ),
        (
            |b| b.set(ALU_ACC_CTRL_INT8_math_enabled, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: integer arithmetic (ALU_ACC_CTRL_INT8_math_enabled, word 1, is 1 and must be 0)",
        ),
        (
            |b| b.set_thread(FP16A_FORCE_Enable, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: FP16A_FORCE_Enable; clear it",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG_SrcA_override, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: the SrcA format override (ALU_FORMAT_SPEC_REG_SrcA_override, word 0, is 1 and must be 0)",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG_SrcB_override, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: the SrcB format override (ALU_FORMAT_SPEC_REG_SrcB_override, word 0, is 1 and must be 0)",
        ),
        (
            |b| b.set(ALU_ROUNDING_MODE_Fpu_srnd_en, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: stochastic rounding in the matrix unit (ALU_ROUNDING_MODE_Fpu_srnd_en, word 1, is 1 and must be 0)",
        ),
        (
            |b| b.set(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: arithmetic on denormal sources (ALU_ACC_CTRL_Zero_Flag_disabled_src, word 2, is 1 and must be 0)",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG0_SrcA, 9),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: source format INT16 in the matrix unit; use BF16, TF32, FP16 or a format unpacked to one of them",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG1_SrcB, 4),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: arithmetic with SrcA in BF16 and SrcB in TF32; give both the same format",
        ),
        (
            |b| b.set(PCK_DEST_RD_CTRL_Read_32b_data, 0),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: the units disagree on the width of Dst: ALU_ACC_CTRL_Fp32_enabled = 1, \
             ALU_ACC_CTRL_SFPU_Fp32_enabled = 1, PCK_DEST_RD_CTRL_Read_32b_data = 0; set all three or none",
        ),
        (
            |b| b.core.regs.rwcs[THREAD].src_a.value = 8,
            "ttmvmul 0, 0, 0, 0",
            "not modelled: SrcA row 8 where a multiple of 16 is wanted; check the row counters",
        ),
        (
            |b| b.core.regs.rwcs[THREAD].src_b.value = 4,
            "ttelwmul 0, 0, 0, 0, 0",
            "not modelled: SrcB row 4 where a multiple of 8 is wanted; check the row counters",
        ),
        (|_| (), "ttmvmul 0, 0, 0, 4", "not modelled: Dst row 4 where a multiple of 8 is wanted; check the row counters"),
        (
            |b| [ALU_FORMAT_SPEC_REG0_SrcA, ALU_FORMAT_SPEC_REG1_SrcB].into_iter().for_each(|f| b.set(f, 1)),
            "ttmvmul 0, 0, 0, 0",
            "not modelled: SrcB rows from 0 read as FP16 hold datums with more than 5 exponent bits; unpack FP16 data",
        ),
        (
            |_| (),
            "ttelwmul 0, 1, 0, 0, 0",
            "undefined behaviour: ELWMUL with dest_accum_en; it always accumulates, leave the bit clear",
        ),
        (
            |b| b.core.regs.rwcs[THREAD].fidelity = 2,
            "ttelwsub 0, 0, 0, 0, 0",
            "not modelled: ELWADD or ELWSUB in fidelity phase 2, which divides the result; clear the phase first",
        ),
        (
            |_| (),
            "ttmova2d 1, 0, 0, 2, 0",
            "not modelled: moves of the low halves of 32-bit Dst rows (dest_32b_lo = 1)",
        ),
        (
            |_| (),
            "ttmova2d 0, 0, 0, 2, 0",
            "undefined behaviour: a move to 16-bit rows of a 32-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to TF32, which moves \
             BF16 exactly",
        ),
        (
            |b| b.set(ALU_FORMAT_SPEC_REG0_SrcA, 1),
            "ttmovd2a 0, 0, 0, 2, 0",
            "not modelled: a move of FP16 from a 32-bit Dst",
        ),
        (|_| (), "ttmovd2a 0, 0, 0, 3, 0", "undefined behaviour: instr_mod = 3; 0 moves one row, 2 moves 4"),
        (
            |b| b.core.banks.hand_to_unpacker(Src::B, true, true).unwrap(),
            "ttmovd2b 0, 0, 0, 2, 0",
            "hazard: writes a bank of SrcB that the unpacker has; STALLWAIT for the bank before the move",
        ),
        (
            |_| (),
            "ttzerosrc 0, 0, 0, 3",
            "not modelled: ZEROSRC of both banks or of the unpackers' bank; clear the matrix unit's bank (write_mode = 1)",
        ),
        (
            |_| (),
            "ttcleardvalid 3, 1",
            "not modelled: CLEARDVALID with reset, which loses data in flight; hand the banks back one by one",
        ),
    ];
    for (change, text, fault) in rows {
        let mut bench = sources();
        change(&mut bench);
        bench.refuses(text, fault);
    }
    for (format, text, fault) in [
        (4, "ttmova2d 0, 0, 0, 2, 0", "undefined behaviour: a move of TF32 to a 16-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to BF16"),
        (4, "ttmovd2a 0, 0, 0, 2, 0", "undefined behaviour: a move of TF32 from a 16-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to BF16"),
    ] {
        let mut bench = sources().dst_width(0);
        bench.set(ALU_FORMAT_SPEC_REG0_SrcA, format);
        bench.refuses(text, fault);
    }
}
