use super::*;
use tessera_isa_tensix::{Arch, Instruction, Opcode};

use crate::insn::table::traits;
use crate::insn::traits::{ThreadEffect, WaitsFor};
use crate::state::config::Config;

fn parse(arch: Arch, text: &str) -> Instruction {
    Instruction::parse(arch, text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn i(text: &str) -> Instruction {
    parse(Arch::WormholeB0, text)
}

/// Returns the wait that an instruction latches.
fn latch_of(config: &Config, thread: usize, instruction: &Instruction) -> Option<Latch> {
    match traits(instruction.opcode()).on_thread {
        ThreadEffect::Latches(latch) => latch(instruction, config, thread),
        _ => None,
    }
}

/// Tests one instruction of each kind against the columns B0 to B8 of both chips' `STALLWAIT.md`.
#[test]
fn block_table() {
    for arch in Arch::ALL {
        check_blocks(arch, BLOCKS);
    }
    check_blocks(
        Arch::WormholeB0,
        &[
            ("ttsemwait 0, 0, 0", ".X......."),
            ("ttpacr 0, 0, 0, 0, 0, 0, 0", "X.X......"),
            ("ttunpacr_nop 0, 0", "X..X....."),
        ],
    );
    check_blocks(
        Arch::Blackhole,
        &[
            ("ttsemwait 0, 0, 0", "XXXXXXXXX"),
            ("ttstreamwait 0, 0, 0, 0", "XXXXXXXXX"),
            ("ttpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0", "X.X......"),
            ("ttunpacr_nop 0, 0, 0, 0, 0, 0, 0, 0, 0", "X..X....."),
            ("ttcfgshiftmask 0, 0, 0, 0, 0, 0", ".......X."),
            ("ttstreamwrcfg 0, 0, 0", ".......X."),
            ("sfple 0, 0, 0", "........X"),
        ],
    );
}

const BLOCKS: &[(&str, &str)] = &[
    ("ttadddmareg 0, 0, 0, 0", "X....X..."),
    ("ttaddrcrxy 0, 0, 0, 0, 0, 0", "X........"),
    ("ttatgetm 0", ".X......."),
    ("ttcleardvalid 0, 0", "......X.."),
    ("ttdmanop", "X....X..."),
    ("ttelwadd 0, 0, 0, 0, 0", "......X.."),
    ("ttnop", "........."),
    ("ttrdcfg 0, 0", ".......X."),
    ("ttreg2flop 0, 0, 0, 0, 0, 0", "X....X..."),
    ("ttrmwcib0 0, 0, 0", ".......X."),
    ("ttsetc16 0, 0", ".......X."),
    ("ttsetdvalid 0", "X........"),
    ("ttsetrwc 0, 0, 0, 0, 0, 0", "......X.."),
    ("sfpnop", "........X"),
    ("ttstallwait 1, 1", "XXXXXXXXX"),
    ("ttxmov 0, 0", "X...X...."),
];

fn check_blocks(arch: Arch, cases: &[(&str, &str)]) {
    for (text, columns) in cases {
        for (bit, column) in columns.chars().enumerate() {
            let latch = Latch {
                arch,
                block: 1 << bit,
                until: Until::Idle(1),
            };
            let blocks = latch.blocks(traits(parse(arch, text).opcode()));
            assert_eq!(blocks, column == 'X', "{arch}: {text} B{bit}");
        }
    }
}

#[test]
fn a_nop_is_stopped_by_all_bits_together() {
    for (block, stopped) in [(0x1ff, true), (0x1fe, false), (0xff, false)] {
        for arch in Arch::ALL {
            let until = Until::Idle(1);
            let latch = Latch { arch, block, until };
            assert_eq!(latch.blocks(traits(Opcode::Nop)), stopped, "{block:#x}");
        }
    }
}

#[test]
fn zero_masks_have_meanings() {
    for arch in Arch::ALL {
        let latch = |block, until| Some(Latch { arch, block, until });
        let semaphores = Until::Semaphores {
            mask: 2,
            condition: 1,
        };
        for (text, expect) in [
            ("ttstallwait 0, 0", latch(64, Until::Idle(0x7f))),
            ("ttsemwait 0, 2, 1", latch(64, semaphores)),
            ("ttsemwait 2, 2, 1", latch(2, semaphores)),
        ] {
            assert_eq!(
                latch_of(&Config::new(arch), 0, &parse(arch, text)),
                expect,
                "{arch}: {text}"
            );
        }
    }
}

#[test]
fn waits_for_streams() {
    let arch = Arch::Blackhole;
    let mut config = Config::new(arch);
    config
        .set_thread(1, cfg::STREAMWAIT_PHASE_HI_Val, 3)
        .unwrap();
    for (text, block, stream, at_least) in [
        ("ttstreamwait 4, 5, 0, 2", 4, 2, 3 << 10 | 5),
        ("ttstreamwait 0, 0, 1, 3", 64, 3, 0),
    ] {
        let until = Until::Phase { stream, at_least };
        let latch = Latch { arch, block, until };
        assert_eq!(
            latch_of(&config, 1, &parse(arch, text)),
            Some(latch),
            "{text}"
        );
    }
}

/// Tests Blackhole's conditions against the table of its `STALLWAIT.md`: units, banks, the mover,
/// stores.
#[test]
fn conditions_of_blackhole() {
    let until = |bit: u32| {
        let stallwait = parse(Arch::Blackhole, &format!("ttstallwait 1, {}", 1 << bit));
        latch_of(&Config::new(Arch::Blackhole), 0, &stallwait)
            .unwrap()
            .until
    };
    for (bit, units) in [
        (0, 1 << SCALAR),
        (1, 1 << 0),
        (2, 1 << 1),
        (3, 1 << 3),
        (4, 1 << MATRIX),
        (11, 1 << VECTOR),
        (12, 0),
    ] {
        let Until::Idle(mask) = until(bit) else {
            panic!("C{bit}")
        };
        assert_eq!(units_of_conditions(mask), units, "C{bit}");
    }
    for (bit, wormholes) in [(5, 8), (6, 9), (7, 10), (8, 11), (9, 12), (10, 13)] {
        assert_eq!(until(bit), Until::Idle(1 << wormholes), "C{bit}");
    }
}

/// Conditions C0 to C14, except those on banks, the mover and stores, each concern one unit.
#[test]
fn conditions_on_units() {
    for (condition, unit) in [
        (0, SCALAR),
        (1, 0),
        (2, 1),
        (3, 3),
        (4, 4),
        (5, 5),
        (6, 6),
        (7, MATRIX),
        (14, VECTOR),
    ] {
        assert_eq!(
            units_of_conditions(1 << condition),
            1 << unit,
            "C{condition}"
        );
    }
    assert_eq!(units_of_conditions(0b11_1111 << 8), 0);
}

#[test]
fn conditions_on_banks() {
    let flights = InFlight::default();
    let mut banks = Banks::default();
    let waits =
        |banks: &Banks| [8, 9, 10, 11].map(|c| keeps_waiting_for_units(1 << c, 0, &flights, banks));
    assert_eq!(waits(&banks), [false, false, true, true]);
    banks.hand_to_matrix(Src::A, 0, 0).unwrap();
    assert_eq!(waits(&banks), [false, false, false, true]);
    banks.hand_to_matrix(Src::A, 0, 0).unwrap();
    assert_eq!(waits(&banks), [true, false, false, true]);
}

fn missing(instruction: &Instruction, banks: &Banks) -> Option<Src> {
    match traits(instruction.opcode()).waits_for {
        WaitsFor::Banks(needed) => missing_bank(needed, banks),
        WaitsFor::UnpackerBank(missing) => missing(instruction, banks),
        other => panic!("{instruction:?} waits for {other:?}"),
    }
}

#[test]
fn instructions_that_wait_for_banks() {
    let mut banks = Banks::default();
    assert_eq!(missing(&i("ttmvmul 0, 0, 0, 0"), &banks), Some(Src::A));
    assert_eq!(missing(&i("ttunpacr_nop 0, 1"), &banks), None);
    banks.hand_to_matrix(Src::A, 0, 0).unwrap();
    assert_eq!(missing(&i("ttmvmul 0, 0, 0, 0"), &banks), Some(Src::B));
    assert_eq!(missing(&i("ttmova2d 0, 0, 0, 0, 0"), &banks), None);
    assert_eq!(missing(&i("ttunpacr_nop 0, 1"), &banks), Some(Src::A));
    assert_eq!(missing(&i("ttunpacr_nop 0, 17"), &banks), None);
    assert_eq!(missing(&i("ttunpacr_nop 0, 7"), &banks), None);
    for (text, expected) in [
        ("ttunpacr_nop 0, 0, 0, 0, 0, 0, 0, 0, 1", Some(Src::A)),
        ("ttunpacr_nop 0, 0, 0, 0, 0, 1, 0, 0, 1", None),
        ("ttunpacr_nop 0, 0, 0, 0, 0, 0, 0, 0, 2", None),
    ] {
        let i = Instruction::parse(Arch::Blackhole, text).unwrap();
        assert_eq!(missing(&i, &banks), expected, "{text}");
    }
    assert_eq!(
        missing(&i("ttunpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0"), &banks),
        None
    );
    banks.hand_to_matrix(Src::A, 0, 0).unwrap();
    assert_eq!(
        missing(&i("ttunpacr 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0"), &banks),
        Some(Src::A)
    );
    for text in [
        "ttunpacr 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0",
        "ttunpacr 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0",
    ] {
        assert_eq!(missing(&i(text), &banks), None, "{text}");
    }
}
