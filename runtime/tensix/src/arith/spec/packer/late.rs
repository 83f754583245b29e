//! The late conversion: from what goes through the packer to what L1 gets.
//!
//! | from | to | how |
//! |---|---|---|
//! | 8-bit exponent | FP32, TF32 | identity; not from FP32 to TF32 |
//! | | BF16 | truncated, denormals flushed if mantissa bits go |
//! | | FP16, FP8 | rebased, below to signed zero, above to the largest number, truncated |
//! | | BFP8, BFP4, BFP2 | BF16 with denormals flushed, then a block |
//! | | BFP8a, BFP4a, BFP2a | as to FP16, truncated to 7 mantissa bits, then a block |
//! | 5-bit exponent | FP32, TF32 | rebased; a denormal keeps its bits and becomes one |
//! | | BF16 | rebased, truncated, denormals flushed |
//! | | FP16, FP8 | identity, truncated; to FP8 with 4 bits of exponent rebased |
//! | | BFP* | as from BF16 or FP16 |
//! | integers | the same integers | identity |
//!
//! Cases that `Packers/FormatConversion.md` calls mishandled, and the sign of a flushed zero,
//! follow ttsim where it has the pair (FP16 to FP32 and to BF16, FP32 to FP16 and to blocks). In
//! other pairs such datums are [undefined](LateConversion::is_undefined).

use super::early::Type;
use super::{exponent5, exponent8, rebase, DatumKind, EXPONENT16, REBASE, SIGN16, SIGN32};
use crate::arith::spec::format::Format;

/// A late conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateConversion {
    /// No change.
    Identity,
    /// From an 8-bit exponent to BF16.
    Bf16 {
        /// Whether mantissa bits are dropped.
        narrows: bool,
    },
    /// From an 8-bit exponent to FP16 or FP8.
    Rebase {
        /// Whether the target is FP8.
        to_fp8: bool,
    },
    /// From an 8-bit exponent to a datum of a block with an 8-bit exponent.
    Block8From8,
    /// From an 8-bit exponent to a datum of a block with a 5-bit exponent.
    Block5From8,
    /// From a 5-bit exponent to FP32.
    Widen,
    /// From a 5-bit exponent to TF32.
    WidenTf32,
    /// From a 5-bit exponent to BF16.
    Bf16From5 {
        /// Whether mantissa bits are dropped.
        narrows: bool,
    },
    /// From a 5-bit exponent to FP8.
    Fp8From5 {
        /// Whether mantissa bits are dropped.
        narrows: bool,
    },
    /// To FP8 with a 4-bit exponent (Blackhole).
    SmallFp8 {
        /// Whether the source has an 8-bit exponent.
        rebase: bool,
    },
    /// From a 5-bit exponent to a datum of a block with an 8-bit exponent.
    Block8From5,
    /// From a 5-bit exponent to a datum of a block with a 5-bit exponent.
    Block5From5,
}

impl LateConversion {
    /// Returns the conversion from `from`, interpreted as `kind`, to a format; `None` if the
    /// documentation has none.
    pub fn new(from: Type, kind: DatumKind, to: Format) -> Option<LateConversion> {
        match kind {
            DatumKind::Exponent8 => from8(from, to),
            DatumKind::Exponent5 => from5(from, to),
            DatumKind::Int32 => (to == Format::INT32).then_some(LateConversion::Identity),
            DatumKind::Int16 => (to == Format::INT16).then_some(LateConversion::Identity),
            DatumKind::Int8 => (to == Format::INT8).then_some(LateConversion::Identity),
        }
    }

    /// Returns the bits to be stored in L1, or the input of [`super::block::Block::from_datums`].
    pub fn apply(self, x: u32) -> u32 {
        let zero = |of: u32| if of == 0 { 0 } else { u32::MAX };
        match self {
            LateConversion::Identity => x,
            LateConversion::Bf16 { narrows: false } => x >> 16,
            LateConversion::Bf16 { narrows: true } | LateConversion::Block8From8 => {
                x >> 16 & zero(exponent8(x))
            }
            LateConversion::Rebase { to_fp8: false } => rebase(x),
            LateConversion::Rebase { to_fp8: true } => rebase(x) >> 8,
            LateConversion::Block5From8 => block5(rebase(x)),
            LateConversion::Widen | LateConversion::WidenTf32 => widen(x),
            LateConversion::Bf16From5 { .. } | LateConversion::Block8From5 => {
                widen(x) >> 16 & zero(exponent5(x))
            }
            LateConversion::Fp8From5 { narrows: false } => x >> 8,
            LateConversion::Fp8From5 { narrows: true } => x >> 8 & zero(exponent5(x)),
            LateConversion::Block5From5 => block5(x),
            LateConversion::SmallFp8 { rebase: true } => small_fp8(rebase(x)),
            LateConversion::SmallFp8 { rebase: false } => small_fp8(x),
        }
    }

    /// Returns whether neither the documentation nor ttsim specify the result for a datum.
    pub fn is_undefined(self, x: u32) -> bool {
        let mishandled = exponent5(x) == 0 && x & 0x3FF != 0;
        // The range from 2^-15 (exclusive) to 2^-14, in which FP16 has denormals.
        let tiny = exponent8(x) == REBASE && x & 0x7F_FFFF != 0;
        match self {
            LateConversion::Bf16 { narrows: true } => exponent8(x) == 0 && x & SIGN32 != 0,
            LateConversion::Rebase { to_fp8: true } | LateConversion::Block5From8 => tiny,
            LateConversion::WidenTf32 => mishandled,
            LateConversion::Bf16From5 { narrows: false } => exponent5(x) == 0 && x != 0,
            LateConversion::Fp8From5 { narrows: true } => exponent5(x) == 0 && x & SIGN16 != 0,
            _ => false,
        }
    }
}

fn from8(from: Type, to: Format) -> Option<LateConversion> {
    let narrows = matches!(from, Type::Bits32 | Type::Tf32);
    Some(match to {
        Format::FP32 => LateConversion::Identity,
        Format::TF32 if from != Type::Bits32 => LateConversion::Identity,
        Format::BF16 => LateConversion::Bf16 { narrows },
        Format::FP16 => LateConversion::Rebase { to_fp8: false },
        Format::FP8 => LateConversion::Rebase { to_fp8: true },
        Format::BFP8 | Format::BFP4 | Format::BFP2 => LateConversion::Block8From8,
        Format::BFP8A | Format::BFP4A | Format::BFP2A => LateConversion::Block5From8,
        _ => return None,
    })
}

fn from5(from: Type, to: Format) -> Option<LateConversion> {
    let narrows = from == Type::Fp16;
    Some(match to {
        Format::FP32 => LateConversion::Widen,
        Format::TF32 => LateConversion::WidenTf32,
        Format::BF16 => LateConversion::Bf16From5 { narrows },
        Format::FP16 => LateConversion::Identity,
        Format::FP8 => LateConversion::Fp8From5 {
            narrows: from != Type::Fp8,
        },
        Format::BFP8 | Format::BFP4 | Format::BFP2 => LateConversion::Block8From5,
        Format::BFP8A | Format::BFP4A | Format::BFP2A => LateConversion::Block5From5,
        _ => return None,
    })
}

/// Converts an FP16 pattern to an FP32 pattern.
fn widen(x: u32) -> u32 {
    let rebase = if x & EXPONENT16 == 0 { 0 } else { REBASE << 23 };
    (x & SIGN16) << 16 | (((x & 0x7FFF) << 13) + rebase)
}

/// Converts an FP16 pattern to FP8 with a 4-bit exponent. The mantissa is truncated; results below
/// the range become a signed zero, results above it the largest number.
fn small_fp8(x: u32) -> u32 {
    let sign = x >> 8 & 0x80;
    match exponent5(x) {
        0..=8 => sign,
        exponent @ 9..=23 => sign | (exponent - 8) << 3 | x >> 7 & 7,
        _ => sign | 0x7F,
    }
}

/// Converts an FP16 pattern to the layout of block datums with a 7-bit mantissa; denormals become
/// zero.
fn block5(x: u32) -> u32 {
    x & SIGN16 | x >> 3 & 0xFFF
}

#[cfg(test)]
mod tests;
