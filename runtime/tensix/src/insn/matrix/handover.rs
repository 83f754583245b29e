//! Handing Src banks back to the unpackers, as an instruction or at the end of another one.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Cleardvalid, Incrwc, Setrwc};

use super::unit::MatrixUnit;
use crate::state::banks::{Banks, Src};
use crate::state::config::Config;
use crate::state::rwc::Rwc;
use crate::trap::Fault;

/// Executes the `clear_dvalid` bits of an arithmetic instruction or SETRWC. The selected banks go
/// back to the unpackers unless the thread has disabled that, and the matrix unit flips to the
/// other banks.
#[inline]
pub(super) fn flip(
    banks: &mut Banks,
    config: &Config,
    thread: usize,
    clear_dvalid: u32,
) -> Result<(), Fault> {
    match clear_dvalid {
        0 => Ok(()),
        _ => hand_back(banks, config, thread, clear_dvalid),
    }
}

fn hand_back(
    banks: &mut Banks,
    config: &Config,
    thread: usize,
    clear_dvalid: u32,
) -> Result<(), Fault> {
    let sources = [
        (Src::A, cfg::CLR_DVALID_SrcA_Disable),
        (Src::B, cfg::CLR_DVALID_SrcB_Disable),
    ];
    for (bit, (src, disable)) in sources.into_iter().enumerate() {
        if clear_dvalid >> bit & 1 != 0 {
            let release = config.thread(thread, disable) == 0;
            banks.hand_to_unpacker(src, release, true)?;
        }
    }
    Ok(())
}

#[inline] // It uses few parts of the unit.
pub(super) fn setrwc(i: &Setrwc, thread: usize, unit: MatrixUnit) -> Result<(), Fault> {
    let counters = &mut unit.rwcs[thread];
    let pointer = counters.stack;
    if pointer != 0 {
        return Err(Fault::unmodelled(format!(
            "SETRWC while the vector unit's stack is not empty (its pointer is {pointer}); no page \
             says whether that is reset; load what is there (mode 10) first"
        )));
    }
    counters.set(i);
    flip(unit.banks, unit.config, thread, i.clear_ab_vld)
}

pub(super) fn incrwc(i: &Incrwc, counters: &mut Rwc) -> Result<(), Fault> {
    counters.increment(i);
    Ok(())
}

/// With `reset` the contents of the banks are lost. ttsim 1.10.0 refuses this as unsafe; it is
/// documented.
pub(super) fn cleardvalid(i: &Cleardvalid, banks: &mut Banks) -> Result<(), Fault> {
    if i.reset & 1 != 0 {
        banks.reset();
        return Ok(());
    }
    let keep_reading = i.reset & 2 != 0;
    for (bit, src) in [Src::A, Src::B].into_iter().enumerate() {
        if i.cleardvalid >> bit & 1 != 0 {
            banks.hand_to_unpacker(src, true, !keep_reading)?;
        }
    }
    Ok(())
}

/// GATESRCRST invalidates a cache that the model does not have.
pub(super) fn gatesrcrst() -> Result<(), Fault> {
    Ok(())
}
