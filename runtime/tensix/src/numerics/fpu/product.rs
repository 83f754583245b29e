//! Products: one phase of a 16-element dot product (MVMUL) or of a single product (ELWMUL), accumulated onto Dst.

use super::accumulate::{Term, TERM_FRACTION};
use super::{Mode, Phase, SrcStyle};
use crate::numerics::bits;

/// One operand as a multiplier input sees it in a given phase: a few bits of the significand, signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Factor {
    /// [`ABSENT`] if the operand is zero: then the product takes no part, whatever the other factor.
    exponent: i32,
    /// SrcA: 5 bits; SrcB: 7 bits; and the sign.
    significand: i32,
}

/// Exponent of a zero factor, below every sum of two exponent fields even if the other factor's is added.
const ABSENT: i32 = -4096;

/// An operand in full: sign, biased exponent, significand with the hidden one (11 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub negative: bool,
    /// Zero means that the operand is zero.
    pub exponent: i32,
    pub significand: u32,
}

impl Operand {
    /// Reads a Src datum, ignoring the bits that `style` ignores.
    pub fn read(style: SrcStyle, datum: u32) -> Operand {
        let tf32 = bits::tf32_from_src(datum);
        let (exponent, mantissa) = ((tf32 >> 10) & 0xFF, tf32 & 0x3FF);
        let (exponent, mantissa) = match style {
            SrcStyle::Bf16 => (exponent, mantissa & !7),
            SrcStyle::Tf32 => (exponent, mantissa),
            SrcStyle::Fp16 => (exponent & 0x1F, mantissa),
        };
        Operand {
            negative: tf32 >> 18 != 0,
            exponent: exponent as i32,
            significand: mantissa | 0x400,
        }
    }

    fn factor(self, bits: u32) -> Factor {
        let significand = if self.negative {
            -(bits as i32)
        } else {
            bits as i32
        };
        match self.exponent {
            0 => Factor {
                exponent: ABSENT,
                significand: 0,
            },
            exponent => Factor {
                exponent,
                significand,
            },
        }
    }
}

impl Mode {
    /// SrcA's multiplier input: the hidden one and 4 mantissa bits, or the next 5; the last mantissa bit is never used.
    pub fn factor_a(self, datum: u32, phase: Phase) -> Factor {
        let x = Operand::read(self.style, datum);
        x.factor(if phase.low_bits_of_a() {
            (x.significand >> 1) & 0x1F
        } else {
            x.significand >> 6
        })
    }

    /// SrcB's multiplier input: the hidden one and 6 mantissa bits, or the remaining 4 (scaled to 7 bits).
    pub fn factor_b(self, datum: u32, phase: Phase) -> Factor {
        let x = Operand::read(self.style, datum);
        x.factor(if phase.low_bits_of_b() {
            (x.significand & 0xF) << 3
        } else {
            x.significand >> 4
        })
    }

    /// What is added to the sum of two exponent fields to get the product's biased exponent in the accumulator.
    fn product_bias(self, phase: Phase) -> i32 {
        let rebias = match (self.style, self.dst32) {
            (SrcStyle::Bf16 | SrcStyle::Tf32, _) => -127,
            (SrcStyle::Fp16, false) => -15,
            (SrcStyle::Fp16, true) => 127 - 2 * 15,
        };
        rebias
            - if phase.low_bits_of_a() { 5 } else { 0 }
            - if phase.low_bits_of_b() { 7 } else { 0 }
    }

    /// `dst + Σ a·b` over 16 products, one phase of it; `dst` and the result in IEEE order of [`Mode::accumulator`].
    ///
    /// The products are summed in two groups of eight. Inside a group each product is aligned to the group's largest
    /// exponent, rounded half away from zero; a zero product counts with the smallest exponent the phase can produce.
    /// A group whose largest exponent is not positive vanishes. Both groups and Dst then meet in one addition.
    pub fn dot(self, phase: Phase, a: &[Factor; 16], b: &[Factor; 16], dst: u32) -> u32 {
        let bias = self.product_bias(phase);
        let half = |from: usize| -> [Factor; 8] {
            std::array::from_fn(|k| product(&a[from + k], &b[from + k]))
        };
        self.accumulate([group(bias, &half(0)), group(bias, &half(8))], dst)
    }

    /// `dst + a·b`, one phase of it; `a` and `b` are Src datums. ELWMUL has no mode that does not accumulate.
    ///
    /// A product whose exponent is not positive is zero *before* the addition, unlike inside a group of [`Mode::dot`].
    pub fn multiply(self, phase: Phase, a: u32, b: u32, dst: u32) -> u32 {
        let bias = self.product_bias(phase);
        let product = product(&self.factor_a(a, phase), &self.factor_b(b, phase));
        let term = match product.exponent + bias {
            ..=0 => Term {
                exponent: bias.max(0),
                value: 0,
            },
            exponent => Term {
                exponent,
                value: product.significand << TERM_FRACTION,
            },
        };
        self.accumulate([term, Term::default()], dst)
    }
}

/// Exponents added, significands multiplied; the exponent still without bias.
fn product(a: &Factor, b: &Factor) -> Factor {
    Factor {
        exponent: a.exponent + b.exponent,
        significand: a.significand * b.significand,
    }
}

/// Sum of eight products.
fn group(bias: i32, products: &[Factor; 8]) -> Term {
    let largest = products
        .iter()
        .fold(i32::MIN, |largest, p| largest.max(p.exponent));
    let any_absent = products.iter().any(|p| p.exponent < 0);
    // With bias, an absent product counts with the exponent max(bias, 0).
    let common = if any_absent {
        largest.max((-bias).max(0))
    } else {
        largest
    };
    if common + bias <= 0 {
        return Term::default();
    }
    let sum: i32 = products
        .iter()
        .map(|p| align(p.significand, common - p.exponent))
        .sum();
    Term {
        exponent: common + bias,
        value: sum << TERM_FRACTION,
    }
}

/// `product / 2^by`, ties away from zero. A product has 12 bits.
fn align(product: i32, by: i32) -> i32 {
    let by = by.min(30);
    let magnitude = (2 * product.abs() + (1 << by)) >> (by + 1);
    if product < 0 {
        -magnitude
    } else {
        magnitude
    }
}
