//! The form of a schedule of a body: when each item issues, and where each value lies.
//!
//! What makes schedules and what proves them right belongs to the code generator.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use tessera_isa_mncore::fields::Field;
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::Group;

use crate::body::Body;
use crate::item::Value;

/// A schedule of a body: iteration `n` begins `n · ii` steps after the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The initiation interval, in steps.
    pub ii: u32,
    /// The step of each item, from the beginning of its iteration.
    pub at: Vec<u32>,
    /// Where each value lies, if anywhere but in a forwarding register.
    pub places: Vec<Option<Register>>,
    /// Where constants lie.
    pub constants: Vec<Constant>,
    /// Words that both were kept out of.
    pub reserved: Vec<(Bank, Range<u16>)>,
}

/// Where a value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// In a memory of a PE, in as many slots as iterations need it at once, one after the other.
    Words {
        /// The memory.
        bank: Bank,
        /// The first single word of the first slot.
        first: u16,
        /// How many slots.
        slots: u16,
    },
    /// In the T register.
    T,
    /// In mask registers, one after the other.
    Flags {
        /// The first, from 1 on.
        first: u8,
        /// How many.
        slots: u8,
    },
}

/// Where a constant lies: a long word that is read in all cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its word.
    pub word: u32,
    /// The memory.
    pub bank: Bank,
    /// The single word where it begins.
    pub address: u16,
}

impl Register {
    /// The address of a value of four words of a width in an iteration.
    pub fn address(self, width: Width, iteration: u64) -> u16 {
        match self {
            Register::Words { first, slots, .. } => {
                first + (iteration % u64::from(slots)) as u16 * width.words() * 4
            }
            Register::Flags { first, slots } => {
                u16::from(first) + (iteration % u64::from(slots)) as u16
            }
            Register::T => 0,
        }
    }
}

impl Schedule {
    /// Where a value lies.
    pub fn place(&self, value: Value) -> Option<Register> {
        self.places.get(value.0 as usize).copied().flatten()
    }

    /// Where a constant of so many words a cycle lies, in a memory that one does not mind.
    pub fn constant(&self, word: u32) -> Option<&Constant> {
        self.constants.iter().find(|constant| constant.word == word)
    }

    /// Steps from the first item of an iteration to its last, and one.
    pub fn length(&self) -> u32 {
        self.at.iter().max().map_or(0, |last| last + 1)
    }

    /// Steps of the whole loop.
    pub fn steps(&self, body: &Body) -> u64 {
        match body.iterations() {
            0 => 0,
            count => (count - 1) * u64::from(self.ii) + u64::from(self.length()),
        }
    }
}

/// What became of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The initiation interval; of a block, its length.
    pub ii: u32,
    /// A lower bound for it, with constants where they are put first.
    pub mii: u32,
    /// What the lower bound comes from.
    pub bound_by: Bound,
    /// Steps of an iteration, from its first item to its last.
    pub length: u32,
}

/// What the lower bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing takes more than a step.
    Nothing,
    /// A slot of the word.
    Slot(Group),
    /// MV instructions, one before each step.
    Moves,
    /// A field of the word.
    Field(Field),
    /// What an iteration needs of an earlier one.
    Recurrence,
    /// The longest way through a block, or the slot of the word that most of it needs.
    Block,
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Nothing => f.write_str("nothing"),
            Bound::Slot(group) => write!(f, "the slot {}", group.name()),
            Bound::Moves => f.write_str("MV instructions"),
            Bound::Field(field) => f.write_str(field.doc()),
            Bound::Block => f.write_str("the longest way through the block"),
            Bound::Recurrence => f.write_str("what an iteration needs of an earlier one"),
        }
    }
}
