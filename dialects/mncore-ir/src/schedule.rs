//! Schedules of bodies: the step of each item, and the register of each value.
//!
//! The code generator creates and verifies them.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use tessera_isa_mncore::fields::Field;
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::Group;

use crate::body::Body;
use crate::item::Value;

/// A schedule of a body. Iteration `n` begins `n · ii` steps after the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The initiation interval, in steps.
    pub ii: u32,
    /// The step of each item, relative to the beginning of its iteration.
    pub at: Vec<u32>,
    /// The register of each value; `None` if only forwarding registers carry it.
    pub places: Vec<Option<Register>>,
    /// The registers of constants.
    pub constants: Vec<Constant>,
    /// Words that values and constants had to avoid.
    pub reserved: Vec<(Bank, Range<u16>)>,
}

/// The registers of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// A ring of slots in a PE memory, one for each iteration in which the value is live at once
    /// (modulo variable expansion).
    Words {
        /// The memory.
        bank: Bank,
        /// The first word of the first slot, in single words.
        first: u16,
        /// The number of slots.
        slots: u16,
    },
    /// In the T register.
    T,
    /// A ring of mask registers.
    Flags {
        /// The first one; they are numbered from 1.
        first: u8,
        /// Their number.
        slots: u8,
    },
}

/// The register of a constant: a long word that is read in all cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its word.
    pub word: u32,
    /// The memory.
    pub bank: Bank,
    /// The address of its first single word.
    pub address: u16,
}

impl Register {
    /// Returns the address of a value of this width in an iteration.
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
    /// Returns the register of a value.
    pub fn place(&self, value: Value) -> Option<Register> {
        self.places.get(value.0 as usize).copied().flatten()
    }

    /// Returns the register of a constant word.
    pub fn constant(&self, word: u32) -> Option<&Constant> {
        self.constants.iter().find(|constant| constant.word == word)
    }

    /// Returns the number of steps from the first item of an iteration to its last, inclusive.
    pub fn length(&self) -> u32 {
        self.at.iter().max().map_or(0, |last| last + 1)
    }

    /// Returns the number of steps of the whole loop.
    pub fn steps(&self, body: &Body) -> u64 {
        match body.iterations() {
            0 => 0,
            count => (count - 1) * u64::from(self.ii) + u64::from(self.length()),
        }
    }
}

/// The quality of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The initiation interval; for a block, its length.
    pub ii: u32,
    /// The minimum initiation interval (a lower bound), given the initial assignment of constants
    /// to memories.
    pub mii: u32,
    /// What determines the minimum.
    pub bound_by: Bound,
    /// Steps from the first item of an iteration to its last, inclusive.
    pub length: u32,
}

/// What determines the minimum initiation interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// One step per iteration suffices.
    Nothing,
    /// A slot of the instruction word (ResMII).
    Slot(Group),
    /// MV instructions, at most one before each step (ResMII).
    Moves,
    /// A field of the instruction word (ResMII).
    Field(Field),
    /// A recurrence: an iteration depends on an earlier one (RecMII).
    Recurrence,
    /// The critical path of a block, or the slot of the word that most of its items need.
    Block,
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Nothing => f.write_str("nothing"),
            Bound::Slot(group) => write!(f, "the slot {}", group.name()),
            Bound::Moves => f.write_str("MV instructions"),
            Bound::Field(field) => f.write_str(field.doc()),
            Bound::Block => f.write_str("the critical path of the block"),
            Bound::Recurrence => f.write_str("a recurrence"),
        }
    }
}
