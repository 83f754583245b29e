//! Random configuration: the two ways through the code against each other, and whether everything
//! comes to an end.

use tessera_isa_tensix::{cfg, Arch, Instruction};
use tessera_test_support::is_long_run;

use crate::arith::spec::format::Format as F;
use crate::insn::unpack::address::Transfer;
use crate::insn::unpack::testing::{bench_on, span, to_dst, Random, L1, WHOLE};
use crate::insn::unpack::{datums, execute, rows, Unpackers};
use crate::state::adc::Axis;
use crate::state::banks::Src;
use crate::state::core_state::CoreState;
use crate::state::model::Model;
use crate::testing::{Bench, THREAD};
use crate::trap::Fault;

/// Random configuration of what both ways through the code take: rows at once do what datum by
/// datum does.
#[test]
fn rows_do_what_datums_do() {
    let mut random = Random(1);
    let mut taken = 0;
    let wanted = if is_long_run() { 200_000 } else { 300 };
    let formats = [
        (F::FP32, F::FP32),
        (F::FP32, F::TF32),
        (F::FP32, F::BF16),
        (F::FP32, F::FP16),
        (F::INT32, F::INT32),
        (F::BF16, F::BF16),
        (F::FP16, F::FP16),
        (F::INT16, F::INT16),
        (F::FP8, F::FP8),
        (F::INT8, F::INT8),
        (F::BFP8, F::BFP8),
        (F::BFP4, F::BFP4),
        (F::BFP2, F::BFP2),
        (F::BFP8A, F::BFP8A),
        (F::BFP4A, F::BFP4A),
        (F::BFP2A, F::BFP2A),
    ];
    let data = random.bytes(0x8000);
    while taken < wanted {
        let (input, output) = random.pick(&formats);
        let mut bench = bench_on(random.pick(&Arch::ALL), input, output);
        bench.core.l1.write(L1, &data).unwrap();
        let u = random.below(2);
        randomise(&mut bench, u, &mut random);
        let text = WHOLE[u as usize].replace(
            "1, 0, 0, 0, 0, 0, 0, 1",
            &format!("1, 0, 0, {}, 0, 0, 0, 1", random.below(4) / 3),
        );
        taken += u64::from(compare(&bench.core, &text));
    }
}

/// Execution ends with a result or a refusal, for any configuration, counters and instruction.
#[test]
fn any_configuration_terminates() {
    for (arch, first, section, thread_words) in [
        (Arch::WormholeB0, 36, 52, [3, 4, 39]),
        (Arch::Blackhole, 44, 64, [5, 6, 41]),
    ] {
        comes_to_an_end(arch, [first, section], thread_words);
    }
}

/// On a chip, with the first words of the unpackers' strides and of their sections, and words of a
/// thread.
fn comes_to_an_end(arch: Arch, [first, section]: [u32; 2], thread_words: [u32; 3]) {
    let mut random = Random(7);
    let mut results = [0; 2];
    let data: Vec<u8> = (0..0x4_0000).map(|_| random.next() as u8).collect();
    let mut bench = bench_on(arch, F::BF16, F::BF16);
    bench.core.l1.write(L1, &data).unwrap();
    for _ in 0..if is_long_run() { 1_000_000 } else { 5_000 } {
        // A word of the unpackers' configuration, or a counter, now and then all bits of it.
        let value = match random.below(8) {
            0 => u32::MAX,
            1..=3 => random.next(),
            4 => 0,
            _ => random.next() & random.next() & random.next() & random.next(),
        };
        let words = [1, first + random.below(20), section + random.below(100)];
        let word = random.pick(&words);
        let set = &mut Default::default();
        bench
            .core
            .config
            .write(THREAD, word, value, u32::MAX, set)
            .unwrap();
        let thread_word = random.pick(&thread_words);
        bench
            .core
            .config
            .write_thread(THREAD, thread_word, value as u16 & 0x0707)
            .unwrap();
        if random.below(16) == 0 {
            bench.set_thread(cfg::CFG_STATE_ID_StateID, random.below(2));
        }
        let channel = &mut bench.core.adcs[random.below(3) as usize].unpacker
            [random.below(2) as usize][random.below(2) as usize];
        channel.set(random.pick(&Axis::ALL), value >> random.below(32));
        // Written most often: valid bases, so that not every address is beyond L1.
        for u in 0..2 {
            for context in 0..8 {
                let base = cfg::THCON_REG3_Base_address.nth(u).nth(context);
                if random.below(2) == 0 {
                    bench.set(base, L1 / 16 + random.below(0x1000));
                }
            }
        }
        bench.core.banks = Default::default();
        let opcode = random.pick(&[0x42, 0x42, 0x42, 0x43]) << 24;
        let fields = random.next() & 0xFF_FFFF;
        let word = opcode
            | if opcode == 0x42 << 24 {
                fields & !0x4022 | 1
            } else {
                fields & 0x80_001F
            };
        let Ok(instruction) = Instruction::decode(bench.core.arch, word) else {
            continue;
        };
        let done = execute_as_anew(&instruction, &mut bench.core);
        results[usize::from(done.is_err())] += 1;
        if random.below(16) == 0 {
            // Back to where datums are found.
            let plain = bench_on(arch, F::BF16, F::BF16);
            bench.core.config = plain.core.config;
            bench.core.adcs = plain.core.adcs;
        }
    }
    assert!(results.iter().all(|&count| count > 100), "{results:?}");
}

/// Changes what the set-up leaves plain.
fn randomise(bench: &mut Bench, u: u32, random: &mut Random) {
    let first = random.pick(&[0, 0, 16, 256, 32, 64]);
    let count = random.pick(&[16, 32, 64, 128, 256, 512, 1024, 2048]);
    span(bench, first, first + count - 1);
    for adcs in &mut bench.core.adcs {
        adcs.unpacker[u as usize][0].set(Axis::Z, random.below(3));
    }
    if u == 0 && random.below(3) == 0 {
        to_dst(bench);
    }
    let row = random.pick(&[0, 0, 16, 32, 8]);
    bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64 + 16 * row);
    bench.set(cfg::THCON_REG2_Haloize_mode.nth(0), random.below(3) / 2);
    bench.set(cfg::THCON_REG2_Force_shared_exp.nth(u), random.below(2));
    bench.set(
        cfg::UNP_FORCED_SHARED_EXP.nth(u),
        random.pick(&[15, 31, 127, 0]),
    );
    bench.set(
        cfg::THCON_REG3_Base_address.nth(u).nth(0),
        L1 / 16 - 1 + random.below(64),
    );
    if random.below(4) == 0 {
        bench.set(cfg::THCON_REG2_Tileize_mode.nth(u), 1);
        bench.set(cfg::THCON_REG2_Shift_amount.nth(u).nth(0), random.below(16));
    }
    if bench.core.arch == Arch::Blackhole {
        bench.set(cfg::THCON_REG1_Unp_LF8_4b_exp.nth(u), random.below(2));
        // SrcA wraps.
        let row = random.pick(&[row, 48, 56, 60, 70]);
        bench.set(cfg::THCON_REG5_Dest_address.nth(0).nth(0), 64 + 16 * row);
        bench.set(cfg::THCON_REG1_ovrd_default_throttle_mode.nth(0), 1);
    }
    if random.below(4) == 0 {
        bench.set(
            cfg::THCON_REG2_Unpack_limit_address.nth(u),
            L1 / 16 + random.below(0x400),
        );
        bench.set(cfg::THCON_REG2_Unpack_fifo_size.nth(u), random.below(0x100));
    }
}

/// Whether the instruction consists of rows that can be unpacked. Both ways must have the same
/// effects, or refuse.
fn compare(core: &CoreState, text: &str) -> bool {
    let Ok(Instruction::Unpacr(i)) = Instruction::parse(core.arch, text) else {
        panic!("{text}");
    };
    let mut fast = core.clone();
    let Ok(transfer) = Transfer::resolve(&i, THREAD, &mut Unpackers::of(&mut fast)) else {
        return false;
    };
    let mut slow = fast.clone();
    let done = match rows::contiguous(&transfer) {
        Ok(None) => return false,
        Ok(Some(rows)) => rows::unpack(&transfer, rows, &mut Unpackers::of(&mut fast)),
        Err(fault) => Err(fault),
    };
    let expect = datums::unpack(&transfer, &mut Unpackers::of(&mut slow));
    // A refusal may name another row that is not there.
    assert_eq!(done.is_ok(), expect.is_ok(), "{text}: {done:?} {expect:?}");
    if done.is_err() {
        return false;
    }
    assert_same_registers(&fast, &slow, text);
    assert_eq!(fast.access.dst_write, slow.access.dst_write, "{text}");
    compare_models(core, text);
    true
}

/// The instruction has the same effects and notes the same accesses in both models.
fn compare_models(core: &CoreState, text: &str) {
    let instruction = Instruction::parse(core.arch, text).unwrap();
    let [fast, reference] = [Model::fast(), Model::Reference].map(|model| {
        let mut core = core.clone();
        core.model = model;
        let done = execute(&instruction, THREAD, &mut Unpackers::of(&mut core));
        assert_eq!(done, Ok(()), "{text}");
        core
    });
    assert_same_registers(&fast, &reference, text);
    assert_eq!(fast.access, reference.access, "{text}");
    assert_eq!(fast.adcs, reference.adcs, "{text}");
}

/// Both cores have the same in SrcA, SrcB and Dst.
fn assert_same_registers(one: &CoreState, other: &CoreState, text: &str) {
    for src in [Src::A, Src::B] {
        for row in 0..64 {
            let [one, other] = [one, other].map(|core| core.regs.src(src).row(0, row));
            assert_eq!(one, other, "{text} {src:?} {row}");
        }
    }
    assert!(one.regs.dst == other.regs.dst, "{text} Dst");
}

/// Executes an instruction, which must do what it does when nothing is kept of what has been worked
/// out of the configuration before, and note the same reads.
fn execute_as_anew(instruction: &Instruction, core: &mut CoreState) -> Result<(), Fault> {
    core.access.clear();
    core.config.forget_reads();
    core.l1.clear_recorded();
    let mut anew = core.clone();
    anew.config.clear_derived();
    let [done, expect] =
        [&mut *core, &mut anew].map(|core| execute(instruction, THREAD, &mut Unpackers::of(core)));
    let text = instruction.text(core.arch).to_string();
    assert_eq!(done, expect, "{text}");
    assert_eq!(core.config.take_reads(), anew.config.take_reads(), "{text}");
    assert_eq!(core.l1.recorded(), anew.l1.recorded(), "{text}");
    assert_eq!(core.access, anew.access, "{text}");
    assert_same_registers(core, &anew, &text);
    done
}

/// Every bit of the configuration takes effect as soon as it changes.
#[test]
fn tracked_configuration_matches_the_state() {
    let mut random = Random(3);
    let data = random.bytes(0x8000);
    for arch in Arch::ALL {
        let mut bench = bench_on(arch, F::BFP8, F::BFP8);
        bench.core.l1.write(L1, &data).unwrap();
        // Where unpacker 0 begins without contexts.
        bench.set(cfg::UNP_ADDR_BASE.nth(0).nth(1), 64);
        for multi in [0, 1] {
            for u in 0..2 {
                let text = format!("ttunpacr {u}, 0, 0, 0, 0, {multi}, 0, 0, 0, 0, 0, 0, 1");
                let instruction = Instruction::parse(arch, &text).unwrap();
                every_bit_takes_effect(&instruction, &bench.core, &mut random);
            }
        }
    }
}

fn every_bit_takes_effect(instruction: &Instruction, core: &CoreState, random: &mut Random) {
    let mut knowing = core.clone();
    execute_as_anew(instruction, &mut knowing).unwrap();
    let bits = if is_long_run() { 32 } else { 4 };
    for word in 0..cfg::config_words(core.arch) as u32 {
        for bit in 0..bits {
            let bit = 1 << if bits == 32 { bit } else { random.below(32) };
            let mut core = knowing.clone();
            let set = &mut Default::default();
            let flipped = core.config.word(THREAD, word) ^ bit;
            if core.config.write(THREAD, word, flipped, bit, set).is_ok() {
                let _ = execute_as_anew(instruction, &mut core);
            }
        }
    }
}
