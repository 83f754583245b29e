//! The unpackers' conversions of a datum in L1 to a 16-bit float, in IEEE order.
//!
//! Nothing is ever rounded. If the exponent of a block is too small for a datum, the exponent wraps
//! around, as documented.
//!
//! Functions for block formats follow the documentation literally. The loops of `unpack` over whole
//! rows have branch-free versions, which are tested against these for every datum and exponent.
//!
//! Source: ISA documentation, `UNPACR_Regular.md` (`FormatConversion`), `FloatBitPatterns.md`.
//! [`fp16_from_fp32`] is only named there; its behaviour was observed in ttsim 1.10.0. FP8 is e5m2.
//! Blackhole also has e4m3 (`THCON_SEC*_REG1_Unp_LF8_4b_exp`), which no page documents.

/// Converts FP32 to BF16: the low bits are dropped, denormals become zero of the same sign.
pub fn bf16_from_fp32(x: u32) -> u16 {
    let kept = if x & 0x7F80_0000 == 0 {
        x & 0x8000_0000
    } else {
        x
    };
    (kept >> 16) as u16
}

/// Converts FP32 to FP16: the low bits are dropped. Values below the range become zero of the same
/// sign; for values above it, all bits of exponent and mantissa are set. An exponent that becomes 0
/// leaves the mantissa unchanged.
pub fn fp16_from_fp32(x: u32) -> u16 {
    /// The difference of the exponent biases.
    const BIAS: u32 = 127 - 15;
    let sign = (x >> 16) & 0x8000;
    let exponent = (x >> 23) & 0xFF;
    let rest = (x >> 13) & 0x3_FFFF;
    let magnitude = if exponent < BIAS {
        0
    } else if exponent > BIAS + 31 {
        0x7FFF
    } else {
        rest - (BIAS << 10)
    };
    (sign | magnitude) as u16
}

/// Converts FP8 with a 5-bit exponent to FP16.
pub fn fp16_from_fp8(x: u8) -> u16 {
    u16::from(x) << 8
}

/// Converts FP8 with a 5-bit exponent to FP16 on Blackhole, where all ones are saturated.
pub fn fp16_from_fp8_blackhole(x: u8) -> u16 {
    fp16_from_fp8(x) | if x & 0x7F == 0x7F { 0xFF } else { 0 }
}

/// Converts FP8 with a 4-bit exponent (Blackhole) to FP16. All ones are saturated; with exponent 0
/// the mantissa stays.
pub fn fp16_from_fp8_4b(x: u8) -> u16 {
    /// The difference of the exponent biases.
    const BIAS: u16 = 8;
    let x = u16::from(x);
    let (sign, exponent, mantissa) = (x & 0x80, x >> 3 & 15, x & 7);
    let padding = if x & 0x7F == 0x7F { 0x7F } else { 0 };
    let exponent = if exponent == 0 { 0 } else { exponent + BIAS };
    sign << 8 | exponent << 10 | mantissa << 7 | padding
}

/// Converts a sign and 7 bits of magnitude to the Matrix Unit's 8-bit integer: an FP16 with
/// exponent 16, or 0.
pub fn fp16_from_int8(x: u8) -> u16 {
    (u16::from(x) & 0x80) << 8 | fp16_from_uint8(x & 0x7F)
}

/// Converts an unsigned 8-bit integer likewise.
pub fn fp16_from_uint8(x: u8) -> u16 {
    const EXPONENT: u16 = 16 << 10;
    u16::from(x) | if x == 0 { 0 } else { EXPONENT }
}

/// Converts a datum of BFP8 with the exponent of its block to BF16. BFP4 and BFP2 are BFP8 with
/// fewer bits, left-aligned.
pub fn bf16_from_bfp8(datum: u8, exponent: u8) -> u16 {
    let sign = u16::from(datum & 0x80) << 8;
    match normal(datum, exponent) {
        Some((exponent, mantissa)) => sign | u16::from(exponent) << 7 | mantissa,
        None if sign != 0 => 0xFF80,
        None => 0,
    }
}

/// Converts a datum of BFP8a with the exponent of its block to FP16, if the exponent fits. BFP4a
/// and BFP2a are BFP8a with fewer bits, left-aligned.
pub fn fp16_from_bfp8a(datum: u8, exponent: u8) -> Option<u16> {
    let sign = u16::from(datum & 0x80) << 8;
    match normal(datum, exponent) {
        Some((32.., _)) => None,
        Some((exponent, mantissa)) => Some(sign | u16::from(exponent) << 10 | mantissa << 3),
        None if sign != 0 => Some(0xFC00),
        None => Some(0),
    }
}

/// Returns the exponent and the 7-bit mantissa of the normalised magnitude; `None` for zero.
fn normal(datum: u8, exponent: u8) -> Option<(u8, u16)> {
    let magnitude = datum << 1;
    if magnitude == 0 {
        return None;
    }
    let zeros = magnitude.leading_zeros();
    let mantissa = u16::from(magnitude << zeros & 0x7E);
    Some((exponent.wrapping_sub(zeros as u8), mantissa))
}

#[cfg(test)]
mod tests;
