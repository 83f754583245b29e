//! The result reduction network (sections 4.2 and 3.5.5): reductions of L1BM, L2BM and MV
//! instructions.
//!
//! One stage ([`Reduction::stage`]) reduces the corresponding elements of up to 8 long words: 4 in
//! an L1BM 4x4 reduction, 8 or fewer in an L2BM one, 2 or 4 in an MV one. Two stages make the 16x1
//! reduction of L1BM ([`Reduction::sixteen`]) and the MV reduction over 8 L2Bs
//! ([`Reduction::eight`]); in between stands a word of the operation's precision, rounded and
//! normalised.
//!
//! A floating-point sum aligns all elements to the largest exponent with three extra bits,
//! *rounding each one there*, adds, and rounds again. Maximum and minimum compare words as sign and
//! magnitude and do not normalise.
//!
//! Half precision exists in MV and L2BM only; L1BM widens, reduces in single and narrows
//! ([`Reduction::stage_narrowed`], [`Reduction::sixteen_narrowed`]). An absent element is the
//! operation's [`Reduction::identity`].

use super::batch;
use super::convert::narrow_unchecked;
use super::exact::{shift_nearest_even, Exact};
use super::format::{
    class, exponent, is_negative, significand, Class, Double, Format, Half, Single,
};
use super::lanes::{lane, placed, Width};
use crate::undetermined::{Undetermined, UndeterminedSet};

/// What a reduction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `fadd`: floating-point sum.
    FloatAdd,
    /// `max`: larger word, as sign and magnitude.
    FloatMax,
    /// `min`: smaller word, as sign and magnitude.
    FloatMin,
    /// `iadd`: integer sum, wrapping.
    IntegerAdd,
    /// `band`: bitwise and.
    BitAnd,
    /// `and`: whether all elements are nonzero, as 1 or 0.
    And,
    /// `bor`: bitwise or.
    BitOr,
    /// `or`: whether any element is nonzero, as 1 or 0.
    Or,
}

/// Which MABs meet in the first stage of a reduction over 16; the manual does not say
/// (`rrn-grouping`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// MABs 0–3, 4–7, 8–11, 12–15: those that meet in a 4x4 reduction (section 3.6.8.1).
    #[default]
    LowBits,
    /// MABs that are equal modulo 4.
    HighBits,
}

/// The order of the stages of an MV reduction over 8; the manual does not say (`rrn-stages`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StageOrder {
    /// First the two L2Bs of each group, then the four groups.
    #[default]
    WithinGroups,
    /// First L2Bs of the same number in the four groups, then the two.
    AcrossGroups,
}

/// A reduction: an operation on elements of a width (`<rrn_opcode>` of section 3.5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// What is computed.
    pub operation: Operation,
    /// The width of the elements.
    pub width: Width,
}

impl Reduction {
    /// The long word that stands for an absent element (`get_unit_value` of section 3.3).
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

    /// One stage of a single precision floating-point reduction with a half precision result
    /// (section 3.6.8.5): two halves, lane 0 in the upper one.
    pub fn stage_narrowed(self, longs: &[u64], undetermined: &mut UndeterminedSet) -> u32 {
        let halves = each_lane::<32>(longs, |all| self.element::<Single, Half>(all, undetermined));
        (halves >> 32 << 16 | halves & Half::ALL) as u32
    }

    /// The 16x1 reduction of L1BM over the long words of MABs 0 to 15.
    pub fn sixteen(
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

    /// [`Reduction::sixteen`] of singles with a half precision result; only the second stage
    /// narrows.
    pub fn sixteen_narrowed(
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

    /// The MV reduction over 8 L2Bs: `longs[group][l2b]`.
    pub fn eight(
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

    /// One stage on elements of format or width `F`; floating-point results in format `O`.
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

/// Runs `reduce` on the elements of each lane, as many as there are long words.
#[inline]
fn each_lane<const BITS: u32>(longs: &[u64], mut reduce: impl FnMut(&[u64]) -> u64) -> u64 {
    let mut elements = [0; 8];
    let elements = &mut elements[..longs.len()];
    let mut result = 0;
    for index in 0..64 / BITS {
        for (element, &long) in elements.iter_mut().zip(longs) {
            *element = lane::<BITS>(long, index);
        }
        result |= placed::<BITS>(reduce(elements), index);
    }
    result
}

/// Floating-point sum of at most 8 words in one stage (section 4.2.1), rounded to `O`.
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
        if class::<F>(word) == Class::Zero {
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
        words
            .iter()
            .any(|&word| class::<F>(word) == Class::Infinite && is_negative::<F>(word) == negative)
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

/// A word as sign and magnitude (section 4.2.2): -0 is just below +0.
fn order<F: Format>(word: u64) -> i64 {
    let magnitude = (word & !F::SIGN) as i64;
    if is_negative::<F>(word) {
        !magnitude
    } else {
        magnitude
    }
}

/// The selected word, rounded if the output is narrower.
fn extreme<F: Format, O: Format>(word: Option<u64>, undetermined: &mut UndeterminedSet) -> u64 {
    let word = word.unwrap_or(0);
    if F::BITS == O::BITS {
        return word;
    }
    let result = narrow_unchecked::<F, O>(word);
    undetermined.add_if(
        word != 0 && class::<O>(result) != Class::Finite,
        Undetermined::ReductionExtremeNarrowed,
    );
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduction(operation: Operation, width: Width) -> Reduction {
        Reduction { operation, width }
    }

    #[track_caller]
    fn check(
        operation: Operation,
        width: Width,
        longs: &[u64],
        expect: u64,
        point: Option<Undetermined>,
    ) {
        let mut undetermined = UndeterminedSet::NONE;
        let result = reduction(operation, width).stage(longs, &mut undetermined);
        assert_eq!(
            result, expect,
            "{operation:?} {width:?} {longs:x?}: {result:#x}"
        );
        assert_eq!(
            undetermined.iter().collect::<Vec<_>>(),
            Vec::from_iter(point)
        );
    }

    #[test]
    fn elements_are_rounded_before_the_sum() {
        const ONE: u64 = 0x3ff0_0000_0000_0000;
        let power = |exponent: i64| ((exponent + 1023) as u64) << 52;
        // 2^-56 is half of the lowest extra bit: each element alone is rounded to nothing.
        let tiny = power(-56);
        check(
            Operation::FloatAdd,
            Width::Long,
            &[ONE, tiny, tiny, tiny],
            ONE,
            None,
        );
        // 2^-54 is kept: three of them make three quarters of the last place.
        let kept = power(-54);
        check(
            Operation::FloatAdd,
            Width::Long,
            &[ONE, kept, kept, kept],
            ONE + 1,
            None,
        );
        // Just above 2^-56 an element is rounded up to 2^-55: seven exceed half a last place,
        // exactly they would not.
        let above = tiny + 1;
        check(
            Operation::FloatAdd,
            Width::Long,
            &[ONE, above, above, above, above, above, above, above],
            ONE + 1,
            None,
        );
        // Exact cancellation gives +0, also of negative zeros.
        check(
            Operation::FloatAdd,
            Width::Long,
            &[ONE, ONE | Double::SIGN],
            0,
            None,
        );
        check(
            Operation::FloatAdd,
            Width::Long,
            &[Double::SIGN, Double::SIGN],
            0,
            None,
        );
    }

    #[test]
    fn sums_in_every_precision() {
        check(
            Operation::FloatAdd,
            Width::Single,
            &[0x3f80_0000_4000_0000, 0x3f80_0000_c040_0000],
            0x4000_0000_bf80_0000,
            None,
        );
        check(
            Operation::FloatAdd,
            Width::Half,
            &[0x3e00_7dff_bdff_0001, 0x3e00_7dff_3e00_8001],
            0x4000_7e00_2a00_0000,
            None,
        );
        let mut undetermined = UndeterminedSet::NONE;
        let halves = reduction(Operation::FloatAdd, Width::Single).stage_narrowed(
            &[0x3f80_0000_3f80_2000, (127 - 23) << 23],
            &mut undetermined,
        );
        assert_eq!((halves, undetermined), (0x3e00_3e01, UndeterminedSet::NONE));
    }

    #[test]
    fn the_sum_over_sixteen_mabs_of_the_tutorial() {
        // PE p of MAB m holds (4m + p - 32) / 2; the first is -0.
        let value = |number: i64| -> u64 {
            if number == -32 {
                return Double::SIGN;
            }
            let exact = Exact::<u64> {
                negative: number < 0,
                magnitude: number.unsigned_abs(),
                exponent: -1,
            };
            exact.round::<Double>()
        };
        #[track_caller]
        fn check_pe(value: impl Fn(i64) -> u64, pe: i64, expect: u64) {
            let longs = std::array::from_fn(|mab| value(4 * mab as i64 + pe - 32));
            for grouping in [Grouping::LowBits, Grouping::HighBits] {
                let mut undetermined = UndeterminedSet::NONE;
                let sum = reduction(Operation::FloatAdd, Width::Long).sixteen(
                    &longs,
                    grouping,
                    &mut undetermined,
                );
                assert_eq!(
                    (sum, undetermined),
                    (expect, UndeterminedSet::NONE),
                    "{sum:#x}"
                );
            }
        }
        check_pe(value, 0, 0);
        check_pe(value, 1, 0xc020_0000_0000_0000);
        check_pe(value, 2, 0);
        check_pe(value, 3, 0x4020_0000_0000_0000);
    }

    #[test]
    fn results_that_depend_on_the_grouping_are_marked() {
        const ONE: u64 = 0x3f80_0000;
        // 2^-24 is half a last place of one: with one in its group they round one by one, in a
        // group of their own they add.
        let tiny = (127 - 24) << 23;
        let mut longs = [0; 16];
        longs[0] = ONE;
        longs[4..7].fill(tiny);
        let add = reduction(Operation::FloatAdd, Width::Single);
        let mut undetermined = UndeterminedSet::NONE;
        let low = add.sixteen(&longs, Grouping::LowBits, &mut undetermined);
        assert!(undetermined.contains(Undetermined::ReductionGrouping));
        let high = add.sixteen(&longs, Grouping::HighBits, &mut undetermined);
        assert_eq!((low, high), (ONE + 2, ONE + 1));
        let mut undetermined = UndeterminedSet::NONE;
        assert_eq!(
            add.sixteen_narrowed(&longs, Grouping::LowBits, &mut undetermined),
            0x3e00
        );
        assert!(undetermined.is_empty());
    }

    #[test]
    fn results_that_depend_on_the_stage_order_are_marked() {
        const ONE: u64 = 0x3ff0_0000_0000_0000;
        let tiny = (1023 - 53) << 52;
        let longs = [[ONE, tiny], [0, tiny], [0, 0], [0, 0]];
        let add = reduction(Operation::FloatAdd, Width::Long);
        let mut undetermined = UndeterminedSet::NONE;
        let within = add.eight(&longs, StageOrder::WithinGroups, &mut undetermined);
        assert!(undetermined.contains(Undetermined::ReductionStages));
        let across = add.eight(&longs, StageOrder::AcrossGroups, &mut undetermined);
        assert_eq!((within, across), (ONE, ONE + 1));
    }

    #[test]
    fn narrowing_happens_once() {
        // 1 + 2^-10 is the tie between two halves; the last stage sees the 2^-23 that decides it.
        let mut longs = [0; 16];
        longs[0] = 0x3f80_2000;
        longs[15] = (127 - 23) << 23;
        let add = reduction(Operation::FloatAdd, Width::Single);
        let mut undetermined = UndeterminedSet::NONE;
        assert_eq!(
            add.sixteen_narrowed(&longs, Grouping::LowBits, &mut undetermined),
            0x3e01
        );
        assert!(undetermined.is_empty());
    }

    #[test]
    fn adding_infinities() {
        const INF: u64 = 0x7e00_0000_0000_0000;
        const NEG: u64 = 0xfe00_0000_0000_0000;
        let two = 0x4000_0000_0000_0000;
        let add = Operation::FloatAdd;
        check(add, Width::Half, &[INF | 5 << 48, two], INF, None);
        check(add, Width::Half, &[two, NEG, NEG], NEG, None);
        check(
            add,
            Width::Half,
            &[two, INF, NEG],
            INF,
            Some(Undetermined::ReductionInfinities),
        );
    }

    #[test]
    fn extremes_compare_sign_and_magnitude() {
        let (max, min) = (Operation::FloatMax, Operation::FloatMin);
        let zeros = [0x8000_0000_0000_0000, 0];
        for zeros in [zeros, [zeros[1], zeros[0]]] {
            check(max, Width::Long, &zeros, 0, None);
            check(min, Width::Long, &zeros, 1 << 63, None);
        }
        // Mantissas of zeros and infinities count, nothing is normalised.
        let words = [0x0001_7e01_fe01_8001, 0x0000_7e00_fe00_8002];
        check(max, Width::Half, &words, 0x0001_7e01_fe00_8001, None);
        check(min, Width::Half, &words, 0x0000_7e00_fe01_8002, None);
        for width in [Width::Half, Width::Single, Width::Long] {
            for operation in [max, min] {
                let identity = reduction(operation, width).identity();
                let word = 0xfe00_0123_8000_0000;
                check(operation, width, &[identity, word], word, None);
            }
        }
    }

    #[test]
    fn narrowed_extremes() {
        #[track_caller]
        fn check(longs: [u64; 2], expect: u32, marked: bool) {
            let mut undetermined = UndeterminedSet::NONE;
            let max = reduction(Operation::FloatMax, Width::Single);
            assert_eq!(
                max.stage_narrowed(&longs, &mut undetermined),
                expect,
                "{longs:x?}"
            );
            assert_eq!(
                undetermined.contains(Undetermined::ReductionExtremeNarrowed),
                marked
            );
        }
        check(
            [0x3f80_6000_0000_0000, 0x3f80_0000_0000_0000],
            0x3e02_0000,
            false,
        );
        check([0, 0x7f80_0000], 0x7e00, true);
        check([0x8000_0000, 0x8000_0001], 0x8000, true);
        check([0, 0x2000_0000], 0, true);
        check([0, 0x6000_0000], 0x7e00, true);
    }

    #[test]
    fn integer_and_logical_reductions() {
        let words = [0xffff_0001_0000_8000, 0x0001_00f1_0000_8000];
        let add = Operation::IntegerAdd;
        check(add, Width::Half, &words, 0x0000_00f2_0000_0000, None);
        check(add, Width::Single, &words, 0x0000_00f2_0001_0000, None);
        check(add, Width::Long, &words, 0x0000_00f2_0001_0000, None);
        check(
            Operation::BitAnd,
            Width::Long,
            &words,
            0x0001_0001_0000_8000,
            None,
        );
        check(
            Operation::BitOr,
            Width::Half,
            &words,
            0xffff_00f1_0000_8000,
            None,
        );
        let point = Some(Undetermined::LogicalReduction);
        check(
            Operation::And,
            Width::Half,
            &words,
            0x0001_0001_0000_0001,
            point,
        );
        let halves = [0x1234_0000_0000_0000, 0x0000_0000_0008_0000];
        check(
            Operation::And,
            Width::Single,
            &halves,
            0x0000_0000_0000_0000,
            point,
        );
        check(
            Operation::Or,
            Width::Single,
            &halves,
            0x0000_0001_0000_0001,
            point,
        );
        check(Operation::Or, Width::Long, &[0, 0], 0, point);
    }
}
