//! ReLU between the conversions.
//!
//! On floats with an 8-bit exponent the upper bound is compared in TF32: what exceeds it by less
//! passes, as in ttsim. The page compares exactly; the difference can only be seen in FP32, and
//! nobody would have written it into a simulator that had not met it in hardware. On what is not a
//! number the two disagree, too, and there nothing tells who is right: such a datum is
//! [refused](Relu::unknown).

use super::{is_nan, Kind, SIGN16, SIGN32};

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
    pub fn apply(self, kind: Kind, x: u32) -> u32 {
        let sign = match kind {
            Kind::Exponent8 | Kind::Int32 => SIGN32,
            Kind::Exponent5 | Kind::Int16 => SIGN16,
            Kind::Int8 => 0x80,
        };
        let positive = if x & sign != 0 { 0 } else { x };
        let compared = |x: u32| if kind == Kind::Exponent8 { x >> 13 } else { x };
        match self {
            Relu::Off => x,
            Relu::Zero => positive,
            Relu::BelowThreshold(threshold) if positive <= threshold => 0,
            Relu::BelowThreshold(_) => positive,
            Relu::Clamp(threshold) if compared(positive) > compared(threshold) => threshold,
            Relu::Clamp(_) => positive,
        }
    }

    /// Whether the sources disagree on a datum.
    pub fn unknown(self, kind: Kind, x: u32) -> bool {
        kind == Kind::Exponent8
            && is_nan(x)
            && match self {
                Relu::Off => false,
                Relu::Zero | Relu::BelowThreshold(_) => x & SIGN32 != 0,
                Relu::Clamp(_) => true,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes() {
        use Kind::*;
        for (kind, mode, x, expected) in [
            (Exponent8, Relu::Off, 0xBF80_0000, 0xBF80_0000),
            (Exponent8, Relu::Zero, 0xBF80_0000, 0),
            (Exponent8, Relu::Zero, 0x8000_0000, 0),
            (Exponent8, Relu::Zero, 0x0000_0001, 1),
            (Exponent8, Relu::Zero, 0xFF80_0000, 0),
            (Exponent8, Relu::BelowThreshold(0x3F80_0000), 0x3F80_0000, 0),
            (
                Exponent8,
                Relu::BelowThreshold(0x3F80_0000),
                0x3F80_0001,
                0x3F80_0001,
            ),
            (
                Exponent8,
                Relu::Clamp(0x3F80_0000),
                0x4000_0000,
                0x3F80_0000,
            ),
            (
                Exponent8,
                Relu::Clamp(0x3F80_0000),
                0x3F80_1FFF,
                0x3F80_1FFF,
            ),
            (
                Exponent8,
                Relu::Clamp(0x3F80_0000),
                0x3F80_2000,
                0x3F80_0000,
            ),
            (Exponent8, Relu::Clamp(0x3F80_0000), 0xC000_0000, 0),
            (Exponent5, Relu::Clamp(0x3C00), 0x3C01, 0x3C00),
            (Exponent5, Relu::Zero, 0xFFFF, 0),
            (Int32, Relu::Zero, 0x8000_0005, 0),
            (Int16, Relu::Zero, 0x8005, 0),
            (Int8, Relu::Zero, 0x85, 0),
            (Int8, Relu::Zero, 0x45, 0x45),
        ] {
            assert_eq!(mode.apply(kind, x), expected, "{kind:?} {mode:?} {x:#x}");
        }
    }

    #[test]
    fn what_sources_disagree_on() {
        for (mode, x, unknown) in [
            (Relu::Off, 0xFFC0_0000, false),
            (Relu::Zero, 0xFFC0_0000, true),
            (Relu::Zero, 0x7FC0_0000, false),
            (Relu::Zero, 0xFF80_0000, false),
            (Relu::BelowThreshold(1), 0xFF80_0001, true),
            (Relu::Clamp(1), 0x7FC0_0000, true),
        ] {
            assert_eq!(mode.unknown(Kind::Exponent8, x), unknown, "{mode:?} {x:#x}");
            assert!(!mode.unknown(Kind::Int32, x));
        }
    }
}
