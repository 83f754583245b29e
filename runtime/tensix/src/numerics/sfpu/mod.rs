//! What the Vector Unit computes in one lane: multiply-add, load and store conversions, comparisons, rounding.
//!
//! Source: ISA documentation, the page of each instruction; for the multiply-add `Miscellaneous/FMA` there.
//! Not modelled: stochastic rounding and the integer conversions of SFPSTOCHRND. The callers trap.

mod mad;

pub use mad::mad_wormhole;

/// FP32 to BF16 as SFPSTORE does it: denormals become a signed zero, the mantissa is truncated.
pub fn store_bf16(x: u32) -> u16 {
    (flush_denormal(x) >> 16) as u16
}

/// FP32 to FP16 as SFPSTORE does it: truncation; too small becomes a signed zero, too large 0x7FFF with the sign.
pub fn store_fp16(x: u32) -> u16 {
    let sign = (x >> 16) & 0x8000;
    let magnitude = match ((x >> 23) & 0xFF) as i32 - 112 {
        ..=0 => 0,
        e @ 1..=31 => (e as u32) << 10 | (x >> 13) & 0x3FF,
        _ => 0x7FFF,
    };
    (sign | magnitude) as u16
}

/// FP16 to FP32 as SFPLOAD does it: every nonzero exponent is rebiased (31 is a binade like any other); exponent 0 stays,
/// so an FP16 denormal becomes an FP32 denormal of another value, which arithmetic then flushes.
pub fn load_fp16(x: u16) -> u32 {
    let x = u32::from(x);
    let exponent = (x >> 10) & 0x1F;
    let exponent = if exponent == 0 { 0 } else { exponent + 112 };
    (x & 0x8000) << 16 | exponent << 23 | (x & 0x3FF) << 13
}

/// FP16 to FP32 as SFPLOADI does it: the exponent is rebiased whatever it is, so 0x0000 becomes 2^-15.
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

/// FP32 to the nearest BF16, still in FP32 layout, ties away from zero: SFPSTOCHRND in its deterministic mode.
/// Zeros and denormals become +0, NaN becomes the infinity of its sign.
pub fn round_bf16(x: u32) -> u32 {
    round_to(x, 16)
}

/// FP32 to the nearest value with a 10-bit mantissa, otherwise as [`round_bf16`].
pub fn round_tf32(x: u32) -> u32 {
    round_to(x, 13)
}

fn round_to(x: u32, discarded: u32) -> u32 {
    match (x >> 23) & 0xFF {
        0 => 0,
        255 => x & 0xFF80_0000,
        _ => (x + (1 << (discarded - 1))) & !((1 << discarded) - 1),
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
                round_bf16,
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
                round_tf32,
                &[(0x3F80_0FFF, 0x3F80_0000), (0x3F80_1000, 0x3F80_2000)],
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
