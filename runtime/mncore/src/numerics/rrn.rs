//! The result reduction network, RRN (sections 4.2 and 3.5.5): reductions of L1BM, L2BM and MV
//! instructions.
//!
//! One stage ([`Reduction::stage`]) reduces the corresponding elements of up to 8 long words: 4 in
//! an L1BM 4x4 reduction, up to 8 in an L2BM reduction, 2 or 4 in an MV reduction. Two stages form
//! the 16x1 reduction of L1BM ([`Reduction::reduce_16`]) and the MV reduction over 8 L2Bs
//! ([`Reduction::reduce_8`]). The intermediate word has the operation's precision; it is rounded
//! and normalised.
//!
//! A floating-point sum aligns all elements to the largest exponent with three extra bits,
//! *rounding each element there*, adds, and rounds again. Maximum and minimum compare words as sign
//! and magnitude and do not normalise.
//!
//! Half precision exists in MV and L2BM only. L1BM widens, reduces in single precision and narrows
//! ([`Reduction::stage_narrowed`], [`Reduction::reduce_16_narrowed`]). An absent element
//! contributes the operation's [`Reduction::identity`].

use super::batch;
use super::convert::narrow_unchecked;
use super::exact::{shift_nearest_even, Exact};
use super::format::{
    classify, exponent, is_negative, significand, Class, Double, Format, Half, Single,
};
use super::lanes::{lane, place_lane, Width};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// A reduction operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `fadd`: floating-point sum.
    FloatAdd,
    /// `max`: the larger word, compared as sign and magnitude.
    FloatMax,
    /// `min`: the smaller word, compared as sign and magnitude.
    FloatMin,
    /// `iadd`: integer sum, wrapping.
    IntegerAdd,
    /// `band`: bitwise and.
    BitAnd,
    /// `and`: 1 if all elements are nonzero, otherwise 0.
    And,
    /// `bor`: bitwise or.
    BitOr,
    /// `or`: 1 if any element is nonzero, otherwise 0.
    Or,
}

/// The grouping of MABs in the first stage of a reduction over 16; undetermined (`rrn-grouping`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// MABs 0–3, 4–7, 8–11, 12–15, as in a 4x4 reduction (section 3.6.8.1).
    #[default]
    LowBits,
    /// MABs that are equal modulo 4.
    HighBits,
}

/// The order of the stages of an MV reduction over 8; undetermined (`rrn-stages`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StageOrder {
    /// First the two L2Bs of each group, then the four groups.
    #[default]
    WithinGroups,
    /// First the L2Bs with the same number in the four groups, then these two.
    AcrossGroups,
}

/// An operation on elements of a width (`<rrn_opcode>` of section 3.5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// The operation.
    pub operation: Operation,
    /// The width of the elements.
    pub width: Width,
}

impl Reduction {
    /// Returns the long word that an absent element contributes (`get_unit_value` of section 3.3).
    pub const fn identity(self) -> u64 {
        match self.operation {
            Operation::FloatAdd | Operation::IntegerAdd | Operation::BitOr | Operation::Or => 0,
            Operation::FloatMax | Operation::BitAnd | Operation::And => u64::MAX,
            Operation::FloatMin => match self.width {
                Width::Half => 0x7fff_7fff_7fff_7fff,
                Width::Single => 0x7fff_ffff_7fff_ffff,
                Width::Long => i64::MAX as u64,
            },
        }
    }

    /// Reduces corresponding elements of at most 8 long words in one stage.
    pub fn stage(self, longs: &[u64], undetermined: &mut UndeterminedSet) -> u64 {
        match self.width {
            Width::Half => {
                each_lane::<16>(longs, |all| self.element::<Half, Half>(all, undetermined))
            }
            Width::Single => each_lane::<32>(longs, |all| {
                self.element::<Single, Single>(all, undetermined)
            }),
            Width::Long => each_lane::<64>(longs, |all| {
                self.element::<Double, Double>(all, undetermined)
            }),
        }
    }

    /// Performs one stage of a single precision floating-point reduction with a half precision
    /// result (section 3.6.8.5). Returns two halves, lane 0 in the upper one.
    pub fn stage_narrowed(self, longs: &[u64], undetermined: &mut UndeterminedSet) -> u32 {
        let halves = each_lane::<32>(longs, |all| self.element::<Single, Half>(all, undetermined));
        (halves >> 32 << 16 | halves & Half::ALL) as u32
    }

    /// Performs the 16x1 reduction of L1BM over the long words of MABs 0 to 15.
    pub fn reduce_16(
        self,
        longs: &[u64; 16],
        grouping: Grouping,
        undetermined: &mut UndeterminedSet,
    ) -> u64 {
        if (self.operation, self.width) == (Operation::FloatAdd, Width::Single) {
            if let Some(sums) = batch::reduction::sixteen(longs, grouping, undetermined) {
                return sums;
            }
        }
        self.two_stages(longs, grouping, undetermined, Self::stage)
    }

    /// As [`Reduction::reduce_16`] on singles with a half precision result; only the second stage
    /// narrows.
    pub fn reduce_16_narrowed(
        self,
        longs: &[u64; 16],
        grouping: Grouping,
        undetermined: &mut UndeterminedSet,
    ) -> u32 {
        self.two_stages(longs, grouping, undetermined, Self::stage_narrowed)
    }

    fn two_stages<T: PartialEq>(
        self,
        longs: &[u64; 16],
        grouping: Grouping,
        undetermined: &mut UndeterminedSet,
        last: fn(Self, &[u64], &mut UndeterminedSet) -> T,
    ) -> T {
        let run = |grouping, undetermined: &mut UndeterminedSet| {
            let first: [u64; 4] = std::array::from_fn(|group| {
                let members: [u64; 4] = std::array::from_fn(|member| match grouping {
                    Grouping::LowBits => longs[4 * group + member],
                    Grouping::HighBits => longs[4 * member + group],
                });
                self.stage(&members, undetermined)
            });
            last(self, &first, undetermined)
        };
        let result = run(grouping, undetermined);
        if self.operation == Operation::FloatAdd {
            let other = match grouping {
                Grouping::LowBits => Grouping::HighBits,
                Grouping::HighBits => Grouping::LowBits,
            };
            let differs = run(other, &mut UndeterminedSet::default()) != result;
            undetermined.add_if(differs, Undetermined::ReductionGrouping);
        }
        result
    }

    /// Performs the MV reduction over 8 L2Bs: `longs[group][l2b]`.
    pub fn reduce_8(
        self,
        longs: &[[u64; 2]; 4],
        order: StageOrder,
        undetermined: &mut UndeterminedSet,
    ) -> u64 {
        let run = |order, undetermined: &mut UndeterminedSet| match order {
            StageOrder::WithinGroups => {
                let first = longs.map(|pair| self.stage(&pair, undetermined));
                self.stage(&first, undetermined)
            }
            StageOrder::AcrossGroups => {
                let first =
                    [0, 1].map(|l2b| self.stage(&longs.map(|pair| pair[l2b]), undetermined));
                self.stage(&first, undetermined)
            }
        };
        let result = run(order, undetermined);
        if self.operation == Operation::FloatAdd {
            let other = match order {
                StageOrder::WithinGroups => StageOrder::AcrossGroups,
                StageOrder::AcrossGroups => StageOrder::WithinGroups,
            };
            let differs = run(other, &mut UndeterminedSet::default()) != result;
            undetermined.add_if(differs, Undetermined::ReductionStages);
        }
        result
    }

    /// Performs one stage on elements of format or width `F`; floating-point results have format
    /// `O`.
    fn element<F: Format, O: Format>(self, all: &[u64], undetermined: &mut UndeterminedSet) -> u64 {
        let elements = all.iter().copied();
        match self.operation {
            Operation::FloatAdd => add::<F, O>(all, undetermined),
            Operation::FloatMax => {
                extreme::<F, O>(elements.max_by_key(|&word| order::<F>(word)), undetermined)
            }
            Operation::FloatMin => {
                extreme::<F, O>(elements.min_by_key(|&word| order::<F>(word)), undetermined)
            }
            Operation::IntegerAdd => elements.fold(0, u64::wrapping_add) & F::ALL,
            Operation::BitAnd => elements.fold(F::ALL, |sum, word| sum & word),
            Operation::BitOr => elements.fold(0, |sum, word| sum | word),
            Operation::And => {
                undetermined.add(Undetermined::LogicalReduction);
                u64::from(all.iter().all(|&word| word != 0))
            }
            Operation::Or => {
                undetermined.add(Undetermined::LogicalReduction);
                u64::from(all.iter().any(|&word| word != 0))
            }
        }
    }
}

/// Calls `reduce` with the elements of each lane, one per long word.
#[inline]
fn each_lane<const BITS: u32>(longs: &[u64], mut reduce: impl FnMut(&[u64]) -> u64) -> u64 {
    let mut elements = [0; 8];
    let elements = &mut elements[..longs.len()];
    let mut result = 0;
    for index in 0..64 / BITS {
        for (element, &long) in elements.iter_mut().zip(longs) {
            *element = lane::<BITS>(long, index);
        }
        result |= place_lane::<BITS>(reduce(elements), index);
    }
    result
}

/// Adds at most 8 words in one stage (section 4.2.1) and rounds to `O`.
pub fn add<F: Format, O: Format>(words: &[u64], undetermined: &mut UndeterminedSet) -> u64 {
    let largest = words
        .iter()
        .map(|&word| exponent::<F>(word))
        .max()
        .unwrap_or(0);
    if largest == F::TOP_EXPONENT {
        return add_infinities::<F, O>(words, undetermined);
    }
    let mut sum = 0i64;
    for &word in words {
        if classify::<F>(word) == Class::Zero {
            continue;
        }
        let extended = significand::<F>(word) << 3;
        let shift = (largest - exponent::<F>(word)) as u32;
        let magnitude = shift_nearest_even(extended, shift) as i64;
        sum += if is_negative::<F>(word) {
            -magnitude
        } else {
            magnitude
        };
    }
    let total = Exact {
        negative: sum < 0,
        magnitude: sum.unsigned_abs(),
        exponent: largest as i32 - F::BIAS - F::MANTISSA_BITS as i32 - 3,
    };
    total.round::<O>()
}

fn add_infinities<F: Format, O: Format>(words: &[u64], undetermined: &mut UndeterminedSet) -> u64 {
    let of_sign = |negative| {
        words.iter().any(|&word| {
            classify::<F>(word) == Class::Infinite && is_negative::<F>(word) == negative
        })
    };
    undetermined.add_if(
        of_sign(false) && of_sign(true),
        Undetermined::ReductionInfinities,
    );
    if of_sign(false) {
        O::INFINITY
    } else {
        O::SIGN | O::INFINITY
    }
}

/// Maps a word to an integer with the order of sign and magnitude (section 4.2.2): -0 is just below
/// +0.
fn order<F: Format>(word: u64) -> i64 {
    let magnitude = (word & !F::SIGN) as i64;
    if is_negative::<F>(word) {
        !magnitude
    } else {
        magnitude
    }
}

/// Returns the selected word, rounded if the output is narrower.
fn extreme<F: Format, O: Format>(word: Option<u64>, undetermined: &mut UndeterminedSet) -> u64 {
    let word = word.unwrap_or(0);
    if F::BITS == O::BITS {
        return word;
    }
    let result = narrow_unchecked::<F, O>(word);
    undetermined.add_if(
        word != 0 && classify::<O>(result) != Class::Finite,
        Undetermined::ReductionExtremeNarrowed,
    );
    result
}

#[cfg(test)]
mod tests;
