//! A kernel as four lists, and their text form.
//!
//! The lists of unpack (T0), math (T1) and pack (T2) are the traces of three RISC-V cores. Entries
//! retire in order, [`Entry::Push`] pushes to the thread's bounded FIFO, and the coprocessor
//! processes the FIFOs asynchronously. The fourth list, `dm`, moves pages between DRAM and L1.
//! RISC-V code can replace each list.
//!
//! The text has sections `.unpack .math .pack .dm` in this order, one entry per line; `#` starts a
//! comment. Instructions are in the form of [`crate::text`]; a pushed word that is not an
//! instruction is printed as `.word 0x…`, so that printing and parsing are inverse. Lists do not
//! record their chip, which is an argument of [`Lists::parse`] and [`Entry::text`]; `FromStr` and
//! `Display` assume Wormhole B0.

mod parse;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::expand::MOP_CFG_WORDS;
use crate::{Arch, Instruction};

pub use parse::{ListProblem, ParseListError};

/// The chip of lists that are parsed or printed without one.
const ARCH: Arch = Arch::WormholeB0;
/// Number of semaphores of a core.
pub const SEMAPHORES: u8 = 8;
/// The largest value a semaphore can have.
pub const MAX_SEMAPHORE_VALUE: u8 = 15;

/// One entry of an unpack, math or pack list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// Push an instruction word into this thread's FIFO; blocks while it is full.
    Push(u32),
    /// Store to `MopCfg[index]`; traps unless the expander is idle.
    MopCfg {
        /// 0 to 8.
        index: u8,
        /// The word.
        value: u32,
    },
    /// Wait until this thread's FIFO has no MOP and its expander is idle.
    WaitMop,
    /// Wait until all instructions pushed by this thread have completed.
    WaitIdle,
    /// Increment a semaphore by a store.
    SemPost(u8),
    /// Decrement a semaphore by a store.
    SemGet(u8),
    /// Poll a semaphore's value.
    SemPoll {
        /// 0 to 7.
        sem: u8,
        /// Continue once the value is at least this.
        at_least: u8,
    },
    /// Increment a counter in L1.
    Post {
        /// The counter.
        counter: u16,
    },
    /// Wait for a counter in L1.
    Wait {
        /// The counter.
        counter: u16,
        /// Continue once it is at least this.
        at_least: u32,
    },
}

/// One entry of the data-movement list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DmEntry {
    /// Copy one page of a tensor from DRAM to L1.
    Read {
        /// The tensor argument.
        arg: u16,
        /// The page.
        page: u32,
        /// Byte address in L1.
        l1: u32,
    },
    /// Copy one page of a tensor from L1 to DRAM.
    Write {
        /// The tensor argument.
        arg: u16,
        /// The page.
        page: u32,
        /// Byte address in L1.
        l1: u32,
    },
    /// Increment a counter in L1.
    Post {
        /// The counter.
        counter: u16,
    },
    /// Wait for a counter in L1.
    Wait {
        /// The counter.
        counter: u16,
        /// Continue once it is at least this.
        at_least: u32,
    },
}

/// The four lists of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lists {
    /// Thread 0.
    pub unpack: Vec<Entry>,
    /// Thread 1.
    pub math: Vec<Entry>,
    /// Thread 2.
    pub pack: Vec<Entry>,
    /// Data movement.
    pub dm: Vec<DmEntry>,
}

impl Lists {
    /// Returns the list of thread 0, 1 or 2.
    pub fn thread(&self, thread: usize) -> &[Entry] {
        self.threads()[thread].1
    }

    /// Returns the name and list of each thread.
    pub fn threads(&self) -> [(&'static str, &[Entry]); 3] {
        [
            ("unpack", &self.unpack),
            ("math", &self.math),
            ("pack", &self.pack),
        ]
    }
}

/// An entry that no core can execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryProblem {
    /// The semaphore does not exist.
    #[error("names semaphore {0}; there are semaphores 0 to {last}", last = SEMAPHORES - 1)]
    Semaphore(u8),
    /// The semaphore cannot reach the value.
    #[error(
        "waits until semaphore {sem} is {at_least}; a semaphore is at most {MAX_SEMAPHORE_VALUE}"
    )]
    SemaphoreValue {
        /// The semaphore.
        sem: u8,
        /// The value.
        at_least: u8,
    },
    /// The `MopCfg` word does not exist.
    #[error(
        "stores to MopCfg[{0}]; there are MopCfg[0] to MopCfg[{last}]",
        last = MOP_CFG_WORDS - 1
    )]
    MopCfg(u8),
}

impl Entry {
    /// Checks that the entry names existing resources. A pushed word may still be invalid.
    ///
    /// # Errors
    /// If not; the text of the error begins with a verb, whose subject is the entry.
    pub fn check(self) -> Result<(), EntryProblem> {
        match self {
            Entry::MopCfg { index, .. } if usize::from(index) >= MOP_CFG_WORDS => {
                Err(EntryProblem::MopCfg(index))
            }
            Entry::SemPost(sem) | Entry::SemGet(sem) | Entry::SemPoll { sem, .. }
                if sem >= SEMAPHORES =>
            {
                Err(EntryProblem::Semaphore(sem))
            }
            Entry::SemPoll { sem, at_least } if at_least > MAX_SEMAPHORE_VALUE => {
                Err(EntryProblem::SemaphoreValue { sem, at_least })
            }
            _ => Ok(()),
        }
    }
}

impl From<Instruction> for Entry {
    /// Pushes an instruction of Wormhole B0.
    ///
    /// # Panics
    /// If an operand does not fit its field: a mistake in the calling code.
    fn from(instruction: Instruction) -> Self {
        Entry::Push(instruction.encode(ARCH).unwrap_or_else(|e| panic!("{e}")))
    }
}

impl Entry {
    /// Returns the entry as text, with the operands of instructions on a chip.
    pub fn text(self, arch: Arch) -> impl fmt::Display {
        Text(self, arch)
    }
}

struct Text(Entry, Arch);

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Text(*self, ARCH).fmt(f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Text(entry, arch) = *self;
        match entry {
            Entry::Push(word) => match Instruction::decode(arch, word) {
                Ok(instruction) => instruction.text(arch).fmt(f),
                Err(_) => write!(f, ".word {word:#010x}"),
            },
            Entry::MopCfg { index, value } => write!(f, ".mopcfg {index}, {value:#010x}"),
            Entry::WaitMop => f.write_str(".wait_mop"),
            Entry::WaitIdle => f.write_str(".wait_idle"),
            Entry::SemPost(sem) => write!(f, ".sem_post {sem}"),
            Entry::SemGet(sem) => write!(f, ".sem_get {sem}"),
            Entry::SemPoll { sem, at_least } => write!(f, ".sem_poll {sem}, {at_least}"),
            Entry::Post { counter } => write!(f, ".post {counter}"),
            Entry::Wait { counter, at_least } => write!(f, ".wait {counter}, {at_least}"),
        }
    }
}

impl fmt::Display for DmEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DmEntry::Read { arg, page, l1 } => write!(f, ".read {arg}, {page}, {l1:#x}"),
            DmEntry::Write { arg, page, l1 } => write!(f, ".write {arg}, {page}, {l1:#x}"),
            DmEntry::Post { counter } => write!(f, ".post {counter}"),
            DmEntry::Wait { counter, at_least } => write!(f, ".wait {counter}, {at_least}"),
        }
    }
}

impl fmt::Display for Lists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, list) in self.threads() {
            writeln!(f, ".{name}")?;
            for entry in list {
                writeln!(f, "    {entry}")?;
            }
        }
        writeln!(f, ".dm")?;
        for entry in &self.dm {
            writeln!(f, "    {entry}")?;
        }
        Ok(())
    }
}
