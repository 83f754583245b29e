//! Data formats as encoded in the configuration.
//!
//! Source: ISA documentation, `Packers/FormatConversion.md` (encoding), `MVMUL.md` (styles).

use std::fmt;

use super::fpu::SrcStyle;
use crate::trap::Fault;

/// A 4-bit data format code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Format(u32);

impl Format {
    /// FP32.
    pub const FP32: Format = Format(0);
    /// 16-bit float with 5-bit exponent.
    pub const FP16: Format = Format(1);
    /// Sign and 7 bits of magnitude; 16 datums share a 5-bit exponent.
    pub const BFP8A: Format = Format(2);
    /// Sign and 3 bits of magnitude; 16 datums share a 5-bit exponent.
    pub const BFP4A: Format = Format(3);
    /// The 19 bits that Src holds of an FP32.
    pub const TF32: Format = Format(4);
    /// 16-bit float with 8-bit exponent.
    pub const BF16: Format = Format(5);
    /// Sign and 7 bits of magnitude; 16 datums share an 8-bit exponent.
    pub const BFP8: Format = Format(6);
    /// Sign and 3 bits of magnitude; 16 datums share an 8-bit exponent.
    pub const BFP4: Format = Format(7);
    /// 32 bits of sign and magnitude.
    pub const INT32: Format = Format(8);
    /// 16 bits without arithmetic.
    pub const INT16: Format = Format(9);
    /// 8-bit float with 5-bit exponent.
    pub const FP8: Format = Format(10);
    /// Sign and 1 bit of magnitude; 16 datums share a 5-bit exponent.
    pub const BFP2A: Format = Format(11);
    /// 8 bits of sign and magnitude, or 8 bits unsigned.
    pub const INT8: Format = Format(14);
    /// Sign and 1 bit of magnitude; 16 datums share an 8-bit exponent.
    pub const BFP2: Format = Format(15);

    const NAMES: [&'static str; 16] = [
        "FP32", "FP16", "BFP8a", "BFP4a", "TF32", "BF16", "BFP8", "BFP4", "INT32", "INT16", "FP8",
        "BFP2a", "12", "13", "INT8", "BFP2",
    ];

    /// Returns the format of a code; only its low four bits count.
    pub fn from_code(code: u32) -> Format {
        Format(code & 0xF)
    }

    /// Returns the bits of a datum in L1, without its share of an exponent; `None` for the two
    /// unused codes.
    pub fn bits(self) -> Option<u32> {
        Some(match self {
            Format::FP32 | Format::TF32 | Format::INT32 => 32,
            Format::FP16 | Format::BF16 | Format::INT16 => 16,
            Format::FP8 | Format::INT8 | Format::BFP8 | Format::BFP8A => 8,
            Format::BFP4 | Format::BFP4A => 4,
            Format::BFP2 | Format::BFP2A => 2,
            _ => return None,
        })
    }

    /// Returns whether 16 datums share an exponent.
    pub fn is_block(self) -> bool {
        matches!(
            self,
            Format::BFP8
                | Format::BFP8A
                | Format::BFP4
                | Format::BFP4A
                | Format::BFP2
                | Format::BFP2A
        )
    }

    /// Returns how the Matrix Unit reads Src datums of this format; integers are read as the floats
    /// whose layout they share. Integer arithmetic is selected by ALU_ACC_CTRL_INT8_math_enabled,
    /// not by the format.
    ///
    /// # Errors
    /// Undefined for the two unused codes.
    pub fn style(self) -> Result<SrcStyle, Fault> {
        match self {
            Format::FP32
            | Format::BF16
            | Format::BFP8
            | Format::BFP4
            | Format::BFP2
            | Format::INT32
            | Format::INT16 => Ok(SrcStyle::Bf16),
            Format::TF32 => Ok(SrcStyle::Tf32),
            Format::FP16
            | Format::FP8
            | Format::BFP8A
            | Format::BFP4A
            | Format::BFP2A
            | Format::INT8 => Ok(SrcStyle::Fp16),
            other => Err(Fault::undefined(format!(
                "source format {other} in the matrix unit, which is none; set the format of what \
                 was unpacked"
            ))),
        }
    }

    /// Returns whether its datums are integers.
    pub fn is_integer(self) -> bool {
        matches!(self, Format::INT32 | Format::INT16 | Format::INT8)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Format::NAMES[self.0 as usize])
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
