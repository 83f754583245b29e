//! Tests of single instructions: behaviour common to both chips; [`chips`] has the differences.

use tessera_isa_tensix::{cfg, Arch};

/// Instantiates test functions for both chips.
macro_rules! on_both_chips {
    ($($name:ident)*) => {
        mod both_chips {
            $(
                #[test]
                fn $name() {
                    tessera_isa_tensix::Arch::ALL.into_iter().for_each(super::$name);
                }
            )*
        }
    };
}

mod chips;

mod integers;
mod models;
mod moves;
mod refusals;

use crate::arith::spec::bits;
use crate::arith::COLUMNS;
use crate::state::banks::{Client, Src};
use crate::testing::{bf16_of, f32_of, Bench, THREAD};

/// Returns a bench whose sources hold small integers that differ in every row and column.
fn sources(arch: Arch) -> Bench {
    let mut bench = Bench::on(arch);
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

on_both_chips! {
    mvmul_multiplies_the_selected_rows
    mvmul_broadcasts_a_row
    gapool_multiplies_four_rows
    gmpool_takes_maxima
    mvmul_takes_one_phase_at_a_time
    sixteen_bit_accumulators
    elementwise_operations_and_broadcasts
    elwadd_does_not_read_an_unknown_dst
    arithmetic_flips_banks_and_advances_counters
    zerosrc_clears_other_banks
    cleardvalid_resets_the_banks
    zerosrc_clears_the_matrix_units_bank
    incrwc_is_the_threads_own
    accesses_are_noted
}

fn mvmul_multiplies_the_selected_rows(arch: Arch) {
    for (src_a, src_b, offset, rwc_dst, dst, target) in [
        (0, 0, 0, 0, 0, 0),
        (16, 8, 0, 0, 8, 8),
        (48, 56, 256, 32, 16, 304),
        (32, 24, 512, 8, 0, 520),
    ] {
        let mut bench = sources(arch);
        bench.set_thread(cfg::DEST_TARGET_REG_CFG_MATH_Offset, offset);
        let rwc = &mut bench.core.regs.rwcs[THREAD];
        (rwc.src_a.value, rwc.src_b.value, rwc.dst.value) = (src_a, src_b, rwc_dst);
        bench.zero_dst();
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

fn mvmul_broadcasts_a_row(arch: Arch) {
    let mut bench = sources(arch);
    let rwc = &mut bench.core.regs.rwcs[THREAD];
    (rwc.src_a.value, rwc.src_b.value) = (16, 5);
    bench.zero_dst();
    (0..8).for_each(|row| bench.put_dst32(9 + row, [f32_of(7); COLUMNS]));
    bench.run("ttmvmul 0, 1, 0, 9");
    for row in 0..8 {
        let product = |n: usize| -> i32 { (0..16).map(|k| b(5, k) * a(16 + k, n)).sum() };
        let sum = |n| 7 + if row % 2 == 0 { product(n) } else { 0 };
        assert_eq!(
            bench.dst32(9 + row),
            std::array::from_fn(|n| f32_of(sum(n))),
            "row {row}"
        );
    }
}

fn gapool_multiplies_four_rows(arch: Arch) {
    let mut bench = sources(arch);
    let rwc = &mut bench.core.regs.rwcs[THREAD];
    (rwc.src_a.value, rwc.src_b.value) = (16, 8);
    bench.zero_dst();
    bench.run("ttgapool 0, 1, 0, 0, 4\n ttgapool 0, 0, 0, 0, 4");
    for row in 0..4 {
        let product = |n: usize| -> i32 { (0..16).map(|k| b(8 + row, k) * a(16 + k, n)).sum() };
        let expected = std::array::from_fn(|n| f32_of(2 * product(n)));
        assert_eq!(bench.dst32(4 + row), expected, "row {row}");
    }
    assert_eq!(bench.dst32(8), [0; COLUMNS], "no more than four rows");
}

/// The maximum of each column, scaled by the exponents of SrcB's first row; then the maximum of
/// that and Dst.
fn gmpool_takes_maxima(arch: Arch) {
    for (scale, rows) in [(0x3F80, 0..16), (0x40C0, 0..16), (0, 0..0)] {
        let mut bench = sources(arch);
        let half = |column: usize| if column < 8 { 0x3F80 } else { scale };
        bench
            .core
            .banks
            .hand_to_unpacker(Src::B, true, true)
            .unwrap();
        bench.give_src(Src::B, |_, column| half(column));
        bench.zero_dst();
        bench.run("ttgmpool 0, 1, 0, 0, 8");
        let greatest = |n: usize| -> i32 {
            let scaled = |k: usize| a(k, n) * if k >= 8 && scale == 0x40C0 { 4 } else { 1 };
            let end = if rows.is_empty() { 8 } else { 16 };
            (0..end).map(scaled).max().unwrap()
        };
        assert_eq!(bench.dst32(8), std::array::from_fn(|n| f32_of(greatest(n))));
        assert_eq!(bench.dst32(9), [0; COLUMNS]);
        // The contents of Dst are compared, too.
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

fn mvmul_takes_one_phase_at_a_time(arch: Arch) {
    // 1 + 2^-7 in both: a phase of the product sees 1 or 2^-7 of SrcA (bit 0), 1 or 2^-7 of SrcB
    // (bit 1).
    let mut bench = Bench::on(arch);
    bench.give_src(Src::A, |row, _| if row == 0 { 0x3F81 } else { 0 });
    bench.give_src(Src::B, |_, column| if column == 0 { 0x3F81 } else { 0 });
    bench.set_thread(cfg::ADDR_MOD_DST_FidelityIncr.nth(2), 1);
    let mut sum = 0;
    for (phase, share) in [1 << 14, 1 << 7, 1 << 7, 1].into_iter().enumerate() {
        if phase == 0 {
            bench.zero_dst();
        }
        assert_eq!(bench.core.regs.rwcs[THREAD].fidelity, phase as u32);
        bench.run("ttmvmul 0, 0, 2, 0");
        sum += share;
        assert_eq!(bench.dst32(0)[0], f32_of(sum) - (14 << 23), "phase {phase}");
    }
    bench.set_thread(cfg::FIDELITY_BASE_Phase, 3);
    bench.zero_dst();
    bench.run("ttmvmul 0, 0, 0, 0");
    assert_eq!(
        bench.dst32(0)[0],
        f32_of(1) - (14 << 23),
        "base phase is added"
    );
}

fn sixteen_bit_accumulators(arch: Arch) {
    let mut bench = sources(arch).dst_width(0);
    bench.zero_dst();
    bench.run("ttmvmul 0, 0, 0, 1016");
    let product: i32 = (0..16).map(|k| b(3, k) * a(k, 4)).sum();
    assert_eq!(bench.dst16(1016 + 3)[4], bf16_of(product));

    let mut bench = Bench::on(arch).dst_width(0);
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

fn elementwise_operations_and_broadcasts(arch: Arch) {
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
        let mut bench = sources(arch);
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

fn elwadd_does_not_read_an_unknown_dst(arch: Arch) {
    let mut bench = sources(arch);
    bench.run("ttelwadd 0, 0, 0, 0, 0");
    bench.refuses(
        "ttelwadd 0, 1, 0, 0, 64",
        "undefined behaviour: reads Dst row 128 (of 1024), which nothing has written; ZEROACC the \
         rows that are accumulated onto, write those that are packed",
    );
}

fn arithmetic_flips_banks_and_advances_counters(arch: Arch) {
    for text in [
        "ttmvmul 3, 0, 1, 0",
        "ttelwadd 3, 0, 0, 1, 0",
        "ttelwmul 3, 0, 0, 1, 0",
        "ttsetrwc 3, 0, 0, 0, 0, 0",
        "ttcleardvalid 3, 0",
    ] {
        let mut bench = sources(arch);
        bench.zero_dst();
        bench.set_thread(cfg::ADDR_MOD_AB_SrcAIncr.nth(1), 16);
        bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.nth(1), 8);
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
    let mut bench = sources(arch);
    bench.set_thread(cfg::CLR_DVALID_SrcB_Disable, 1);
    bench.run("ttsetrwc 2, 0, 0, 0, 0, 0");
    assert_eq!(bench.core.banks.owner(Src::B, 0), Client::MatrixUnit);
    assert_eq!(bench.core.banks.matrix_bank(Src::B), 1);
    let mut bench = sources(arch);
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
fn zeroacc_marks_rows() {
    // Mode and immediate, with row counter 40; 16-bit rows that must be marked: first, last,
    // number.
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
    // Groups beyond the end only advance the counters.
    let mut bench = Bench::new();
    bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.nth(3), 8);
    bench.run("ttzeroacc 1, 3, 255\n ttzeroacc 2, 3, 0");
    assert!(bench.core.regs.dst.row16(1023).is_err());
    assert_eq!(bench.core.regs.rwcs[THREAD].dst.value, 8);
}

/// Checks which banks ZEROSRC clears: for each register file, the bank that the matrix unit has,
/// and the one that the unpackers fill.
fn zerosrc_clears_other_banks(arch: Arch) {
    for (text, cleared) in [
        ("ttzerosrc 0, 0, 1, 3", [[true; 2]; 2]),
        ("ttzerosrc 0, 0, 0, 3", [[false, true]; 2]),
        ("ttzerosrc 0, 1, 1, 2", [[false; 2], [true; 2]]),
        ("ttzerosrc 0, 0, 0, 1", [[false, true], [false; 2]]),
    ] {
        let mut bench = sources(arch);
        bench.run(text);
        let found = [Src::A, Src::B].map(|src| {
            let zeros = |bank| bench.core.regs.src(src).rows(bank, 0, 64) == Ok(&[[0; 16]; 64][..]);
            [0, 1].map(zeros)
        });
        assert_eq!(found, cleared, "{text}");
    }
}

fn cleardvalid_resets_the_banks(arch: Arch) {
    let mut bench = sources(arch);
    bench.run("ttcleardvalid 1, 0");
    bench.give_src(Src::A, |_, _| 0);
    bench.run("ttcleardvalid 0, 1");
    for src in [Src::A, Src::B] {
        let banks = &bench.core.banks;
        assert_eq!((banks.matrix_bank(src), banks.unpacker_bank(src)), (0, 0));
        assert_eq!(
            [0, 1].map(|bank| banks.owner(src, bank)),
            [Client::Unpackers; 2]
        );
    }
}

fn zerosrc_clears_the_matrix_units_bank(arch: Arch) {
    let mut bench = sources(arch);
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

fn incrwc_is_the_threads_own(arch: Arch) {
    let mut bench = Bench::on(arch);
    bench.run("ttincrwc 0, 8, 4, 2");
    let rwc = bench.core.regs.rwcs[THREAD];
    assert_eq!((rwc.dst.value, rwc.src_b.value, rwc.src_a.value), (8, 4, 2));
    assert_eq!(bench.core.regs.rwcs[0].dst.value, 0);
}

fn accesses_are_noted(arch: Arch) {
    let mut bench = sources(arch);
    bench.zero_dst();
    bench.run("ttmvmul 0, 0, 0, 8");
    let mut rows = crate::state::access::RowSet::default();
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
