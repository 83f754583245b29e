//! Conversions between the floating-point formats: widening of inputs (section 3.6.9.23) and
//! narrowing of inputs (sections 3.6.9.24, 3.6.12.19).
//!
//! Arithmetic reads exponent 0 as zero and exponent all ones as an infinity, so the bits below do
//! not matter to it. Where converted words are stored or compared as they are, they do, and the
//! manual does not say what they are: [`widen_visible`] and [`narrow`] note it.
//!
//! Narrowing of *outputs* is not a conversion: the MAU and the reduction network round once, to the
//! narrow format ([`super::exact::Exact::round`]).

use super::exact::Exact;
use super::format::{class, exponent, is_negative, mantissa, Class, Double, Format, Half, Single};
use super::lanes::{lane, placed};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// A word of format `F` in the wider format `T`: the same value. Zeros and infinities keep their
/// sign and lose their mantissa.
pub fn widen<F: Format, T: Format>(word: u64) -> u64 {
    let sign = if is_negative::<F>(word) { T::SIGN } else { 0 };
    let magnitude = match class::<F>(word) {
        Class::Zero => 0,
        Class::Infinite => T::INFINITY,
        Class::Finite => {
            let exponent = exponent::<F>(word) as i32 - F::BIAS + T::BIAS;
            (exponent as u64) << T::MANTISSA_BITS
                | mantissa::<F>(word) << (T::MANTISSA_BITS - F::MANTISSA_BITS)
        }
    };
    sign | magnitude
}

/// [`widen`] where the result's bits are seen other than by arithmetic: adds `point` if they are
/// not determined.
pub fn widen_visible<F: Format, T: Format>(
    word: u64,
    point: Undetermined,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    undetermined.add_if(
        class::<F>(word) != Class::Finite && mantissa::<F>(word) != 0,
        point,
    );
    widen::<F, T>(word)
}

/// A word of format `F` rounded to nearest even to the narrower format `T`. Zeros, underflows and
/// infinities keep their sign and have an empty mantissa.
pub fn narrow_unchecked<F: Format, T: Format>(word: u64) -> u64 {
    let sign = if is_negative::<F>(word) { T::SIGN } else { 0 };
    match class::<F>(word) {
        Class::Zero => sign,
        Class::Infinite => sign | T::INFINITY,
        Class::Finite => sign | Exact::<u64>::from_finite::<F>(word & !F::SIGN).round::<T>(),
    }
}

/// [`narrow_unchecked`], noting inputs whose result the manual does not determine to the bit.
pub fn narrow<F: Format, T: Format>(word: u64, undetermined: &mut UndeterminedSet) -> u64 {
    let result = narrow_unchecked::<F, T>(word);
    let infinite = class::<F>(word) == Class::Infinite && mantissa::<F>(word) != 0;
    undetermined.add_if(infinite || result == T::SIGN, Undetermined::NarrowedInput);
    result
}

/// Four singles in two long words as four halves in one: an input with the suffix `r`.
pub fn narrow_singles(longs: [u64; 2], undetermined: &mut UndeterminedSet) -> u64 {
    let mut result = 0;
    for index in 0..4 {
        let single = lane::<32>(longs[index as usize / 2], index % 2);
        result |= placed::<16>(narrow::<Single, Half>(single, undetermined), index);
    }
    result
}

/// Four halves in a long word as four singles in two: a half precision input with the suffix `e`.
pub fn widen_halves(long: u64) -> [u64; 2] {
    let single = |index| widen::<Half, Single>(lane::<16>(long, index));
    [0, 2].map(|first| single(first) << 32 | single(first + 1))
}

/// [`widen_halves`] where the bits are seen other than by arithmetic, as [`widen_visible`].
pub fn widen_halves_visible(
    long: u64,
    point: Undetermined,
    undetermined: &mut UndeterminedSet,
) -> [u64; 2] {
    for index in 0..4 {
        widen_visible::<Half, Single>(lane::<16>(long, index), point, undetermined);
    }
    widen_halves(long)
}

/// A single as a double: a single precision input with the suffix `e`.
pub fn widen_single(word: u32) -> u64 {
    widen::<Single, Double>(u64::from(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_is_exact() {
        assert_eq!(widen::<Half, Single>(0x3e00), 0x3f80_0000);
        assert_eq!(widen::<Half, Single>(0xc281), 0xc0a0_4000);
        assert_eq!(widen::<Half, Single>(0x0200), (127 - 30) << 23);
        assert_eq!(widen::<Half, Single>(0x81ff), 0x8000_0000);
        assert_eq!(widen::<Half, Single>(0xffff), 0xff80_0000);
        assert_eq!(widen_single(0x3f80_0001), 0x3ff0_0000_2000_0000);
        assert_eq!(
            widen_halves(0x3e00_4280_4440_4540),
            [0x3f80_0000_40a0_0000, 0x4110_0000_4150_0000]
        );
    }

    #[test]
    fn every_half_survives_the_way_through_single() {
        for word in 0..=u64::from(u16::MAX) {
            let back = narrow_unchecked::<Single, Half>(widen::<Half, Single>(word));
            let expect = match class::<Half>(word) {
                Class::Finite => word,
                Class::Zero => word & Half::SIGN,
                Class::Infinite => word & !Half::MANTISSA,
            };
            assert_eq!(back, expect, "{word:#x}");
        }
    }

    #[test]
    fn widening_shows_bits() {
        #[track_caller]
        fn check(word: u64, marked: bool) {
            for point in [
                Undetermined::ReductionExtremeWidened,
                Undetermined::WidenedMatrixInput,
            ] {
                let mut undetermined = UndeterminedSet::NONE;
                let wide = widen_visible::<Half, Single>(word, point, &mut undetermined);
                assert_eq!(wide, widen::<Half, Single>(word));
                assert_eq!(undetermined.contains(point), marked, "{word:#x}");
            }
        }
        check(0x8000, false);
        check(0x0001, true);
        check(0x7e00, false);
        check(0xfe01, true);
        check(0x3e01, false);
    }

    #[test]
    fn narrowing_of_inputs() {
        #[track_caller]
        fn check(word: u64, expect: u64, marked: bool) {
            let mut undetermined = UndeterminedSet::NONE;
            assert_eq!(
                narrow::<Single, Half>(word, &mut undetermined),
                expect,
                "{word:#x}"
            );
            assert_eq!(
                undetermined.contains(Undetermined::NarrowedInput),
                marked,
                "{word:#x}"
            );
        }
        check(0x3f80_0000, 0x3e00, false);
        // Ties at bit 13: to the even neighbour.
        check(0x3f80_2000, 0x3e00, false);
        check(0x3f80_6000, 0x3e02, false);
        check(0xbf80_2001, 0xbe01, false);
        check(0x4fff_ffff, 0x7e00, false);
        check(0xff7f_ffff, 0xfe00, false);
        check(0, 0, false);
        check(0x0000_0001, 0, false);
        check(0x8000_0000, 0x8000, true);
        check(0x2000_0000, 0, false);
        check(0xa000_0000, 0x8000, true);
        check(0x7f80_0000, 0x7e00, false);
        check(0x7f80_0001, 0x7e00, true);
        let mut undetermined = UndeterminedSet::NONE;
        let halves = narrow_singles(
            [0x3f80_0000_40a0_0000, 0x4110_0000_4150_0000],
            &mut undetermined,
        );
        assert_eq!(
            (halves, undetermined),
            (0x3e00_4280_4440_4540, UndeterminedSet::NONE)
        );
    }
}
