//! The Matrix Unit's floating-point path: what MVMUL, ELWMUL, ELWADD and ELWSUB do to one output
//! element.
//!
//! All four end in the same adder: up to two *terms* (sums of products, or one product, or one sum)
//! and the old Dst value are aligned to their largest exponent, added as integers, and the sum is
//! rounded once.
//!
//! The ISA documentation calls its float loops "a rough guide" and is silent on alignment, widths,
//! rounding, NaN and denormals. The facts here are those of the vendor's simulator ttsim 1.10.0
//! (which its maintainers call the golden reference), restated as two's-complement arithmetic;
//! `tests/vectors` holds what it answers. In particular:
//!
//! * An operand whose exponent field is zero is zero, whatever its mantissa: denormals do not
//!   exist.
//! * NaN and infinity do not exist either: exponent field 255 is one more binade of finite numbers.
//!   Only the result saturates, to the infinity of the accumulator's format (FP16: 0x7FFF, which is
//!   not IEEE's infinity).
//! * A zero result is +0.
//!
//! Integers are in [`Integers`]. Not modelled: stochastic rounding, ELWADD/ELWSUB of floats in a
//! fidelity phase other than 0. The callers trap.

mod accumulate;
mod integer;
mod product;
mod sum;
#[cfg(test)]
mod tests;

pub use integer::Integers;
pub use product::OperandRow;

/// How the Matrix Unit reads the 19-bit datums of SrcA and SrcB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrcStyle {
    /// 8-bit exponent, the upper 7 mantissa bits; the lower 3 are ignored.
    Bf16,
    /// 8-bit exponent, 10 mantissa bits.
    Tf32,
    /// The lower 5 exponent bits, 10 mantissa bits.
    Fp16,
}

/// Format of the accumulator, that is of the Dst element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulator {
    /// IEEE order, 32 bits.
    F32,
    /// IEEE order, 16 bits.
    Bf16,
    /// IEEE order, 16 bits; exponent 31 is one more binade, 0x7FFF the largest value.
    Fp16,
}

/// One of the four passes over a product: the multiplier takes 5 bits of SrcA's and 7 bits of
/// SrcB's significand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase(u8);

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; 4] = [Phase(0), Phase(1), Phase(2), Phase(3)];

    /// Returns the phase with this index; only the low two bits count, as in hardware.
    pub fn new(index: u32) -> Phase {
        Phase((index & 3) as u8)
    }

    /// Index 0..=3.
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

/// What is done element by element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// ELWADD.
    Add,
    /// ELWSUB: SrcB is subtracted.
    Subtract,
    /// ELWMUL.
    Multiply,
}

/// Configuration of the path: operand style and accumulator width, and which silicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Style of both sources.
    pub style: SrcStyle,
    /// Dst is FP32; otherwise it has the 16-bit format that goes with `style`.
    pub dst32: bool,
    /// Wormhole's renormaliser miscounts the leading sign bits of a sum of exactly −1: see
    /// [`Mode::dot`].
    pub minus_one_bug: bool,
}

impl Mode {
    /// Format of the Dst element.
    pub fn accumulator(self) -> Accumulator {
        match (self.dst32, self.style) {
            (true, _) => Accumulator::F32,
            (false, SrcStyle::Fp16) => Accumulator::Fp16,
            (false, _) => Accumulator::Bf16,
        }
    }

    /// `dst` and what an operation makes of `a` and `b`, a product one phase of it. Without
    /// accumulation, `dst` is 0.
    pub fn elementwise(self, operation: Operation, phase: Phase, a: u32, b: u32, dst: u32) -> u32 {
        match operation {
            Operation::Add => self.add(a, b, dst),
            Operation::Subtract => self.subtract(a, b, dst),
            Operation::Multiply => self.multiply(phase, a, b, dst),
        }
    }
}

/// `value / 2^by`, ties towards +∞; from 31 places on the shifter delivers 0. Values have at most
/// 29 bits and a sign.
#[inline(always)]
fn shift_round(value: i32, by: i32) -> i32 {
    match by {
        0 => value,
        1..=30 => (value + (1 << (by - 1))) >> by,
        _ => 0,
    }
}
