//! Block floats: sixteen datums that share an exponent.
//!
//! The shared exponent is the greatest. Each mantissa, with its implicit one, is shifted to it and
//! rounded to seven bits, ties away from zero, and saturates; four and two bits are cut off these.
//! A zero has no sign, since a negative zero stands for −∞. The page says how many bits and how
//! they are rounded; the rest is as in ttsim. Exponent 255 (31) is one like any other.

/// Datums of a block.
pub const DATUMS: usize = 16;

/// A block: its exponent, and of each datum the sign above its magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The shared exponent.
    pub exponent: u8,
    /// Each datum, `bits` wide.
    pub datums: [u8; DATUMS],
}

impl Block {
    /// Of datums with the sign in bit 15, the exponent in bits 14 to 7 and the mantissa below; one
    /// with exponent 0 is zero. `bits` of each are kept: 8, 4 or 2.
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

    /// Returns the datums as they lie in memory, the first in the lowest bits; the first 2 × `bits`
    /// bytes count.
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
