//! A word on its way through a front end.

use tessera_isa_tensix::Opcode;

use crate::issue::auto_sync::Uses;

/// The place of a word that is not an instruction.
pub(super) const UNDECODED: u32 = u32::MAX;

/// A word in the front end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) word: u32,
    /// Its place among the front end's decoded words
    /// ([`DecodedWords`](crate::issue::decoded_words::DecodedWords)), or [`UNDECODED`].
    pub(crate) place: u32,
    /// The list entry, or the program counter of the RISC-V instruction, that it came from.
    pub(crate) entry: usize,
    /// The resources that it uses, for the automatic synchronisation.
    pub(crate) uses: Uses,
    /// Whether it occupies space that its core may push to.
    pub(crate) tracked: bool,
    /// Whether core B has pushed it.
    pub(super) is_of_b: bool,
}

impl Default for Word {
    fn default() -> Self {
        Word {
            word: 0,
            place: UNDECODED,
            entry: 0,
            uses: Uses::default(),
            tracked: false,
            is_of_b: false,
        }
    }
}

impl Word {
    /// Returns whether it is an instruction with an opcode.
    pub(super) fn is(self, opcode: Opcode) -> bool {
        self.word >> 24 == opcode as u32
    }

    /// Returns whether an expander replaces it or changes its mode by it.
    #[inline]
    pub(super) fn is_expanded(self) -> bool {
        // Most words are beyond.
        self.word >> 24 <= Opcode::Replay as u32
            && (self.is(Opcode::Mop) || self.is(Opcode::MopCfg) || self.is(Opcode::Replay))
    }

    /// Returns whether it passes the expanders unchanged and is an instruction.
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        self.place != UNDECODED && !self.is_expanded()
    }

    /// Returns a word made from this one by an expander; such words are not tracked.
    #[inline]
    pub(super) fn expanded(self, word: u32, place: u32) -> Word {
        Word {
            word,
            place,
            tracked: false,
            ..self
        }
    }
}
