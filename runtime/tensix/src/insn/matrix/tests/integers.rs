//! Tests of integers, and of maxima with indices.

use super::*;

on_both_chips! {
    arithmetic_of_integers
    gmpool_of_integers_and_with_indices
}

/// Returns a bench whose sources hold integers; the width of Dst is not configured.
fn integers(arch: Arch) -> Bench {
    let mut bench = sources(arch).dst_width(0);
    bench.set(cfg::PCK_DEST_RD_CTRL_Read_32b_data, 1);
    bench.set(cfg::ALU_ACC_CTRL_INT8_math_enabled, 1);
    for (src, value) in [(Src::A, a as fn(usize, usize) -> i32), (Src::B, b)] {
        let bank = bench.core.banks.matrix_bank(src);
        for row in 0..64 {
            let datum = |column| integer(value(row, column));
            bench
                .core
                .regs
                .src_mut(src)
                .write_row(bank, row, std::array::from_fn(datum));
        }
    }
    bench
}

/// Returns a Src datum in sign-magnitude form, as unpackers produce it.
fn integer(n: i32) -> u32 {
    let exponent = if n == 0 { 0 } else { 16 };
    u32::from(n < 0) << 18 | n.unsigned_abs() << 8 | exponent
}

fn sign_magnitude(n: i32) -> u32 {
    u32::from(n < 0) << 31 | n.unsigned_abs()
}

/// Small numbers need the last phase only.
fn arithmetic_of_integers(arch: Arch) {
    let product = |m: usize, n: usize| (0..16).map(|k| b(m, k) * a(k, n)).sum();
    let rows: &[(&str, usize, &dyn Fn(usize, usize) -> i32)] = &[
        ("ttmvmul 0, 0, 0, 8", 8, &product),
        ("ttgapool 0, 1, 0, 0, 8", 4, &product),
        ("ttelwadd 0, 0, 0, 0, 8", 8, &|m, n| a(m, n) + b(m, n) - 100),
        ("ttelwadd 0, 1, 0, 0, 8", 8, &|m, n| a(m, n) + b(m, n)),
        ("ttelwsub 0, 1, 3, 0, 8", 8, &|m, n| a(m, n) - b(0, 0)),
        ("ttelwmul 0, 0, 1, 0, 8", 8, &|m, n| a(m, n) * b(m, 0)),
    ];
    for (text, count, expected) in rows {
        let mut bench = integers(arch);
        bench.core.regs.rwcs[THREAD].fidelity = 3;
        (8..16).for_each(|row| bench.put_dst32(row, [sign_magnitude(100); COLUMNS]));
        bench.run(text);
        for m in 0..*count {
            let expected = std::array::from_fn(|n| sign_magnitude(100 + expected(m, n)));
            assert_eq!(bench.dst32(8 + m), expected, "{text}, row {m}");
        }
    }
}

/// Tests maxima of integers, without scales and with indices of maxima among the first eight rows,
/// in the order of the functional model.
fn gmpool_of_integers_and_with_indices(arch: Arch) {
    const SCRAMBLED: [u32; 8] = [0, 3, 6, 1, 4, 7, 2, 5];
    let index = |of: &dyn Fn(usize) -> i32| {
        let best = (0..8).map(of).max().unwrap();
        // Rows 4 to 7 come first; of equal ones the last counts.
        let last = (0..4)
            .rev()
            .chain((4..8).rev())
            .find(|&row| of(row) == best);
        (best, SCRAMBLED[last.unwrap()])
    };
    let mut bench = integers(arch);
    bench.give_src(Src::B, |_, _| 0x3F80);
    bench
        .core
        .banks
        .hand_to_unpacker(Src::B, true, true)
        .unwrap();
    bench.zero_dst();
    bench.run("ttgmpool 0, 1, 0, 0, 4");
    let greatest = |n: usize| (0..16).map(|k| a(k, n)).max().unwrap();
    assert_eq!(
        bench.dst32(4),
        std::array::from_fn(|n| sign_magnitude(greatest(n)))
    );
    for (format, wide) in [(5, true), (4, true), (5, false)] {
        let mut bench = sources(arch).dst_width(wide.into());
        bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, format);
        bench
            .core
            .banks
            .hand_to_unpacker(Src::B, true, true)
            .unwrap();
        bench.give_src(Src::B, |_, column| if column < 8 { 0x3F80 } else { 0 });
        bench.zero_dst();
        bench.run("ttgmpool 0, 1, 0, 1, 4");
        for n in 0..COLUMNS {
            let (best, index) = index(&|row| a(row, n));
            // Pooled once: phase 0. The three rows below count on.
            let (found, below) = match wide {
                true => (bench.dst32(4)[n], bench.dst32(5)[n]),
                false => (u32::from(bench.dst16(4)[n]) << 16, 0),
            };
            let expected = match (format, wide) {
                (4, _) => index,
                (_, true) => f32_of(best) | index,
                (_, false) => f32_of(best),
            };
            assert_eq!((found, below), (expected, 0), "format {format}, column {n}");
        }
        if wide {
            bench.run("ttgmpool 0, 1, 0, 1, 4");
            let (best, index) = index(&|row| a(row, 3));
            let value = if format == 4 { 0 } else { f32_of(best) };
            assert_eq!(
                bench.dst32(4)[3],
                value | 0x100 | (0x10 + index),
                "format {format}, again"
            );
            assert_eq!(bench.dst32(5)[3], 0x100);
        }
    }
}
