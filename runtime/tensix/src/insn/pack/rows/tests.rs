use std::cell::Cell;

use tessera_isa_tensix::{cfg, Arch};
use tessera_test_support::is_long_run;

use super::*;
use crate::insn::pack::settings::counts_exponents;
use crate::insn::pack::unit::Packers;
use crate::insn::pack::{datums, of_packer};
use crate::issue::scheduler::SplitMix64;
use crate::state::access::RowSet;
use crate::state::adc::Axis;
use crate::state::packer::{Datapath, EdgeMasks, InputAddress, Packer};
use crate::testing::{Bench, THREAD};

/// Returns datums of all kinds: denormals, infinities, NaNs, and numbers close to each other; if
/// `is_tame`, only numbers near one.
fn datum(random: &mut SplitMix64, is_tame: bool) -> u32 {
    let x = random.next() as u32;
    match random.next() % 6 {
        _ if is_tame => x & 0x83FF_FFFF | 0x3C00_0000,
        0 => x & 0x807F_FFFF,
        1 => x | 0x7F80_0000,
        2 => x & 0x8000_00FF,
        3 => x & 0x80FF_8000 | 0x3F00_0000,
        _ => x & 0x87FF_FFFF | 0x3C00_0000,
    }
}

/// Pairs of intermediate and output formats from a Dst of 32 and of 16 bits.
const PAIRS: [&[(u32, u32)]; 2] = [
    &[
        (5, 5),
        (5, 6),
        (1, 1),
        (1, 0),
        (1, 2),
        (6, 7),
        (10, 10),
        (9, 9),
    ],
    &[
        (0, 0),
        (0, 1),
        (0, 5),
        (0, 6),
        (0, 7),
        (0, 15),
        (0, 10),
        (4, 4),
        (5, 5),
        (5, 6),
        (6, 6),
        (8, 8),
        (9, 9),
        (14, 14),
    ],
];

/// Returns a core with a random configuration, and random rows 0 to 63 of Dst.
fn bench(random: &mut SplitMix64, arch: Arch) -> Bench {
    let wide = (random.next() % 2) as u32;
    let is_tame = random.next() % 2 == 0;
    let mut bench = Bench::on(arch).dst_width(wide);
    for row in 0..64 {
        let datums = std::array::from_fn(|_| datum(random, is_tame));
        if wide == 1 {
            bench.put_dst32(row, datums);
        } else {
            bench.put_dst16(row, datums.map(|x| (x >> 16) as u16));
        }
    }
    let pairs = PAIRS[wide as usize];
    let (between, to) = pairs[random.next() as usize % pairs.len()];
    bench.set(cfg::ALU_FORMAT_SPEC_REG2_Dstacc, between);
    bench.set(of_packer(cfg::THCON_PACK_In_data_format, 0), between);
    bench.set(of_packer(cfg::THCON_PACK_Out_data_format, 0), to);
    bench.set(of_packer(cfg::THCON_PACK_Disable_zero_compress, 0), 1);
    bench.set(of_packer(cfg::THCON_PACK_Exp_section_size, 0), 4);
    bench.set(
        cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(0),
        1 + (random.next() % 16) as u32,
    );
    let mut one_in = |n: u64| random.next() % n == 0;
    if one_in(2) {
        let is_float = !matches!(between, 8 | 9 | 14);
        let mode = if is_float {
            1 + u32::from(one_in(2)) * 2
        } else {
            1
        };
        bench.set(cfg::STACC_RELU_ApplyRelu, mode);
        let threshold = if matches!(between, 1 | 10) {
            0x3C00
        } else {
            0x3F80
        };
        bench.set(cfg::STACC_RELU_ReluThreshold, threshold);
    }
    if one_in(4) {
        bench.set(of_packer(cfg::THCON_PACK_Exp_threshold_en, 0), 1);
        bench.set(of_packer(cfg::THCON_PACK_Exp_threshold, 0), 0x7A);
    }
    let accumulates = matches!(to, 0 | 1 | 5) && one_in(3);
    bench.set(
        of_packer(cfg::THCON_PACK_Pack_L1_Acc, 0),
        accumulates.into(),
    );
    let masks = if one_in(3) {
        [0x00FF, 0xFFFF, 0, 0x8001]
    } else {
        [0xFFFF; 4]
    };
    for (k, mask) in (0..).zip(masks) {
        bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(k), mask);
    }
    for row in 0..16 {
        let mapping = cfg::TILE_ROW_SET_MAPPING.nth(0).nth(row);
        bench.set(mapping, row % 4);
    }
    bench.set_thread(cfg::ENABLE_ACC_STATS_Enable, u32::from(one_in(4)));
    bench
}

/// Bytes of L1 that contain the outputs: 32 rows of FP32 at most, preceded by exponents.
const WINDOW: usize = 0xA00;

/// Returns the state of packer, output and L1 after two PACRs of whole rows, by `run`, or its
/// fault.
fn after(
    mut bench: Bench,
    places: [(u32, u32); 2],
    run: impl Fn(&Task<'_>, &mut Progress<'_>, &mut Memory<'_>) -> Result<(), Fault>,
) -> Result<(Packer, Vec<u8>, RowSet), String> {
    let core = &mut bench.core;
    core.l1.write(0x1_0000, &[0xAA; WINDOW]).unwrap();
    let path =
        Datapath::read(core.config.view(THREAD), 0, false).map_err(|fault| fault.to_string())?;
    let settings = Configured {
        input: InputAddress::Null,
        stages: path.stages(),
        path,
        masks: EdgeMasks::read(core.config.view(THREAD), 0).unwrap(),
    };
    let mut packer = Packer::default();
    let how = (settings.path.out, settings.path.accumulate);
    let room = match Output::has_room(how.0) {
        true => 4,
        false => 0,
    };
    packer.output = Some(Output::begin(0x1000, room, how));
    for (row, count) in places {
        let task = Task {
            source: Source::Dst { first: 16 * row },
            datums: 16 * count,
            settings: &settings,
            counts: counts_exponents(&Packers::of(core)),
        };
        let mut progress = Progress::of(&mut packer).unwrap();
        let done = run(&task, &mut progress, &mut Packers::of(core).memory);
        done.map_err(|fault| fault.to_string())?;
    }
    packer.output.as_mut().unwrap().end(&mut core.l1).unwrap();
    let bytes = core.l1.read(0x1_0000, WINDOW).unwrap().to_vec();
    let rows = core.access.dst_read;
    Ok((packer, bytes, rows))
}

/// Packing whole rows gives the result of packing datum by datum: 1,000 pairs of PACRs, 20,000 in
/// long tests.
#[test]
fn rows_are_datums() {
    let cases = if is_long_run() { 20_000 } else { 1_000 };
    let mut random = SplitMix64::new(6);
    let (mut good, mut in_rows) = (0, 0);
    for case in 0..cases {
        let bench = bench(&mut random, Arch::WormholeB0);
        let places = [(); 2].map(|()| {
            let first = random.next() as u32 % 48;
            (first, 1 + random.next() as u32 % 16)
        });
        let copy = Bench {
            core: bench.core.clone(),
        };
        let all = Cell::new(0);
        let fast = after(copy, places, |task, progress, memory| {
            let done = run(task, progress, memory)?;
            all.set(all.get() + done);
            datums::run(task, done, progress, memory)
        });
        let slow = after(bench, places, |task, progress, memory| {
            datums::run(task, 0, progress, memory)
        });
        good += u32::from(slow.is_ok());
        in_rows += u32::from(slow.is_ok() && all.get() == 16 * (places[0].1 + places[1].1));
        assert!(
            fast == slow,
            "case {case}: {:?} {:?}",
            fast.err(),
            slow.err()
        );
    }
    assert!(good > cases / 3, "{good} of {cases}");
    assert!(in_rows > good / 2, "{in_rows} of {good}");
}

/// A PACR gives the same outputs in both models.
#[test]
fn models_pack_alike() {
    let mut random = SplitMix64::new(7);
    for case in 0..if is_long_run() { 2_000 } else { 100 } {
        let bench = bench(&mut random, Arch::WormholeB0);
        let outputs = [Model::fast(), Model::Reference].map(|model| {
            let mut bench = Bench {
                core: bench.core.clone(),
            };
            bench.core.model = model;
            bench.core.l1.write(0x1_0000, &[0xAA; WINDOW]).unwrap();
            let address = of_packer(cfg::THCON_PACK_L1_Dest_addr, 0);
            bench.set(address, 1 << 31 | (0x1000 - 1));
            bench.core.adcs[THREAD].packers[1].set(Axis::X, 16 * (1 + case % 16) - 1);
            bench.try_run("ttpacr 0, 0, 1, 0, 0, 0, 1")?;
            Ok::<_, String>(bench.core.l1.read(0x1_0000, WINDOW).unwrap().to_vec())
        });
        assert!(outputs[0] == outputs[1], "case {case}");
    }
}

/// Returns packer 0, the rows read and the outputs after two PACRs of Blackhole, each on up to four
/// interfaces from a row of its own, or the fault.
fn after_interfaces(
    bench: &Bench,
    model: Model,
    places: [(u32, u32); 2],
) -> Result<(Packer, [RowSet; 2], Vec<u8>), String> {
    let mut bench = Bench {
        core: bench.core.clone(),
    };
    bench.core.model = model;
    bench.core.l1.write(0x1_0000, &[0xAA; WINDOW]).unwrap();
    bench.core.adcs[THREAD].packers[1].set(Axis::X, 15);
    let mut read = [RowSet::default(); 2];
    for (k, (row, interfaces)) in places.into_iter().enumerate() {
        bench.core.adcs[THREAD].packers[0].set(Axis::Y, row);
        bench.core.access.clear();
        bench.try_run(&format!(
            "ttpacr 0, 0, 0, 0, 0, 0, {interfaces}, 0, 0, 0, 0, {k}"
        ))?;
        read[k] = bench.core.access.dst_read;
    }
    let bytes = bench.core.l1.read(0x1_0000, WINDOW).unwrap().to_vec();
    Ok((bench.core.regs.packers[0].clone(), read, bytes))
}

/// Interfaces that read consecutive rows do what they do datum by datum: 300 pairs of PACRs, 10,000
/// in long tests.
#[test]
fn interfaces_in_rows_are_datums() {
    let cases = if is_long_run() { 10_000 } else { 300 };
    let mut random = SplitMix64::new(8);
    let mut good = 0;
    for case in 0..cases {
        let mut bench = bench(&mut random, Arch::Blackhole);
        let format = of_packer(cfg::THCON_PACK_In_data_format, 0);
        let width = match bench.core.config.get(THREAD, format) & 3 {
            0 => 4,
            1 => 2,
            _ => 1,
        };
        bench.set(cfg::PCK0_ADDR_CTRL_Ystride.nth(0), 16 * width);
        bench.set(of_packer(cfg::THCON_PACK_L1_Dest_addr, 0), 0x1000 - 1);
        if random.next() % 4 != 0 {
            bench.set(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(0), 16);
        }
        let places = [(); 2].map(|()| {
            let interfaces = [15, 15, 7, 3, 1, 5][random.next() as usize % 6];
            (random.next() as u32 % 14 * 4, interfaces)
        });
        let [fast, slow] =
            [Model::fast(), Model::Reference].map(|model| after_interfaces(&bench, model, places));
        good += u32::from(slow.is_ok());
        assert!(
            fast == slow,
            "case {case}: {:?} {:?}",
            fast.err(),
            slow.err()
        );
    }
    assert!(good > cases / 4, "{good} of {cases}");
}
