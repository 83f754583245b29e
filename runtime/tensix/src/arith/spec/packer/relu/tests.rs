use super::*;

#[test]
fn modes() {
    use DatumKind::*;
    for (kind, mode, x, expected) in [
        (Exponent8, Relu::Off, 0xBF80_0000, 0xBF80_0000),
        (Exponent8, Relu::Zero, 0xBF80_0000, 0),
        (Exponent8, Relu::Zero, 0x8000_0000, 0),
        (Exponent8, Relu::Zero, 0x0000_0001, 1),
        (Exponent8, Relu::Zero, 0xFF80_0000, 0),
        (Exponent8, Relu::BelowThreshold(0x3F80_0000), 0x3F80_0000, 0),
        (
            Exponent8,
            Relu::BelowThreshold(0x3F80_0000),
            0x3F80_0001,
            0x3F80_0001,
        ),
        (
            Exponent8,
            Relu::Clamp(0x3F80_0000),
            0x4000_0000,
            0x3F80_0000,
        ),
        (
            Exponent8,
            Relu::Clamp(0x3F80_0000),
            0x3F80_1FFF,
            0x3F80_1FFF,
        ),
        (
            Exponent8,
            Relu::Clamp(0x3F80_0000),
            0x3F80_2000,
            0x3F80_0000,
        ),
        (Exponent8, Relu::Clamp(0x3F80_0000), 0xC000_0000, 0),
        (Exponent5, Relu::Clamp(0x3C00), 0x3C01, 0x3C00),
        (Exponent5, Relu::Zero, 0xFFFF, 0),
        (Int32, Relu::Zero, 0x8000_0005, 0),
        (Int16, Relu::Zero, 0x8005, 0),
        (Int8, Relu::Zero, 0x85, 0),
        (Int8, Relu::Zero, 0x45, 0x45),
    ] {
        assert_eq!(mode.apply(kind, x), expected, "{kind:?} {mode:?} {x:#x}");
    }
}

#[test]
fn cases_in_which_sources_disagree() {
    for (mode, x, unknown) in [
        (Relu::Off, 0xFFC0_0000, false),
        (Relu::Zero, 0xFFC0_0000, true),
        (Relu::Zero, 0x7FC0_0000, false),
        (Relu::Zero, 0xFF80_0000, false),
        (Relu::BelowThreshold(1), 0xFF80_0001, true),
        (Relu::Clamp(1), 0x7FC0_0000, true),
    ] {
        assert_eq!(
            mode.is_undefined(DatumKind::Exponent8, x),
            unknown,
            "{mode:?} {x:#x}"
        );
        assert!(!mode.is_undefined(DatumKind::Int32, x));
    }
}
