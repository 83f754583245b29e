use tessera_isa_tensix::cfg;
use tessera_test_support::is_long_run;

use super::*;
use crate::insn::pack::datapath::Datapath;
use crate::insn::pack::edge::EdgeMasks;
use crate::insn::pack::{datums, of_packer};
use crate::issue::scheduler::SplitMix64;
use crate::state::adc::Axis;
use crate::testing::{Bench, THREAD};

/// Returns datums of all kinds: denormals, infinities, NaNs, and numbers close to each other.
fn datum(random: &mut SplitMix64) -> u32 {
    let x = random.next() as u32;
    match random.next() % 6 {
        0 => x & 0x807F_FFFF,
        1 => x | 0x7F80_0000,
        2 => x & 0x8000_00FF,
        3 => x & 0x80FF_8000 | 0x3F00_0000,
        _ => x & 0x87FF_FFFF | 0x3C00_0000,
    }
}

/// Returns a core with a random configuration of one of the format pairs, and random rows 0 to 63
/// of Dst.
fn bench(random: &mut SplitMix64) -> Bench {
    let wide = (random.next() % 2) as u32;
    let mut bench = Bench::new().dst_width(wide);
    for row in 0..64 {
        let datums = std::array::from_fn(|_| datum(random));
        if wide == 1 {
            bench.put_dst32(row, datums);
        } else {
            bench.put_dst16(row, datums.map(|x| (x >> 16) as u16));
        }
    }
    let pairs: &[(u32, u32)] = match wide {
        1 => &[(0, 0), (8, 8), (5, 5), (5, 6)],
        _ => &[(5, 5), (5, 6)],
    };
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
    bench.set(
        cfg::STACC_RELU_ApplyRelu,
        u32::from(between == 5 && random.next() % 2 == 0),
    );
    (0..4).for_each(|k| bench.set(cfg::PCK_EDGE_OFFSET_mask.nth(k), 0xFFFF));
    bench.set_thread(cfg::ENABLE_ACC_STATS_Enable, (random.next() % 2) as u32);
    bench
}

/// Bytes of L1 that contain the outputs: 32 rows of FP32 at most, preceded by exponents.
const WINDOW: usize = 0xA00;

/// Returns the state of packer, output and L1 after two PACRs of whole rows, by `run`.
fn after(
    mut bench: Bench,
    places: [(u32, u32); 2],
    run: impl Fn(&Task, &mut Packer, &mut Output, &mut Packers<'_>),
) -> (Packer, Output, Vec<u8>) {
    let core = &mut bench.core;
    core.l1.write(0x1_0000, &[0xAA; WINDOW]).unwrap();
    let path = Datapath::read(&core.config, THREAD, 0, false).unwrap();
    let mut packer = Packer::default();
    let mut output = Output::begin(0x1000, (path.out, false), (0, THREAD), &core.config);
    for (row, count) in places {
        let task = Task {
            source: Source::Dst { first: 16 * row },
            datums: 16 * count,
            path: path.clone(),
            masks: EdgeMasks::read(&core.config, THREAD, 0).unwrap(),
        };
        run(&task, &mut packer, &mut output, &mut Packers::of(core));
    }
    output.end(&mut core.l1).unwrap();
    (
        packer,
        output,
        core.l1.read(0x1_0000, WINDOW).unwrap().to_vec(),
    )
}

/// Packing whole rows gives the result of packing datum by datum: 500 pairs of PACRs, 10,000 in
/// long tests.
#[test]
fn rows_are_datums() {
    let long = is_long_run();
    let mut random = SplitMix64::new(6);
    for case in 0..if long { 10_000 } else { 500 } {
        let bench = bench(&mut random);
        let places = [(); 2].map(|()| {
            let first = random.next() as u32 % 48;
            (first, 1 + random.next() as u32 % 16)
        });
        let fast = after(
            Bench {
                core: bench.core.clone(),
            },
            places,
            |task, packer, output, unit| {
                assert!(run(task, packer, output, unit).unwrap());
            },
        );
        let slow = after(bench, places, |task, packer, output, unit| {
            datums::run(task, packer, output, unit).unwrap();
        });
        assert!(fast == slow, "case {case}");
    }
}

/// A PACR gives the same outputs in both models.
#[test]
fn models_pack_alike() {
    let mut random = SplitMix64::new(7);
    for case in 0..if is_long_run() { 2_000 } else { 100 } {
        let bench = bench(&mut random);
        let outputs = [Model::fast(), Model::Reference].map(|model| {
            let mut bench = Bench {
                core: bench.core.clone(),
            };
            bench.core.model = model;
            bench.core.l1.write(0x1_0000, &[0xAA; WINDOW]).unwrap();
            let address = of_packer(cfg::THCON_PACK_L1_Dest_addr, 0);
            bench.set(address, 1 << 31 | (0x1000 - 1));
            bench.core.adcs[THREAD].packers[1].set(Axis::X, 16 * (1 + case % 16) - 1);
            bench.run("ttpacr 0, 0, 1, 0, 0, 0, 1");
            bench.core.l1.read(0x1_0000, WINDOW).unwrap().to_vec()
        });
        assert!(outputs[0] == outputs[1], "case {case}");
    }
}
