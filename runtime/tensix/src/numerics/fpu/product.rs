//! Products: one phase of a 16-element dot product (MVMUL) or of a single product (ELWMUL), accumulated onto Dst.

use super::accumulate::{Term, TERM_FRACTION};
use super::{shift_round, Mode, Phase, SrcStyle};
use crate::numerics::bits;

/// One operand as a multiplier input sees it in a given phase: a few bits of the significand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Factor {
    /// The exponent field was zero: the product takes no part, whatever the other factor.
    zero: bool,
    negative: bool,
    exponent: i32,
    /// SrcA: 5 bits; SrcB: 7 bits.
    significand: u32,
}

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

    fn factor(self, significand: u32) -> Factor {
        Factor {
            zero: self.exponent == 0,
            negative: self.negative,
            exponent: self.exponent,
            significand,
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
        let (a, b) = (a.split_at(8), b.split_at(8));
        self.accumulate([group(bias, a.0, b.0), group(bias, a.1, b.1)], dst)
    }

    /// `dst + a·b`, one phase of it; `a` and `b` are Src datums. ELWMUL has no mode that does not accumulate.
    ///
    /// A product whose exponent is not positive is zero *before* the addition, unlike inside a group of [`Mode::dot`].
    pub fn multiply(self, phase: Phase, a: u32, b: u32, dst: u32) -> u32 {
        let bias = self.product_bias(phase);
        let product = Product::new(bias, self.factor_a(a, phase), self.factor_b(b, phase));
        let term = if product.exponent <= 0 {
            Term {
                exponent: bias.max(0),
                value: 0,
            }
        } else {
            Term {
                exponent: product.exponent,
                value: product.signed() << TERM_FRACTION,
            }
        };
        self.accumulate([term, Term::default()], dst)
    }
}

struct Product {
    negative: bool,
    exponent: i32,
    magnitude: i64,
}

impl Product {
    fn new(bias: i32, a: Factor, b: Factor) -> Product {
        if a.zero || b.zero {
            return Product {
                negative: false,
                exponent: bias.max(0),
                magnitude: 0,
            };
        }
        Product {
            negative: a.negative != b.negative,
            exponent: a.exponent + b.exponent + bias,
            magnitude: i64::from(a.significand * b.significand),
        }
    }

    fn signed(&self) -> i64 {
        if self.negative {
            -self.magnitude
        } else {
            self.magnitude
        }
    }
}

/// Sum of eight products.
fn group(bias: i32, a: &[Factor], b: &[Factor]) -> Term {
    let products: [Product; 8] = std::array::from_fn(|k| Product::new(bias, a[k], b[k]));
    let exponent = products.iter().map(|p| p.exponent).fold(i32::MIN, i32::max);
    if exponent <= 0 {
        return Term::default();
    }
    let sum: i64 = products
        .iter()
        .map(|p| {
            let aligned = shift_round(p.magnitude, exponent - p.exponent);
            if p.negative {
                -aligned
            } else {
                aligned
            }
        })
        .sum();
    Term {
        exponent,
        value: sum << TERM_FRACTION,
    }
}
