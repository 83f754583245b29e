//! How launches end: cleanly, in a deadlock, uncleanly, at the limit, or before they start.

use tessera_isa_tensix::Arch;
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::map::{ERR, LINES};
use tessera_tensix::Machine;

use crate::images::{Code, PC_BUF};
use crate::{code, launch_of, one, outcome};

#[test]
fn boot_and_end() {
    for order in [false, true] {
        assert_eq!(outcome(&one(4, code().end(4)), order), Ok(()));
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

/// A launch finds nothing of the one before: neither data in L1 nor code, although images are at
/// the same addresses.
#[test]
fn launches_leave_nothing() {
    const ADDR: u32 = 0x2_0000;
    let writes = code().store(ADDR, 7).store(0x10_0000, 7).end(2);
    let reads = |addr| code().li(7, addr).add(&[I::i(Op::Lw, 5, 7, 0)]).end(2);
    let polls = code().store(ADDR, 1).poll(ADDR, 1).end(2);
    let kernels = [writes, reads(ADDR), polls, reads(0x10_0000), reads(ADDR)];
    let mut machine = Machine::new(Arch::WormholeB0);
    let outcomes = kernels.map(|kernel| {
        let images = one(2, kernel).each_ref().map(Code::words);
        // Each kernel runs twice, to reuse what the machine keeps of its launches.
        let [first, second] =
            [1, 2].map(|seed| machine.run_images(&launch_of(&images, None), seed));
        assert_eq!(first.is_ok(), second.is_ok());
        second.map(|_| ()).map_err(|trap| trap.to_string())
    });
    let unwritten = |addr: u32| {
        Err(format!(
            "math (T1), pc 0xa008, `lw x5, 0(x7)`: undefined behaviour: reads L1 {addr:#x}, which \
             nothing has written"
        ))
    };
    let expect = [
        Ok(()),
        unwritten(ADDR),
        Ok(()),
        unwritten(0x10_0000),
        unwritten(ADDR),
    ];
    assert_eq!(outcomes, expect);
}
