//! Sync unit: semaphores and mutexes.
//!
//! SEMWAIT without a condition is undefined on both chips in the newest page (at 25376754) and in ttsim; older pages made it a STALLWAIT.

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
        Instruction::Semwait(i) if i.wait_sem_cond == 0 => {
            return Err(Fault::undefined(
                "SEMWAIT without a condition; bit 0 waits while a semaphore is 0, bit 1 while it is at its maximum",
            ));
        }
        Instruction::Stallwait(_) | Instruction::Semwait(_) => {}
        _ => return Err(Fault::unmodelled_instruction(instruction)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::Bench;
    use tessera_isa_tensix::Arch;

    #[test]
    fn refusals() {
        for arch in Arch::ALL {
            let mut bench = Bench::on(arch);
            bench.run("ttsemwait 0, 2, 3");
            bench.refuses(
                "ttsemwait 0, 2, 0",
                "undefined behaviour: SEMWAIT without a condition; bit 0 waits while a semaphore is 0, bit 1 while it is at its maximum",
            );
        }
    }
}
