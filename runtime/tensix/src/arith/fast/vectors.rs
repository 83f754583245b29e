//! The vector instructions behind the sums of products: a portable trait, and implementations for
//! x86. Code using the latter must be compiled for a processor that has the instructions.

use super::adder::Lanes;

/// A vector of 32-bit numbers, which are also used as pairs of 16-bit numbers.
pub(super) trait Vector {
    const LANES: usize;
    type Ints: Copy;
    type Floats: Copy;
    /// A condition per lane.
    type Mask: Copy;

    /// Loads the lanes from `lane` on.
    fn ints(from: &Lanes<i32>, lane: usize) -> Self::Ints;
    fn floats(from: &Lanes<f32>, lane: usize) -> Self::Floats;
    fn store(x: Self::Ints, to: &mut Lanes<i32>, lane: usize);
    /// Loads the lanes from `lane` on, zero-extended.
    fn widen(from: &Lanes<u16>, lane: usize) -> Self::Ints;
    /// Stores the lower halves; zeros where the mask is false.
    fn narrow(mask: Self::Mask, x: Self::Ints, to: &mut Lanes<u16>, lane: usize);
    /// Returns a vector of equal lanes.
    fn int(x: i32) -> Self::Ints;
    fn float(x: f32) -> Self::Floats;

    fn add(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn sub(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn max(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn abs(x: Self::Ints) -> Self::Ints;
    /// Returns the product of numbers that are not negative, if it is below 2^15.
    fn small_product(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn and(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn or(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn xor(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// Returns the bits of `a` where `which` is set, and those of `b` elsewhere.
    fn merge(which: Self::Ints, a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// Shifts logically by fewer than 32 bits.
    fn left(x: Self::Ints, by: u32) -> Self::Ints;
    fn right(x: Self::Ints, by: u32) -> Self::Ints;
    /// Returns `x / 2`, rounded down.
    fn half(x: Self::Ints) -> Self::Ints;
    /// Returns `x / 2^by`, rounded down, for any `by` that is not negative.
    fn right_by(x: Self::Ints, by: Self::Ints) -> Self::Ints;
    /// Returns the same for unsigned numbers.
    fn right_by_unsigned(x: Self::Ints, by: Self::Ints) -> Self::Ints;

    /// Returns the mask of `a > b`.
    fn larger(a: Self::Ints, b: Self::Ints) -> Self::Mask;
    /// Returns the mask of `a = b`.
    fn equal(a: Self::Ints, b: Self::Ints) -> Self::Mask;
    /// Returns the mask of the lanes in which any of these bits is set.
    fn has(x: Self::Ints, bits: Self::Ints) -> Self::Mask;
    /// Returns the conjunction of two masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns `a` where the mask is true, and `b` elsewhere.
    fn choose(mask: Self::Mask, a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// Returns `x` where the mask is true, and 0 elsewhere.
    fn only(mask: Self::Mask, x: Self::Ints) -> Self::Ints;

    /// Returns the maximum of `a + b` and `c` in each 16-bit half.
    fn add_max(a: Self::Ints, b: Self::Ints, c: Self::Ints) -> Self::Ints;
    /// Returns the lower and the upper halves, zero-extended.
    fn halves(x: Self::Ints) -> [Self::Ints; 2];

    /// Returns the float 1.5·2^(x − 127).
    fn start(x: Self::Ints) -> Self::Floats;
    /// Returns `a·b + c`, rounded once.
    fn fused(a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    /// Returns the number of representable floats by which `b` is above `a`.
    fn above(a: Self::Floats, b: Self::Floats) -> Self::Ints;
    /// Converts an integer to FP32, rounding to nearest even, and returns its bits.
    fn bits_of_float(x: Self::Ints) -> Self::Ints;
}

/// A vector of one lane, without vector instructions.
pub(super) struct Plain;

impl Vector for Plain {
    const LANES: usize = 1;
    type Ints = i32;
    type Floats = f32;
    type Mask = bool;

    #[inline(always)]
    fn ints(from: &Lanes<i32>, lane: usize) -> i32 {
        from[lane]
    }

    #[inline(always)]
    fn floats(from: &Lanes<f32>, lane: usize) -> f32 {
        from[lane]
    }

    #[inline(always)]
    fn store(x: i32, to: &mut Lanes<i32>, lane: usize) {
        to[lane] = x;
    }

    #[inline(always)]
    fn widen(from: &Lanes<u16>, lane: usize) -> i32 {
        from[lane].into()
    }

    #[inline(always)]
    fn narrow(mask: bool, x: i32, to: &mut Lanes<u16>, lane: usize) {
        to[lane] = Self::only(mask, x) as u16;
    }

    #[inline(always)]
    fn int(x: i32) -> i32 {
        x
    }

    #[inline(always)]
    fn float(x: f32) -> f32 {
        x
    }

    #[inline(always)]
    fn add(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn sub(a: i32, b: i32) -> i32 {
        a.wrapping_sub(b)
    }

    #[inline(always)]
    fn max(a: i32, b: i32) -> i32 {
        a.max(b)
    }

    #[inline(always)]
    fn abs(x: i32) -> i32 {
        x.wrapping_abs()
    }

    #[inline(always)]
    fn small_product(a: i32, b: i32) -> i32 {
        i32::from((a as i16).wrapping_mul(b as i16))
    }

    #[inline(always)]
    fn and(a: i32, b: i32) -> i32 {
        a & b
    }

    #[inline(always)]
    fn or(a: i32, b: i32) -> i32 {
        a | b
    }

    #[inline(always)]
    fn xor(a: i32, b: i32) -> i32 {
        a ^ b
    }

    #[inline(always)]
    fn merge(which: i32, a: i32, b: i32) -> i32 {
        a & which | b & !which
    }

    #[inline(always)]
    fn left(x: i32, by: u32) -> i32 {
        x << by
    }

    #[inline(always)]
    fn right(x: i32, by: u32) -> i32 {
        (x as u32 >> by) as i32
    }

    #[inline(always)]
    fn half(x: i32) -> i32 {
        x >> 1
    }

    #[inline(always)]
    fn right_by(x: i32, by: i32) -> i32 {
        x >> by.min(31)
    }

    #[inline(always)]
    fn right_by_unsigned(x: i32, by: i32) -> i32 {
        (x as u32).checked_shr(by as u32).unwrap_or(0) as i32
    }

    #[inline(always)]
    fn larger(a: i32, b: i32) -> bool {
        a > b
    }

    #[inline(always)]
    fn equal(a: i32, b: i32) -> bool {
        a == b
    }

    #[inline(always)]
    fn has(x: i32, bits: i32) -> bool {
        x & bits != 0
    }

    #[inline(always)]
    fn both(a: bool, b: bool) -> bool {
        a & b
    }

    #[inline(always)]
    fn choose(mask: bool, a: i32, b: i32) -> i32 {
        if mask {
            a
        } else {
            b
        }
    }

    #[inline(always)]
    fn only(mask: bool, x: i32) -> i32 {
        Self::choose(mask, x, 0)
    }

    #[inline(always)]
    fn add_max(a: i32, b: i32, c: i32) -> i32 {
        let half = |x: i32, upper: bool| (x >> if upper { 16 } else { 0 }) as i16;
        let [lower, upper] = [false, true].map(|upper| {
            half(a, upper)
                .wrapping_add(half(b, upper))
                .max(half(c, upper))
        });
        i32::from(lower) & 0xFFFF | i32::from(upper) << 16
    }

    #[inline(always)]
    fn halves(x: i32) -> [i32; 2] {
        [x & 0xFFFF, (x as u32 >> 16) as i32]
    }

    #[inline(always)]
    fn start(x: i32) -> f32 {
        f32::from_bits((x << 23 | 1 << 22) as u32)
    }

    #[inline(always)]
    fn fused(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn above(a: f32, b: f32) -> i32 {
        b.to_bits().wrapping_sub(a.to_bits()) as i32
    }

    #[inline(always)]
    fn bits_of_float(x: i32) -> i32 {
        (x as f32).to_bits() as i32
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Lanes, Vector};

    /// Instructions of AVX2 and FMA.
    pub struct Avx2;
    /// Instructions of AVX-512.
    pub struct Avx512;

    /// Defines trait functions by expressions of intrinsics.
    macro_rules! functions {
        ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr;)*) => {
            $(
                #[inline(always)]
                fn $name($($argument: $type),*) -> $result {
                    // SAFETY: the processor has these instructions, see `Level::all`.
                    unsafe { $body }
                }
            )*
        };
    }

    /// Defines the trait functions that load and store.
    macro_rules! memory {
        (
            $lanes:literal; $load:ident $load_floats:ident $store:ident $load_half:ident
            $widen:ident $store_half:ident $narrow:expr
        ) => {
            #[inline(always)]
            fn ints(from: &Lanes<i32>, lane: usize) -> Self::Ints {
                let from: &[i32] = &from[lane..lane + $lanes];
                // SAFETY: so many numbers are there; the processor has these instructions, see
                // `Level::all`.
                unsafe { $load(from.as_ptr().cast()) }
            }

            #[inline(always)]
            fn floats(from: &Lanes<f32>, lane: usize) -> Self::Floats {
                let from: &[f32] = &from[lane..lane + $lanes];
                // SAFETY: as above.
                unsafe { $load_floats(from.as_ptr()) }
            }

            #[inline(always)]
            fn store(x: Self::Ints, to: &mut Lanes<i32>, lane: usize) {
                let to: &mut [i32] = &mut to[lane..lane + $lanes];
                // SAFETY: as above.
                unsafe { $store(to.as_mut_ptr().cast(), x) }
            }

            #[inline(always)]
            fn widen(from: &Lanes<u16>, lane: usize) -> Self::Ints {
                let from: &[u16] = &from[lane..lane + $lanes];
                // SAFETY: as above.
                unsafe { $widen($load_half(from.as_ptr().cast())) }
            }

            #[inline(always)]
            fn narrow(mask: Self::Mask, x: Self::Ints, to: &mut Lanes<u16>, lane: usize) {
                let to: &mut [u16] = &mut to[lane..lane + $lanes];
                // SAFETY: as above.
                unsafe { $store_half(to.as_mut_ptr().cast(), $narrow(mask, x)) }
            }
        };
    }

    /// Returns a shift amount for all lanes.
    #[inline(always)]
    fn count(by: u32) -> __m128i {
        // SAFETY: all processors of this architecture have the instruction.
        unsafe { _mm_cvtsi32_si128(by as i32) }
    }

    impl Vector for Avx2 {
        const LANES: usize = 8;
        type Ints = __m256i;
        type Floats = __m256;
        type Mask = __m256i;

        memory! {
            8; _mm256_loadu_si256 _mm256_loadu_ps _mm256_storeu_si256 _mm_loadu_si128
            _mm256_cvtepu16_epi32 _mm_storeu_si128
            |mask, x| {
                let x = _mm256_and_si256(mask, x);
                let lower = _mm256_set1_epi64x(0x0D0C_0908_0504_0100);
                let x = _mm256_shuffle_epi8(x, lower);
                _mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b10_00>(x))
            }
        }

        functions! {
            int(x: i32) -> __m256i = _mm256_set1_epi32(x);
            float(x: f32) -> __m256 = _mm256_set1_ps(x);
            add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
            sub(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
            max(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epi32(a, b);
            abs(x: __m256i) -> __m256i = _mm256_abs_epi32(x);
            small_product(a: __m256i, b: __m256i) -> __m256i = _mm256_mullo_epi16(a, b);
            and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
            or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
            xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
            merge(which: __m256i, a: __m256i, b: __m256i) -> __m256i =
                _mm256_or_si256(_mm256_and_si256(which, a), _mm256_andnot_si256(which, b));
            left(x: __m256i, by: u32) -> __m256i = _mm256_sll_epi32(x, count(by));
            right(x: __m256i, by: u32) -> __m256i = _mm256_srl_epi32(x, count(by));
            half(x: __m256i) -> __m256i = _mm256_srai_epi32::<1>(x);
            right_by(x: __m256i, by: __m256i) -> __m256i = _mm256_srav_epi32(x, by);
            right_by_unsigned(x: __m256i, by: __m256i) -> __m256i = _mm256_srlv_epi32(x, by);
            larger(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpgt_epi32(a, b);
            equal(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi32(a, b);
            has(x: __m256i, bits: __m256i) -> __m256i = {
                let none = _mm256_cmpeq_epi32(_mm256_and_si256(x, bits), _mm256_setzero_si256());
                _mm256_xor_si256(none, _mm256_set1_epi32(-1))
            };
            both(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
            choose(mask: __m256i, a: __m256i, b: __m256i) -> __m256i =
                _mm256_blendv_epi8(b, a, mask);
            only(mask: __m256i, x: __m256i) -> __m256i = _mm256_and_si256(mask, x);
            add_max(a: __m256i, b: __m256i, c: __m256i) -> __m256i =
                _mm256_max_epi16(_mm256_add_epi16(a, b), c);
            halves(x: __m256i) -> [__m256i; 2] =
                [_mm256_and_si256(x, _mm256_set1_epi32(0xFFFF)), _mm256_srli_epi32::<16>(x)];
            start(x: __m256i) -> __m256 = {
                let exponents = _mm256_slli_epi32::<23>(x);
                _mm256_castsi256_ps(_mm256_or_si256(exponents, _mm256_set1_epi32(1 << 22)))
            };
            fused(a: __m256, b: __m256, c: __m256) -> __m256 = _mm256_fmadd_ps(a, b, c);
            above(a: __m256, b: __m256) -> __m256i =
                _mm256_sub_epi32(_mm256_castps_si256(b), _mm256_castps_si256(a));
            bits_of_float(x: __m256i) -> __m256i = _mm256_castps_si256(_mm256_cvtepi32_ps(x));
        }
    }

    impl Vector for Avx512 {
        const LANES: usize = 16;
        type Ints = __m512i;
        type Floats = __m512;
        type Mask = __mmask16;

        memory! {
            16; _mm512_loadu_si512 _mm512_loadu_ps _mm512_storeu_si512 _mm256_loadu_si256
            _mm512_cvtepu16_epi32 _mm256_storeu_si256
            _mm512_maskz_cvtepi32_epi16
        }

        #[inline(always)]
        fn both(a: __mmask16, b: __mmask16) -> __mmask16 {
            a & b
        }

        functions! {
            int(x: i32) -> __m512i = _mm512_set1_epi32(x);
            float(x: f32) -> __m512 = _mm512_set1_ps(x);
            add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
            sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
            max(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi32(a, b);
            abs(x: __m512i) -> __m512i = _mm512_abs_epi32(x);
            small_product(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi16(a, b);
            and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
            or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
            xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
            merge(which: __m512i, a: __m512i, b: __m512i) -> __m512i =
                _mm512_ternarylogic_epi32::<0xCA>(which, a, b);
            left(x: __m512i, by: u32) -> __m512i = _mm512_sll_epi32(x, count(by));
            right(x: __m512i, by: u32) -> __m512i = _mm512_srl_epi32(x, count(by));
            half(x: __m512i) -> __m512i = _mm512_srai_epi32::<1>(x);
            right_by(x: __m512i, by: __m512i) -> __m512i = _mm512_srav_epi32(x, by);
            right_by_unsigned(x: __m512i, by: __m512i) -> __m512i = _mm512_srlv_epi32(x, by);
            larger(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpgt_epi32_mask(a, b);
            equal(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpeq_epi32_mask(a, b);
            has(x: __m512i, bits: __m512i) -> __mmask16 = _mm512_test_epi32_mask(x, bits);
            choose(mask: __mmask16, a: __m512i, b: __m512i) -> __m512i =
                _mm512_mask_blend_epi32(mask, b, a);
            only(mask: __mmask16, x: __m512i) -> __m512i = _mm512_maskz_mov_epi32(mask, x);
            add_max(a: __m512i, b: __m512i, c: __m512i) -> __m512i =
                _mm512_max_epi16(_mm512_add_epi16(a, b), c);
            halves(x: __m512i) -> [__m512i; 2] =
                [_mm512_and_si512(x, _mm512_set1_epi32(0xFFFF)), _mm512_srli_epi32::<16>(x)];
            start(x: __m512i) -> __m512 = {
                let exponents = _mm512_slli_epi32::<23>(x);
                _mm512_castsi512_ps(_mm512_or_si512(exponents, _mm512_set1_epi32(1 << 22)))
            };
            fused(a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_fmadd_ps(a, b, c);
            above(a: __m512, b: __m512) -> __m512i =
                _mm512_sub_epi32(_mm512_castps_si512(b), _mm512_castps_si512(a));
            bits_of_float(x: __m512i) -> __m512i = _mm512_castps_si512(_mm512_cvtepi32_ps(x));
        }
    }
}
