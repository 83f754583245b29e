//! The sum of singles over 16 MABs (section 4.2.1), vectorised; equivalent to two stages of
//! [`super::super::rrn::add`].
//!
//! Dividing by the weight of the lowest of the three extra bits and adding 1.5 · 2^52 rounds an
//! element to that bit, ties to even, as the network does before it adds. The resulting integers of
//! at most 27 bits add exactly. The final conversion to single precision is the only other
//! rounding.

use super::super::format::{Double, Format, Single};
use super::super::lanes::lane;
use super::super::rrn::Grouping;
use super::matrix::FLUSH;
use crate::undetermined::{Undetermined, UndeterminedSet};

/// Returns the sums of the two singles of the long words of MABs 0 to 15; `None` if an infinity
/// occurs.
#[inline]
pub fn sixteen(
    longs: &[u64; 16],
    grouping: Grouping,
    undetermined: &mut UndeterminedSet,
) -> Option<u64> {
    let low = two_stages(longs, Grouping::LowBits)?;
    let high = two_stages(longs, Grouping::HighBits)?;
    undetermined.add_if(low != high, Undetermined::ReductionGrouping);
    Some(match grouping {
        Grouping::LowBits => low,
        Grouping::HighBits => high,
    })
}

#[inline]
fn two_stages(longs: &[u64; 16], grouping: Grouping) -> Option<u64> {
    let mut words = [[0; 8]; 4];
    for (member, words) in words.iter_mut().enumerate() {
        for (column, word) in words.iter_mut().enumerate() {
            let (group, index) = (column / 2, column as u32 % 2);
            let mab = match grouping {
                Grouping::LowBits => 4 * group + member,
                Grouping::HighBits => 4 * member + group,
            };
            *word = lane::<32>(longs[mab], index) as u32;
        }
    }
    let first = stage(&words)?;
    let words = [0, 1, 2, 3].map(|group| [first[2 * group], first[2 * group + 1]]);
    let [upper, lower] = stage(&words)?.map(u64::from);
    Some(upper << 32 | lower)
}

/// Adds four words in each column.
#[inline]
fn stage<const COLUMNS: usize>(words: &[[u32; COLUMNS]; 4]) -> Option<[u32; COLUMNS]> {
    const EXPONENT: u32 = Single::INFINITY as u32;
    // The exponent of the lowest extra bit is the largest element's exponent minus this.
    const BELOW: u64 = Single::MANTISSA_BITS as u64 + 3;
    // Doubles near this value are integers, and stay near it when integers of either sign are
    // added.
    const INTEGERS: f64 = 1.5 * 4_503_599_627_370_496.0;

    let mut largest = [0; COLUMNS];
    for words in words {
        for (largest, word) in largest.iter_mut().zip(words) {
            *largest = (word & EXPONENT).max(*largest);
        }
    }
    if largest.contains(&EXPONENT) {
        return None;
    }
    let mut weights = [0.0; COLUMNS];
    let mut inverses = [0.0; COLUMNS];
    for column in 0..COLUMNS {
        let field = u64::from(largest[column] >> Single::MANTISSA_BITS);
        let bias = Double::BIAS as u64;
        let power = field + bias - Single::BIAS as u64 - BELOW;
        weights[column] = f64::from_bits(power << Double::MANTISSA_BITS);
        inverses[column] = f64::from_bits((2 * bias - power) << Double::MANTISSA_BITS);
    }
    let mut sums = [0.0; COLUMNS];
    for words in words {
        for column in 0..COLUMNS {
            let empty = words[column] & EXPONENT == 0;
            let element = f32::from_bits(if empty { 0 } else { words[column] });
            let scaled = f64::from(element) * inverses[column];
            sums[column] += (scaled + INTEGERS) - INTEGERS;
        }
    }
    let mut results = [0; COLUMNS];
    for column in 0..COLUMNS {
        let sum = sums[column] * weights[column];
        let word = (sum as f32).to_bits();
        results[column] = if sum.abs() < FLUSH { 0 } else { word };
    }
    Some(results)
}
