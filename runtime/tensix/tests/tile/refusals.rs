//! Accesses and instructions that are refused, with the text of each trap.

use tessera_riscv::{Instruction as I, Op};
use tessera_tensix::map::DONE;

use crate::images::{start, Code, CONFIG, GPRS, NOC, PC_BUF, SOFT_RESET};
use crate::{check_trap, code, one, outcome};

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
                "{lw}: undefined behaviour: reads GPR 0, which this kernel has not completely \
                 written"
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
        "B, pc 0x0, `ttinsn 0x01800000`: undefined behaviour: B pushes after the MOP expander, \
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
         instructions on the way; let it wait for them first"
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
