//! The Matrix Unit's integer path: Src datums of a sign and ten bits of magnitude, Dst datums of a
//! sign and 31.
//!
//! Sums and products are exact, what is added to Dst saturates at ±(2^31 − 1), and there is no −0.
//! A product takes a phase, as one of floats does. Of small numbers the last phases are enough,
//! where of floats the first are.
//!
//! Source: ISA documentation, `ELWMUL.md`, `SrcASrcB.md` ("Fidelity phases (integer)"). They read a
//! magnitude whatever the exponent field beside it holds. In ttsim 1.10.0 a datum whose exponent
//! field is zero is zero, as floats are, in SrcB unless ALU_ACC_CTRL_Zero_Flag_disabled_src is set;
//! unpackers give that field to no other integer but zero. This follows ttsim.

use super::{Operation, Phase};
use crate::numerics::bits::SRC_EXPONENT;
use crate::regs::{Row, COLUMNS};

/// What the configuration says about integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integers {
    /// Datums of SrcB without exponent keep their magnitude: ALU_ACC_CTRL_Zero_Flag_disabled_src.
    pub keep_b: bool,
}

/// Returns the Src datum's integer, of the bits of magnitude in `mask`.
fn read(datum: u32, keep: bool, mask: u32) -> i32 {
    if datum & SRC_EXPONENT == 0 && !keep {
        return 0;
    }
    let magnitude = (datum >> 8 & mask) as i32;
    if datum >> 18 & 1 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// All bits of a magnitude.
const ALL: u32 = 0x3FF;

impl Integers {
    /// SrcA's multiplier input: the lower five bits of magnitude, or the next three; the two
    /// highest are never used.
    fn decode_datum_a(self, datum: u32, phase: Phase) -> i32 {
        read(
            datum,
            false,
            if phase.low_bits_of_a() { 0x01F } else { 0x0E0 },
        )
    }

    /// SrcB's multiplier input: the lower four bits of magnitude, or the other six.
    fn decode_datum_b(self, datum: u32, phase: Phase) -> i32 {
        read(
            datum,
            self.keep_b,
            if phase.low_bits_of_b() { 0x00F } else { 0x3F0 },
        )
    }

    /// Computes a row of `dst + Σ b[k]·a[k]` over 16 products, one phase of it, where `a[k]` is a
    /// row of 16 lanes; `dst` and the result with sign and magnitude.
    pub fn dot(self, phase: Phase, a: &[Row; COLUMNS], b: &Row, dst: &Row) -> Row {
        let mut sums = [0; COLUMNS];
        for (row, &datum) in a.iter().zip(b) {
            let b = self.decode_datum_b(datum, phase);
            for (sum, &datum) in sums.iter_mut().zip(row) {
                *sum += b * self.decode_datum_a(datum, phase);
            }
        }
        std::array::from_fn(|lane| accumulate(sums[lane], dst[lane]))
    }

    /// `dst` and what an operation makes of `a` and `b`, a product one phase of it.
    pub fn elementwise(self, operation: Operation, phase: Phase, a: u32, b: u32, dst: u32) -> u32 {
        let whole = || (read(a, false, ALL), read(b, self.keep_b, ALL));
        let value = match operation {
            Operation::Add => whole().0 + whole().1,
            Operation::Subtract => whole().0 - whole().1,
            Operation::Multiply => self.decode_datum_a(a, phase) * self.decode_datum_b(b, phase),
        };
        accumulate(value, dst)
    }
}

/// `value + dst`, saturated; `dst` and the result with sign and magnitude.
fn accumulate(value: i32, dst: u32) -> u32 {
    let held = (dst & i32::MAX as u32) as i32;
    let held = if dst >> 31 == 0 { held } else { -held };
    let sum = value.saturating_add(held);
    let sign = u32::from(sum < 0) << 31;
    sign | sum.unsigned_abs().min(i32::MAX as u32)
}

#[cfg(test)]
mod tests;
