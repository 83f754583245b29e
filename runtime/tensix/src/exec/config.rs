//! Configuration unit: GPRs to and from backend configuration.
//!
//! Source: ISA documentation, `WRCFG.md`, `RDCFG.md`, `SETC16.md`, `RMWCIB.md`, of both chips;
//! `CFGSHIFTMASK.md` (the newest, at edf46f6b). LLK's `assembly.yaml` for Blackhole calls
//! operations 4 to 6 of CFGSHIFTMASK all the same, with a remark that nobody knows what for; ttsim
//! has operation 3 alone. The page has a formula for each, and that is what is here.
//! `STREAMWRCFG.md` (at f7fda211): of what may follow before it has written, [`crate::coprocessor`]
//! takes care.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Cfgshiftmask, Rdcfg, Setc16, Streamwrcfg, Wrcfg};
use tessera_isa_tensix::Instruction;

use crate::core_state::CoreState;
use crate::streams;
use crate::trap::Fault;

pub(super) fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Wrcfg(i) => wrcfg(i, thread, core),
        Instruction::Rdcfg(i) => rdcfg(i, thread, core),
        Instruction::Setc16(i) => setc16(i, thread, core),
        Instruction::Rmwcib0(i) => rmwcib(0, i.mask, i.data, i.cfg_reg_addr, thread, core),
        Instruction::Rmwcib1(i) => rmwcib(8, i.mask, i.data, i.cfg_reg_addr, thread, core),
        Instruction::Rmwcib2(i) => rmwcib(16, i.mask, i.data, i.cfg_reg_addr, thread, core),
        Instruction::Rmwcib3(i) => rmwcib(24, i.mask, i.data, i.cfg_reg_addr, thread, core),
        Instruction::Cfgshiftmask(i) => cfgshiftmask(i, thread, core),
        Instruction::Streamwrcfg(i) => streamwrcfg(i, thread, core),
        _ => Err(Fault::unmodelled_instruction(instruction)),
    }
}

/// Checks that there is such a word.
fn check_word(word: u32, core: &CoreState) -> Result<(), Fault> {
    let words = cfg::config_words(core.arch);
    if word as usize >= words {
        return Err(Fault::undefined(format!(
            "configuration has words 0 to {}, not {word}",
            words - 1
        )));
    }
    Ok(())
}

/// Writes one configuration word, or four aligned ones from four aligned GPRs.
pub(super) fn write_words(
    thread: usize,
    core: &mut CoreState,
    word: u32,
    gpr: u32,
    four: bool,
) -> Result<(), Fault> {
    let (word, gpr, count) = if four {
        (word & !3, gpr & !3, 4)
    } else {
        (word, gpr, 1)
    };
    for k in 0..count {
        let value = core.gprs[thread].get(gpr + k)?;
        core.config.write(
            thread,
            word + k,
            value,
            u32::MAX,
            &mut core.access.config_write,
        )?;
    }
    Ok(())
}

fn wrcfg(i: &Wrcfg, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    write_words(thread, core, i.cfg_reg, i.gpr_address, i.wr128b != 0)
}

fn rdcfg(i: &Rdcfg, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    check_word(i.cfg_reg, core)?;
    let value = core.config.word(thread, i.cfg_reg);
    core.gprs[thread].check_loaded(i.gpr_address)?;
    core.gprs[thread].set(i.gpr_address, value);
    Ok(())
}

fn setc16(i: &Setc16, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    core.config
        .write_thread(thread, i.setc16_reg, i.setc16_value as u16)?;
    let contexts = cfg::UNPACK_MISC_CFG_CfgContextOffset.at(0).on(core.arch);
    if contexts.is_some_and(|contexts| contexts.addr32() == i.setc16_reg) {
        reset_context_counters(i.setc16_value, thread, core)?;
    }
    Ok(())
}

/// Writing `UNPACK_MISC_CFG` resets the context counters. The documentation leaves open whether it
/// does so without the reset bits; with counters in use that would matter, so it traps.
fn reset_context_counters(value: u32, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    for unpacker in 0..2 {
        let counter = &mut core.context_counter[unpacker as usize][thread];
        let reset = cfg::UNPACK_MISC_CFG_CfgContextCntReset.at(unpacker);
        let reset = reset.on(core.arch).expect("both chips have it");
        if reset.get(value) != 0 {
            *counter = 0;
        } else if *counter != 0 {
            return Err(Fault::undefined(format!(
                "writes UNPACK_MISC_CFG without its reset bit while the context counter of unpacker {unpacker} is not 0"
            )));
        }
    }
    Ok(())
}

fn rmwcib(
    shift: u32,
    mask: u32,
    data: u32,
    word: u32,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    core.config.write(
        thread,
        word,
        data << shift,
        mask << shift,
        &mut core.access.config_write,
    )
}

/// Combines a word with the rotated low bits of a scratch word.
fn cfgshiftmask(i: &Cfgshiftmask, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    check_word(i.cfg_reg, core)?;
    let scratch = match i.scratch_sel {
        3 => thread as u32,
        scratch => scratch,
    };
    let scratch = core.config.get(thread, cfg::SCRATCH_val.at(scratch));
    let mask = u32::MAX >> (31 - i.mask_width);
    let bits = (scratch & mask).rotate_right(i.right_cshift_amt);
    let old = core.config.word(thread, i.cfg_reg);
    let old = match i.disable_mask_on_old_val {
        0 => old & !mask.rotate_right(i.right_cshift_amt),
        _ => old,
    };
    let new = match i.operation {
        0 => old | bits,
        1 => old & bits,
        2 => old ^ bits,
        3 => old.wrapping_add(bits),
        4 => old | !bits,
        5 => old & !bits,
        6 => old ^ !bits,
        _ => old.wrapping_sub(bits),
    };
    let changed = &mut core.access.config_write;
    core.config.write(thread, i.cfg_reg, new, u32::MAX, changed)
}

/// Copies a register of a stream.
fn streamwrcfg(i: &Streamwrcfg, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let stream = core.stream(thread, i.stream_id_sel);
    let address = streams::address(stream, i.stream_reg_addr);
    let value = core.streams.load(address)?;
    let changed = &mut core.access.config_write;
    core.config
        .write(thread, i.cfg_reg, value, u32::MAX, changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tessera_isa_tensix::Arch;

    fn run(core: &mut CoreState, text: &str) -> Result<(), String> {
        execute(&Instruction::parse(core.arch, text).unwrap(), 1, core).map_err(|e| e.to_string())
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

    /// What CFGSHIFTMASK makes of an old word and a scratch word.
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
                let scratch = cfg::SCRATCH_val.at(k as u32);
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
        let sync = cfg::STREAM_ID_SYNC_BankSel.at(3);
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
                "undefined behaviour: reads GPR 1, which this kernel has not written whole"
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
                "undefined behaviour: writes UNPACK_MISC_CFG without its reset bit while the context counter of unpacker 1 is not 0"
            );
            run(&mut core, &format!("ttsetc16 {contexts}, 0x1000")).unwrap();
            assert_eq!(core.context_counter[1][1], 0);
            core.context_counter = [[3; 3]; 2];
            run(&mut core, &format!("ttsetc16 {contexts}, 0x1010")).unwrap();
            assert_eq!(core.context_counter, [[3, 0, 3]; 2]);
        }
    }
}
