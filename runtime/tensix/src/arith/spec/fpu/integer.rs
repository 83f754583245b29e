//! The Matrix Unit's integer path. Src datums have a sign and ten bits of magnitude, Dst datums a
//! sign and 31 bits.
//!
//! Sums and products are exact, results saturate at ±(2^31 − 1), and there is no −0. Products are
//! computed in fidelity phases, as for floats. Small integers need only the last phases, whereas
//! floats of low precision need only the first ones.
//!
//! Source: ISA documentation, `ELWMUL.md`, `SrcASrcB.md` ("Fidelity phases (integer)"). By these
//! pages the exponent field beside a magnitude does not matter. In ttsim 1.10.0 a datum whose
//! exponent field is zero is zero, as for floats; in SrcB only unless
//! ALU_ACC_CTRL_Zero_Flag_disabled_src is set. Unpackers write a zero exponent field for the
//! integer zero only. This module follows ttsim.

use super::{Operation, Phase};
use crate::arith::spec::bits::SRC_EXPONENT;
use crate::arith::{Row, COLUMNS};

/// The integer settings of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integers {
    /// Whether datums of SrcB with a zero exponent field keep their magnitude
    /// (ALU_ACC_CTRL_Zero_Flag_disabled_src).
    pub keep_b: bool,
}

/// Decodes the integer of a Src datum, restricted to the magnitude bits in `mask`.
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

/// The mask of all magnitude bits.
const ALL: u32 = 0x3FF;

impl Integers {
    /// Decodes SrcA's multiplier input: the lower five bits of magnitude, or the next three. The
    /// two highest bits are never used.
    fn decode_datum_a(self, datum: u32, phase: Phase) -> i32 {
        read(
            datum,
            false,
            if phase.low_bits_of_a() { 0x01F } else { 0x0E0 },
        )
    }

    /// Decodes SrcB's multiplier input: the lower four bits of magnitude, or the other six.
    fn decode_datum_b(self, datum: u32, phase: Phase) -> i32 {
        read(
            datum,
            self.keep_b,
            if phase.low_bits_of_b() { 0x00F } else { 0x3F0 },
        )
    }

    /// Computes one phase of a row of `dst + Σ b[k]·a[k]` over 16 products, where `a[k]` is a row
    /// of 16 lanes. `dst` and the result are in sign and magnitude.
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

    /// Returns `dst` plus the result of an operation on `a` and `b`; of a product, one phase.
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

/// Returns `value + dst`, saturated. `dst` and the result are in sign and magnitude.
fn accumulate(value: i32, dst: u32) -> u32 {
    let held = (dst & i32::MAX as u32) as i32;
    let held = if dst >> 31 == 0 { held } else { -held };
    let sum = value.saturating_add(held);
    let sign = u32::from(sum < 0) << 31;
    sign | sum.unsigned_abs().min(i32::MAX as u32)
}

#[cfg(test)]
mod tests;
