//! The three floating-point formats (section 1.3) and the normalisation of results (section 4.1).
//!
//! A word has a sign, a biased exponent and a mantissa, as in IEEE 754. There is no NaN and no
//! denormal number: exponent 0 is zero and an exponent of all ones is infinity, whatever the
//! mantissa.

/// A floating-point format. Words are right-aligned in a `u64`; bits above [`Format::BITS`] are
/// zero.
pub trait Format: Copy + std::fmt::Debug + 'static {
    /// The name of the format.
    const NAME: &'static str;
    /// The size of a word in bits.
    const BITS: u32;
    /// The size of the stored mantissa in bits, without the hidden bit.
    const MANTISSA_BITS: u32;

    /// The size of the exponent field in bits.
    const EXPONENT_BITS: u32 = Self::BITS - 1 - Self::MANTISSA_BITS;
    /// The exponent field of 1.0.
    const BIAS: i32 = (1 << (Self::EXPONENT_BITS - 1)) - 1;
    /// The exponent field of the infinities.
    const TOP_EXPONENT: u64 = (1 << Self::EXPONENT_BITS) - 1;
    /// The mask of the sign bit.
    const SIGN: u64 = 1 << (Self::BITS - 1);
    /// The mask of all bits of a word.
    const ALL: u64 = u64::MAX >> (64 - Self::BITS);
    /// The mask of the mantissa.
    const MANTISSA: u64 = (1 << Self::MANTISSA_BITS) - 1;
    /// The positive infinity with a zero mantissa, which normalisation produces.
    const INFINITY: u64 = Self::TOP_EXPONENT << Self::MANTISSA_BITS;
    /// The word of 1.0.
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

/// The class of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Exponent 0.
    Zero,
    /// A normalised number.
    Finite,
    /// Exponent all ones.
    Infinite,
}

/// Classifies a word as zero, finite or infinite.
pub const fn classify<F: Format>(word: u64) -> Class {
    let exponent = exponent::<F>(word);
    if exponent == 0 {
        Class::Zero
    } else if exponent == F::TOP_EXPONENT {
        Class::Infinite
    } else {
        Class::Finite
    }
}

/// Returns the exponent field.
pub const fn exponent<F: Format>(word: u64) -> u64 {
    (word >> F::MANTISSA_BITS) & F::TOP_EXPONENT
}

/// Returns the mantissa field.
pub const fn mantissa<F: Format>(word: u64) -> u64 {
    word & F::MANTISSA
}

/// Returns the mantissa with the hidden bit, for finite nonzero words.
pub const fn significand<F: Format>(word: u64) -> u64 {
    mantissa::<F>(word) | 1 << F::MANTISSA_BITS
}

/// Returns whether the sign bit is set.
pub const fn is_negative<F: Format>(word: u64) -> bool {
    word & F::SIGN != 0
}

/// Inverts the sign bit: the `-` before an operand (section 3.6.9.22).
pub const fn negate<F: Format>(word: u64) -> u64 {
    word ^ F::SIGN
}

/// Normalises an output (section 4.1): infinities lose their mantissa, zeros become +0.
pub const fn normalise<F: Format>(word: u64) -> u64 {
    match classify::<F>(word) {
        Class::Zero => 0,
        Class::Finite => word,
        Class::Infinite => word & !F::MANTISSA,
    }
}

#[cfg(test)]
mod tests;
