//! What the Vector Unit computes in one lane: multiply-add, load and store conversions,
//! comparisons, rounding.
//!
//! Source: ISA documentation, the page of each instruction; for the multiply-add
//! `Miscellaneous/FMA` there.

mod approximate;
mod mad;
mod mul24;

pub use approximate::{approximate_exponential, approximate_reciprocal};
pub use mad::{mad_blackhole, mad_wormhole, Arithmetic};
pub use mul24::{add_to_product, product_high, product_low};

/// FP32 to BF16 as SFPSTORE does it: denormals become a signed zero, the mantissa is truncated.
pub fn store_bf16(x: u32) -> u16 {
    (flush_denormal(x) >> 16) as u16
}

/// FP32 to FP16 as SFPSTORE does it: truncation; too small becomes a signed zero, too large 0x7FFF
/// with the sign.
pub fn store_fp16(x: u32) -> u16 {
    let sign = (x >> 16) & 0x8000;
    let magnitude = match ((x >> 23) & 0xFF) as i32 - 112 {
        ..=0 => 0,
        e @ 1..=31 => (e as u32) << 10 | (x >> 13) & 0x3FF,
        _ => 0x7FFF,
    };
    (sign | magnitude) as u16
}

/// FP16 to FP32 as SFPLOAD does it: every nonzero exponent is rebiased (31 is a binade like any
/// other); exponent 0 stays, so an FP16 denormal becomes an FP32 denormal of another value, which
/// arithmetic then flushes.
pub fn load_fp16(x: u16) -> u32 {
    let x = u32::from(x);
    let exponent = (x >> 10) & 0x1F;
    let exponent = if exponent == 0 { 0 } else { exponent + 112 };
    (x & 0x8000) << 16 | exponent << 23 | (x & 0x3FF) << 13
}

/// FP16 to FP32 as SFPLOADI does it: the exponent is rebiased whatever it is, so 0x0000 becomes
/// 2^-15.
pub fn immediate_fp16(x: u16) -> u32 {
    let x = u32::from(x);
    (x & 0x8000) << 16 | ((x & 0x7FFF) + (112 << 10)) << 13
}

/// A denormal to a zero of its sign.
pub fn flush_denormal(x: u32) -> u32 {
    if x & 0x7F80_0000 == 0 {
        x & 0x8000_0000
    } else {
        x
    }
}

/// The bits that decide what rounding discards bits of: they are rounded up that are not below
/// them.
pub const THRESHOLD_BITS: u32 = (1 << 23) - 1;
/// The threshold of rounding to nearest, ties away from zero.
pub const HALF: u32 = 1 << 22;

/// FP32 to a BF16 next to it, still in FP32 layout: SFPSTOCHRND. Zeros and denormals become +0, NaN
/// becomes the infinity of its sign.
pub fn round_bf16(x: u32, threshold: u32) -> u32 {
    round_to(x, 16, threshold)
}

/// FP32 to a value next to it with a 10-bit mantissa, otherwise as [`round_bf16`].
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

/// The largest magnitude of FP16 that SFPLOAD has read, as infinity.
pub fn with_infinity(x: u32) -> u32 {
    const LARGEST: u32 = 0x47FF_E000;
    match x & 0x7FFF_FFFF {
        LARGEST => x & 0x8000_0000 | 0x7F80_0000,
        _ => x,
    }
}

/// Total order of FP32 and of sign-magnitude integers: −NaN < −∞ < … < −0 < +0 < … < +∞ < +NaN.
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

/// An integer that SFPSTOCHRND makes: sign and magnitude, clamped.
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
    const fn most(self) -> u64 {
        match self {
            Integer::U8 => 255,
            Integer::I8 => 127,
            Integer::U16 => 65535,
            Integer::I16 => 32767,
        }
    }

    /// The sign of `x` and a magnitude; there is no negative zero.
    fn of(self, x: u32, magnitude: u64) -> u32 {
        let magnitude = magnitude.min(self.most()) as u32;
        let signed = matches!(self, Integer::I8 | Integer::I16) && magnitude != 0;
        magnitude | if signed { x & 0x8000_0000 } else { 0 }
    }
}

/// A number with 23 bits behind the point to an integer next to it.
fn rounded(fixed: u64, threshold: u32) -> u64 {
    (fixed >> 23) + u64::from(fixed as u32 & THRESHOLD_BITS >= threshold)
}

/// FP32 to an integer next to it, as SFPSTOCHRND does it. What is 2^16 and above, NaN too, is
/// clamped; of a magnitude below one, the last bit is lost before; below a half, all are.
pub fn integer_of_float(x: u32, to: Integer, threshold: u32) -> u32 {
    let mantissa = u64::from(0x80_0000 | x & 0x7F_FFFF);
    let magnitude = match (x >> 23 & 0xFF) as i32 - 127 {
        ..-1 => 0,
        -1 => rounded(mantissa >> 1, threshold),
        exponent @ 0..16 => rounded(mantissa << exponent, threshold),
        16.. => u64::MAX,
    };
    to.of(x, magnitude)
}

/// A sign-magnitude integer shifted right and rounded, as SFPSTOCHRND does it.
pub fn integer_shifted(x: u32, amount: u32, to: Integer, threshold: u32) -> u32 {
    let magnitude = u64::from(x & 0x7FFF_FFFF) << 23 >> amount;
    to.of(x, rounded(magnitude, threshold))
}

/// A sign-magnitude integer to the nearest FP32, ties to even, as SFPCAST does it.
pub fn float_of_integer(x: u32) -> u32 {
    let (sign, magnitude) = (x & 0x8000_0000, x & 0x7FFF_FFFF);
    sign | (magnitude as f32).to_bits()
}

/// A sign-magnitude integer to an FP32 next to it, as SFPCAST does it by seven of 32 random bits.
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

/// Sign and magnitude of a two's complement integer; those of −2^31 are those of −0.
pub fn sign_magnitude(x: u32) -> u32 {
    x & 0x8000_0000 | (x as i32).unsigned_abs() & 0x7FFF_FFFF
}

/// The two's complement integer of a sign and a magnitude.
pub fn twos_complement(x: u32) -> u32 {
    match x >> 31 {
        0 => x,
        _ => (x & 0x7FFF_FFFF).wrapping_neg(),
    }
}

/// |x| for FP32; a negative NaN keeps its sign.
pub fn abs_float(x: u32) -> u32 {
    if x > 0xFF80_0000 {
        x
    } else {
        x & 0x7FFF_FFFF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All datums of 16 bits: what is loaded grows with the datum, doubles with its exponent,
    /// begins with 1 where that is 1, and comes back; denormals come back as zeros.
    #[test]
    fn all_datums_of_16_bits() {
        type Format = (u32, u16, fn(u16) -> u32, fn(u32) -> u16);
        let formats: [Format; 2] = [
            (10, 0x3C00, load_fp16, store_fp16),
            (7, 0x3F80, |x| u32::from(x) << 16, store_bf16),
        ];
        for (mantissa, one, load, store) in formats {
            assert_eq!(load(one), 0x3F80_0000);
            let binade = 1 << mantissa;
            let last = 0x7FFF - binade;
            for x in 0..=0x7FFF {
                let loaded = load(x);
                for sign in [0, 1 << 15] {
                    assert_eq!(load(x | sign), loaded | u32::from(sign) << 16);
                    let back = if x < binade { 0 } else { x };
                    assert_eq!(store(load(x | sign)), back | sign, "{x:#x}");
                }
                assert!(x == 0x7FFF || load(x + 1) > loaded, "{x:#x}");
                if x >= binade && x <= last {
                    assert_eq!(load(x + binade), loaded + (1 << 23), "{x:#x}");
                }
            }
        }
    }

    #[test]
    fn conversions() {
        type Row = (&'static str, fn(u32) -> u32, &'static [(u32, u32)]);
        let rows: &[Row] = &[
            (
                "store_bf16",
                |x| store_bf16(x).into(),
                &[
                    (0x3F80_FFFF, 0x3F80),
                    (0xBF81_8000, 0xBF81),
                    (0x8000_0001, 0x8000),
                    (0x007F_FFFF, 0x0000),
                    (0x7F80_0000, 0x7F80),
                ],
            ),
            (
                "store_fp16",
                |x| store_fp16(x).into(),
                &[
                    (0x3F80_0000, 0x3C00),
                    (0x3F80_3FFF, 0x3C01),
                    (0x3880_0000, 0x0400), // 2^-14
                    (0x387F_FFFF, 0x0000),
                    (0xB800_0000, 0x8000),
                    (0x47FF_E000, 0x7FFF),
                    (0x4800_0000, 0x7FFF),
                    (0xFF80_0000, 0xFFFF),
                ],
            ),
            (
                "load_fp16",
                |x| load_fp16(x as u16),
                &[
                    (0x3C00, 0x3F80_0000),
                    (0x7C00, 0x4780_0000),
                    (0x8000, 0x8000_0000),
                    (0x0001, 0x0000_2000),
                ],
            ),
            (
                "immediate_fp16",
                |x| immediate_fp16(x as u16),
                &[(0x3C00, 0x3F80_0000), (0, 0x3800_0000)],
            ),
            (
                "round_bf16",
                |x| round_bf16(x, HALF),
                &[
                    (0x3F80_7FFF, 0x3F80_0000),
                    (0x3F80_8000, 0x3F81_0000), // a tie, away from zero
                    (0x3F81_8000, 0x3F82_0000),
                    (0xBF80_8000, 0xBF81_0000),
                    (0x7F7F_8000, 0x7F80_0000),
                    (0x8000_0000, 0),
                    (0x007F_FFFF, 0),
                    (0xFFC0_0001, 0xFF80_0000),
                ],
            ),
            (
                "round_tf32",
                |x| round_tf32(x, HALF),
                &[(0x3F80_0FFF, 0x3F80_0000), (0x3F80_1000, 0x3F80_2000)],
            ),
            (
                "float_of_integer",
                float_of_integer,
                &[
                    (0, 0),
                    (0x8000_0000, 0x8000_0000),
                    (0x8000_0001, 0xBF80_0000),
                    (0x0100_0001, 0x4B80_0000), // a tie, to even
                    (0x0100_0003, 0x4B80_0002),
                    (0x7FFF_FFFF, 0x4F00_0000),
                ],
            ),
            (
                "integer_of_float to 8 bits",
                |x| integer_of_float(x, Integer::I8, HALF),
                &[
                    (0x3F00_0000, 1), // 0.5
                    (0x3EFF_FFFF, 0),
                    (0xBEFF_FFFF, 0),
                    (0xBF00_0000, 0x8000_0001),
                    (0xC2FE_0000, 0x8000_007F), // -127
                    (0xC37F_0000, 0x8000_007F), // -255
                    (0x7FC0_0000, 127),
                    (0, 0),
                ],
            ),
            (
                "integer_of_float to 16 bits without sign",
                |x| integer_of_float(x, Integer::U16, HALF),
                &[
                    (0xBFC0_0000, 2), // -1.5
                    (0x477F_FF00, 65535),
                    (0x4780_0000, 65535),
                ],
            ),
            (
                "integer_shifted by 4",
                |x| integer_shifted(x, 4, Integer::I8, HALF),
                &[
                    (7, 0),
                    (8, 1),
                    (0x8000_0007, 0),
                    (0x8000_0018, 0x8000_0002),
                    (0x7FFF_FFFF, 127),
                ],
            ),
            (
                "round_bf16 to zero",
                |x| round_bf16(x, THRESHOLD_BITS),
                &[
                    (0x3F80_FFFE, 0x3F80_0000),
                    (0x3F80_FFFF, 0x3F81_0000), // away from it, by a fault of the hardware
                    (0xBF80_8000, 0xBF80_0000),
                ],
            ),
            (
                "round_bf16 by no bits",
                |x| round_bf16(x, 0),
                &[(0x3F80_0000, 0x3F81_0000), (0x7F7F_0000, 0x7F80_0000)], // up, though nothing is lost
            ),
            (
                "round_tf32 by bits",
                |x| round_tf32(x, 0x1234 << 10 | 0x3FF),
                &[(0x3F80_1233, 0x3F80_0000), (0x3F80_1234, 0x3F80_2000)],
            ),
            (
                "integer_of_float to zero",
                |x| integer_of_float(x, Integer::I16, THRESHOLD_BITS),
                &[
                    (0x3F7F_FFFD, 0),
                    (0x3F7F_FFFE, 1), // 0.99999988, 0.99999994 and 1.99999988, away from it
                    (0x3F7F_FFFF, 1),
                    (0x3FFF_FFFE, 1),
                    (0x3FFF_FFFF, 2),
                    (0xC2C7_FFFF, 0x8000_0063), // -99.99999
                ],
            ),
            (
                "integer_of_float by no bits",
                |x| integer_of_float(x, Integer::U8, 0),
                &[(0x3EFF_FFFF, 0), (0x3F00_0000, 1), (0x4000_0000, 3)],
            ),
            (
                "integer_shifted by 23 to zero",
                |x| integer_shifted(x, 23, Integer::I8, THRESHOLD_BITS),
                &[(0x007F_FFFE, 0), (0x007F_FFFF, 1)],
            ),
            (
                "float_of_integer_stochastic by no bits",
                |x| float_of_integer_stochastic(x, 0),
                &[
                    (0, 0),
                    (0x8000_0000, 0x8000_0000),
                    (0x0100_0000, 0x4B80_0000),
                    (0x0100_0001, 0x4B80_0001),
                    (0x7FFF_FFFF, 0x4F00_0000),
                ],
            ),
            (
                "float_of_integer_stochastic by half of the bits",
                |x| float_of_integer_stochastic(x, 0x40 << 10),
                &[(0x0100_0001, 0x4B80_0000), (0x0200_0003, 0x4C00_0001)],
            ),
            (
                "with_infinity",
                with_infinity,
                &[
                    (0x47FF_E000, 0x7F80_0000),
                    (0xC7FF_E000, 0xFF80_0000),
                    (0x47FF_C000, 0x47FF_C000),
                ],
            ),
            (
                "twos_complement",
                twos_complement,
                &[(5, 5), (0x8000_0005, 0xFFFF_FFFB), (0x8000_0000, 0)],
            ),
            (
                "abs_float",
                abs_float,
                &[
                    (0xBF80_0000, 0x3F80_0000),
                    (0xFF80_0000, 0x7F80_0000),
                    (0xFF80_0001, 0xFF80_0001),
                ],
            ),
        ];
        for (name, function, cases) in rows {
            for &(input, expected) in *cases {
                assert_eq!(function(input), expected, "{name}({input:#010x})");
            }
        }
    }

    #[test]
    fn integers_with_signs() {
        assert_eq!(sign_magnitude(0xFFFF_FFFB), 0x8000_0005);
        assert_eq!(sign_magnitude(0x8000_0000), 0x8000_0000);
        for x in [0, 5, 0x7FFF_FFFF, 0x8000_0001, 0xFFFF_FFFF] {
            assert_eq!(twos_complement(sign_magnitude(x)), x);
        }
    }

    #[test]
    fn total_order_is_strict() {
        let ascending = [
            0xFFFF_FFFF,
            0xFF80_0000,
            0xBF80_0000,
            0x8000_0001,
            0x8000_0000,
            0,
            1,
            0x3F80_0000,
            0x7FFF_FFFF,
        ];
        for (i, &a) in ascending.iter().enumerate() {
            for (j, &b) in ascending.iter().enumerate() {
                assert_eq!(is_smaller(a, b), i < j, "{a:#x} < {b:#x}");
            }
        }
    }
}
