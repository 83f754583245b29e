//! [`Vector`]s: plain ones, and those of x86. Only code that is compiled for a processor that has them calls the latter.

use super::adder::Lanes;
use super::fused::Vector;

/// One number, without vector instructions.
pub(super) struct Plain;

impl Vector for Plain {
    const LANES: usize = 1;
    type Ints = i32;
    type Floats = f32;

    fn ints(from: &Lanes<i32>, lane: usize) -> i32 {
        from[lane]
    }

    fn floats(from: &Lanes<f32>, lane: usize) -> f32 {
        from[lane]
    }

    fn store(x: i32, to: &mut Lanes<i32>, lane: usize) {
        to[lane] = x;
    }

    fn int(x: i32) -> i32 {
        x
    }

    fn float(x: f32) -> f32 {
        x
    }

    fn add(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }

    fn add_max(a: i32, b: i32, c: i32) -> i32 {
        let half = |x: i32, upper: bool| (x >> if upper { 16 } else { 0 }) as i16;
        let [lower, upper] = [false, true].map(|upper| {
            half(a, upper)
                .wrapping_add(half(b, upper))
                .max(half(c, upper))
        });
        i32::from(lower) & 0xFFFF | i32::from(upper) << 16
    }

    fn halves(x: i32) -> [i32; 2] {
        [x & 0xFFFF, (x as u32 >> 16) as i32]
    }

    fn start(x: i32) -> f32 {
        f32::from_bits((x << 23 | 1 << 22) as u32)
    }

    fn fused(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }

    fn above(a: f32, b: f32) -> i32 {
        b.to_bits().wrapping_sub(a.to_bits()) as i32
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Lanes, Vector};

    /// With AVX2 and FMA.
    pub struct Avx2;
    /// With AVX-512.
    pub struct Avx512;

    /// Implements [`Vector`] with the instructions of a set, given in the order of their use.
    macro_rules! vector {
        ($level:ident, $lanes:literal, $ints:ident, $floats:ident; $load:ident $load_floats:ident $store:ident $int:ident $float:ident
         $add:ident $add16:ident $max16:ident $and:ident $right:ident $left:ident $or:ident $to_floats:ident $fused:ident $to_ints:ident $sub:ident) => {
            impl Vector for $level {
                const LANES: usize = $lanes;
                type Ints = $ints;
                type Floats = $floats;

                #[inline(always)]
                fn ints(from: &Lanes<i32>, lane: usize) -> $ints {
                    let from: &[i32] = &from[lane..lane + $lanes];
                    // SAFETY: so many numbers are there; the processor has these instructions, see `Level::all`.
                    unsafe { $load(from.as_ptr().cast()) }
                }

                #[inline(always)]
                fn floats(from: &Lanes<f32>, lane: usize) -> $floats {
                    let from: &[f32] = &from[lane..lane + $lanes];
                    // SAFETY: as above.
                    unsafe { $load_floats(from.as_ptr()) }
                }

                #[inline(always)]
                fn store(x: $ints, to: &mut Lanes<i32>, lane: usize) {
                    let to: &mut [i32] = &mut to[lane..lane + $lanes];
                    // SAFETY: as above.
                    unsafe { $store(to.as_mut_ptr().cast(), x) }
                }

                #[inline(always)]
                fn int(x: i32) -> $ints {
                    // SAFETY: the processor has the instruction. So have those below.
                    unsafe { $int(x) }
                }

                #[inline(always)]
                fn float(x: f32) -> $floats {
                    // SAFETY: see `int`.
                    unsafe { $float(x) }
                }

                #[inline(always)]
                fn add(a: $ints, b: $ints) -> $ints {
                    // SAFETY: see `int`.
                    unsafe { $add(a, b) }
                }

                #[inline(always)]
                fn add_max(a: $ints, b: $ints, c: $ints) -> $ints {
                    // SAFETY: see `int`.
                    unsafe { $max16($add16(a, b), c) }
                }

                #[inline(always)]
                fn halves(x: $ints) -> [$ints; 2] {
                    // SAFETY: see `int`.
                    unsafe { [$and(x, $int(0xFFFF)), $right::<16>(x)] }
                }

                #[inline(always)]
                fn start(x: $ints) -> $floats {
                    // SAFETY: see `int`.
                    unsafe { $to_floats($or($left::<23>(x), $int(1 << 22))) }
                }

                #[inline(always)]
                fn fused(a: $floats, b: $floats, c: $floats) -> $floats {
                    // SAFETY: see `int`.
                    unsafe { $fused(a, b, c) }
                }

                #[inline(always)]
                fn above(a: $floats, b: $floats) -> $ints {
                    // SAFETY: see `int`.
                    unsafe { $sub($to_ints(b), $to_ints(a)) }
                }
            }
        };
    }

    vector! {
        Avx2, 8, __m256i, __m256;
        _mm256_loadu_si256 _mm256_loadu_ps _mm256_storeu_si256 _mm256_set1_epi32 _mm256_set1_ps
        _mm256_add_epi32 _mm256_add_epi16 _mm256_max_epi16 _mm256_and_si256 _mm256_srli_epi32 _mm256_slli_epi32 _mm256_or_si256
        _mm256_castsi256_ps _mm256_fmadd_ps _mm256_castps_si256 _mm256_sub_epi32
    }

    vector! {
        Avx512, 16, __m512i, __m512;
        _mm512_loadu_si512 _mm512_loadu_ps _mm512_storeu_si512 _mm512_set1_epi32 _mm512_set1_ps
        _mm512_add_epi32 _mm512_add_epi16 _mm512_max_epi16 _mm512_and_si512 _mm512_srli_epi32 _mm512_slli_epi32 _mm512_or_si512
        _mm512_castsi512_ps _mm512_fmadd_ps _mm512_castps_si512 _mm512_sub_epi32
    }
}
