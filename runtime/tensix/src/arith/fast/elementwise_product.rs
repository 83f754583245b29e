//! ELWMUL onto a 32-bit Dst: one phase of `a·b` and the addition to Dst, for pairs of rows.
//!
//! It does what the adder ([`super::adder`]) does for one term, which is what [`super::sum`] uses
//! for other formats of Dst, in fewer instructions:
//!
//! * A significand of SrcA is scaled by 2^8 and one of SrcB by 2^5, so that their product is what
//!   the adder calls doubled.
//! * Significands of Dst are shifted as signed numbers, and compilers do not know that they are not
//!   negative. Otherwise they would shift unsigned ones, and limit the shift amounts first.
//! * Two rows of results are packed at once.

use std::hint::black_box;

use super::adder::{Lanes, ROWS};
use super::product::{bits_of, OperandDecoder};
use super::vectors::{Parts, Vector};
use super::Halves;
use crate::arith::spec::bits::SRC_SIGN;
use crate::arith::spec::fpu::{Mode, Phase};
use crate::arith::Row;

/// Mantissa and exponent bits of FP32, and the exponent field of infinity.
const MANTISSA: u32 = 23;
const EXPONENT: u32 = 8;
const LARGEST: i32 = 255;
/// Rows that are computed at once.
const PAIR: usize = 2;

/// The significand bits of a datum that a multiplier uses in a phase, scaled.
#[derive(Clone, Copy)]
struct Significand {
    right: i32,
    mantissa: i32,
    /// The hidden one, if it is among them.
    one: i32,
}

impl Significand {
    /// Datums are shifted right by what the decoder says, with the scale's share of the shift of
    /// their mantissa.
    #[inline(always)]
    fn new(decoder: OperandDecoder, scale: u32) -> Self {
        let left = decoder.left + scale;
        let bits = |significand: i32| (significand >> decoder.right & decoder.mask) << left;
        Significand {
            right: 8 + decoder.right as i32 - left as i32,
            mantissa: bits(decoder.mantissa),
            one: bits(0x400),
        }
    }

    /// Returns the bits, without the sign.
    #[inline(always)]
    fn bits<V: Vector>(self, datum: V::Ints) -> V::Ints {
        let shifted = V::right_by(datum, V::int(self.right));
        V::or(V::and(shifted, V::int(self.mantissa)), V::int(self.one))
    }
}

/// What is the same for all datums of an instruction.
#[derive(Clone, Copy)]
struct Products {
    a: Significand,
    b: Significand,
    exponent: i32,
    bias: i32,
    /// The hidden one of datums of Dst, doubled.
    one: i32,
}

/// A row of Dst with the products added to it. With `BUG`, −1 is normalised as Wormhole does.
struct Sums<'a, const BUG: bool> {
    products: Products,
    a: &'a Lanes<i32>,
    b: &'a Lanes<i32>,
    high: &'a Lanes<u16>,
    low: &'a Lanes<u16>,
}

impl<const BUG: bool> Sums<'_, BUG> {
    /// Returns the exponents and doubled values of the products.
    #[inline(always)]
    fn products<V: Vector>(&self, lane: usize) -> (V::Ints, V::Ints) {
        let how = self.products;
        let [a, b] = [V::ints(self.a, lane), V::ints(self.b, lane)];
        let [a_exponent, b_exponent] = [
            V::and(a, V::int(how.exponent)),
            V::and(b, V::int(how.exponent)),
        ];
        let sum = V::add(V::add(a_exponent, V::int(how.bias)), b_exponent);
        let least = V::min(V::min(a_exponent, b_exponent), sum);
        let is_there = V::larger(least, V::int(0));
        let exponent = V::choose(is_there, sum, V::int(how.bias.max(0)));
        let doubled = V::short_product(how.a.bits::<V>(a), how.b.bits::<V>(b));
        let signed = V::signed(doubled, V::xor(a, b), SRC_SIGN.trailing_zeros());
        (exponent, V::only(is_there, signed))
    }

    /// Returns the exponents and doubled magnitudes of Dst, and numbers with its signs.
    #[inline(always)]
    fn held<V: Vector>(&self, lane: usize) -> (V::Ints, V::Ints, V::Ints) {
        let (upper, lower) = (V::widen(self.high, lane), V::widen(self.low, lane));
        let exponent = V::and(upper, V::int((1 << EXPONENT) - 1));
        let stored = V::and(V::left(upper, 9), V::int(0x7F << 17));
        let mantissa = V::or(stored, V::left(lower, 1));
        let is_there = V::larger(exponent, V::int(0));
        let magnitude = V::only(is_there, V::or(mantissa, V::int(self.products.one)));
        (exponent, magnitude, upper)
    }
}

impl<V: Vector, const BUG: bool> Parts<V> for Sums<'_, BUG> {
    #[inline(always)]
    fn part(&mut self, lane: usize) -> V::Ints {
        let (exponent, doubled) = self.products::<V>(lane);
        let (held_exponent, held, upper) = self.held::<V>(lane);
        let common = V::max(held_exponent, exponent);
        // Ties away from zero for Dst, towards +∞ for the product.
        let magnitude = aligned::<V>(held, V::sub(common, held_exponent));
        let product = aligned::<V>(doubled, V::sub(common, exponent));
        let sum = V::add(V::signed_like(magnitude, upper, 15), product);
        round::<V, BUG>(common, sum)
    }
}

/// Returns `doubled / 2^(by + 1)`, ties towards +∞.
#[inline(always)]
fn aligned<V: Vector>(doubled: V::Ints, by: V::Ints) -> V::Ints {
    V::half(V::add(V::right_by(doubled, by), V::int(1)))
}

/// Normalises `sum` (bit 23 has the weight `2^common`) and rounds it, ties away from zero.
///
/// The conversion to an FP32 rounds to even, but four times a sum of more than 24 bits gets low
/// bits that break ties.
#[inline(always)]
fn round<V: Vector, const BUG: bool>(common: V::Ints, sum: V::Ints) -> V::Ints {
    let magnitude = V::abs(sum);
    let normal = V::bits_of_float(V::or(V::left(magnitude, 2), V::right(magnitude, 24)));
    // Exponent fields count from 127; that of four times the sum's bit 23 has the weight 2^common.
    let mut more = V::sub(common, V::int(127 + 25));
    if BUG {
        more = V::choose(V::equal(sum, V::int(-1)), V::add(more, V::int(27)), more);
    }
    let field = V::right(normal, MANTISSA);
    let exponent = V::add(field, more);
    let finite = V::add(normal, V::left(more, MANTISSA));
    // Larger exponents than that of infinity are below 512.
    let magnitude = V::min_unsigned(finite, V::int(LARGEST << MANTISSA));
    // The field is zero for a zero only.
    let is_there = V::larger(V::min(exponent, field), V::int(0));
    V::only(is_there, V::or(V::and(sum, V::int(i32::MIN)), magnitude))
}

/// Adds one phase of the products of `a` and `b` to rows of Dst.
#[inline(always)]
pub(super) fn add<V: Vector>(
    (mode, phase): (Mode, Phase),
    operands: [&[Row; ROWS]; 2],
    dst: Halves,
) {
    let [exponent, _] = bits_of(mode.style);
    let products = Products {
        a: Significand::new(OperandDecoder::of_a(mode, phase), 8),
        b: Significand::new(OperandDecoder::of_b(mode, phase), 5),
        exponent: exponent as i32,
        bias: mode.product_bias(phase),
        one: black_box(1 << 24),
    };
    match mode.minus_one_bug {
        true => add_products::<V, true>(products, operands, dst),
        false => add_products::<V, false>(products, operands, dst),
    }
}

#[inline(always)]
fn add_products<V: Vector, const BUG: bool>(
    products: Products,
    [a, b]: [&[Row; ROWS]; 2],
    (high, low): Halves,
) {
    let (high, low) = (
        high.as_chunks_mut::<PAIR>().0,
        low.as_chunks_mut::<PAIR>().0,
    );
    for (k, (high, low)) in high.iter_mut().zip(low).enumerate() {
        let mut sums = [0, 1].map(|of| Sums::<BUG> {
            products,
            a: bytemuck::cast_ref(&a[PAIR * k + of]),
            b: bytemuck::cast_ref(&b[PAIR * k + of]),
            high: &high[of],
            low: &low[of],
        });
        let [first, second] = &mut sums;
        let rows = [V::row(first), V::row(second)];
        V::store_rows(rows, EXPONENT, high, low);
    }
}
