//! Sums of two sources (ELWADD, ELWSUB), optionally accumulated onto Dst.

use super::accumulate::{Term, TERM_FRACTION};
use super::product::Operand;
use super::{shift_round, Mode, SrcStyle};

/// ELWADD or ELWSUB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

impl Mode {
    /// Returns `dst + a + b`, where `dst` is 0 without accumulation. Operands are Src datums; the
    /// result is in IEEE order of [`Mode::accumulator`].
    ///
    /// The operand of smaller magnitude is aligned to the larger one's exponent in *11 bits*,
    /// rounded half away from zero. The sum of two BF16 numbers is therefore exact only if their
    /// exponents differ by at most 3.
    pub fn add(self, a: u32, b: u32, dst: u32) -> u32 {
        self.add_signed(a, b, Sign::Plus, dst)
    }

    /// Returns `dst + a − b`: [`Mode::add`] with the sign of `b` flipped first.
    pub fn subtract(self, a: u32, b: u32, dst: u32) -> u32 {
        self.add_signed(a, b, Sign::Minus, dst)
    }

    fn add_signed(self, a: u32, b: u32, sign: Sign, dst: u32) -> u32 {
        let a = nonzero(Operand::read(self.style, a));
        let mut b = nonzero(Operand::read(self.style, b));
        b.negative ^= sign == Sign::Minus;
        let (large, small) = if (a.exponent, a.significand) >= (b.exponent, b.significand) {
            (a, b)
        } else {
            (b, a)
        };
        let aligned = shift_round(small.significand as i32, large.exponent - small.exponent);
        let magnitude = if large.negative == small.negative {
            large.significand as i32 + aligned
        } else {
            large.significand as i32 - aligned
        };
        let value = if large.negative {
            -magnitude
        } else {
            magnitude
        };
        let exponent = match (self.style, self.dst32, large.exponent) {
            (SrcStyle::Fp16, true, 0) => 127 - 2 * 15, // as a zero product of two FP16 operands
            (SrcStyle::Fp16, true, e) => e + 127 - 15,
            (_, _, e) => e,
        };
        self.accumulate(
            [
                Term {
                    exponent,
                    value: value << TERM_FRACTION,
                },
                Term::default(),
            ],
            dst,
        )
    }
}

/// Clears significand and sign of an operand whose exponent field is zero.
fn nonzero(x: Operand) -> Operand {
    if x.exponent == 0 {
        Operand {
            negative: false,
            exponent: 0,
            significand: 0,
        }
    } else {
        x
    }
}
