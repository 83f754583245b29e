//! The FIFO before the wait gate of a thread, and the instruction at the gate. Words stay in the
//! front end's table of decoded words; the queue holds their places there.

use crate::issue::auto_sync::Uses;

/// A word at the gate, or in the FIFO before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueuedWord {
    /// Its place in the front end's [`DecodedWords`](crate::issue::decoded_words::DecodedWords).
    pub(crate) decoded: usize,
    /// The list entry, or the program counter of the RISC-V instruction, that it came from.
    pub(crate) entry: usize,
    /// The resources that it uses, for the automatic synchronisation.
    pub(crate) uses: Uses,
    /// Whether it occupies space that its core may push to.
    pub(crate) tracked: bool,
}

/// Capacity of the FIFO.
const FIFO_WORDS: usize = 2;
/// Places of the ring: the FIFO and the gate, rounded up to a power of two.
const PLACES: usize = 4;

/// A ring buffer; instructions are not moved until they have passed the gate.
#[derive(Clone, Debug, Default)]
pub(crate) struct GateQueue {
    places: [Option<QueuedWord>; PLACES],
    first: usize,
    count: usize,
    /// Whether the first instruction is at the gate.
    has_gate: bool,
}

impl GateQueue {
    /// Returns whether the gate is free for an instruction of the FIFO.
    pub(crate) fn can_advance(&self) -> bool {
        !self.has_gate && self.count > 0
    }

    /// Moves the oldest instruction of the FIFO to the gate, if it is free.
    pub(crate) fn advance(&mut self) {
        self.has_gate |= self.can_advance();
    }

    /// Returns whether the FIFO has space for another instruction.
    pub(crate) fn has_room(&self) -> bool {
        self.count - usize::from(self.has_gate) < FIFO_WORDS
    }

    /// Appends an instruction. There must be space.
    pub(crate) fn push(&mut self, word: QueuedWord) {
        debug_assert!(self.has_room());
        self.places[(self.first + self.count) % PLACES] = Some(word);
        self.count += 1;
    }

    /// Returns whether the FIFO is full and the gate is free.
    #[inline]
    pub(crate) fn lacks_gate(&self) -> bool {
        self.count == FIFO_WORDS && !self.has_gate
    }

    /// Moves the oldest instruction of a full FIFO to the free gate and appends another one.
    #[inline]
    pub(crate) fn advance_and_push(&mut self, word: QueuedWord) {
        debug_assert!(self.lacks_gate());
        self.has_gate = true;
        self.places[(self.first + FIFO_WORDS) % PLACES] = Some(word);
        self.count = FIFO_WORDS + 1;
    }

    /// Returns the instruction at the gate.
    pub(crate) fn gate(&self) -> Option<&QueuedWord> {
        match self.has_gate {
            true => self.places[self.first].as_ref(),
            false => None,
        }
    }

    /// Removes the instruction at the gate.
    pub(crate) fn pass(&mut self) {
        debug_assert!(self.has_gate);
        self.first = (self.first + 1) % PLACES;
        self.count -= 1;
        self.has_gate = false;
    }

    /// Removes all instructions, and places one at the gate.
    pub(crate) fn replace_all(&mut self, word: QueuedWord) {
        *self = GateQueue {
            places: [Some(word), None, None, None],
            first: 0,
            count: 1,
            has_gate: true,
        };
    }

    /// Returns whether there is none, at the gate or before it.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Gives each word a new place in the table of decoded words.
    pub(crate) fn relocate(&mut self, mut place: impl FnMut(usize) -> usize) {
        for k in self.first..self.first + self.count {
            if let Some(word) = &mut self.places[k % PLACES] {
                word.decoded = place(word.decoded);
            }
        }
    }

    /// Returns all instructions, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &QueuedWord> {
        let places = (self.first..self.first + self.count).map(|k| k % PLACES);
        places.filter_map(|place| self.places[place].as_ref())
    }
}
