//! Memories that instructions address: their sizes, and the widths of an access.
//!
//! Manual, sections 1.3, 1.5, 3.2.1 and 3.6.1. Addresses of PE memories count single words (32
//! bits). Addresses of all other memories count long words (64 bits). Neither depends on the access
//! width.

/// Size of a group's PDM, in long words.
pub const PDM_WORDS: u32 = 512 << 10;
/// Size of a group's DRAM, in long words.
pub const DRAM_WORDS: u32 = 512 << 20;
/// Size of an L2BM, in long words.
pub const L2BM_WORDS: u32 = 32 << 10;
/// Size of an L1BM, in long words.
pub const L1BM_WORDS: u32 = 8 << 10;
/// Number of DRAM address registers of a group.
pub const DAR_ENTRIES: u32 = 1024;
/// Number of mask register entries, counting entry 0, which cannot be written.
pub const MASK_ENTRIES: u32 = 16;
/// Cycles in a step.
pub const CYCLES: usize = 4;

/// An addressable PE memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bank {
    /// General-purpose registers 0, `r`.
    Grf0,
    /// General-purpose registers 1, `s`.
    Grf1,
    /// Local memory 0, `m`.
    Lm0,
    /// Local memory 1, `n`.
    Lm1,
}

impl Bank {
    /// All banks.
    pub const ALL: [Bank; 4] = [Bank::Grf0, Bank::Grf1, Bank::Lm0, Bank::Lm1];

    /// Returns the letter of the bank in operands.
    pub const fn letter(self) -> char {
        match self {
            Bank::Grf0 => 'r',
            Bank::Grf1 => 's',
            Bank::Lm0 => 'm',
            Bank::Lm1 => 'n',
        }
    }

    /// Returns the bank that a letter denotes.
    pub fn from_letter(letter: char) -> Option<Bank> {
        Bank::ALL.into_iter().find(|bank| bank.letter() == letter)
    }

    /// Returns the name of the bank in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Bank::Grf0 => "GRF0",
            Bank::Grf1 => "GRF1",
            Bank::Lm0 => "LM0",
            Bank::Lm1 => "LM1",
        }
    }

    /// Returns the size in single words.
    pub const fn words(self) -> u16 {
        match self {
            Bank::Grf0 | Bank::Grf1 => 512,
            Bank::Lm0 | Bank::Lm1 => 4096,
        }
    }

    /// Returns whether the bank is a local memory. Local memories have a single port and a base
    /// address register, and their address can be modified per PE of a MAB.
    pub const fn is_local(self) -> bool {
        matches!(self, Bank::Lm0 | Bank::Lm1)
    }

    /// Returns the section of the manual that describes operands of this bank.
    pub const fn section(self) -> &'static str {
        match self {
            Bank::Grf0 => "3.6.1.10",
            Bank::Grf1 => "3.6.1.11",
            Bank::Lm0 => "3.6.1.6",
            Bank::Lm1 => "3.6.1.8",
        }
    }
}

/// The width of an access to a PE memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// A single word, 32 bits: no prefix.
    Single,
    /// A long word, 64 bits: `l`.
    Long,
    /// Two long words, 128 bits: `ll`.
    Double,
}

impl Width {
    /// All widths.
    pub const ALL: [Width; 3] = [Width::Single, Width::Long, Width::Double];

    /// Returns the size in single words: 1, 2 or 4.
    pub const fn words(self) -> u16 {
        match self {
            Width::Single => 1,
            Width::Long => 2,
            Width::Double => 4,
        }
    }

    /// Returns the width prefix of an operand.
    pub const fn prefix(self) -> &'static str {
        match self {
            Width::Single => "",
            Width::Long => "l",
            Width::Double => "ll",
        }
    }

    /// Returns the name of the width in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Width::Single => "a single word",
            Width::Long => "a long word",
            Width::Double => "two long words",
        }
    }
}

/// One of the two matrix registers of a MAB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// `$lx`.
    X,
    /// `$ly`.
    Y,
}

impl Side {
    /// Returns the letter of the register in operands.
    pub const fn letter(self) -> char {
        match self {
            Side::X => 'x',
            Side::Y => 'y',
        }
    }
}

/// The element format of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// Floating point, 64 bits.
    Double,
    /// Floating point, 32 bits.
    Single,
    /// Pseudo-single: floating point, 32 bits, of which matrix products use 18 mantissa bits.
    Pseudo,
    /// Floating point, 16 bits: 6 of exponent, 9 of mantissa.
    Half,
    /// Integer, 64 bits.
    Long,
    /// Integer, 32 bits.
    Int,
    /// Integer, 16 bits.
    Short,
}

impl Precision {
    /// All precisions.
    pub const ALL: [Precision; 7] = [
        Precision::Double,
        Precision::Single,
        Precision::Pseudo,
        Precision::Half,
        Precision::Long,
        Precision::Int,
        Precision::Short,
    ];

    /// Returns the letter of the precision in an opcode.
    pub const fn letter(self) -> char {
        match self {
            Precision::Double => 'd',
            Precision::Single => 'f',
            Precision::Pseudo => 'g',
            Precision::Half => 'h',
            Precision::Long => 'l',
            Precision::Int => 'i',
            Precision::Short => 's',
        }
    }

    /// Returns the size of an element in bits: 64, 32 or 16.
    pub const fn bits(self) -> u32 {
        match self {
            Precision::Double | Precision::Long => 64,
            Precision::Single | Precision::Pseudo | Precision::Int => 32,
            Precision::Half | Precision::Short => 16,
        }
    }

    /// Returns whether elements are floating-point numbers.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Precision::Double | Precision::Single | Precision::Pseudo | Precision::Half
        )
    }

    /// Returns the name of the precision in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Precision::Double => "double precision",
            Precision::Single => "single precision",
            Precision::Pseudo => "pseudo-single precision",
            Precision::Half => "half precision",
            Precision::Long => "long integers",
            Precision::Int => "single-word integers",
            Precision::Short => "half-word integers",
        }
    }
}
