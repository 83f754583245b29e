//! How many instructions were executed.

use tessera_isa_tensix::{rows, Opcode};

/// Executed instructions by thread and opcode, after MOP and REPLAY expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    counts: Box<[[u64; 256]; 3]>,
}

impl Default for Stats {
    fn default() -> Self {
        Stats {
            counts: Box::new([[0; 256]; 3]),
        }
    }
}

impl Stats {
    pub(crate) fn note(&mut self, thread: usize, opcode: Opcode) {
        self.counts[thread][opcode as usize] += 1;
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

    /// All executed instructions.
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
        let mut b = a.clone();
        b.add(&a);
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
