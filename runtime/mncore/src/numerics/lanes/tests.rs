use super::*;

#[test]
fn lane_zero_is_the_most_significant() {
    let long = 0x0011_2233_4455_6677;
    assert_eq!(lane::<16>(long, 0), 0x0011);
    assert_eq!(lane::<16>(long, 3), 0x6677);
    assert_eq!(lane::<32>(long, 1), 0x4455_6677);
    assert_eq!(lane::<64>(long, 0), long);
    assert_eq!(zip::<16>(long, 0, |x, _| x), long);
    assert_eq!(zip::<32>(1, long, |_, y| y), long);
    assert_eq!(
        Width::lanes(Width::Half) * Width::bits(Width::Half),
        Width::lanes(Width::Long) * 64
    );
}

#[test]
fn flags_are_repeated_to_four_bits() {
    #[track_caller]
    fn check(width: Width, long: u64, expect: u8) {
        assert_eq!(non_negative(width, long), expect, "{width:?} {long:#x}");
    }
    check(Width::Half, 0x8000_0000_8000_0000, 0b0101);
    check(Width::Single, 0x8000_0000_0000_0000, 0b0011);
    check(Width::Long, 0x8000_0000_0000_0000, 0b0000);
    check(Width::Long, 0x7fff_ffff_ffff_ffff, 0b1111);
    let singles = [0x8000_0000_0000_0000, 0x0000_0000_8000_0000];
    assert_eq!(non_negative_singles(singles), 0b0110);
}
