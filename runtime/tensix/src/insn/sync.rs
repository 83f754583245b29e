//! Sync unit: semaphores, mutexes, and the waits that threads latch. The wait gate evaluates these
//! ([`crate::issue::gate`]).
//!
//! STREAMWAIT can wait for phases, but not for messages, because streams receive none here.
//!
//! Source: ISA documentation, `STALLWAIT.md`, `SEMWAIT.md` (at 0553cc73 and 25376754), of both
//! chips; `STREAMWAIT.md` (at cfb6a561). SEMWAIT without a condition is undefined on both chips
//! according to the latest page (at 25376754) and ttsim; older pages made it a STALLWAIT.

use tessera_isa_tensix::table::{
    Atgetm, Atrelm, Semget, Seminit, Sempost, Semwait, Stallwait, Streamwait,
};
use tessera_isa_tensix::{cfg, Arch, Unit};

use crate::insn::traits::{by_operands, unit, ThreadEffect, Traits, WaitsFor};
use crate::state::config::Config;
use crate::state::latch::{
    Latch, Until, CONFIG_CONDITION, MATRIX_CONDITION, REQUESTS_CONDITION, STORES_CONDITION,
};
use crate::state::streams::STREAM_TARGET_BITS;
use crate::state::sync::Sync;
use crate::trap::Fault;

fn seminit(i: &Seminit, sync: &mut Sync) -> Result<(), Fault> {
    sync.init(i.sem_sel, i.init_value, i.max_value);
    Ok(())
}

fn sempost(i: &Sempost, sync: &mut Sync) -> Result<(), Fault> {
    sync.post(i.sem_sel);
    Ok(())
}

fn semget(i: &Semget, sync: &mut Sync) -> Result<(), Fault> {
    sync.get(i.sem_sel);
    Ok(())
}

fn atgetm(i: &Atgetm, thread: usize, sync: &mut Sync) -> Result<(), Fault> {
    sync.take_mutex(i.mutex_index, thread);
    Ok(())
}

fn atrelm(i: &Atrelm, thread: usize, sync: &mut Sync) -> Result<(), Fault> {
    sync.release_mutex(i.mutex_index, thread);
    Ok(())
}

/// The wait gate waits.
fn stallwait() -> Result<(), Fault> {
    Ok(())
}

/// Refuses to wait without a condition; the wait gate waits.
fn semwait(i: &Semwait) -> Result<(), Fault> {
    match i.wait_sem_cond {
        0 => Err(Fault::undefined(
            "SEMWAIT without a condition; bit 0 waits while a semaphore is 0, bit 1 while it is \
             at its maximum",
        )),
        _ => Ok(()),
    }
}

/// Refuses to wait for a positive number of messages; the wait gate waits for phases.
fn streamwait(i: &Streamwait, thread: usize, config: &Config) -> Result<(), Fault> {
    const MESSAGES: u32 = 1;
    let high = config.thread(thread, cfg::STREAMWAIT_NUM_MSGS_HI_Val);
    let target = high << STREAM_TARGET_BITS | i.target_value;
    if i.target_sel != MESSAGES || target == 0 {
        return Ok(());
    }
    Err(Fault::unmodelled(format!(
        "STREAMWAIT for {target} messages of stream {}, which receives nothing here; wait for a \
         semaphore, or for a phase that a core stores",
        config.stream(thread, i.wait_stream_sel)
    )))
}

/// The condition mask that 0 stands for: the scalar unit, unpackers and packers.
const DEFAULT_CONDITION: u32 = 0x7f;
/// Blackhole's conditions C0 to C12: it has one packer, so that later ones have numbers lower by
/// three.
const BLACKHOLE_CONDITIONS: [u32; 13] = [
    REQUESTS_CONDITION,
    1,
    2,
    3,
    MATRIX_CONDITION,
    8,
    9,
    10,
    11,
    12,
    STORES_CONDITION,
    14,
    CONFIG_CONDITION,
];
/// The block mask that 0 stands for: B6.
const DEFAULT_BLOCK: u32 = 1 << 6;

/// Creates the wait of a thread whose instruction names what to block; 0 stands for B6.
fn latch(arch: Arch, block: u32, until: Until) -> Latch {
    let block = if block == 0 { DEFAULT_BLOCK } else { block };
    Latch { arch, block, until }
}

/// Returns the wait that a STALLWAIT latches.
fn stallwait_latch(i: &Stallwait, config: &Config) -> Latch {
    let arch = config.arch();
    latch(arch, i.stall_res, Until::Idle(conditions(arch, i.wait_res)))
}

/// Returns the wait that a SEMWAIT latches.
fn semwait_latch(i: &Semwait, config: &Config) -> Latch {
    let (mask, condition) = (i.sem_sel, i.wait_sem_cond);
    latch(
        config.arch(),
        i.stall_res,
        Until::Semaphores { mask, condition },
    )
}

/// Returns the wait that a STREAMWAIT of a thread latches. Waits for messages have been refused
/// before, unless for zero of them.
fn streamwait_latch(i: &Streamwait, config: &Config, thread: usize) -> Latch {
    let high = config.thread(thread, cfg::STREAMWAIT_PHASE_HI_Val);
    let at_least = match i.target_sel {
        0 => high << STREAM_TARGET_BITS | i.target_value,
        _ => 0,
    };
    let stream = i.wait_stream_sel;
    latch(
        config.arch(),
        i.stall_res,
        Until::Phase { stream, at_least },
    )
}

/// Returns the conditions of a STALLWAIT's mask on a chip.
fn conditions(arch: Arch, mask: u32) -> u32 {
    match (mask, arch) {
        (0, _) => DEFAULT_CONDITION,
        (mask, Arch::WormholeB0) => mask,
        (mask, Arch::Blackhole) => {
            let numbers = (0..).zip(BLACKHOLE_CONDITIONS);
            let of_mask = numbers.filter(|(bit, _)| mask >> bit & 1 != 0);
            of_mask.fold(0, |set, (_, condition)| set | 1 << condition)
        }
    }
}

const SYNC: Traits = Traits::of(Unit::Sync);

unit! {
    fn execute(i, thread: usize, config: &Config, sync: &mut Sync);

    Seminit => seminit(i, sync), SYNC;
    Sempost => sempost(i, sync), SYNC;
    Semget => semget(i, sync), SYNC;
    Atgetm => atgetm(i, thread, sync), Traits {
        waits_for: WaitsFor::FreeMutex(by_operands!(Atgetm, |i| i.mutex_index)),
        ..SYNC
    };
    Atrelm => atrelm(i, thread, sync), Traits {
        waits_for: WaitsFor::Mutex(by_operands!(Atrelm, |i| i.mutex_index)),
        on_thread: ThreadEffect::ReleasesMutex(by_operands!(Atrelm, |i| i.mutex_index)),
        ..SYNC
    };
    // SEMWAIT and STREAMWAIT are blocked like STALLWAIT on Blackhole. On Wormhole only B1 blocks
    // them, so without B1 they replace a pending wait, as on the hardware.
    Stallwait => stallwait(), Traits {
        is_blocked_always: [true, true],
        on_thread: ThreadEffect::Latches(by_operands!(Stallwait, |i, config, _thread| {
            Some(stallwait_latch(i, config))
        })),
        ..SYNC
    };
    Semwait => semwait(i), Traits {
        is_blocked_always: [false, true],
        on_thread: ThreadEffect::Latches(by_operands!(Semwait, |i, config, _thread| {
            Some(semwait_latch(i, config))
        })),
        ..SYNC
    };
    Streamwait => streamwait(i, thread, config), Traits {
        is_blocked_always: [false, true],
        on_thread: ThreadEffect::Latches(by_operands!(Streamwait, |i, config, thread| {
            Some(streamwait_latch(i, config, thread))
        })),
        traps: [None, Some("messages of streams, which receive none")],
        ..SYNC
    };
}

#[cfg(test)]
mod tests;
