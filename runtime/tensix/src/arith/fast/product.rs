//! Products: `dot` and `multiply` of [`crate::arith::spec::fpu`] for all lanes of a row.

use super::adder::{accumulate, mask, Format, Lanes, ROWS};
use super::fused::{self, DecodedRowsA, DecodedRowsB, Sums};
use super::group::{self, GROUP};
use super::vectors::{Plain, Vector};
use super::Halves;
use crate::arith::spec::fpu::{Mode, Phase, SrcStyle};
use crate::arith::{Row, COLUMNS};

/// Exponent of a zero operand: below every sum of two exponent fields, even with the other
/// operand's exponent added.
pub(super) const ABSENT: i32 = -4096;

/// A row of operands as the multipliers see them in a phase.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OperandRow {
    pub exponents: Lanes<i16>,
    pub significands: Lanes<i16>,
}

/// Returns the masks of the exponent field and of the ten mantissa bits that a style uses.
pub(super) fn bits_of(style: SrcStyle) -> [u32; 2] {
    match style {
        SrcStyle::Bf16 => [0xFF, 0x3F8],
        SrcStyle::Tf32 => [0xFF, 0x3FF],
        SrcStyle::Fp16 => [0x1F, 0x3FF],
    }
}

/// Extracts the significand bits that a multiplier uses in a phase.
#[derive(Clone, Copy)]
pub(super) struct OperandDecoder {
    pub exponent: i32,
    pub mantissa: i32,
    pub right: u32,
    pub mask: i32,
    pub left: u32,
}

impl OperandDecoder {
    fn new(style: SrcStyle, right: u32, mask: i32, left: u32) -> OperandDecoder {
        let [exponent, mantissa] = bits_of(style).map(|bits| bits as i32);
        OperandDecoder {
            exponent,
            mantissa,
            right,
            mask,
            left,
        }
    }

    /// Decodes SrcA: the hidden one and 4 mantissa bits, or the next 5. The value is doubled, so
    /// that a product can be rounded when it is halved.
    pub fn of_a(mode: Mode, phase: Phase) -> OperandDecoder {
        let right = if phase.index() & 1 != 0 { 1 } else { 6 };
        OperandDecoder::new(mode.style, right, 0x1F, 1)
    }

    /// Decodes SrcB: the hidden one and 6 mantissa bits, or the remaining 4, scaled to 7 bits.
    pub fn of_b(mode: Mode, phase: Phase) -> OperandDecoder {
        match phase.index() & 2 {
            0 => OperandDecoder::new(mode.style, 4, 0x7F, 0),
            _ => OperandDecoder::new(mode.style, 0, 0xF, 3),
        }
    }

    #[inline(always)]
    pub fn exponent(self, datum: u32) -> i32 {
        let exponent = datum as i32 & self.exponent;
        exponent | ABSENT & mask(exponent == 0)
    }

    #[inline(always)]
    pub fn significand(self, datum: u32) -> i32 {
        let datum = datum as i32;
        let significand = datum >> 8 & self.mantissa | 0x400;
        let bits = (significand >> self.right & self.mask) << self.left;
        let negative = (datum << 13) >> 31;
        (bits ^ negative).wrapping_sub(negative) & mask(datum & self.exponent != 0)
    }

    #[inline(always)]
    fn decode_row(self, row: &Row) -> OperandRow {
        let mut operands = OperandRow::default();
        for lane in 0..COLUMNS {
            operands.exponents[lane] = self.exponent(row[lane]) as i16;
            operands.significands[lane] = self.significand(row[lane]) as i16;
        }
        operands
    }
}

/// Adds one phase of the products of the rows of `b` with those of `a` to the rows of Dst, by fused
/// multiply-adds.
#[inline(always)]
pub(super) fn multiply<F: Format, V: Vector>(
    how: (Mode, Phase),
    a: &DecodedRowsA,
    b: &DecodedRowsB,
    sums: &mut Sums,
    dst: Halves,
) {
    match dst.0.len() {
        0..=4 => fused::sum::<V, 4>(how, a, b, sums),
        _ => fused::sum::<V, ROWS>(how, a, b, sums),
    }
    let bias = fused::bias_of_terms(how.0, how.1);
    accumulate::<F, V, 2, true>(how.0.minus_one_bug, bias, sums, dst);
}

/// Does the same for any operands, in integers.
#[inline(always)]
pub(super) fn multiply_integers<F: Format, V: Vector>(
    (mode, phase): (Mode, Phase),
    a: &[Row; COLUMNS],
    b: &[Row; ROWS],
    dst: Halves,
) {
    let bias = mode.product_bias(phase);
    // Exponents below zero (with bias) cannot contribute: a zero product has the smallest exponent
    // of its phase.
    let floor = bias.wrapping_neg().max(0) as i16;
    let mut groups = [[OperandRow::default(); GROUP]; 2];
    let decoder = OperandDecoder::of_a(mode, phase);
    for (operands, row) in groups.as_flattened_mut().iter_mut().zip(a) {
        *operands = decoder.decode_row(row);
    }
    let decoder = OperandDecoder::of_b(mode, phase);
    let mut terms = Sums::default();
    for (m, row) in b.iter().enumerate() {
        let operands = decoder.decode_row(row);
        for (group, a) in groups.iter().enumerate() {
            let (exponents, sums) = group::sum(floor, a, &operands, group * GROUP);
            for lane in 0..COLUMNS {
                let (exponent, sum) = (exponents[lane].into(), sums[lane].into());
                terms.exponents[group][m][lane] = exponent;
                terms.doubled[group][m][lane] = fused::term::<Plain>(exponent, bias, sum);
            }
        }
    }
    accumulate::<F, V, 2, true>(mode.minus_one_bug, bias, &terms, dst);
}
