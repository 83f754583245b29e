//! Block float conversion (section 4.4; the ALU's `bfn` and `bfe`, section 3.6.12.12).
//!
//! A block has one exponent for all its elements, so that an inner product needs no alignment. Its
//! words have the fields of the format they come from, but no hidden bit: the mantissa's highest
//! bit weighs as much as the hidden bit did. The block's largest element keeps all but the last bit
//! of its significand; the others are shifted to its exponent and rounded to nearest even.
//!
//! A block spans the four PEs of a MAB: [`convert`] takes one long word of each, which holds one
//! block of 4 doubles, two blocks of 4 singles (the upper words, the lower words), one block of 8
//! pseudo-singles or one of 16 halves. The half precision instructions convert two long words per
//! PE and cycle, independently.

use super::exact::shift_nearest_even;
use super::format::{exponent, mantissa, significand, Double, Format, Half, Single};
use super::lanes::{lane, placed};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// Mantissa bits of a pseudo-single block float word; the format's lower 5 are zero.
pub const PSEUDO_MANTISSA_BITS: u32 = 18;
/// How far below the common exponent an extended element's exponent lies.
pub const EXTENSION: u32 = 6;

/// How many bits of a half precision mantissa the conversion keeps: `<n>` of `hbfn/<n>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HalfLength(u32);

impl HalfLength {
    /// `bits` from 6 to 9; `None` otherwise.
    pub const fn new(bits: u32) -> Option<Self> {
        if bits >= 6 && bits <= Half::MANTISSA_BITS {
            Some(HalfLength(bits))
        } else {
            None
        }
    }

    /// The mantissa bits kept.
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
    /// Whether it is of half precision, which converts both long words of a PE.
    pub const fn is_half(self) -> bool {
        matches!(self, Conversion::Half(_) | Conversion::HalfExtended(_))
    }
}

/// How a block of format `F` is rounded.
struct Rounding {
    /// Mantissa bits of the result, at the upper end of the field.
    kept: u32,
    /// Added to the common exponent; as many upper mantissa bits stay empty.
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

/// The elements of the four PEs, PE 0's first: the order of a block.
pub fn split<const BITS: u32, const N: usize>(longs: [u64; 4]) -> [u64; N] {
    let lanes = 64 / BITS as usize;
    std::array::from_fn(|index| lane::<BITS>(longs[index / lanes], (index % lanes) as u32))
}

/// The inverse of [`split`].
fn join<const BITS: u32, const N: usize>(words: [u64; N]) -> [u64; 4] {
    let lanes = 64 / BITS as usize;
    let mut longs = [0; 4];
    for (index, &word) in words.iter().enumerate() {
        longs[index / lanes] |= placed::<BITS>(word, (index % lanes) as u32);
    }
    longs
}

/// Converts one block: the numbered steps of section 4.4.
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

/// The mantissa bits that stay above the spare ones: the bits whose being all ones makes rounding
/// carry.
fn is_all_ones<F: Format>(word: u64, bits: u32) -> bool {
    mantissa::<F>(word) >> (F::MANTISSA_BITS - bits) == (1 << bits) - 1
}

/// Whether rounding the element at its own exponent carries into the next (step 2).
fn carries<F: Format>(word: u64, rounding: &Rounding, undetermined: &mut UndeterminedSet) -> bool {
    let carries = is_all_ones::<F>(word, rounding.kept - rounding.spare);
    let literally = is_all_ones::<F>(word, F::MANTISSA_BITS - rounding.spare);
    undetermined.add_if(carries != literally, Undetermined::PseudoCarry);
    carries
}

/// Whether an element so far below the common exponent takes the extended form (step 3 of that
/// procedure).
fn is_extended<F: Format>(word: u64, distance: u32, rounding: &Rounding) -> bool {
    let limit = EXTENSION + rounding.spare;
    let carries = is_all_ones::<F>(word, F::MANTISSA_BITS - rounding.spare);
    distance > limit || (distance == limit && !carries)
}

/// The significand `distance` places below the common exponent, rounded, in the mantissa field.
fn shifted<F: Format>(word: u64, distance: u32, rounding: &Rounding) -> u64 {
    let dropped = F::MANTISSA_BITS - rounding.kept;
    shift_nearest_even(significand::<F>(word), distance + 1 + dropped) << dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: HalfLength = HalfLength(9);
    const SIX: HalfLength = HalfLength(6);

    #[track_caller]
    fn check(
        conversion: Conversion,
        longs: [u64; 4],
        expect: [u64; 4],
        point: Option<Undetermined>,
    ) {
        let mut undetermined = UndeterminedSet::NONE;
        let result = convert(conversion, longs, &mut undetermined);
        assert_eq!(result, expect, "{conversion:?} {longs:x?}: {result:x?}");
        assert_eq!(
            undetermined.iter().collect::<Vec<_>>(),
            Vec::from_iter(point)
        );
    }

    #[test]
    fn lengths() {
        let lengths: Vec<_> = (0..12).filter_map(HalfLength::new).collect();
        assert_eq!(lengths.len(), 4);
        assert_eq!((lengths[0], lengths[3].bits()), (SIX, 9));
    }

    #[test]
    fn double_blocks() {
        // The first row of the tutorial's matrix: -0, 0, 2, -1.
        let zero = 0x4000_0000_0000_0000;
        check(
            Conversion::Double,
            [1 << 63, 0, 0x4000_0000_0000_0000, 0xbff0_0000_0000_0000],
            [
                1 << 63 | zero,
                zero,
                0x4008_0000_0000_0000,
                0xc004_0000_0000_0000,
            ],
            None,
        );
        // The last bit goes; a significand of ones carries into the exponent of all.
        check(
            Conversion::Double,
            [0x3ff0_0000_0000_0003, 0x3ff0_0000_0000_0001, 0, 0],
            [
                0x3ff8_0000_0000_0002,
                0x3ff8_0000_0000_0000,
                0x3ff << 52,
                0x3ff << 52,
            ],
            None,
        );
        check(
            Conversion::Double,
            [0x3fff_ffff_ffff_ffff, 0x3ff0_0000_0000_0000, 0, 0],
            [
                0x4008_0000_0000_0000,
                0x4004_0000_0000_0000,
                0x400 << 52,
                0x400 << 52,
            ],
            None,
        );
    }

    #[test]
    fn zeros_and_infinities() {
        check(
            Conversion::Double,
            [5, 1 << 63, 0, 1 << 51],
            [0, 1 << 63, 0, 0],
            None,
        );
        let inf = 0x7ff0_0000_0000_0000;
        check(
            Conversion::Double,
            [0xfff0_0000_0000_0001, 0, 1 << 63, 0x3ff0_0000_0000_0000],
            [1 << 63 | inf, inf, 1 << 63 | inf, inf],
            None,
        );
        // The carry of the largest numbers ends in the infinity.
        check(
            Conversion::Double,
            [0x7fef_ffff_ffff_ffff, 0, 0, 0],
            [inf; 4],
            None,
        );
    }

    #[test]
    fn single_blocks_are_two_per_long_word() {
        check(
            Conversion::Single,
            [
                0x3f80_0000_4000_0000,
                0x3f00_0000_0000_0000,
                0,
                0xbf80_0001_c040_0000,
            ],
            [
                0x3fc0_0000_4040_0000,
                0x3fa0_0000_4000_0000,
                0x3f80_0000_4000_0000,
                0xbfc0_0000_c060_0000,
            ],
            None,
        );
    }

    #[test]
    fn pseudo_single_blocks_keep_18_bits() {
        let empty = 0x3f80_0000_3f80_0000;
        check(
            Conversion::PseudoSingle,
            [0x3f80_0020_3f80_0060, 0x3380_0000_3780_0000, 0, 0],
            [0x3fc0_0000_3fc0_0040, 0x3f80_0000_3f80_0040, empty, empty],
            None,
        );
    }

    #[test]
    fn pseudo_single_carry_between_18_and_23_ones() {
        let raised = 0x4000_0000_4000_0000;
        let carried = [0x4040_0000_4000_0000, raised, raised, raised];
        let all = 0x3fff_ffff_0000_0000;
        check(Conversion::PseudoSingle, [all, 0, 0, 0], carried, None);
        let upper = 0x3fff_ffe0_0000_0000;
        check(
            Conversion::PseudoSingle,
            [upper, 0, 0, 0],
            carried,
            Some(Undetermined::PseudoCarry),
        );
        let fewer = 0x3fff_ffdf_0000_0000;
        let kept = 0x3f80_0000_3f80_0000;
        check(
            Conversion::PseudoSingle,
            [fewer, 0, 0, 0],
            [0x3fff_ffe0_3f80_0000, kept, kept, kept],
            None,
        );
    }

    #[test]
    fn half_blocks() {
        let zero = 0x3e00_3e00_3e00_3e00;
        check(
            Conversion::Half(NINE),
            [0x3e00_bc00_3e03_3e01, 0x0000_8000_2a00_2c00, 0, 0],
            [0x3f00_be80_3f02_3f00, 0x3e00_be00_3e00_3e00, zero, zero],
            None,
        );
        // Six bits: three spare ones raise the common exponent.
        let zero = 0x4400_4400_4400_4400;
        check(
            Conversion::Half(SIX),
            [0x3e00_bc00_3ef8_3e08, 0, 0, 0],
            [0x4420_c410_4430_4420, zero, zero, zero],
            None,
        );
        // A mantissa of 0x1f8 is all ones above the three lower bits, and carries.
        let zero = 0x4600_4600_4600_4600;
        check(
            Conversion::Half(SIX),
            [0x3ff8_3e00_0000_0000, 0, 0, 0],
            [0x4620_4610_4600_4600, zero, zero, zero],
            None,
        );
        // An exponent of 60 with three spare bits is beyond the range.
        let inf = 0x7e00_7e00_7e00_7e00;
        check(
            Conversion::Half(SIX),
            [0x7800_0000_0000_0000, 0, 0, 0],
            [inf; 4],
            None,
        );
    }

    #[test]
    fn extended_half_blocks() {
        let zero = 0x3e00_3e00_3e00_3e00;
        // Exponents 0, -5, -6, -6 with all ones; then -7, -15, -16 and a zero.
        check(
            Conversion::HalfExtended(NINE),
            [0x3e00_3400_3201_33ff, 0x3001_2000_1e01_8000, 0, 0],
            [0x3f00_3e08_0100_3e08, 0x0080_0000_0000_be00, zero, zero],
            None,
        );
        // As the manual's example: mantissa 1, exponent 0 is 2^-14 under a common exponent of 2^0.
        check(
            Conversion::HalfExtended(NINE),
            [0x3e00_2200_a200_2000, 0, 0, 0],
            [0x3f00_0001_8001_0000, zero, zero, zero],
            None,
        );
        // Without the extension they vanish.
        check(
            Conversion::Half(NINE),
            [0x3e00_2200_a200_2000, 0, 0, 0],
            [0x3f00_3e00_be00_3e00, zero, zero, zero],
            None,
        );
    }
}
