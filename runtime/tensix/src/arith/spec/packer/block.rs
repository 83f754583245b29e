//! Block floats: sixteen datums that share an exponent.
//!
//! The shared exponent is the largest one. Each mantissa, with its hidden one, is shifted to it,
//! rounded to seven bits with ties away from zero, and saturates. Formats of four and two bits are
//! truncated from these. A zero is always positive, because a negative zero represents −∞.
//!
//! `Packers/FormatConversion.md` specifies widths and rounding; the rest follows ttsim. Exponent
//! 255 (or 31) is an ordinary one.

/// Number of datums in a block.
pub const DATUMS: usize = 16;

/// A block: its exponent, and each datum as a sign above the magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The shared exponent.
    pub exponent: u8,
    /// Each datum, `bits` wide.
    pub datums: [u8; DATUMS],
}

impl Block {
    /// Makes a block of datums with the sign in bit 15, the exponent in bits 14 to 7 and the
    /// mantissa below. A datum with exponent 0 is zero. `bits` of each datum are kept: 8, 4 or 2.
    pub fn from_datums(datums: [u16; DATUMS], bits: u32) -> Block {
        let exponent = |x: u16| u32::from(x >> 7 & 0xFF);
        let shared = datums.iter().fold(0, |e, &x| e.max(exponent(x)));
        let datums = datums.map(|x| {
            let (e, shift) = (exponent(x), shared - exponent(x));
            if e == 0 || shift >= 8 {
                return 0;
            }
            let mantissa = u32::from(x & 0x7F | 0x80);
            let rounded = ((mantissa + (1 << shift)) >> (shift + 1)).min(0x7F);
            let magnitude = rounded >> (8 - bits);
            let sign = u32::from(x >> 15) << (bits - 1);
            if magnitude == 0 {
                0
            } else {
                (sign | magnitude) as u8
            }
        });
        Block {
            exponent: shared as u8,
            datums,
        }
    }

    /// Returns the datums as stored in memory, the first in the lowest bits; the first 2 · `bits`
    /// bytes are significant.
    pub fn bytes(&self, bits: u32) -> [u8; DATUMS] {
        let per_byte = 8 / bits as usize;
        let mut bytes = [0; DATUMS];
        for (k, datum) in self.datums.iter().enumerate() {
            bytes[k / per_byte] |= datum << (k % per_byte * bits as usize);
        }
        bytes
    }
}

#[cfg(test)]
mod tests;
