//! A FIFO of words.

use super::Word;

/// A ring buffer of up to `N` words, a power of two.
#[derive(Clone, Debug)]
pub(super) struct WordFifo<const N: usize> {
    places: [Word; N],
    first: usize,
    count: usize,
}

impl<const N: usize> WordFifo<N> {
    /// Creates an empty FIFO.
    pub(super) fn new() -> Self {
        const { assert!(N.is_power_of_two()) }
        WordFifo {
            places: [Word::default(); N],
            first: 0,
            count: 0,
        }
    }

    /// Returns the number of words.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Appends a word. There must be space.
    #[inline]
    pub(super) fn push_back(&mut self, word: Word) {
        debug_assert!(self.count < N);
        self.places[(self.first + self.count) % N] = word;
        self.count += 1;
    }

    /// Removes the oldest word.
    #[inline]
    pub(super) fn pop_front(&mut self) -> Option<Word> {
        let word = *self.front()?;
        self.remove_front();
        Some(word)
    }

    /// Removes the oldest word, which must exist.
    #[inline]
    pub(super) fn remove_front(&mut self) {
        debug_assert!(self.count > 0);
        self.first = (self.first + 1) % N;
        self.count -= 1;
    }

    /// Returns the oldest word.
    #[inline]
    pub(super) fn front(&self) -> Option<&Word> {
        (self.count > 0).then(|| &self.places[self.first % N])
    }

    /// Returns the newest word.
    pub(super) fn back(&self) -> Option<&Word> {
        self.iter().last()
    }

    /// Removes all words.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Returns all words, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Word> + Clone {
        let places = (self.first..self.first + self.count).map(|k| k % N);
        places.map(|place| &self.places[place])
    }

    /// Returns all words for changes, in no order; also those that have been removed.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Word> {
        self.places.iter_mut()
    }
}
