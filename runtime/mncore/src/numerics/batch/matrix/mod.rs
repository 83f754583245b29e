//! Matrix-vector fused multiply-add (section 4.5) for the MABs of an L1 block at once, vectorised.
//!
//! The results are those of [`super::super::matrix::fma`] bit for bit; the tests hold one against
//! the other. Half, pseudo-single and single precision are covered, with single precision results.
//! Double precision needs more bits than a double has and stays there, as do results rounded to
//! half.
//!
//! Every step in floating point is exact or corrected:
//!
//! 1. Products and their sums are integers of at most 48 bits (half: 22; pseudo-single: 39; single:
//!    48), which doubles hold exactly. Scaling by a power of two is exact: magnitudes stay between
//!    2^-300 and 2^300.
//! 2. The sum with the addend is rounded to 53 bits. Unless that gives the middle between two
//!    singles, rounding it once more to single gives what rounding the exact sum gives, as rounding
//!    is monotonic. If it does, the sum's error is computed exactly (Knuth's TwoSum) and turned
//!    into a *sticky* lowest bit (rounding to odd), which tells on what side of the middle the
//!    exact sum is. Half precision needs none of this: see [`Half`].
//! 3. The manual rounds with an unlimited exponent and then flushes what is below the smallest
//!    normal number 2^-126. That is everything below 2^-126 - 2^-151, the tie that rounds up to it;
//!    the conversion to single is exact from there on.
//!
//! Blocks that are infinite, invalid or extended, and infinite addends, are left to the caller:
//! [`Kernel::fma`] says in which MABs it met them.
//!
//! Words stay in the order of memory (elements of a long word from its low end): an inner product
//! does not depend on the order of a block's elements, and rows are kept in the order in which
//! results lie on the data path (`slot_of_row`).

mod doubles;
mod half;
mod pseudo_single;
mod single;

pub use half::Half;
pub use pseudo_single::PseudoSingle;
pub use single::Single;

use super::super::format::{self, Format};
use super::mabs::{elements, store, Longs};
use crate::geometry::PES;

/// A precision mode whose matrices are decoded once and used many times.
pub trait Kernel: 'static {
    /// The matrix of a MAB, decoded.
    type Matrix: Clone + Default + Send;
    /// The same in plain arithmetic.
    type Plain: super::super::matrix::Precision;
    /// Rows of a matrix.
    const ROWS: usize;

    /// Decodes a row of each matrix.
    fn set_row(matrices: &mut [Self::Matrix], row: usize, longs: &[Longs]);

    /// `matrix · vector + addend` in each MAB, with its own matrix or one that all have: `vector`
    /// are the first long words of the PEs, `addends` and `results` have first and second ones.
    /// Results are rounded, normalised words of single precision.
    ///
    /// Returns the MABs, one bit each, whose results do not count, as operands are not finite plain
    /// blocks there.
    fn fma(
        matrices: &[Self::Matrix],
        vector: &[Longs],
        addends: (&[Longs], &[Longs]),
        results: (&mut [Longs], &mut [Longs]),
    ) -> u32;
}

/// Where a row's result lies among the singles of the data path, counted from the low end of the
/// first PE's first long word: over the first long words of all PEs, then over their second ones.
const fn slot_of_row(row: usize, rows: usize) -> usize {
    let per_pe = rows / PES;
    let (pe, index) = (row / per_pe, row % per_pe);
    index / 2 * 2 * PES + 2 * pe + (1 - index % 2)
}

/// 2^`power`, which must be in the range of doubles.
#[inline(always)]
pub(super) fn power_of_two(power: i64) -> f64 {
    f64::from_bits(((power + 1023) as u64) << 52)
}

/// The weight of the lowest bit of the mantissas of a block with this exponent field.
#[inline(always)]
fn weight<F: Format>(field: u64, mantissa_bits: u32) -> f64 {
    power_of_two(field as i64 - i64::from(F::BIAS) - i64::from(mantissa_bits - 1))
}

/// Single precision words, zeros without their sign and mantissa; and whether all are finite.
#[inline(always)]
pub(super) fn finite_words<const N: usize>(words: [u32; N]) -> ([u32; N], bool) {
    const EXPONENT: u32 = format::Single::INFINITY as u32;
    let mut infinite = 0;
    let mut finite = [0; N];
    for (finite, word) in finite.iter_mut().zip(words) {
        let exponent = word & EXPONENT;
        infinite |= u32::from(exponent == EXPONENT);
        *finite = if exponent == 0 { 0 } else { word };
    }
    (finite, infinite == 0)
}

/// 2^-126 - 2^-151: half a step of single precision below its smallest number, were it to continue
/// there.
pub(super) const FLUSH: f64 = f64::from_bits(((1023 - 126) << 52) - (1 << 28));

/// Rounds to words of single precision; what is too small is +0.
#[inline(always)]
fn round<const N: usize>(values: [f64; N]) -> [u32; N] {
    let mut words = [0; N];
    for (word, value) in words.iter_mut().zip(values) {
        // A negative zero is flushed, too.
        let kept = if value.abs() < FLUSH { 0.0 } else { value };
        *word = (kept as f32).to_bits();
    }
    words
}

/// The sum of two doubles, rounded to 53 bits with the lowest one set if the sum is not exact.
#[inline(always)]
fn add_to_odd(value: f64, addend: f64) -> f64 {
    let sum = value + addend;
    let virtual_addend = sum - value;
    let error = (value - (sum - virtual_addend)) + (addend - virtual_addend);
    // Of the two doubles around the exact sum the one nearer to zero, then the lowest bit.
    let away = u64::from(error * sum < 0.0);
    f64::from_bits((sum.to_bits() - away) | u64::from(error != 0.0))
}

/// Rounded sums of `sums · weights · scale`, which are exact, and single precision words; whether
/// all addends are finite.
#[inline(always)]
fn accumulate<const N: usize>(
    sums: [f64; N],
    weights: &[f64; N],
    scale: f64,
    words: [u32; N],
) -> ([u32; N], bool) {
    let (words, finite) = finite_words(words);
    let (mut products, mut addends) = ([0.0; N], [0.0; N]);
    for slot in 0..N {
        products[slot] = sums[slot] * (weights[slot] * scale);
        addends[slot] = f64::from(f32::from_bits(words[slot]));
    }
    (round_sums(products, addends), finite)
}

/// The sums of doubles of at most 48 bits and of singles, rounded to words of single precision as
/// the manual asks for.
#[inline(always)]
pub(super) fn round_sums<const N: usize>(products: [f64; N], addends: [f64; N]) -> [u32; N] {
    // Half a step of single precision in the bits of a double.
    const HALF: u64 = 1 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS - 1);
    let mut values = [0.0; N];
    let mut ties = 0;
    for index in 0..N {
        values[index] = products[index] + addends[index];
        ties |= u64::from(values[index].to_bits() & (2 * HALF - 1) == HALF);
    }
    if ties != 0 {
        values = std::array::from_fn(|index| add_to_odd(products[index], addends[index]));
    }
    round(values)
}

/// The exponent field of a block of singles, and whether it is that of all, finite, and not zero
/// beside mantissas that `kept` has. `places` has a one at the low end of each single that belongs
/// to the block.
#[inline(always)]
fn plain_singles(longs: &Longs, places: u64, kept: u32) -> (u32, bool) {
    const EXPONENT: u32 = format::Single::INFINITY as u32;
    let common = (longs[0] >> 32) as u32 & EXPONENT;
    let (mut unequal, mut mantissas) = (0, 0);
    for long in longs {
        unequal |= long ^ (places * u64::from(common));
        mantissas |= long;
    }
    let equal = unequal & (places * u64::from(EXPONENT)) == 0;
    let zero = mantissas & (places * u64::from(kept)) == 0;
    let plain = equal & (common != EXPONENT) & ((common != 0) | zero);
    (common >> format::Single::MANTISSA_BITS, plain)
}

#[cfg(test)]
mod tests;
