//! Values on the data paths of an L1 block during one step.
//!
//! Manual, section 1.2. The data path of a PE is two long words per cycle. Shorter values occupy
//! its most significant end; memory order is big-endian. The remaining part is zero here, which the
//! manual leaves open.

use crate::geometry::{Geometry, CYCLES};

/// Two long words for each cycle of a step and each lane of a block, lane-contiguous.
///
/// Most values occupy only the most significant long words. A bus therefore records in which cycles
/// the least significant ones are zero, so that they are neither zeroed again nor copied. It also
/// records in which cycles all MABs are known to have the same, as after a broadcast. As many buses
/// are not used in a kernel, [`Bus::clear`] zeroes no memory either.
#[derive(Debug)]
pub struct Bus {
    /// The words. They mean nothing while the bus is zero.
    words: Box<[u64]>,
    lanes: usize,
    /// Whether the bus is zero, whatever `words` holds.
    is_zero: bool,
    /// For each cycle, whether the least significant long words are known to be zero.
    low_is_zero: [bool; CYCLES],
    /// For each cycle, whether all MABs are known to have the same long words.
    is_same: [bool; CYCLES],
}

impl Bus {
    /// Creates a zeroed bus for this many lanes.
    pub fn new(lanes: usize) -> Self {
        Bus {
            words: vec![0; CYCLES * 2 * lanes].into(),
            lanes,
            is_zero: true,
            low_is_zero: [true; CYCLES],
            is_same: [true; CYCLES],
        }
    }

    /// Zeroes the bus.
    pub fn clear(&mut self) {
        self.is_zero = true;
        self.low_is_zero = [true; CYCLES];
        self.is_same = [true; CYCLES];
    }

    /// Records that all MABs have the same long words in a cycle, which was written before.
    pub fn mark_same(&mut self, cycle: usize) {
        self.is_same[cycle] = true;
    }

    /// Returns the most significant and the least significant long words of a cycle.
    pub fn cycle(&self, cycle: usize) -> (&[u64], &[u64]) {
        if self.is_zero {
            let zeros = &ZEROS[..self.lanes];
            return (zeros, zeros);
        }
        let start = cycle * 2 * self.lanes;
        self.words[start..start + 2 * self.lanes].split_at(self.lanes)
    }

    /// Returns a view of the values.
    pub fn words(&self) -> Words<'_> {
        Words {
            cycles: std::array::from_fn(|cycle| self.cycle(cycle)),
            low_is_zero: self.low_is_zero == [true; CYCLES],
            is_same: self.is_same == [true; CYCLES],
        }
    }

    /// Copies the values of `words`.
    pub fn copy_from(&mut self, words: Words) {
        for cycle in 0..CYCLES {
            let (high, low) = words.cycle(cycle);
            if words.low_is_zero() {
                self.high_mut(cycle).copy_from_slice(high);
                continue;
            }
            let (to_high, to_low) = self.cycle_mut(cycle);
            to_high.copy_from_slice(high);
            to_low.copy_from_slice(low);
        }
    }

    /// Returns the most and least significant long words of a cycle, mutably.
    pub fn cycle_mut(&mut self, cycle: usize) -> (&mut [u64], &mut [u64]) {
        self.use_memory();
        self.low_is_zero[cycle] = false;
        self.is_same[cycle] = false;
        self.pair_mut(cycle)
    }

    /// Zeroes the least significant long words of a cycle and returns the most significant ones,
    /// mutably.
    pub fn high_mut(&mut self, cycle: usize) -> &mut [u64] {
        self.use_memory();
        self.is_same[cycle] = false;
        let is_zero = std::mem::replace(&mut self.low_is_zero[cycle], true);
        let (high, low) = self.pair_mut(cycle);
        if !is_zero {
            low.fill(0);
        }
        high
    }

    /// Zeroes the memory before the first write to a zero bus.
    fn use_memory(&mut self) {
        if std::mem::take(&mut self.is_zero) {
            self.words.fill(0);
        }
    }

    fn pair_mut(&mut self, cycle: usize) -> (&mut [u64], &mut [u64]) {
        let start = cycle * 2 * self.lanes;
        self.words[start..start + 2 * self.lanes].split_at_mut(self.lanes)
    }
}

impl Clone for Bus {
    fn clone(&self) -> Self {
        Bus {
            words: self.words.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        let Bus {
            words,
            lanes,
            is_zero,
            low_is_zero,
            is_same,
        } = self;
        if !other.is_zero {
            words.clone_from(&other.words);
        }
        (*lanes, *is_zero) = (other.lanes, other.is_zero);
        (*low_is_zero, *is_same) = (other.low_is_zero, other.is_same);
    }
}

impl PartialEq for Bus {
    fn eq(&self, other: &Bus) -> bool {
        let are_equal = |cycle| self.cycle(cycle) == other.cycle(cycle);
        self.lanes == other.lanes && (0..CYCLES).all(are_equal)
    }
}

impl Eq for Bus {}

/// A view of two long words per cycle and lane, borrowed from a bus or a memory.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    cycles: [(&'a [u64], &'a [u64]); CYCLES],
    low_is_zero: bool,
    is_same: bool,
}

/// Zeros for the maximum number of lanes.
static ZEROS: [u64; Geometry::MAX_LANES] = [0; Geometry::MAX_LANES];

impl<'a> Words<'a> {
    /// Returns a view of zeros.
    pub fn zeros(lanes: usize) -> Self {
        Words::from_high(lanes, |_| &ZEROS[..lanes])
    }

    /// Creates a view from the words of each cycle.
    pub fn new(words: impl Fn(usize) -> (&'a [u64], &'a [u64])) -> Self {
        Words {
            cycles: std::array::from_fn(words),
            low_is_zero: false,
            is_same: false,
        }
    }

    /// Creates a view from the most significant long words of each cycle; the others are zero.
    pub fn from_high(lanes: usize, high: impl Fn(usize) -> &'a [u64]) -> Self {
        Words {
            cycles: std::array::from_fn(|cycle| (high(cycle), &ZEROS[..lanes])),
            low_is_zero: true,
            is_same: false,
        }
    }

    /// Returns whether all MABs are known to have the same long words.
    pub fn is_same(&self) -> bool {
        self.is_same
    }

    /// Returns whether all least significant long words are known to be zero.
    pub fn low_is_zero(&self) -> bool {
        self.low_is_zero
    }

    /// Returns the most significant and the least significant long words of a cycle.
    pub fn cycle(&self, cycle: usize) -> (&'a [u64], &'a [u64]) {
        self.cycles[cycle]
    }
}

/// Four mask flags for each cycle of a step and each lane of a block. Bit 3 belongs to the most
/// significant word.
#[derive(Clone, Debug)]
pub struct Flags {
    nibbles: Box<[u8]>,
    lanes: usize,
    /// Whether all flags are known to be zero.
    is_zero: bool,
}

impl Flags {
    /// Creates zeroed flags for this many lanes.
    pub fn new(lanes: usize) -> Self {
        Flags {
            nibbles: vec![0; CYCLES * lanes].into(),
            lanes,
            is_zero: true,
        }
    }

    /// Zeroes the flags.
    pub fn clear(&mut self) {
        if !std::mem::replace(&mut self.is_zero, true) {
            self.nibbles.fill(0);
        }
    }

    /// Returns the flags of a cycle.
    pub fn cycle(&self, cycle: usize) -> &[u8] {
        &self.nibbles[cycle * self.lanes..][..self.lanes]
    }

    /// Returns the flags of a cycle, mutably.
    pub fn cycle_mut(&mut self, cycle: usize) -> &mut [u8] {
        self.is_zero = false;
        &mut self.nibbles[cycle * self.lanes..][..self.lanes]
    }

    /// Copies the flags of `other`.
    pub fn copy_from(&mut self, other: &Flags) {
        self.nibbles.copy_from_slice(&other.nibbles);
        self.is_zero = other.is_zero;
    }

    /// Sets all flags of each cycle to the same value, as fixed mask entries require.
    pub fn set_cycles(&mut self, cycles: [bool; CYCLES]) {
        for (cycle, set) in cycles.into_iter().enumerate() {
            self.cycle_mut(cycle).fill(if set { 0b1111 } else { 0 });
        }
    }
}

impl PartialEq for Flags {
    fn eq(&self, other: &Flags) -> bool {
        self.nibbles == other.nibbles
    }
}

impl Eq for Flags {}

/// The number of bits that one mask flag covers (manual, section 3.6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskWidth {
    /// The four half words of the most significant long word; the other long word always passes.
    Long,
    /// The four single words of both long words.
    TwoLong,
}

impl MaskWidth {
    /// Expands four flags to a bit mask over the two long words.
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
