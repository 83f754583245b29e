use super::*;
use tessera_isa_tensix::{Arch, Instruction};

fn run(core: &mut CoreState, text: &str) -> Result<(), String> {
    let instruction = Instruction::parse(core.arch, text).unwrap();
    execute(&instruction, 1, &mut ConfigUnit::of(core)).map_err(|e| e.to_string())
}

#[test]
fn words_through_gprs() {
    for (arch, set) in [(Arch::WormholeB0, 3), (Arch::Blackhole, 5)] {
        let mut core = CoreState::new(arch);
        (8..12).for_each(|r| core.gprs[1].set(r, 100 + r));
        run(&mut core, "ttwrcfg 9, 1, 57").unwrap();
        assert_eq!(
            [56, 57, 58, 59].map(|w| core.config.word(1, w)),
            [108, 109, 110, 111]
        );
        run(&mut core, "ttwrcfg 9, 0, 57").unwrap();
        run(&mut core, "ttrdcfg 3, 57").unwrap();
        assert_eq!(core.gprs[1].get(3), Ok(109));
        run(&mut core, "ttrmwcib2 15, 255, 57").unwrap();
        assert_eq!(core.config.word(1, 57), 0x000f_0000 | 109);
        run(&mut core, &format!("ttsetc16 {set}, 4")).unwrap();
        assert_eq!(core.config.thread(1, cfg::SRCA_SET_SetOvrdWithAddr), 1);
        assert_eq!(core.config.thread(0, cfg::SRCA_SET_SetOvrdWithAddr), 0);
    }
}

/// Tests what CFGSHIFTMASK computes from an old word and a scratch word.
#[test]
fn shifts_and_masks() {
    const OLD: u32 = 0xF0F0_1234;
    const SCRATCH: u32 = 0x89AB_CDEF;
    // Keep the old bits?, operation, width - 1, rotation, scratch word.
    let cases = [
        ("1, 0, 31, 0, 0", OLD | SCRATCH),
        ("1, 1, 31, 0, 0", OLD & SCRATCH),
        ("1, 2, 31, 0, 0", OLD ^ SCRATCH),
        ("1, 3, 31, 0, 0", OLD.wrapping_add(SCRATCH)),
        ("1, 4, 31, 0, 0", OLD | !SCRATCH),
        ("1, 5, 31, 0, 0", OLD & !SCRATCH),
        ("1, 6, 31, 0, 0", OLD ^ !SCRATCH),
        ("1, 7, 31, 0, 0", OLD.wrapping_sub(SCRATCH)),
        // Eight bits, moved up by eight, replace others.
        ("0, 0, 7, 24, 0", 0xF0F0_EF34),
        ("0, 3, 7, 24, 0", 0xF0F0_EF34),
        ("1, 0, 7, 24, 0", 0xF0F0_FF34),
        // A sum carries out of the mask.
        ("1, 3, 7, 24, 0", 0xF0F1_0134),
        ("0, 0, 0, 1, 0", 0xF0F0_1234),
        ("0, 4, 31, 0, 1", !0x55),
        ("0, 0, 31, 4, 1", 0x5000_0005),
        // The thread's own scratch word.
        ("0, 0, 31, 0, 2", 0x66),
        ("0, 0, 31, 0, 3", 0x55),
    ];
    for (operands, expect) in cases {
        let mut core = CoreState::new(Arch::Blackhole);
        for (k, value) in [SCRATCH, 0x55, 0x66].into_iter().enumerate() {
            let scratch = cfg::SCRATCH_val.nth(k as u32);
            core.config.set(1, scratch, value).unwrap();
        }
        core.config
            .write(1, 76, OLD, u32::MAX, &mut core.access.config_write)
            .unwrap();
        run(&mut core, &format!("ttcfgshiftmask {operands}, 76")).unwrap();
        assert_eq!(core.config.word(1, 76), expect, "{operands}");
    }
}

#[test]
fn registers_of_streams() {
    let mut core = CoreState::new(Arch::Blackhole);
    let sync = cfg::STREAM_ID_SYNC_BankSel.nth(3);
    core.config.set_thread(1, sync, 7).unwrap();
    core.streams.store(streams::address(7, 10), 0x1234).unwrap();
    run(&mut core, "ttstreamwrcfg 3, 297, 64").unwrap();
    assert_eq!(core.config.word(1, 64), 0x1234);
    for (text, refusal) in [
        (
            "ttstreamwrcfg 3, 33, 64",
            "not modelled: register 33 of stream 7 of the NoC overlay (0xffb47084)",
        ),
        (
            "ttstreamwrcfg 3, 10, 224",
            "undefined behaviour: configuration has words 0 to 223, not 224",
        ),
    ] {
        assert_eq!(run(&mut core, text).unwrap_err(), refusal);
    }
}

#[test]
fn refusals() {
    for (arch, words, contexts) in [(Arch::WormholeB0, 188, 39), (Arch::Blackhole, 224, 41)] {
        let mut core = CoreState::new(arch);
        let mut text = |line: &str| run(&mut core, line).unwrap_err();
        assert_eq!(
            text("ttwrcfg 1, 0, 57"),
            "undefined behaviour: reads GPR 1, which this kernel has not completely written"
        );
        let beyond = format!(
            "undefined behaviour: configuration has words 0 to {}, not {words}",
            words - 1
        );
        assert_eq!(text(&format!("ttrdcfg 1, {words}")), beyond);
        assert_eq!(text(&format!("ttrmwcib1 1, 1, {words}")), beyond);
        if arch == Arch::Blackhole {
            assert_eq!(
                text(&format!("ttcfgshiftmask 0, 0, 0, 0, 0, {words}")),
                beyond
            );
        }
        core.context_counter[1][1] = 3;
        assert_eq!(
            run(&mut core, &format!("ttsetc16 {contexts}, 0")).unwrap_err(),
            "undefined behaviour: writes UNPACK_MISC_CFG without its reset bit while the context \
             counter of unpacker 1 is not 0"
        );
        run(&mut core, &format!("ttsetc16 {contexts}, 0x1000")).unwrap();
        assert_eq!(core.context_counter[1][1], 0);
        core.context_counter = [[3; 3]; 2];
        run(&mut core, &format!("ttsetc16 {contexts}, 0x1010")).unwrap();
        assert_eq!(core.context_counter, [[3, 0, 3]; 2]);
    }
}
