//! Sums of products by fused multiply-adds: what [`group`](super::group) makes of integers, in a
//! third of the time.
//!
//! A group's products are rounded to multiples of a power of two, ties away from zero, and summed.
//! A fused multiply-add does both if it adds to 1.5·2^23 times that power: the last of its 24 bits
//! is worth one multiple, so that what is added is rounded to multiples, and eight products of
//! twelve bits do not lead out of the binade. It rounds ties to even, but meets none: SrcA's
//! factors are larger than they should be, by so little that a product moves by less than a quarter
//! of its own last bit. So what was a tie lies above, and all else stays on its side.
//!
//! Numbers of 32 bits have a smaller range than sums of two exponents: [`fits`] tells whether they
//! are enough. Nothing here checks that the phase is the one whose parts were taken.

// Arithmetic of floats is the point here: no result of it is inexact but as said above, on any
// processor.
#![allow(clippy::float_arithmetic)]

use std::array::from_fn;

use super::adder::{mask, Block, Lanes, Terms, ROWS};
use super::group::GROUP;
use super::product::{bits_of, ABSENT};
use super::vectors::Vector;
use crate::numerics::fpu::{Mode, Phase, SrcStyle};
use crate::regs::{Row, COLUMNS};

/// The bits of a significand that a phase takes: the upper ones with the hidden one, or the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The hidden one and the bits behind it.
    Upper,
    /// The next bits.
    Lower,
}

impl Part {
    /// Of SrcA, and of SrcB.
    pub fn of(phase: Phase) -> [Part; 2] {
        let parts = [phase.index() & 1, phase.index() & 2];
        parts.map(|low| if low == 0 { Part::Upper } else { Part::Lower })
    }
}

/// How factors become numbers.
#[derive(Clone, Copy)]
struct Take {
    /// Bits of the exponent field, and what is added to it.
    exponent: u32,
    rebias: i32,
    /// How far to the left a datum's mantissa moves, and which of its bits are taken.
    left: u32,
    mantissa: u32,
    /// What is added to the magnitude.
    more: u32,
    /// Bits of what is subtracted again: where there is no hidden one, all but the mantissa.
    hidden: u32,
}

impl Take {
    /// Of SrcA: the hidden one and 4 bits of mantissa, or the next 5; and a little more.
    fn of_a(style: SrcStyle, part: Part) -> Take {
        let bits = match part {
            Part::Upper => [5, 0x3C0],
            Part::Lower => [9, 0x3E],
        };
        let rebias = rebias(style).div_euclid(2);
        Take {
            more: 1 << 8,
            ..Take::new(style, part, rebias, bits)
        }
    }

    /// Of SrcB: the hidden one and 6 bits of mantissa, or the remaining 4.
    fn of_b(style: SrcStyle, part: Part) -> Take {
        let bits = match part {
            Part::Upper => [5, 0x3F0],
            Part::Lower => [11, 0xF],
        };
        let both = rebias(style);
        Take::new(style, part, both - both.div_euclid(2), bits)
    }

    /// From a datum of Src, which has ten bits of mantissa from bit 8 on, BF16 the upper seven of
    /// them.
    fn new(style: SrcStyle, part: Part, rebias: i32, [left, mantissa]: [u32; 2]) -> Take {
        let [exponent, has] = bits_of(style);
        let (one_more, hidden) = match part {
            Part::Upper => (0, 0),
            Part::Lower => (1, !0),
        };
        Take {
            exponent,
            rebias: rebias + one_more,
            left,
            mantissa: (mantissa & has) << 8 << left,
            more: 0,
            hidden,
        }
    }

    /// The exponent, or that of a zero.
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

    /// The largest exponent; none if there are some, beside those of zeros, that are too small for
    /// normal numbers.
    #[inline(always)]
    fn most<const N: usize>(self, datums: &[u32; N]) -> Option<i32> {
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

/// What is added to the sum of two exponent fields for that of the start of a sum, which is the
/// largest number in it: the lowest sum that counts becomes 1.
fn start(style: SrcStyle) -> i32 {
    match style {
        SrcStyle::Bf16 | SrcStyle::Tf32 => -126,
        SrcStyle::Fp16 => 64,
    }
}

/// What factors' fields get together: two hidden ones, bits 4 and 6 of significands, make bit 10 of
/// a product, and a sum starts at bit 23; the bias is there once too often.
fn rebias(style: SrcStyle) -> i32 {
    start(style) + 127 + 10 - 23
}

/// Part of sixteen rows of SrcA.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub struct Columns {
    values: [Lanes<f32>; 2 * GROUP],
    /// Exponents for the first group in the lower halves, for the second in the upper ones.
    exponents: [Lanes<i32>; GROUP],
    most: Option<i32>,
}

/// Part of eight rows of SrcB.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub struct Lines {
    values: [Lanes<f32>; ROWS],
    exponents: [[i32; GROUP]; ROWS],
    most: Option<i32>,
}

impl Columns {
    #[inline(always)]
    pub(super) fn take(&mut self, style: SrcStyle, part: Part, rows: &[Row; COLUMNS]) {
        let take = Take::of_a(style, part);
        let datums: &[u32; COLUMNS * COLUMNS] = bytemuck::cast_ref(rows);
        let values: &mut [f32; COLUMNS * COLUMNS] = bytemuck::cast_mut(&mut self.values);
        for (value, &datum) in values.iter_mut().zip(datums) {
            *value = take.value(datum);
        }
        let exponents: &mut [i32; GROUP * COLUMNS] = bytemuck::cast_mut(&mut self.exponents);
        let start = start(style);
        for i in 0..GROUP * COLUMNS {
            let [lower, upper] =
                [datums[i], datums[GROUP * COLUMNS + i]].map(|x| take.exponent(x, start));
            exponents[i] = lower & 0xFFFF | upper << 16;
        }
        self.most = take.most(datums);
    }
}

impl Lines {
    #[inline(always)]
    pub(super) fn take(&mut self, style: SrcStyle, part: Part, rows: &[Row; ROWS]) {
        let take = Take::of_b(style, part);
        let datums: &Block<u32> = bytemuck::cast_ref(rows);
        let values: &mut Block<f32> = bytemuck::cast_mut(&mut self.values);
        for (value, &datum) in values.iter_mut().zip(datums) {
            *value = take.value(datum);
        }
        let exponents: Block<i32> = from_fn(|lane| take.exponent(datums[lane], 0));
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
        self.most = take.most(datums);
    }
}

/// Whether these numbers, and the sums of their products, are within the range.
pub fn fits(style: SrcStyle, a: &Columns, b: &Lines) -> bool {
    let most = a.most.zip(b.most);
    most.is_some_and(|(a, b)| a + b + start(style) <= 254)
}

/// What the two groups add to Dst: it lies between the steps of a product, and is kept so that it
/// need not be cleared for each.
pub type Sums = Terms<2>;

/// Rows that are summed at once: with more, registers would not hold the sums, with fewer, they
/// would wait for one another.
const AT_ONCE: usize = 4;

/// What a group of products adds to Dst in a lane, doubled: nothing if its largest exponent is not
/// positive there, where it counts from `bias`.
#[inline(always)]
pub(super) fn term<V: Vector>(exponent: V::Ints, bias: i32, sum: V::Ints) -> V::Ints {
    V::only(V::larger(exponent, V::int(-bias)), V::left(sum, 14))
}

/// From where the exponents of terms count in Dst.
pub(super) fn bias_of_terms(mode: Mode, phase: Phase) -> i32 {
    mode.product_bias(phase).wrapping_sub(start(mode.style))
}

/// Sums the products of a phase.
#[inline(always)]
pub(super) fn sum<V: Vector>(
    (mode, phase): (Mode, Phase),
    a: &Columns,
    b: &Lines,
    terms: &mut Sums,
) {
    let bias = mode.product_bias(phase);
    let start = start(mode.style);
    // A zero product has the smallest exponent of its phase.
    let floor = bias.wrapping_neg().max(0).wrapping_add(start);
    let floor = V::int(floor << 16 | floor);
    let in_dst = bias_of_terms(mode, phase);
    for lane in (0..COLUMNS).step_by(V::LANES) {
        for m in (0..ROWS).step_by(AT_ONCE) {
            let mut common = [floor; AT_ONCE];
            for k in 0..GROUP {
                let a = V::ints(&a.exponents[k], lane);
                for r in 0..AT_ONCE {
                    common[r] = V::add_max(a, V::int(b.exponents[m + r][k]), common[r]);
                }
            }
            let mut starts = [[V::float(0.0); AT_ONCE]; 2];
            for r in 0..AT_ONCE {
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
                    for r in 0..AT_ONCE {
                        ends[group][r] = V::fused(a, V::float(b.values[m + r][k]), ends[group][r]);
                    }
                }
            }
            for group in 0..2 {
                for r in 0..AT_ONCE {
                    let sum = V::above(starts[group][r], ends[group][r]);
                    let exponent = V::ints(&terms.exponents[group][m + r], lane);
                    let doubled = term::<V>(exponent, in_dst, sum);
                    V::store(doubled, &mut terms.doubled[group][m + r], lane);
                }
            }
        }
    }
}
