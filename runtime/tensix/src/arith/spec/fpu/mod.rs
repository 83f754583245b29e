//! The Matrix Unit's floating-point path: MVMUL, ELWMUL, ELWADD and ELWSUB for one output element.
//!
//! All four end in the same adder. It aligns up to two *terms* (sums of products, one product, or
//! one sum) and the old Dst value to their largest exponent, adds them as integers, and rounds
//! once.
//!
//! The ISA documentation calls its float loops "a rough guide". It does not specify alignment,
//! widths, rounding, NaN and denormals. This module restates the behaviour of the vendor's
//! simulator ttsim 1.10.0, which its maintainers call the golden reference, as two's-complement
//! arithmetic; `tests/vectors` holds results of ttsim. In particular:
//!
//! * An operand whose exponent field is zero is zero, whatever its mantissa: there are no
//!   denormals.
//! * NaN and infinity do not exist either: exponent field 255 is one more binade of finite numbers.
//!   Only the result saturates, to the infinity of the accumulator's format (FP16: 0x7FFF, which is
//!   not IEEE's infinity).
//! * A zero result is +0.
//!
//! [`Integers`] is the integer path. Stochastic rounding and ELWADD/ELWSUB of floats in a fidelity
//! phase other than 0 are not modelled; the callers trap.

mod accumulate;
mod integer;
mod product;
mod sum;
#[cfg(test)]
mod tests;

pub use integer::Integers;
pub use product::OperandRow;

/// The interpretation of the 19-bit datums of SrcA and SrcB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrcStyle {
    /// 8-bit exponent, the upper 7 mantissa bits; the lower 3 are ignored.
    Bf16,
    /// 8-bit exponent, 10 mantissa bits.
    Tf32,
    /// The lower 5 exponent bits, 10 mantissa bits.
    Fp16,
}

/// The format of the accumulator, that is, of a Dst element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulator {
    /// IEEE order, 32 bits.
    F32,
    /// IEEE order, 16 bits.
    Bf16,
    /// IEEE order, 16 bits; exponent 31 is one more binade, 0x7FFF the largest value.
    Fp16,
}

/// One of the four fidelity phases of a product. In each, the multiplier uses 5 bits of SrcA's and
/// 7 bits of SrcB's significand (`SrcASrcB.md`, "Fidelity phases").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase(u8);

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; 4] = [Phase(0), Phase(1), Phase(2), Phase(3)];

    /// Returns the phase with this index; only the low two bits count, as in hardware.
    pub fn new(index: u32) -> Phase {
        Phase((index & 3) as u8)
    }

    /// Returns the index, 0 to 3.
    pub fn index(self) -> u32 {
        u32::from(self.0)
    }

    fn low_bits_of_a(self) -> bool {
        self.0 & 1 != 0
    }

    fn low_bits_of_b(self) -> bool {
        self.0 & 2 != 0
    }
}

/// An element-wise operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// ELWADD.
    Add,
    /// ELWSUB: SrcB is subtracted.
    Subtract,
    /// ELWMUL.
    Multiply,
}

/// The configuration of the path: operand style, accumulator width, and the chip's erratum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Style of both sources.
    pub style: SrcStyle,
    /// Whether Dst is FP32; otherwise it has the 16-bit format that corresponds to `style`.
    pub dst32: bool,
    /// Whether the renormaliser miscounts the leading sign bits of a sum of exactly −1 (Wormhole):
    /// see [`Mode::dot`].
    pub minus_one_bug: bool,
}

impl Mode {
    /// Returns the format of a Dst element.
    pub fn accumulator(self) -> Accumulator {
        match (self.dst32, self.style) {
            (true, _) => Accumulator::F32,
            (false, SrcStyle::Fp16) => Accumulator::Fp16,
            (false, _) => Accumulator::Bf16,
        }
    }

    /// Returns `dst` plus the result of an operation on `a` and `b`; of a product, one phase.
    /// Without accumulation, `dst` is 0.
    pub fn elementwise(self, operation: Operation, phase: Phase, a: u32, b: u32, dst: u32) -> u32 {
        match operation {
            Operation::Add => self.add(a, b, dst),
            Operation::Subtract => self.subtract(a, b, dst),
            Operation::Multiply => self.multiply(phase, a, b, dst),
        }
    }
}

/// Returns `value / 2^by`, ties towards +∞; the shifter delivers 0 from 31 places on. Values have
/// at most 29 bits and a sign.
#[inline(always)]
fn shift_round(value: i32, by: i32) -> i32 {
    match by {
        0 => value,
        1..=30 => (value + (1 << (by - 1))) >> by,
        _ => 0,
    }
}
