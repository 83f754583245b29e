//! The arithmetic of the Vector Unit in one lane: multiply-add, load and store conversions,
//! comparisons, rounding.
//!
//! Source: ISA documentation, the page of each instruction; for the multiply-add
//! `Miscellaneous/FMA`.

mod approximate;
pub mod lut;
mod mad;
mod mul24;
pub mod transfer;

pub use approximate::{approximate_exponential, approximate_reciprocal};
pub use mad::{mad_blackhole, mad_wormhole, Arithmetic};
pub use mul24::{add_to_product, product_high, product_low};

/// Converts FP32 to BF16 as SFPSTORE does: denormals become a signed zero, the mantissa is
/// truncated.
pub fn store_bf16(x: u32) -> u16 {
    (flush_denormal(x) >> 16) as u16
}

/// Converts FP32 to FP16 as SFPSTORE does: the mantissa is truncated. Results below the range
/// become a signed zero, results above it 0x7FFF with the sign.
pub fn store_fp16(x: u32) -> u16 {
    let sign = (x >> 16) & 0x8000;
    let magnitude = match ((x >> 23) & 0xFF) as i32 - 112 {
        ..=0 => 0,
        e @ 1..=31 => (e as u32) << 10 | (x >> 13) & 0x3FF,
        _ => 0x7FFF,
    };
    (sign | magnitude) as u16
}

/// Converts FP16 to FP32 as SFPLOAD does. Every nonzero exponent is rebiased; 31 is an ordinary
/// one. Exponent 0 stays, so an FP16 denormal becomes an FP32 denormal of another value, which
/// arithmetic then flushes.
pub fn load_fp16(x: u16) -> u32 {
    let x = u32::from(x);
    let exponent = (x >> 10) & 0x1F;
    let exponent = if exponent == 0 { 0 } else { exponent + 112 };
    (x & 0x8000) << 16 | exponent << 23 | (x & 0x3FF) << 13
}

/// Converts FP16 to FP32 as SFPLOADI does: every exponent is rebiased, so 0x0000 becomes 2^-15.
pub fn immediate_fp16(x: u16) -> u32 {
    let x = u32::from(x);
    (x & 0x8000) << 16 | ((x & 0x7FFF) + (112 << 10)) << 13
}

/// Replaces a denormal by a zero of its sign.
pub fn flush_denormal(x: u32) -> u32 {
    if x & 0x7F80_0000 == 0 {
        x & 0x8000_0000
    } else {
        x
    }
}

/// The bits that a threshold can have. Rounding compares the discarded bits with the threshold, and
/// rounds up if they are not below it.
pub const THRESHOLD_BITS: u32 = (1 << 23) - 1;
/// The threshold of rounding to nearest, ties away from zero.
pub const HALF: u32 = 1 << 22;

/// Rounds FP32 to BF16 precision by a threshold, as SFPSTOCHRND does. Zeros and denormals become
/// +0, NaN becomes the infinity of its sign.
pub fn round_bf16(x: u32, threshold: u32) -> u32 {
    round_to(x, 16, threshold)
}

/// Rounds FP32 to a 10-bit mantissa by a threshold, otherwise like [`round_bf16`].
pub fn round_tf32(x: u32, threshold: u32) -> u32 {
    round_to(x, 13, threshold)
}

fn round_to(x: u32, discarded: u32, threshold: u32) -> u32 {
    match (x >> 23) & 0xFF {
        0 => 0,
        255 => x & 0xFF80_0000,
        _ => {
            let lost = x & ((1 << discarded) - 1);
            let up = lost >= threshold >> (23 - discarded);
            x - lost + (u32::from(up) << discarded)
        }
    }
}

/// Replaces the largest magnitude of an FP16 that SFPLOAD has read by infinity.
pub fn with_infinity(x: u32) -> u32 {
    const LARGEST: u32 = 0x47FF_E000;
    match x & 0x7FFF_FFFF {
        LARGEST => x & 0x8000_0000 | 0x7F80_0000,
        _ => x,
    }
}

/// Returns whether `a < b` in the total order of FP32 and of sign-magnitude integers: −NaN < −∞ < …
/// < −0 < +0 < … < +∞ < +NaN.
pub fn is_smaller(a: u32, b: u32) -> bool {
    let key = |x: u32| {
        if x >> 31 != 0 {
            !x as i64 - (1 << 31)
        } else {
            i64::from(x)
        }
    };
    key(a) < key(b)
}

/// An integer format of SFPSTOCHRND: sign and magnitude, saturated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    /// 0 to 255; the sign is lost.
    U8,
    /// −127 to 127.
    I8,
    /// 0 to 65535; the sign is lost.
    U16,
    /// −32767 to 32767.
    I16,
}

impl Integer {
    /// Returns the greatest magnitude.
    #[inline]
    pub const fn max_magnitude(self) -> u32 {
        match self {
            Integer::U8 => 255,
            Integer::I8 => 127,
            Integer::U16 => 65535,
            Integer::I16 => 32767,
        }
    }

    /// Returns whether the sign is kept.
    #[inline]
    pub const fn is_signed(self) -> bool {
        matches!(self, Integer::I8 | Integer::I16)
    }

    /// Returns an integer with the sign of `x` and a magnitude; there is no negative zero.
    fn with_magnitude(self, x: u32, magnitude: u64) -> u32 {
        let magnitude = magnitude.min(self.max_magnitude().into()) as u32;
        let signed = self.is_signed() && magnitude != 0;
        magnitude | if signed { x & 0x8000_0000 } else { 0 }
    }
}

/// Rounds a number with 23 fraction bits to one of the adjacent integers.
fn rounded(fixed: u64, threshold: u32) -> u64 {
    (fixed >> 23) + u64::from(fixed as u32 & THRESHOLD_BITS >= threshold)
}

/// Rounds FP32 to an integer by a threshold, as SFPSTOCHRND does. Values from 2^16 on and NaN
/// saturate. The last bit of a magnitude below one is dropped before rounding, and all bits below
/// one half.
pub fn integer_of_float(x: u32, to: Integer, threshold: u32) -> u32 {
    let mantissa = u64::from(0x80_0000 | x & 0x7F_FFFF);
    let magnitude = match (x >> 23 & 0xFF) as i32 - 127 {
        ..-1 => 0,
        -1 => rounded(mantissa >> 1, threshold),
        exponent @ 0..16 => rounded(mantissa << exponent, threshold),
        16.. => u64::MAX,
    };
    to.with_magnitude(x, magnitude)
}

/// Shifts a sign-magnitude integer right and rounds it, as SFPSTOCHRND does it.
pub fn integer_shifted(x: u32, amount: u32, to: Integer, threshold: u32) -> u32 {
    let magnitude = u64::from(x & 0x7FFF_FFFF) << 23 >> amount;
    to.with_magnitude(x, rounded(magnitude, threshold))
}

/// Converts a sign-magnitude integer to the nearest FP32, ties to even, as SFPCAST does it.
pub fn float_of_integer(x: u32) -> u32 {
    let (sign, magnitude) = (x & 0x8000_0000, x & 0x7FFF_FFFF);
    sign | (magnitude as f32).to_bits()
}

/// Rounds a sign-magnitude integer to an adjacent FP32 by seven of 32 random bits, as SFPCAST does.
pub fn float_of_integer_stochastic(x: u32, random: u32) -> u32 {
    let (sign, magnitude) = (x & 0x8000_0000, x & 0x7FFF_FFFF);
    if magnitude == 0 {
        return sign;
    }
    let zeros = magnitude.leading_zeros();
    let normal = magnitude << zeros;
    let truncated = sign + ((157 - zeros) << 23) + (normal >> 8);
    truncated + u32::from(normal & 0xFE > random >> 9 & 0xFE)
}

/// Converts a two's complement integer to sign and magnitude; −2^31 becomes −0.
pub fn sign_magnitude(x: u32) -> u32 {
    x & 0x8000_0000 | (x as i32).unsigned_abs() & 0x7FFF_FFFF
}

/// Converts a sign-magnitude integer to two's complement.
pub fn twos_complement(x: u32) -> u32 {
    match x >> 31 {
        0 => x,
        _ => (x & 0x7FFF_FFFF).wrapping_neg(),
    }
}

/// Returns |x| for FP32; a negative NaN keeps its sign.
pub fn abs_float(x: u32) -> u32 {
    if x > 0xFF80_0000 {
        x
    } else {
        x & 0x7FFF_FFFF
    }
}

#[cfg(test)]
mod tests;
