//! The FIFO before the wait gate of a thread, and the instruction at the gate. Words stay in the
//! front end's table of decoded words; the queue holds their places there.

use super::Word;

/// Capacity of the FIFO.
const FIFO_WORDS: usize = 2;

/// The place of the gate, and a ring buffer before it.
#[derive(Clone, Debug, Default)]
pub(super) struct GateQueue {
    at_gate: Word,
    has_gate: bool,
    places: [Word; FIFO_WORDS],
    first: usize,
    /// The number of words in the FIFO.
    count: usize,
}

impl GateQueue {
    /// Returns whether the gate is free for an instruction of the FIFO.
    pub(crate) fn can_advance(&self) -> bool {
        !self.has_gate && self.count > 0
    }

    /// Moves the oldest instruction of the FIFO to the gate, if it is free.
    pub(crate) fn advance(&mut self) {
        if self.can_advance() {
            self.at_gate = self.places[self.first];
            self.has_gate = true;
            self.first = (self.first + 1) % FIFO_WORDS;
            self.count -= 1;
        }
    }

    /// Returns whether the FIFO has space for another instruction.
    pub(crate) fn has_room(&self) -> bool {
        self.count < FIFO_WORDS
    }

    /// Appends an instruction. There must be space.
    pub(crate) fn push(&mut self, word: Word) {
        debug_assert!(self.has_room());
        self.places[(self.first + self.count) % FIFO_WORDS] = word;
        self.count += 1;
    }

    /// Returns whether the FIFO is full and the gate is free.
    #[inline]
    pub(crate) fn lacks_gate(&self) -> bool {
        self.count == FIFO_WORDS && !self.has_gate
    }

    /// Moves the oldest instruction of a full FIFO to the free gate and appends another one.
    #[inline]
    pub(crate) fn advance_and_push(&mut self, word: Word) {
        debug_assert!(self.lacks_gate());
        self.at_gate = std::mem::replace(&mut self.places[self.first], word);
        self.has_gate = true;
        self.first = (self.first + 1) % FIFO_WORDS;
    }

    /// Returns the instruction at the gate.
    #[inline]
    pub(crate) fn gate(&self) -> Option<&Word> {
        self.has_gate.then_some(&self.at_gate)
    }

    /// Removes the instruction at the gate.
    #[inline]
    pub(crate) fn pass(&mut self) {
        debug_assert!(self.has_gate);
        self.has_gate = false;
    }

    /// Removes all instructions, and places one at the gate.
    #[inline]
    pub(crate) fn replace_all(&mut self, word: Word) {
        self.at_gate = word;
        self.has_gate = true;
        self.count = 0;
    }

    /// Returns whether there is none, at the gate or before it.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_gate && self.count == 0
    }

    /// Returns all instructions for changes, in no order; also those that have passed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Word> {
        self.places.iter_mut().chain([&mut self.at_gate])
    }

    /// Returns all instructions, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Word> {
        let places = (self.first..self.first + self.count).map(|k| k % FIFO_WORDS);
        self.gate()
            .into_iter()
            .chain(places.map(|place| &self.places[place]))
    }
}
