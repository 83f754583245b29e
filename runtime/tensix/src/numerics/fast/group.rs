//! The sum of eight products in each lane, at the largest exponent among them: one loop for every processor, and one each in the instructions that make it
//! fast. All align a product by shifting its magnitude, ties away from zero, and put its sign back.

use super::adder::Lanes;
use super::product::Factors;

/// Products that are summed before they meet Dst.
pub(super) const GROUP: usize = 8;

/// Exponents, still without bias, and sums.
pub(super) type Sums = (Lanes<i16>, Lanes<i16>);

/// A way to sum.
pub(super) trait Sum {
    /// Sums the products of the rows of `a` with the lanes of `b` from `first`, which are there twice, in both halves of 32 bits. No exponent is below `floor`, and
    /// `a`'s significands are doubled. Nothing wraps: a sum of exponents lies between twice that of an absent factor and 510, a doubled product has 13 bits
    /// and a sign, one that is aligned 12, and there are eight.
    fn sum(floor: i16, a: &[Factors<i16>; GROUP], b: &Factors<u32>, first: usize) -> Sums;
}

/// What every processor has.
pub(super) struct Plain;

impl Sum for Plain {
    #[inline(always)]
    fn sum(floor: i16, a: &[Factors<i16>; GROUP], b: &Factors<u32>, first: usize) -> Sums {
        let mut common = [floor; 16];
        for (k, a) in a.iter().enumerate() {
            let b = b.exponents[first + k] as i16;
            for lane in 0..16 {
                let exponent = a.exponents[lane].wrapping_add(b);
                common[lane] = common[lane].max(exponent);
            }
        }
        let mut sums = [0_i16; 16];
        for (k, a) in a.iter().enumerate() {
            let (b_exponent, b_significand) = (
                b.exponents[first + k] as i16,
                b.significands[first + k] as i16,
            );
            for lane in 0..16 {
                let exponent = a.exponents[lane].wrapping_add(b_exponent);
                let product = a.significands[lane].wrapping_mul(b_significand);
                let by = common[lane].wrapping_sub(exponent);
                sums[lane] = sums[lane].wrapping_add(align(product, by));
            }
        }
        (common, sums)
    }
}

/// `x / 2^(by + 1)`, ties away from zero, for `x` of 13 bits and a sign.
#[inline(always)]
fn align(x: i16, by: i16) -> i16 {
    let below = x.wrapping_add(x >> 15);
    (below >> by.min(15)).wrapping_add(1) >> 1
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(super) mod x86 {
    //! With the instructions of x86. Only code that is compiled for a processor that has them calls these.

    use std::arch::x86_64::*;

    use super::*;

    /// With AVX2, which cannot shift 16-bit lanes by different amounts.
    pub(in super::super) struct Avx2;
    /// With AVX-512, in vectors of half its width.
    pub(in super::super) struct Avx512;

    impl Sum for Avx2 {
        #[inline(always)]
        fn sum(floor: i16, a: &[Factors<i16>; GROUP], b: &Factors<u32>, first: usize) -> Sums {
            // SAFETY: `Level::all` has Avx2 and Avx512, which call this, on processors with AVX2 only.
            let aligned = |product, by| unsafe { shift_by_multiplying(product, by) };
            // SAFETY: the same.
            unsafe { sum(floor, a, b, first, aligned) }
        }
    }

    impl Sum for Avx512 {
        #[inline(always)]
        fn sum(floor: i16, a: &[Factors<i16>; GROUP], b: &Factors<u32>, first: usize) -> Sums {
            // SAFETY: `Level::all` has Avx512, which calls this, on processors with these sets of instructions only.
            let aligned = |product, by| unsafe { shift(product, by) };
            // SAFETY: the same.
            unsafe { sum(floor, a, b, first, aligned) }
        }
    }

    fn vector(lanes: &Lanes<i16>) -> __m256i {
        bytemuck::cast(*lanes)
    }

    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn sum(
        floor: i16,
        a: &[Factors<i16>; GROUP],
        b: &Factors<u32>,
        first: usize,
        aligned: impl Fn(__m256i, __m256i) -> __m256i,
    ) -> Sums {
        let mut exponents = [_mm256_setzero_si256(); GROUP];
        let mut common = _mm256_set1_epi16(floor);
        for k in 0..GROUP {
            let b = _mm256_set1_epi32(b.exponents[first + k] as i32);
            exponents[k] = _mm256_add_epi16(vector(&a[k].exponents), b);
            common = _mm256_max_epi16(common, exponents[k]);
        }
        let mut sums = _mm256_setzero_si256();
        for k in 0..GROUP {
            let b = _mm256_set1_epi32(b.significands[first + k] as i32);
            let product = _mm256_mullo_epi16(vector(&a[k].significands), b);
            let by = _mm256_sub_epi16(common, exponents[k]);
            let magnitude = aligned(_mm256_abs_epi16(product), by);
            sums = _mm256_add_epi16(sums, _mm256_sign_epi16(magnitude, product));
        }
        (bytemuck::cast(common), bytemuck::cast(sums))
    }

    /// `x / 2^(by + 1)`, ties up. A shift to the right by `n` that rounds is a multiplication by 2^(15 − n) that rounds; the powers are looked
    /// up, byte by byte.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn shift_by_multiplying(x: __m256i, by: __m256i) -> __m256i {
        // Place n has 2^(15 − n) from 8 on. An index above 127 looks up zero, to which saturation brings all that are too large.
        let powers = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0102_0408_1020_4080, 0));
        let places = _mm256_set1_epi16(0x7971);
        let by = _mm256_min_epu16(by, _mm256_set1_epi16(0x7F));
        let both = _mm256_or_si256(by, _mm256_slli_epi16(by, 8));
        let scale = _mm256_shuffle_epi8(powers, _mm256_adds_epu8(both, places));
        _mm256_mulhrs_epi16(x, scale)
    }

    /// The same.
    ///
    /// # Safety
    /// The processor has AVX-512 with BW and VL.
    #[inline(always)]
    unsafe fn shift(x: __m256i, by: __m256i) -> __m256i {
        // The average with zero halves and rounds up.
        _mm256_avg_epu16(_mm256_srlv_epi16(x, by), _mm256_setzero_si256())
    }
}
