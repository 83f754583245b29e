//! Conversions between the floating-point formats: widening of inputs (section 3.6.9.23) and
//! narrowing of inputs (sections 3.6.9.24, 3.6.12.19).
//!
//! Arithmetic reads exponent 0 as zero and an exponent of all ones as infinity, so the mantissas of
//! converted zeros and infinities do not matter to it. They matter where converted words are stored
//! or compared as bit patterns, and the manual does not define them. [`widen_visible`] and
//! [`narrow`] record such inputs.
//!
//! Narrowing of *outputs* is not a conversion: the MAU and the reduction network round once,
//! directly to the narrow format ([`super::exact::Exact::round`]).

use super::exact::Exact;
use super::format::{
    classify, exponent, is_negative, mantissa, Class, Double, Format, Half, Single,
};
use super::lanes::{lane, place_lane};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// Converts a word of format `F` to the wider format `T`, preserving the value. Zeros and
/// infinities keep their sign and lose their mantissa.
pub fn widen<F: Format, T: Format>(word: u64) -> u64 {
    let sign = if is_negative::<F>(word) { T::SIGN } else { 0 };
    let magnitude = match classify::<F>(word) {
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

/// As [`widen`], where the bits of the result are observable other than by arithmetic: adds `point`
/// if they are not determined.
pub fn widen_visible<F: Format, T: Format>(
    word: u64,
    point: Undetermined,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    undetermined.add_if(
        classify::<F>(word) != Class::Finite && mantissa::<F>(word) != 0,
        point,
    );
    widen::<F, T>(word)
}

/// Rounds a word of format `F` to the narrower format `T`, to nearest even. Zeros, underflows and
/// infinities keep their sign and get a zero mantissa.
pub fn narrow_unchecked<F: Format, T: Format>(word: u64) -> u64 {
    let sign = if is_negative::<F>(word) { T::SIGN } else { 0 };
    match classify::<F>(word) {
        Class::Zero => sign,
        Class::Infinite => sign | T::INFINITY,
        Class::Finite => sign | Exact::<u64>::from_finite::<F>(word & !F::SIGN).round::<T>(),
    }
}

/// As [`narrow_unchecked`], recording inputs whose result the manual does not determine to the bit.
pub fn narrow<F: Format, T: Format>(word: u64, undetermined: &mut UndeterminedSet) -> u64 {
    let result = narrow_unchecked::<F, T>(word);
    let infinite = classify::<F>(word) == Class::Infinite && mantissa::<F>(word) != 0;
    undetermined.add_if(infinite || result == T::SIGN, Undetermined::NarrowedInput);
    result
}

/// Converts four singles in two long words to four halves in one: an input with the suffix `r`.
pub fn narrow_singles(longs: [u64; 2], undetermined: &mut UndeterminedSet) -> u64 {
    let mut result = 0;
    for index in 0..4 {
        let single = lane::<32>(longs[index as usize / 2], index % 2);
        result |= place_lane::<16>(narrow::<Single, Half>(single, undetermined), index);
    }
    result
}

/// Converts four halves in a long word to four singles in two: a half precision input with the
/// suffix `e`.
pub fn widen_halves(long: u64) -> [u64; 2] {
    let single = |index| widen::<Half, Single>(lane::<16>(long, index));
    [0, 2].map(|first| single(first) << 32 | single(first + 1))
}

/// As [`widen_halves`], where the bits are observable other than by arithmetic; see
/// [`widen_visible`].
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

/// Converts a single to a double: a single precision input with the suffix `e`.
pub fn widen_single(word: u32) -> u64 {
    widen::<Single, Double>(u64::from(word))
}

#[cfg(test)]
mod tests;
