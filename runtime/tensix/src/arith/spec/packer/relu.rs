//! ReLU between the conversions.
//!
//! For floats with an 8-bit exponent, ttsim compares the upper bound in TF32: a value that exceeds
//! it by less than TF32 resolves passes. `Packers/ReLU.md` compares exactly. The difference is
//! visible in FP32 only. This module follows ttsim, whose deviation must come from observed
//! hardware. For NaN the two sources also disagree and neither is known to be right, so NaN is
//! [refused](Relu::is_undefined).

use super::{is_nan, DatumKind, SIGN16, SIGN32};

/// The modes of `STACC_RELU_ApplyRelu`. A threshold is a datum of the same kind without sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relu {
    /// Mode 0: all datums pass.
    Off,
    /// Mode 1: negative datums become +0.
    Zero,
    /// Mode 2: datums up to and including the threshold become +0.
    BelowThreshold(u32),
    /// Mode 3: negative datums become +0, datums above the threshold become the threshold.
    Clamp(u32),
}

impl Relu {
    /// Applies the mode to a datum.
    pub fn apply(self, kind: DatumKind, x: u32) -> u32 {
        let sign = match kind {
            DatumKind::Exponent8 | DatumKind::Int32 => SIGN32,
            DatumKind::Exponent5 | DatumKind::Int16 => SIGN16,
            DatumKind::Int8 => 0x80,
        };
        let positive = if x & sign != 0 { 0 } else { x };
        let compared = |x: u32| {
            if kind == DatumKind::Exponent8 {
                x >> 13
            } else {
                x
            }
        };
        match self {
            Relu::Off => x,
            Relu::Zero => positive,
            Relu::BelowThreshold(threshold) if positive <= threshold => 0,
            Relu::BelowThreshold(_) => positive,
            Relu::Clamp(threshold) if compared(positive) > compared(threshold) => threshold,
            Relu::Clamp(_) => positive,
        }
    }

    /// Returns whether the sources disagree on a datum.
    pub fn is_undefined(self, kind: DatumKind, x: u32) -> bool {
        kind == DatumKind::Exponent8
            && is_nan(x)
            && match self {
                Relu::Off => false,
                Relu::Zero | Relu::BelowThreshold(_) => x & SIGN32 != 0,
                Relu::Clamp(_) => true,
            }
    }
}

#[cfg(test)]
mod tests;
