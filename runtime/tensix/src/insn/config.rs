//! Configuration unit: moves between GPRs and backend configuration.
//!
//! Source: ISA documentation, `WRCFG.md`, `RDCFG.md`, `SETC16.md`, `RMWCIB.md`, of both chips;
//! `CFGSHIFTMASK.md` (at edf46f6b). For operations 4 to 6 of CFGSHIFTMASK, LLK's `assembly.yaml`
//! for Blackhole gives one common description of unknown purpose, and ttsim has operation 3 only;
//! the model uses the page's formulas. `STREAMWRCFG.md` (at f7fda211):
//! [`crate::issue::coprocessor`] checks the instructions that follow before its write.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Cfgshiftmask, Rdcfg, Setc16, Streamwrcfg, Wrcfg};
use tessera_isa_tensix::Unit;

use crate::insn::traits::{unit, ResourceClass, ThreadEffect, Traits};
use crate::state::core_state::CoreState;
use crate::state::streams;
use crate::trap::Fault;

/// Checks that a word exists.
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
    let contexts = cfg::UNPACK_MISC_CFG_CfgContextOffset
        .nth(0)
        .place_on(core.arch);
    if contexts.is_some_and(|contexts| contexts.addr32() == i.setc16_reg) {
        reset_context_counters(i.setc16_value, thread, core)?;
    }
    Ok(())
}

/// Resets the context counters upon a write of `UNPACK_MISC_CFG`. The documentation does not say
/// whether that happens without the reset bits; with counters in use it matters and traps.
fn reset_context_counters(value: u32, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    for unpacker in 0..2 {
        let counter = &mut core.context_counter[unpacker as usize][thread];
        let reset = cfg::UNPACK_MISC_CFG_CfgContextCntReset.nth(unpacker);
        let reset = reset.place_on(core.arch).expect("both chips have it");
        if reset.get(value) != 0 {
            *counter = 0;
        } else if *counter != 0 {
            return Err(Fault::undefined(format!(
                "writes UNPACK_MISC_CFG without its reset bit while the context counter of \
                 unpacker {unpacker} is not 0"
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

/// CFGSHIFTMASK: combines a word with the rotated low bits of a scratch word.
fn cfgshiftmask(i: &Cfgshiftmask, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    check_word(i.cfg_reg, core)?;
    let scratch = match i.scratch_sel {
        3 => thread as u32,
        scratch => scratch,
    };
    let scratch = core.config.get(thread, cfg::SCRATCH_val.nth(scratch));
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

/// STREAMWRCFG: copies a register of a stream.
fn streamwrcfg(i: &Streamwrcfg, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let stream = core.stream(thread, i.stream_id_sel);
    let address = streams::address(stream, i.stream_reg_addr);
    let value = core.streams.load(address)?;
    let changed = &mut core.access.config_write;
    core.config
        .write(thread, i.cfg_reg, value, u32::MAX, changed)
}

/// Returns the traits of an instruction.
const fn of(resources: ResourceClass) -> Traits {
    Traits {
        resources: Some(resources),
        ..Traits::of(Unit::Config)
    }
}

unit! {
    fn execute(i, thread: usize, core: &mut CoreState);

    Wrcfg => wrcfg(i, thread, core), Traits {
        configures_late: true,
        ..of(ResourceClass::Wrcfg)
    };
    Rdcfg => rdcfg(i, thread, core), of(ResourceClass::Rdcfg);
    Setc16 => setc16(i, thread, core), Traits {
        on_thread: ThreadEffect::Configures,
        ..of(ResourceClass::Other)
    };
    Rmwcib0 => rmwcib(0, i.mask, i.data, i.cfg_reg_addr, thread, core), of(ResourceClass::Other);
    Rmwcib1 => rmwcib(8, i.mask, i.data, i.cfg_reg_addr, thread, core), of(ResourceClass::Other);
    Rmwcib2 => rmwcib(16, i.mask, i.data, i.cfg_reg_addr, thread, core), of(ResourceClass::Other);
    Rmwcib3 => rmwcib(24, i.mask, i.data, i.cfg_reg_addr, thread, core), of(ResourceClass::Other);
    Cfgshiftmask => cfgshiftmask(i, thread, core), Traits {
        configures_late: true,
        ..of(ResourceClass::StreamOrShift)
    };
    Streamwrcfg => streamwrcfg(i, thread, core), Traits {
        traps: [None, Some("registers of streams but the few that idle streams keep")],
        ..of(ResourceClass::StreamOrShift)
    };
}

#[cfg(test)]
mod tests;
