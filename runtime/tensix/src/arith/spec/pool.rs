//! GMPOOL: the maximum of the datums of a column.
//!
//! A float of SrcA is scaled by a power of two: the exponent of the SrcB datum of its row; 1.0
//! leaves it unchanged. Rows with a zero in SrcB are ignored; for integers, SrcB has no other
//! effect. The comparison is by sign and magnitude; of −0 and +0 the later one remains.
//!
//! Source: ISA documentation, `GMPOOL.md`.

use super::fpu::SrcStyle;
use crate::arith::COLUMNS;

/// The interpretation of a datum of SrcA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrcReading {
    /// Floats of a style.
    Floats(SrcStyle),
    /// Integers.
    Integers,
}

/// The form of a maximum in Dst; 16 bits are upper halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DstFormat {
    /// FP16.
    Fp16,
    /// BF16.
    Bf16,
    /// TF32.
    Tf32,
    /// A sign and 19 bits of magnitude, of which 13 are written.
    Integers,
}

/// A key for comparison: sign, sum of the exponents, ten bits of mantissa. The exponent of an
/// integer is the upper part of its magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datum {
    /// 1 if negative.
    pub sign: u32,
    /// The sum of the exponents, 9 bits.
    pub exponent: u32,
    /// 10 bits.
    pub mantissa: u32,
}

/// The key of an ignored row.
const MINIMUM: Datum = Datum {
    sign: 1,
    exponent: 0x1FF,
    mantissa: 0x3FF,
};

impl Datum {
    /// Returns a number for comparison.
    #[inline(always)]
    pub fn key(self) -> i32 {
        let magnitude = (self.exponent << 10 | self.mantissa) as i32;
        if self.sign == 0 {
            magnitude
        } else {
            -magnitude
        }
    }

    /// Converts a datum of Dst, as if it had been multiplied by one.
    #[inline(always)]
    pub fn from_dst(raw: u32, to: DstFormat) -> Datum {
        let sign = raw >> 31;
        match to {
            DstFormat::Fp16 => Datum {
                sign,
                exponent: (raw >> 16 & 0x1F) + 15,
                mantissa: raw >> 21 & 0x3FF,
            },
            DstFormat::Bf16 | DstFormat::Tf32 => Datum {
                sign,
                exponent: (raw >> 16 & 0xFF) + 127,
                mantissa: (raw >> 24 & 0x7F) << 3
                    | if to == DstFormat::Tf32 {
                        raw >> 13 & 7
                    } else {
                        0
                    },
            },
            DstFormat::Integers => Datum {
                sign,
                exponent: raw >> 10 & 0x3F | (raw >> 24 & 7) << 6,
                mantissa: raw & 0x3FF,
            },
        }
    }

    /// Converts a datum of SrcA with the scale of SrcB.
    #[inline(always)]
    pub fn from_src(a: u32, b: u32, from: SrcReading) -> Datum {
        let (a_exponent, b_exponent) = (a & 0xFF, b & 0xFF);
        if b_exponent == 0 {
            return MINIMUM;
        }
        if a_exponent == 0 {
            return Datum {
                sign: 0,
                exponent: 0,
                mantissa: 0,
            };
        }
        let mantissa = a >> 8 & 0x3FF;
        Datum {
            sign: a >> 18,
            exponent: match from {
                SrcReading::Integers => 0,
                SrcReading::Floats(SrcStyle::Fp16) => (a_exponent & 0x1F) + (b_exponent & 0x1F),
                SrcReading::Floats(_) => a_exponent + b_exponent,
            },
            mantissa: match from {
                SrcReading::Floats(SrcStyle::Bf16) => mantissa & 0x3F8,
                _ => mantissa,
            },
        }
    }

    /// Converts a key to a datum of Dst.
    #[inline(always)]
    pub fn to_dst(self, to: DstFormat) -> u32 {
        let sign = self.sign << 31;
        match to {
            DstFormat::Integers => sign | (self.exponent & 7) << 10 | self.mantissa,
            DstFormat::Fp16 => match self.exponent & 0x3F {
                0 => 0,
                exponent => sign | self.mantissa << 21 | (exponent.wrapping_sub(15) & 0x1F) << 16,
            },
            _ if self.exponent == 0 => 0,
            DstFormat::Bf16 | DstFormat::Tf32 => {
                let exponent = self.exponent.wrapping_sub(127) & 0xFF;
                let low = if to == DstFormat::Tf32 {
                    (self.mantissa & 7) << 13
                } else {
                    0
                };
                sign | (self.mantissa & 0x3F8) << 21 | exponent << 16 | low
            }
        }
    }
}

/// The formats of a pooling.
#[derive(Clone, Copy, Debug)]
pub struct Pooling {
    /// The interpretation of SrcA.
    pub from: SrcReading,
    /// The form of the result.
    pub to: DstFormat,
    /// Whether the result has the index of the maximum.
    pub indices: bool,
}

/// The hardware's permutation of the numbers of the first eight rows.
pub const SCRAMBLED: [u32; 8] = [0, 3, 6, 1, 4, 7, 2, 5];

/// Returns the row that is compared as number `visited`, which matters for equal datums.
#[inline(always)]
pub fn visited_row(visited: usize) -> usize {
    if visited < 8 {
        visited ^ 4
    } else {
        visited
    }
}

impl Pooling {
    /// Returns the new datum of the first row of Dst in a column, given the old one (`held`) and
    /// the datums of SrcA with their scales.
    pub fn column(self, held: u32, datum: impl Fn(usize) -> (u32, u32)) -> u32 {
        let mut greatest = Datum::from_dst(held, self.to);
        let eights = next_eight(held);
        let mut index = held & 0xFF;
        for visited in 0..COLUMNS {
            let row = visited_row(visited);
            let (a, b) = datum(row);
            let one = Datum::from_src(a, b, self.from);
            if one.key() >= greatest.key() {
                greatest = one;
                if let Some(scrambled) = SCRAMBLED.get(row) {
                    index = (eights >> 4) + scrambled;
                }
            }
        }
        self.result(greatest, eights | index)
    }

    /// Returns the datum of Dst for a maximum and the lower half that indices have.
    #[inline(always)]
    pub fn result(self, greatest: Datum, index: u32) -> u32 {
        match (self.indices, self.to) {
            (false, to) => greatest.to_dst(to),
            (true, DstFormat::Integers) => index,
            (true, to) => greatest.to_dst(to) | index,
        }
    }
}

/// Returns the incremented number of groups of eight pooled so far.
#[inline(always)]
pub fn next_eight(held: u32) -> u32 {
    held.wrapping_add(0x100) & 0xF00
}
