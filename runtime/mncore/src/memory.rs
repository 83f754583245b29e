//! The long words of a memory, with a record of the rows that were written.
//!
//! Memories are large, and a kernel writes a small part of them. [`MemoryWords::clear`] therefore
//! zeroes only the written rows. Every mutable access marks the rows that it borrows; a mutable
//! borrow of the whole slice marks all of them. So a row that is not marked holds zeros.

use std::ops::{Deref, DerefMut, Range};

use crate::copy_on_write::State;

/// The number of rows for which one check tells that none was written.
const CHECKED_ROWS: usize = 32;

/// The long words of a memory, in rows of equal length.
#[derive(Clone, Debug, Default)]
pub struct MemoryWords {
    words: Box<[u64]>,
    row_words: usize,
    /// For each row, whether it was borrowed mutably since the memory was last cleared.
    written: Box<[bool]>,
}

impl MemoryWords {
    /// Creates a zeroed memory of `rows` rows of `row_words` long words.
    pub fn new(rows: usize, row_words: usize) -> Self {
        MemoryWords {
            words: vec![0; rows * row_words].into(),
            row_words,
            written: vec![false; rows].into(),
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.written.len()
    }

    /// Returns the length of a row in long words.
    pub fn row_words(&self) -> usize {
        self.row_words
    }

    /// Returns a row.
    #[inline]
    pub fn row(&self, index: usize) -> &[u64] {
        &self.words[index * self.row_words..][..self.row_words]
    }

    /// Returns a row, mutably.
    #[inline]
    pub fn row_mut(&mut self, index: usize) -> &mut [u64] {
        self.written[index] = true;
        &mut self.words[index * self.row_words..][..self.row_words]
    }

    /// Returns a range of long words, mutably, or `None` if the memory does not hold all of it.
    pub fn range_mut(&mut self, range: Range<usize>) -> Option<&mut [u64]> {
        let words = self.words.get_mut(range.clone())?;
        if !range.is_empty() {
            let rows = range.start / self.row_words..=(range.end - 1) / self.row_words;
            self.written[rows].fill(true);
        }
        Some(words)
    }
}

impl State for MemoryWords {
    /// Zeroes the memory.
    fn clear(&mut self) {
        // Most rows are not written, so that many are checked together.
        let rows = self.words.chunks_mut(self.row_words.max(1) * CHECKED_ROWS);
        for (rows, written) in rows.zip(self.written.chunks_mut(CHECKED_ROWS)) {
            if !written.iter().fold(false, |any, written| any | written) {
                continue;
            }
            for (row, written) in rows.chunks_mut(self.row_words).zip(written) {
                if std::mem::take(written) {
                    row.fill(0);
                }
            }
        }
    }

    /// Copies the content of a memory of the same size.
    fn copy_from(&mut self, other: &MemoryWords) {
        let rows = self.words.chunks_mut(self.row_words);
        let rows = rows.zip(other.words.chunks(self.row_words));
        let written = self.written.iter().zip(&other.written);
        for ((to, from), written) in rows.zip(written) {
            match written {
                (_, true) => to.copy_from_slice(from),
                (true, false) => to.fill(0),
                (false, false) => {}
            }
        }
        self.written.copy_from_slice(&other.written);
    }
}

impl Deref for MemoryWords {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.words
    }
}

impl DerefMut for MemoryWords {
    fn deref_mut(&mut self) -> &mut [u64] {
        self.written.fill(true);
        &mut self.words
    }
}

#[cfg(test)]
mod tests;
