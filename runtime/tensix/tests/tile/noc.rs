//! NoC requests that are refused, and requests that are disturbed while in flight.

use crate::images::{start_with_noc, Code, NOC};
use crate::{check_trap, code, errors_of, one, outcome};

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
