//! Run statistics: instructions executed by the coprocessor and the RISC-V cores, their stalls, and
//! bytes moved.

use tessera_isa_tensix::{rows, Opcode};

use crate::issue::stalls::{Cause, Stalls};

/// Numbers of instructions by opcode.
type Counts = [u64; 256];

/// Executed instructions by thread and opcode, after MOP and REPLAY expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// `None` for a thread that has executed nothing, as in many tiles.
    counts: [Option<Box<Counts>>; 3],
    retired: [u64; 5],
    /// Number of MOPs of each thread that were followed by something else.
    mop_ends: [u64; 3],
    /// A digest of the words that each thread executed, in order.
    words: [u64; 3],
    /// Stalled instructions of each thread.
    stalls: [Stalls; 3],
    /// Bytes read by each unpacker, and written by the packers.
    unpacked: [u64; 2],
    packed: u64,
    /// Bytes received and sent through each NoC.
    noc: [[u64; 2]; 2],
    /// Bytes read from DRAM and written to it.
    dram: u64,
}

impl Stats {
    #[inline]
    fn counts_mut(&mut self, thread: usize) -> &mut Counts {
        self.counts[thread].get_or_insert_with(|| Box::new([0; 256]))
    }

    pub(crate) fn note(&mut self, thread: usize, opcode: Opcode, word: u32) {
        self.counts_mut(thread)[opcode as usize] += 1;
        // FNV-1a, a word at a time: enough to tell two runs apart.
        let digest = (self.words[thread] ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
        self.words[thread] = digest ^ digest >> 29;
    }

    /// Records the same instruction `count` times.
    pub(crate) fn note_repeated(&mut self, thread: usize, opcode: Opcode, word: u32, count: u32) {
        (0..count).for_each(|_| self.note(thread, opcode, word));
    }

    pub(crate) fn note_stall(&mut self, thread: usize, cause: Cause) {
        self.stalls[thread][cause as usize] += 1;
    }

    pub(crate) fn set_mop_ends(&mut self, mop_ends: [u64; 3]) {
        self.mop_ends = mop_ends;
    }

    /// Records bytes that an unpacker read from L1, or that packers wrote to it.
    pub(crate) fn note_moved(&mut self, unpacker: Option<usize>, read: u64, written: u64) {
        if let Some(unpacker) = unpacker {
            self.unpacked[unpacker] += read;
        }
        self.packed += written;
    }

    /// Records bytes that the tile received and sent through a NoC.
    pub(crate) fn note_noc(&mut self, noc: usize, [received, sent]: [u64; 2]) {
        self.noc[noc][0] += received;
        self.noc[noc][1] += sent;
    }

    /// Records bytes that the tile read from DRAM or wrote to it.
    pub(crate) fn note_dram(&mut self, bytes: u64) {
        self.dram += bytes;
    }

    pub(crate) fn set_retired(&mut self, retired: [u64; 5]) {
        self.retired = retired;
    }

    /// Returns the instructions of each RISC-V core, in the order of [`crate::map::CORES`].
    /// Iterations of a polling loop while parked do not count. All 0 for a list program.
    pub fn retired(&self) -> [u64; 5] {
        self.retired
    }

    /// Returns how often a thread's MOP expander took another word after a MOP.
    pub fn mop_ends(&self, thread: usize) -> u64 {
        self.mop_ends[thread]
    }

    /// Returns the number of stalled instructions of each thread, for the causes that occurred.
    pub fn stalls(&self) -> impl Iterator<Item = (Cause, [u64; 3])> + '_ {
        let of_threads = |cause: Cause| self.stalls.map(|stalls| stalls[cause as usize]);
        let all = Cause::ALL.into_iter();
        all.map(move |cause| (cause, of_threads(cause)))
            .filter(|(_, counts)| *counts != [0; 3])
    }

    /// Returns the statistics without stalls, the only ones that depend on the schedule.
    #[must_use]
    pub fn without_stalls(self) -> Stats {
        Stats {
            stalls: Default::default(),
            ..self
        }
    }

    /// Returns a digest of the words that a thread executed, in order. The digest of merged runs
    /// depends on both.
    pub fn words(&self, thread: usize) -> u64 {
        self.words[thread]
    }

    /// Returns the bytes that each unpacker read from L1.
    pub fn unpacked(&self) -> [u64; 2] {
        self.unpacked
    }

    /// Returns the bytes that the packers wrote to L1.
    pub fn packed(&self) -> u64 {
        self.packed
    }

    /// Returns the bytes received and sent through each NoC. A broadcast is sent once.
    pub fn noc(&self) -> [[u64; 2]; 2] {
        self.noc
    }

    /// Returns the bytes that the tile read from DRAM or wrote to it.
    pub fn dram(&self) -> u64 {
        self.dram
    }

    /// Returns the number of executions of an opcode by one thread.
    pub fn of_thread(&self, thread: usize, opcode: Opcode) -> u64 {
        let counts = self.counts[thread].as_ref();
        counts.map_or(0, |counts| counts[opcode as usize])
    }

    /// Returns the number of instructions executed by one thread.
    pub fn by_thread(&self, thread: usize) -> u64 {
        let counts = self.counts[thread].iter();
        counts.flat_map(|counts| counts.iter()).sum()
    }

    /// Returns the number of executions of an opcode by all threads.
    pub fn count(&self, opcode: Opcode) -> u64 {
        self.counts
            .iter()
            .flatten()
            .map(|of_thread| of_thread[opcode as usize])
            .sum()
    }

    /// Returns the number of instructions executed by the coprocessor.
    pub fn total(&self) -> u64 {
        (self.counts.iter().flatten())
            .flat_map(|counts| counts.iter())
            .sum()
    }

    /// Returns the mnemonics that occurred, with counts of all threads, in table order.
    pub fn by_mnemonic(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        rows()
            .iter()
            .map(|row| (row.mnemonic, self.count(row.opcode)))
            .filter(|&(_, count)| count > 0)
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Stats) {
        for (thread, theirs) in other.counts.iter().enumerate() {
            let Some(theirs) = theirs else {
                continue;
            };
            for (mine, theirs) in self.counts_mut(thread).iter_mut().zip(theirs.iter()) {
                *mine += theirs;
            }
        }
        let sums = [
            (&mut self.retired[..], &other.retired[..]),
            (&mut self.mop_ends, &other.mop_ends),
            (&mut self.unpacked, &other.unpacked),
            (self.noc.as_flattened_mut(), other.noc.as_flattened()),
            (self.stalls.as_flattened_mut(), other.stalls.as_flattened()),
        ];
        for (mine, theirs) in sums {
            mine.iter_mut()
                .zip(theirs)
                .for_each(|(mine, theirs)| *mine += theirs);
        }
        self.packed += other.packed;
        self.dram += other.dram;
        for (mine, theirs) in self.words.iter_mut().zip(other.words) {
            *mine = (*mine).rotate_left(1) ^ theirs;
        }
    }
}

#[cfg(test)]
mod tests;
