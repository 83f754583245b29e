//! Block float conversion (section 4.4) of half and pseudo-single blocks, vectorised.
//!
//! An element's mantissa is its magnitude divided by the weight of the common exponent's lowest
//! bit, rounded to the nearest integer, ties to even. Every half is exact as a single, and every
//! single as a double. Scaling by a power of two is exact. Adding 2^23 to a single below 2^22, or
//! 2^52 to a double below 2^51, rounds to the nearest integer and leaves it in the low bits. Small
//! magnitudes do not underflow: elements are within 2^64 (half) or 2^255 (pseudo-single) of the
//! largest, which is scaled to about 2^9 or 2^18.
//!
//! [`super::super::block::convert`] handles the other precisions, blocks of zeros, blocks that
//! become infinite, extended blocks, and pseudo-single blocks whose maximum carries.

use multiversion::multiversion;

use super::super::block::{self, Conversion, PSEUDO_MANTISSA_BITS};
use super::super::format::{Format, Half, Single};
use super::mabs::{common_value, elements, store, Longs};
use super::matrix::power_of_two;
use crate::undetermined::UndeterminedSet;

/// As [`super::super::block::convert`], but vectorised.
#[inline(always)]
pub fn convert(
    conversion: Conversion,
    longs: [u64; 4],
    undetermined: &mut UndeterminedSet,
) -> [u64; 4] {
    let converted = match conversion {
        Conversion::Half(length) => half(longs, Half::MANTISSA_BITS - length.bits()),
        Conversion::PseudoSingle => pseudo_single(longs),
        Conversion::Double | Conversion::Single | Conversion::HalfExtended(_) => None,
    };
    match converted {
        Some(longs) => longs,
        None => block::convert(conversion, longs, undetermined),
    }
}

/// Converts the blocks of many MABs. If all MABs hold the same block, as after a broadcast,
/// converts it once; `is_same` tells whether they are known to.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx+avx2+bmi1+bmi2+fma",
    "x86_64+avx+avx2+bmi1+bmi2+fma"
))]
pub fn convert_all(
    conversion: Conversion,
    (from, is_same): (&[Longs], bool),
    to: &mut [Longs],
    undetermined: &mut UndeterminedSet,
) {
    let same = match is_same {
        true => from.first().copied(),
        false => common_value(from),
    };
    if let Some(longs) = same {
        to.fill(convert(conversion, longs, undetermined));
        return;
    }
    for (from, to) in from.iter().zip(to) {
        *to = convert(conversion, *from, undetermined);
    }
}

/// 2^23: singles from here on have no fraction bits.
const TWO_23: f32 = 8_388_608.0;
/// 2^52: doubles from here on have no fraction bits.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// Converts a block of 16 halves and leaves `spare` upper mantissa bits zero; `None` for zeros and
/// infinities.
#[inline(always)]
fn half(longs: [u64; 4], spare: u32) -> Option<[u64; 4]> {
    const EXPONENT: u16 = Half::INFINITY as u16;
    const SIGN: u16 = Half::SIGN as u16;
    let words: [u16; 16] = elements(&longs);
    let kept = Half::MANTISSA as u16 >> spare << spare;
    let mut largest = 0;
    for word in words {
        largest = (word & EXPONENT).max(largest);
    }
    // Step 2 of the manual: detects a maximum whose kept mantissa bits are all ones.
    let mut carry = 0;
    for word in words {
        carry |= u16::from(word & (EXPONENT | kept) == largest | kept);
    }
    let field = u32::from((largest >> Half::MANTISSA_BITS) + carry) + spare;
    if largest == 0 || u64::from(field) >= Half::TOP_EXPONENT {
        return None;
    }
    let scale =
        power_of_two(i64::from(Half::BIAS + Half::MANTISSA_BITS as i32 - 1) - i64::from(field))
            as f32;
    // The factor that converts the bits of a half, moved to their position in a single, to the same
    // value.
    let rebias = ((Single::BIAS - Half::BIAS) as u32) << Single::MANTISSA_BITS;
    let mut converted = [0; 16];
    for (to, word) in converted.iter_mut().zip(words) {
        let magnitude = u32::from(word & !SIGN) << (Single::MANTISSA_BITS - Half::MANTISSA_BITS);
        let magnitude = if word & EXPONENT == 0 {
            0
        } else {
            magnitude + rebias
        };
        let rounded = f32::from_bits(magnitude) * scale + TWO_23;
        let mantissa = rounded.to_bits() as u16 & Half::MANTISSA as u16;
        *to = word & SIGN | (field as u16) << Half::MANTISSA_BITS | mantissa;
    }
    let mut result = [0; 4];
    store(converted, &mut result);
    Some(result)
}

/// Converts a block of 8 pseudo-singles; `None` for zeros, infinities and carries.
#[inline(always)]
fn pseudo_single(longs: [u64; 4]) -> Option<[u64; 4]> {
    const EXPONENT: u32 = Single::INFINITY as u32;
    const DROPPED: u32 = Single::MANTISSA_BITS - PSEUDO_MANTISSA_BITS;
    const KEPT: u32 = Single::MANTISSA as u32 >> DROPPED << DROPPED;
    let words: [u32; 8] = elements(&longs);
    let mut largest = 0;
    for word in words {
        largest = (word & EXPONENT).max(largest);
    }
    let mut carry = false;
    for word in words {
        carry |= word & (EXPONENT | KEPT) == largest | KEPT;
    }
    if largest == 0 || largest == EXPONENT || carry {
        return None;
    }
    let field = (largest >> Single::MANTISSA_BITS) as i32;
    let scale = power_of_two(i64::from(
        Single::BIAS + PSEUDO_MANTISSA_BITS as i32 - 1 - field,
    ));
    let mut converted = [0; 8];
    for (to, word) in converted.iter_mut().zip(words) {
        let magnitude = if word & EXPONENT == 0 {
            0
        } else {
            word & !(Single::SIGN as u32)
        };
        let rounded = f64::from(f32::from_bits(magnitude)) * scale + TWO_52;
        let mantissa = (rounded.to_bits() as u32 & ((1 << PSEUDO_MANTISSA_BITS) - 1)) << DROPPED;
        *to = word & Single::SIGN as u32 | largest | mantissa;
    }
    let mut result = [0; 4];
    store(converted, &mut result);
    Some(result)
}
