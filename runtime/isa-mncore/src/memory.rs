//! What an instruction can address: the memories, their sizes, the widths of an access.
//!
//! Manual, sections 1.3, 1.5, 3.2.1 and 3.6.1. PE memories are addressed in single words (32 bits),
//! all others in long words (64 bits), whatever the width of the access.

/// Long words of a group's PDM.
pub const PDM_WORDS: u32 = 512 << 10;
/// Long words of a group's DRAM.
pub const DRAM_WORDS: u32 = 512 << 20;
/// Long words of an L2BM.
pub const L2BM_WORDS: u32 = 32 << 10;
/// Long words of an L1BM.
pub const L1BM_WORDS: u32 = 8 << 10;
/// Entries of a group's DRAM address registers.
pub const DAR_ENTRIES: u32 = 1024;
/// Entries of the mask registers that can be written, and entry 0, which cannot.
pub const MASK_ENTRIES: u32 = 16;
/// Cycles of a step.
pub const CYCLES: usize = 4;

/// The PE memories that are addressed.
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
    /// All of them.
    pub const ALL: [Bank; 4] = [Bank::Grf0, Bank::Grf1, Bank::Lm0, Bank::Lm1];

    /// The letter of its operands.
    pub const fn letter(self) -> char {
        match self {
            Bank::Grf0 => 'r',
            Bank::Grf1 => 's',
            Bank::Lm0 => 'm',
            Bank::Lm1 => 'n',
        }
    }

    /// The bank of a letter.
    pub fn from_letter(letter: char) -> Option<Bank> {
        Bank::ALL.into_iter().find(|bank| bank.letter() == letter)
    }

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Bank::Grf0 => "GRF0",
            Bank::Grf1 => "GRF1",
            Bank::Lm0 => "LM0",
            Bank::Lm1 => "LM1",
        }
    }

    /// Its size in single words.
    pub const fn words(self) -> u16 {
        match self {
            Bank::Grf0 | Bank::Grf1 => 512,
            Bank::Lm0 | Bank::Lm1 => 4096,
        }
    }

    /// Whether it is a local memory: one port, a base address register, addresses modified inside a
    /// MAB.
    pub const fn is_local(self) -> bool {
        matches!(self, Bank::Lm0 | Bank::Lm1)
    }

    /// The section of the manual that describes its operands.
    pub const fn section(self) -> &'static str {
        match self {
            Bank::Grf0 => "3.6.1.10",
            Bank::Grf1 => "3.6.1.11",
            Bank::Lm0 => "3.6.1.6",
            Bank::Lm1 => "3.6.1.8",
        }
    }
}

/// The width of an access.
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
    /// All of them.
    pub const ALL: [Width; 3] = [Width::Single, Width::Long, Width::Double];

    /// Its size in single words: 1, 2 or 4.
    pub const fn words(self) -> u16 {
        match self {
            Width::Single => 1,
            Width::Long => 2,
            Width::Double => 4,
        }
    }

    /// The prefix of an operand.
    pub const fn prefix(self) -> &'static str {
        match self {
            Width::Single => "",
            Width::Long => "l",
            Width::Double => "ll",
        }
    }

    /// Its name in messages.
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
    /// The letter of its operands.
    pub const fn letter(self) -> char {
        match self {
            Side::X => 'x',
            Side::Y => 'y',
        }
    }
}

/// The format of the elements an operation works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// Floating point, 64 bits.
    Double,
    /// Floating point, 32 bits.
    Single,
    /// Floating point, 32 bits of which matrix products keep 18 of the mantissa.
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
    /// All of them.
    pub const ALL: [Precision; 7] = [
        Precision::Double,
        Precision::Single,
        Precision::Pseudo,
        Precision::Half,
        Precision::Long,
        Precision::Int,
        Precision::Short,
    ];

    /// Its letter in an opcode.
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

    /// The bits of an element: 64, 32 or 16.
    pub const fn bits(self) -> u32 {
        match self {
            Precision::Double | Precision::Long => 64,
            Precision::Single | Precision::Pseudo | Precision::Int => 32,
            Precision::Half | Precision::Short => 16,
        }
    }

    /// Whether elements are floating-point numbers.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Precision::Double | Precision::Single | Precision::Pseudo | Precision::Half
        )
    }

    /// Its name in messages.
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
