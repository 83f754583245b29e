//! Operands of PE instructions once decoded: which memory, which words in each cycle.
//!
//! Manual, section 3.6.1. Whatever the text leaves out (strides, base words) is resolved here, so that a step
//! executes without looking at text again.

use crate::geometry::CYCLES;

/// How many words an access moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// A single word: 32 bits, at the most significant end of the data path.
    Single,
    /// A long word: the most significant one of the data path.
    Long,
    /// Both long words of the data path.
    TwoLong,
}

impl Width {
    /// The number of single words.
    pub const fn words(self) -> usize {
        match self {
            Width::Single => 1,
            Width::Long => 2,
            Width::TwoLong => 4,
        }
    }
}

/// One of the two local memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bank {
    /// LM0 or GRF0.
    Zero,
    /// LM1 or GRF1.
    One,
}

impl Bank {
    /// 0 or 1.
    pub const fn index(self) -> usize {
        match self {
            Bank::Zero => 0,
            Bank::One => 1,
        }
    }
}

/// What is added to the address of an LM access besides the base address register; section 3.6.1.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Nothing.
    None,
    /// One more access word in processing elements up to this one.
    Neighbour(u8),
    /// The most significant long word of the T register of that cycle.
    Indirect,
}

/// An access to addressable PE memory: single word addresses for each cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Which of the two memories.
    pub bank: Bank,
    /// How many words in each cycle.
    pub width: Width,
    /// The address in each cycle.
    pub address: [u16; CYCLES],
}

/// The unit whose output of the previous step is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forward {
    /// `$mauf`: the arithmetic of the MAU.
    Mau,
    /// `$aluf`: the ALU.
    Alu,
    /// `$lbf`: the transfer from the L1BM.
    L1bm,
    /// `$mreadf`: the transposed read of a matrix register.
    Mread,
}

impl Forward {
    /// All units, in the order of [`Forward::index`].
    pub const ALL: [Forward; 4] = [Forward::Mau, Forward::Alu, Forward::L1bm, Forward::Mread];

    /// The unit's place in an array of four.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The operand that reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Forward::Mau => "$mauf",
            Forward::Alu => "$aluf",
            Forward::L1bm => "$lbf",
            Forward::Mread => "$mreadf",
        }
    }
}

/// A value every processing element knows by where it is; section 3.6.1.20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fixed {
    /// Twice the group's number, plus the L2B's.
    L2bId,
    /// The L1B's number.
    L1bId,
    /// The MAB's number.
    MabId,
    /// Four times the MAB's number, plus the PE's.
    PeId,
    /// The PE's number.
    SubPeId,
    /// The most significant bit of every word.
    Msb1,
}

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Local memory.
    Lm(Access, Modifier),
    /// General register file.
    Grf(Access),
    /// The T register.
    T,
    /// The previous step's output of a unit.
    Forward(Forward),
    /// What the PE knows by its place; words of so many bits.
    Fixed(Fixed, u8),
}

/// Where an output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// Local memory.
    Lm(Access, Modifier),
    /// A local memory's base address register.
    Base(Bank, Width),
    /// General register file.
    Grf(Access),
    /// The T register.
    T,
    /// An entry of the mask registers, which takes the flags: 1 to 15.
    Mask(u8),
}
