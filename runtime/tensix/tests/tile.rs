//! Tests of kernels as RISC-V images: the same bits as the list programs, hazards, traps,
//! deadlocks.

mod common;
mod images;

use common::mutants::check_mutants;
use common::{noise, program, run, run_by, tile, Tile};
use images::{
    boot, launch, of_dm, of_lists, start, start_with_noc, Code, CONFIG, CONTROL_LINES, GPRS, NOC,
    PC_BUF, SOFT_RESET,
};
use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::{Arch, Opcode};
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::tile::map::{DONE, ERR, LINES};
use tessera_tensix::{Launch, Machine};
use tessera_test_support::is_long_run;

const ONE_TILE: &str = include_str!("programs/matmul_one_tile.tensix");
const THREE_TILES: &str = include_str!("programs/matmul_three_tiles.tensix");

type Outcome = Result<Vec<Tile>, String>;

fn run_images(
    images: &[Vec<u32>; 5],
    lists: &Lists,
    inputs: &[&[Tile]],
    seed: u64,
    order: Option<u64>,
) -> Outcome {
    run_by(inputs, 1, |machine, args| {
        machine.run_images(&launch(images, lists, args, order), seed)
    })
    .map(|(out, _)| out)
    .map_err(|trap| trap.to_string())
}

/// Returns schedules with memory in order, then as many with weakly ordered memory: 20 of each,
/// 2000 in long tests.
fn runs() -> impl Iterator<Item = (u64, Option<u64>)> {
    let count = if is_long_run() { 2000 } else { 20 };
    let in_order = (0..count).map(|seed| (seed, None));
    in_order.chain((0..count).map(|seed| (seed, Some(seed))))
}

/// Returns inputs of `pages` tiles.
fn inputs(pages: u64) -> [Vec<Tile>; 2] {
    [1, 100].map(|seed| {
        (0..pages)
            .map(|t| tile(|i, j| noise(seed + t, i, j)))
            .collect()
    })
}

#[test]
fn images_do_what_lists_do() {
    for (text, reads, writes) in [(ONE_TILE, 1, 1), (THREE_TILES, 6, 3)] {
        let lists = program(text);
        let [a, b] = inputs(reads);
        let (expect, stats) = run(&lists, &[&a, &b], writes, 0).unwrap();
        let images = of_lists(&lists);
        for (seed, order) in runs() {
            let (out, by_images) = run_by(&[&a, &b], writes, |machine, args| {
                machine.run_images(&launch(&images, &lists, args, order), seed)
            })
            .unwrap_or_else(|trap| panic!("{writes} tiles, {seed}, {order:?}: {trap}"));
            assert_eq!(out, expect, "{writes} tiles, {seed}, {order:?}");
            assert_eq!(by_images.count(Opcode::Mvmul), stats.count(Opcode::Mvmul));
            if writes == 1 {
                // The math thread never polls.
                assert_eq!(by_images.retired()[2], images[2].len() as u64);
            }
            // B's marker is one instruction more.
            assert_eq!(by_images.total(), stats.total() + 1);
        }
    }
}

/// As with lists, no wait, post or flip of the kernel is redundant. Cores take many more steps than
/// lists, so that data movement is rarely late; more schedules are needed to show it.
#[test]
fn nothing_that_synchronises_can_be_left_out() {
    let lists = program(THREE_TILES);
    let [a, b] = inputs(6);
    let expect = run(&lists, &[&a, &b], 3, 0).unwrap().0;
    check_mutants(&lists, &[], |mutant, seed| {
        let images = of_lists(mutant);
        let mut schedules = (0..4).map(|k| seed + 100 * k);
        schedules.all(|seed| {
            let out = run_by(&[&a, &b], 3, |machine, args| {
                machine.run_images(&launch(&images, mutant, args, Some(seed)), seed)
            });
            out.is_ok_and(|(out, _)| out == expect)
        })
    });
}

/// Runs a program in which NC moves the pages instead of the data movement list.
fn run_with_noc(text: &str, reads: u64, writes: u32, seed: u64, waits: bool) -> Outcome {
    let lists = program(text);
    let [a, b] = inputs(reads);
    run_by(&[&a, &b], writes, |machine, args| {
        let mut images = of_lists(&lists);
        images[4] = of_dm(&lists.dm, args, waits).words();
        let mut launch = launch(&images, &lists, args, Some(seed));
        launch.dm = &[];
        machine.run_images(&launch, seed)
    })
    .map(|(out, _)| out)
    .map_err(|trap| trap.to_string())
}

#[test]
fn pages_move_through_the_noc() {
    for (text, reads, writes) in [(ONE_TILE, 1, 1), (THREE_TILES, 6, 3)] {
        let [a, b] = inputs(reads);
        let expect = run(&program(text), &[&a, &b], writes, 0).unwrap().0;
        for seed in 0..50 {
            let out = run_with_noc(text, reads, writes, seed, true);
            assert_eq!(out.as_ref(), Ok(&expect), "seed {seed}");
        }
        let late = (0..50)
            .filter(|&seed| run_with_noc(text, reads, writes, seed, false).as_ref() != Ok(&expect));
        assert_ne!(
            late.count(),
            0,
            "nobody notices that pages are not waited for"
        );
    }
}

/// Returns the one-tile program with the address of unpacker 1 (word 104) stored to Config by T0
/// instead of written in band.
fn with_config_store(guard: impl Fn(Code) -> Code) -> [Vec<u32>; 5] {
    let mut images = of_lists(&program(ONE_TILE));
    let in_band = Code::default().push("ttwrcfg 16, 0, 104").words()[0];
    let at = images[1].iter().position(|&word| word == in_band).unwrap();
    let code = guard(Code::default().store(CONFIG + 4 * 104, 6399));
    // The code is position-independent and has no branches, so it can be inserted anywhere.
    images[1].splice(at..=at, code.words());
    images
}

#[test]
fn stores_to_configuration_have_to_be_waited_for() {
    let lists = program(ONE_TILE);
    let [a, b] = inputs(1);
    let expect = Ok(run(&lists, &[&a, &b], 1, 0).unwrap().0);
    let waits: [fn(Code) -> Code; 2] = [|code| code.push("ttstallwait 8, 8192"), Code::read_back];
    for wait in waits {
        let images = with_config_store(wait);
        for (seed, order) in runs() {
            let out = run_images(&images, &lists, &[&a, &b], seed, order);
            assert_eq!(out, expect, "{seed}, {order:?}");
        }
    }
    for short in [|code| code, |code: Code| code.push("ttstallwait 8, 4")] {
        let images = with_config_store(short);
        for seed in 0..20 {
            let error = run_images(&images, &lists, &[&a, &b], seed, None).unwrap_err();
            let hazard = "hazard: uses configuration word 104, which the RISC-V core stores \
                          without a wait; put a STALLWAIT with C13 between them, or read the word \
                          back";
            assert!(error.contains(hazard), "{error}");
        }
    }
}

/// Runs images under 20 schedules, which must all agree, and returns the outcome.
fn outcome(images: &[Code; 5], order: bool) -> Result<(), String> {
    let images = images.each_ref().map(Code::words);
    let mut outcomes = (0..20).map(|seed| end_of(&images, order, seed));
    let first = outcomes.next().unwrap();
    for other in outcomes {
        assert_eq!(other, first);
    }
    first
}

/// Returns the errors of images under 100 schedules.
fn errors_of(images: &[Vec<u32>; 5], order: bool) -> Vec<String> {
    let outcomes = (0..100).map(|seed| end_of(images, order, seed));
    outcomes.filter_map(Result::err).collect()
}

/// Runs images under one schedule and returns the outcome; `order` selects weakly ordered memory.
fn end_of(images: &[Vec<u32>; 5], order: bool, seed: u64) -> Result<(), String> {
    let mut machine = Machine::new(Arch::WormholeB0);
    let launch = launch_of(images, order.then_some(seed));
    let result = machine.run_images(&launch, seed);
    result.map(|_| ()).map_err(|trap| trap.to_string())
}

fn launch_of(images: &[Vec<u32>; 5], order: Option<u64>) -> Launch<'_> {
    Launch {
        images: images.each_ref().map(Vec::as_slice),
        args: [CONTROL_LINES; 5],
        dm: &[],
        tensors: &[],
        order,
        limit: 10_000,
    }
}

fn code() -> Code {
    Code::default()
}

/// Returns images in which B boots and one core runs `code`; the others end immediately.
fn one(core: usize, code: Code) -> [Code; 5] {
    let mut images = std::array::from_fn(|k| Code::default().end(k as u32));
    images[0] = boot(&[]);
    images[core] = code;
    images
}

/// Checks that a core running `code` traps with `expect`, with memory in order and weakly ordered.
fn check_trap(core: usize, code: Code, expect: &str) {
    for order in [false, true] {
        assert_eq!(
            outcome(&one(core, code.clone()), order),
            Err(expect.to_owned())
        );
    }
}

#[test]
fn boot_and_end() {
    for order in [false, true] {
        assert_eq!(outcome(&one(4, code().end(4)), order), Ok(()));
    }
}

/// Without the read-back, B's first store may take effect after the instructions it pushes next,
/// and undo them.
#[test]
fn stores_need_their_order() {
    let mut images = one(4, code().end(4));
    assert_eq!(
        images[0].0.drain(5..7).map(|i| i.op).collect::<Vec<_>>(),
        [Op::Lw, Op::Andi]
    );
    assert_eq!(outcome(&images, false), Ok(()));
    let images = images.each_ref().map(Code::words);
    let errors = errors_of(&images, true);
    assert!((1..100).contains(&errors.len()), "{}", errors.len());
    for error in errors {
        assert!(
            error.contains("core B polls 0xffe000f0 in the loop at pc"),
            "{error}"
        );
    }
}

/// Returns a word load from `addr`.
fn load(addr: u32) -> Code {
    code().li(7, addr).add(&[I::i(Op::Lw, 5, 7, 0)]).halt()
}

#[test]
fn places_that_are_refused() {
    let store = |addr| code().store(addr, 0).halt();
    let lw = "pc 0xa008, `lw x5, 0(x7)`";
    let sw = "pc 0xa010, `sw x5, 0(x7)`";
    let t1: &[(Code, String)] = &[
        (
            load(NOC + 8),
            format!("{lw}: not modelled: this register of NoC 0 (0xffb20008)"),
        ),
        (
            store(NOC + 0x2c),
            format!("{sw}: not modelled: this register of NoC 0 (0xffb2002c)"),
        ),
        (
            load(NOC + 0x1_0300),
            format!("{lw}: not modelled: this register of NoC 1 (0xffb30300)"),
        ),
        (
            load(NOC + 0x2fc),
            format!("{lw}: not modelled: this register of NoC 0 (0xffb202fc)"),
        ),
        (
            load(0xffb1_1018),
            format!(
                "{lw}: not modelled: reads this register of TDMA-RISC (0xffb11018); \
                 what packers and unpackers report there is not known"
            ),
        ),
        (
            load(0xffb4_0080),
            format!(
                "{lw}: not modelled: register 32 of stream 0 of the NoC overlay \
                 (0xffb40080)"
            ),
        ),
        (
            load(0xffb1_3000),
            format!("{lw}: undefined behaviour: reads 0xffb13000, which is not mapped for core T1"),
        ),
        (
            load(0xffb9_0000),
            format!("{lw}: undefined behaviour: reads 0xffb90000, which is not mapped for core T1"),
        ),
        (
            load(0xffc0_0000),
            format!("{lw}: undefined behaviour: reads 0xffc00000, which is not mapped for core T1"),
        ),
        (
            store(NOC + 0x28),
            format!(
                "{sw}: undefined behaviour: writes 0x0 to NOC_CMD_CTRL; a request \
                 is a 1"
            ),
        ),
        (
            load(0xffb1_2000),
            format!(
                "{lw}: not modelled: debug registers other than the soft reset, the \
                 clock and the reading of configuration (0xffb12000)"
            ),
        ),
        (
            load(PC_BUF + 12),
            format!("{lw}: undefined behaviour: reads 0xffe8000c, which is not mapped for core T1"),
        ),
        (
            load(0xffb0_0000),
            format!(
                "{lw}: undefined behaviour: reads local memory 0xffb00000, which \
                 nothing has written"
            ),
        ),
        (
            load(0xffb0_0800),
            format!(
                "{lw}: undefined behaviour: 0xffb00800 is beyond this core's 2048 \
                 bytes of local memory"
            ),
        ),
        (
            load(GPRS + 256),
            format!(
                "{lw}: undefined behaviour: there is no GPR at 0xffe00100 for core \
                 T1"
            ),
        ),
        (
            load(GPRS),
            format!(
                "{lw}: undefined behaviour: reads GPR 0, which this kernel has not \
                 written whole"
            ),
        ),
        (
            load(CONFIG + 376 * 4),
            format!(
                "{lw}: undefined behaviour: there is no word of Config at \
                 0xffef05e0 for core T1"
            ),
        ),
        (
            load(0xffe4_0000),
            format!("{lw}: undefined behaviour: reads 0xffe40000, which is not mapped for core T1"),
        ),
        (
            load(0xffb8_0000),
            format!("{lw}: undefined behaviour: reads 0xffb80000, which is not mapped for core T1"),
        ),
        (
            load(0x8000_0000),
            format!("{lw}: undefined behaviour: reads 0x80000000, which is not mapped for core T1"),
        ),
        (
            load(0x16_e000),
            format!(
                "{lw}: undefined behaviour: L1 bytes 0x16e000 to 0x16e004 are \
                 beyond its end 0x16e000"
            ),
        ),
        (
            load(0x2_0000),
            format!(
                "{lw}: undefined behaviour: reads L1 0x20000, which nothing has \
                 written"
            ),
        ),
        (
            code()
                .li(7, PC_BUF)
                .add(&[I::i(Op::Lbu, 5, 7, 0x20)])
                .halt(),
            "pc 0xa008, `lbu x5, 32(x7)`: undefined behaviour: 0xffe80020 is a device; only words \
             can be accessed"
                .into(),
        ),
        (
            store(0xffe5_0000),
            format!(
                "{sw}: undefined behaviour: core T1 cannot push instructions at \
                 0xffe50000"
            ),
        ),
        (
            store(0x6004),
            format!(
                "{sw}: undefined behaviour: stores to 0x6004, which is in the image \
                 of core T0; images cannot change"
            ),
        ),
        (
            store(0xa004),
            format!(
                "{sw}: undefined behaviour: stores to 0xa004, which is in the image \
                 of core T1; images cannot change"
            ),
        ),
        (
            store(CONFIG + 4 * 4),
            format!(
                "{sw}: not modelled: resetting a configuration state by writing \
                 STATE_RESET_EN"
            ),
        ),
        (
            store(SOFT_RESET + 4),
            format!(
                "{sw}: not modelled: debug registers other than the soft reset, the \
                 clock and the reading of configuration (0xffb121b4)"
            ),
        ),
        (
            code().add(&[I::i(Op::Ebreak, 0, 0, 0)]),
            "pc 0xa000, `ebreak`: there is no debugger".into(),
        ),
    ];
    for (code, expect) in t1 {
        check_trap(2, code.clone(), &format!("math (T1), {expect}"));
    }
    check_trap(
        4,
        load(PC_BUF + 4),
        "NC, pc 0x12008, `lw x5, 0(x7)`: undefined behaviour: reads 0xffe80004, which is not \
         mapped for core NC",
    );
    check_trap(
        4,
        store(0xffb8_0000),
        "NC, pc 0x12010, `sw x5, 0(x7)`: undefined behaviour: core NC has no MOP expander",
    );
    check_trap(
        0,
        store(0xffb8_0000),
        "B, pc 0x10, `sw x5, 0(x7)`: undefined behaviour: core B has no MOP expander",
    );
    check_trap(
        4,
        code().push("ttnop").halt(),
        "NC, pc 0x12000, `ttinsn 0x02000000`: undefined behaviour: core NC cannot push \
         instructions at 0xffe40000",
    );
    check_trap(
        0,
        code().push("ttmop 1, 0, 0").halt(),
        "B, pc 0x0, `ttinsn 0x01800000`: undefined behaviour: B pushes behind the MOP expander, \
         which would not see this",
    );
    let held = start(1)
        .push("ttsemwait 511, 1, 1")
        .push("ttsetdmareg 0, 1, 0, 120")
        .end(1);
    let mut images = one(1, held);
    images[0] = code()
        .store(SOFT_RESET, 0)
        .poll(DONE + 4, 1)
        .store(SOFT_RESET, 1 << 12);
    assert_eq!(
        outcome(&images, false).unwrap_err(),
        "B, pc 0x3c, `sw x5, 0(x7)`: not modelled: putting core T0 into reset while it has \
         instructions on the way; let it wait for them before"
    );
    check_trap(
        0,
        code().store(SOFT_RESET, 0x47001).halt(),
        "B, pc 0x10, `sw x5, 0(x7)`: not modelled: holding in reset what bits 0x1 of the soft \
         reset stand for",
    );
    // The coprocessor's own traps name the instruction that pushed.
    check_trap(
        2,
        code().push("ttxmov 0, 1").halt(),
        "math (T1), pc 0xa000, `ttxmov 0, 1`: undefined behaviour: XMOV with an operand that is \
         not 0",
    );
}

/// Returns a request of NC with the given values of TARG_ADDR, RET_ADDR (low and upper halves),
/// tag, control and length.
fn request(values: [u32; 7]) -> Code {
    let registers = [0, 4, 0xc, 0x10, 0x18, 0x1c, 0x20];
    let code = registers
        .iter()
        .zip(values)
        .fold(start_with_noc(4, 1), |code, (register, value)| {
            code.store(NOC + 0x400 + register, value)
        });
    code.store(NOC + 0x428, 1)
}

#[test]
fn noc_requests_that_are_refused() {
    const OWN: u32 = 1 << 4 | 1 << 10;
    const DRAM: u32 = 5 << 4;
    let cases = [
        (
            [0x18004, OWN, 0x20, DRAM, 0, 6, 15],
            "undefined behaviour: makes a NoC write with byte enables from 0x18004 to 0x20; both \
             must be multiples of 32",
        ),
        (
            [0x18020, OWN, 0x20, 10 << 4, 0, 2, 32],
            "undefined behaviour: makes a NoC request of (10, 0); the NoC has tiles (0, 0) to (9, \
             11)",
        ),
        (
            [0x20, DRAM, 0x18000, OWN, 1 << 6, 0, 32],
            "not modelled: NOC_PACKET_TAG 0x40: flags other than the transaction",
        ),
        (
            [0x20, DRAM, 0x18000, OWN, 0, 0, 0],
            "undefined behaviour: makes a NoC request of 0 bytes; it can be 1 to 8192",
        ),
        (
            [0x20, DRAM, 0x18000, OWN, 0, 0, 8193],
            "undefined behaviour: makes a NoC request of 8193 bytes; it can be 1 to 8192",
        ),
        (
            [0x20, DRAM, 0x18000, 2 << 4, 0, 0, 32],
            "not modelled: NoC requests between two other tiles, of which (2, 0) is one",
        ),
        (
            [0x20, DRAM, 0xffb0_0000, OWN, 0, 0, 32],
            "not modelled: NoC requests of 0xffb00000, which is not in L1",
        ),
        (
            [0x18020, OWN, 0x18000, DRAM, 0, 0, 32],
            "not modelled: NoC requests between two other tiles, of which (5, 0) is one",
        ),
        (
            [0x18008, OWN, 0x18000, OWN, 0, 0, 32],
            "undefined behaviour: remote L1 address 0x18008 and L1 address 0x18000 differ modulo \
             16; the NoC moves aligned pieces of 16 bytes",
        ),
        (
            [0xffb1_21b0, OWN, 0x18000, OWN, 0, 0, 32],
            "undefined behaviour: makes a NoC request of 32 bytes between 0x18000 and 0xffb121b0; \
             registers are moved as single words",
        ),
        (
            [0x8000_0000, DRAM, 0x18000, OWN, 0, 0, 32],
            "undefined behaviour: there is no DRAM at 0x80000000 of tile (5, 0)",
        ),
        (
            [0x10, DRAM, 0x18000, OWN, 0, 0, 32],
            "undefined behaviour: DRAM offset 0x10 and L1 address 0x18000 differ modulo 32; the \
             NoC moves aligned pieces of 32 bytes",
        ),
        (
            [0xffb1_21b0, OWN, 0x20, DRAM, 0, 2, 4],
            "not modelled: NoC writes from addresses outside of L1 (0xffb121b0)",
        ),
        (
            [0x18000, OWN, 0xffb1_21b0, 2 << 4 | 1 << 10, 0, 6, 4],
            "not modelled: NoC writes with byte enables from or to registers",
        ),
        (
            [0x18000, OWN, 0x20000, 5 << 4 | 5 << 16, 0, 0x22, 32],
            "undefined behaviour: broadcasts a NoC request to a rectangle in which no tile \
             receives it",
        ),
        (
            [0x18000, OWN, 0x20, DRAM, 0, 0x12, 32],
            "undefined behaviour: reads L1 0x18000, which nothing has written",
        ),
    ];
    // Eleven instructions precede, and five for each register.
    let pc = 0x12000 + 4 * (3 + 6 + 7 * 5 + 4);
    for (values, expect) in cases {
        let expect = format!("NC, pc {pc:#x}, `sw x5, 0(x7)`: {expect}");
        check_trap(4, request(values).halt(), &expect);
    }
    // Errors found while a request is in transit are reported at the instruction that issued it.
    for (values, expect) in [
        (
            [0x20, DRAM, 0x18000, OWN, 0, 0, 32],
            "undefined behaviour: DRAM bank 4 was never written at 0x20",
        ),
        (
            [0x4000_0020, DRAM, 0x18000, OWN, 0, 0, 32],
            "undefined behaviour: DRAM bank 5 was never written at 0x20",
        ),
        (
            [0x18000, 3 << 4 | 2 << 10, 0x18000, OWN, 0, 0, 32],
            "undefined behaviour: makes a NoC request of tile (3, 2), where this launch has no \
             kernel",
        ),
    ] {
        check_trap(
            4,
            request(values).halt(),
            &format!("the NoC, pc {pc:#x}: {expect}"),
        );
    }
    check_trap(
        4,
        code().store(NOC + 0x428, 1).halt(),
        "NC, pc 0x12010, `sw x5, 0(x7)`: undefined behaviour: makes a NoC request, but this kernel \
         has not written NOC_TARG_ADDR_LO of initiator 1",
    );
}

/// A register of an initiator that has not started, and bytes in transit to DRAM.
#[test]
fn noc_requests_that_are_disturbed() {
    const OWN: u32 = 1 << 4 | 1 << 10;
    let write = [0x20000, OWN, 0, 5 << 4, 0, 0x12, 32];
    let filled =
        |code: Code| (0..8).fold(code, |code, k| code.store(0x20000 + 4 * k, k).read_back());
    let kernel = |disturb: &dyn Fn(Code) -> Code| {
        let made = request(write).0;
        disturb(filled(code()).add(&made))
            .started()
            .transaction(0)
            .end(4)
    };
    let some = |code: Code, expect: &str| {
        let images = one(4, code).each_ref().map(Code::words);
        let errors = errors_of(&images, false);
        assert!((1..=100).contains(&errors.len()), "{expect}");
        for error in errors {
            assert!(error.contains(expect), "{error}");
        }
    };
    some(
        kernel(&|code| code.store(NOC + 0x400, 0)),
        "hazard: writes NoC initiator 1, whose request has not started; wait until NOC_CMD_CTRL \
         reads 0",
    );
    some(
        kernel(&|code| code.store(0x20000, 9)),
        "hazard: L1 from 0x20000 on has changed while a NoC write was taking 32 bytes from there; \
         wait for its acknowledgement first",
    );
    assert_eq!(outcome(&one(4, kernel(&|code| code)), true), Ok(()));
    let early = filled(code()).add(&request(write).0).end(4);
    some(
        early,
        "hazard: core NC signals completion while its NoC requests are in flight; wait for them \
         first",
    );
}

/// B and T0 push into thread 0 at the same time, unless B waits for its own instructions before it
/// releases T0.
#[test]
fn two_cores_push_into_one_thread() {
    let pushes = |code: Code| (0..20).fold(code, |code, _| code.push("ttnop"));
    let mut images = one(1, pushes(code()).wait(4).end(1));
    assert_eq!(outcome(&images, false), Ok(()));
    let late = pushes(code().store(SOFT_RESET, 0));
    images[0] = (1..5)
        .fold(late, |code, core| code.poll(DONE + 4 * core, 1))
        .end(0);
    let images = images.each_ref().map(Code::words);
    let errors = errors_of(&images, false);
    assert!(!errors.is_empty());
    for error in errors {
        assert!(
            error.contains(
                "hazard: pushes while B and T0 have instructions on the way to the \
                 same thread; the hardware drops some"
            ),
            "{error}"
        );
    }
}

/// Blackhole holds back accesses that would overtake pushed instructions; a core for which this is
/// not known is refused.
#[test]
fn automatic_synchronisation_is_of_ordered_cores() {
    const TRACK_GPRS: u32 = 1 << 2 | 1 << 4;
    let kernel = start(1)
        .push(&format!("ttsetc16 56, {TRACK_GPRS}"))
        .push("ttsetdmareg 0, 1, 0, 0")
        .push("ttsetdmareg 0, 1, 0, 1")
        .wait(4)
        .li(7, GPRS)
        .add(&[I::i(Op::Lw, 5, 7, 0)])
        .end(1);
    let images = one(1, kernel).each_ref().map(Code::words);
    let end = |order| {
        let mut machine = Machine::new(Arch::Blackhole);
        let result = machine.run_images(&launch_of(&images, order), 0);
        result.map(|_| ()).map_err(|trap| trap.to_string())
    };
    assert_eq!(end(None), Ok(()));
    assert_eq!(
        end(Some(0)).unwrap_err(),
        "unpack (T0), pc 0x6034, `lw x5, 0(x7)`: not modelled: the automatic synchronisation of a \
         core whose memory is weakly ordered (0xffe00000); run it in order"
    );
}

/// A MOP that is still expanding, unless the core waits.
#[test]
fn mop_configuration_of_an_expander_at_work() {
    let kernel = |wait: fn(Code) -> Code| {
        let values = [
            1,
            2,
            0x0200_0000,
            0x0200_0000,
            0x0200_0000,
            0x6000_0000,
            0x0200_0000,
            0x6000_0000,
            0x6000_0000,
        ];
        let configured = values
            .iter()
            .enumerate()
            .fold(start(2), |code, (k, &value)| {
                code.store(0xffb8_0000 + 4 * k as u32, value)
            });
        let code = configured.push("ttmop 1, 0, 0");
        wait(code).store(0xffb8_0000, 1).wait(4).end(2)
    };
    for order in [false, true] {
        assert_eq!(outcome(&one(2, kernel(|code| code.wait(8))), order), Ok(()));
    }
    // Stores to this address are dropped, and nothing waits for them; only a load waits.
    let only_stores: fn(Code) -> Code = |code| code.store(PC_BUF + 8, 0);
    for wrong in [kernel(|code| code), kernel(only_stores)] {
        let images = one(2, wrong).each_ref().map(Code::words);
        let errors = errors_of(&images, false);
        assert!(!errors.is_empty());
        for error in errors {
            assert!(
                error.contains("hazard: MopCfg[0] is written while a MOP expands"),
                "{error}"
            );
        }
    }
}

#[test]
fn deadlocks_and_bad_ends() {
    let waits = code().poll(LINES.start, 1).end(3);
    let b = "core B polls 0x17f0c in the loop at pc";
    let error = outcome(&one(3, waits), false).unwrap_err();
    let (before, after) = error.split_once("; ").unwrap();
    assert!(before.starts_with(&format!("deadlock: {b}")), "{error}");
    assert_eq!(after, "core T2 polls 0x16800 in the loop at pc 0xe010");

    let stuck = code()
        .push("ttsemwait 2, 1, 1")
        .push("ttsempost 2")
        .wait(4)
        .end(2);
    let error = outcome(&one(2, stuck), false).unwrap_err();
    assert!(
        error.contains(
            "core T1 at pc 0xa014, `lw x5, 0(x7)`, is stalled; math (T1): \
             `ttsempost 2` of pc 0xa004 waits for a STALLWAIT, SEMWAIT or STREAMWAIT before \
             it"
        ),
        "{error}"
    );

    // A store of 0 to a semaphore by a T core posts it.
    let posts = code().store(PC_BUF + 52, 0).read_back().end(2);
    assert_eq!(
        outcome(&one(2, posts), false),
        Err("the kernel ended uncleanly: semaphore 5 started at 0 and is 1".into())
    );

    let mut never = one(4, code().end(4));
    never[0] = code().end(0);
    assert_eq!(
        outcome(&never, false),
        Err(
            "deadlock: core T0 was never released from reset; core T1 was never released from \
             reset; core T2 was never released from reset; core NC was never released from reset"
                .into()
        )
    );

    // B alone, which does not wait for other cores.
    let alone = |code: Code| {
        [
            code,
            Code::default(),
            Code::default(),
            Code::default(),
            Code::default(),
        ]
    };
    let cases = [
        (code().end(0), Ok(())),
        (
            code().halt(),
            Err("the kernel ended uncleanly: core B stopped with 0 in DONE, not 1"),
        ),
        (
            code().store(ERR, 7).halt(),
            Err("the kernel ended uncleanly: core B reports error 7"),
        ),
        (
            code().push("ttsempost 2").end(0),
            Err("the kernel ended uncleanly: semaphore 1 started at 0 and is 1"),
        ),
        (
            code().add(&[I::i(Op::Addi, 5, 5, 1), I::i(Op::Jal, 0, 0, -4)]),
            Err("B, pc 0x0: has run 10000 instructions, which is the limit of this launch"),
        ),
        (
            code().add(&[I::i(Op::Addi, 5, 5, 1)]),
            Err("B, pc 0x4: undefined behaviour: there is no code here; the image ends before"),
        ),
    ];
    for (code, expect) in cases {
        let end = outcome(&alone(code), false).map_err(|e| match e.split_once("has run") {
            // The instruction at which the limit is reached depends on the schedule.
            Some((_, limit)) => format!("B, pc 0x0: has run{limit}"),
            None => e,
        });
        assert_eq!(end, expect.map_err(str::to_owned));
    }
}

#[test]
fn launches_that_cannot_start() {
    let mut machine = Machine::new(Arch::WormholeB0);
    let images: [Vec<u32>; 5] = Default::default();
    let long = vec![0x13; 0x1001];
    let mut launch = launch_of(&images, None);
    launch.images[1] = &long;
    assert_eq!(
        machine.run_images(&launch, 0).unwrap_err().to_string(),
        "unpack (T0): the image has 4097 words; there is room for 4096"
    );
    let mut launch = launch_of(&images, None);
    launch.args[4] = &long[..65];
    assert_eq!(
        machine.run_images(&launch, 0).unwrap_err().to_string(),
        "NC: there are 65 arguments; there is room for 64"
    );
}

/// Words that B sends to T0 by mailbox and by PCBuf arrive in order; a core that is held and
/// released starts again.
#[test]
fn queues_and_resets() {
    const MAILBOX_TO_T0: u32 = 0xffec_1000;
    const MAILBOX_OF_B: u32 = 0xffec_0000;
    let receive = |code: Code, addr: u32, expect: u32| {
        code.li(7, addr).li(8, expect).add(&[
            I::i(Op::Lw, 5, 7, 0),
            I::r(Op::Xor, 5, 5, 8),
            I::r(Op::Or, 9, 9, 5),
        ])
    };
    let received = [
        (MAILBOX_OF_B, 77),
        (MAILBOX_OF_B, 78),
        (PC_BUF, 5),
        (MAILBOX_OF_B + 4, 0),
    ]
    .into_iter()
    .fold(start(1), |code, (addr, value)| receive(code, addr, value));
    let mut images = one(
        1,
        received
            .li(7, ERR + 4)
            .add(&[
                I::s(Op::Sw, 7, 9, 0),
                I::i(Op::Lw, 9, 7, 0),
                I::i(Op::Andi, 9, 9, 0),
            ])
            .end(1),
    );
    let send = |code: Code, values: [u32; 3]| {
        code.store(SOFT_RESET, 0)
            .read_back()
            .store(MAILBOX_TO_T0, values[0])
            .store(MAILBOX_TO_T0, values[1])
            .store(PC_BUF, values[2])
    };
    // T0 is held while it waits for its PCBuf for the first time; the second run completes.
    let first = code()
        .store(SOFT_RESET, 0)
        .read_back()
        .store(SOFT_RESET, 1 << 12)
        .read_back();
    let twice = send(first, [77, 78, 5]);
    images[0] = (1..5)
        .fold(twice, |code, core| code.poll(DONE + 4 * core, 1))
        .end(0);
    for order in [false, true] {
        assert_eq!(outcome(&images, order), Ok(()));
    }
}

/// A core receives from its own mailbox what it sends only later, as the two ends of a mailbox are
/// not ordered (`MemoryOrdering.md`, "Mailbox read from the future"); a core whose memory is in
/// order never does.
#[test]
fn a_mailbox_is_read_before_it_is_written() {
    const MAILBOX_OF_T0: u32 = 0xffec_1000;
    let images = one(
        1,
        start(1)
            .li(7, MAILBOX_OF_T0)
            .li(8, 123)
            .add(&[
                I::i(Op::Lw, 9, 7, 0),
                I::s(Op::Sw, 7, 8, 0),
                I::r(Op::Xor, 9, 9, 8),
            ])
            .li(7, ERR + 4)
            .add(&[I::s(Op::Sw, 7, 9, 0)])
            .end(1),
    );
    assert_eq!(outcome(&images, true), Ok(()));
    let stuck = outcome(&images, false).unwrap_err();
    assert!(stuck.contains("T0"), "{stuck}");
}
