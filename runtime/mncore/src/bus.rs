//! What passes between memories and units of an L1 block in one step.
//!
//! Manual, section 1.2: the data path of a PE is two long words a cycle, shorter values lie at the
//! most significant end, memory order is big-endian. What a shorter value leaves free is zero here:
//! the manual does not say.

use crate::geometry::{Geometry, CYCLES};

/// Two long words for each cycle of a step and each lane of a block, lanes next to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bus {
    words: Box<[u64]>,
    lanes: usize,
}

impl Bus {
    /// Zeros, for so many lanes.
    pub fn new(lanes: usize) -> Self {
        Bus {
            words: vec![0; CYCLES * 2 * lanes].into(),
            lanes,
        }
    }

    /// Both long words of a cycle: all most significant ones, all least significant ones.
    pub fn cycle(&self, cycle: usize) -> (&[u64], &[u64]) {
        let start = cycle * 2 * self.lanes;
        self.words[start..start + 2 * self.lanes].split_at(self.lanes)
    }

    /// What it carries.
    pub fn words(&self) -> Words<'_> {
        Words::new(|cycle| self.cycle(cycle))
    }

    /// Copies `words`.
    pub fn copy_from(&mut self, words: Words) {
        for cycle in 0..CYCLES {
            let (high, low) = words.cycle(cycle);
            let (to_high, to_low) = self.cycle_mut(cycle);
            to_high.copy_from_slice(high);
            to_low.copy_from_slice(low);
        }
    }

    /// Both long words of a cycle, to be written.
    pub fn cycle_mut(&mut self, cycle: usize) -> (&mut [u64], &mut [u64]) {
        let start = cycle * 2 * self.lanes;
        self.words[start..start + 2 * self.lanes].split_at_mut(self.lanes)
    }
}

/// What is read from a bus or straight from a memory: both long words of all lanes, cycle by cycle.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a>([(&'a [u64], &'a [u64]); CYCLES]);

/// Zeros in as many lanes as a block can have.
static ZEROS: [u64; Geometry::MAX_LANES] = [0; Geometry::MAX_LANES];

impl<'a> Words<'a> {
    /// Zeros.
    pub fn zeros(lanes: usize) -> Self {
        let zeros = &ZEROS[..lanes];
        Words([(zeros, zeros); CYCLES])
    }

    /// The words of each cycle.
    pub fn new(words: impl Fn(usize) -> (&'a [u64], &'a [u64])) -> Self {
        Words(std::array::from_fn(words))
    }

    /// Both long words of a cycle: all most significant ones, all least significant ones.
    pub fn cycle(&self, cycle: usize) -> (&'a [u64], &'a [u64]) {
        self.0[cycle]
    }
}

/// Four flags for each cycle of a step and each lane of a block: bit 3 belongs to the most
/// significant word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    nibbles: Box<[u8]>,
    lanes: usize,
}

impl Flags {
    /// All flags 0, for so many lanes.
    pub fn new(lanes: usize) -> Self {
        Flags {
            nibbles: vec![0; CYCLES * lanes].into(),
            lanes,
        }
    }

    /// The flags of a cycle.
    pub fn cycle(&self, cycle: usize) -> &[u8] {
        &self.nibbles[cycle * self.lanes..][..self.lanes]
    }

    /// The flags of a cycle, to be written.
    pub fn cycle_mut(&mut self, cycle: usize) -> &mut [u8] {
        &mut self.nibbles[cycle * self.lanes..][..self.lanes]
    }

    /// Copies the flags of `other`.
    pub fn copy_from(&mut self, other: &Flags) {
        self.nibbles.copy_from_slice(&other.nibbles);
    }

    /// Sets the flags of each cycle to 1 or 0 in every lane and word, as the fixed mask entries
    /// have them.
    pub fn set_cycles(&mut self, cycles: [bool; CYCLES]) {
        for (cycle, set) in cycles.into_iter().enumerate() {
            self.cycle_mut(cycle).fill(if set { 0b1111 } else { 0 });
        }
    }
}

/// How many bits one flag of a mask stands for; manual, section 3.6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskWidth {
    /// The most significant long word as four half words; the other long word passes.
    Long,
    /// Both long words as four single words.
    TwoLong,
}

impl MaskWidth {
    /// The bits of the two long words that four flags let pass.
    pub fn expand(self, flags: u8) -> (u64, u64) {
        match self {
            MaskWidth::Long => {
                let half = |bit: u8| 0u64.wrapping_sub(u64::from(flags >> bit & 1)) & 0xffff;
                let high = half(3) << 48 | half(2) << 32 | half(1) << 16 | half(0);
                (high, u64::MAX)
            }
            MaskWidth::TwoLong => {
                let word = |bit: u8| 0u64.wrapping_sub(u64::from(flags >> bit & 1)) & 0xffff_ffff;
                (word(3) << 32 | word(2), word(1) << 32 | word(0))
            }
        }
    }
}

#[cfg(test)]
mod tests;
