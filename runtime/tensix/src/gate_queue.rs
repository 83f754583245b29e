//! The FIFO before the wait gate of a thread, and the instruction at the gate.

use tessera_isa_tensix::{Instruction, Opcode, Unit};

use crate::auto_sync::Uses;

/// An instruction at the gate, or in the FIFO before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateEntry {
    pub(crate) instruction: Instruction,
    pub(crate) opcode: Opcode,
    /// The unit that executes it.
    pub(crate) unit: Unit,
    /// The units that it occupies, one bit each.
    pub(crate) units: u32,
    /// The encoded instruction.
    pub(crate) word: u32,
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
    places: [Option<GateEntry>; PLACES],
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
    pub(crate) fn push(&mut self, at: GateEntry) {
        debug_assert!(self.has_room());
        self.places[(self.first + self.count) % PLACES] = Some(at);
        self.count += 1;
    }

    /// Returns the instruction at the gate.
    pub(crate) fn gate(&self) -> Option<&GateEntry> {
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

    /// Returns whether there is none, at the gate or before it.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns all instructions, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &GateEntry> {
        let places = (self.first..self.first + self.count).map(|k| k % PLACES);
        places.filter_map(|place| self.places[place].as_ref())
    }
}
