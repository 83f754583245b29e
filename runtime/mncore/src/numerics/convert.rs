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
mod tests;
