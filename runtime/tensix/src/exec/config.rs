//! Configuration unit: GPRs to and from backend configuration.
//!
//! Source: ISA documentation, `WRCFG.md`, `RDCFG.md`, `SETC16.md`, `RMWCIB.md`.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Rdcfg, Setc16, Wrcfg};
use tessera_isa_tensix::Instruction;

use crate::core_state::CoreState;
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
        _ => Err(Fault::unmodelled_instruction(instruction)),
    }
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
    let words = cfg::config_words(core.arch);
    if i.cfg_reg as usize >= words {
        return Err(Fault::undefined(format!(
            "configuration has words 0 to {}, not {}",
            words - 1,
            i.cfg_reg
        )));
    }
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

/// Writing `UNPACK_MISC_CFG` resets the context counters. The documentation leaves open whether it does so
/// without the reset bits; with counters in use that would matter, so it traps.
fn reset_context_counters(value: u32, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    for unpacker in 0..2 {
        let counter = &mut core.context_counter[unpacker as usize][thread];
        if cfg::UNPACK_MISC_CFG_CfgContextCntReset
            .at(unpacker)
            .get(value)
            != 0
        {
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

#[cfg(test)]
mod tests {
    use super::*;
    use tessera_isa_tensix::Arch;

    fn run(core: &mut CoreState, text: &str) -> Result<(), String> {
        execute(&Instruction::parse(core.arch, text).unwrap(), 1, core).map_err(|e| e.to_string())
    }

    #[test]
    fn words_through_gprs() {
        let mut core = CoreState::new(Arch::WormholeB0);
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
        run(&mut core, "ttsetc16 3, 4").unwrap();
        assert_eq!(core.config.thread(1, cfg::SRCA_SET_SetOvrdWithAddr), 1);
        assert_eq!(core.config.thread(0, cfg::SRCA_SET_SetOvrdWithAddr), 0);
    }

    #[test]
    fn refusals() {
        let mut core = CoreState::new(Arch::WormholeB0);
        let mut text = |line| run(&mut core, line).unwrap_err();
        assert_eq!(
            text("ttwrcfg 1, 0, 57"),
            "undefined behaviour: reads GPR 1, which this kernel has not written whole"
        );
        assert_eq!(
            text("ttrdcfg 1, 188"),
            "undefined behaviour: configuration has words 0 to 187, not 188"
        );
        core.context_counter[1][1] = 3;
        assert_eq!(
            run(&mut core, "ttsetc16 39, 0").unwrap_err(),
            "undefined behaviour: writes UNPACK_MISC_CFG without its reset bit while the context counter of unpacker 1 is not 0"
        );
        run(&mut core, "ttsetc16 39, 0x1000").unwrap();
        assert_eq!(core.context_counter[1][1], 0);
        core.context_counter = [[3; 3]; 2];
        run(&mut core, "ttsetc16 39, 0x1010").unwrap();
        assert_eq!(core.context_counter, [[3, 0, 3]; 2]);
    }
}
