//! The fast model produces the results of the reference model and makes the same accesses.

use tessera_isa_tensix::Arch;

use super::*;
use crate::arith::fast::Level;
use crate::state::core_state::CoreState;
use crate::state::dst_rows::arrange_dst;
use crate::state::model::Model;

/// The arithmetic configuration of a chip.
#[derive(Clone, Copy, Debug)]
struct Case {
    arch: Arch,
    format: u32,
    /// Whether Dst has 32 bits.
    wide: u32,
    /// Bits of `DEST_ACCESS_CFG`: the layout of Dst.
    layout: u32,
}

/// Returns a core whose registers hold numbers of all kinds.
fn core(model: Model, case: Case) -> Bench {
    let Case {
        arch,
        format,
        wide,
        layout,
    } = case;
    let mut bench = Bench::with(CoreState::with_model(arch, model)).dst_width(wide);
    if arch == Arch::Blackhole {
        bench.set(cfg::DEST_ACCESS_CFG_swizzle_32b, layout & 1);
        bench.set(cfg::DEST_ACCESS_CFG_remap_addrs, layout >> 1);
        arrange_dst(&mut bench.core.regs.dst, &bench.core.config, THREAD);
    }
    bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, format);
    bench.set(cfg::ALU_FORMAT_SPEC_REG1_SrcB, format);
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 40) as u32
    };
    for src in [Src::A, Src::B] {
        bench.give_src(src, |_, _| 0);
        for row in 0..64 {
            let bits = match format {
                1 => 0x7_FF1F,
                _ => 0x7_FF7F,
            };
            let datums = std::array::from_fn(|_| next() & bits);
            bench.core.regs.src_mut(src).write_row(0, row, datums);
        }
    }
    for row in 0..32 {
        let datums: [u32; COLUMNS] = std::array::from_fn(|_| next() << 8);
        match wide {
            0 => bench.put_dst16(row, datums.map(|x| (x >> 16) as u16)),
            _ => bench.put_dst32(row, datums),
        }
    }
    // Some cleared rows, and some rows never written.
    (16..32).for_each(|place| bench.core.regs.dst.mark_place(place));
    bench
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (format, wide) in [(5, 0), (5, 1), (4, 1), (1, 0), (1, 1)] {
        for (arch, layouts) in [(Arch::WormholeB0, 0..1), (Arch::Blackhole, 0..4)] {
            cases.extend(layouts.map(|layout| Case {
                arch,
                format,
                wide,
                layout,
            }));
        }
    }
    cases
}

#[test]
fn both_models_leave_the_same() {
    let texts = [
        "ttmvmul 0, 0, 0, 0",
        "ttmvmul 0, 0, 0, 8",
        "ttmvmul 0, 0, 0, 16",
        "ttmvmul 0, 1, 0, 8",
        "ttgapool 0, 1, 0, 0, 4",
        "ttgapool 0, 1, 0, 0, 20",
        "ttelwadd 0, 0, 0, 0, 40",
        "ttelwadd 0, 1, 3, 0, 8",
        "ttelwsub 0, 1, 2, 0, 0",
        "ttelwmul 0, 0, 1, 0, 24",
        "ttelwmul 0, 0, 0, 0, 48",
    ];
    let levels = Level::all().into_iter().map(Model::Fast);
    for model in levels {
        for case in cases() {
            let (mut fast, mut slow) = (core(model, case), core(Model::Reference, case));
            for text in texts {
                let done = slow.try_run(text);
                assert_eq!(fast.try_run(text), done, "{text}, {model:?}, {case:?}");
                // A trap ends the program.
                if done.is_ok() {
                    assert_eq!(fast.core.access, slow.core.access, "{text}, {model:?}");
                }
                for row in 0..1024 {
                    let dst = |bench: &Bench| match case.wide {
                        0 => bench.core.regs.dst.row16(row).map(|row| row.map(u32::from)),
                        _ => bench
                            .core
                            .regs
                            .dst
                            .row32(crate::state::row32::Row32::new(row)),
                    };
                    assert_eq!(dst(&fast), dst(&slow), "{text}, {model:?}, row {row}");
                }
            }
        }
    }
}

/// Cached operands of SrcA are decoded again after the rows have changed.
#[test]
fn products_see_the_rows_that_are_there() {
    let mut bench = sources(Arch::Blackhole);
    let rwc = |bench: &mut Bench, row| bench.core.regs.rwcs[THREAD].src_a.value = row;
    let product = |from: usize| -> i32 { (0..16).map(|k| b(0, k) * a(from + k, 0)).sum() };
    bench.zero_dst();
    bench.run("ttmvmul 0, 0, 0, 0");
    rwc(&mut bench, 16);
    bench.run("ttmvmul 0, 0, 0, 8");
    assert_eq!(bench.dst32(0)[0], f32_of(product(0)));
    assert_eq!(bench.dst32(8)[0], f32_of(product(16)));
    let row = bench.core.regs.src(Src::A).row(0, 16).unwrap().map(|_| 0);
    bench.core.regs.src_mut(Src::A).write_row(0, 16, row);
    bench.run("ttmvmul 0, 0, 0, 16");
    let without = product(16) - b(0, 0) * a(16, 0);
    assert_eq!(bench.dst32(16)[0], f32_of(without));
}
