//! The arithmetic of the packers: early conversion, ReLU, late conversion, shared exponents,
//! accumulation.
//!
//! Between the conversions a datum has one of five interpretations ([`DatumKind`]); narrower floats
//! have zeros in the low mantissa bits.
//!
//! Source: ISA documentation, `Packers/FormatConversion.md`, `Packers/ReLU.md`,
//! `FloatBitPatterns.md`. Where these are silent, ttsim 1.10.0 decides. Datums for which neither
//! specifies a result are [refused](late::LateConversion::is_undefined) individually. Stochastic
//! rounding is not modelled, because the documentation does not describe its random numbers.

pub mod accumulate;
pub mod block;
pub mod early;
pub mod late;
pub mod relu;
pub mod threshold;

/// The interpretation of a datum between the conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatumKind {
    /// A float with an 8-bit exponent, as FP32.
    Exponent8,
    /// A float with a 5-bit exponent, as FP16.
    Exponent5,
    /// 32 bits, sign and magnitude.
    Int32,
    /// 16 bits, sign and magnitude or opaque.
    Int16,
    /// 8 bits, sign and magnitude or unsigned.
    Int8,
}

/// Sign of an FP32 pattern.
const SIGN32: u32 = 0x8000_0000;
/// Infinity as an FP32 pattern; greater magnitudes are NaN.
const INFINITY32: u32 = 0x7F80_0000;
/// Sign of an FP16 pattern.
const SIGN16: u32 = 0x8000;
/// The exponent field of an FP16 pattern.
const EXPONENT16: u32 = 0x7C00;

/// Returns whether an FP32 pattern is NaN.
pub fn is_nan(x: u32) -> bool {
    x & !SIGN32 > INFINITY32
}

/// Returns the exponent field of an FP32 pattern.
pub fn exponent8(x: u32) -> u32 {
    x >> 23 & 0xFF
}

/// Returns the exponent field of an FP16 pattern.
pub fn exponent5(x: u32) -> u32 {
    x >> 10 & 31
}

/// The difference of the exponent biases of FP32 and FP16.
const REBASE: u32 = 127 - 15;

/// Converts an FP32 pattern to an FP16 pattern.
fn rebase(x: u32) -> u32 {
    let sign = x >> 16 & SIGN16;
    match exponent8(x).checked_sub(REBASE) {
        None => sign,
        Some(exponent @ 0..=31) => sign | exponent << 10 | x >> 13 & 0x3FF,
        Some(_) => sign | 0x7FFF,
    }
}
