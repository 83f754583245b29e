//! Vector fused multiply-add of the MAU (section 4.3; instructions 3.6.9.10 to 3.6.9.21).
//!
//! `a·b + c` is computed without an intermediate rounding, except that single and double precision
//! products omit their lowest partial products ([`super::product`]), and rounded once to the output
//! format. `vmul` is `c = +0`, `vadd` is `b = 1.0`, `vpassa` both: outputs are normalised, so the
//! sign of a zero addend never shows.
//!
//! Half precision multiplies halves and adds a single; its output is a single, or a half with the
//! suffix `r`.

use super::exact::{Exact, Frame};
use super::format::{class, is_negative, significand, Class, Double, Format, Half, Single};
use super::lanes::{lane, placed, zip};
use super::product;
use crate::undetermined::{Undetermined, UndeterminedSet};

/// A precision mode of the vector operations, by the format of its factors.
pub trait Factor: Format {
    /// The format of the addend, and of the output without `r`.
    type Accumulator: Format;
    /// The frame of the sum.
    type Sum: Frame;
    /// The product of two significands.
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
        product::single(a, b)
    }
}

impl Factor for Double {
    type Accumulator = Double;
    type Sum = u128;
    #[inline]
    fn product(a: u64, b: u64) -> u128 {
        product::double(a, b)
    }
}

/// `a·b + c` on words: `a` and `b` of format `A`, `c` of its accumulator format, the result a
/// normalised word of `O`.
#[inline]
pub fn fma<A: Factor, O: Format>(
    a: u64,
    b: u64,
    c: u64,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    let negative = is_negative::<A>(a) != is_negative::<A>(b);
    let classes = (class::<A>(a), class::<A>(b));
    if classes.0 == Class::Infinite
        || classes.1 == Class::Infinite
        || class::<A::Accumulator>(c) == Class::Infinite
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
    product.plus(addend).round::<O>()
}

/// The result if at least one operand is infinite.
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
        return match class::<A::Accumulator>(c) {
            Class::Infinite => of_sign(c_negative),
            _ => Exact::<A::Sum>::from_finite::<A::Accumulator>(c).round::<O>(),
        };
    }
    undetermined.add_if(
        class::<A::Accumulator>(c) == Class::Infinite && c_negative != negative,
        Undetermined::InfinityMinusInfinity,
    );
    of_sign(negative)
}

/// `dvfma` in one PE: one double.
#[inline]
pub fn double(a: u64, b: u64, c: u64, undetermined: &mut UndeterminedSet) -> u64 {
    fma::<Double, Double>(a, b, c, undetermined)
}

/// `dvfmar` in one PE: a single.
#[inline]
pub fn double_narrowed(a: u64, b: u64, c: u64, undetermined: &mut UndeterminedSet) -> u32 {
    fma::<Double, Single>(a, b, c, undetermined) as u32
}

/// `fvfma` in one PE: two singles in a long word.
#[inline]
pub fn single(a: u64, b: u64, c: u64, undetermined: &mut UndeterminedSet) -> u64 {
    let mut index = 0;
    zip::<32>(a, b, |a, b| {
        let c = lane::<32>(c, index);
        index += 1;
        fma::<Single, Single>(a, b, c, undetermined)
    })
}

/// `hvfma` in one PE: four halves times four halves plus four singles in two long words.
#[inline]
pub fn half(a: u64, b: u64, c: [u64; 2], undetermined: &mut UndeterminedSet) -> [u64; 2] {
    let mut result = [0; 2];
    for index in 0..4 {
        let c = lane::<32>(c[index as usize / 2], index % 2);
        let word = fma::<Half, Single>(lane::<16>(a, index), lane::<16>(b, index), c, undetermined);
        result[index as usize / 2] |= placed::<32>(word, index % 2);
    }
    result
}

/// `hvfmar` in one PE: as [`half`], rounded to four halves in a long word.
#[inline]
pub fn half_narrowed(a: u64, b: u64, c: [u64; 2], undetermined: &mut UndeterminedSet) -> u64 {
    let mut result = 0;
    for index in 0..4 {
        let c = lane::<32>(c[index as usize / 2], index % 2);
        let word = fma::<Half, Half>(lane::<16>(a, index), lane::<16>(b, index), c, undetermined);
        result |= placed::<16>(word, index);
    }
    result
}

/// 1.0 in every lane of a long word of halves, singles or doubles: the second factor of `vadd` and
/// `vpassa`.
pub const fn ones<F: Format>() -> u64 {
    F::ONE * (u64::MAX / F::ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certain<T>(operation: impl FnOnce(&mut UndeterminedSet) -> T) -> T {
        let mut undetermined = UndeterminedSet::NONE;
        let result = operation(&mut undetermined);
        assert_eq!(undetermined, UndeterminedSet::NONE);
        result
    }

    #[test]
    fn the_cancellation_of_section_4_3() {
        // (2^20 + 1)^2 - 2^40: exactly 2^21 + 1, but the omitted partial products show.
        let factor = 0x4980_0008;
        let result = certain(|undetermined| {
            fma::<Single, Single>(factor, factor, 0xd380_0000, undetermined)
        });
        assert_eq!(result, 0x4a00_0010);
    }

    #[test]
    fn vector_operations_of_the_tutorial() {
        #[track_caller]
        fn check_double(a: u64, b: u64, expect: u64) {
            assert_eq!(
                certain(|undetermined| double(a, b, 0, undetermined)),
                expect
            );
        }
        check_double(
            0x4010_0000_0000_0000,
            0x401c_0000_0000_0000,
            0x403c_0000_0000_0000,
        );
        #[track_caller]
        fn check_single(a: u64, b: u64, product: u64, plus_one: u64) {
            assert_eq!(
                certain(|undetermined| single(a, b, 0, undetermined)),
                product
            );
            let one = ones::<Single>();
            assert_eq!(
                certain(|undetermined| single(a, b, one, undetermined)),
                plus_one
            );
        }
        check_single(
            0x4080_0000_4100_0000,
            0x40e0_0000_4170_0000,
            0x41e0_0000_42f0_0000,
            0x41e8_0000_42f2_0000,
        );
        let (a, b) = (0x4200_4400_4500_4600, 0x4380_45c0_46e0_47e0);
        assert_eq!(
            certain(|undetermined| half_narrowed(a, b, [0; 2], undetermined)),
            0x4780_4bc0_4e28_4fe0
        );
        let one = [ones::<Single>(); 2];
        assert_eq!(
            certain(|undetermined| half_narrowed(a, b, one, undetermined)),
            0x47a0_4bc8_4e2a_4fe2
        );
        // The hint of the tutorial: what the addition gives if the product is left in single
        // precision.
        assert_eq!(
            certain(|undetermined| half(a, b, [0; 2], undetermined)),
            [0x41e0_0000_42f0_0000, 0x438a_0000_43f8_0000]
        );
    }

    #[test]
    fn copies_normalise_and_narrow() {
        let one = ones::<Single>();
        assert_eq!(
            certain(|undetermined| single(0x0000_0042_8000_0000, one, 0, undetermined)),
            0
        );
        let halves = 0x3e00_4280_4440_4540;
        assert_eq!(
            certain(|undetermined| half(halves, ones::<Half>(), [0; 2], undetermined)),
            [0x3f80_0000_40a0_0000, 0x4110_0000_4150_0000]
        );
        let three = 0x4008_0000_0000_0000;
        assert_eq!(
            certain(|undetermined| double_narrowed(three, ones::<Double>(), 0, undetermined)),
            0x4040_0000
        );
    }

    #[test]
    fn narrow_outputs_are_rounded_once() {
        // A little above the tie between two words; rounding to the wider format first would end on
        // the tie.
        let a = 0x3f80_2000;
        let tiny = (127 - 30) << 23;
        let tie = 0x3ff0_0000_1000_0000;
        let result = certain(|undetermined| {
            fma::<Double, Single>(tie, Double::ONE, 0x3c3 << 52, undetermined)
        });
        assert_eq!(result, 0x3f80_0001);
        assert_eq!(
            certain(|undetermined| fma::<Half, Half>(0x1400, 0x1400, a, undetermined)),
            0x3e01
        );
        assert_eq!(
            certain(|undetermined| fma::<Half, Half>(0, 0, a, undetermined)),
            0x3e00
        );
        assert_eq!(
            certain(|undetermined| fma::<Half, Half>(0, 0, tiny, undetermined)),
            0x0200
        );
    }

    #[test]
    fn infinities_in_a_vector_operation() {
        const INF: u64 = 0x7f80_0000;
        const NEG: u64 = 0xff80_0000;
        const ONE: u64 = 0x3f80_0000;
        #[track_caller]
        fn check(a: u64, b: u64, c: u64, expect: u64, point: Option<Undetermined>) {
            let mut undetermined = UndeterminedSet::NONE;
            assert_eq!(fma::<Single, Single>(a, b, c, &mut undetermined), expect);
            assert_eq!(
                undetermined.iter().collect::<Vec<_>>(),
                Vec::from_iter(point)
            );
        }
        check(INF, ONE, ONE, INF, None);
        check(INF | 5, ONE | Single::SIGN, ONE, NEG, None);
        check(ONE, ONE, NEG | 7, NEG, None);
        check(0, 0, INF, INF, None);
        check(INF, INF, INF, INF, None);
        check(
            INF,
            0x8000_0000,
            ONE,
            ONE,
            Some(Undetermined::InfinityTimesZero),
        );
        check(0, NEG, NEG | 3, NEG, Some(Undetermined::InfinityTimesZero));
        check(
            ONE,
            INF,
            NEG,
            INF,
            Some(Undetermined::InfinityMinusInfinity),
        );
    }
}
