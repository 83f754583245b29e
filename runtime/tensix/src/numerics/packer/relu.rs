//! ReLU between the conversions.
//!
//! On floats with an 8-bit exponent the upper bound is compared in TF32: what exceeds it by less
//! passes, as in ttsim. The page compares exactly; the difference can only be seen in FP32, and
//! nobody would have written it into a simulator that had not met it in hardware. On what is not a
//! number the two disagree, too, and there nothing tells who is right: such a datum is
//! [refused](Relu::is_undefined).

use super::{is_nan, DatumKind, SIGN16, SIGN32};

/// What `STACC_RELU_ApplyRelu` selects; a threshold is a datum of the same kind without sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relu {
    /// 0: the datum passes.
    Off,
    /// 1: negative becomes +0.
    Zero,
    /// 2: up to and including the threshold becomes +0.
    BelowThreshold(u32),
    /// 3: negative becomes +0, above the threshold becomes the threshold.
    Clamp(u32),
}

impl Relu {
    /// Applies it to a datum.
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
