//! Element-wise operations: `add`, `subtract` and `multiply` of [`crate::arith::spec::fpu`] for all
//! lanes of a row.

use super::adder::{accumulate, Addends, Format, ROWS};
use super::product::{bits_of, OperandDecoder};
use super::vectors::Vector;
use super::{float_sum, Elementwise, Halves};
use crate::arith::spec::bits::SRC_SIGN;
use crate::arith::spec::fpu::{Mode, Operation, Phase, SrcStyle};
use crate::arith::Row;

/// Rows of SrcA and SrcB.
#[derive(Clone, Copy)]
struct Operands<'a> {
    a: &'a [Row; ROWS],
    b: &'a [Row; ROWS],
}

impl Operands<'_> {
    #[inline(always)]
    fn load<V: Vector>(self, m: usize, lane: usize) -> [V::Ints; 2] {
        [
            V::ints(bytemuck::cast_ref(&self.a[m]), lane),
            V::ints(bytemuck::cast_ref(&self.b[m]), lane),
        ]
    }
}

/// `a + b` or `a − b`.
struct Sums<'a> {
    operands: Operands<'a>,
    /// The sign bit, to change that of SrcB, or zero.
    sign: i32,
    exponent: i32,
    mantissa: i32,
    /// FP16 with a 32-bit Dst: the exponent's rebias, and the exponent of a zero.
    rebias: i32,
    of_zero: i32,
}

impl<'a> Sums<'a> {
    #[inline(always)]
    fn new(mode: Mode, subtract: bool, operands: Operands<'a>) -> Self {
        let [exponent, mantissa] = bits_of(mode.style).map(|bits| bits as i32);
        let (rebias, of_zero) = match (mode.style, mode.dst32) {
            (SrcStyle::Fp16, true) => (127 - 15, 127 - 2 * 15),
            _ => (0, 0),
        };
        Sums {
            operands,
            sign: if subtract { SRC_SIGN as i32 } else { 0 },
            exponent,
            mantissa,
            rebias,
            of_zero,
        }
    }

    /// Returns exponent and 11-bit significand of Src datums; zero if the exponent is zero.
    #[inline(always)]
    fn parts<V: Vector>(&self, datum: V::Ints) -> (V::Ints, V::Ints) {
        let exponent = V::and(datum, V::int(self.exponent));
        let mantissa = V::and(V::right(datum, 8), V::int(self.mantissa));
        let significand = V::or(mantissa, V::int(0x400));
        (exponent, V::only(V::has(exponent, V::int(!0)), significand))
    }
}

impl<V: Vector> Addends<V, 1> for Sums<'_> {
    #[inline(always)]
    fn load(&self, m: usize, lane: usize) -> [(V::Ints, V::Ints); 1] {
        let sign = V::int(SRC_SIGN as i32);
        let [a, b] = self.operands.load::<V>(m, lane);
        let (a_exponent, a_significand) = self.parts::<V>(a);
        let (b_exponent, b_significand) = self.parts::<V>(b);
        let b = V::xor(b, V::int(self.sign));
        let b_is_larger = V::larger(
            V::or(V::left(b_exponent, 11), b_significand),
            V::or(V::left(a_exponent, 11), a_significand),
        );
        let large = V::choose(b_is_larger, b_significand, a_significand);
        let small = V::choose(b_is_larger, a_significand, b_significand);
        let by = V::abs(V::sub(a_exponent, b_exponent));
        let aligned = V::right_by_unsigned(V::left(small, 1), by);
        let aligned = V::half(V::add(aligned, V::int(1)));
        let differ = V::has(V::xor(a, b), sign);
        let magnitude = V::choose(differ, V::sub(large, aligned), V::add(large, aligned));
        // The sign of a zero does not matter.
        let is_negative = V::has(V::choose(b_is_larger, b, a), sign);
        let sum = V::choose(is_negative, V::sub(V::int(0), magnitude), magnitude);
        let exponent = V::max(a_exponent, b_exponent);
        let is_there = V::has(exponent, V::int(!0));
        let rebiased = V::add(exponent, V::int(self.rebias));
        let exponent = V::choose(is_there, rebiased, V::int(self.of_zero));
        [(exponent, V::left(sum, 14))]
    }
}

/// One phase of `a·b`.
struct Products<'a> {
    operands: Operands<'a>,
    a: Significand,
    b: Significand,
    exponent: i32,
    bias: i32,
}

/// The significand bits of a datum that a multiplier uses in a phase, scaled: by 2^8 for SrcA and
/// by 2^5 for SrcB, so that the product is what the adder calls doubled.
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
        // Faster than a shift of all lanes by a number that is not constant.
        let shifted = V::right_by(datum, V::int(self.right));
        V::or(V::and(shifted, V::int(self.mantissa)), V::int(self.one))
    }
}

impl<'a> Products<'a> {
    #[inline(always)]
    fn new(mode: Mode, phase: Phase, operands: Operands<'a>) -> Self {
        let [exponent, _] = bits_of(mode.style);
        Products {
            operands,
            a: Significand::new(OperandDecoder::of_a(mode, phase), 8),
            b: Significand::new(OperandDecoder::of_b(mode, phase), 5),
            exponent: exponent as i32,
            bias: mode.product_bias(phase),
        }
    }
}

impl<V: Vector> Addends<V, 1> for Products<'_> {
    #[inline(always)]
    fn load(&self, m: usize, lane: usize) -> [(V::Ints, V::Ints); 1] {
        let [a, b] = self.operands.load::<V>(m, lane);
        let (a_exponent, b_exponent) = (
            V::and(a, V::int(self.exponent)),
            V::and(b, V::int(self.exponent)),
        );
        let sum = V::add(V::add(a_exponent, V::int(self.bias)), b_exponent);
        let least = V::min(V::min(a_exponent, b_exponent), sum);
        let is_there = V::larger(least, V::int(0));
        let exponent = V::choose(is_there, sum, V::int(self.bias.max(0)));
        let doubled = V::short_product(self.a.bits::<V>(a), self.b.bits::<V>(b));
        let signed = V::signed(doubled, V::xor(a, b), SRC_SIGN.trailing_zeros());
        [(exponent, V::only(is_there, signed))]
    }
}

/// Applies an operation to rows of `a` and `b`, and writes the result to rows of Dst or adds it to
/// them.
#[inline(always)]
pub(super) fn elementwise<F: Format, V: Vector>(
    (mode, operation, phase, accumulates): Elementwise,
    a: &[Row; ROWS],
    b: &[Row; ROWS],
    dst: Halves,
) {
    let operands = Operands { a, b };
    let how = (mode.minus_one_bug, accumulates);
    let (high, low) = dst;
    if F::EXPONENT == 8 && !accumulates && operation != Operation::Multiply {
        let subtract = operation == Operation::Subtract;
        if float_sum::write::<F, V>((mode, subtract), [a, b], (&mut *high, &mut *low)) {
            return;
        }
    }
    let dst = (high, low);
    match operation {
        Operation::Add => write::<F, V>(how, &Sums::new(mode, false, operands), dst),
        Operation::Subtract => write::<F, V>(how, &Sums::new(mode, true, operands), dst),
        Operation::Multiply => write::<F, V>(how, &Products::new(mode, phase, operands), dst),
    }
}

#[inline(always)]
fn write<F: Format, V: Vector>(
    (minus_one_bug, accumulates): (bool, bool),
    terms: &impl Addends<V, 1>,
    dst: Halves,
) {
    match accumulates {
        true => accumulate::<F, V, 1, true>(minus_one_bug, 0, terms, dst),
        false => accumulate::<F, V, 1, false>(minus_one_bug, 0, terms, dst),
    }
}
