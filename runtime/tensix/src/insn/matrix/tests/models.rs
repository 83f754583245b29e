//! The fast model produces the results of the reference model and makes the same accesses.

use tessera_isa_tensix::Arch;
use tessera_test_support::is_long_run;

use super::*;
use crate::arith::fast::Level;
use crate::arith::spec::format::Format;
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
        "ttgmpool 0, 1, 0, 0, 0",
        "ttgmpool 0, 1, 0, 0, 20",
        "ttgmpool 0, 1, 0, 1, 4",
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

/// Moves of both models leave the same, record the same accesses and trap for the same reasons, for
/// random settings and rows.
#[test]
fn both_models_move_the_same() {
    let mut state = 7_u64;
    let mut below = |end: u32| {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (((state >> 32) * u64::from(end)) >> 32) as u32
    };
    let models: Vec<_> = Level::all().into_iter().map(Model::Fast).collect();
    let cases = cases();
    // The executed and the refused moves.
    let mut counts = [0; 2];
    for round in 0..if is_long_run() { 20_000 } else { 1_000 } {
        let model = models[round % models.len()];
        let case = cases[below(cases.len() as u32) as usize];
        let [mut fast, mut slow] = [model, Model::Reference].map(|model| core(model, case));
        let settings = random_settings(case, &mut below);
        settings.apply(&mut fast);
        settings.apply(&mut slow);
        for _ in 0..8 {
            let text = random_move(&mut below);
            let [reads_fast, reads_slow] = [&mut fast, &mut slow].map(|bench| {
                bench.core.config.take_reads();
                let done = bench.try_run(&text);
                (done, bench.core.config.take_reads())
            });
            assert_eq!(reads_fast.0, reads_slow.0, "{text}, {case:?}, {settings:?}");
            counts[usize::from(reads_fast.0.is_err())] += 1;
            // A trap ends the program.
            if reads_fast.0.is_err() {
                break;
            }
            assert_eq!(reads_fast.1, reads_slow.1, "{text}, {case:?}, {settings:?}");
            let [left, expected] = [&fast, &slow].map(|bench| state_of(bench, case.wide != 0));
            assert_eq!(left, expected, "{text}, {case:?}, {settings:?}, {model:?}");
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Settings of moves beyond those of a [`Case`].
#[derive(Debug)]
struct MoveSettings {
    format: [u32; 2],
    /// `ALU_ACC_CTRL_Zero_Flag_disabled_src`.
    keeps_denormals: u32,
    /// The rows of SrcA, SrcB and Dst to which the counters point.
    rows: [u32; 3],
    /// The operand of an SFPCONFIG that selects columns that are skipped.
    skipped: Option<u32>,
    /// Bits that datums of SrcB have.
    mask: u32,
    /// Whether the formats of banks are implied (Blackhole).
    implied: bool,
    base: u32,
}

fn random_settings(case: Case, below: &mut impl FnMut(u32) -> u32) -> MoveSettings {
    let format = match (case.wide, below(4)) {
        (_, 0) => [5, 4, 1][below(3) as usize],
        (0, _) => case.format,
        (_, _) => 4,
    };
    MoveSettings {
        format: [format, if below(4) == 0 { case.format } else { format }],
        keeps_denormals: below(2),
        rows: [4 * below(3), 4 * below(3), 8 * below(3)],
        skipped: (below(8) == 0).then(|| 0x200 << below(2)),
        mask: [0x7_FFFF, 0x7_F81F, 0x7_F8FF][below(3) as usize],
        implied: below(4) == 0,
        base: 8 * below(2),
    }
}

impl MoveSettings {
    fn apply(&self, bench: &mut Bench) {
        bench.set(cfg::ALU_FORMAT_SPEC_REG0_SrcA, self.format[0]);
        bench.set(cfg::ALU_FORMAT_SPEC_REG1_SrcB, self.format[1]);
        let flag = cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src;
        bench.set(flag, self.keeps_denormals);
        bench.set(cfg::DEST_REGW_BASE_Base, self.base);
        if bench.core.arch == Arch::Blackhole && self.implied {
            bench.set_thread(cfg::DISABLE_IMPLIED_SRCA_FMT_Base, 0);
            bench.set_thread(cfg::DISABLE_IMPLIED_SRCB_FMT_Base, 0);
            let formats = self.format.map(Format::from_code);
            for (src, format) in [Src::A, Src::B].into_iter().zip(formats) {
                let banks = &mut bench.core.banks;
                // Both banks in turn, so that the matrix unit has the same one again.
                for _ in 0..2 {
                    banks.hand_to_unpacker(src, true, true).unwrap();
                    banks.hand_filled(src, THREAD, 0, format).unwrap();
                }
            }
        }
        for row in 0..64 {
            let datums = bench.core.regs.src(Src::B).row(0, row).unwrap();
            let datums = datums.map(|x| x & self.mask);
            bench.core.regs.src_mut(Src::B).write_row(0, row, datums);
        }
        bench.core.regs.src_mut(Src::B).forget(0, 40);
        let rwc = &mut bench.core.regs.rwcs[THREAD];
        [rwc.src_a.value, rwc.src_b.value, rwc.dst.value] = self.rows;
        if let Some(operand) = self.skipped {
            bench.run(&format!("sfpconfig {operand}, 15, 1"));
        }
    }
}

fn random_move(below: &mut impl FnMut(u32) -> u32) -> String {
    let low = u32::from(below(4) == 0);
    // Mostly aligned rows.
    let unit = if below(16) == 0 { 1 } else { 4 };
    let src = unit * below(12);
    let dst = 2 * unit * below(5);
    let many = if below(4) == 0 { 0 } else { 2 };
    match below(6) {
        0 => format!("ttmova2d {low}, {src}, 0, {many}, {dst}"),
        1 => format!("ttmovb2d {low}, {src}, 0, {}, {dst}", below(8)),
        2 => format!("ttmovd2a {low}, {src}, 0, {many}, {dst}"),
        3 => format!("ttmovd2b {low}, {src}, 0, {many}, {dst}"),
        4 => format!("ttmovb2a {src}, 0, {many}, {}", unit * below(12)),
        _ => format!("ttmovdbga2d {low}, {src}, 0, {many}, {dst}"),
    }
}

/// Returns what a move may change.
fn state_of(bench: &Bench, wide: bool) -> impl PartialEq + std::fmt::Debug {
    let regs = &bench.core.regs;
    let src = [Src::A, Src::B].map(|src| {
        let row = |row| regs.src(src).row(0, row).copied().ok();
        (0..64).map(row).collect::<Vec<_>>()
    });
    let unsettled = bench.core.access.unsettled_columns;
    let marks: Vec<_> = (0..64).map(|row| regs.dst.is_marked(row, wide)).collect();
    let access = bench.core.access;
    let rest = (regs.last_src_a_row, access, unsettled, regs.rwcs);
    (src, regs.dst.clone(), marks, rest)
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
