//! The FIFO before the wait gate of a thread, and the instruction at the gate. Words stay in the
//! front end's table of decoded words; the queue holds their places there.

use crate::issue::frontend::Word;

/// Capacity of the FIFO.
const FIFO_WORDS: usize = 2;
/// Places of the ring: the FIFO and the gate, rounded up to a power of two.
const PLACES: usize = 4;

/// A ring buffer; instructions are not moved until they have passed the gate.
#[derive(Clone, Debug, Default)]
pub(crate) struct GateQueue {
    places: [Option<Word>; PLACES],
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
    pub(crate) fn push(&mut self, word: Word) {
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
    pub(crate) fn advance_and_push(&mut self, word: Word) {
        debug_assert!(self.lacks_gate());
        self.has_gate = true;
        self.places[(self.first + FIFO_WORDS) % PLACES] = Some(word);
        self.count = FIFO_WORDS + 1;
    }

    /// Returns the instruction at the gate.
    pub(crate) fn gate(&self) -> Option<&Word> {
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
    pub(crate) fn replace_all(&mut self, word: Word) {
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

    /// Returns all instructions for changes, in no order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Word> {
        let (first, count) = (self.first, self.count);
        let is_held = move |k: usize| k.wrapping_sub(first) % PLACES < count;
        let places = self.places.iter_mut().enumerate();
        places.filter_map(move |(k, place)| place.as_mut().filter(|_| is_held(k)))
    }

    /// Places a word at the gate. Nothing may be there or before it.
    #[inline]
    pub(crate) fn place_at_gate(&mut self, word: Word) {
        debug_assert!(self.is_empty());
        self.places[self.first] = Some(word);
        self.count = 1;
        self.has_gate = true;
    }

    /// Returns all instructions, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Word> {
        let places = (self.first..self.first + self.count).map(|k| k % PLACES);
        places.filter_map(|place| self.places[place].as_ref())
    }
}
