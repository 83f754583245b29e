use super::*;

#[test]
fn the_formats_are_those_of_section_1_3() {
    assert_eq!(
        (Half::EXPONENT_BITS, Half::BIAS, Half::ONE),
        (6, 31, 0x3e00)
    );
    assert_eq!(
        (Single::EXPONENT_BITS, Single::BIAS, Single::ONE),
        (8, 127, 0x3f80_0000)
    );
    assert_eq!(
        (Double::EXPONENT_BITS, Double::BIAS, Double::ONE),
        (11, 1023, 0x3ff0_0000_0000_0000)
    );
    assert_eq!((Half::ALL, Double::ALL), (0xffff, u64::MAX));
}

#[test]
fn normalisation() {
    #[track_caller]
    fn check<F: Format>(word: u64, class: Class, normal: u64) {
        assert_eq!(super::classify::<F>(word), class, "{word:#x}");
        assert_eq!(normalise::<F>(word), normal, "{word:#x}");
    }
    check::<Half>(0x803e, Class::Zero, 0);
    check::<Half>(0x0200, Class::Finite, 0x0200);
    check::<Half>(0xfe01, Class::Infinite, 0xfe00);
    check::<Single>(0x42, Class::Zero, 0);
    check::<Single>(0x8000_0000, Class::Zero, 0);
    check::<Single>(0x7fff_ffff, Class::Infinite, 0x7f80_0000);
    check::<Double>(u64::MAX, Class::Infinite, 0xfff0_0000_0000_0000);
    check::<Double>(1 << 52, Class::Finite, 1 << 52);
}
