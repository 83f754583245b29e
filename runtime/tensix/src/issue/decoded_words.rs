//! The decoded words of a front end. The instructions of loops, MOPs and replays are decoded only
//! once, and instructions on their way to the gate are not moved.
//!
//! A direct-mapped table, indexed by a hash of the word, leads to the decoded words, which are in
//! the order of their first use. A word that another one displaces from the table keeps its place
//! until there are [`MAX_WORDS`]; then all words but those on the way are forgotten.

use tessera_isa_tensix::{Arch, DecodeError, Instruction, Opcode, Unit};

use crate::insn::table::traits;
use crate::insn::traits::Traits;
use crate::insn::vector::DecodedTraits;
use crate::issue::gate_queue::GateQueue;

/// A decoded word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    pub(crate) instruction: Instruction,
    pub(crate) opcode: Opcode,
    /// The unit that executes it.
    pub(crate) unit: Unit,
    /// The units that it occupies, one bit each.
    pub(crate) units: u32,
    /// The encoded instruction.
    pub(crate) word: u32,
    /// The traits of its opcode.
    pub(crate) traits: &'static Traits,
    /// The properties of a vector instruction.
    pub(crate) vector: DecodedTraits,
}

impl Decoded {
    fn new(arch: Arch, word: u32) -> Result<Self, DecodeError> {
        let instruction = Instruction::decode(arch, word)?;
        let traits = traits(instruction.opcode());
        Ok(Decoded {
            instruction,
            opcode: instruction.opcode(),
            unit: traits.unit,
            units: traits.units(&instruction),
            word,
            traits,
            vector: DecodedTraits::new(arch, &instruction),
        })
    }
}

/// The number of slots of the table: several times the number of instructions in a loop.
const SLOTS: usize = 1024;
/// The maximum number of decoded words.
const MAX_WORDS: usize = 2048;

/// Decoded words, in the order of their first use. Empty until the first word is decoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct DecodedWords {
    words: Vec<Decoded>,
    /// A word and its place, for each hash.
    slots: Vec<(u32, u32)>,
}

impl DecodedWords {
    /// Returns the word at a place.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<&Decoded> {
        self.words.get(place)
    }

    /// Returns the place of a word that has been decoded.
    #[inline]
    pub(crate) fn find(&self, word: u32) -> Option<usize> {
        let &(known, place) = self.slots.get(hash(word))?;
        (known == word).then_some(place as usize)
    }

    /// Decodes a word and returns its place. `queue` holds the words that must not be forgotten.
    #[cold]
    pub(crate) fn decode(
        &mut self,
        arch: Arch,
        word: u32,
        queue: &mut GateQueue,
    ) -> Result<usize, DecodeError> {
        let decoded = Decoded::new(arch, word)?;
        if self.words.len() >= MAX_WORDS {
            self.forget_all_but(queue);
        }
        Ok(self.add(decoded))
    }

    /// Adds a decoded word and returns its place.
    fn add(&mut self, decoded: Decoded) -> usize {
        let place = self.words.len();
        self.words.push(decoded);
        let slot = (decoded.word, place as u32);
        // Initially all slots hold the same word.
        self.slots.resize(SLOTS, slot);
        self.slots[hash(decoded.word)] = slot;
        place
    }

    fn forget_all_but(&mut self, queue: &mut GateQueue) {
        let before = std::mem::take(self);
        queue.relocate(|place| self.add(before.words[place]));
    }
}

/// Returns the slot of a word. All bits are hashed, because the words of a loop differ in few bits.
#[inline]
fn hash(word: u32) -> usize {
    (word.wrapping_mul(0x9e37_79b9) >> (u32::BITS - SLOTS.ilog2())) as usize
}

#[cfg(test)]
mod tests;
