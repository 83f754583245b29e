//! The early conversion: from Dst to the packer's intermediate format.
//!
//! Rounding is to nearest, ties away from zero. NaN becomes infinity; −0 and denormals become +0. A
//! denormal of a 32-bit Dst that rounds up to the smallest normal number survives, one of a 16-bit
//! Dst does not. `Packers/FormatConversion.md` does not specify this; it follows ttsim.
//!
//! The page calls INT16 from a 32-bit Dst impossible; ttsim takes the high half, and so does this
//! module.

use super::{exponent8, is_nan, rebase, DatumKind, EXPONENT16, SIGN16, SIGN32};

/// The result type of the early conversion.
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
    /// Returns how the bits of a datum are interpreted; `integer` tells whether 32 bits are an
    /// integer.
    pub fn kind(self, integer: bool) -> DatumKind {
        match self {
            Type::Bits32 if integer => DatumKind::Int32,
            Type::Bits32 | Type::Tf32 | Type::Bf16 | Type::E8m6 => DatumKind::Exponent8,
            Type::Fp16 | Type::E5m7 | Type::E5m6 | Type::Fp8 => DatumKind::Exponent5,
            Type::Int16 => DatumKind::Int16,
            Type::Int8 | Type::Uint8 => DatumKind::Int8,
        }
    }

    /// Returns the mask of the bits that a float of this type can have; all bits for integers.
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
    /// 32 bits as an FP32 pattern; INT32 has the same bit order.
    Wide,
    /// The high 16 of 32 bits, unchanged.
    WideHigh,
    /// 16 bits, BF16, as an FP32 pattern.
    Bf16,
    /// 16 bits, FP16.
    Fp16,
    /// 16 bits, unchanged.
    Narrow,
}

/// The conversion of a datum that was read from Dst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyConversion {
    /// No change.
    Identity,
    /// Drops the bits that the type does not have.
    Truncate,
    /// Rounds an FP32 pattern to the bits of the type.
    Round8,
    /// Rounds a BF16 of a 16-bit Dst to the bits of the type.
    RoundNarrow8,
    /// Rounds an FP16 pattern to the bits of the type.
    Round5,
    /// Converts an FP32 pattern to an FP16 pattern (Blackhole).
    Rebase,
    /// Converts a 32-bit integer to 8 bits: shifts right, rounds and saturates.
    Descale {
        /// Shift amount in bits.
        shift: u32,
    },
    /// The sign and the low 7 bits, or the low 8 bits, of 32 bits.
    LowBits,
    /// The sign of 16 bits, for INT8.
    Sign,
}

impl EarlyConversion {
    /// Converts a datum to type `to`.
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

/// Rounds an FP16 pattern to the bits of `mask`; results beyond the exponent's range become the
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

/// Shifts, rounds and saturates a sign-magnitude integer.
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
