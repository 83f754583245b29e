//! Tests of the machine without the arithmetic units: traces, gates, semaphores, data movement,
//! hazards, ends.

use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::{Arch, Opcode};
use tessera_tensix::{Machine, Stats, TensorArg};

fn run_with(
    machine: &mut Machine,
    text: &str,
    args: &[TensorArg],
    seed: u64,
) -> Result<Stats, String> {
    let lists: Lists = text.parse().unwrap_or_else(|e| panic!("{e}"));
    machine
        .run(&lists, args, seed)
        .map_err(|trap| trap.to_string())
}

fn machine() -> Machine {
    Machine::new(Arch::WormholeB0)
}

/// Runs a program under 20 seeds; all must agree with `expect`.
fn check(text: &str, expect: Result<(), &str>) {
    for seed in 0..20 {
        let result = run_with(&mut machine(), text, &[], seed).map(|_| ());
        assert_eq!(
            result,
            expect.map_err(str::to_owned),
            "seed {seed} of\n{text}"
        );
    }
}

/// Runs a program under 100 seeds; some must fail with a text that contains `part`, and none with
/// another.
fn check_some(text: &str, part: &str) {
    let errors: Vec<String> = (0..100)
        .filter_map(|seed| run_with(&mut machine(), text, &[], seed).err())
        .collect();
    assert!(!errors.is_empty(), "no seed fails:\n{text}");
    for error in errors {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn empty_kernel() {
    check("", Ok(()));
    let stats = run_with(&mut machine(), "", &[], 0).unwrap();
    assert_eq!(stats.total(), 0);
}

#[test]
fn expansion_is_counted() {
    let text = "
.math
    .mopcfg 0, 2
    .mopcfg 1, 3
    .mopcfg 2, 0x02000000
    .mopcfg 3, 0x02000000
    .mopcfg 4, 0x02000000
    .mopcfg 5, 0x04000020   # play two from slot 0
    .mopcfg 6, 0x02000000
    .mopcfg 7, 0x04000020
    .mopcfg 8, 0x04000020
    ttreplay 0, 2, 0, 1
    ttdmanop
    ttsetc16 7, 1
    ttmop 1, 0, 0
    .wait_mop
    .mopcfg 0, 1
    ttmop 1, 0, 0
";
    for seed in 0..50 {
        let stats = run_with(&mut machine(), text, &[], seed).unwrap();
        assert_eq!(
            (
                stats.count(Opcode::Dmanop),
                stats.of_thread(1, Opcode::Setc16),
                stats.total()
            ),
            (9, 9, 18)
        );
    }
    check_some(
        &text.replace("    .wait_mop\n", ""),
        "MopCfg[0] is written while a MOP expands",
    );
}

/// More words than the FIFO holds, after a wait that another thread ends.
#[test]
fn full_fifo_blocks_the_trace() {
    let nops = "    ttnop\n".repeat(40);
    check(
        &format!(".math\n ttsemwait 511, 1, 1\n{nops} ttsemget 1\n.pack\n ttsempost 1\n"),
        Ok(()),
    );
}

/// A MOP of 127 times 127 instructions exceeds the limit.
#[test]
fn programs_have_a_limit() {
    let mop = "\
.math
    .mopcfg 0, 127
    .mopcfg 1, 127
    .mopcfg 2, 0x02000000
    .mopcfg 3, 0x02000000
    .mopcfg 4, 0x02000000
    .mopcfg 5, 0x60000000
    .mopcfg 6, 0x02000000
    .mopcfg 7, 0x60000000
    .mopcfg 8, 0x60000000
    ttmop 1, 0, 0
";
    let expect =
        "math (T1), entry 9: has run 16128 instructions, which is the limit of this launch";
    for seed in 0..20 {
        for (limit, expect) in [(127 * 127, Ok(())), (127 * 127 - 1, Err(expect))] {
            let mut machine = machine();
            machine.set_limit(limit);
            let result = run_with(&mut machine, mop, &[], seed).map(|_| ());
            assert_eq!(result, expect.map_err(str::to_owned), "seed {seed}");
        }
    }
}

#[test]
fn threads_hand_over_by_semaphores() {
    check(
        "
.math
    ttsemwait 2, 1, 1
    ttsemget 1
    ttsempost 2
.pack
    ttsempost 1
    .sem_poll 1, 1
    .sem_get 1
",
        Ok(()),
    );
}

#[test]
fn deadlocks_name_the_waiting_agents() {
    check(
        ".unpack\n .wait 3, 1\n.math\n ttsemwait 2, 1, 1\n ttsempost 2\n.dm\n .wait 4, 2\n",
        Err(
            "deadlock: unpack (T0) list at entry 0, `.wait 3, 1`; math (T1): `ttsempost 2` of \
             entry 1 waits for a STALLWAIT, SEMWAIT or STREAMWAIT before it; dm list at entry 0, \
             `.wait 4, 2`",
        ),
    );
    check(
        ".math\n ttatgetm 1\n.pack\n ttatrelm 9\n",
        Err(
            "deadlock: math (T1): `ttatgetm 1` of entry 0 waits for mutex 1; \
             pack (T2): `ttatrelm 9` of entry 0 waits for mutex 9, which does not exist",
        ),
    );
    check(
        ".math\n ttmvmul 0, 0, 0, 0\n.unpack\n .sem_poll 2, 1\n",
        Err("deadlock: unpack (T0) list at entry 0, `.sem_poll 2, 1`; \
             math (T1): `ttmvmul 0, 0, 0, 0` of entry 0 waits for a bank of SrcA"),
    );
}

#[test]
fn unclean_ends() {
    let cases = [
        (".math\n ttsempost 1\n", "semaphore 0 started at 0 and is 1"),
        (
            ".math\n ttsetdvalid 3\n",
            "bank 0 of SrcA was not handed back to the unpackers; bank 0 of SrcB was not handed \
             back to the unpackers",
        ),
        (".math\n ttatgetm 2\n", "thread 1 still holds mutex 2"),
        (
            ".math\n ttreplay 0, 2, 0, 1\n ttnop\n",
            "thread 1 still records a REPLAY",
        ),
        (
            ".pack\n ttsemwait 2, 1, 1\n",
            "thread 2 still waits by a STALLWAIT, SEMWAIT or STREAMWAIT",
        ),
    ];
    for (text, what) in cases {
        check(text, Err(&format!("the kernel ended uncleanly: {what}")));
    }
}

#[test]
fn traps_have_a_place() {
    check(
        ".pack\n ttnop\n .word 0x00000001\n",
        Err("pack (T2), entry 1: word 0x00000001: no instruction has opcode 0x00"),
    );
    check(
        ".math\n ttwrcfg 5, 0, 60\n",
        Err(
            "math (T1), entry 0, `ttwrcfg 5, 0, 60`: undefined behaviour: reads GPR 5, which this \
             kernel has not completely written",
        ),
    );
    check(
        ".math\n ttxmov 0, 1\n",
        Err(
            "math (T1), entry 0, `ttxmov 0, 1`: undefined behaviour: XMOV with an operand that is \
             not 0",
        ),
    );
    check(
        ".unpack\n ttreplay 4, 1, 0, 0\n",
        Err("unpack (T0), entry 0: REPLAY plays slot 4, which was never recorded"),
    );
    check(
        ".dm\n .read 0, 0, 0x18000\n",
        Err("dm, entry 0: undefined behaviour: argument 0 does not exist; the kernel was given 0"),
    );
}

/// RDCFG stands for any instruction that uses the word.
#[test]
fn wrcfg_takes_effect_one_instruction_late() {
    let text = |between: &str| {
        format!(
            ".math\n ttsetdmareg 0, 7, 0, 10\n ttsetdmareg 0, 0, 0, 11\n ttwrcfg 5, 0, 60\n\
             {between} ttrdcfg 6, 60\n"
        )
    };
    check(&text(" ttnop\n"), Ok(()));
    check(
        &text(""),
        Err(
            "math (T1), entry 3, `ttrdcfg 6, 60`: hazard: uses configuration word 60, which the \
             WRCFG right before it changes; put a NOP between them",
        ),
    );
}

#[test]
fn pages_move_between_banks() {
    let mut machine = machine();
    let page = |p: u32| -> Vec<u8> { (0..64).map(|i| (p * 64 + i) as u8).collect() };
    let input = TensorArg {
        base: 0x1000,
        page_bytes: 64,
        pages: 14,
    };
    let output = TensorArg {
        base: 0x8000,
        page_bytes: 64,
        pages: 14,
    };
    for p in 0..14 {
        let offset = 0x1000 + u64::from(p / 12) * 64;
        machine.dram().write(p % 12, offset, &page(p)).unwrap();
    }
    let text = ".dm\n .read 0, 13, 0x18000\n .read 0, 2, 0x18040\n .write 1, 0, 0x18000\n \
                .write 1, 12, 0x18040\n";
    run_with(&mut machine, text, &[input, output], 0).unwrap();
    let mut out = [0; 64];
    machine.dram().read(0, 0x8000, &mut out).unwrap();
    assert_eq!(out[..], page(13));
    machine.dram().read(0, 0x8040, &mut out).unwrap();
    assert_eq!(out[..], page(2));

    let mut refused = |line: &str| {
        run_with(
            &mut machine,
            &format!(".dm\n {line}\n"),
            &[input, output],
            0,
        )
        .unwrap_err()
    };
    assert_eq!(
        refused(".read 0, 14, 0"),
        "dm, entry 0: undefined behaviour: argument 0 has 14 pages; there is no page 14"
    );
    assert_eq!(
        refused(".read 0, 0, 0x18010"),
        "dm, entry 0: undefined behaviour: DRAM offset 0x1000 and L1 address 0x18010 differ modulo \
         32; the NoC moves aligned pieces of 32 bytes"
    );
    assert_eq!(
        refused(".read 1, 1, 0x18000"),
        "dm, entry 0: undefined behaviour: DRAM bank 1 was never written at 0x8000"
    );
    assert_eq!(
        refused(".write 1, 0, 0x18000"),
        "dm, entry 0: undefined behaviour: reads L1 0x18000, which nothing has written"
    );
    assert_eq!(
        refused(".read 0, 0, 0xffffffe0"),
        "dm, entry 0: undefined behaviour: L1 bytes 0xffffffe0 to 0x100000020 are beyond its end \
         0x16e000"
    );
}

/// Runs a kernel of Blackhole.
fn run_blackhole(text: &str, seed: u64) -> Result<Stats, String> {
    let lists = Lists::parse(Arch::Blackhole, text).unwrap_or_else(|e| panic!("{e}"));
    let ended = Machine::new(Arch::Blackhole).run(&lists, &[], seed);
    ended.map_err(|trap| trap.to_string())
}

/// An instruction of which the model implements one chip's form runs on that chip and traps on the
/// other.
#[test]
fn each_chip_has_its_own_instructions() {
    let run = |arch, text: &str| {
        let lists = Lists::parse(Arch::Blackhole, &format!(".math\n {text}\n")).unwrap();
        let ended = Machine::new(arch).run(&lists, &[], 0);
        ended.map(|_| ()).map_err(|trap| trap.to_string())
    };
    for arch in Arch::ALL {
        assert_eq!(run(arch, "ttnop"), Ok(()), "{arch}");
    }
    assert_eq!(run(Arch::Blackhole, "ttresourcedecl 0, 0, 0"), Ok(()));
    assert_eq!(
        run(Arch::Blackhole, "ttreg2flop 1, 0, 0, 0, 0, 0"),
        Err(
            "math (T1), entry 0, `ttreg2flop 1, 0, 0, 0, 0, 0`: not modelled: REG2FLOP, which the \
             documents call unsupported on Blackhole; use WRCFG or SETADC"
                .to_owned()
        )
    );
    assert!(run(Arch::WormholeB0, "ttresourcedecl 0, 0, 0").is_err());
}

/// Blackhole's front end, synchronisation, configuration and scalar unit together, under many
/// schedules: a MOP with its own count, of replays, between semaphores; a mutex with a number that
/// only Blackhole has; counters and scratch words.
#[test]
fn a_kernel_of_blackhole() {
    let text = "
        .unpack
         ttsetc16 5, 4
         ttsetadc 1, 0, 2, 0x1fff
         .mopcfg 0, 1
         .mopcfg 1, 1
         .mopcfg 2, 0x02000000
         .mopcfg 3, 0x02000000
         .mopcfg 4, 0x02000000
         .mopcfg 5, 0x04000020  # plays two
         .mopcfg 6, 0x02000000
         .mopcfg 7, 0x04000020
         .mopcfg 8, 0x04000020
         ttreplay 0, 2, 0, 1
         ttdmanop
         ttsempost 2
         ttmop 1, 0, 0x0803     # two outer times three inner
         .wait_mop
        .math
         ttatgetm 4
         ttsetdmareg 0, 7, 0, 20
         ttsetdmareg 0, 0, 0, 21
         ttwrcfg 10, 0, 210     # scratch word 1, this thread's
         ttcfgshiftmask 1, 3, 31, 0, 3, 76
         ttcfgshiftmask 1, 3, 31, 0, 3, 76
         ttrdcfg 11, 76
         ttatrelm 4
         ttstallwait 1, 0x1000
         ttsemwait 2, 2, 1
         ttsemget 2
        .pack
         ttatgetm 4
         ttnop
         ttatrelm 4
    ";
    // One of the six posts is consumed.
    for seed in 0..20 {
        let ended = run_blackhole(text, seed).map(|_| ());
        assert_eq!(
            ended.unwrap_err(),
            "the kernel ended uncleanly: semaphore 1 started at 0 and is 5",
            "seed {seed}"
        );
    }
}

/// A word written by CFGSHIFTMASK is visible one instruction later, but immediately to the
/// configuration unit.
#[test]
fn cfgshiftmask_takes_effect_one_instruction_late() {
    // Word 88 is the mover's source address.
    let write = "ttsetdmareg 0, 1, 0, 20\n ttsetdmareg 0, 0, 0, 21\n ttwrcfg 10, 0, 209\n ttnop\n \
                 ttcfgshiftmask 1, 3, 31, 0, 0, 88\n";
    let then = |text: &str| run_blackhole(&format!(".math\n {write}{text}\n"), 0).map(|_| ());
    for text in [
        "ttrdcfg 1, 88",
        "ttcfgshiftmask 1, 3, 31, 0, 0, 88",
        "ttnop\n ttxmov 0, 0",
    ] {
        assert_eq!(then(text), Ok(()), "{text}");
    }
    assert_eq!(
        then("ttxmov 0, 0").unwrap_err(),
        "math (T1), entry 5, `ttxmov 0, 0`: hazard: uses configuration word 88, which the \
         CFGSHIFTMASK right before it changes; put a NOP between them"
    );
}

/// Reports of deadlocks name the waiting instruction with the operands of its chip.
#[test]
fn deadlocks_of_blackhole() {
    let stuck = run_blackhole(
        ".math\n ttatgetm 5\n.pack\n ttstallwait 256, 0x80\n sfpnop\n",
        0,
    );
    assert_eq!(
        stuck.unwrap_err(),
        "deadlock: math (T1): `ttatgetm 5` of entry 0 waits for mutex 5; \
         pack (T2): `sfpnop` of entry 1 waits for a STALLWAIT, SEMWAIT or STREAMWAIT before it"
    );
}

/// Streams of the overlay: an instruction must not overtake a STREAMWRCFG or use what it writes
/// without a wait, and a phase that no core stores does not arrive.
#[test]
fn streams_of_blackhole() {
    let run = |text: &str| {
        let lists = Lists::parse(Arch::Blackhole, &format!(".math\n{text}\n")).unwrap();
        let ended = Machine::new(Arch::Blackhole).run(&lists, &[], 0);
        ended.map(|_| ()).map_err(|trap| trap.to_string())
    };
    let words = "ttsetc16 60, 9\n ttstreamwrcfg 1, 10, 64\n ttstreamwrcfg 1, 8, 65";
    let end = "ttstallwait 128, 4096\n ttrdcfg 5, 64";
    assert_eq!(
        run(&format!("{words}\n {end}\n ttstreamwait 2, 0, 0, 1")),
        Ok(())
    );
    for (text, error) in [
        (
            format!("{words}\n ttrdcfg 5, 64"),
            "math (T1), entry 3, `ttrdcfg 5, 64`: hazard: RDCFG after a STREAMWRCFG, which it may \
             overtake; put a STALLWAIT for the configuration unit (C12) between them",
        ),
        (
            "ttstreamwrcfg 1, 10, 1\n ttelwadd 0, 0, 0, 0, 0".to_owned(),
            "deadlock: math (T1): `ttelwadd 0, 0, 0, 0, 0` of entry 1 waits for a bank of SrcA",
        ),
        (
            "ttstreamwrcfg 1, 10, 7\n sfpload 0, 11, 0, 0".to_owned(),
            "math (T1), entry 1, `sfpload 0, 11, 0, 0`: hazard: uses configuration word 7, which a \
             STREAMWRCFG may not have written yet; put a STALLWAIT for the configuration unit \
             (C12) between them",
        ),
        (
            "ttstreamwait 2, 1, 0, 1\n ttsempost 2".to_owned(),
            "deadlock: math (T1): `ttsempost 2` of entry 1 waits for a STALLWAIT, SEMWAIT or \
             STREAMWAIT before it",
        ),
    ] {
        assert_eq!(run(&text), Err(error.to_owned()), "{text}");
    }
}
