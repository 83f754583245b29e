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
            let sum = reduction(Operation::FloatAdd, Width::Long).reduce_16(
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
    let low = add.reduce_16(&longs, Grouping::LowBits, &mut undetermined);
    assert!(undetermined.contains(Undetermined::ReductionGrouping));
    let high = add.reduce_16(&longs, Grouping::HighBits, &mut undetermined);
    assert_eq!((low, high), (ONE + 2, ONE + 1));
    let mut undetermined = UndeterminedSet::NONE;
    assert_eq!(
        add.reduce_16_narrowed(&longs, Grouping::LowBits, &mut undetermined),
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
    let within = add.reduce_8(&longs, StageOrder::WithinGroups, &mut undetermined);
    assert!(undetermined.contains(Undetermined::ReductionStages));
    let across = add.reduce_8(&longs, StageOrder::AcrossGroups, &mut undetermined);
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
        add.reduce_16_narrowed(&longs, Grouping::LowBits, &mut undetermined),
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
