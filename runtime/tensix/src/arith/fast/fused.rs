//! Sums of products by fused multiply-adds (FMA), in a third of the time that integers take
//! ([`group`](super::group)).
//!
//! The hardware rounds each product of a group to a multiple of a power of two, ties away from
//! zero, and sums these. An FMA does both if its addend is 1.5·2^23 times that power. The last of
//! the 24 significand bits then has the weight of one multiple, so the product is rounded to
//! multiples. Eight products of twelve bits do not leave the binade.
//!
//! The FMA rounds ties to even, but no ties occur: SrcA's operands are increased by so little that
//! a product changes by less than a quarter of its own last bit. A tie thus becomes greater, and no
//! other value crosses a rounding boundary.
//!
//! FP32 has a smaller range than sums of two exponents; [`fits`] checks whether it suffices.
//! Callers must decode operands for the parts of the phase in which they multiply them.

// The only float arithmetic of the crate. Every result is exact or rounded as described above, so
// it does not depend on the processor.
#![allow(clippy::float_arithmetic)]

use std::array::from_fn;

use super::adder::{mask, Block, Lanes, Terms, ROWS};
use super::group::GROUP;
use super::product::{bits_of, ABSENT};
use super::vectors::Vector;
use crate::arith::spec::fpu::{Mode, Phase, SrcStyle};
use crate::arith::{Row, COLUMNS};

/// The part of a significand that a phase multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The hidden one and the bits below it.
    Upper,
    /// The remaining bits.
    Lower,
}

impl Part {
    /// Returns the parts of SrcA and SrcB that a phase multiplies.
    pub fn for_phase(phase: Phase) -> [Part; 2] {
        let parts = [phase.index() & 1, phase.index() & 2];
        parts.map(|low| if low == 0 { Part::Upper } else { Part::Lower })
    }
}

/// Converts a datum of Src to an FP32 operand.
#[derive(Clone, Copy)]
struct OperandDecoder {
    /// Mask of the exponent field, and the addend that rebiases it.
    exponent: u32,
    rebias: i32,
    /// Left shift of the datum, and the mantissa bits that are used.
    left: u32,
    mantissa: u32,
    /// Added to the magnitude, to avoid ties.
    more: u32,
    /// Mask of the bits that are subtracted to remove the hidden one of a lower part.
    hidden: u32,
}

impl OperandDecoder {
    /// Decodes SrcA: the hidden one and 4 mantissa bits, or the next 5; plus the increment against
    /// ties.
    fn of_a(style: SrcStyle, part: Part) -> OperandDecoder {
        let bits = match part {
            Part::Upper => [5, 0x3C0],
            Part::Lower => [9, 0x3E],
        };
        let rebias = rebias(style).div_euclid(2);
        OperandDecoder {
            more: 1 << 8,
            ..OperandDecoder::new(style, part, rebias, bits)
        }
    }

    /// Decodes SrcB: the hidden one and 6 mantissa bits, or the remaining 4.
    fn of_b(style: SrcStyle, part: Part) -> OperandDecoder {
        let bits = match part {
            Part::Upper => [5, 0x3F0],
            Part::Lower => [11, 0xF],
        };
        let both = rebias(style);
        OperandDecoder::new(style, part, both - both.div_euclid(2), bits)
    }

    /// Decodes datums of Src. Their ten mantissa bits begin at bit 8, of which BF16 uses the upper
    /// seven.
    fn new(style: SrcStyle, part: Part, rebias: i32, [left, mantissa]: [u32; 2]) -> OperandDecoder {
        let [exponent, has] = bits_of(style);
        let (one_more, hidden) = match part {
            Part::Upper => (0, 0),
            Part::Lower => (1, !0),
        };
        OperandDecoder {
            exponent,
            rebias: rebias + one_more,
            left,
            mantissa: (mantissa & has) << 8 << left,
            more: 0,
            hidden,
        }
    }

    /// Returns the exponent, or [`ABSENT`] for a zero.
    #[inline(always)]
    fn exponent(self, datum: u32, added: i32) -> i32 {
        let exponent = (datum & self.exponent) as i32;
        match exponent != 0 {
            true => exponent.wrapping_add(added),
            false => ABSENT,
        }
    }

    #[inline(always)]
    fn value(self, datum: u32) -> f32 {
        let exponent = (datum & self.exponent).wrapping_add(self.rebias as u32);
        let one = datum << 13 & 1 << 31 | exponent << 23;
        let bits = one | datum << self.left & self.mantissa | self.more;
        let value = f32::from_bits(bits) - f32::from_bits(one & self.hidden);
        if datum & self.exponent != 0 {
            value
        } else {
            0.0
        }
    }

    /// Returns the largest exponent field, or `None` if a non-zero datum is too small for a normal
    /// FP32.
    #[inline(always)]
    fn max_exponent<const N: usize>(self, datums: &[u32; N]) -> Option<i32> {
        let below = (-self.rebias).max(0) as u32;
        let (mut most, mut small) = (0, 0);
        for datum in datums {
            let exponent = datum & self.exponent;
            most = exponent.max(most);
            small |= mask(exponent.wrapping_sub(1) < below);
        }
        (small == 0).then_some(most as i32)
    }
}

/// Added to the sum of two exponent fields to get the exponent field of the initial sum, the
/// largest number of the computation. The smallest sum that contributes gets exponent field 1.
fn start(style: SrcStyle) -> i32 {
    match style {
        SrcStyle::Bf16 | SrcStyle::Tf32 => -126,
        SrcStyle::Fp16 => 64,
    }
}

/// Returns the total rebias of both operands. The hidden ones at bits 4 and 6 of the significands
/// meet at bit 10 of the product, the initial sum has its leading bit at 23, and the bias is
/// contained twice.
fn rebias(style: SrcStyle) -> i32 {
    start(style) + 127 + 10 - 23
}

/// One part of sixteen decoded rows of SrcA.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub struct DecodedRowsA {
    values: [Lanes<f32>; 2 * GROUP],
    /// Exponents of the first group in the lower halves, of the second group in the upper halves.
    exponents: [Lanes<i32>; GROUP],
    max_exponent: Option<i32>,
}

/// One part of eight decoded rows of SrcB.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub struct DecodedRowsB {
    values: [Lanes<f32>; ROWS],
    exponents: [[i32; GROUP]; ROWS],
    max_exponent: Option<i32>,
}

impl DecodedRowsA {
    #[inline(always)]
    pub(super) fn decode(&mut self, style: SrcStyle, part: Part, rows: &[Row; COLUMNS]) {
        let decoder = OperandDecoder::of_a(style, part);
        let datums: &[u32; COLUMNS * COLUMNS] = bytemuck::cast_ref(rows);
        let values: &mut [f32; COLUMNS * COLUMNS] = bytemuck::cast_mut(&mut self.values);
        for (value, &datum) in values.iter_mut().zip(datums) {
            *value = decoder.value(datum);
        }
        let exponents: &mut [i32; GROUP * COLUMNS] = bytemuck::cast_mut(&mut self.exponents);
        let start = start(style);
        for i in 0..GROUP * COLUMNS {
            let [lower, upper] =
                [datums[i], datums[GROUP * COLUMNS + i]].map(|x| decoder.exponent(x, start));
            exponents[i] = lower & 0xFFFF | upper << 16;
        }
        self.max_exponent = decoder.max_exponent(datums);
    }
}

impl DecodedRowsB {
    #[inline(always)]
    pub(super) fn decode(&mut self, style: SrcStyle, part: Part, rows: &[Row; ROWS]) {
        let decoder = OperandDecoder::of_b(style, part);
        let datums: &Block<u32> = bytemuck::cast_ref(rows);
        let values: &mut Block<f32> = bytemuck::cast_mut(&mut self.values);
        for (value, &datum) in values.iter_mut().zip(datums) {
            *value = decoder.value(datum);
        }
        let exponents: Block<i32> = from_fn(|lane| decoder.exponent(datums[lane], 0));
        let [mut lower, mut upper] = [[[0; GROUP]; ROWS]; 2];
        for (m, row) in exponents.chunks_exact(COLUMNS).enumerate() {
            lower[m].copy_from_slice(&row[..GROUP]);
            upper[m].copy_from_slice(&row[GROUP..]);
        }
        let [lower, upper]: [[i32; ROWS * GROUP]; 2] = [lower, upper].map(bytemuck::cast);
        let pairs: &mut [i32; ROWS * GROUP] = bytemuck::cast_mut(&mut self.exponents);
        for (pair, (lower, upper)) in pairs.iter_mut().zip(lower.into_iter().zip(upper)) {
            *pair = lower & 0xFFFF | upper << 16;
        }
        self.max_exponent = decoder.max_exponent(datums);
    }
}

/// Returns whether the operands and the sums of their products are in the range of FP32.
#[inline]
pub fn fits(style: SrcStyle, a: &DecodedRowsA, b: &DecodedRowsB) -> bool {
    let most = a.max_exponent.zip(b.max_exponent);
    most.is_some_and(|(a, b)| a + b + start(style) <= 254)
}

/// The terms that the two groups add to Dst: a buffer between the two stages of a product, reused
/// so that it need not be cleared each time.
pub type Sums = Terms<2>;

/// Rows that are summed concurrently. More would exceed the registers; fewer would expose the
/// latency of the additions.
const CONCURRENT_ROWS: usize = 4;

/// Returns the doubled term that a group adds to Dst in each lane. It is zero if the group's
/// largest exponent, counted from `bias`, is not positive.
#[inline(always)]
pub(super) fn term<V: Vector>(exponent: V::Ints, bias: i32, sum: V::Ints) -> V::Ints {
    V::only(V::larger(exponent, V::int(-bias)), V::left(sum, 14))
}

/// Returns the bias of the terms' exponents.
pub(super) fn bias_of_terms(mode: Mode, phase: Phase) -> i32 {
    mode.product_bias(phase).wrapping_sub(start(mode.style))
}

/// Sums the products of a phase for the first `COUNT` rows: 4 or 8.
#[inline(always)]
pub(super) fn sum<V: Vector, const COUNT: usize>(
    (mode, phase): (Mode, Phase),
    a: &DecodedRowsA,
    b: &DecodedRowsB,
    terms: &mut Sums,
) {
    let bias = mode.product_bias(phase);
    let start = start(mode.style);
    // A zero product counts with the smallest exponent of its phase.
    let floor = bias.wrapping_neg().max(0).wrapping_add(start);
    let floor = V::int(floor << 16 | floor);
    let in_dst = bias_of_terms(mode, phase);
    for lane in (0..COLUMNS).step_by(V::LANES) {
        for m in (0..COUNT).step_by(CONCURRENT_ROWS) {
            let mut common = [floor; CONCURRENT_ROWS];
            for k in 0..GROUP {
                let a = V::ints(&a.exponents[k], lane);
                for r in 0..CONCURRENT_ROWS {
                    common[r] = V::add_max(a, V::int(b.exponents[m + r][k]), common[r]);
                }
            }
            let mut starts = [[V::float(0.0); CONCURRENT_ROWS]; 2];
            for r in 0..CONCURRENT_ROWS {
                let halves = V::halves(common[r]);
                for group in 0..2 {
                    V::store(halves[group], &mut terms.exponents[group][m + r], lane);
                    starts[group][r] = V::start(halves[group]);
                }
            }
            let mut ends = starts;
            for k in 0..GROUP {
                for group in 0..2 {
                    let k = group * GROUP + k;
                    let a = V::floats(&a.values[k], lane);
                    for r in 0..CONCURRENT_ROWS {
                        ends[group][r] = V::fused(a, V::float(b.values[m + r][k]), ends[group][r]);
                    }
                }
            }
            for group in 0..2 {
                for r in 0..CONCURRENT_ROWS {
                    let sum = V::above(starts[group][r], ends[group][r]);
                    let exponent = V::ints(&terms.exponents[group][m + r], lane);
                    let doubled = term::<V>(exponent, in_dst, sum);
                    V::store(doubled, &mut terms.doubled[group][m + r], lane);
                }
            }
        }
    }
}
