//! Half precision (`hmfma`, `hmmul`): 16×16 matrices, multiplied in integers.
//!
//! A sum of 16 products of mantissas has at most 22 bits, which a single holds exactly. Scaled, it
//! is zero or between 2^-78 and 2^70 in magnitude. So one single precision addition rounds as the
//! manual requires. Its result is never denormal, since an addend that nearly cancels such a sum
//! has no bits below 2^-102.
//!
//! The products of two columns and their sum are one x86 instruction, which compilers do not
//! generate. A plain Rust version is beside it.

use multiversion::multiversion;
use multiversion::target::match_target;

use super::super::super::format::{self, Format};
use super::super::super::matrix;
use crate::geometry::Geometry;

use super::{elements, finite_words, slot_of_row, store, Kernel, Longs};

const ROWS: usize = 16;
const EXPONENT: u16 = format::Half::INFINITY as u16;
const MANTISSA: u16 = format::Half::MANTISSA as u16;

/// Half precision.
#[derive(Clone, Copy, Debug)]
pub struct Half;

/// For each pair of columns, both elements of every row, in slot order.
type Pairs = [[i16; 2 * ROWS]; ROWS / 2];

/// A decoded matrix.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Matrix {
    /// The signed mantissas.
    pairs: Pairs,
    /// The weight of the lowest mantissa bit of each row, in slot order.
    weights: [f32; ROWS],
    /// The set of rows that are finite blocks without extended elements, one bit each.
    plain: u16,
}

impl Default for Matrix {
    fn default() -> Self {
        Matrix {
            pairs: [[0; 2 * ROWS]; ROWS / 2],
            weights: [weight(0); ROWS],
            plain: u16::MAX,
        }
    }
}

impl Kernel for Half {
    type Matrix = Matrix;
    type Plain = matrix::HalfBlocks;
    const ROWS: usize = ROWS;

    fn set_row(matrices: &mut [Matrix], row: usize, longs: &[Longs]) {
        set_row(matrices, row, longs);
    }

    fn fma(
        matrices: &[Matrix],
        vector: &[Longs],
        addends: (&[Longs], &[Longs]),
        results: (&mut [Longs], &mut [Longs]),
    ) -> u32 {
        fma(matrices, vector, addends, results)
    }
}

/// Returns the weight of the lowest mantissa bit for an exponent field.
#[inline(always)]
fn weight(field: u16) -> f32 {
    const LOWEST: i32 = format::Half::BIAS + format::Half::MANTISSA_BITS as i32 - 1;
    f32::from_bits(
        ((i32::from(field) - LOWEST + format::Single::BIAS) as u32)
            << format::Single::MANTISSA_BITS,
    )
}

/// Returns the weight of the lowest mantissa bit of a block.
#[inline(always)]
fn scale(words: [u16; ROWS]) -> f32 {
    let field = (words[0] & EXPONENT) >> format::Half::MANTISSA_BITS;
    weight(field)
}

/// Returns the signed mantissas of a block, and whether it is finite and without extended elements.
#[inline(always)]
fn decode(words: [u16; ROWS]) -> ([i32; ROWS / 2], bool) {
    let common = words[0] & EXPONENT;
    let (mut unequal, mut mantissas) = (0, 0);
    let mut signed = [0i16; ROWS];
    for (signed, word) in signed.iter_mut().zip(words) {
        unequal |= word & EXPONENT ^ common;
        mantissas |= word & MANTISSA;
        let (magnitude, sign) = ((word & MANTISSA) as i16, word as i16 >> 15);
        *signed = (magnitude ^ sign) - sign;
    }
    let plain = unequal == 0 && common != EXPONENT && (common != 0 || mantissas == 0);
    let pairs = std::array::from_fn(|pair| {
        i32::from(signed[2 * pair + 1]) << 16 | i32::from(signed[2 * pair] as u16)
    });
    (pairs, plain)
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx+avx2+bmi1+bmi2+fma",
    "x86_64+avx+avx2+bmi1+bmi2+fma"
))]
fn set_row(matrices: &mut [Matrix], row: usize, longs: &[Longs]) {
    let slot = slot_of_row(row, ROWS);
    for (matrix, longs) in matrices.iter_mut().zip(longs) {
        let words = elements(longs);
        let (mantissas, plain) = match_target! {
            "x86_64+avx2" => x86::decode(words),
            _ => decode(words),
        };
        for (pair, mantissas) in matrix.pairs.iter_mut().zip(mantissas) {
            (pair[2 * slot], pair[2 * slot + 1]) = (mantissas as i16, (mantissas >> 16) as i16);
        }
        matrix.weights[slot] = scale(words);
        matrix.plain = matrix.plain & !(1 << row) | u16::from(plain) << row;
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx+avx2+bmi1+bmi2+fma",
    "x86_64+avx+avx2+bmi1+bmi2+fma"
))]
fn fma(
    matrices: &[Matrix],
    vector: &[Longs],
    (high, low): (&[Longs], &[Longs]),
    (to_high, to_low): (&mut [Longs], &mut [Longs]),
) -> u32 {
    match_target! {
        "x86_64+avx512f+avx512bw" => {
            if let [matrix] = matrices {
                let results = (&mut *to_high, &mut *to_low);
                if x86::fma_shared(matrix, vector, (high, low), results) {
                    return 0;
                }
            }
        }
        _ => {}
    }
    let (mut left, stride) = (0, usize::from(matrices.len() > 1));
    // All vectors first: their elements are then read from memory, into whole registers.
    let mut vectors = [[0; ROWS / 2]; Geometry::BOARD.mabs];
    for (mab, (signed, vector)) in vectors.iter_mut().zip(vector).enumerate() {
        let plain;
        (*signed, plain) = match_target! {
            "x86_64+avx2" => x86::decode(elements(vector)),
            _ => decode(elements(vector)),
        };
        left |= u32::from(!plain) << mab;
    }
    let addends = high.iter().zip(low.iter());
    let results = to_high.iter_mut().zip(to_low.iter_mut());
    for (mab, ((vector, (high, low)), (to_high, to_low))) in
        vector.iter().zip(addends).zip(results).enumerate()
    {
        let matrix = &matrices[mab * stride];
        let x: [u16; ROWS] = elements(vector);
        let sums = match_target! {
            "x86_64+avx512f+avx512bw" => x86::dot_wide(&matrix.pairs, &vectors[mab]),
            "x86_64+avx2" => x86::dot(&matrix.pairs, &vectors[mab]),
            _ => dot(&matrix.pairs, &vectors[mab]),
        };
        let scale = scale(x);
        let (high, high_finite) = finite_words::<8>(elements(high));
        let (low, low_finite) = finite_words::<8>(elements(low));
        let (mut high_sums, mut low_sums) = ([0; 8], [0; 8]);
        for slot in 0..8 {
            let value = |slot: usize| sums[slot] as f32 * (matrix.weights[slot] * scale);
            high_sums[slot] = (value(slot) + f32::from_bits(high[slot])).to_bits();
            low_sums[slot] = (value(8 + slot) + f32::from_bits(low[slot])).to_bits();
        }
        store(high_sums, to_high);
        store(low_sums, to_low);
        let plain = high_finite & low_finite & (matrix.plain == u16::MAX);
        left |= u32::from(!plain) << mab;
    }
    left
}

/// Returns the inner products of all rows with a block, in slot order.
#[inline(always)]
fn dot(pairs: &Pairs, x: &[i32; ROWS / 2]) -> [i32; ROWS] {
    let mut sums = [0; ROWS];
    for (pair, x) in pairs.iter().zip(x) {
        let x = [i32::from(*x as i16), *x >> 16];
        for (slot, sum) in sums.iter_mut().enumerate() {
            *sum += i32::from(pair[2 * slot]) * x[0] + i32::from(pair[2 * slot + 1]) * x[1];
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{scale, Longs, Matrix, Pairs, EXPONENT, MANTISSA, ROWS};
    use crate::geometry::Geometry;
    use crate::numerics::format::{self, Format};

    /// As [`super::decode`].
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn decode(x: [u16; ROWS]) -> ([i32; ROWS / 2], bool) {
        let words: __m256i = bytemuck::cast(x);
        let common = _mm256_broadcastw_epi16(_mm256_castsi256_si128(words));
        let exponent = _mm256_set1_epi16(EXPONENT as i16);
        let equal = _mm256_testz_si256(_mm256_xor_si256(words, common), exponent) == 1;
        let magnitudes = _mm256_and_si256(words, _mm256_set1_epi16(MANTISSA as i16));
        let zero = _mm256_testz_si256(magnitudes, magnitudes) == 1;
        let field = x[0] & EXPONENT;
        let plain = equal & (field != EXPONENT) & ((field != 0) | zero);
        // Negates the magnitudes of negative words. The second operand is never zero, where the
        // instruction would return zero.
        let signed = _mm256_sign_epi16(magnitudes, _mm256_or_si256(words, _mm256_set1_epi16(1)));
        (bytemuck::cast(signed), plain)
    }

    /// As [`super::fma`] with a matrix that all MABs share, which stays in registers. Returns
    /// whether the results of all MABs are valid; if not, or if the number of MABs is odd, the
    /// caller computes all of them again.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    pub fn fma_shared(
        matrix: &Matrix,
        vector: &[Longs],
        (high, low): (&[Longs], &[Longs]),
        (to_high, to_low): (&mut [Longs], &mut [Longs]),
    ) -> bool {
        let rows: [__m512i; ROWS / 2] = matrix.pairs.map(bytemuck::cast);
        let weights: __m512 = bytemuck::cast(matrix.weights);
        let (mut unplain, mut infinite) = (0, 0);
        let (vectors, rest) = vector.as_chunks::<2>();
        let addends = high.as_chunks::<2>().0.iter().zip(low.as_chunks::<2>().0);
        let (to_high, to_low) = (
            to_high.as_chunks_mut::<2>().0,
            to_low.as_chunks_mut::<2>().0,
        );
        let results = to_high.iter_mut().zip(to_low);
        // All vectors first, as in [`super::fma`].
        let mut all_signed = [[[0; ROWS / 2]; 2]; Geometry::BOARD.mabs / 2];
        for (signed, words) in all_signed.iter_mut().zip(vectors) {
            let not_plain;
            (*signed, not_plain) = decode_two(*words);
            unplain |= not_plain;
        }
        let vectors = vectors.iter().zip(&all_signed);
        for (((words, signed), (high, low)), (to_high, to_low)) in vectors.zip(addends).zip(results)
        {
            for mab in 0..2 {
                let sums = dot_rows(&rows, &signed[mab]);
                let scale = _mm512_set1_ps(scale(bytemuck::cast(words[mab])));
                let products =
                    _mm512_mul_ps(_mm512_cvtepi32_ps(sums), _mm512_mul_ps(weights, scale));
                let (addend, is_infinite) = finite(high[mab], low[mab]);
                infinite |= is_infinite;
                let results = _mm512_castps_si512(_mm512_add_ps(products, addend));
                to_high[mab] = bytemuck::cast(_mm512_castsi512_si256(results));
                to_low[mab] = bytemuck::cast(_mm512_extracti64x4_epi64::<1>(results));
            }
        }
        rest.is_empty() & (matrix.plain == u16::MAX) & (unplain == 0) & (infinite == 0)
    }

    /// As [`super::decode`] for two blocks. Returns the mantissas, and the set of words that belong
    /// to no plain block.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn decode_two(blocks: [Longs; 2]) -> ([[i32; ROWS / 2]; 2], __mmask32) {
        /// Of each word, the first one of its block.
        const FIRST: [u16; 2 * ROWS] = {
            let mut first = [0; 2 * ROWS];
            let mut word = ROWS;
            while word < 2 * ROWS {
                first[word] = ROWS as u16;
                word += 1;
            }
            first
        };
        let words: __m512i = bytemuck::cast(blocks);
        let first = _mm512_permutexvar_epi16(bytemuck::cast(FIRST), words);
        let exponent = _mm512_set1_epi16(EXPONENT as i16);
        let mantissa = _mm512_set1_epi16(MANTISSA as i16);
        let unequal = _mm512_test_epi16_mask(_mm512_xor_si512(words, first), exponent);
        let is_infinite = _mm512_cmpeq_epi16_mask(_mm512_and_si512(words, exponent), exponent);
        let is_zero = _mm512_testn_epi16_mask(words, exponent);
        let is_extended = _mm512_mask_test_epi16_mask(is_zero, words, mantissa);
        let magnitudes = _mm512_and_si512(words, mantissa);
        let negative = _mm512_movepi16_mask(words);
        let zero = _mm512_setzero_si512();
        let signed = _mm512_mask_sub_epi16(magnitudes, negative, zero, magnitudes);
        (bytemuck::cast(signed), unequal | is_infinite | is_extended)
    }

    /// Returns the singles of an addend, zeros canonicalised, and the set of infinite ones.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn finite(high: Longs, low: Longs) -> (__m512, __mmask16) {
        let exponent = _mm512_set1_epi32(format::Single::INFINITY as i32);
        let words: __m512i = bytemuck::cast([high, low]);
        let is_infinite = _mm512_cmpeq_epi32_mask(_mm512_and_si512(words, exponent), exponent);
        let is_number = _mm512_test_epi32_mask(words, exponent);
        let words = _mm512_maskz_mov_epi32(is_number, words);
        (_mm512_castsi512_ps(words), is_infinite)
    }

    /// Returns the inner products of all rows, as pairs of columns, with a block.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn dot_rows(rows: &[__m512i; ROWS / 2], x: &[i32; ROWS / 2]) -> __m512i {
        let product = |pair: usize| _mm512_madd_epi16(rows[pair], _mm512_set1_epi32(x[pair]));
        (1..ROWS / 2).fold(product(0), |sums, pair| {
            _mm512_add_epi32(sums, product(pair))
        })
    }

    /// As [`super::dot`], with all rows in one register.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    pub fn dot_wide(pairs: &Pairs, x: &[i32; ROWS / 2]) -> [i32; ROWS] {
        let product = |pair: usize| {
            let rows: __m512i = bytemuck::cast(pairs[pair]);
            _mm512_madd_epi16(rows, _mm512_set1_epi32(x[pair]))
        };
        // Two sums, so that additions need not wait for one another.
        let mut sums = [product(0), product(1)];
        for pair in 2..ROWS / 2 {
            sums[pair % 2] = _mm512_add_epi32(sums[pair % 2], product(pair));
        }
        bytemuck::cast(_mm512_add_epi32(sums[0], sums[1]))
    }

    /// As [`super::dot`].
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn dot(pairs: &Pairs, x: &[i32; ROWS / 2]) -> [i32; ROWS] {
        let mut sums = [_mm256_setzero_si256(); 2];
        for (pair, x) in pairs.iter().zip(x) {
            let x = _mm256_set1_epi32(*x);
            let rows: [__m256i; 2] = bytemuck::cast(*pair);
            sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(rows[0], x));
            sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(rows[1], x));
        }
        bytemuck::cast(sums)
    }
}
