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
    let result =
        certain(|undetermined| fma::<Single, Single>(factor, factor, 0xd380_0000, undetermined));
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
    let result =
        certain(|undetermined| fma::<Double, Single>(tie, Double::ONE, 0x3c3 << 52, undetermined));
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
