//! Sync unit: semaphores and mutexes.

use tessera_isa_tensix::Instruction;

use crate::sync::Sync;
use crate::trap::Fault;

pub(super) fn execute(
    instruction: &Instruction,
    thread: usize,
    sync: &mut Sync,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Seminit(i) => sync.init(i.sem_sel, i.init_value, i.max_value),
        Instruction::Sempost(i) => sync.post(i.sem_sel),
        Instruction::Semget(i) => sync.get(i.sem_sel),
        Instruction::Atgetm(i) => sync.take_mutex(i.mutex_index, thread),
        Instruction::Atrelm(i) => sync.release_mutex(i.mutex_index, thread),
        Instruction::Stallwait(_) | Instruction::Semwait(_) => {}
        _ => return Err(Fault::unmodelled_instruction(instruction)),
    }
    Ok(())
}
