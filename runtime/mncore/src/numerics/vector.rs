//! Vector fused multiply-add of the MAU (section 4.3; instructions 3.6.9.10 to 3.6.9.21).
//!
//! `a·b + c` is computed without intermediate rounding and rounded once to the output format.
//! Single and double precision products omit their lowest partial products ([`super::product`]).
//! `vmul` has `c = +0`, `vadd` has `b = 1.0`, `vpassa` has both. Outputs are normalised, so the
//! sign of a zero addend is never visible.
//!
//! Half precision multiplies halves and adds a single. Its output is a single, or a half with the
//! suffix `r`.

use super::exact::{Exact, SumWord};
use super::format::{classify, is_negative, significand, Class, Double, Format, Half, Single};
use super::lanes::{lane, place_lane, zip};
use super::product;
use crate::undetermined::{Undetermined, UndeterminedSet};

/// A precision mode of the vector operations, identified by the format of its factors.
pub trait Factor: Format {
    /// The format of the addend, and of the output without `r`.
    type Accumulator: Format;
    /// The integer type of the sum.
    type Sum: SumWord;
    /// Multiplies two significands.
    fn product(a: u64, b: u64) -> Self::Sum;
}

impl Factor for Half {
    type Accumulator = Single;
    type Sum = u64;
    #[inline]
    fn product(a: u64, b: u64) -> u64 {
        a * b
    }
}

impl Factor for Single {
    type Accumulator = Single;
    type Sum = u64;
    #[inline]
    fn product(a: u64, b: u64) -> u64 {
        product::multiply_single(a, b)
    }
}

impl Factor for Double {
    type Accumulator = Double;
    type Sum = u128;
    #[inline]
    fn product(a: u64, b: u64) -> u128 {
        product::multiply_double(a, b)
    }
}

/// Returns `a·b + c`. `a` and `b` are words of format `A`, `c` is of its accumulator format, and
/// the result is a normalised word of `O`.
#[inline]
pub fn fma<A: Factor, O: Format>(
    a: u64,
    b: u64,
    c: u64,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    let negative = is_negative::<A>(a) != is_negative::<A>(b);
    let classes = (classify::<A>(a), classify::<A>(b));
    if classes.0 == Class::Infinite
        || classes.1 == Class::Infinite
        || classify::<A::Accumulator>(c) == Class::Infinite
    {
        return infinite::<A, O>(classes, negative, c, undetermined);
    }
    let addend = Exact::<A::Sum>::from_finite::<A::Accumulator>(c);
    if classes.0 == Class::Zero || classes.1 == Class::Zero {
        return addend.round::<O>();
    }
    let exponent = |word| super::format::exponent::<A>(word) as i32;
    let product = Exact {
        negative,
        magnitude: A::product(significand::<A>(a), significand::<A>(b)),
        exponent: exponent(a) + exponent(b) - 2 * (A::BIAS + A::MANTISSA_BITS as i32),
    };
    product.add_exact(addend).round::<O>()
}

/// Returns the result if at least one operand is infinite.
fn infinite<A: Factor, O: Format>(
    classes: (Class, Class),
    negative: bool,
    c: u64,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    let of_sign = |negative| O::INFINITY | if negative { O::SIGN } else { 0 };
    let c_negative = is_negative::<A::Accumulator>(c);
    if classes.0 != Class::Infinite && classes.1 != Class::Infinite {
        return of_sign(c_negative);
    }
    if classes.0 == Class::Zero || classes.1 == Class::Zero {
        undetermined.add(Undetermined::InfinityTimesZero);
        return match classify::<A::Accumulator>(c) {
            Class::Infinite => of_sign(c_negative),
            _ => Exact::<A::Sum>::from_finite::<A::Accumulator>(c).round::<O>(),
        };
    }
    undetermined.add_if(
        classify::<A::Accumulator>(c) == Class::Infinite && c_negative != negative,
        Undetermined::InfinityMinusInfinity,
    );
    of_sign(negative)
}

/// Computes `dvfma` in one PE: one double.
#[inline]
pub fn double(a: u64, b: u64, c: u64, undetermined: &mut UndeterminedSet) -> u64 {
    fma::<Double, Double>(a, b, c, undetermined)
}

/// Computes `dvfmar` in one PE: a single.
#[inline]
pub fn double_narrowed(a: u64, b: u64, c: u64, undetermined: &mut UndeterminedSet) -> u32 {
    fma::<Double, Single>(a, b, c, undetermined) as u32
}

/// Computes `fvfma` in one PE: two singles in a long word.
#[inline]
pub fn single(a: u64, b: u64, c: u64, undetermined: &mut UndeterminedSet) -> u64 {
    let mut index = 0;
    zip::<32>(a, b, |a, b| {
        let c = lane::<32>(c, index);
        index += 1;
        fma::<Single, Single>(a, b, c, undetermined)
    })
}

/// Computes `hvfma` in one PE: four halves times four halves plus four singles in two long words.
#[inline]
pub fn half(a: u64, b: u64, c: [u64; 2], undetermined: &mut UndeterminedSet) -> [u64; 2] {
    let mut result = [0; 2];
    for index in 0..4 {
        let c = lane::<32>(c[index as usize / 2], index % 2);
        let word = fma::<Half, Single>(lane::<16>(a, index), lane::<16>(b, index), c, undetermined);
        result[index as usize / 2] |= place_lane::<32>(word, index % 2);
    }
    result
}

/// Computes `hvfmar` in one PE: as [`half`], rounded to four halves in a long word.
#[inline]
pub fn half_narrowed(a: u64, b: u64, c: [u64; 2], undetermined: &mut UndeterminedSet) -> u64 {
    let mut result = 0;
    for index in 0..4 {
        let c = lane::<32>(c[index as usize / 2], index % 2);
        let word = fma::<Half, Half>(lane::<16>(a, index), lane::<16>(b, index), c, undetermined);
        result |= place_lane::<16>(word, index);
    }
    result
}

/// Returns 1.0 in every lane of a long word: the second factor of `vadd` and `vpassa`.
pub const fn ones<F: Format>() -> u64 {
    F::ONE * (u64::MAX / F::ALL)
}

#[cfg(test)]
mod tests;
