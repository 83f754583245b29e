//! Semaphores and mutexes.
//!
//! Values saturate at 15 and at 0; the maximum only matters to SEMWAIT. Mutexes are 0 and 2 to 7,
//! on Blackhole 2 to 4. If both other threads wait for a mutex that a thread releases, the next
//! thread in cyclic order gets it.
//!
//! Source: ISA documentation, `SyncUnit.md`, `SEMINIT.md`, `SEMPOST.md`, `SEMGET.md`, `ATGETM.md`,
//! `ATRELM.md`, of both chips.

use tessera_isa_tensix::Arch;

use crate::state::access::set_bits;

/// One semaphore.
#[derive(Clone, Copy, Debug, Default)]
struct Semaphore {
    value: u8,
    max: u8,
    /// The value of the last SEMINIT; a kernel must leave it balanced.
    initial: u8,
}

/// The eight semaphores and the mutexes of a core.
#[derive(Clone, Debug)]
pub struct Sync {
    arch: Arch,
    semaphores: [Semaphore; 8],
    holder: [Option<usize>; 8],
    /// The thread that gets a mutex next if several wait.
    next: [Option<usize>; 8],
    /// Number of changes.
    changes: u64,
}

fn selected(mask: u32) -> impl Iterator<Item = usize> {
    set_bits(mask & 0xff)
}

impl Sync {
    /// Creates the semaphores, all 0, and the mutexes, all free, of a chip.
    pub fn new(arch: Arch) -> Self {
        Sync {
            arch,
            semaphores: Default::default(),
            holder: Default::default(),
            next: Default::default(),
            changes: 0,
        }
    }

    /// Returns whether a mutex exists.
    pub fn has_mutex(&self, index: u32) -> bool {
        let last = match self.arch {
            Arch::WormholeB0 => 7,
            Arch::Blackhole => 4,
        };
        index != 1 && index <= last
    }

    /// Executes SEMINIT.
    pub fn init(&mut self, mask: u32, value: u32, max: u32) {
        self.changes += 1;
        for k in selected(mask) {
            self.semaphores[k] = Semaphore {
                value: value as u8,
                max: max as u8,
                initial: value as u8,
            };
        }
    }

    /// Executes SEMPOST, or a store of 0.
    pub fn post(&mut self, mask: u32) {
        self.changes += 1;
        for k in selected(mask) {
            let s = &mut self.semaphores[k];
            s.value = (s.value + 1).min(15);
        }
    }

    /// Executes SEMGET, or a store of 1.
    pub fn get(&mut self, mask: u32) {
        self.changes += 1;
        for k in selected(mask) {
            let s = &mut self.semaphores[k];
            s.value = s.value.saturating_sub(1);
        }
    }

    /// Returns the number of changes.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the value of a semaphore.
    pub fn value(&self, semaphore: usize) -> u8 {
        self.semaphores[semaphore].value
    }

    /// Returns whether SEMWAIT keeps waiting: bit 0 of `condition` while a selected value is 0, bit
    /// 1 while one is at its maximum.
    pub fn keeps_waiting(&self, mask: u32, condition: u32) -> bool {
        selected(mask).any(|k| {
            let s = self.semaphores[k];
            condition & 1 != 0 && s.value == 0 || condition & 2 != 0 && s.value >= s.max
        })
    }

    /// Returns whether `thread` can take a mutex now; false for mutexes that do not exist.
    pub fn mutex_free(&self, index: u32, thread: usize) -> bool {
        let is_this = |other: usize| other == thread;
        self.has_mutex(index)
            && self.holder[index as usize].is_none_or(is_this)
            && self.next[index as usize].is_none_or(is_this)
    }

    /// Takes a mutex that [is free](Self::mutex_free).
    pub fn take_mutex(&mut self, index: u32, thread: usize) {
        self.changes += 1;
        self.holder[index as usize] = Some(thread);
        self.next[index as usize] = None;
    }

    /// Reserves a mutex that `thread` has released for the thread after it; both others wait for
    /// it.
    pub fn pass_mutex_on(&mut self, index: u32, thread: usize) {
        self.changes += 1;
        if self.holder[index as usize].is_none() {
            self.next[index as usize] = Some((thread + 1) % 3);
        }
    }

    /// Releases a mutex if `thread` holds it.
    pub fn release_mutex(&mut self, index: u32, thread: usize) {
        self.changes += 1;
        let holder = &mut self.holder[index as usize];
        if *holder == Some(thread) {
            *holder = None;
        }
    }

    /// Describes the state that a kernel left unbalanced.
    pub(crate) fn left_over(&self) -> Vec<String> {
        let semaphores = (0..8)
            .filter(|&k| self.semaphores[k].value != self.semaphores[k].initial)
            .map(|k| {
                let s = self.semaphores[k];
                format!("semaphore {k} started at {} and is {}", s.initial, s.value)
            });
        let mutexes = (0..8).filter_map(|k| {
            self.holder[k].map(|thread| format!("thread {thread} still holds mutex {k}"))
        });
        semaphores.chain(mutexes).collect()
    }
}

#[cfg(test)]
mod tests;
