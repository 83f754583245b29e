//! The three floating-point formats (section 1.3) and normalisation of results (section 4.1).
//!
//! A word has a sign, a biased exponent and a mantissa, as in IEEE 754, but there is no NaN and no
//! denormal number: exponent 0 is a zero and exponent all ones is an infinity, whatever the
//! mantissa holds.

/// One of the floating-point formats. Words are right-aligned in a `u64`; bits above
/// [`Format::BITS`] are zero.
pub trait Format: Copy + std::fmt::Debug + 'static {
    /// The format's name in the manual's English.
    const NAME: &'static str;
    /// Bits of a word.
    const BITS: u32;
    /// Bits of the stored mantissa, without the hidden bit.
    const MANTISSA_BITS: u32;

    /// Bits of the exponent field.
    const EXPONENT_BITS: u32 = Self::BITS - 1 - Self::MANTISSA_BITS;
    /// The exponent field of 1.0.
    const BIAS: i32 = (1 << (Self::EXPONENT_BITS - 1)) - 1;
    /// The exponent field of the infinities.
    const TOP_EXPONENT: u64 = (1 << Self::EXPONENT_BITS) - 1;
    /// The sign bit.
    const SIGN: u64 = 1 << (Self::BITS - 1);
    /// All bits of a word.
    const ALL: u64 = u64::MAX >> (64 - Self::BITS);
    /// The mantissa bits.
    const MANTISSA: u64 = (1 << Self::MANTISSA_BITS) - 1;
    /// The positive infinity with an empty mantissa, the one that normalisation leaves.
    const INFINITY: u64 = Self::TOP_EXPONENT << Self::MANTISSA_BITS;
    /// 1.0.
    const ONE: u64 = (Self::BIAS as u64) << Self::MANTISSA_BITS;
}

/// Half precision: sign, 6 bits of exponent, 9 bits of mantissa. Not IEEE 754's binary16.
#[derive(Clone, Copy, Debug)]
pub struct Half;
/// Single precision: sign, 8 bits of exponent, 23 bits of mantissa.
#[derive(Clone, Copy, Debug)]
pub struct Single;
/// Double precision: sign, 11 bits of exponent, 52 bits of mantissa.
#[derive(Clone, Copy, Debug)]
pub struct Double;

impl Format for Half {
    const NAME: &'static str = "half";
    const BITS: u32 = 16;
    const MANTISSA_BITS: u32 = 9;
}

impl Format for Single {
    const NAME: &'static str = "single";
    const BITS: u32 = 32;
    const MANTISSA_BITS: u32 = 23;
}

impl Format for Double {
    const NAME: &'static str = "double";
    const BITS: u32 = 64;
    const MANTISSA_BITS: u32 = 52;
}

/// What a word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Exponent 0.
    Zero,
    /// A normalised number.
    Finite,
    /// Exponent all ones.
    Infinite,
}

/// Whether the word stands for zero, a number or an infinity.
pub const fn class<F: Format>(word: u64) -> Class {
    let exponent = exponent::<F>(word);
    if exponent == 0 {
        Class::Zero
    } else if exponent == F::TOP_EXPONENT {
        Class::Infinite
    } else {
        Class::Finite
    }
}

/// The exponent field.
pub const fn exponent<F: Format>(word: u64) -> u64 {
    (word >> F::MANTISSA_BITS) & F::TOP_EXPONENT
}

/// The mantissa field.
pub const fn mantissa<F: Format>(word: u64) -> u64 {
    word & F::MANTISSA
}

/// The mantissa with the hidden bit above it, for words that stand for a number.
pub const fn significand<F: Format>(word: u64) -> u64 {
    mantissa::<F>(word) | 1 << F::MANTISSA_BITS
}

/// Whether the sign bit is set.
pub const fn is_negative<F: Format>(word: u64) -> bool {
    word & F::SIGN != 0
}

/// The word with its sign bit inverted: the `-` before an operand (section 3.6.9.22).
pub const fn negate<F: Format>(word: u64) -> u64 {
    word ^ F::SIGN
}

/// Normalisation of an output (section 4.1): infinities lose their mantissa, zeros become +0.
pub const fn normalise<F: Format>(word: u64) -> u64 {
    match class::<F>(word) {
        Class::Zero => 0,
        Class::Finite => word,
        Class::Infinite => word & !F::MANTISSA,
    }
}

#[cfg(test)]
mod tests;
