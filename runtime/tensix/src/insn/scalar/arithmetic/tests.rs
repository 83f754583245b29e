use super::*;
use tessera_isa_tensix::{Arch, Instruction};

use crate::insn::scalar::execute;
use crate::state::core_state::CoreState;

/// Runs `line` with GPR 1 = 0x12345, GPR 2 = 0xfffffffe and returns GPR 3.
fn result(arch: Arch, line: &str) -> Result<u32, String> {
    let mut core = CoreState::new(arch);
    core.gprs[0].set(1, 0x12345);
    core.gprs[0].set(2, 0xffff_fffe);
    core.gprs[0].set(3, 0);
    execute(
        &Instruction::parse(core.arch, line).unwrap(),
        0,
        &mut ScalarUnit::of(&mut core),
    )
    .map_err(|e| e.to_string())?;
    core.gprs[0].get(3).map_err(|e| e.to_string())
}

#[test]
fn arithmetic() {
    // Operands: constant?, (mode,) result, B, A.
    let cases = [
        ("ttadddmareg 0, 3, 1, 2", 0x12343),
        ("ttadddmareg 1, 3, 63, 1", 0x12384),
        ("ttsubdmareg 0, 3, 2, 1", 0x12347),
        ("ttmuldmareg 0, 3, 1, 1", 0x2345 * 0x2345),
        ("ttbitwopdmareg 0, 0, 3, 2, 1", 0x12344),
        ("ttbitwopdmareg 1, 1, 3, 2, 1", 0x12347),
        ("ttbitwopdmareg 1, 2, 3, 1, 1", 0x12344),
        ("ttshiftdmareg 1, 0, 3, 4, 1", 0x12_3450),
        ("ttshiftdmareg 1, 1, 3, 4, 1", 0x1234),
        ("ttcmpdmareg 0, 0, 3, 1, 2", 1),
        ("ttcmpdmareg 0, 1, 3, 1, 2", 0),
        ("ttcmpdmareg 0, 2, 3, 1, 1", 1),
        ("ttsetdmareg 3, 16383, 0, 7", 0xffff_0000),
        ("ttsetdmareg 1, 5, 0, 6", 0x4005),
    ];
    for (line, expect) in cases {
        for arch in Arch::ALL {
            assert_eq!(result(arch, line), Ok(expect), "{arch}: {line}");
        }
    }
}

#[test]
fn to_configuration_and_counters() {
    let mut core = CoreState::new(Arch::WormholeB0);
    core.gprs[1].set(5, 0xabcd_1234);
    let run = |core: &mut CoreState, line: &str| {
        let instruction = Instruction::parse(core.arch, line).unwrap();
        execute(&instruction, 1, &mut ScalarUnit::of(core)).unwrap()
    };
    run(&mut core, "ttreg2flop 1, 0, 0, 0, 12, 5");
    assert_eq!(core.config.word(1, 64), 0xabcd_1234);
    // Narrower sizes write 32 bits, too.
    for (size, flop, word) in [(2, 13, 65), (3, 14, 66)] {
        run(&mut core, &format!("ttreg2flop {size}, 0, 0, 0, {flop}, 5"));
        assert_eq!(core.config.word(1, word), 0xabcd_1234);
    }
    run(&mut core, "ttreg2flop 2, 2, 2, 0, 49, 5");
    assert_eq!(core.adcs[1].packers[1].get(Axis::Y), 0xabcd & 0x1fff);
    run(&mut core, "ttreg2flop 3, 3, 1, 2, 12, 5");
    assert_eq!(core.adcs[2].unpacker[1][0].cr(Axis::X), 0x12);
}

#[test]
fn refusals() {
    let cases = [
        (
            "ttadddmareg 0, 3, 9, 1",
            "undefined behaviour: reads GPR 9, which this kernel has not completely written",
        ),
        (
            "ttshiftdmareg 1, 2, 3, 4, 1",
            "undefined behaviour: op_sel 2 selects no operation",
        ),
    ];
    for (line, expect) in cases {
        for arch in Arch::ALL {
            assert_eq!(result(arch, line).unwrap_err(), expect, "{arch}: {line}");
        }
    }
    let of_wormhole = [
        (
            "ttreg2flop 1, 0, 0, 0, 100, 1",
            "undefined behaviour: REG2FLOP reaches configuration words 52 to 151, not 152",
        ),
        (
            "ttreg2flop 1, 1, 0, 0, 0, 1",
            "undefined behaviour: target_sel 1 names no target",
        ),
        (
            "ttreg2flop 1, 0, 1, 0, 0, 1",
            "undefined behaviour: REG2FLOP to configuration with byte_offset or context_id_2",
        ),
    ];
    for (line, expect) in of_wormhole {
        assert_eq!(
            result(Arch::WormholeB0, line).unwrap_err(),
            expect,
            "{line}"
        );
    }
    assert_eq!(
        result(Arch::Blackhole, "ttsetdmareg 2, 48, 1, 6").unwrap_err(),
        "not modelled: SETDMAREG of the packer's results on Blackhole, which has one packer and no \
         document for them"
    );
}
