//! How many instructions were executed, by the coprocessor and by RISC-V cores.

use tessera_isa_tensix::{rows, Opcode};

/// Executed instructions by thread and opcode, after MOP and REPLAY expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    counts: Box<[[u64; 256]; 3]>,
    retired: [u64; 5],
}

impl Default for Stats {
    fn default() -> Self {
        Stats {
            counts: Box::new([[0; 256]; 3]),
            retired: [0; 5],
        }
    }
}

impl Stats {
    pub(crate) fn note(&mut self, thread: usize, opcode: Opcode) {
        self.counts[thread][opcode as usize] += 1;
    }

    pub(crate) fn set_retired(&mut self, retired: [u64; 5]) {
        self.retired = retired;
    }

    /// Executed by each RISC-V core, in the order of [`crate::tile::map::CORES`]; turns of a polling loop while parked do not
    /// count. All 0 for a list program.
    pub fn retired(&self) -> [u64; 5] {
        self.retired
    }

    /// Executed by one thread.
    pub fn of_thread(&self, thread: usize, opcode: Opcode) -> u64 {
        self.counts[thread][opcode as usize]
    }

    /// Executed by all threads.
    pub fn count(&self, opcode: Opcode) -> u64 {
        self.counts
            .iter()
            .map(|of_thread| of_thread[opcode as usize])
            .sum()
    }

    /// All executed instructions of the coprocessor.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// The mnemonics that occurred, with counts of all threads, in table order.
    pub fn by_mnemonic(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        rows()
            .iter()
            .map(|row| (row.mnemonic, self.count(row.opcode)))
            .filter(|&(_, count)| count > 0)
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Stats) {
        for (mine, theirs) in self
            .counts
            .iter_mut()
            .flatten()
            .zip(other.counts.iter().flatten())
        {
            *mine += theirs;
        }
        for (mine, theirs) in self.retired.iter_mut().zip(other.retired) {
            *mine += theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let mut a = Stats::default();
        a.note(0, Opcode::Nop);
        a.note(2, Opcode::Nop);
        a.note(1, Opcode::Mvmul);
        a.set_retired([1, 2, 3, 4, 5]);
        let mut b = a.clone();
        b.add(&a);
        assert_eq!(b.retired(), [2, 4, 6, 8, 10]);
        assert_eq!(
            (
                b.count(Opcode::Nop),
                b.of_thread(1, Opcode::Mvmul),
                b.total()
            ),
            (4, 2, 6)
        );
        assert_eq!(
            a.by_mnemonic().collect::<Vec<_>>(),
            [("NOP", 2), ("MVMUL", 1)]
        );
    }
}
