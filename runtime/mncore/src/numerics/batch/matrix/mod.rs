//! Matrix-vector fused multiply-add (section 4.5) for all MABs of an L1 block, vectorised.
//!
//! The results equal those of [`super::super::matrix::fma`] bit for bit; the tests compare both.
//! Half, pseudo-single and single precision with single precision results are supported. Double
//! precision needs more bits than a host double has. It and results rounded to half use the scalar
//! implementation.
//!
//! Every floating-point operation is exact or corrected:
//!
//! 1. Products and their sums are integers of at most 48 bits (half: 22; pseudo-single: 39; single:
//!    48), which doubles hold exactly. Scaling by a power of two is exact: magnitudes stay between
//!    2^-300 and 2^300.
//! 2. The sum with the addend is rounded to 53 bits. Unless the rounded sum is halfway between two
//!    singles, rounding it again to single gives the correctly rounded exact sum, because rounding
//!    is monotonic. In the halfway case, the rounding error is computed exactly (Knuth's TwoSum)
//!    and or-ed into the lowest bit (rounding to odd). This sticky bit tells on which side of the
//!    tie the exact sum lies. Half precision does not need this step: see [`Half`].
//! 3. The manual rounds with an unlimited exponent and then flushes results below the smallest
//!    normal number 2^-126. This flushes everything below 2^-126 - 2^-151, the tie that rounds up
//!    to it. From there on, the conversion to single is exact.
//!
//! Infinite, invalid and extended blocks and infinite addends are left to the caller:
//! [`Kernel::fma`] returns the MABs in which they occurred.
//!
//! Words stay in memory order (elements of a long word from its low end), since an inner product
//! does not depend on the order of the block's elements. Rows are kept in *slot order*, the order
//! in which their results lie on the data path (`slot_of_row`).

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
    /// The decoded matrix of a MAB.
    type Matrix: Clone + Default + Send;
    /// The scalar implementation of the same precision.
    type Plain: super::super::matrix::Precision;
    /// The number of rows of a matrix.
    const ROWS: usize;

    /// Decodes a row of each matrix.
    fn set_row(matrices: &mut [Self::Matrix], row: usize, longs: &[Longs]);

    /// Computes `matrix · vector + addend` in each MAB. `matrices` holds one matrix per MAB, or one
    /// that all share. `vector` holds the first long words of the PEs; `addends` and `results` hold
    /// first and second long words. Results are rounded, normalised words of single precision.
    ///
    /// Returns the set of MABs, one bit each, whose results are not valid because an operand is not
    /// a finite plain block.
    fn fma(
        matrices: &[Self::Matrix],
        vector: &[Longs],
        addends: (&[Longs], &[Longs]),
        results: (&mut [Longs], &mut [Longs]),
    ) -> u32;
}

/// Returns the slot of a row: the position of its result among the singles of the data path. Slots
/// count from the low end of the first PE's first long word, over the first long words of all PEs,
/// then over their second ones.
const fn slot_of_row(row: usize, rows: usize) -> usize {
    let per_pe = rows / PES;
    let (pe, index) = (row / per_pe, row % per_pe);
    index / 2 * 2 * PES + 2 * pe + (1 - index % 2)
}

/// Returns 2^`power`, which must be in the range of doubles.
#[inline(always)]
pub(super) fn power_of_two(power: i64) -> f64 {
    f64::from_bits(((power + 1023) as u64) << 52)
}

/// Returns the weight of the lowest mantissa bit of a block with this exponent field.
#[inline(always)]
fn weight<F: Format>(field: u64, mantissa_bits: u32) -> f64 {
    power_of_two(field as i64 - i64::from(F::BIAS) - i64::from(mantissa_bits - 1))
}

/// Returns single precision words with zeros canonicalised (no sign, no mantissa), and whether all
/// are finite.
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

/// 2^-126 - 2^-151: the flush threshold, half a unit in the last place below the smallest normal
/// number.
pub(super) const FLUSH: f64 = f64::from_bits(((1023 - 126) << 52) - (1 << 28));

/// Rounds to words of single precision.
#[inline(always)]
fn round<const N: usize>(values: [f64; N]) -> [u32; N] {
    let mut words = [0; N];
    for (word, value) in words.iter_mut().zip(values) {
        *word = round_one(value);
    }
    words
}

/// Rounds to a word of single precision; values below the threshold become +0.
#[inline(always)]
pub(super) fn round_one(value: f64) -> u32 {
    // Negative zeros become +0 too.
    let kept = if value.abs() < FLUSH { 0.0 } else { value };
    (kept as f32).to_bits()
}

/// Returns whether a double is halfway between two singles.
#[inline(always)]
fn is_tie(value: f64) -> bool {
    // Half a unit in the last place of single precision, in the bits of a double.
    const HALF: u64 = 1 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS - 1);
    value.to_bits() & (2 * HALF - 1) == HALF
}

/// Adds two doubles with rounding to odd: the lowest bit is set if the sum is not exact.
#[inline(always)]
pub(super) fn add_to_odd(value: f64, addend: f64) -> f64 {
    let sum = value + addend;
    let virtual_addend = sum - value;
    let error = (value - (sum - virtual_addend)) + (addend - virtual_addend);
    // Selects the double around the exact sum that is nearer to zero, then sets the lowest bit.
    let away = u64::from(error * sum < 0.0);
    f64::from_bits((sum.to_bits() - away) | u64::from(error != 0.0))
}

/// Returns the rounded sums of `sums · weights · scale`, which are exact, and single precision
/// words; also whether all words are finite.
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

/// Adds doubles of at most 48 bits and singles, and rounds to words of single precision as the
/// manual requires.
#[inline(always)]
fn round_sums<const N: usize>(products: [f64; N], addends: [f64; N]) -> [u32; N] {
    let mut values = [0.0; N];
    let mut ties = 0;
    for index in 0..N {
        values[index] = products[index] + addends[index];
        ties |= u64::from(is_tie(values[index]));
    }
    if ties != 0 {
        values = std::array::from_fn(|index| add_to_odd(products[index], addends[index]));
    }
    round(values)
}

/// Returns the exponent field of a block of singles and whether the block is plain: all exponents
/// are equal and finite, and not zero with a nonzero mantissa in `kept`. `places` has a one at the
/// low end of each single of the block.
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
