//! The order of what cores do: among each other, and with the instructions that they push.

use tessera_isa_tensix::Arch;
use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::map::{DONE, ERR};
use tessera_tensix::Machine;

use crate::images::{start, Code, GPRS, PC_BUF, SOFT_RESET};
use crate::{code, errors_of, launch_of, one, outcome};

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
