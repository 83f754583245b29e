//! The decoded words of a front end. The instructions of loops, MOPs and replays are decoded only
//! once, and instructions on their way to the gate are not moved.
//!
//! A direct-mapped table, indexed by a hash of the word, leads to the decoded words, which are in
//! the order of their first use. A word that another one displaces from the table keeps its place
//! until there are [`MAX_WORDS`]; then the front end keeps only those that it holds.

use tessera_isa_tensix::{Arch, DecodeError, Instruction, Opcode, Unit};

use crate::insn::table::traits;
use crate::insn::traits::Traits;
use crate::insn::vector::DecodedTraits;

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
// `keep` may add those that a front end holds, of which there are far fewer.
const _: () = assert!(2 * MAX_WORDS <= 1 << u16::BITS);

/// Decoded words, in the order of their first use. Empty until the first word is decoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct DecodedWords {
    words: Vec<Decoded>,
    /// The place of a word with each hash.
    slots: Vec<u16>,
}

impl DecodedWords {
    /// Returns the number of words.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the word at a place.
    #[inline]
    pub(crate) fn get(&self, place: u32) -> Option<&Decoded> {
        self.words.get(place as usize)
    }

    /// Returns the place of a word that has been decoded.
    #[inline]
    pub(crate) fn find(&self, word: u32) -> Option<u32> {
        let place = u32::from(*self.slots.get(hash(word))?);
        (self.get(place)?.word == word).then_some(place)
    }

    /// Decodes a word and returns its place. The words at the places that `held` visits are not
    /// forgotten; it has to replace the places by those that it gets.
    #[cold]
    pub(crate) fn decode(
        &mut self,
        arch: Arch,
        word: u32,
        held: impl FnOnce(&mut dyn FnMut(&mut u32)),
    ) -> Result<u32, DecodeError> {
        let decoded = Decoded::new(arch, word)?;
        if self.words.len() >= MAX_WORDS {
            let before = std::mem::take(self);
            held(&mut |place| *place = self.keep(before.words[*place as usize]));
        }
        Ok(self.add(decoded))
    }

    /// Returns the place of a decoded word, which is added if necessary.
    fn keep(&mut self, decoded: Decoded) -> u32 {
        let known = self.find(decoded.word);
        known.unwrap_or_else(|| self.add(decoded))
    }

    /// Adds a decoded word and returns its place.
    fn add(&mut self, decoded: Decoded) -> u32 {
        let place = self.words.len() as u32;
        self.words.push(decoded);
        // Initially all slots hold the first word.
        self.slots.resize(SLOTS, 0);
        self.slots[hash(decoded.word)] = place as u16;
        place
    }
}

/// Returns the slot of a word. All bits are hashed, because the words of a loop differ in few bits.
#[inline]
fn hash(word: u32) -> usize {
    (word.wrapping_mul(0x9e37_79b9) >> (u32::BITS - SLOTS.ilog2())) as usize
}

#[cfg(test)]
mod tests;
