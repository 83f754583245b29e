//! Kernels of a file as lists that the model runs.

use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::Arch;
use tessera_program as program;

use crate::KernelProblem;

/// The architecture of the ISA crate for that of the file.
pub fn arch(arch: program::Arch) -> Arch {
    match arch {
        program::Arch::WormholeB0 => Arch::WormholeB0,
        program::Arch::Blackhole => Arch::Blackhole,
    }
}

/// The lists of a kernel, all of whose operands the core has.
pub fn lists(lists: &program::TensixLists) -> Result<Lists, KernelProblem> {
    let size = arch(lists.arch).l1_bytes();
    if lists.l1_end > size {
        return Err(KernelProblem::L1 {
            used: lists.l1_end,
            size,
        });
    }
    Ok(Lists {
        unpack: thread("unpack", &lists.unpack)?,
        math: thread("math", &lists.math)?,
        pack: thread("pack", &lists.pack)?,
        dm: lists.dm.iter().map(data_movement).collect(),
    })
}

fn thread(list: &'static str, entries: &[program::Entry]) -> Result<Vec<Entry>, KernelProblem> {
    let semaphore = |entry, semaphore| match semaphore {
        0..=7 => Ok(semaphore),
        _ => Err(KernelProblem::Semaphore {
            list,
            entry,
            semaphore,
        }),
    };
    let convert = |(at, entry): (usize, &program::Entry)| {
        Ok(match *entry {
            program::Entry::Push(word) => Entry::Push(word),
            program::Entry::MopCfg {
                index: index @ 0..=8,
                value,
            } => Entry::MopCfg { index, value },
            program::Entry::MopCfg { index, .. } => {
                return Err(KernelProblem::MopCfg {
                    list,
                    entry: at,
                    index,
                })
            }
            program::Entry::WaitMop => Entry::WaitMop,
            program::Entry::WaitIdle => Entry::WaitIdle,
            program::Entry::SemPost(sem) => Entry::SemPost(semaphore(at, sem)?),
            program::Entry::SemGet(sem) => Entry::SemGet(semaphore(at, sem)?),
            program::Entry::SemPoll { sem, at_least } => Entry::SemPoll {
                sem: semaphore(at, sem)?,
                at_least,
            },
            program::Entry::Post { counter } => Entry::Post { counter },
            program::Entry::Wait { counter, at_least } => Entry::Wait { counter, at_least },
        })
    };
    entries.iter().enumerate().map(convert).collect()
}

fn data_movement(entry: &program::DmEntry) -> DmEntry {
    match *entry {
        program::DmEntry::Read { arg, page, l1 } => DmEntry::Read { arg, page, l1 },
        program::DmEntry::Write { arg, page, l1 } => DmEntry::Write { arg, page, l1 },
        program::DmEntry::Post { counter } => DmEntry::Post { counter },
        program::DmEntry::Wait { counter, at_least } => DmEntry::Wait { counter, at_least },
    }
}
