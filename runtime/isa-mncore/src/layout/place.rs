//! Places: the memories of the board, and the bits that locate a word in them.
//!
//! A location is a number whose bits have fixed positions, the [`Slot`]s, independent of the
//! memory. So a set of place bits is a mask, a layout is an assignment of slots, and the location
//! of an element is the `or` of table entries.
//!
//! | place | letter | bits | slots |
//! |---|---|---|---|
//! | group | `g` | 2 | 0, 1 |
//! | L2B of the group | `c` | 1 | 2 |
//! | L1B of the L2B | `b` | 3 | 3 to 5 |
//! | MAB of the L1B | `m` | 4 | 6 to 9 |
//! | PE of the MAB | `p` | 2 | 10, 11 |
//! | part of the long word, upper part first | `h` (16 bits), `w` (32 bits) | 2, 1 | 12, 13 |
//! | long word address | `a` | up to 29 | from 14 on |
//!
//! The word bit is slot 13 for both widths: `w0` is the same bit as `h1`. Addresses count long
//! words in every memory, as in the notation of the public test cases. Operands of PE memories
//! count single words, so their addresses are twice as large.

use std::fmt::{self, Display, Formatter};

use crate::memory::{Bank, Side, DRAM_WORDS, L1BM_WORDS, L2BM_WORDS, PDM_WORDS};

/// A memory that holds tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The DRAM of the groups.
    Dram,
    /// The PDM of the groups.
    Pdm,
    /// The memories of the L2B.
    L2bm,
    /// The memories of the L1B.
    L1bm,
    /// A memory of the PEs.
    Pe(Bank),
    /// A matrix register of the MABs. Its address is the physical row.
    Matrix(Side),
}

impl Memory {
    /// All memories.
    pub const ALL: [Memory; 10] = [
        Memory::Dram,
        Memory::Pdm,
        Memory::L2bm,
        Memory::L1bm,
        Memory::Pe(Bank::Lm0),
        Memory::Pe(Bank::Lm1),
        Memory::Pe(Bank::Grf0),
        Memory::Pe(Bank::Grf1),
        Memory::Matrix(Side::X),
        Memory::Matrix(Side::Y),
    ];

    /// Returns the name in texts and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Memory::Dram => "DRAM",
            Memory::Pdm => "PDM",
            Memory::L2bm => "L2BM",
            Memory::L1bm => "L1BM",
            Memory::Pe(bank) => bank.name(),
            Memory::Matrix(Side::X) => "X",
            Memory::Matrix(Side::Y) => "Y",
        }
    }

    /// Returns the memory with a name.
    pub fn from_name(name: &str) -> Option<Memory> {
        Memory::ALL.into_iter().find(|memory| memory.name() == name)
    }

    /// Returns the size of one instance in long words.
    pub fn words(self) -> u32 {
        match self {
            Memory::Dram => DRAM_WORDS,
            Memory::Pdm => PDM_WORDS,
            Memory::L2bm => L2BM_WORDS,
            Memory::L1bm => L1BM_WORDS,
            Memory::Pe(bank) => u32::from(bank.words()) / 2,
            Memory::Matrix(_) => 16,
        }
    }

    /// Returns the places that select an instance of the memory, without part and address.
    pub const fn owners(self) -> &'static [Place] {
        use Place::{Group, L1b, L2b, Mab, Pe};
        match self {
            Memory::Dram | Memory::Pdm => &[Group],
            Memory::L2bm => &[Group, L2b],
            Memory::L1bm => &[Group, L2b, L1b],
            Memory::Pe(_) | Memory::Matrix(_) => &[Group, L2b, L1b, Mab, Pe],
        }
    }

    /// Returns whether words of this memory can differ in this place.
    pub fn has(self, place: Place) -> bool {
        matches!(place, Place::Part | Place::Address) || self.owners().contains(&place)
    }
}

impl Display for Memory {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of a place bit: a level of the hierarchy, a part of a long word, or the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The group.
    Group,
    /// The L2B of a group.
    L2b,
    /// The L1B of an L2B.
    L1b,
    /// The MAB of an L1B.
    Mab,
    /// The PE of a MAB.
    Pe,
    /// The part of a long word.
    Part,
    /// The long word address.
    Address,
}

impl Place {
    /// All places.
    pub const ALL: [Place; 7] = [
        Place::Group,
        Place::L2b,
        Place::L1b,
        Place::Mab,
        Place::Pe,
        Place::Part,
        Place::Address,
    ];

    /// Returns the first slot and the number of slots. Parts and addresses have at most this many.
    pub const fn slots(self) -> (u8, u8) {
        match self {
            Place::Group => (0, 2),
            Place::L2b => (2, 1),
            Place::L1b => (3, 3),
            Place::Mab => (6, 4),
            Place::Pe => (10, 2),
            Place::Part => (12, 2),
            Place::Address => (14, 29),
        }
    }

    /// Returns the slot of a bit.
    pub const fn slot(self, bit: u8) -> Slot {
        Slot(self.slots().0 + bit)
    }

    /// Returns the name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Place::Group => "group",
            Place::L2b => "L2B",
            Place::L1b => "L1B",
            Place::Mab => "MAB",
            Place::Pe => "PE",
            Place::Part => "part of the long word",
            Place::Address => "address",
        }
    }

    /// Returns the letter in texts; for parts it is `w` or `h`, depending on the element width.
    pub const fn letter(self, element: ElementBits) -> char {
        match (self, element) {
            (Place::Group, _) => 'g',
            (Place::L2b, _) => 'c',
            (Place::L1b, _) => 'b',
            (Place::Mab, _) => 'm',
            (Place::Pe, _) => 'p',
            (Place::Part, ElementBits::Sixteen) => 'h',
            (Place::Part, _) => 'w',
            (Place::Address, _) => 'a',
        }
    }
}

/// A place bit: its position in a [`Location`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub(super) u8);

/// The number of slots.
pub const SLOTS: usize = 43;

impl Slot {
    /// Returns all slots.
    pub fn all() -> impl Iterator<Item = Slot> {
        (0..SLOTS as u8).map(Slot)
    }

    /// Returns the slot of an address bit.
    pub const fn address(bit: u8) -> Slot {
        Place::Address.slot(bit)
    }

    /// Returns the place and the bit of it that this slot is.
    pub fn place(self) -> (Place, u8) {
        let place = Place::ALL
            .into_iter()
            .rfind(|place| place.slots().0 <= self.0)
            .expect("the first place has slot 0");
        (place, self.0 - place.slots().0)
    }

    /// Returns the position.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the mask with only this bit set.
    pub const fn mask(self) -> u64 {
        1 << self.0
    }
}

impl Display for Slot {
    /// Prints, for example, `m2`. Part bits are numbered as for 16-bit elements.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (place, bit) = self.place();
        write!(f, "{}{bit}", place.letter(ElementBits::Sixteen))
    }
}

/// The location of an element: a number whose bits are the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(pub u64);

impl Location {
    const fn field(self, place: Place) -> usize {
        let (first, count) = place.slots();
        (self.0 >> first) as usize & ((1 << count) - 1)
    }

    /// Returns the group.
    pub const fn group(self) -> usize {
        self.field(Place::Group)
    }

    /// Returns the L2B of the group.
    pub const fn l2b(self) -> usize {
        self.field(Place::L2b)
    }

    /// Returns the L1B of the L2B.
    pub const fn l1b(self) -> usize {
        self.field(Place::L1b)
    }

    /// Returns the MAB of the L1B.
    pub const fn mab(self) -> usize {
        self.field(Place::Mab)
    }

    /// Returns the PE of the MAB.
    pub const fn pe(self) -> usize {
        self.field(Place::Pe)
    }

    /// Returns the long word address.
    pub const fn address(self) -> usize {
        self.field(Place::Address)
    }

    /// Returns the position of the element's lowest bit in its long word.
    pub const fn shift(self, element: ElementBits) -> u32 {
        64 - element.bits() - 16 * self.field(Place::Part) as u32
    }

    /// Returns the location `words` long words further.
    #[must_use]
    pub const fn advanced(self, words: u32) -> Location {
        Location(self.0 + ((words as u64) << Place::Address.slots().0))
    }
}

/// The width of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementBits {
    /// 16 bits: half precision, bf16 as it is stored, short integers.
    Sixteen,
    /// 32 bits: single and pseudo-single precision, integers.
    ThirtyTwo,
    /// 64 bits: double precision, long integers.
    SixtyFour,
}

impl ElementBits {
    /// All widths.
    pub const ALL: [ElementBits; 3] = [
        ElementBits::Sixteen,
        ElementBits::ThirtyTwo,
        ElementBits::SixtyFour,
    ];

    /// Returns the width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            ElementBits::Sixteen => 16,
            ElementBits::ThirtyTwo => 32,
            ElementBits::SixtyFour => 64,
        }
    }

    /// Returns the element width of this many bits, if supported.
    pub fn from_bits(bits: u32) -> Option<ElementBits> {
        ElementBits::ALL.into_iter().find(|one| one.bits() == bits)
    }

    /// Returns the slots that select an element in a long word: the first one and their number.
    pub const fn parts(self) -> (u8, u8) {
        match self {
            ElementBits::Sixteen => (12, 2),
            ElementBits::ThirtyTwo => (13, 1),
            ElementBits::SixtyFour => (14, 0),
        }
    }
}

#[cfg(test)]
mod tests;
