//! The adder at the end of the Matrix Unit's path: `accumulate` of [`crate::arith::spec::fpu`] for
//! all lanes of a row.

use std::hint::black_box;
use std::marker::PhantomData;

use super::vectors::{Parts, Vector};
use super::Halves;
use crate::arith::COLUMNS;

/// A value per lane.
pub(super) type Lanes<T> = [T; COLUMNS];

/// The maximum number of rows of Dst per call.
pub(super) const ROWS: usize = 8;
/// A value per lane of [`ROWS`] rows.
pub(super) type Block<T> = [T; ROWS * COLUMNS];

/// A format of Dst, whose parameters are compile-time constants. The upper 16 bits of a datum hold,
/// from the highest one, the sign, mantissa bits and the exponent. The lower 16 bits hold the rest
/// of the mantissa.
pub(super) trait Format {
    /// Stored mantissa bits.
    const MANTISSA: u32;
    /// Bits of the exponent field.
    const EXPONENT: u32;
    /// The saturated result, exponent first and without sign.
    const OVERFLOW: i32;
    /// Whether datums have a lower half and addends keep all their bits (32-bit Dst).
    const WIDE: bool;
}

/// FP32.
pub(super) struct F32;
/// BF16.
pub(super) struct Bf16;
/// FP16.
pub(super) struct Fp16;

impl Format for F32 {
    const MANTISSA: u32 = 23;
    const EXPONENT: u32 = 8;
    const OVERFLOW: i32 = 255 << 23;
    const WIDE: bool = true;
}

impl Format for Bf16 {
    const MANTISSA: u32 = 7;
    const EXPONENT: u32 = 8;
    const OVERFLOW: i32 = 255 << 7;
    const WIDE: bool = false;
}

impl Format for Fp16 {
    const MANTISSA: u32 = 10;
    const EXPONENT: u32 = 5;
    const OVERFLOW: i32 = 0x7FFF;
    const WIDE: bool = false;
}

/// The terms added to each row of Dst, `TERMS` per lane. A term has a biased exponent and twice its
/// value, as `Term` of the reference. A value has at most 29 bits and a sign; exponents are not
/// below zero in Dst.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Terms<const TERMS: usize> {
    pub(super) exponents: [[Lanes<i32>; ROWS]; TERMS],
    pub(super) doubled: [[Lanes<i32>; ROWS]; TERMS],
}

impl<const TERMS: usize> Default for Terms<TERMS> {
    fn default() -> Self {
        Terms {
            exponents: [[[0; COLUMNS]; ROWS]; TERMS],
            doubled: [[[0; COLUMNS]; ROWS]; TERMS],
        }
    }
}

/// Returns all ones if the condition holds, else zero, without a branch.
#[inline(always)]
pub(super) fn mask(condition: bool) -> i32 {
    i32::from(condition).wrapping_neg()
}

/// Returns `doubled / 2^(by + 1)`, ties towards +∞; `by` is not negative.
#[inline(always)]
fn shift_round<V: Vector>(doubled: V::Ints, by: V::Ints) -> V::Ints {
    V::half(V::add(V::right_by(doubled, by), V::int(1)))
}

/// Rounds an addend as a 16-bit Dst requires.
#[inline(always)]
fn keep<F: Format, V: Vector>(value: V::Ints) -> V::Ints {
    match F::WIDE {
        true => value,
        false => V::and(V::add(value, V::int(1 << 12)), V::int(!((1 << 13) - 1))),
    }
}

/// Returns the common exponent, in the terms' bias, and `dst + terms` at that exponent. 32 bits
/// suffice. `one` is the hidden one of datums of Dst, doubled.
#[inline(always)]
fn add<F: Format, V: Vector, const TERMS: usize>(
    (upper, lower): (V::Ints, V::Ints),
    terms: [(V::Ints, V::Ints); TERMS],
    (bias, one): (V::Ints, V::Ints),
) -> (V::Ints, V::Ints) {
    let exponent = V::and(upper, V::int((1 << F::EXPONENT) - 1));
    // Moves the mantissa to below bit 24.
    let stored = (0xFFFF >> (F::EXPONENT + 1)) << (9 + F::EXPONENT);
    let mantissa = V::or(V::and(V::left(upper, 9), V::int(stored)), V::left(lower, 1));
    let is_there = V::larger(exponent, V::int(0));
    let held = V::only(is_there, V::or(mantissa, one));
    let exponent = V::sub(exponent, bias);
    let common = terms.iter().fold(exponent, |max, term| V::max(max, term.0));
    let aligned = V::right_by(held, V::sub(common, exponent));
    let magnitude = keep::<F, V>(V::half(V::add(aligned, V::int(1))));
    // If no bit of the upper half is set, the magnitude is zero.
    let mut sum = V::signed_like(magnitude, upper, 15);
    for (exponent, doubled) in terms {
        let by = V::sub(common, exponent);
        sum = V::add(sum, keep::<F, V>(shift_round::<V>(doubled, by)));
    }
    (common, sum)
}

/// Normalises `sum` (bit 23 has the weight `2^common`) and rounds it. Returns datums in IEEE order,
/// in the upper bits.
///
/// The conversion to an FP32 normalises. It is exact except for 32-bit Dst sums of more than 24
/// bits. Four times such a sum gets low bits set that break ties: the conversion rounds to even,
/// and what would have been a tie is then rounded up.
#[inline(always)]
fn round<F: Format, V: Vector>(
    minus_one_bug: bool,
    (common, sum): (V::Ints, V::Ints),
    bias: V::Ints,
) -> V::Ints {
    let magnitude = V::abs(sum);
    let below = match F::WIDE {
        // Their highest bit is below the one that decides, and set if there is a tie.
        true => V::right(magnitude, 24),
        false => V::int(0),
    };
    let normal = V::bits_of_float(V::or(V::left(magnitude, 2), below));
    let rounded = match F::MANTISSA {
        23 => normal,
        mantissa => V::half(V::add(V::right(normal, 22 - mantissa), V::int(1))),
    };
    // Exponent fields count from 127; that of four times the sum's bit 23 has the weight 2^common.
    let mut more = V::sub(bias, V::int(127 + 25));
    if minus_one_bug {
        let miscounted = V::add(more, V::int(27));
        more = V::choose(V::equal(sum, V::int(-1)), miscounted, more);
    }
    let more = V::add(common, more);
    let field = V::right(rounded, F::MANTISSA);
    let exponent = V::add(field, more);
    let finite = V::add(rounded, V::left(more, F::MANTISSA));
    // Exponents are below 512, so that larger ones than the largest are not lost.
    let magnitude = V::min_unsigned(finite, V::int(F::OVERFLOW));
    let magnitude = V::left(magnitude, 31 - F::MANTISSA - F::EXPONENT);
    // The field is zero for a zero only.
    let is_there = V::larger(V::min(exponent, field), V::int(0));
    let sign = V::and(sum, V::int(i32::MIN));
    V::only(is_there, V::or(sign, magnitude))
}

/// Provides the terms that are added to the lanes from `lane` on of row `m`.
pub(super) trait Addends<V: Vector, const TERMS: usize> {
    /// Returns the exponents and the doubled values.
    fn load(&self, m: usize, lane: usize) -> [(V::Ints, V::Ints); TERMS];
}

impl<V: Vector, const TERMS: usize> Addends<V, TERMS> for Terms<TERMS> {
    #[inline(always)]
    fn load(&self, m: usize, lane: usize) -> [(V::Ints, V::Ints); TERMS] {
        let mut terms = [(V::int(0), V::int(0)); TERMS];
        for (k, term) in terms.iter_mut().enumerate() {
            *term = (
                V::ints(&self.exponents[k][m], lane),
                V::ints(&self.doubled[k][m], lane),
            );
        }
        terms
    }
}

/// Rows that are computed at once: the latency of one is hidden behind the other.
const PAIR: usize = 2;

/// Two rows of Dst with the terms added to them, or to zeros unless `READS`.
struct Sums<'a, A, F, V: Vector, const TERMS: usize, const READS: bool> {
    terms: &'a A,
    /// The number of the first row.
    m: usize,
    high: &'a [Lanes<u16>; PAIR],
    low: Option<&'a [Lanes<u16>; PAIR]>,
    minus_one_bug: bool,
    bias: V::Ints,
    /// The hidden one of datums of Dst, doubled.
    one: V::Ints,
    format: PhantomData<F>,
}

impl<F: Format, V: Vector, A: Addends<V, TERMS>, const TERMS: usize, const READS: bool>
    Parts<V, PAIR> for Sums<'_, A, F, V, TERMS, READS>
{
    #[inline(always)]
    fn part(&mut self, lane: usize) -> [V::Ints; PAIR] {
        let mut rows = [V::int(0); PAIR];
        for (of, row) in rows.iter_mut().enumerate() {
            let mut held = (V::int(0), V::int(0));
            if READS {
                held.0 = V::widen(&self.high[of], lane);
                if let Some(low) = self.low {
                    held.1 = V::widen(&low[of], lane);
                }
            }
            let terms = self.terms.load(self.m + of, lane);
            let sum = add::<F, V, TERMS>(held, terms, (self.bias, self.one));
            *row = round::<F, V>(self.minus_one_bug, sum, self.bias);
        }
        rows
    }
}

/// Adds terms to an even number of rows of Dst, at most eight, given by their high and low halves,
/// or to zeros unless `READS`. `bias` is the exponent field in Dst that corresponds to a term's
/// exponent 0.
#[inline(always)]
pub(super) fn accumulate<F: Format, V: Vector, const TERMS: usize, const READS: bool>(
    minus_one_bug: bool,
    bias: i32,
    terms: &impl Addends<V, TERMS>,
    (high, low): Halves,
) {
    let bias = V::int(bias);
    // If compilers knew that datums of Dst are not negative, they would limit shift amounts.
    let one = V::int(black_box(1 << 24));
    let (high, rest) = high.as_chunks_mut::<PAIR>();
    debug_assert!(rest.is_empty());
    let (low, _) = low.as_chunks_mut::<PAIR>();
    for (k, high) in high.iter_mut().enumerate() {
        let low = if F::WIDE { low.get_mut(k) } else { None };
        let mut sums = Sums::<_, F, V, TERMS, READS> {
            terms,
            m: PAIR * k,
            high,
            low: low.as_deref(),
            minus_one_bug,
            bias,
            one,
            format: PhantomData,
        };
        let rows = V::rows(&mut sums);
        V::store_rows(rows, F::EXPONENT, high, low);
    }
}
