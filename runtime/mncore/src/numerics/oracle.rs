//! Test oracle: the formulas of chapter 4 transcribed term by term over big integers.
//!
//! It is slow and as close to the text as possible. It shares only the word formats
//! ([`super::format`]) with the fast implementation. Partial products are added bit by bit over the
//! index set *D*, values are exact, and rounding divides. The tests compare both implementations on
//! random and on extreme words, and the reference model executes with these functions.
//!
//! The formulas cover finite operands only. Every function returns `None` if an operand is infinite
//! or a block is invalid; the fast implementation alone defines these cases.

use super::format::{
    classify, exponent, is_negative, mantissa, normalise, Class, Double, Format, Half, Single,
};
use num_bigint::{BigInt, Sign};

/// The value `numerator · 2^exponent`.
#[derive(Clone, Debug)]
struct Value {
    numerator: BigInt,
    exponent: i32,
}

impl Value {
    fn zero() -> Self {
        Value {
            numerator: BigInt::ZERO,
            exponent: 0,
        }
    }

    fn power_of_two(exponent: i32) -> Self {
        Value {
            numerator: BigInt::from(1),
            exponent,
        }
    }

    fn plus(&self, other: &Value) -> Value {
        let exponent = self.exponent.min(other.exponent);
        let at = |value: &Value| &value.numerator << (value.exponent - exponent) as usize;
        Value {
            numerator: at(self) + at(other),
            exponent,
        }
    }

    /// Returns the value times 2^`power`, negated if `negative`.
    fn scaled(self, power: i32, negative: bool) -> Value {
        Value {
            numerator: if negative {
                -self.numerator
            } else {
                self.numerator
            },
            exponent: self.exponent + power,
        }
    }

    /// Rounds to the nearest multiple of 2^`unit`, ties to even.
    fn rounded(&self, unit: i32) -> Value {
        let negative = self.numerator.sign() == Sign::Minus;
        let magnitude = self.numerator.magnitude();
        let numerator = if self.exponent >= unit {
            magnitude << (self.exponent - unit) as usize
        } else {
            let divisor_bits = (unit - self.exponent) as usize;
            let quotient = magnitude >> divisor_bits;
            let rest = magnitude - (&quotient << divisor_bits);
            let half = num_bigint::BigUint::from(1u8) << (divisor_bits - 1);
            let up = rest > half || (rest == half && quotient.bit(0));
            quotient + u8::from(up)
        };
        Value {
            numerator: BigInt::from(numerator),
            exponent: unit,
        }
        .scaled(0, negative)
    }

    /// Returns the exponent of the largest power of two that does not exceed the magnitude; `None`
    /// for zero.
    fn power(&self) -> Option<i32> {
        let bits = self.numerator.magnitude().bits();
        (bits > 0).then(|| self.exponent + bits as i32 - 1)
    }

    /// Applies steps 2 to 4 of section 4.3: rounds the mantissa, brings the exponent into range and
    /// normalises.
    fn word<O: Format>(&self) -> u64 {
        let Some(power) = self.power() else { return 0 };
        let rounded = self.rounded(power - O::MANTISSA_BITS as i32);
        let power = rounded.power().unwrap_or(power);
        let sign = match rounded.numerator.sign() {
            Sign::Minus => O::SIGN,
            Sign::NoSign | Sign::Plus => 0,
        };
        let biased = power + O::BIAS;
        if biased >= O::TOP_EXPONENT as i32 {
            return normalise::<O>(sign | O::INFINITY);
        }
        if biased <= 0 {
            return normalise::<O>(sign);
        }
        let unit = power - O::MANTISSA_BITS as i32;
        let significand = rounded.numerator.magnitude() >> (unit - rounded.exponent) as usize;
        let significand = significand.iter_u64_digits().next().unwrap_or(0);
        normalise::<O>(sign | (biased as u64) << O::MANTISSA_BITS | significand & O::MANTISSA)
    }
}

/// Returns digit `j` of a mantissa of `length` bits, 1 being the highest: *A_j* of equation 4.1.
fn digit(mantissa: u64, length: u32, j: u32) -> bool {
    mantissa >> (length - j) & 1 == 1
}

/// Returns the limit in the definition of *D* (equations 4.6 and 4.8): a partial product is added
/// if one of its two digits is at most 18 or 36 places down. Other lengths have no limit.
fn limit(length: u32) -> u32 {
    match length {
        23 => 18,
        52 => 36,
        _ => length,
    }
}

/// Returns *P'* of section 4.3 for mantissas of `length` bits: the partial products in *D*, and the
/// correction *r*.
fn partial_products(a: u64, b: u64, length: u32) -> Value {
    let limit = limit(length);
    // In units of the weight of the lowest partial product, 2^-(2 · length): at most 2 · 52 bits.
    let mut sum = 0u128;
    let mut omitted = false;
    for j in 1..=length {
        for k in 1..=length {
            let product = digit(a, length, j) && digit(b, length, k);
            if product && (j <= limit || k <= limit) {
                sum += 1 << (2 * length - j - k);
            } else {
                omitted |= product;
            }
        }
    }
    let sum = Value {
        numerator: BigInt::from(sum),
        exponent: -2 * length as i32,
    };
    if omitted {
        sum.plus(&Value::power_of_two(-2 * (limit as i32 + 1)))
    } else {
        sum
    }
}

/// Returns the value of a word that is not infinite: equation 4.1, or zero.
fn value<F: Format>(word: u64) -> Value {
    if classify::<F>(word) == Class::Zero {
        return Value::zero();
    }
    let fraction = Value {
        numerator: BigInt::from(mantissa::<F>(word)),
        exponent: -(F::MANTISSA_BITS as i32),
    };
    let power = exponent::<F>(word) as i32 - F::BIAS;
    Value::power_of_two(0)
        .plus(&fraction)
        .scaled(power, is_negative::<F>(word))
}

/// Returns `a·b + c` of section 4.3: factors of format `A`, addend of format `C`, result of format
/// `O`.
pub fn vector_fma<A: Format, C: Format, O: Format>(a: u64, b: u64, c: u64) -> Option<u64> {
    let classes = [classify::<A>(a), classify::<A>(b), classify::<C>(c)];
    if classes.contains(&Class::Infinite) {
        return None;
    }
    let product = if classes[..2].contains(&Class::Zero) {
        Value::zero()
    } else {
        let length = A::MANTISSA_BITS;
        let fraction = |word| Value {
            numerator: BigInt::from(mantissa::<A>(word)),
            exponent: -(length as i32),
        };
        let power = |word| exponent::<A>(word) as i32 - A::BIAS;
        Value::power_of_two(0)
            .plus(&fraction(a))
            .plus(&fraction(b))
            .plus(&partial_products(
                mantissa::<A>(a),
                mantissa::<A>(b),
                length,
            ))
            .scaled(
                power(a) + power(b),
                is_negative::<A>(a) != is_negative::<A>(b),
            )
    };
    Some(product.plus(&value::<C>(c)).word::<O>())
}

/// Returns the common exponent field of a block; `None` if the block is infinite or invalid.
fn common_exponent<F: Format>(words: &[u64], extensible: bool) -> Option<u64> {
    let common = words.iter().map(|&word| exponent::<F>(word)).max()?;
    let valid = words.iter().all(|&word| {
        let field = exponent::<F>(word);
        field == common || (extensible && field == 0)
    });
    let empty = common != 0 || words.iter().all(|&word| mantissa::<F>(word) == 0);
    (valid && empty && common != F::TOP_EXPONENT).then_some(common)
}

/// Returns `a · b + c` of section 4.5 on two blocks of words of format `F`, of which `length`
/// mantissa bits are used.
fn matrix_fma<F: Format, C: Format, O: Format>(
    a: &[u64],
    b: &[u64],
    c: u64,
    length: u32,
) -> Option<u64> {
    let extensible = length == Half::MANTISSA_BITS;
    let common = (
        common_exponent::<F>(a, extensible)?,
        common_exponent::<F>(b, extensible)?,
    );
    if classify::<C>(c) == Class::Infinite {
        return None;
    }
    let mut sum = Value::zero();
    for (&a, &b) in a.iter().zip(b) {
        let used = |word| mantissa::<F>(word) >> (F::MANTISSA_BITS - length);
        let mut product = partial_products(used(a), used(b), length);
        for (word, common) in [(a, common.0), (b, common.1)] {
            if exponent::<F>(word) != common {
                product = product.scaled(-6, false);
            }
        }
        let product = product.rounded(-2 * length as i32);
        sum = sum.plus(&product.scaled(0, is_negative::<F>(a) != is_negative::<F>(b)));
    }
    let power = |common| common as i32 - F::BIAS;
    let sum = sum.scaled(power(common.0) + power(common.1) + 2, false);
    Some(sum.plus(&value::<C>(c)).word::<O>())
}

/// Returns the half precision result: blocks of 16 plus a single.
pub fn half_matrix_fma<O: Format>(a: &[u64; 16], b: &[u64; 16], c: u64) -> Option<u64> {
    matrix_fma::<Half, Single, O>(a, b, c, 9)
}

/// Returns the pseudo-single result: blocks of 8 plus a single.
pub fn pseudo_single_matrix_fma(a: &[u64; 8], b: &[u64; 8], c: u64) -> Option<u64> {
    matrix_fma::<Single, Single, Single>(a, b, c, 18)
}

/// Returns the single precision result: blocks of 4 plus a single.
pub fn single_matrix_fma(a: &[u64; 4], b: &[u64; 4], c: u64) -> Option<u64> {
    matrix_fma::<Single, Single, Single>(a, b, c, 23)
}

/// Returns the double precision result: blocks of 4 plus a double.
pub fn double_matrix_fma<O: Format>(a: &[u64; 4], b: &[u64; 4], c: u64) -> Option<u64> {
    matrix_fma::<Double, Double, O>(a, b, c, 52)
}

/// Returns one stage of a floating-point sum in the reduction network (section 4.2.1).
pub fn reduction_add<F: Format, O: Format>(words: &[u64]) -> Option<u64> {
    if words
        .iter()
        .any(|&word| classify::<F>(word) == Class::Infinite)
    {
        return None;
    }
    let largest = words
        .iter()
        .filter_map(|&word| value::<F>(word).power())
        .max();
    let Some(largest) = largest else {
        return Some(0);
    };
    let unit = largest - F::MANTISSA_BITS as i32 - 3;
    let sum = words.iter().fold(Value::zero(), |sum, &word| {
        sum.plus(&value::<F>(word).rounded(unit))
    });
    Some(sum.word::<O>())
}

/// Converts a block to block float (section 4.4). `length` is the mantissa length of the result,
/// `spare` the *b* of half precision. Each result is a sign, an exponent field and a mantissa value
/// in units of the common exponent's lowest bit.
pub fn block_float<F: Format>(words: &[u64], length: u32, spare: u32, extended: bool) -> Vec<u64> {
    // Step 1.
    let largest = words.iter().map(|&word| exponent::<F>(word)).max();
    let largest = largest.unwrap_or(0);
    let is_zero = |word: &u64| classify::<F>(*word) == Class::Zero;
    // Step 3c.
    if words.iter().all(is_zero) {
        return words.iter().map(|&word| word & F::SIGN).collect();
    }
    // Step 2, on the digits that rounding keeps ("pseudo-block-carry").
    let tested = length - spare;
    let all_ones = |word| (1..=tested).all(|j| digit(mantissa::<F>(word), F::MANTISSA_BITS, j));
    let carries = words
        .iter()
        .any(|&word| exponent::<F>(word) == largest && all_ones(word));
    let common = largest + u64::from(carries) + u64::from(spare);
    // Step 3a.
    if common >= F::TOP_EXPONENT {
        return words
            .iter()
            .map(|&word| word & F::SIGN | F::INFINITY)
            .collect();
    }
    let convert = |&word: &u64| {
        let sign = word & F::SIGN;
        let common_field = common << F::MANTISSA_BITS;
        // Step 3b.
        if is_zero(&word) {
            return sign | common_field;
        }
        // Steps 4 to 7: the significand in units of the lowest mantissa bit in use, at the common
        // exponent.
        let difference = (common - exponent::<F>(word)) as i32;
        let flagged = extended
            && difference >= 6 + spare as i32
            && !(difference == 6 + spare as i32 && all_ones(word));
        let shift = difference - if flagged { 6 } else { 0 };
        let magnitude = value::<F>(word & !F::SIGN);
        let power = exponent::<F>(word) as i32 - F::BIAS;
        let rounded = magnitude
            .scaled(-power - shift, false)
            .rounded(1 - length as i32);
        let digits = rounded.numerator.magnitude().iter_u64_digits().next();
        let field = digits.unwrap_or(0) << (F::MANTISSA_BITS - length);
        if flagged {
            sign | field
        } else {
            sign | common_field | field
        }
    };
    words.iter().map(convert).collect()
}
