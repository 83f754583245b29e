//! Block float conversion (section 4.4; the ALU's `bfn` and `bfe`, section 3.6.12.12).
//!
//! All elements of a block share one exponent, so that an inner product needs no alignment. A block
//! float word has the fields of its source format but no hidden bit: the highest mantissa bit has
//! the weight that the hidden bit had. The largest element of a block keeps all but the last bit of
//! its significand. The others are shifted to the common exponent and rounded to nearest, ties to
//! even.
//!
//! A block spans the four PEs of a MAB. [`convert`] takes one long word of each PE. These hold one
//! block of 4 doubles, two blocks of 4 singles (the upper words and the lower words), one block of
//! 8 pseudo-singles, or one block of 16 halves. Half precision instructions convert two long words
//! per PE and cycle independently.

use super::exact::shift_nearest_even;
use super::format::{exponent, mantissa, significand, Double, Format, Half, Single};
use super::lanes::{lane, place_lane};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// Mantissa bits of a pseudo-single block float word; the lower 5 bits of the format are zero.
pub const PSEUDO_MANTISSA_BITS: u32 = 18;
/// The amount by which the exponent of an extended element lies below the common exponent.
pub const EXTENSION: u32 = 6;

/// The number of mantissa bits that a half precision conversion keeps: `<n>` of `hbfn/<n>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HalfLength(u32);

impl HalfLength {
    /// Creates a length of 6 to 9 bits; returns `None` for other values.
    pub const fn new(bits: u32) -> Option<Self> {
        if bits >= 6 && bits <= Half::MANTISSA_BITS {
            Some(HalfLength(bits))
        } else {
            None
        }
    }

    /// Returns the number of mantissa bits.
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// A block float conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// `dbfn`.
    Double,
    /// `fbfn`.
    Single,
    /// `gbfn`.
    PseudoSingle,
    /// `hbfn/<n>`.
    Half(HalfLength),
    /// `hbfe/<n>`: small elements use the extended form.
    HalfExtended(HalfLength),
}

impl Conversion {
    /// Returns whether the conversion is of half precision, which converts both long words of a PE.
    pub const fn is_half(self) -> bool {
        matches!(self, Conversion::Half(_) | Conversion::HalfExtended(_))
    }
}

/// The rounding parameters of a block of format `F`.
struct Rounding {
    /// The number of mantissa bits in the result, at the upper end of the field.
    kept: u32,
    /// The increment of the common exponent, and the number of upper mantissa bits that stay zero.
    spare: u32,
    /// Whether small elements use the extended form.
    extended: bool,
}

/// Converts the blocks in one long word of each PE of a MAB.
pub fn convert(
    conversion: Conversion,
    longs: [u64; 4],
    undetermined: &mut UndeterminedSet,
) -> [u64; 4] {
    let plain = |kept| Rounding {
        kept,
        spare: 0,
        extended: false,
    };
    let half = |length: HalfLength, extended| Rounding {
        kept: Half::MANTISSA_BITS,
        spare: Half::MANTISSA_BITS - length.bits(),
        extended,
    };
    match conversion {
        Conversion::Double => {
            block::<Double, 4>(&longs, &plain(Double::MANTISSA_BITS), undetermined)
        }
        Conversion::Single => {
            let rounding = plain(Single::MANTISSA_BITS);
            let upper = block::<Single, 4>(
                &longs.map(|long| lane::<32>(long, 0)),
                &rounding,
                undetermined,
            );
            let lower = block::<Single, 4>(
                &longs.map(|long| lane::<32>(long, 1)),
                &rounding,
                undetermined,
            );
            std::array::from_fn(|pe| upper[pe] << 32 | lower[pe])
        }
        Conversion::PseudoSingle => {
            let rounding = plain(PSEUDO_MANTISSA_BITS);
            let words: [u64; 8] = split::<32, 8>(longs);
            join::<32, 8>(block::<Single, 8>(&words, &rounding, undetermined))
        }
        Conversion::Half(length) => {
            let words: [u64; 16] = split::<16, 16>(longs);
            join::<16, 16>(block::<Half, 16>(
                &words,
                &half(length, false),
                undetermined,
            ))
        }
        Conversion::HalfExtended(length) => {
            let words: [u64; 16] = split::<16, 16>(longs);
            join::<16, 16>(block::<Half, 16>(&words, &half(length, true), undetermined))
        }
    }
}

/// Splits the long words of four PEs into elements in block order, PE 0 first.
pub fn split<const BITS: u32, const N: usize>(longs: [u64; 4]) -> [u64; N] {
    let lanes = 64 / BITS as usize;
    std::array::from_fn(|index| lane::<BITS>(longs[index / lanes], (index % lanes) as u32))
}

/// The inverse of [`split`].
fn join<const BITS: u32, const N: usize>(words: [u64; N]) -> [u64; 4] {
    let lanes = 64 / BITS as usize;
    let mut longs = [0; 4];
    for (index, &word) in words.iter().enumerate() {
        longs[index / lanes] |= place_lane::<BITS>(word, (index % lanes) as u32);
    }
    longs
}

/// Converts one block, following the numbered steps of section 4.4.
fn block<F: Format, const N: usize>(
    words: &[u64; N],
    rounding: &Rounding,
    undetermined: &mut UndeterminedSet,
) -> [u64; N] {
    let largest = words.iter().map(|&word| exponent::<F>(word)).max();
    let largest = largest.unwrap_or(0);
    if largest == 0 {
        return words.map(|word| word & F::SIGN);
    }
    let carry = words
        .iter()
        .any(|&word| exponent::<F>(word) == largest && carries::<F>(word, rounding, undetermined));
    let common = largest + u64::from(carry) + u64::from(rounding.spare);
    if common >= F::TOP_EXPONENT {
        return words.map(|word| word & F::SIGN | F::INFINITY);
    }
    words.map(|word| {
        let sign = word & F::SIGN;
        if exponent::<F>(word) == 0 {
            return sign | common << F::MANTISSA_BITS;
        }
        let distance = (common - exponent::<F>(word)) as u32;
        if rounding.extended && is_extended::<F>(word, distance, rounding) {
            return sign | shifted::<F>(word, distance - EXTENSION, rounding);
        }
        sign | common << F::MANTISSA_BITS | shifted::<F>(word, distance, rounding)
    })
}

/// Returns whether all mantissa bits above the spare ones are set, so that rounding carries.
fn is_all_ones<F: Format>(word: u64, bits: u32) -> bool {
    mantissa::<F>(word) >> (F::MANTISSA_BITS - bits) == (1 << bits) - 1
}

/// Returns whether rounding an element at its own exponent carries into the exponent (step 2).
fn carries<F: Format>(word: u64, rounding: &Rounding, undetermined: &mut UndeterminedSet) -> bool {
    let carries = is_all_ones::<F>(word, rounding.kept - rounding.spare);
    let literally = is_all_ones::<F>(word, F::MANTISSA_BITS - rounding.spare);
    undetermined.add_if(carries != literally, Undetermined::PseudoCarry);
    carries
}

/// Returns whether an element `distance` below the common exponent takes the extended form (step 3
/// of the extended procedure).
fn is_extended<F: Format>(word: u64, distance: u32, rounding: &Rounding) -> bool {
    let limit = EXTENSION + rounding.spare;
    let carries = is_all_ones::<F>(word, F::MANTISSA_BITS - rounding.spare);
    distance > limit || (distance == limit && !carries)
}

/// Returns the significand shifted `distance` places below the common exponent and rounded, in the
/// mantissa field.
fn shifted<F: Format>(word: u64, distance: u32, rounding: &Rounding) -> u64 {
    let dropped = F::MANTISSA_BITS - rounding.kept;
    shift_nearest_even(significand::<F>(word), distance + 1 + dropped) << dropped
}

#[cfg(test)]
mod tests;
