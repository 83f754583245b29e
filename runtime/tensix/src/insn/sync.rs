//! Sync unit: semaphores and mutexes.
//!
//! STREAMWAIT can wait for phases, but not for messages, because streams receive none here.
//!
//! SEMWAIT without a condition is undefined on both chips according to the latest page (at
//! 25376754) and ttsim; older pages made it a STALLWAIT.

use tessera_isa_tensix::table::Streamwait;
use tessera_isa_tensix::{cfg, Instruction};

use crate::state::core_state::CoreState;
use crate::state::streams::STREAM_TARGET_BITS;
use crate::state::sync::Sync;
use crate::trap::Fault;

pub(super) fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &CoreState,
    sync: &mut Sync,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Seminit(i) => sync.init(i.sem_sel, i.init_value, i.max_value),
        Instruction::Sempost(i) => sync.post(i.sem_sel),
        Instruction::Semget(i) => sync.get(i.sem_sel),
        Instruction::Atgetm(i) => sync.take_mutex(i.mutex_index, thread),
        Instruction::Atrelm(i) => sync.release_mutex(i.mutex_index, thread),
        Instruction::Semwait(i) if i.wait_sem_cond == 0 => {
            return Err(Fault::undefined(
                "SEMWAIT without a condition; bit 0 waits while a semaphore is 0, bit 1 while it \
                 is at its maximum",
            ));
        }
        Instruction::Stallwait(_) | Instruction::Semwait(_) => {}
        Instruction::Streamwait(i) => refuse_messages(i, thread, core)?,
        _ => return Err(Fault::unmodelled_instruction(instruction)),
    }
    Ok(())
}

/// Refuses to wait for a positive number of messages.
fn refuse_messages(i: &Streamwait, thread: usize, core: &CoreState) -> Result<(), Fault> {
    const MESSAGES: u32 = 1;
    let high = core.config.thread(thread, cfg::STREAMWAIT_NUM_MSGS_HI_Val);
    let target = high << STREAM_TARGET_BITS | i.target_value;
    if i.target_sel != MESSAGES || target == 0 {
        return Ok(());
    }
    Err(Fault::unmodelled(format!(
        "STREAMWAIT for {target} messages of stream {}, which receives nothing here; wait for a \
         semaphore, or for a phase that a core stores",
        core.stream(thread, i.wait_stream_sel)
    )))
}

#[cfg(test)]
mod tests;
