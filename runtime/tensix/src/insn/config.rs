//! Configuration unit: moves between GPRs and backend configuration.
//!
//! Source: ISA documentation, `WRCFG.md`, `RDCFG.md`, `SETC16.md`, `RMWCIB.md`, of both chips;
//! `CFGSHIFTMASK.md` (at edf46f6b). For operations 4 to 6 of CFGSHIFTMASK, LLK's `assembly.yaml`
//! for Blackhole gives one common description of unknown purpose, and ttsim has operation 3 only;
//! the model uses the page's formulas. `STREAMWRCFG.md` (at f7fda211):
//! [`crate::issue::coprocessor`] checks the instructions that follow before its write.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Cfgshiftmask, Rdcfg, Setc16, Streamwrcfg, Wrcfg};
use tessera_isa_tensix::{Arch, Unit};

use crate::insn::traits::{unit, ResourceClass, ThreadEffect, Traits};
use crate::state::access::WordSet;
use crate::state::config::Config;
use crate::state::core_state::CoreState;
use crate::state::gpr::Gprs;
use crate::state::streams::{self, Streams};
use crate::trap::Fault;

/// The parts of a core's state that the configuration unit uses.
pub(super) struct ConfigUnit<'a> {
    arch: Arch,
    config: &'a mut Config,
    /// Configuration words that the instruction changes.
    config_write: &'a mut WordSet,
    gprs: &'a mut [Gprs; 3],
    streams: &'a Streams,
    context_counter: &'a mut [[u32; 3]; 2],
}

impl<'a> ConfigUnit<'a> {
    /// Borrows the parts of a core's state.
    pub(super) fn of(core: &'a mut CoreState) -> ConfigUnit<'a> {
        ConfigUnit {
            arch: core.arch,
            config: &mut core.config,
            config_write: &mut core.access.config_write,
            gprs: &mut core.gprs,
            streams: &core.streams,
            context_counter: &mut core.context_counter,
        }
    }
}

/// Checks that a word exists.
fn check_word(word: u32, arch: Arch) -> Result<(), Fault> {
    let words = cfg::config_words(arch);
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
    (word, gpr, four): (u32, u32, bool),
    (thread, gprs): (usize, &Gprs),
    (config, changed): (&mut Config, &mut WordSet),
) -> Result<(), Fault> {
    let (word, gpr, count) = if four {
        (word & !3, gpr & !3, 4)
    } else {
        (word, gpr, 1)
    };
    for k in 0..count {
        let value = gprs.get(gpr + k)?;
        config.write(thread, word + k, value, u32::MAX, changed)?;
    }
    Ok(())
}

fn wrcfg(i: &Wrcfg, thread: usize, unit: &mut ConfigUnit<'_>) -> Result<(), Fault> {
    write_words(
        (i.cfg_reg, i.gpr_address, i.wr128b != 0),
        (thread, &unit.gprs[thread]),
        (unit.config, unit.config_write),
    )
}

fn rdcfg(i: &Rdcfg, thread: usize, unit: &mut ConfigUnit<'_>) -> Result<(), Fault> {
    check_word(i.cfg_reg, unit.arch)?;
    let value = unit.config.word(thread, i.cfg_reg);
    unit.gprs[thread].check_loaded(i.gpr_address)?;
    unit.gprs[thread].set(i.gpr_address, value);
    Ok(())
}

fn setc16(i: &Setc16, thread: usize, unit: &mut ConfigUnit<'_>) -> Result<(), Fault> {
    unit.config
        .write_thread(thread, i.setc16_reg, i.setc16_value as u16)?;
    let contexts = cfg::UNPACK_MISC_CFG_CfgContextOffset
        .nth(0)
        .place_on(unit.arch);
    if contexts.is_some_and(|contexts| contexts.addr32() == i.setc16_reg) {
        reset_context_counters(i.setc16_value, thread, unit)?;
    }
    Ok(())
}

/// Resets the context counters upon a write of `UNPACK_MISC_CFG`. The documentation does not say
/// whether that happens without the reset bits; with counters in use it matters and traps.
fn reset_context_counters(
    value: u32,
    thread: usize,
    unit: &mut ConfigUnit<'_>,
) -> Result<(), Fault> {
    for unpacker in 0..2 {
        let counter = &mut unit.context_counter[unpacker as usize][thread];
        let reset = cfg::UNPACK_MISC_CFG_CfgContextCntReset.nth(unpacker);
        let reset = reset.place_on(unit.arch).expect("both chips have it");
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
    unit: &mut ConfigUnit<'_>,
) -> Result<(), Fault> {
    let (data, mask) = (data << shift, mask << shift);
    unit.config
        .write(thread, word, data, mask, unit.config_write)
}

/// CFGSHIFTMASK: combines a word with the rotated low bits of a scratch word.
fn cfgshiftmask(i: &Cfgshiftmask, thread: usize, unit: &mut ConfigUnit<'_>) -> Result<(), Fault> {
    check_word(i.cfg_reg, unit.arch)?;
    let scratch = match i.scratch_sel {
        3 => thread as u32,
        scratch => scratch,
    };
    let scratch = unit.config.get(thread, cfg::SCRATCH_val.nth(scratch));
    let mask = u32::MAX >> (31 - i.mask_width);
    let bits = (scratch & mask).rotate_right(i.right_cshift_amt);
    let old = unit.config.word(thread, i.cfg_reg);
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
    unit.config
        .write(thread, i.cfg_reg, new, u32::MAX, unit.config_write)
}

/// STREAMWRCFG: copies a register of a stream.
fn streamwrcfg(i: &Streamwrcfg, thread: usize, unit: &mut ConfigUnit<'_>) -> Result<(), Fault> {
    let stream = unit.config.stream(thread, i.stream_id_sel);
    let address = streams::address(stream, i.stream_reg_addr);
    let value = unit.streams.load(address)?;
    unit.config
        .write(thread, i.cfg_reg, value, u32::MAX, unit.config_write)
}

/// Returns the traits of an instruction.
const fn of(resources: ResourceClass) -> Traits {
    Traits {
        resources: Some(resources),
        ..Traits::of(Unit::Config)
    }
}

unit! {
    fn execute(i, thread: usize, unit: &mut ConfigUnit<'_>);

    Wrcfg => wrcfg(i, thread, unit), Traits {
        configures_late: true,
        ..of(ResourceClass::Wrcfg)
    };
    Rdcfg => rdcfg(i, thread, unit), of(ResourceClass::Rdcfg);
    Setc16 => setc16(i, thread, unit), Traits {
        on_thread: ThreadEffect::Configures,
        ..of(ResourceClass::Other)
    };
    Rmwcib0 => rmwcib(0, i.mask, i.data, i.cfg_reg_addr, thread, unit), of(ResourceClass::Other);
    Rmwcib1 => rmwcib(8, i.mask, i.data, i.cfg_reg_addr, thread, unit), of(ResourceClass::Other);
    Rmwcib2 => rmwcib(16, i.mask, i.data, i.cfg_reg_addr, thread, unit), of(ResourceClass::Other);
    Rmwcib3 => rmwcib(24, i.mask, i.data, i.cfg_reg_addr, thread, unit), of(ResourceClass::Other);
    Cfgshiftmask => cfgshiftmask(i, thread, unit), Traits {
        configures_late: true,
        ..of(ResourceClass::StreamOrShift)
    };
    Streamwrcfg => streamwrcfg(i, thread, unit), Traits {
        traps: [None, Some("registers of streams but the few that idle streams keep")],
        ..of(ResourceClass::StreamOrShift)
    };
}

#[cfg(test)]
mod tests;
