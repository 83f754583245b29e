use super::*;

#[test]
fn widening_is_exact() {
    assert_eq!(widen::<Half, Single>(0x3e00), 0x3f80_0000);
    assert_eq!(widen::<Half, Single>(0xc281), 0xc0a0_4000);
    assert_eq!(widen::<Half, Single>(0x0200), (127 - 30) << 23);
    assert_eq!(widen::<Half, Single>(0x81ff), 0x8000_0000);
    assert_eq!(widen::<Half, Single>(0xffff), 0xff80_0000);
    assert_eq!(widen_single(0x3f80_0001), 0x3ff0_0000_2000_0000);
    assert_eq!(
        widen_halves(0x3e00_4280_4440_4540),
        [0x3f80_0000_40a0_0000, 0x4110_0000_4150_0000]
    );
}

#[test]
fn every_half_survives_the_way_through_single() {
    for word in 0..=u64::from(u16::MAX) {
        let back = narrow_unchecked::<Single, Half>(widen::<Half, Single>(word));
        let expect = match classify::<Half>(word) {
            Class::Finite => word,
            Class::Zero => word & Half::SIGN,
            Class::Infinite => word & !Half::MANTISSA,
        };
        assert_eq!(back, expect, "{word:#x}");
    }
}

#[test]
fn widening_shows_bits() {
    #[track_caller]
    fn check(word: u64, marked: bool) {
        for point in [
            Undetermined::ReductionExtremeWidened,
            Undetermined::WidenedMatrixInput,
        ] {
            let mut undetermined = UndeterminedSet::NONE;
            let wide = widen_visible::<Half, Single>(word, point, &mut undetermined);
            assert_eq!(wide, widen::<Half, Single>(word));
            assert_eq!(undetermined.contains(point), marked, "{word:#x}");
        }
    }
    check(0x8000, false);
    check(0x0001, true);
    check(0x7e00, false);
    check(0xfe01, true);
    check(0x3e01, false);
}

#[test]
fn narrowing_of_inputs() {
    #[track_caller]
    fn check(word: u64, expect: u64, marked: bool) {
        let mut undetermined = UndeterminedSet::NONE;
        assert_eq!(
            narrow::<Single, Half>(word, &mut undetermined),
            expect,
            "{word:#x}"
        );
        assert_eq!(
            undetermined.contains(Undetermined::NarrowedInput),
            marked,
            "{word:#x}"
        );
    }
    check(0x3f80_0000, 0x3e00, false);
    // Ties at bit 13: to the even neighbour.
    check(0x3f80_2000, 0x3e00, false);
    check(0x3f80_6000, 0x3e02, false);
    check(0xbf80_2001, 0xbe01, false);
    check(0x4fff_ffff, 0x7e00, false);
    check(0xff7f_ffff, 0xfe00, false);
    check(0, 0, false);
    check(0x0000_0001, 0, false);
    check(0x8000_0000, 0x8000, true);
    check(0x2000_0000, 0, false);
    check(0xa000_0000, 0x8000, true);
    check(0x7f80_0000, 0x7e00, false);
    check(0x7f80_0001, 0x7e00, true);
    let mut undetermined = UndeterminedSet::NONE;
    let halves = narrow_singles(
        [0x3f80_0000_40a0_0000, 0x4110_0000_4150_0000],
        &mut undetermined,
    );
    assert_eq!(
        (halves, undetermined),
        (0x3e00_4280_4440_4540, UndeterminedSet::NONE)
    );
}
