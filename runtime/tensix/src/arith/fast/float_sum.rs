//! ELWADD and ELWSUB that do not accumulate, in floats of the host: in half the time that integers
//! take ([`super::sum`]).
//!
//! The hardware aligns the smaller operand to the larger one's significand of eleven bits, ties
//! away from zero, and adds. Let 2^e be the weight of the larger one's hidden bit. Adding
//! 1.5·2^(e + 13) rounds an operand to a multiple of the last one of those bits: the sum has 24
//! bits and stays in its binade. Operands are first increased by a quarter of their own last bit,
//! so that ties become greater and no other value crosses a rounding boundary ([`super::fused`]
//! does the same). The difference of two such sums is exact.
//!
//! Exponents from [`Range::limit`] on would overflow; the caller then uses integers.

// Every result is exact or rounded as described above, so it does not depend on the processor.
#![allow(clippy::float_arithmetic)]

use super::adder::{Format, Lanes, ROWS};
use super::product::bits_of;
use super::vectors::{Parts, Vector};
use super::Halves;
use crate::arith::spec::bits::SRC_SIGN;
use crate::arith::spec::fpu::{Mode, SrcStyle};
use crate::arith::Row;

/// Mantissa bits of FP32, and of those that are added to a datum of Src.
const MANTISSA: u32 = 23;
/// A quarter of the last one of the ten mantissa bits of a datum.
const TIE_BREAKER: i32 = 1 << (MANTISSA - 12);
/// The distance of the exponents of the rounding constant and of the larger operand.
const DISTANCE: i32 = 13;

/// How datums of a style become FP32.
struct Range {
    exponent: i32,
    mantissa: i32,
    /// Added to exponent fields.
    rebias: i32,
}

impl Range {
    fn new(style: SrcStyle) -> Self {
        let [exponent, mantissa] = bits_of(style).map(|bits| bits as i32);
        Range {
            exponent,
            mantissa: mantissa << (MANTISSA - 10),
            rebias: match style {
                SrcStyle::Fp16 => 127 - 15,
                SrcStyle::Bf16 | SrcStyle::Tf32 => 0,
            },
        }
    }

    /// Returns the largest exponent field for which the sums above are in the range of FP32.
    fn limit(&self) -> i32 {
        253 - DISTANCE - self.rebias
    }

    /// Returns the exponent field and the increased value of a datum; zero if the field is zero.
    #[inline(always)]
    fn operand<V: Vector>(&self, datum: V::Ints) -> (V::Ints, V::Floats) {
        let exponent = V::and(datum, V::int(self.exponent));
        let mantissa = V::and(V::left(datum, MANTISSA - 18), V::int(self.mantissa));
        let sign = V::and(
            V::left(datum, 31 - SRC_SIGN.trailing_zeros()),
            V::int(i32::MIN),
        );
        let magnitude = V::or(V::left(exponent, MANTISSA), mantissa);
        let more = V::int(self.rebias << MANTISSA | TIE_BREAKER);
        let bits = V::add(V::or(magnitude, sign), more);
        let is_there = V::larger(exponent, V::int(0));
        (exponent, V::float_with_bits(V::only(is_there, bits)))
    }
}

/// The sums or differences of a row of datums.
struct Sums<'a, V: Vector> {
    range: &'a Range,
    subtract: bool,
    a: &'a Lanes<i32>,
    b: &'a Lanes<i32>,
    /// The bits of the rounding constant, without the larger operand's exponent.
    constant: V::Ints,
    /// One less than the least magnitude that does not become zero, and half of the last bit of a
    /// result.
    below: V::Ints,
    half: V::Ints,
    /// The largest exponent fields so far.
    most: V::Ints,
}

impl<V: Vector> Parts<V, 1> for Sums<'_, V> {
    #[inline(always)]
    fn part(&mut self, lane: usize) -> [V::Ints; 1] {
        let (a_exponent, a) = self.range.operand::<V>(V::ints(self.a, lane));
        let (b_exponent, b) = self.range.operand::<V>(V::ints(self.b, lane));
        let exponent = V::max(a_exponent, b_exponent);
        self.most = V::max(self.most, exponent);
        let constant = V::add(V::left(exponent, MANTISSA), self.constant);
        let constant = V::float_with_bits(constant);
        let above = V::float_sum(constant, a);
        let below = match self.subtract {
            true => V::float_sum(constant, b),
            false => V::float_difference(constant, b),
        };
        let sum = V::bits(V::float_difference(above, below));
        let is_there = V::larger(V::and(sum, V::int(i32::MAX)), self.below);
        [V::add(V::only(is_there, sum), self.half)]
    }
}

/// Writes `a + b` or `a − b` to rows of Dst, in a format with the exponent of FP32. Returns false
/// if an exponent is too large; the rows then have other contents.
#[inline(always)]
pub(super) fn write<F: Format, V: Vector>(
    (mode, subtract): (Mode, bool),
    [a, b]: [&[Row; ROWS]; 2],
    (high, low): Halves,
) -> bool {
    debug_assert!(F::EXPONENT == 8);
    let range = Range::new(mode.style);
    // A sum that is rounded up to the least normal number is there.
    let half = (1 << (MANTISSA - F::MANTISSA)) / 2;
    let below = (1 << MANTISSA) - half / 2 - 1;
    let mut most = V::int(0);
    for m in 0..high.len() {
        let mut sums = Sums::<V> {
            range: &range,
            subtract,
            a: bytemuck::cast_ref(&a[m]),
            b: bytemuck::cast_ref(&b[m]),
            constant: V::int((range.rebias + DISTANCE) << MANTISSA | 1 << (MANTISSA - 1)),
            below: V::int(below),
            half: V::int(half),
            most,
        };
        let [row] = V::rows(&mut sums);
        most = sums.most;
        V::store_upper(row, F::EXPONENT, &mut high[m]);
        if F::WIDE {
            V::store_lower(row, &mut low[m]);
        }
    }
    !V::any(V::larger(most, V::int(range.limit())))
}
