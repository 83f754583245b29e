//! Exact values in integers, their sum, and the one rounding to nearest even.
//!
//! A value is a sign, an integer magnitude and a power of two. [`Exact::plus`] adds two of them as
//! if with unlimited bits: bits that leave the frame are collected in the lowest bit ("jamming"),
//! where they cannot change a later rounding. The frame is `u64` where the manual's significands
//! are at most 61 bits long, `u128` for double precision.
//!
//! Not checked: that magnitudes handed in have at most `BITS - 3` significant bits ([`Exact::plus`]
//! relies on it; a debug assertion says so).

use super::format::Format;
use std::ops::{Add, BitAnd, BitOr, Shl, Shr, Sub};

/// An unsigned integer wide enough to hold a sum.
pub trait Frame:
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
    /// Bits of the integer.
    const BITS: u32;
    /// Zero bits above the highest one.
    fn leading_zeros(self) -> u32;
    /// The low 64 bits.
    fn low(self) -> u64;
}

impl Frame for u64 {
    const BITS: u32 = 64;
    fn leading_zeros(self) -> u32 {
        u64::leading_zeros(self)
    }
    fn low(self) -> u64 {
        self
    }
}

impl Frame for u128 {
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
    /// Whether the value is below zero; without meaning for a zero magnitude.
    pub negative: bool,
    /// The integer.
    pub magnitude: W,
    /// The weight of the magnitude's lowest bit, as a power of two.
    pub exponent: i32,
}

impl<W: Frame> Exact<W> {
    /// A word's value; infinities and zeros give zero.
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

    /// Shifts the highest one to bit `BITS - 2`.
    fn aligned(self) -> Self {
        let shift = self.magnitude.leading_zeros() - 1;
        Exact {
            magnitude: self.magnitude << shift,
            exponent: self.exponent - shift as i32,
            ..self
        }
    }

    /// The sum, right for every later rounding to at most `BITS - 8` bits.
    pub fn plus(self, other: Self) -> Self {
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
        // Highest ones that lie at most one place apart lose nothing in the shift, as two low bits
        // are zero. Farther apart the sum keeps its highest one within two places, far above the
        // jammed bit.
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

    /// Rounds to nearest even with an unlimited exponent, then turns exponents outside the format's
    /// range into an infinity or +0: a normalised word (steps 2 to 4 of section 4.3).
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
        // A carry leaves a mantissa of zero with the exponent one higher, which adding the fields
        // does by itself; the hidden bit adds the one that is subtracted here.
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

/// `value >> shift` with the lowest bit set if any one was shifted out.
fn jam<W: Frame>(value: W, shift: u32) -> W {
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

/// `value / 2^shift` rounded to the nearest integer, ties to even. Any shift.
pub fn shift_nearest_even<W: Frame>(value: W, shift: u32) -> W {
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
