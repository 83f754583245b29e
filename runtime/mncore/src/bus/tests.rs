use super::*;

#[test]
fn a_flag_covers_a_half_word_or_a_single_word() {
    for (width, flags, high, low) in [
        (MaskWidth::Long, 0b0000, 0, u64::MAX),
        (MaskWidth::Long, 0b1111, u64::MAX, u64::MAX),
        (MaskWidth::Long, 0b1000, 0xffff_0000_0000_0000, u64::MAX),
        (MaskWidth::Long, 0b0101, 0x0000_ffff_0000_ffff, u64::MAX),
        (MaskWidth::TwoLong, 0b1000, 0xffff_ffff_0000_0000, 0),
        (
            MaskWidth::TwoLong,
            0b0110,
            0xffff_ffff,
            0xffff_ffff_0000_0000,
        ),
        (MaskWidth::TwoLong, 0b0001, 0, 0xffff_ffff),
    ] {
        assert_eq!(width.expand(flags), (high, low), "{width:?} {flags:04b}");
    }
}
