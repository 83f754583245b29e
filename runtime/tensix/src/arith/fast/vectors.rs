//! The vector instructions behind the sums of products: a portable trait, and implementations for
//! x86. Code using the latter must be compiled for a processor that has the instructions.

use super::adder::Lanes;
use crate::arith::COLUMNS;

/// A vector of 32-bit numbers, which are also used as pairs of 16-bit numbers.
pub(super) trait Vector {
    const LANES: usize;
    type Ints: Copy;
    type Floats: Copy;
    /// A condition per lane.
    type Mask: Copy;
    /// The 32-bit numbers of a whole row.
    type Row: Copy;

    /// Loads the lanes from `lane` on.
    fn ints(from: &Lanes<i32>, lane: usize) -> Self::Ints;
    fn floats(from: &Lanes<f32>, lane: usize) -> Self::Floats;
    fn store(x: Self::Ints, to: &mut Lanes<i32>, lane: usize);
    /// Loads pairs of numbers, the lower half first, as the lanes from `lane` on.
    fn pairs(from: &[u16], lane: usize) -> Self::Ints;
    fn store_pairs(x: Self::Ints, to: &mut [u16], lane: usize);
    /// Loads the lanes from `lane` on, zero-extended.
    fn widen(from: &Lanes<u16>, lane: usize) -> Self::Ints;
    /// Returns the rows that consist of these parts.
    fn rows<const N: usize>(parts: &mut impl Parts<Self, N>) -> [Self::Row; N]
    where
        Self: Sized;
    /// Stores the upper halves, whose sign stays in the highest bit while the other fifteen bits
    /// rotate left, so that the `exponent` highest of them become the lowest.
    fn store_upper(row: Self::Row, exponent: u32, to: &mut Lanes<u16>);
    /// Stores the lower halves.
    fn store_lower(row: Self::Row, to: &mut Lanes<u16>);
    /// Stores the upper halves of two rows, and the lower ones if requested.
    #[inline(always)]
    fn store_rows(
        rows: [Self::Row; 2],
        exponent: u32,
        high: &mut [Lanes<u16>; 2],
        low: Option<&mut [Lanes<u16>; 2]>,
    ) {
        for (row, high) in rows.into_iter().zip(high) {
            Self::store_upper(row, exponent, high);
        }
        for (row, low) in rows.into_iter().zip(low.into_iter().flatten()) {
            Self::store_lower(row, low);
        }
    }
    /// Returns a vector of equal lanes.
    fn int(x: i32) -> Self::Ints;
    fn float(x: f32) -> Self::Floats;

    fn add(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn sub(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn max(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn min(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn abs(x: Self::Ints) -> Self::Ints;
    /// Returns `−x` where a bit of `of` is set, and `x` elsewhere.
    fn signed(x: Self::Ints, of: Self::Ints, bit: u32) -> Self::Ints;
    /// Does the same where `x` is zero or one of the bits of `of` up to that one is set.
    #[inline(always)]
    fn signed_like(x: Self::Ints, of: Self::Ints, bit: u32) -> Self::Ints {
        Self::signed(x, of, bit)
    }
    /// Returns the product of numbers below 2^15 that are not negative.
    fn short_product(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn and(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn or(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn xor(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// Shifts logically by fewer than 32 bits.
    fn left(x: Self::Ints, by: u32) -> Self::Ints;
    fn right(x: Self::Ints, by: u32) -> Self::Ints;
    /// Returns `x / 2`, rounded down.
    fn half(x: Self::Ints) -> Self::Ints;
    /// Returns `x / 2^by`, rounded down, for any `by` that is not negative.
    fn right_by(x: Self::Ints, by: Self::Ints) -> Self::Ints;
    /// Returns the same for unsigned numbers, and zero if `by` is negative.
    fn right_by_unsigned(x: Self::Ints, by: Self::Ints) -> Self::Ints;
    /// Returns `x · 2^by`, and zero if `by` is negative or above 31.
    fn left_by(x: Self::Ints, by: Self::Ints) -> Self::Ints;
    fn min_unsigned(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// Returns the number of zeros above the highest one of a number below 2^30 that is positive;
    /// for zero, some number.
    fn leading_zeros(x: Self::Ints) -> Self::Ints;
    /// Returns the product of numbers below 2^24, divided by 2^20; if the division is not exact,
    /// the lowest bit is set.
    fn product_with_sticky(a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// Returns the mask of `a > b`.
    fn larger(a: Self::Ints, b: Self::Ints) -> Self::Mask;
    /// Returns the mask of `a = b`.
    fn equal(a: Self::Ints, b: Self::Ints) -> Self::Mask;
    /// Returns the mask of `a ≠ b`.
    fn different(a: Self::Ints, b: Self::Ints) -> Self::Mask;
    /// Returns the mask of the lanes in which any of these bits is set.
    fn has(x: Self::Ints, bits: Self::Ints) -> Self::Mask;
    /// Returns the mask of the lowest bits of a number.
    fn mask(bits: u32) -> Self::Mask;
    /// Returns whether the mask is true in any lane.
    fn any(mask: Self::Mask) -> bool;
    /// Returns the conjunction of two masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns `a` where the mask is true, and `b` elsewhere.
    fn choose(mask: Self::Mask, a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// Returns `x` where the mask is true, and 0 elsewhere.
    fn only(mask: Self::Mask, x: Self::Ints) -> Self::Ints;

    /// Returns `x` with the lowest bit set where the mask is true.
    fn set_lowest(mask: Self::Mask, x: Self::Ints) -> Self::Ints;

    /// Returns the maximum of `a + b` and `c` in each 16-bit half.
    fn add_max(a: Self::Ints, b: Self::Ints, c: Self::Ints) -> Self::Ints;
    /// Returns the lower and the upper halves, zero-extended.
    fn halves(x: Self::Ints) -> [Self::Ints; 2];

    /// Returns the float 1.5·2^(x − 127).
    fn start(x: Self::Ints) -> Self::Floats;
    /// Returns `a·b + c`, rounded once.
    fn fused(a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    fn float_sum(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn float_difference(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// Returns the floats that have these bits.
    fn float_with_bits(bits: Self::Ints) -> Self::Floats;
    fn bits(x: Self::Floats) -> Self::Ints;
    /// Returns the number of representable floats by which `b` is above `a`.
    fn above(a: Self::Floats, b: Self::Floats) -> Self::Ints;
    /// Converts an integer to FP32, rounding to nearest even, and returns its bits.
    fn bits_of_float(x: Self::Ints) -> Self::Ints;
}

/// The parts of `N` rows, of [`Vector::LANES`] lanes each. A closure would not be compiled for the
/// processor that has the instructions.
pub(super) trait Parts<V: Vector, const N: usize> {
    /// Returns the lanes from `lane` on of each row. Called once for each part.
    fn part(&mut self, lane: usize) -> [V::Ints; N];
}

/// A vector of one lane, without vector instructions.
pub(super) struct Plain;

impl Vector for Plain {
    const LANES: usize = 1;
    type Ints = i32;
    type Floats = f32;
    type Mask = bool;
    type Row = Lanes<i32>;

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
    fn pairs(from: &[u16], lane: usize) -> i32 {
        i32::from(from[2 * lane]) | i32::from(from[2 * lane + 1]) << 16
    }

    #[inline(always)]
    fn store_pairs(x: i32, to: &mut [u16], lane: usize) {
        [to[2 * lane], to[2 * lane + 1]] = [x as u16, (x >> 16) as u16];
    }

    #[inline(always)]
    fn widen(from: &Lanes<u16>, lane: usize) -> i32 {
        from[lane].into()
    }

    #[inline(always)]
    fn rows<const N: usize>(parts: &mut impl Parts<Self, N>) -> [Lanes<i32>; N] {
        let mut rows = [Lanes::default(); N];
        for lane in 0..COLUMNS {
            let part = parts.part(lane);
            (0..N).for_each(|row| rows[row][lane] = part[row]);
        }
        rows
    }

    #[inline(always)]
    fn store_upper(row: Lanes<i32>, exponent: u32, to: &mut Lanes<u16>) {
        let upper = |x: i32| (x >> 16) as u16;
        let field = (1 << exponent) - 1;
        *to = row.map(upper).map(|x| {
            x & 1 << 15 | x << exponent & !(1 << 15) & !field | x >> (15 - exponent) & field
        });
    }

    #[inline(always)]
    fn store_lower(row: Lanes<i32>, to: &mut Lanes<u16>) {
        *to = row.map(|x| x as u16);
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
    fn min(a: i32, b: i32) -> i32 {
        a.min(b)
    }

    #[inline(always)]
    fn short_product(a: i32, b: i32) -> i32 {
        a.wrapping_mul(b)
    }

    #[inline(always)]
    fn abs(x: i32) -> i32 {
        x.wrapping_abs()
    }

    #[inline(always)]
    fn signed(x: i32, of: i32, bit: u32) -> i32 {
        Self::choose(of >> bit & 1 != 0, x.wrapping_neg(), x)
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
    fn left_by(x: i32, by: i32) -> i32 {
        x.checked_shl(by as u32).unwrap_or(0)
    }

    #[inline(always)]
    fn min_unsigned(a: i32, b: i32) -> i32 {
        (a as u32).min(b as u32) as i32
    }

    #[inline(always)]
    fn leading_zeros(x: i32) -> i32 {
        x.leading_zeros() as i32
    }

    #[inline(always)]
    fn product_with_sticky(a: i32, b: i32) -> i32 {
        let exact = i64::from(a).wrapping_mul(b.into());
        let dropped = exact & ((1 << 20) - 1);
        (exact >> 20) as i32 | i32::from(dropped != 0)
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
    fn different(a: i32, b: i32) -> bool {
        a != b
    }

    #[inline(always)]
    fn has(x: i32, bits: i32) -> bool {
        x & bits != 0
    }

    #[inline(always)]
    fn mask(bits: u32) -> bool {
        bits & 1 != 0
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
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
    fn set_lowest(mask: bool, x: i32) -> i32 {
        x | i32::from(mask)
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

    #[allow(clippy::float_arithmetic)] // For `float_sum`, which says why the result is exact.
    #[inline(always)]
    fn float_sum(a: f32, b: f32) -> f32 {
        a + b
    }

    #[allow(clippy::float_arithmetic)] // As above.
    #[inline(always)]
    fn float_difference(a: f32, b: f32) -> f32 {
        a - b
    }

    #[inline(always)]
    fn float_with_bits(bits: i32) -> f32 {
        f32::from_bits(bits as u32)
    }

    #[inline(always)]
    fn bits(x: f32) -> i32 {
        x.to_bits() as i32
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

    use super::{Lanes, Parts, Vector};

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
            $widen:ident $shorts:ident
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
            fn pairs(from: &[u16], lane: usize) -> Self::Ints {
                let from = &from[2 * lane..2 * (lane + $lanes)];
                // SAFETY: as above.
                unsafe { $load(from.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store_pairs(x: Self::Ints, to: &mut [u16], lane: usize) {
                let to = &mut to[2 * lane..2 * (lane + $lanes)];
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
            fn store_upper(row: Self::Row, exponent: u32, to: &mut Lanes<u16>) {
                // SAFETY: the processor has these instructions, see `Level::all`; the array has as
                // many bytes as the vector.
                unsafe {
                    let shorts = rotated($shorts(row, true), exponent);
                    _mm256_storeu_si256(to.as_mut_ptr().cast(), shorts);
                }
            }

            #[inline(always)]
            fn store_lower(row: Self::Row, to: &mut Lanes<u16>) {
                // SAFETY: as above.
                unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), $shorts(row, false)) }
            }
        };
    }

    /// Returns a shift amount for all lanes.
    #[inline(always)]
    fn count(by: u32) -> __m128i {
        // SAFETY: all processors of this architecture have the instruction.
        unsafe { _mm_cvtsi32_si128(by as i32) }
    }

    /// Rotates the fifteen bits below the sign as [`Vector::store_upper`] does.
    #[inline(always)]
    fn rotated(x: __m256i, exponent: u32) -> __m256i {
        // SAFETY: the processor has these instructions, see `Level::all`.
        unsafe {
            let field = (1 << exponent) - 1;
            let left = _mm256_sll_epi16(x, count(exponent));
            let right = _mm256_srl_epi16(x, count(15 - exponent));
            let sign = _mm256_and_si256(x, _mm256_set1_epi16(i16::MIN));
            let mantissa = _mm256_and_si256(left, _mm256_set1_epi16(i16::MAX & !field));
            let exponent = _mm256_and_si256(right, _mm256_set1_epi16(field));
            _mm256_or_si256(_mm256_or_si256(sign, mantissa), exponent)
        }
    }

    /// Does the same for two rows.
    #[inline(always)]
    fn rotated_512(x: __m512i, exponent: u32) -> __m512i {
        // SAFETY: as above.
        unsafe {
            let field = (1 << exponent) - 1;
            let left = _mm512_sll_epi16(x, count(exponent));
            let right = _mm512_srl_epi16(x, count(15 - exponent));
            let sign = _mm512_and_si512(x, _mm512_set1_epi16(i16::MIN));
            let mantissa = _mm512_and_si512(left, _mm512_set1_epi16(i16::MAX & !field));
            let exponent = _mm512_and_si512(right, _mm512_set1_epi16(field));
            _mm512_or_si512(_mm512_or_si512(sign, mantissa), exponent)
        }
    }

    /// Returns the numbers 0, 2, 4 and so on, of 16 bits.
    #[inline(always)]
    fn even_numbers() -> __m512i {
        const NUMBERS: [u16; 32] = {
            let mut numbers = [0; 32];
            let mut k = 0;
            while k < 32 {
                numbers[k] = 2 * k as u16;
                k += 1;
            }
            numbers
        };
        // SAFETY: the array has as many bytes as the vector.
        unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) }
    }

    /// Returns the upper or the lower halves of numbers.
    #[inline(always)]
    fn shorts_of_two([first, second]: [__m256i; 2], upper: bool) -> __m256i {
        // SAFETY: as above.
        unsafe {
            let lower = _mm256_set1_epi32(0xFFFF);
            let [first, second] = match upper {
                true => [
                    _mm256_srli_epi32::<16>(first),
                    _mm256_srli_epi32::<16>(second),
                ],
                false => [
                    _mm256_and_si256(first, lower),
                    _mm256_and_si256(second, lower),
                ],
            };
            _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(first, second))
        }
    }

    #[inline(always)]
    fn shorts_of_one(row: __m512i, upper: bool) -> __m256i {
        // SAFETY: as above.
        unsafe {
            match upper {
                true => _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(row)),
                false => _mm512_cvtepi32_epi16(row),
            }
        }
    }

    impl Vector for Avx2 {
        const LANES: usize = 8;
        type Ints = __m256i;
        type Floats = __m256;
        type Mask = __m256i;
        type Row = [__m256i; 2];

        memory! {
            8; _mm256_loadu_si256 _mm256_loadu_ps _mm256_storeu_si256 _mm_loadu_si128
            _mm256_cvtepu16_epi32
            shorts_of_two
        }

        #[inline(always)]
        fn rows<const N: usize>(parts: &mut impl Parts<Self, N>) -> [[__m256i; 2]; N] {
            let (first, second) = (parts.part(0), parts.part(8));
            let mut rows = first.map(|part| [part; 2]);
            for row in 0..N {
                rows[row][1] = second[row];
            }
            rows
        }

        functions! {
            int(x: i32) -> __m256i = _mm256_set1_epi32(x);
            float(x: f32) -> __m256 = _mm256_set1_ps(x);
            add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
            sub(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
            max(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epi32(a, b);
            min(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epi32(a, b);
            short_product(a: __m256i, b: __m256i) -> __m256i = _mm256_madd_epi16(a, b);
            abs(x: __m256i) -> __m256i = _mm256_abs_epi32(x);
            signed_like(x: __m256i, of: __m256i, bit: u32) -> __m256i =
                _mm256_sign_epi32(x, _mm256_sll_epi32(of, count(31 - bit)));
            signed(x: __m256i, of: __m256i, bit: u32) -> __m256i = {
                // The lowest bit makes a number different from zero, which has no sign.
                let sign = _mm256_sll_epi32(of, count(31 - bit));
                _mm256_sign_epi32(x, _mm256_or_si256(sign, _mm256_set1_epi32(1)))
            };
            and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
            or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
            xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
            left(x: __m256i, by: u32) -> __m256i = _mm256_sll_epi32(x, count(by));
            right(x: __m256i, by: u32) -> __m256i = _mm256_srl_epi32(x, count(by));
            half(x: __m256i) -> __m256i = _mm256_srai_epi32::<1>(x);
            right_by(x: __m256i, by: __m256i) -> __m256i = _mm256_srav_epi32(x, by);
            right_by_unsigned(x: __m256i, by: __m256i) -> __m256i = _mm256_srlv_epi32(x, by);
            left_by(x: __m256i, by: __m256i) -> __m256i = _mm256_sllv_epi32(x, by);
            min_unsigned(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epu32(a, b);
            leading_zeros(x: __m256i) -> __m256i = {
                // Without the bit below the highest one, the conversion does not round it up.
                let highest = _mm256_andnot_si256(_mm256_srli_epi32::<1>(x), x);
                let float = _mm256_castps_si256(_mm256_cvtepi32_ps(highest));
                _mm256_sub_epi32(_mm256_set1_epi32(127 + 31), _mm256_srli_epi32::<23>(float))
            };
            product_with_sticky(a: __m256i, b: __m256i) -> __m256i = {
                let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b));
                let even = _mm256_srli_epi64::<20>(_mm256_mul_epu32(a, b));
                let quotient = _mm256_blend_epi32::<0xAA>(even, _mm256_slli_epi64::<12>(odd));
                let low = _mm256_mullo_epi32(a, b);
                let dropped = _mm256_and_si256(low, _mm256_set1_epi32((1 << 20) - 1));
                let is_exact = _mm256_cmpeq_epi32(dropped, _mm256_setzero_si256());
                _mm256_or_si256(quotient, _mm256_add_epi32(is_exact, _mm256_set1_epi32(1)))
            };
            mask(bits: u32) -> __m256i = {
                let own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                let bits = _mm256_set1_epi32(bits as i32);
                _mm256_cmpeq_epi32(_mm256_and_si256(bits, own), own)
            };
            set_lowest(mask: __m256i, x: __m256i) -> __m256i =
                _mm256_or_si256(x, _mm256_srli_epi32::<31>(mask));
            larger(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpgt_epi32(a, b);
            equal(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi32(a, b);
            different(a: __m256i, b: __m256i) -> __m256i =
                _mm256_xor_si256(_mm256_cmpeq_epi32(a, b), _mm256_set1_epi32(-1));
            has(x: __m256i, bits: __m256i) -> __m256i = {
                let none = _mm256_cmpeq_epi32(_mm256_and_si256(x, bits), _mm256_setzero_si256());
                _mm256_xor_si256(none, _mm256_set1_epi32(-1))
            };
            any(mask: __m256i) -> bool = _mm256_testz_si256(mask, mask) == 0;
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
            float_sum(a: __m256, b: __m256) -> __m256 = _mm256_add_ps(a, b);
            float_difference(a: __m256, b: __m256) -> __m256 = _mm256_sub_ps(a, b);
            float_with_bits(bits: __m256i) -> __m256 = _mm256_castsi256_ps(bits);
            bits(x: __m256) -> __m256i = _mm256_castps_si256(x);
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
        type Row = __m512i;

        memory! {
            16; _mm512_loadu_si512 _mm512_loadu_ps _mm512_storeu_si512 _mm256_loadu_si256
            _mm512_cvtepu16_epi32
            shorts_of_one
        }

        #[inline(always)]
        fn rows<const N: usize>(parts: &mut impl Parts<Self, N>) -> [__m512i; N] {
            parts.part(0)
        }

        #[inline(always)]
        fn store_rows(
            [first, second]: [__m512i; 2],
            exponent: u32,
            high: &mut [Lanes<u16>; 2],
            low: Option<&mut [Lanes<u16>; 2]>,
        ) {
            // SAFETY: the processor has these instructions, see `Level::all`; the arrays have as
            // many bytes as the vectors.
            unsafe {
                if let Some(low) = low {
                    let lower = _mm512_permutex2var_epi16(first, even_numbers(), second);
                    _mm512_storeu_si512(low.as_mut_ptr().cast(), lower);
                }
                let odd = _mm512_add_epi16(even_numbers(), _mm512_set1_epi16(1));
                let upper = _mm512_permutex2var_epi16(first, odd, second);
                _mm512_storeu_si512(high.as_mut_ptr().cast(), rotated_512(upper, exponent));
            }
        }

        #[inline(always)]
        fn mask(bits: u32) -> __mmask16 {
            bits as __mmask16
        }

        #[inline(always)]
        fn any(mask: __mmask16) -> bool {
            mask != 0
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
            min(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epi32(a, b);
            short_product(a: __m512i, b: __m512i) -> __m512i = _mm512_madd_epi16(a, b);
            abs(x: __m512i) -> __m512i = _mm512_abs_epi32(x);
            signed(x: __m512i, of: __m512i, bit: u32) -> __m512i = {
                let is_negative = _mm512_test_epi32_mask(of, _mm512_set1_epi32(1 << bit));
                _mm512_mask_sub_epi32(x, is_negative, _mm512_setzero_si512(), x)
            };
            and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
            or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
            xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
            left(x: __m512i, by: u32) -> __m512i = _mm512_sll_epi32(x, count(by));
            right(x: __m512i, by: u32) -> __m512i = _mm512_srl_epi32(x, count(by));
            half(x: __m512i) -> __m512i = _mm512_srai_epi32::<1>(x);
            right_by(x: __m512i, by: __m512i) -> __m512i = _mm512_srav_epi32(x, by);
            right_by_unsigned(x: __m512i, by: __m512i) -> __m512i = _mm512_srlv_epi32(x, by);
            left_by(x: __m512i, by: __m512i) -> __m512i = _mm512_sllv_epi32(x, by);
            min_unsigned(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epu32(a, b);
            leading_zeros(x: __m512i) -> __m512i = _mm512_lzcnt_epi32(x);
            product_with_sticky(a: __m512i, b: __m512i) -> __m512i = {
                let odd = _mm512_mul_epu32(_mm512_srli_epi64::<32>(a), _mm512_srli_epi64::<32>(b));
                let even = _mm512_srli_epi64::<20>(_mm512_mul_epu32(a, b));
                let quotient = _mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64::<12>(odd));
                let low = _mm512_mullo_epi32(a, b);
                let dropped = _mm512_test_epi32_mask(low, _mm512_set1_epi32((1 << 20) - 1));
                Self::set_lowest(dropped, quotient)
            };
            set_lowest(mask: __mmask16, x: __m512i) -> __m512i =
                _mm512_mask_or_epi32(x, mask, x, _mm512_set1_epi32(1));
            larger(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpgt_epi32_mask(a, b);
            equal(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpeq_epi32_mask(a, b);
            different(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpneq_epi32_mask(a, b);
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
            float_sum(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
            float_difference(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
            float_with_bits(bits: __m512i) -> __m512 = _mm512_castsi512_ps(bits);
            bits(x: __m512) -> __m512i = _mm512_castps_si512(x);
            above(a: __m512, b: __m512) -> __m512i =
                _mm512_sub_epi32(_mm512_castps_si512(b), _mm512_castps_si512(a));
            bits_of_float(x: __m512i) -> __m512i = _mm512_castps_si512(_mm512_cvtepi32_ps(x));
        }
    }
}
