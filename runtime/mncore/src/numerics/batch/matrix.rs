//! Matrix-vector fused multiply-add (section 4.5) for all rows of a matrix at once, in a form compilers vectorise.
//!
//! The results are those of [`super::super::matrix::fma`] bit for bit; the tests hold one against the other. Half,
//! pseudo-single and single precision are covered, with single precision results. Double precision needs more bits than a
//! double has and stays there, as do results rounded to half.
//!
//! Every step in floating point is exact or corrected:
//!
//! 1. Products and their sums are integers of at most 48 bits (half: 22; pseudo-single: 39; single: 48), which doubles,
//!    and for half precision singles, hold exactly. Scaling by a power of two is exact: magnitudes stay between 2^-300
//!    and 2^300.
//! 2. The sum with the addend is rounded to 53 bits; its error is computed exactly (Knuth's TwoSum) and turned into a
//!    *sticky* lowest bit (rounding to odd). A double so rounded has more than two bits beyond single precision, so rounding
//!    it once more to single gives what rounding the exact sum gives.
//! 3. The manual rounds with an unlimited exponent and then flushes what is below the smallest normal number 2^-126. That
//!    is everything below 2^-126 - 2^-151, the tie that rounds up to it; the conversion to single is exact from there on.
//!
//! Blocks that are infinite, invalid or extended, and infinite addends, go through [`super::super::matrix::fma`] row by row.

use super::super::format::{class, Class, Format, Half, Single};
use super::super::matrix::{self, Block, HalfBlocks, Precision, PseudoSingleBlocks, SingleBlocks};
use crate::undetermined::Doubts;

/// A precision mode with matrices of `ROWS` rows and single precision results.
pub trait Kernel<const ROWS: usize>: Precision {
    /// The mantissas of a matrix, arranged for [`Kernel::sums`].
    type Columns: Clone;
    /// Arranges the mantissas.
    fn columns(rows: &[Self::Block; ROWS]) -> Self::Columns;
    /// The inner products of mantissas, as integers.
    fn sums(columns: &Self::Columns, vector: &Self::Block) -> [f64; ROWS];
    /// The common exponent field of a block that is neither infinite nor has extended elements.
    fn plain_exponent(block: &Self::Block) -> Option<u16>;
}

/// A decoded matrix.
#[derive(Clone, Debug)]
pub struct Matrix<K: Kernel<ROWS>, const ROWS: usize> {
    rows: [K::Block; ROWS],
    columns: K::Columns,
    /// The weight of a mantissa's lowest bit in each row; none if a row is not plain.
    weights: Option<[f64; ROWS]>,
    /// What decoding met; it matters when the matrix is used.
    doubts: Doubts,
}

impl<K: Kernel<ROWS>, const ROWS: usize> Matrix<K, ROWS> {
    /// Decodes the rows, each the words of a block. Rows that are not block floats are noted when the matrix is used.
    pub fn new<'a>(words: impl Fn(usize) -> &'a [u64]) -> Self {
        let mut doubts = Doubts::NONE;
        let rows = std::array::from_fn(|row| K::decode(words(row), &mut doubts));
        let plain = doubts.is_empty() && rows.iter().all(|row| K::plain_exponent(row).is_some());
        Matrix {
            columns: K::columns(&rows),
            weights: plain.then(|| std::array::from_fn(|row| weight::<K, ROWS>(&rows[row]))),
            rows,
            doubts,
        }
    }

    /// `matrix · vector + addends`: words of single precision.
    #[inline]
    pub fn fma(
        &self,
        vector: &K::Block,
        addends: &[u32; ROWS],
        doubts: &mut Doubts,
    ) -> [u32; ROWS] {
        let infinite = |word: u32| class::<Single>(u64::from(word)) == Class::Infinite;
        let finite = addends
            .iter()
            .fold(true, |all, &word| all & !infinite(word));
        match (&self.weights, K::plain_exponent(vector)) {
            (Some(weights), Some(_)) if finite => {
                let sums = K::sums(&self.columns, vector);
                accumulate(sums, weights, weight::<K, ROWS>(vector), addends)
            }
            _ => self.fma_by_rows(vector, addends, doubts),
        }
    }

    #[cold]
    fn fma_by_rows(
        &self,
        vector: &K::Block,
        addends: &[u32; ROWS],
        doubts: &mut Doubts,
    ) -> [u32; ROWS] {
        doubts.merge(self.doubts);
        std::array::from_fn(|row| {
            let addend = u64::from(addends[row]);
            matrix::fma::<K, Single>(&self.rows[row], vector, addend, doubts) as u32
        })
    }
}

/// The weight of the lowest bit of a plain block's mantissas: a power of two.
#[inline]
fn weight<K: Kernel<ROWS>, const ROWS: usize>(block: &K::Block) -> f64 {
    let field = i64::from(K::plain_exponent(block).unwrap_or(0));
    let power = field - i64::from(K::Word::BIAS) - (i64::from(K::MANTISSA_BITS) - 1);
    f64::from_bits(((power + 1023) as u64) << 52)
}

/// The sums of `sums · weights · scale`, which are exact, and finite single precision words, rounded to normalised words of
/// single precision. Loops of few steps each, so that they are vectorised.
#[inline]
fn accumulate<const ROWS: usize>(
    sums: [f64; ROWS],
    weights: &[f64; ROWS],
    scale: f64,
    addends: &[u32; ROWS],
) -> [u32; ROWS] {
    let mut odd = [0.0; ROWS];
    for row in 0..ROWS {
        let value = sums[row] * (weights[row] * scale);
        let empty = addends[row] & Single::INFINITY as u32 == 0;
        let addend = f64::from(f32::from_bits(if empty { 0 } else { addends[row] }));
        odd[row] = add_to_odd(value, addend);
    }
    let mut results = [0; ROWS];
    for row in 0..ROWS {
        let word = (odd[row] as f32).to_bits();
        results[row] = if odd[row].abs() < FLUSH { 0 } else { word };
    }
    results
}

/// 2^-126 - 2^-151: half a step of single precision below its smallest number, were it to continue there.
pub(super) const FLUSH: f64 = f64::from_bits(((1023 - 126) << 52) - (1 << 28));

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

impl Kernel<16> for HalfBlocks {
    /// Columns of signed mantissas: sums of 22 bits fit singles.
    type Columns = [[f32; 16]; 16];

    fn columns(rows: &[Self::Block; 16]) -> Self::Columns {
        std::array::from_fn(|column| {
            std::array::from_fn(|row| f32::from(rows[row].mantissas[column]))
        })
    }

    #[inline]
    fn sums(columns: &Self::Columns, vector: &Self::Block) -> [f64; 16] {
        let mut sums = [0f32; 16];
        for (column, &x) in columns.iter().zip(&vector.mantissas) {
            let x = f32::from(x);
            for (sum, mantissa) in sums.iter_mut().zip(column) {
                *sum += mantissa * x;
            }
        }
        sums.map(f64::from)
    }

    #[inline]
    fn plain_exponent(block: &Self::Block) -> Option<u16> {
        let plain = block.extended == 0 && u64::from(block.exponent) != Half::TOP_EXPONENT;
        plain.then_some(block.exponent)
    }
}

/// The exponent field of a single precision block that is not infinite.
#[inline]
fn plain_single<const N: usize>(block: &Block<i64, N>) -> Option<u16> {
    (u64::from(block.exponent) != Single::TOP_EXPONENT).then_some(block.exponent)
}

impl Kernel<8> for PseudoSingleBlocks {
    /// Columns of signed mantissas.
    type Columns = [[f64; 8]; 8];

    fn columns(rows: &[Self::Block; 8]) -> Self::Columns {
        std::array::from_fn(|column| std::array::from_fn(|row| rows[row].mantissas[column] as f64))
    }

    #[inline]
    fn sums(columns: &Self::Columns, vector: &Self::Block) -> [f64; 8] {
        let mut sums = [0.0; 8];
        for (column, &x) in columns.iter().zip(&vector.mantissas) {
            let x = x as i32 as f64;
            for (sum, mantissa) in sums.iter_mut().zip(column) {
                *sum += mantissa * x;
            }
        }
        sums
    }

    #[inline]
    fn plain_exponent(block: &Self::Block) -> Option<u16> {
        plain_single(block)
    }
}

impl Kernel<8> for SingleBlocks {
    /// For each column: signed mantissas, their low bits, and the low bits' signs.
    type Columns = [[f64; 8]; 12];

    fn columns(rows: &[Self::Block; 8]) -> Self::Columns {
        std::array::from_fn(|column| {
            std::array::from_fn(|row| parts(rows[row].mantissas[column / 3])[column % 3])
        })
    }

    #[inline]
    fn sums(columns: &Self::Columns, vector: &Self::Block) -> [f64; 8] {
        let mut factors = [0.0; 12];
        for (factors, &x) in factors.chunks_exact_mut(3).zip(&vector.mantissas) {
            let [x, low, sign] = parts(x);
            // Minus what is omitted; plus the product of the two highest omitted bits, which is bit 8 of the product.
            factors.copy_from_slice(&[x, -low, sign * 256.0]);
        }
        let mut sums = [0.0; 8];
        for (column, x) in columns.iter().zip(factors) {
            for (sum, part) in sums.iter_mut().zip(column) {
                *sum += part * x;
            }
        }
        sums
    }

    #[inline]
    fn plain_exponent(block: &Self::Block) -> Option<u16> {
        plain_single(block)
    }
}

/// A mantissa, the five lowest bits of its magnitude with its sign, and that sign: zero if those bits are.
#[inline]
fn parts(mantissa: i64) -> [f64; 3] {
    // The remainder of a truncating division has the sign of the dividend.
    let (mantissa, low) = (mantissa as i32, mantissa as i32 % 32);
    [mantissa, low, low.signum()].map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::super::super::exact::Exact;
    use super::*;

    #[test]
    fn what_rounds_to_the_smallest_number_is_not_flushed() {
        #[track_caller]
        fn check(magnitude: u64, exponent: i32, expect: u32) {
            for negative in [false, true] {
                let exact = Exact {
                    negative,
                    magnitude,
                    exponent,
                };
                let sign = if negative { -1.0 } else { 1.0 };
                let weight = f64::from_bits(((exponent + 1023) as u64) << 52);
                let result = accumulate([sign * magnitude as f64], &[weight], 1.0, &[0x8000_0001]);
                assert_eq!(u64::from(result[0]), exact.round::<Single>(), "{exact:?}");
                assert_eq!(result[0] & !(Single::SIGN as u32), expect, "{exact:?}");
            }
        }
        let smallest = 1 << 23;
        check(1, -126, smallest);
        check((1 << 26) - 1, -152, smallest);
        // The tie goes to the even neighbour, which is the smallest number.
        check((1 << 25) - 1, -151, smallest);
        check((1 << 45) - (1 << 20) - 1, -171, 0);
        check(1, -127, 0);
        check((1 << 25) + 1, -151, smallest);
        check((1 << 25) + 3, -151, smallest + 1);
    }
}
