//! The address modes of a thread: how instructions update its row counters ([`crate::state::rwc`]).
//!
//! A mode is spread over words of `ThreadConfig`. Nearly every instruction of the matrix unit and
//! every transfer of the vector unit needs one, so [`crate::state::config`] keeps all of them, one
//! 64-bit number each, and updates them when it writes a word.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::Arch;

/// The number of address modes.
pub(crate) const MODES: usize = 8;

/// An address mode: the words of `ThreadConfig` that say how counters are updated after an
/// instruction, 16 bits each, the first one in the lowest bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddrMod(u64);

impl AddrMod {
    /// The mode that leaves all counters as they are.
    pub(crate) const NONE: AddrMod = AddrMod(0);

    /// Creates a mode from its words.
    #[cfg(test)]
    pub(super) fn new(words: [u16; PARTS]) -> AddrMod {
        let mut mode = AddrMod::NONE;
        (0..PARTS).for_each(|part| mode.set(part, words[part]));
        mode
    }

    /// Returns the word of the sources' counters.
    #[inline(always)]
    pub(super) fn ab(self) -> u32 {
        self.0 as u32 & 0xFFFF
    }

    /// Returns the word of Dst's counter and the fidelity phase.
    #[inline(always)]
    pub(super) fn dst(self) -> u32 {
        self.0 as u32 >> 16
    }

    /// Returns the word of the bias.
    #[inline(always)]
    pub(super) fn bias(self) -> u32 {
        (self.0 >> 32) as u32 & 0xFFFF
    }

    /// Returns whether the undocumented parts of a mode on Blackhole are set: the bias and more
    /// bits of the increments.
    #[inline(always)]
    pub(super) fn has_extras(self) -> bool {
        self.0 >> 32 != 0
    }

    /// Sets the part with a number of [`place`].
    pub(super) fn set(&mut self, part: usize, word: u16) {
        let shift = 16 * part;
        self.0 = self.0 & !(0xFFFF << shift) | u64::from(word) << shift;
    }
}

/// The number of parts of a mode.
const PARTS: usize = 4;

/// The words of each address mode per chip. Wormhole B0 has no word of undocumented increments.
static WORDS: [[[Option<u32>; PARTS]; MODES]; Arch::ALL.len()] =
    [words(Arch::WormholeB0), words(Arch::Blackhole)];

const fn words(arch: Arch) -> [[Option<u32>; PARTS]; MODES] {
    const fn word(family: cfg::ThreadField, index: usize, arch: Arch) -> Option<u32> {
        match family.nth(index as u32).place_on(arch) {
            Some(place) => Some(place.addr32()),
            None => None,
        }
    }
    let mut words = [[None; PARTS]; MODES];
    let mut index = 0;
    while index < MODES {
        words[index] = [
            word(cfg::ADDR_MOD_AB_SrcAIncr, index, arch),
            word(cfg::ADDR_MOD_DST_DestIncr, index, arch),
            word(cfg::ADDR_MOD_BIAS_BiasIncr, index, arch),
            word(cfg::ADDR_MOD_AB2_SrcAIncr, index, arch),
        ];
        index += 1;
    }
    words
}

/// Returns the mode and the part that a word of `ThreadConfig` holds, if it holds one.
pub(super) fn place(arch: Arch, addr32: u32) -> Option<(usize, usize)> {
    let words = WORDS[arch as usize].as_flattened();
    let place = words.iter().position(|word| *word == Some(addr32))?;
    Some((place / PARTS, place % PARTS))
}
