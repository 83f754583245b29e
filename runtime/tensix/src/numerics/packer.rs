//! The packer's early format conversion to BF16, and its ReLU.
//!
//! Source: ISA documentation `Packers/FormatConversion.md`, `Packers/ReLU.md`. The pages do not say whether a denormal
//! that rounds up to the smallest normal number is flushed; here, as in ttsim, it is rounded first and so survives.
//!
//! Not modelled: every intermediate format but BF16, stochastic rounding. The callers trap.

/// FP32 (of a 32-bit Dst) to BF16, nearest, ties away from zero; NaN becomes infinity, −0 and denormals become +0.
pub fn round_f32(x: u32) -> u16 {
    let x = if x & 0x7FFF_FFFF > 0x7F80_0000 {
        x & 0xFF80_0000
    } else {
        x
    };
    flush((x.wrapping_add(0x8000) >> 16) as u16)
}

/// FP32 (of a 32-bit Dst) to BF16 with `Read_raw`: truncation, nothing else.
pub fn truncate_f32(x: u32) -> u16 {
    (x >> 16) as u16
}

/// BF16 (of a 16-bit Dst) to BF16 without `Read_raw`: NaN becomes infinity, −0 and denormals become +0.
pub fn round_bf16(x: u16) -> u16 {
    flush(if x & 0x7FFF > 0x7F80 { x & 0xFF80 } else { x })
}

fn flush(x: u16) -> u16 {
    if x & 0x7F80 == 0 {
        0
    } else {
        x
    }
}

/// What `STACC_RELU_ApplyRelu` selects; a threshold is a BF16 number without sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relu {
    /// 0: the datum passes.
    Off,
    /// 1: negative becomes +0.
    Zero,
    /// 2: up to and including the threshold becomes +0.
    BelowThreshold(u16),
    /// 3: negative becomes +0, above the threshold becomes the threshold.
    Clamp(u16),
}

impl Relu {
    /// Applies it to a BF16 datum that has been rounded (is no NaN and not −0).
    pub fn apply(self, x: u16) -> u16 {
        let positive = if x & 0x8000 != 0 { 0 } else { x };
        match self {
            Relu::Off => x,
            Relu::Zero => positive,
            Relu::BelowThreshold(threshold) if positive <= threshold => 0,
            Relu::BelowThreshold(_) => positive,
            Relu::Clamp(threshold) => positive.min(threshold),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_conversion() {
        for (f32_bits, rounded, truncated) in [
            (0x3F80_0000, 0x3F80, 0x3F80),
            (0x3F80_7FFF, 0x3F80, 0x3F80),
            (0x3F80_8000, 0x3F81, 0x3F80), // tie, away from zero
            (0x3F81_8000, 0x3F82, 0x3F81),
            (0xBF80_8000, 0xBF81, 0xBF80),
            (0x8000_0000, 0x0000, 0x8000),
            (0x0040_0000, 0x0000, 0x0040), // denormal
            (0x007F_8000, 0x0080, 0x007F), // denormal that rounds to a normal number
            (0x7F7F_8000, 0x7F80, 0x7F7F), // rounds to infinity
            (0x7F80_0000, 0x7F80, 0x7F80),
            (0xFF80_0001, 0xFF80, 0xFF80), // NaN
            (0xFFFF_FFFF, 0xFF80, 0xFFFF),
        ] {
            assert_eq!(round_f32(f32_bits), rounded, "{f32_bits:#010x}");
            assert_eq!(truncate_f32(f32_bits), truncated, "{f32_bits:#010x}");
        }
        for (bf16, rounded) in [
            (0x3F81, 0x3F81),
            (0x8000, 0),
            (0x007F, 0),
            (0x0080, 0x0080),
            (0xFFC0, 0xFF80),
            (0x7F81, 0x7F80),
        ] {
            assert_eq!(round_bf16(bf16), rounded, "{bf16:#06x}");
        }
    }

    #[test]
    fn relu() {
        for (mode, x, expected) in [
            (Relu::Off, 0xBF80, 0xBF80),
            (Relu::Zero, 0xBF80, 0),
            (Relu::Zero, 0x3F80, 0x3F80),
            (Relu::Zero, 0xFF80, 0),
            (Relu::BelowThreshold(0x3F80), 0x3F80, 0),
            (Relu::BelowThreshold(0x3F80), 0x3F81, 0x3F81),
            (Relu::Clamp(0x3F80), 0x4000, 0x3F80),
            (Relu::Clamp(0x3F80), 0x3F00, 0x3F00),
            (Relu::Clamp(0x3F80), 0xC000, 0),
        ] {
            assert_eq!(mode.apply(x), expected, "{mode:?} {x:#06x}");
        }
    }
}
