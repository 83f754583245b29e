use super::*;

const NINE: HalfLength = HalfLength(9);
const SIX: HalfLength = HalfLength(6);

#[track_caller]
fn check(conversion: Conversion, longs: [u64; 4], expect: [u64; 4], point: Option<Undetermined>) {
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
    // The last bit is dropped; a significand of all ones carries into the common exponent.
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
    // The carry of the largest numbers gives infinity.
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
    // Six bits: three spare bits raise the common exponent.
    let zero = 0x4400_4400_4400_4400;
    check(
        Conversion::Half(SIX),
        [0x3e00_bc00_3ef8_3e08, 0, 0, 0],
        [0x4420_c410_4430_4420, zero, zero, zero],
        None,
    );
    // A mantissa of 0x1f8 is all ones above the three lower bits, so it carries.
    let zero = 0x4600_4600_4600_4600;
    check(
        Conversion::Half(SIX),
        [0x3ff8_3e00_0000_0000, 0, 0, 0],
        [0x4620_4610_4600_4600, zero, zero, zero],
        None,
    );
    // An exponent of 60 with three spare bits is out of range.
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
