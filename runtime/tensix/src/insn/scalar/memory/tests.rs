//! Tests of single instructions.

use tessera_isa_tensix::{Arch, Instruction};

use super::Request;
use crate::arith::spec::bits;
use crate::insn::table::traits;
use crate::insn::traits::WaitsInside;
use crate::state::banks::Src;
use crate::state::core_state::CoreState;
use crate::testing::{Bench, THREAD};
use crate::trap::Fault;

const LINE: u32 = 0x1000;

/// Returns whether an instruction no longer has to wait inside the scalar unit.
fn is_ready(instruction: &Instruction, thread: usize, core: &mut CoreState) -> Result<bool, Fault> {
    match traits(instruction.opcode()).waits_inside {
        WaitsInside::ForMemory(is_ready) => {
            is_ready(instruction, &core.gprs[thread], &mut core.l1, &core.banks)
        }
        other => panic!("{instruction:?} waits for {other:?}"),
    }
}

/// Returns a bench with 64 bytes of L1 from [`LINE`] on that count from 0x40. GPR 8 numbers the
/// line, GPR 9 holds offset 6 in the low and 0xfffe in the high half, GPRs 12 to 15 hold
/// 0x1111_000c and so on.
fn bench(arch: Arch) -> Bench {
    let mut bench = Bench::on(arch);
    let bytes: Vec<u8> = (0x40..0x80).collect();
    bench.core.l1.write(LINE, &bytes).unwrap();
    let gprs = &mut bench.core.gprs[THREAD];
    gprs.set(8, LINE / 16);
    gprs.set(9, 0xfffe_0006);
    (12..16).for_each(|k| gprs.set(k, 0x1111_0000 | k));
    bench
}

fn gpr(bench: &mut Bench, register: u32) -> u32 {
    bench.core.gprs[THREAD].end_loads();
    bench.core.gprs[THREAD].get(register).unwrap()
}

fn word(bench: &mut Bench, address: u32) -> u32 {
    bench.core.l1.peek_word(address).unwrap()
}

#[test]
fn loads() {
    Arch::ALL.into_iter().for_each(check_loads);
}

fn check_loads(arch: Arch) {
    // Instruction, GPR 12 afterwards, the low half of GPR 9.
    for (text, result, offset) in [
        ("ttloadind 1, 18, 0, 12, 8", 0x4746_4544, 6),
        ("ttloadind 1, 18, 1, 12, 8", 0x4746_4544, 8),
        ("ttloadind 2, 18, 2, 12, 8", 0x1111_4746, 10),
        ("ttloadind 3, 18, 3, 12, 8", 0x1111_0046, 22),
        ("ttloadind 0, 18, 0, 14, 8", 0x4342_4140, 6),
    ] {
        let mut bench = bench(arch);
        bench.run(text);
        assert_eq!(gpr(&mut bench, 12), result, "{text}");
        assert_eq!(bench.core.gprs[THREAD].get_half(18), Ok(offset), "{text}");
    }
    let mut bench = bench(arch);
    bench.run("ttloadind 0, 18, 0, 14, 8");
    assert_eq!(gpr(&mut bench, 15), 0x4f4e_4d4c);
    // The offset wraps as 16 bits.
    bench.core.gprs[THREAD].set(8, 0);
    bench.core.l1.write(0xfff0, &[7; 16]).unwrap();
    bench.run("ttloadind 1, 19, 1, 12, 8");
    assert_eq!((gpr(&mut bench, 12), gpr(&mut bench, 9)), (0x0707_0707, 6));
}

#[test]
fn a_load_is_waited_for() {
    Arch::ALL.into_iter().for_each(check_a_load_is_waited_for);
}

fn check_a_load_is_waited_for(arch: Arch) {
    let mut bench = bench(arch);
    bench.run("ttloadind 1, 18, 0, 12, 8");
    let hazard = "hazard: uses GPR 12, whose load may still be on its way; put a STALLWAIT or \
                  FLUSHDMA with C0 between them";
    for text in [
        "ttadddmareg 1, 13, 0, 12",
        "ttadddmareg 1, 12, 0, 13",
        "ttsetdmareg 0, 0, 0, 24",
        "ttwrcfg 12, 0, 57",
        "ttrdcfg 12, 57",
        "ttloadreg 12, 0x10000",
        "ttstorereg 12, 0x10000",
    ] {
        bench.refuses(text, hazard);
    }
}

#[test]
fn stores_to_l1() {
    Arch::ALL.into_iter().for_each(check_stores_to_l1);
}

fn check_stores_to_l1(arch: Arch) {
    // Instruction, the words of the line.
    for (text, words) in [
        (
            "ttstoreind 1, 0, 1, 18, 1, 13, 8",
            [0x4342_4140, 0x1111_000d, 0x4b4a_4948, 0x4f4e_4d4c],
        ),
        (
            "ttstoreind 1, 1, 0, 18, 0, 13, 8",
            [0x4342_4140, 0x000d_4544, 0x4b4a_4948, 0x4f4e_4d4c],
        ),
        (
            "ttstoreind 1, 1, 1, 18, 0, 13, 8",
            [0x4342_4140, 0x470d_4544, 0x4b4a_4948, 0x4f4e_4d4c],
        ),
        (
            "ttstoreind 1, 0, 0, 18, 0, 13, 8",
            [0x1111_000c, 0x1111_000d, 0x1111_000e, 0x1111_000f],
        ),
        (
            "ttatswap 0, 0x81, 13, 8",
            [0x4342_000c, 0x4746_4544, 0x4b4a_4948, 0x1111_4d4c],
        ),
        (
            "ttatcas 0, 5, 2, 1, 8",
            [0x4342_4140, 5, 0x4b4a_4948, 0x4f4e_4d4c],
        ),
    ] {
        let mut bench = bench(arch);
        bench.run(text);
        let line = [0, 4, 8, 12].map(|at| word(&mut bench, LINE + at));
        assert_eq!(line, words, "{text}");
    }
}

#[test]
fn atomics() {
    Arch::ALL.into_iter().for_each(check_atomics);
}

fn check_atomics(arch: Arch) {
    // Width − 1 of the counter, the increment, the word afterwards.
    for (width, increment, expect) in [
        (31, 0xc0_0000, 0x4802_4140),
        (7, 0xc1, 0x4742_4101),
        (15, 0xffff, 0x4742_413f),
        (0, 3, 0x4742_4141),
    ] {
        let mut bench = bench(arch);
        bench
            .core
            .l1
            .write(LINE + 4, &0x4742_4140u32.to_le_bytes())
            .unwrap();
        bench.core.gprs[THREAD].set(12, increment);
        bench.run(&format!("ttatincget 0, {width}, 1, 12, 8"));
        assert_eq!(word(&mut bench, LINE + 4), expect, "width {width}");
        assert_eq!(gpr(&mut bench, 12), 0x4742_4140);
    }
}

#[test]
fn fifo_counters() {
    Arch::ALL.into_iter().for_each(check_fifo_counters);
}

fn check_fifo_counters(arch: Arch) {
    // Read and write counter of a FIFO of 8 (4-bit counters), operands, whether the instruction can
    // proceed, the counters afterwards.
    for (read, write, operands, ready, after) in [
        (3, 3, "0, 1, 4, 0", false, (3, 3)),
        (3, 4, "0, 1, 4, 0", true, (5, 4)),
        (3, 11, "0, 0, 4, 1", false, (3, 11)),
        (3, 10, "0, 0, 4, 1", true, (3, 11)),
        (8, 15, "0, 0, 4, 1", true, (8, 0)),
        (3, 4, "1, 0, 4, 1", true, (3, 4)),
        (0, 0x8000, "0, 0, 0, 1", false, (0, 0x8000)),
    ] {
        let mut bench = bench(arch);
        for (at, value) in [(0, read), (4, write)] {
            let value: u32 = value;
            bench
                .core
                .l1
                .write(LINE + at, &value.to_le_bytes())
                .unwrap();
        }
        let text = format!("ttatincgetptr 0, {operands}, 12, 8");
        let instruction = Instruction::parse(bench.core.arch, &text).unwrap();
        assert_eq!(
            is_ready(&instruction, THREAD, &mut bench.core),
            Ok(ready),
            "{text}"
        );
        if ready {
            bench.run(&text);
            let old = if operands.ends_with('0') { read } else { write };
            assert_eq!(bench.core.gprs[THREAD].get(12), Ok(old), "{text}");
        }
        assert_eq!(
            (word(&mut bench, LINE), word(&mut bench, LINE + 4)),
            after,
            "{text}"
        );
    }
    let compare = |value: u32| {
        let mut bench = bench(arch);
        let text = format!("ttatcas 0, 1, {value}, 2, 8");
        let instruction = Instruction::parse(bench.core.arch, &text).unwrap();
        bench.core.l1.write(LINE + 8, &[3, 0, 0, 0]).unwrap();
        is_ready(&instruction, THREAD, &mut bench.core).unwrap()
    };
    assert_eq!([2, 3].map(compare), [false, true]);
}

#[test]
fn registers() {
    Arch::ALL.into_iter().for_each(check_registers);
}

fn check_registers(arch: Arch) {
    let store = |address, value| Some(Request::Store { address, value });
    let load = Some(Request::Load {
        address: 0xffb4_0000,
        thread: THREAD,
        register: 12,
    });
    for (text, expect) in [
        ("ttstorereg 13, 0x10000", store(0xffb4_0000, 0x1111_000d)),
        ("ttloadreg 12, 0x10000", load),
        // 0x60006 / 16 + GPR 10 = 0x4_0003, to a word.
        (
            "ttstoreind 0, 1, 0, 22, 3, 13, 10",
            store(0xffb4_0010, 0x1111_000d),
        ),
    ] {
        let mut bench = bench(arch);
        bench.core.gprs[THREAD].set(10, 0x4_0003);
        bench.core.gprs[THREAD].set(11, 0x106);
        bench.run(text);
        assert_eq!(bench.core.request, expect, "{text}");
    }
}

#[test]
fn datums_to_src() {
    Arch::ALL.into_iter().for_each(check_datums_to_src);
}

fn check_datums_to_src(arch: Arch) {
    for (text, src, row, column) in [
        // GPR 8 indexes groups of four datums; four rows lower in SrcA.
        ("ttstoreind 0, 0, 0, 20, 0, 12, 11", Src::A, Some(5), 8),
        ("ttstoreind 0, 0, 1, 20, 0, 12, 11", Src::B, Some(9), 8),
        ("ttstoreind 0, 0, 0, 20, 0, 12, 16", Src::A, None, 0),
    ] {
        let mut bench = bench(arch);
        let gprs = &mut bench.core.gprs[THREAD];
        gprs.set(10, 0);
        gprs.set(11, 9 * 4 + 2);
        gprs.set(16, 15);
        gprs.set(12, 0x3fc0_407f);
        bench.run(text);
        let Some(row) = row else {
            assert!(bench.core.regs.src(src).row(0, 0).is_err(), "{text}");
            continue;
        };
        // The other datums of the row have not been written.
        assert!(bench.core.regs.src(src).row(0, row).is_err(), "{text}");
        let file = bench.core.regs.src_mut(src);
        let others = (0..16).filter(|c| !(column..column + 2).contains(c));
        others.for_each(|c| file.write(0, row, c, 7));
        let expect = [0x3fc0, 0x3fc0].map(bits::src_from_bf16);
        let datums = file.row(0, row).unwrap();
        assert_eq!(datums[column..column + 2], expect, "{text}");
    }
}

#[test]
fn refusals() {
    Arch::ALL.into_iter().for_each(check_refusals);
}

fn check_refusals(arch: Arch) {
    let end = arch.l1_bytes();
    let beyond = format!(
        "undefined behaviour: L1 bytes 0x111000d0 to 0x111000d4 are beyond its end {end:#x}"
    );
    for (text, fault) in [
        (
            "ttstorereg 13, 0x4000",
            "undefined behaviour: accesses the register 0xffb10000; those from 0xffb11000 on can \
             be",
        ),
        (
            "ttstoreind 0, 1, 1, 18, 0, 13, 8",
            "undefined behaviour: STOREIND with mem_hier_sel 0, size_sel 1 and reg_size_sel 1; see \
             its three forms",
        ),
        (
            "ttatincget 1, 0, 0, 12, 8",
            "undefined behaviour: an atomic instruction with mem_hier_sel = 1",
        ),
        (
            "ttstoreind 0, 0, 1, 18, 0, 12, 13",
            "undefined behaviour: STOREIND to SrcB at index 0x1000d, beyond its 16 rows",
        ),
        (
            "ttstoreind 0, 0, 0, 18, 0, 12, 13",
            "undefined behaviour: STOREIND to SrcA at index 0x1000d, beyond its 16 rows",
        ),
        (
            "ttloadind 1, 20, 0, 12, 8",
            "undefined behaviour: reads the low half of GPR 10, which this kernel has not written",
        ),
        ("ttatincget 0, 0, 0, 12, 13", &beyond),
    ] {
        bench(arch).refuses(text, fault);
    }
}
