//! Exact values as integers, their addition, and the one place where results are rounded.
//!
//! A value is a sign, an integer magnitude and a power of two. [`Exact::add_exact`] adds two values
//! as if with unlimited precision. Bits shifted out of the word are or-ed into its lowest bit
//! ("jamming"), where they cannot change a later rounding. The word is `u64` where the manual's
//! significands have at most 61 bits, and `u128` for double precision.
//!
//! Precondition: magnitudes have at most `BITS - 3` significant bits. [`Exact::add_exact`] relies
//! on it; a debug assertion checks it.

use super::format::Format;
use std::ops::{Add, BitAnd, BitOr, Shl, Shr, Sub};

/// An unsigned integer type wide enough to hold a sum.
pub trait SumWord:
    Copy
    + Ord
    + From<u8>
    + From<u64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The size of the integer in bits.
    const BITS: u32;
    /// Returns the number of zero bits above the highest one bit.
    fn leading_zeros(self) -> u32;
    /// Returns the low 64 bits.
    fn low(self) -> u64;
}

impl SumWord for u64 {
    const BITS: u32 = 64;
    fn leading_zeros(self) -> u32 {
        u64::leading_zeros(self)
    }
    fn low(self) -> u64 {
        self
    }
}

impl SumWord for u128 {
    const BITS: u32 = 128;
    fn leading_zeros(self) -> u32 {
        u128::leading_zeros(self)
    }
    fn low(self) -> u64 {
        self as u64
    }
}

/// `magnitude · 2^exponent`, negated if `negative`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact<W> {
    /// Whether the value is negative; not significant for a zero magnitude.
    pub negative: bool,
    /// The integer.
    pub magnitude: W,
    /// The weight of the magnitude's lowest bit, as a power of two.
    pub exponent: i32,
}

impl<W: SumWord> Exact<W> {
    /// Returns the value of a word; infinities and zeros give zero.
    pub fn from_finite<F: Format>(word: u64) -> Self {
        let exponent = super::format::exponent::<F>(word);
        let finite = exponent != 0 && exponent != F::TOP_EXPONENT;
        let significand = super::format::significand::<F>(word);
        Exact {
            negative: super::format::is_negative::<F>(word),
            magnitude: W::from(if finite { significand } else { 0 }),
            exponent: exponent as i32 - F::BIAS - F::MANTISSA_BITS as i32,
        }
    }

    /// Shifts the highest one bit to bit `BITS - 2`.
    fn aligned(self) -> Self {
        let shift = self.magnitude.leading_zeros() - 1;
        Exact {
            magnitude: self.magnitude << shift,
            exponent: self.exponent - shift as i32,
            ..self
        }
    }

    /// Returns the sum, correct for every later rounding to at most `BITS - 8` bits.
    pub fn add_exact(self, other: Self) -> Self {
        let zero = W::from(0u8);
        if other.magnitude == zero {
            return self;
        }
        if self.magnitude == zero {
            return other;
        }
        debug_assert!(self.magnitude.leading_zeros() >= 3 && other.magnitude.leading_zeros() >= 3);
        let (left, right) = (self.aligned(), other.aligned());
        let (large, small) = if (left.exponent, left.magnitude) >= (right.exponent, right.magnitude)
        {
            (left, right)
        } else {
            (right, left)
        };
        // If the highest one bits are at most one place apart, the shift loses nothing, because the
        // two low bits are zero. Otherwise cancellation moves the highest one bit by at most two
        // places, so it stays far above the jammed bit.
        let magnitude = jam(small.magnitude, (large.exponent - small.exponent) as u32);
        Exact {
            magnitude: if large.negative == small.negative {
                large.magnitude + magnitude
            } else {
                large.magnitude - magnitude
            },
            ..large
        }
    }

    /// Rounds to nearest even with an unlimited exponent, then replaces exponents out of range by
    /// infinity or +0. The result is a normalised word (steps 2 to 4 of section 4.3).
    pub fn round<F: Format>(self) -> u64 {
        let zero = W::from(0u8);
        if self.magnitude == zero {
            return 0;
        }
        let top = (W::BITS - 1 - self.magnitude.leading_zeros()) as i32;
        let drop = top - F::MANTISSA_BITS as i32;
        let significand = if drop <= 0 {
            self.magnitude.low() << -drop
        } else {
            shift_nearest_even(self.magnitude, drop as u32).low()
        };
        let exponent = self.exponent + top + F::BIAS;
        if exponent < 0 {
            return 0;
        }
        if exponent >= F::TOP_EXPONENT as i32 {
            return self.sign::<F>() | F::INFINITY;
        }
        // A carry gives a zero mantissa and the next exponent, which the addition of the fields
        // produces. The hidden bit adds the one that is subtracted from the exponent.
        let word = ((i64::from(exponent) - 1) << F::MANTISSA_BITS) + significand as i64;
        if word < 1 << F::MANTISSA_BITS {
            0
        } else {
            self.sign::<F>() | word as u64
        }
    }

    fn sign<F: Format>(self) -> u64 {
        if self.negative {
            F::SIGN
        } else {
            0
        }
    }
}

/// Returns `value >> shift`, with the lowest bit set if a one bit was shifted out.
fn jam<W: SumWord>(value: W, shift: u32) -> W {
    let zero = W::from(0u8);
    let one = W::from(1u8);
    if shift == 0 {
        return value;
    }
    if shift >= W::BITS {
        return if value == zero { zero } else { one };
    }
    let kept = value >> shift;
    if kept << shift == value {
        kept
    } else {
        kept | one
    }
}

/// Returns `value / 2^shift` rounded to the nearest integer, ties to even, for any shift.
pub fn shift_nearest_even<W: SumWord>(value: W, shift: u32) -> W {
    let zero = W::from(0u8);
    let one = W::from(1u8);
    if shift == 0 {
        return value;
    }
    if shift > W::BITS {
        return zero;
    }
    let kept = if shift == W::BITS {
        zero
    } else {
        value >> shift
    };
    let half = one << (shift - 1);
    let rest = if shift == W::BITS {
        value
    } else {
        value - (kept << shift)
    };
    if rest > half || (rest == half && kept & one == one) {
        kept + one
    } else {
        kept
    }
}

#[cfg(test)]
mod tests;
