//! Vector fused multiply-add (section 4.3) of single and half precision with single precision
//! results, vectorised.
//!
//! The results equal those of [`super::super::vector::fma`] bit for bit. That function handles
//! double precision, results rounded to half, and infinite operands. The functions here return the
//! set of MABs with infinite operands, one bit each; the results of these MABs are not valid.
//!
//! Single precision: a product has at most 48 bits, also without the omitted partial products and
//! with the correction. Doubles hold all of these exactly, between 2^-298 and 2^256. The sum with
//! the addend is rounded as in a matrix-vector product; see [`super::matrix`].
//!
//! Half precision: a product has 20 bits and is a multiple of 2^-78, so it is exact in single
//! precision. One addition then rounds as the manual requires; see [`super::matrix::Half`].

use bytemuck::{cast_slice, cast_slice_mut};
use multiversion::multiversion;

use super::super::format::{Format, Half, Single};
use super::mabs::{elements, store, Longs};
use super::matrix::{add_to_odd, finite_words, power_of_two, round_one};
use crate::geometry::{Geometry, PES};

/// The singles of all MABs of a block.
const SINGLES: usize = 2 * PES * Geometry::BOARD.mabs;

/// Computes `a · b + c` of two singles in each long word, or `a + c` without `b`; returns the set
/// of MABs with infinite operands.
///
/// Loops go over the singles of all MABs, not of one, as compilers vectorise these best.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx+avx2+bmi1+bmi2+fma",
    "x86_64+avx+avx2+bmi1+bmi2+fma"
))]
pub fn single(a: &[Longs], b: Option<&[Longs]>, c: &[Longs], results: &mut [Longs]) -> u32 {
    let (a, c): (&[u32], &[u32]) = (cast_slice(a), cast_slice(c));
    let mut products = [0.0; SINGLES];
    let mut infinite = 0;
    match b.map(cast_slice::<Longs, u32>) {
        Some(b) => {
            for (to, (a, b)) in products.iter_mut().zip(a.iter().zip(b)) {
                infinite |= u32::from(is_infinite(*a)) | u32::from(is_infinite(*b));
                *to = product(canonical(*a), canonical(*b));
            }
        }
        None => {
            for (to, a) in products.iter_mut().zip(a) {
                infinite |= u32::from(is_infinite(*a));
                *to = number(canonical(*a));
            }
        }
    }
    let results: &mut [u32] = cast_slice_mut(results);
    for (to, (product, c)) in results.iter_mut().zip(products.iter().zip(c)) {
        infinite |= u32::from(is_infinite(*c));
        *to = round_one(add_to_odd(*product, number(canonical(*c))));
    }
    match infinite {
        0 => 0,
        _ => infinite_mabs(a, b, c),
    }
}

/// Returns the set of MABs that have infinite operands.
#[cold]
fn infinite_mabs(a: &[u32], b: Option<&[Longs]>, c: &[u32]) -> u32 {
    let b: &[u32] = b.map_or(&[], cast_slice);
    [a, b, c].into_iter().fold(0, |all, words| {
        let mabs = words.chunks_exact(2 * PES).enumerate();
        mabs.fold(all, |all, (mab, words)| {
            all | u32::from(words.iter().any(|word| is_infinite(*word))) << mab
        })
    })
}

#[inline(always)]
fn is_infinite(word: u32) -> bool {
    !word & Single::INFINITY as u32 == 0
}

/// Returns a word without the sign and mantissa of a zero.
#[inline(always)]
fn canonical(word: u32) -> u32 {
    match word & Single::INFINITY as u32 {
        0 => 0,
        _ => word,
    }
}

#[inline(always)]
fn number(word: u32) -> f64 {
    f64::from(f32::from_bits(word))
}

/// Multiplies two single precision words as the MAU does; zeros have no mantissa.
#[inline(always)]
fn product(a: u32, b: u32) -> f64 {
    /// The low bits of a factor whose mutual products are omitted.
    const LOW: u32 = 0x1f;
    let low = |word: u32| number(word) - number(word & !LOW);
    let omitted = low(a) * low(b);
    // The product of the two highest omitted bits.
    let field = |word: u32| i64::from(word & Single::INFINITY as u32) >> Single::MANTISSA_BITS;
    let unit = 4 - i64::from(Single::BIAS) - i64::from(Single::MANTISSA_BITS);
    let correction = power_of_two(field(a) + field(b) + 2 * unit).copysign(omitted);
    let correction = if omitted == 0.0 { 0.0 } else { correction };
    number(a) * number(b) - omitted + correction
}

/// Computes `a · b + c` of four halves in each long word of `a` and `b` and four singles in both
/// long words of `c`; returns the set of MABs with infinite operands.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx+avx2+bmi1+bmi2+fma",
    "x86_64+avx+avx2+bmi1+bmi2+fma"
))]
pub fn half(
    a: &[Longs],
    b: &[Longs],
    (c_high, c_low): (&[Longs], &[Longs]),
    (high, low): (&mut [Longs], &mut [Longs]),
) -> u32 {
    let mut left = 0;
    let addends = c_high.iter().zip(c_low);
    let operands = a.iter().zip(b).zip(addends).zip(high.iter_mut().zip(low));
    for (mab, (((a, b), (c_high, c_low)), (high, low))) in operands.enumerate() {
        let upper = |longs: &Longs| longs.map(|long| long >> 32);
        let high_finite = sums(&upper(a), &upper(b), c_high, high);
        let low_finite = sums(a, b, c_low, low);
        left |= u32::from(!(high_finite & low_finite)) << mab;
    }
    left
}

/// Computes `a · b + c` of the two halves at the low end of each long word and the singles of `c`;
/// returns whether all operands are finite.
#[inline(always)]
fn sums(a: &Longs, b: &Longs, c: &Longs, results: &mut Longs) -> bool {
    let (a, a_finite) = halves(a);
    let (b, b_finite) = halves(b);
    let (c, c_finite) = finite_words::<8>(elements(c));
    let mut words = [0; 8];
    for index in 0..8 {
        words[index] = (a[index] * b[index] + f32::from_bits(c[index])).to_bits();
    }
    store(words, results);
    a_finite & b_finite & c_finite
}

/// Returns the two halves at the low end of each long word as numbers, and whether all are finite.
#[inline(always)]
fn halves(longs: &Longs) -> ([f32; 8], bool) {
    const EXPONENT: u32 = Half::INFINITY as u32;
    const MAGNITUDE: u32 = Half::SIGN as u32 - 1;
    // The offset that converts the bits of a half, moved to their position in a single, to the same
    // value.
    const REBIAS: u32 = ((Single::BIAS - Half::BIAS) as u32) << Single::MANTISSA_BITS;
    let words: [u32; 8] = elements(&longs.map(|long| long & 0xffff | (long & 0xffff_0000) << 16));
    let mut infinite = 0;
    let mut numbers = [0.0; 8];
    for (number, word) in numbers.iter_mut().zip(words) {
        let magnitude = (word & MAGNITUDE) << (Single::MANTISSA_BITS - Half::MANTISSA_BITS);
        let exponent = word & EXPONENT;
        let magnitude = if exponent == 0 { 0 } else { magnitude + REBIAS };
        infinite |= u32::from(exponent == EXPONENT);
        *number = f32::from_bits(magnitude | (word & Half::SIGN as u32) << 16);
    }
    (numbers, infinite == 0)
}
