//! The early conversion: from what Dst holds to what goes through the packer.
//!
//! Rounding is to nearest, ties away from zero. It makes infinity of what is not a number, and +0
//! of −0 and denormals; a denormal of a 32-bit Dst that rounds up to the smallest normal number
//! survives, one of a 16-bit Dst does not. The page does not say so; it is what ttsim does.
//!
//! INT16 from a 32-bit Dst is what the page calls impossible and ttsim has: the high half.

use super::{exponent8, is_nan, rebase, DatumKind, EXPONENT16, SIGN16, SIGN32};

/// What comes out of the early conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// FP32 or INT32.
    Bits32,
    /// Sign, 8 bits of exponent, 10 of mantissa.
    Tf32,
    /// Sign, 8 bits of exponent, 7 of mantissa.
    Bf16,
    /// Sign, 8 bits of exponent, 6 of mantissa.
    E8m6,
    /// Sign, 5 bits of exponent, 10 of mantissa.
    Fp16,
    /// Sign, 5 bits of exponent, 7 of mantissa.
    E5m7,
    /// Sign, 5 bits of exponent, 6 of mantissa.
    E5m6,
    /// Sign, 5 bits of exponent, 2 of mantissa.
    Fp8,
    /// 16 bits.
    Int16,
    /// Sign and 7 bits of magnitude.
    Int8,
    /// 8 bits.
    Uint8,
}

impl Type {
    /// Returns how a datum of this type is held; `integer` if 32 bits are an integer.
    pub fn kind(self, integer: bool) -> DatumKind {
        match self {
            Type::Bits32 if integer => DatumKind::Int32,
            Type::Bits32 | Type::Tf32 | Type::Bf16 | Type::E8m6 => DatumKind::Exponent8,
            Type::Fp16 | Type::E5m7 | Type::E5m6 | Type::Fp8 => DatumKind::Exponent5,
            Type::Int16 => DatumKind::Int16,
            Type::Int8 | Type::Uint8 => DatumKind::Int8,
        }
    }

    /// Returns the bits of a float of this type that can be set; all for integers.
    pub fn mask(self) -> u32 {
        match self {
            Type::Bits32 | Type::Int16 | Type::Int8 | Type::Uint8 => u32::MAX,
            Type::Tf32 => 0xFFFF_E000,
            Type::Bf16 => 0xFFFF_0000,
            Type::E8m6 => 0xFFFE_0000,
            Type::Fp16 => 0xFFFF,
            Type::E5m7 => 0xFFF8,
            Type::E5m6 => 0xFFF0,
            Type::Fp8 => 0xFF00,
        }
    }
}

/// How the 16 or 32 bits of a datum in Dst are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// 32 bits, to an FP32 pattern; INT32 has the same order.
    Wide,
    /// The high 16 of 32 bits as they are.
    WideHigh,
    /// 16 bits, BF16, to an FP32 pattern.
    Bf16,
    /// 16 bits, FP16.
    Fp16,
    /// 16 bits as they are.
    Narrow,
}

/// The conversion of what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyConversion {
    /// Bit by bit.
    Identity,
    /// The bits that the type does not have are dropped.
    Truncate,
    /// An FP32 pattern to the bits that the type has.
    Round8,
    /// A BF16 of a 16-bit Dst likewise.
    RoundNarrow8,
    /// An FP16 pattern to the bits that the type has.
    Round5,
    /// An FP32 pattern to an FP16 pattern, on Blackhole.
    Rebase,
    /// An integer of 32 bits to 8, unsigned or not: shifted right, rounded, saturated.
    Descale {
        /// By so many bits.
        shift: u32,
    },
    /// The low 7 bits and the sign, or the low 8, of 32 bits.
    LowBits,
    /// The sign of 16 bits, for INT8.
    Sign,
}

impl EarlyConversion {
    /// Converts what was read to `to`.
    pub fn apply(self, to: Type, x: u32) -> u32 {
        match self {
            EarlyConversion::Identity => x,
            EarlyConversion::Truncate => x & to.mask(),
            EarlyConversion::Round8 => round8(x, to.mask()),
            EarlyConversion::RoundNarrow8 => round8(flush8(x), to.mask()),
            EarlyConversion::Round5 => round5(x, to.mask()),
            EarlyConversion::Rebase => rebase(x),
            EarlyConversion::Descale { shift } => descale(x, shift, to == Type::Uint8),
            EarlyConversion::LowBits if to == Type::Uint8 => x & 0xFF,
            EarlyConversion::LowBits => x >> 24 & 0x80 | x & 0x7F,
            EarlyConversion::Sign => x >> 8 & 0x80,
        }
    }
}

/// Rounds an FP32 pattern to the bits of `mask`.
fn round8(x: u32, mask: u32) -> u32 {
    let x = if is_nan(x) { x & 0xFF80_0000 } else { x };
    flush8(x.wrapping_add(!mask / 2 + 1) & mask)
}

fn flush8(x: u32) -> u32 {
    if exponent8(x) == 0 {
        0
    } else {
        x
    }
}

/// Rounds an FP16 pattern to the bits of `mask`; what would leave the exponent's range becomes the
/// largest number.
fn round5(x: u32, mask: u32) -> u32 {
    let rest = !mask & 0x3FF;
    let magnitude = (x & 0x7FFF) + rest.div_ceil(2);
    let magnitude = magnitude.min(0x7FFF) & mask;
    if magnitude & EXPONENT16 == 0 {
        0
    } else {
        x & SIGN16 | magnitude
    }
}

/// Shifts, rounds and saturates an integer of sign and magnitude.
fn descale(x: u32, shift: u32, unsigned: bool) -> u32 {
    let magnitude = x & !SIGN32;
    let rounded = match shift {
        0 => magnitude,
        _ => (magnitude + (1 << (shift - 1))) >> shift,
    };
    match (unsigned, x & SIGN32 != 0) {
        (true, true) => 0,
        (true, false) => rounded.min(0xFF),
        (false, negative) => u32::from(negative) << 7 | rounded.min(0x7F),
    }
}

#[cfg(test)]
mod tests;
