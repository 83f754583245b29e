//! The tables of SFPLUT and SFPLUTFP32: the coefficients of `a·|x| + c` in three or six pieces.
//!
//! Coefficients have 8, 16 or 32 bits. The narrow formats are special. An 8-bit coefficient has an
//! exponent of at most 2^0, and a single pattern means zero. A 16-bit coefficient is an FP16
//! without denormals and with zero in place of infinity.
//!
//! Source: ISA documentation, `SFPLUT.md`, `SFPLUTFP32.md`.

pub(in crate::arith) const HALF: u32 = 0x3F00_0000;
pub(in crate::arith) const ONE: u32 = 0x3F80_0000;
pub(in crate::arith) const ONE_AND_A_HALF: u32 = 0x3FC0_0000;
pub(in crate::arith) const TWO: u32 = 0x4000_0000;
/// Where the last of six pieces begins, in two modes.
pub const THREE: u32 = 0x4040_0000;
/// The other one.
pub const FOUR: u32 = 0x4080_0000;

/// The layout of a table in registers. A piece has one or two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Two coefficients of 8 bits in the first register.
    Bytes,
    /// Two coefficients of 16 bits in the first register.
    Halves,
    /// A coefficient of 32 bits in each register.
    Words,
    /// Six pieces: a coefficient of 16 bits in each half of each register.
    SixPieces {
        /// The magnitude from which on the last half applies.
        last: u32,
    },
}

impl Table {
    /// Returns whether a piece has a second register.
    pub fn has_second(self) -> bool {
        matches!(self, Table::Words | Table::SixPieces { .. })
    }

    /// Returns the factor and the addend for a magnitude, from the registers of its piece.
    #[inline(always)]
    pub fn coefficients(self, magnitude: u32, first: u32, second: u32) -> (u32, u32) {
        match self {
            Table::Bytes => (of_eight(first >> 8), of_eight(first)),
            Table::Halves => (of_sixteen(first >> 16), of_sixteen(first)),
            Table::Words => (first, second),
            Table::SixPieces { last } => {
                let half = half(magnitude, last);
                (of_sixteen(first >> half), of_sixteen(second >> half))
            }
        }
    }
}

/// Decodes an 8-bit coefficient.
#[inline(always)]
fn of_eight(x: u32) -> u32 {
    let (sign, exponent, mantissa) = (x >> 7 & 1, x >> 4 & 7, x & 0xF);
    match x & 0xFF {
        0xFF => 0,
        _ => sign << 31 | (127 - exponent) << 23 | mantissa << 19,
    }
}

/// Decodes a 16-bit coefficient.
#[inline(always)]
fn of_sixteen(x: u32) -> u32 {
    let (sign, exponent, mantissa) = (x >> 15 & 1, x >> 10 & 0x1F, x & 0x3FF);
    let exponent = if exponent == 0x1F { 0 } else { exponent + 112 };
    sign << 31 | exponent << 23 | mantissa << 13
}

/// Returns the piece of a magnitude: below 1, below 2, or beyond, including NaN.
#[inline(always)]
pub fn piece(magnitude: u32) -> usize {
    usize::from(magnitude >= ONE) + usize::from(magnitude >= TWO)
}

/// Returns the shift to the half of a register of [`piece`] that applies, for six pieces.
#[inline(always)]
fn half(magnitude: u32, last: u32) -> u32 {
    let is_upper = (HALF..ONE).contains(&magnitude)
        | (ONE_AND_A_HALF..TWO).contains(&magnitude)
        | (magnitude >= last);
    16 * u32::from(is_upper)
}
