//! The accesses of one instruction.
//!
//! Units execute an instruction completely when it is issued, but the machine lets it *occupy* its
//! unit for a while. A conflicting access to the same L1 bytes, Dst rows or configuration words
//! meanwhile relies on an order that the hardware does not guarantee, and traps. For this check
//! every access is recorded: by this log, and by the accessors of configuration, L1 and register
//! files.

use std::cell::Cell;
use std::fmt;

use crate::state::row32::Row32;

/// A set of Dst rows, counted as 1024 rows of 16 bits.
#[derive(Clone, Copy, Default)]
pub struct RowSet {
    /// Words that are not used have arbitrary contents. Most sets use one or two words.
    bits: [u64; 16],
    /// The words in use, one bit each.
    used: u16,
}

impl RowSet {
    /// The set without rows.
    pub(crate) const EMPTY: RowSet = RowSet {
        bits: [0; 16],
        used: 0,
    };

    /// Adds a row (0 to 1023).
    pub fn insert(&mut self, row: usize) {
        self.insert_block(row, 1);
    }

    /// Adds `count` rows of an aligned group of eight.
    #[inline]
    pub fn insert_block(&mut self, first: usize, count: usize) {
        self.insert_bits(first, (1 << count) - 1);
    }

    /// Adds the rows of a mask, counted from `first` on, which are in one word.
    #[inline(always)]
    fn insert_bits(&mut self, first: usize, rows: u64) {
        let word = first / 64;
        self.bits[word] = self.word(word) | rows << (first % 64);
        self.used |= 1 << word;
    }

    /// Adds `count` rows of an aligned group of eight as an instruction counts them; if `wide`,
    /// both halves of each.
    #[inline]
    pub(crate) fn insert_dst_block(&mut self, first: usize, count: usize, wide: bool) {
        match wide {
            true => {
                // The low halves are eight rows after the high ones, within sixteen aligned rows.
                let [high, _] = Row32::new(first).halves();
                self.insert_bits(high, ((1 << count) - 1) * 0x101);
            }
            false => self.insert_block(first, count),
        }
    }

    #[inline(always)]
    fn word(&self, word: usize) -> u64 {
        match self.used >> word & 1 {
            0 => 0,
            _ => self.bits[word],
        }
    }

    /// Returns the lowest row in both sets.
    pub fn first_common(&self, other: &RowSet) -> Option<usize> {
        let common = |k: &usize| self.bits[*k] & other.bits[*k];
        let k = set_bits((self.used & other.used).into()).find(|k| common(k) != 0)?;
        Some(k * 64 + common(&k).trailing_zeros() as usize)
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Copies another set.
    #[inline]
    pub fn copy_from_set(&mut self, other: &RowSet) {
        set_bits(other.used.into()).for_each(|k| self.bits[k] = other.bits[k]);
        self.used = other.used;
    }
}

impl PartialEq for RowSet {
    fn eq(&self, other: &Self) -> bool {
        (0..self.bits.len()).all(|word| self.word(word) == other.word(word))
    }
}

impl Eq for RowSet {}

impl fmt::Debug for RowSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rows = |word: usize| {
            (0..64)
                .filter(move |k| self.word(word) >> k & 1 != 0)
                .map(move |k| word * 64 + k)
        };
        f.debug_set()
            .entries((0..self.bits.len()).flat_map(rows))
            .finish()
    }
}

/// Returns the bits of a mask, lowest first.
pub(crate) fn set_bits(mask: u32) -> impl Iterator<Item = usize> {
    struct Ones(u32);
    impl Iterator for Ones {
        type Item = usize;
        #[inline]
        fn next(&mut self) -> Option<usize> {
            if self.0 == 0 {
                return None;
            }
            let next = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            Some(next)
        }
    }
    Ones(mask)
}

impl Extend<usize> for RowSet {
    fn extend<T: IntoIterator<Item = usize>>(&mut self, rows: T) {
        rows.into_iter().for_each(|row| self.insert(row));
    }
}

/// A set of `Config` words of both states. Words common to both states count as state 0's
/// ([`crate::state::config::Config::storage_state`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordSet {
    bits: [[u64; 4]; 2],
    /// The numbers that are not zero, one bit each: most sets have none or few.
    used: u8,
}

impl WordSet {
    fn new(bits: [[u64; 4]; 2]) -> Self {
        let used = |used, (k, &bits): (usize, &u64)| used | u8::from(bits != 0) << k;
        WordSet {
            bits,
            used: (bits.as_flattened().iter().enumerate()).fold(0, used),
        }
    }

    /// Adds a word (0 to 255) of a state.
    pub fn insert(&mut self, state: usize, word: u32) {
        let (index, bit) = place(word);
        self.bits[state][index] |= bit;
        self.used |= 1 << (4 * state + index);
    }

    /// Returns whether a word (0 to 255) of a state is in the set.
    pub fn contains(&self, state: usize, word: u32) -> bool {
        let (index, bit) = place(word);
        self.bits[state][index] & bit != 0
    }

    /// Removes a word of a state.
    pub fn remove(&mut self, state: usize, word: u32) {
        let (index, bit) = place(word);
        self.bits[state][index] &= !bit;
        *self = WordSet::new(self.bits);
    }

    /// Adds all words of another set.
    pub fn extend(&mut self, other: &WordSet) {
        let mine = self.bits.as_flattened_mut().iter_mut();
        for (mine, bits) in mine.zip(other.bits.as_flattened()) {
            *mine |= bits;
        }
        self.used |= other.used;
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Removes all words.
    pub fn clear(&mut self) {
        if self.used != 0 {
            *self = WordSet::default();
        }
    }

    /// Copies another set; faster than a plain copy if both are empty.
    pub fn copy_from_set(&mut self, other: &WordSet) {
        match other.used {
            0 => self.clear(),
            _ => *self = *other,
        }
    }

    /// Returns the lowest word in both sets.
    pub fn first_common(&self, other: &WordSet) -> Option<u32> {
        if self.used & other.used == 0 {
            return None;
        }
        let others = other.bits.as_flattened();
        let pairs = self.bits.as_flattened().iter().zip(others);
        pairs.enumerate().find_map(|(k, (mine, others))| {
            let both = mine & others;
            (both != 0).then(|| (k % 4) as u32 * 64 + both.trailing_zeros())
        })
    }
}

/// Returns the index and the bit of a word of `Config`.
fn place(word: u32) -> (usize, u64) {
    (word as usize / 64, 1 << (word % 64))
}

/// Records `Config` words through a shared reference.
#[derive(Clone, Debug, Default)]
pub struct WordNotes([[Cell<u64>; 4]; 2]);

impl WordNotes {
    /// Records a word (0 to 255) of a state.
    pub fn insert(&self, state: usize, word: u32) {
        let (index, bit) = place(word);
        let bits = &self.0[state][index];
        bits.set(bits.get() | bit);
    }

    /// Records all words of a set.
    #[inline]
    pub fn extend(&self, words: &WordSet) {
        let (notes, more) = (self.0.as_flattened(), words.bits.as_flattened());
        for k in set_bits(words.used.into()) {
            // All numbers are below eight; the mask spares a check.
            let bits = &notes[k & 7];
            bits.set(bits.get() | more[k & 7]);
        }
    }

    /// Clears the record.
    pub fn clear(&self) {
        self.0.as_flattened().iter().for_each(|bits| bits.set(0));
    }

    /// Returns and clears the record.
    pub fn drain(&self) -> WordSet {
        let take = |state: &[Cell<u64>; 4]| state.each_ref().map(Cell::take);
        WordSet::new(self.0.each_ref().map(take))
    }
}

/// A set of byte ranges of L1.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RangeSet(Vec<(u32, u32)>);

impl Clone for RangeSet {
    fn clone(&self) -> Self {
        RangeSet(self.0.clone())
    }

    /// Reuses the allocation.
    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

impl RangeSet {
    /// Adds `len` bytes from `start` on; merges them with the last range if adjacent.
    pub fn insert(&mut self, start: u32, len: u32) {
        let end = start + len;
        match self.0.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => self.0.push((start, end)),
        }
    }

    /// Returns the first byte in both sets.
    pub fn first_common(&self, other: &RangeSet) -> Option<u32> {
        self.0.iter().find_map(|a| {
            other
                .0
                .iter()
                .find_map(|b| (a.0 < b.1 && b.0 < a.1).then(|| a.0.max(b.0)))
        })
    }

    /// Returns the number of bytes; bytes added twice count twice.
    pub fn bytes(&self) -> u64 {
        self.0
            .iter()
            .map(|(start, end)| u64::from(end - start))
            .sum()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all ranges.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The accesses of one instruction, except configuration reads
/// ([`crate::state::config::Config::take_reads`]), L1 and LRegs, which their owners record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessLog {
    /// Dst rows read.
    pub dst_read: RowSet,
    /// Dst rows written, including by clearing.
    pub dst_write: RowSet,
    /// Configuration words whose value changed.
    pub config_write: WordSet,
    /// Whether columns were moved whose selection the vector unit may still be changing.
    pub unsettled_columns: bool,
}

impl AccessLog {
    /// Clears the log.
    pub fn clear(&mut self) {
        self.dst_read.clear();
        self.dst_write.clear();
        self.config_write.clear();
        self.unsettled_columns = false;
    }
}

#[cfg(test)]
mod tests;
