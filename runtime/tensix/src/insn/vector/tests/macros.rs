//! Tests of SFPLOADMACRO: scheduled instructions, the time of their execution, and traps.

use proptest::prelude::*;
use tessera_isa_tensix::{cfg, Arch, Instruction};

use super::{lanes, lreg, ONE};
use crate::insn::vector::{self, VectorUnit};
use crate::state::core_state::Slot;
use crate::testing::{f32_of, Bench, THREAD};
use crate::trap::Fault;

/// Returns a bench whose Dst holds, in even and odd columns, the numbers of the places as floats.
fn bench() -> Bench {
    bench_on(Arch::WormholeB0)
}

/// Returns the same bench for a given architecture.
pub(super) fn bench_on(arch: Arch) -> Bench {
    let mut bench = Bench::on(arch);
    for row in 0..64 {
        bench.put_dst32(row, std::array::from_fn(|c| f32_of((16 * row + c) as i32)));
    }
    bench.run("sfpencc 3, 0, 10");
    bench
}

/// Returns the number that a lane loads from an address.
fn place(address: i32, lane: i32) -> i32 {
    16 * (address & !3) + 16 * (lane / 8) + 2 * (lane % 8) + (address >> 1 & 1)
}

/// Sets a register to a word in all lanes.
pub(super) fn word(lreg: u32, word: u32) -> String {
    format!(
        "sfploadi {lreg}, 2, {}\n sfploadi {lreg}, 8, {}\n",
        word & 0xFFFF,
        word >> 16
    )
}

/// Configures a sequence, given the bytes of its sub-units.
fn sequence(number: u32, [simple, mad, round, store]: [u32; 4]) -> String {
    let bits = simple | mad << 8 | round << 16 | store << 24;
    format!("{}sfpconfig 0, {}, 0\n", word(0, bits), 4 + number)
}

/// Sequence bytes: the template and the delay, with the loaded register as VB, and the staging
/// register.
pub(super) const fn scheduled(template: u32, delay: u32) -> u32 {
    delay << 3 | (4 + template)
}
pub(super) const STORE: u32 = 3;
const IDLE: u32 = 2;
const AS_B: u32 = 0x80;
const STAGED: u32 = 0x40;

/// The word of an instruction, to be configured as a template.
fn encoded(text: &str) -> u32 {
    let instruction = Instruction::parse(Arch::WormholeB0, text).unwrap();
    instruction.encode(Arch::WormholeB0).unwrap()
}

fn refuses(setup: &str, text: &str, fault: &str) {
    let mut bench = bench();
    bench.run(setup);
    bench.refuses(text, fault);
}

/// Load, magnitude, store: three cycles after another.
#[test]
fn sub_units_work_one_after_another() {
    let mut bench = bench();
    bench.run("sfpsetsgn 1, 0, 12, 1");
    bench.run(&sequence(0, [scheduled(0, 0), 0, 0, 1 << 3 | STORE]));
    // Mode 0 for the store, which counts cycles, as all do.
    bench.run("sfpconfig 0, 8, 1\n sfploadmacro 2, 0, 0, 8");
    assert_eq!(lreg(&bench, 2), lanes(|l| f32_of(place(8, l))));
    bench.run("sfpnop");
    assert_eq!(lreg(&bench, 2), lanes(|l| f32_of(-place(8, l)) | 1 << 31));
    assert_eq!(bench.dst32(8)[2], f32_of(8 * 16 + 2));
    bench.run("sfpnop");
    assert_eq!(bench.dst32(8)[2], f32_of(-(8 * 16 + 2)));
    assert_eq!(bench.dst32(8)[3], f32_of(8 * 16 + 3));
    assert!(bench.core.regs.vector.schedule.is_idle());
}

/// LLK's `where` of three operands: condition, selected value and stored value share a register for
/// three cycles, in which the next row begins.
#[test]
fn a_choice_in_three_cycles() {
    let mut bench = bench();
    let condition = |row: usize, column: usize| row + column % 3 == 0 || column == 5;
    for row in 0..8 {
        bench.put_dst32(
            row,
            std::array::from_fn(|c| u32::from(condition(row % 4, c))),
        );
    }
    bench.run("sfpsetcc 0, 0, 12, 6\n sfpencc 0, 13, 0");
    bench.run(&sequence(0, [scheduled(0, 0), 0, 0, 2 << 3 | STORE]));
    bench.run(&sequence(2, [scheduled(1, 0), 0, 0, 0]));
    bench.run("sfpconfig 0x770, 8, 1");
    // Where the condition is 0, LReg 0 becomes what lies at 32; elsewhere it stays what lies at 16.
    for address in [0, 2, 4, 6] {
        bench.run(&format!(
            "sfploadmacro 0, 4, 0, {address}\n sfploadmacro 8, 4, 0, {}\n sfpload 0, 4, 0, {}",
            16 + address,
            32 + address
        ));
    }
    bench.run("sfpnop\n sfpnop");
    for row in 0..8 {
        let expected = |c: usize| {
            let from = if condition(row % 4, c) { 16 } else { 32 };
            f32_of((16 * (from + row) + c) as i32)
        };
        assert_eq!(bench.dst32(row), std::array::from_fn(expected), "row {row}");
    }
}

/// LLK's exponential: clamped by a swap with LReg 14, whose larger value goes to the loaded
/// register; then four sub-units in five cycles, one row in each.
#[test]
fn an_exponential_row_by_row() {
    let mut bench = bench().dst_width(0);
    let input = |row: usize, c: usize| (f32_of(64 - (16 * row + c) as i32 * 3) >> 16) as u16;
    (0..16).for_each(|row| bench.put_dst16(row, std::array::from_fn(|c| input(row, c))));
    let set = |lreg: u32, value: u32| format!("{}sfpconfig 0, {lreg}, 0\n", word(0, value));
    bench.run(&set(14, 0xC2B1_0000));
    bench.run(&set(12, 0x43B8_AA3B));
    bench.run(&set(13, 0x46FD_E9A3));
    bench.run(&word(0, 0x9200_00E1));
    bench.run(
        "sfpconfig 0, 0, 0\n sfpnop\n sfpmad 12, 0, 13, 13, 0\n sfpstochrnd 0, 0, 0, 0, 14, 14\n \
         sfpshft 15, 0, 15, 1",
    );
    bench.run(&sequence(1, [4, 0, 0, 0x13]));
    bench.run(&sequence(0, [0xDF, 0x85, 0x16, 0x63]));
    bench.run("sfpconfig 0, 8, 1");
    for k in 0..8 {
        bench.run(&format!(
            "sfploadmacro {}, 0, 0, {}\n sfpnop",
            4 + k % 4,
            2 * k
        ));
    }
    for k in 0..8 {
        bench.run(&format!("sfploadmacro {}, 0, 0, {}", k % 4, 2 * k));
    }
    bench.run("sfpnop\n sfpnop\n sfpnop\n sfpnop\n sfpnop");
    // The same without macros.
    let mut plain = bench_like(&bench);
    (0..16).for_each(|row| plain.put_dst16(row, std::array::from_fn(|c| input(row, c))));
    for k in 0..8 {
        plain.run(&format!(
            "sfpload 0, 0, 0, {0}\n sfpswap 14, 0, 9\n sfpnop\n sfpmad 12, 0, 13, 0, 0\n sfpnop\n \
             sfpstochrnd 0, 0, 0, 0, 0, 14\n sfpshft 15, 0, 0, 1\n sfpstore 0, 0, 0, {0}",
            2 * k
        ));
    }
    (0..16).for_each(|row| assert_eq!(bench.dst16(row), plain.dst16(row), "row {row}"));
}

/// Another bench in the same state.
pub(super) fn bench_like(bench: &Bench) -> Bench {
    Bench {
        core: bench.core.clone(),
    }
}

/// LLK's FP32 reciprocal on Blackhole: four macros in five cycles, which pass values through Dst,
/// and through the staging register while a multiply-add into it is in progress.
#[test]
fn a_reciprocal_in_five_cycles() {
    const ROWS: u32 = 8;
    let input = |row: usize, c: usize| f32_of((16 * row + c) as i32 - 70) ^ (c as u32) << 9;
    let mut bench = bench_on(Arch::Blackhole);
    (16..16 + 2 * ROWS as usize)
        .for_each(|row| bench.put_dst32(row, std::array::from_fn(|c| input(row, c))));
    bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.nth(6), 2);
    bench.core.regs.rwcs[THREAD].dst.value = 16;
    let mut plain = bench_like(&bench);
    bench.run(
        "sfparecip 0, 0, 12, 0\n sfpmad 0, 0, 0, 13, 0\n sfpmad 1, 0, 2, 14, 0\n sfpswap 10, 15, 1",
    );
    bench.run(&sequence(
        0,
        [scheduled(0, 0), 0, 0, STAGED | 6 << 3 | STORE],
    ));
    bench.run(&sequence(
        1,
        [STAGED | scheduled(0, 0), scheduled(1, 2), 0, 2 << 3 | STORE],
    ));
    bench.run(&sequence(
        2,
        [AS_B | scheduled(3, 2), scheduled(2, 0), 0, 0],
    ));
    bench.run(&sequence(
        3,
        [
            0,
            AS_B | STAGED | scheduled(2, 1),
            0,
            STAGED | 3 << 3 | STORE,
        ],
    ));
    bench.run("sfpconfig 0xff0, 8, 1");
    // Macro, register and offset; the offset -2 is that of the vector before.
    let [y, t, e] = [
        "sfploadmacro 3, 0, 7, 0",
        "sfploadmacro 9, 0, 7, 1022",
        "sfploadmacro 4, 0, 7, 0",
    ];
    let (error, z) = ("sfpmad 0, 3, 10, 0, 1", "sfploadmacro 14, 0, 6, 1022");
    for k in 0..ROWS {
        for text in [
            y,
            t,
            e,
            error,
            if k == 0 { "sfpload 7, 0, 6, 0" } else { z },
        ] {
            bench.run(text);
        }
    }
    for text in [
        "sfpnop", t, "sfpnop", error, z, "sfpnop", "sfpnop", "sfpnop", "sfpnop",
    ] {
        bench.run(text);
    }
    for _ in 0..ROWS {
        plain.run(
            "sfpload 4, 0, 7, 0\n sfparecip 0, 4, 5, 0\n sfpmad 4, 5, 10, 6, 1\n \
             sfpmad 6, 6, 6, 7, 0\n sfpmad 6, 7, 6, 7, 0\n sfpswap 10, 7, 1\n \
             sfpmad 7, 5, 5, 5, 0\n sfpstore 5, 0, 6, 0",
        );
    }
    for row in 16..16 + 2 * ROWS as usize {
        assert_eq!(bench.dst32(row), plain.dst32(row), "row {row}");
    }
    // The reciprocal of 314, except for the lower bits.
    assert_eq!(plain.dst32(24)[0] >> 8, 0x003B_50B6);
}

/// A delay in instructions counts instructions of the unit only. A delay in cycles elapses also
/// while other units' instructions are issued, unless another entry waits for instructions.
#[test]
fn delays_count_cycles_or_instructions() {
    let simple = [scheduled(0, 3), 0, 0, 0];
    for (misc, sequences, others, nops, done) in [
        (0, simple, 0, 3, false),
        (0, simple, 0, 4, true),
        (0, simple, 3, 1, true),
        (0, simple, 2, 1, false),
        (0x100, simple, 9, 3, false),
        (0x100, simple, 9, 4, true),
        (0x800, simple, 9, 1, true),
        // The store counts cycles as soon as the simple sub-unit is through.
        (0x800, [scheduled(0, 1), 0, 0, 5 << 3 | STORE], 9, 1, false),
        (0x800, [scheduled(0, 1), 0, 0, 5 << 3 | STORE], 9, 2, true),
    ] {
        let mut bench = bench();
        bench.run("sfpsetsgn 1, 0, 12, 1");
        bench.run(&sequence(0, sequences));
        bench.run(&format!("sfpconfig {misc}, 8, 1\n sfploadmacro 2, 0, 0, 8"));
        bench.core.slot.issued += others;
        for _ in 0..nops {
            bench.core.slot.issued += 1;
            bench.run("sfpnop");
        }
        let negated = lreg(&bench, 2)[0] >> 31 != 0;
        assert_eq!(
            negated, done,
            "misc {misc:#x}, {others} others, {nops} nops"
        );
    }
}

/// Without further instructions the unit executes entries with delays in cycles, but not those with
/// delays in instructions.
#[test]
fn settling() {
    for (misc, done) in [(0, true), (0x100, false)] {
        let mut bench = bench();
        bench.run("sfpsetsgn 1, 0, 12, 1");
        bench.run(&sequence(0, [scheduled(0, 3), 0, 0, 0]));
        bench.run(&format!("sfpconfig {misc}, 8, 1\n sfploadmacro 2, 0, 0, 8"));
        assert_eq!(bench.core.regs.vector.has_pending_work(), done);
        vector::settle(&mut VectorUnit::of(&mut bench.core)).unwrap();
        assert_eq!(lreg(&bench, 2)[0] >> 31 != 0, done);
        assert_eq!(bench.core.regs.vector.waiting(), usize::from(!done));
    }
}

/// A macro replaces an entry of an earlier macro for the same sub-unit and cycle.
#[test]
fn later_macros_win() {
    let mut bench = bench();
    bench.run("sfpsetsgn 1, 0, 12, 1\n sfpnot 0, 13");
    bench.run(&sequence(0, [scheduled(0, 2), 0, 0, 0]));
    bench.run(&sequence(1, [scheduled(1, 1), 0, 0, 0]));
    bench.run(&sequence(2, [0, 0, 0, 0]));
    bench.run(
        "sfpconfig 0, 8, 1\n sfploadmacro 2, 0, 0, 8\n sfploadmacro 7, 0, 0, 16\n sfpnop\n \
         sfpnop\n sfpnop",
    );
    assert_eq!(lreg(&bench, 2), lanes(|l| f32_of(place(8, l))), "forgotten");
    assert_eq!(lreg(&bench, 3), lanes(|l| !f32_of(place(16, l))));
    // A macro without an entry for the sub-unit leaves the earlier entry.
    bench.run(
        "sfploadmacro 2, 0, 0, 8\n sfploadmacro 11, 0, 0, 16\n sfploadmacro 11, 0, 0, 16\n sfpnop",
    );
    assert_eq!(lreg(&bench, 2), lanes(|l| f32_of(place(8, l)) | 1 << 31));
}

/// Loaded registers from 4 on, stores of the template's own register, modes of stores.
#[test]
fn registers_and_modes() {
    let mut bench = bench();
    bench.run(&word(0, 0x7200_0000 | 9 << 20));
    bench.run("sfpconfig 0, 0, 0");
    bench.run(&sequence(0, [0, 0, 0, AS_B | scheduled(0, 0)]));
    bench.run(&sequence(1, [0, 0, 0, STORE]));
    // The first macro stores LReg 9 in mode 4, the second what it has loaded, in its own mode.
    bench.run("sfpconfig 0x024, 8, 1\n sfploadmacro 2, 3, 0, 9\n sfpnop");
    assert_eq!(lreg(&bench, 6), lanes(|l| f32_of(place(9, l))));
    assert_eq!(bench.dst32(8)[2], 0);
    // Little fits where it stood: a store goes where the load was, though counters have moved.
    bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.nth(1), 4);
    bench.run("sfploadmacro 4, 4, 1, 12\n sfpnop");
    assert_eq!(bench.dst32(12)[4], f32_of(12 * 16 + 4));
    assert_eq!(bench.core.regs.rwcs[THREAD].dst.value, 4);
}

/// Results of operations of two cycles are available one cycle later; until then scheduled
/// instructions read the old value.
#[test]
fn late_results() {
    let mut bench = bench();
    // LReg 16 = x + 1 in the second and third cycle, beside which the store takes what LReg 16 was.
    bench.run("sfpmad 10, 0, 10, 13, 0\n sfpmov 0, 12, 1");
    bench.run(&sequence(0, [STAGED | scheduled(0, 0), 0, 0, 0]));
    bench.run(&sequence(
        1,
        [
            0,
            AS_B | STAGED | scheduled(1, 1),
            0,
            STAGED | 2 << 3 | STORE,
        ],
    ));
    bench.run(&sequence(
        2,
        [
            0,
            AS_B | STAGED | scheduled(1, 1),
            0,
            STAGED | 3 << 3 | STORE,
        ],
    ));
    bench.run("sfpconfig 0, 8, 1\n sfploadmacro 1, 0, 0, 8\n sfpnop\n sfploadmacro 5, 0, 0, 16");
    bench.run("sfpnop\n sfpnop\n sfpnop\n sfpnop");
    assert_eq!(bench.dst32(16)[2], f32_of(-(8 * 16 + 2)));
    bench.run("sfploadmacro 9, 0, 0, 24\n sfpnop\n sfpnop\n sfpnop\n sfpnop");
    assert_eq!(bench.dst32(24)[2], f32_of(24 * 16 + 3));
    // For instructions of a thread this is an error.
    let mut early = bench_like(&bench);
    early.run(&sequence(0, [0, AS_B | scheduled(1, 0), 0, 0]));
    early.run("sfploadmacro 1, 0, 0, 8\n sfpnop");
    early.refuses(
        "sfpmov 1, 2, 0",
        "hazard: SFPMOV reads LReg 1, which SFPMAD that SFPLOADMACRO has scheduled is still \
         computing; leave a cycle between them",
    );
}

#[test]
fn refusals() {
    let abs = "sfpabs 0, 12, 1\n";
    for (setup, text, fault) in [
        (
            sequence(0, [1, 0, 0, 0]),
            "sfploadmacro 0, 0, 0, 0",
            "undefined behaviour: SFPLOADMACRO of a sequence that selects instruction 1, which is \
             reserved",
        ),
        (
            sequence(0, [scheduled(2, 0), 0, 0, 0]),
            "sfploadmacro 0, 0, 0, 0",
            "undefined behaviour: SFPLOADMACRO of template 2, which is not an instruction: word \
             0x00000000: no instruction has opcode 0x00",
        ),
        (
            format!(
                "{}sfpconfig 0, 2, 0\n{}",
                word(0, encoded("ttmvmul 0, 0, 0, 0")),
                sequence(0, [0, scheduled(2, 0), 0, 0])
            ),
            "sfploadmacro 0, 0, 0, 0",
            "undefined behaviour: SFPLOADMACRO of template 2, MVMUL, which is not an instruction \
             of the vector unit",
        ),
        (
            sequence(0, [0, 0, 0, IDLE]),
            "sfploadmacro 0, 0, 0, 0",
            "undefined behaviour: SFPLOADMACRO of a sequence that gives the store sub-unit \
             something else than SFPSTORE",
        ),
        (
            format!("{abs}{}sfploadmacro 0, 0, 0, 0", sequence(0, [scheduled(0, 0), 0, 0, 0])),
            "sfpmov 9, 1, 0",
            "hazard: SFPMOV comes to the simple sub-unit together with an instruction that \
             SFPLOADMACRO has scheduled, for which the hardware discards it; put an SFPNOP before \
             it",
        ),
        (
            format!("{abs}{}sfploadmacro 0, 0, 0, 0", sequence(0, [scheduled(0, 0), 0, 0, 0])),
            "sfpstochrnd 0, 0, 9, 9, 1, 1",
            "undefined behaviour: SFPABS and SFPSTOCHRND in the same cycle; one of them, and only \
             one, must write LReg 16",
        ),
        (
            format!(
                "sfpswap 0, 12, 0\n{}sfploadmacro 0, 0, 0, 0",
                sequence(0, [scheduled(0, 0), 0, 0, 0])
            ),
            "sfpmad 9, 9, 9, 1, 0",
            "undefined behaviour: SFPMAD in the same cycle as SFPSWAP, which needs the MAD \
             sub-unit",
        ),
        (
            format!(
                "sfpswap 9, 12, 0\n{}sfploadmacro 0, 0, 0, 0\n sfpnop",
                sequence(0, [AS_B | scheduled(0, 0), 0, 0, 0])
            ),
            "sfpmov 9, 1, 0",
            "undefined behaviour: SFPMOV in the second cycle of SFPSWAP that SFPLOADMACRO has \
             scheduled; leave a cycle between them",
        ),
        (
            format!(
                "sfpswap 9, 12, 0\n{}sfploadmacro 0, 0, 0, 0",
                sequence(0, [AS_B | scheduled(0, 0), 0, 0, 0])
            ),
            "sfpload 0, 0, 0, 0",
            "undefined behaviour: SFPLOAD writes LReg 0 between the two cycles of an SFPSWAP, \
             which reads it in both",
        ),
        (
            format!(
                "sfpshft2 0, 0, 12, 3\n{}sfploadmacro 0, 0, 0, 0\n sfpnop",
                sequence(0, [0, 0, scheduled(0, 0), 0])
            ),
            "sfpmov 9, 1, 0",
            "undefined behaviour: SFPMOV in the second cycle of SFPSHFT2 that SFPLOADMACRO has \
             scheduled; leave a cycle between them",
        ),
        (
            format!("{abs}{}sfploadmacro 0, 0, 0, 0", sequence(0, [scheduled(0, 0), 0, 0, 0])),
            "sfpload 0, 0, 0, 0",
            "undefined behaviour: SFPLOAD and SFPABS that SFPLOADMACRO has scheduled write LReg 0 \
             in the same cycle",
        ),
        (
            format!(
                "sfpmov 0, 12, 8\n sfpstochrnd 0, 0, 0, 0, 13, 1\n{}sfploadmacro 0, 0, 0, 0",
                sequence(0, [scheduled(0, 0), 0, STAGED | scheduled(1, 0), 0])
            ),
            "sfpnop",
            "undefined behaviour: two instructions draw random bits in the same cycle; no document \
             says which get them",
        ),
        (
            format!(
                "sfplz 0, 12, 1\n{}sfploadmacro 0, 0, 0, 0",
                sequence(0, [scheduled(0, 0), 0, 0, 0])
            ),
            "sfpnop",
            "not modelled: SFPLZ that SFPLOADMACRO has scheduled: SFPLZ in mode 1; modelled: sums \
             of 2 (flags), 4 (without sign), 8 (inverted flags)",
        ),
        (
            format!(
                "sfpxor 0, 12\n{}sfploadmacro 0, 0, 0, 0",
                sequence(0, [scheduled(0, 0), 0, 0, 0])
            ),
            "sfpnop",
            "undefined behaviour: SFPXOR that SFPLOADMACRO has scheduled: reads lane 0 of LReg 12, \
             which nothing has written; load it first",
        ),
        (
            format!(
                "{}sfpconfig 0, 0, 0\n{}sfploadmacro 0, 0, 0, 0",
                word(0, encoded("sfpconfig 0, 11, 0")),
                sequence(0, [STAGED | scheduled(0, 0), 0, 0, 0])
            ),
            "sfpnop",
            "undefined behaviour: SFPCONFIG that SFPLOADMACRO has scheduled: SFPCONFIG scheduled \
             with LReg 16 as its destination",
        ),
    ] {
        refuses(&setup, text, fault);
    }
}

/// A result that depends on the time at which a thread's instructions arrive is a hazard, unless
/// they belong to the same MOP or REPLAY.
#[test]
fn instructions_that_may_be_overtaken() {
    let shares = |what: &str, who: &str| {
        format!(
            "hazard: {who} that SFPLOADMACRO has scheduled shares {what} with an instruction that \
             may be issued in its time or later; let it wait for instructions, or issue both by \
             one REPLAY"
        )
    };
    for (misc, byte, template, program, expect) in [
        // The register is written before it is read, if nothing is late.
        (
            0,
            scheduled(0, 2),
            "sfpabs 0, 12, 1",
            vec!["sfpmov 9, 2, 0", "sfpmov 10, 0, 0", "sfpnop", "sfpnop"],
            Some(("LReg 0", "SFPABS")),
        ),
        (
            0,
            scheduled(0, 2),
            "sfpabs 0, 12, 1",
            vec!["sfpmov 9, 2, 0", "sfpnop", "sfpnop", "sfpnop"],
            None,
        ),
        (
            0x100,
            scheduled(0, 2),
            "sfpabs 0, 12, 1",
            vec!["sfpmov 9, 2, 0", "sfpmov 10, 0, 0", "sfpnop", "sfpnop"],
            None,
        ),
        (
            0,
            scheduled(0, 2),
            "sfpsetcc 0, 0, 12, 0",
            vec!["sfpnop", "sfpmov 9, 2, 0", "sfpnop"],
            Some(("lane flags or configuration", "SFPSETCC")),
        ),
        // In the same cycle: what is read may be written.
        (
            0,
            scheduled(0, 0),
            "sfpabs 0, 12, 1",
            vec!["sfpstore 0, 4, 0, 32"],
            Some(("LReg 0", "SFPABS")),
        ),
        (
            0,
            scheduled(0, 0) | STAGED,
            "sfpabs 0, 12, 1",
            vec!["sfploadi 0, 2, 1"],
            None,
        ),
    ] {
        let mut bench = bench();
        bench.run(template);
        bench.run(&sequence(0, [byte, 0, 0, 0]));
        bench.run(&format!("sfpconfig {misc}, 8, 1\n sfploadmacro 0, 0, 0, 0"));
        let mut outcome = Ok(());
        for (k, text) in program.iter().enumerate() {
            bench.core.slot = Slot {
                issued: 1 + k as u64,
                entry: 1 + k,
            };
            outcome = outcome.and_then(|()| bench.try_run(text));
        }
        let expected = expect.map_or(Ok(()), |(what, who)| Err(shares(what, who)));
        assert_eq!(outcome, expected, "{template}, misc {misc:#x}, {program:?}");
    }
    // Datums of Dst.
    for (address, expect) in [(0, true), (2, false), (4, false)] {
        let mut bench = bench();
        bench.run(&sequence(0, [0, 0, 0, 1 << 3 | STORE]));
        bench.run("sfpconfig 0, 8, 1\n sfploadmacro 0, 0, 0, 0");
        bench.core.slot.entry = 1;
        bench.run(&format!("sfpload 1, 0, 0, {address}"));
        let outcome = bench.try_run("sfpnop");
        assert_eq!(
            outcome.err(),
            expect.then(|| shares("the same datums of Dst", "SFPSTORE"))
        );
    }
}

/// A fault leaves the unit such that the next instruction writes for itself.
#[test]
fn faults_end_a_cycle() {
    let mut bench = bench();
    bench.run("sfplz 0, 12, 1");
    bench.run(&sequence(0, [scheduled(0, 0), 0, 0, 0]));
    bench.run("sfploadmacro 0, 0, 0, 0");
    assert!(bench.try_run("sfpnop").is_err());
    bench.run("sfpmov 10, 3, 0");
    assert_eq!(lreg(&bench, 3), [ONE; 32]);
    let fault = vector::settle(&mut VectorUnit::of(&mut bench.core));
    assert_eq!(fault, Ok::<(), Fault>(()));
}

/// An instruction that can be scheduled: as a template, and as issued by a thread with given source
/// and destination registers.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) template: String,
    plain: fn(u32, u32) -> String,
    pub(super) byte: u32,
}

/// Returns one of a sub-unit's instructions.
pub(super) fn step(unit: usize, choice: usize) -> Step {
    let (template, plain, byte): (&str, fn(u32, u32) -> String, u32) = match (unit, choice % 4) {
        (0, 0) => ("sfpabs 0, 12, 1", |x, d| format!("sfpabs {x}, {d}, 1"), 0),
        (0, 1) => (
            "sfpiadd 77, 0, 12, 5",
            |x, d| format!("sfpiadd 77, {x}, {d}, 5"),
            0,
        ),
        (0, 2) => (
            "sfpsetman 0x765, 0, 12, 1",
            |x, d| format!("sfpsetman 0x765, {x}, {d}, 1"),
            0,
        ),
        (0, _) => (
            "sfpsetsgn 0, 14, 12, 0",
            |x, d| format!("sfpmov {x}, {d}, 0\n sfpsetsgn 0, 14, {d}, 0"),
            AS_B,
        ),
        (1, 0) => (
            "sfpmad 11, 0, 12, 13, 0",
            |x, d| format!("sfpmad 11, {x}, 12, {d}, 0"),
            AS_B,
        ),
        (1, 1) => (
            "sfpmad 13, 14, 0, 13, 0",
            |x, d| format!("sfpmad 13, 14, {x}, {d}, 0"),
            0,
        ),
        (1, 2) => (
            "sfpadd 10, 0, 11, 13, 0",
            |x, d| format!("sfpadd 10, {x}, 11, {d}, 0"),
            AS_B,
        ),
        (1, _) => (
            "sfpmuli 0x4040, 13, 0",
            |x, d| format!("sfpmov {x}, {d}, 0\n sfpmuli 0x4040, {d}, 0"),
            0,
        ),
        (_, 0) => (
            "sfpstochrnd 0, 0, 0, 0, 14, 1",
            |x, d| format!("sfpstochrnd 0, 0, 0, {x}, {d}, 1"),
            0,
        ),
        (_, 1) => (
            "sfpstochrnd 0, 0, 0, 0, 14, 7",
            |x, d| format!("sfpstochrnd 0, 0, 0, {x}, {d}, 7"),
            0,
        ),
        (_, 2) => (
            "sfpshft2 0, 15, 14, 5",
            |x, d| format!("sfpshft2 {x}, 15, {d}, 5"),
            AS_B,
        ),
        (_, _) => (
            "sfpstochrnd 0, 3, 0, 0, 14, 13",
            |x, d| format!("sfpstochrnd 0, 3, 0, {x}, {d}, 13"),
            0,
        ),
    };
    Step {
        template: template.into(),
        plain,
        byte,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A macro has the effect of its instructions one by one; so have six macros, issued one per
    /// cycle.
    #[test]
    fn macros_are_their_instructions(
        order in Just(vec![0_usize, 1, 2]).prop_shuffle(),
        count in 0_usize..=3,
        choices: [usize; 3],
        staged: bool,
        by_instructions in 0_u32..16,
        macros in 1_u32..=6,
        arch in prop::sample::select(Arch::ALL.to_vec()),
    ) {
        let mut units: Vec<usize> = order[..count].to_vec();
        // The simple and the round sub-unit at a time must not write alike: one of them goes to the
        // staging register, at the end.
        let both = units.contains(&0) && units.contains(&2);
        if both && units[count - 1] == 1 {
            units.swap(count - 1, count - 2);
        }
        let staged = (staged || both) && count > 0;
        let mut bytes = [0; 4];
        let mut setup = String::new();
        let mut plain = String::new();
        let mut delay = 0;
        let spare = 7;
        for (k, &unit) in units.iter().enumerate() {
            let step = step(unit, choices[unit]);
            let last = k + 1 == count && staged;
            setup += &format!("{}\n", step.template);
            bytes[unit] = step.byte | scheduled(unit as u32, delay) | if last { STAGED } else { 0 };
            plain += &format!("{}\n sfpnop\n", (step.plain)(6, if last { spare } else { 6 }));
            delay += if unit == 1 { 2 } else { 1 };
        }
        bytes[3] = delay << 3 | STORE | if staged { STAGED } else { 0 };
        plain += &format!("sfpstore {}, 4, 0, {{}}\n", if staged { spare } else { 6 });
        let set = |lreg: u32, value: u32| format!("{}sfpconfig 0, {lreg}, 0\n", word(0, value));
        let mut bench = bench_on(arch);
        bench.run("sfploadi 7, 2, 0");
        let values = [0x3F9D_70A4, 0xC2C8_0001, 0x4049_0FDB, 0xC52A_AAAB];
        for (lreg, value) in (11..).zip(values) {
            bench.run(&set(lreg, value));
        }
        bench.run(&setup);
        bench.run(&sequence(0, bytes));
        bench.run(&format!("sfpconfig {}, 8, 1", by_instructions << 8 | 4));
        let mut one_by_one = bench_like(&bench);
        for k in 0..macros {
            let address = 8 * k + 4 * (k & 1);
            bench.run(&format!("sfploadmacro {}, 3, 0, {}", k % 4, address | k >> 2));
            let plain = plain.replace("{}", &address.to_string());
            one_by_one.run(&format!("sfpload 6, 3, 0, {address}\n {plain}"));
        }
        (0..9).for_each(|_| bench.run("sfpnop"));
        prop_assert!(bench.core.regs.vector.schedule.is_idle());
        for row in 0..64 {
            prop_assert_eq!(bench.dst32(row), one_by_one.dst32(row), "row {} of {}", row, &setup);
        }
    }
}
