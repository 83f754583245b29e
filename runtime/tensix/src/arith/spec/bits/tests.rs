use super::*;
use proptest::prelude::*;

#[test]
fn known_datums() {
    // 1.0, -1.5 and the largest finite value in each place.
    for (bf16, src, dst) in [
        (0x3F80, 0x0_007F, 0x007F),
        (0xBFC0, 0x6_007F, 0xC07F),
        (0x7F7F, 0x3_F8FE, 0x7FFE),
    ] {
        assert_eq!(src_from_bf16(bf16), src);
        assert_eq!(dst_from_bf16(bf16), dst);
    }
    for (fp16, src, dst) in [(0x3C00, 0x0_000F, 0x000F), (0xBE00, 0x6_000F, 0xC00F)] {
        assert_eq!(src_from_fp16(fp16), src);
        assert_eq!(dst_from_fp16(fp16), dst);
    }
    assert_eq!(dst_from_fp32(0x3FC0_1234), 0x407F_1234);
}

proptest! {
    #[test]
    fn layouts_are_bijections(w in any::<u32>(), h in any::<u16>()) {
        prop_assert_eq!(fp32_from_dst(dst_from_fp32(w)), w);
        prop_assert_eq!(dst_from_fp32(fp32_from_dst(w)), w);
        prop_assert_eq!(bf16_from_dst(dst_from_bf16(h)), h);
        prop_assert_eq!(fp16_from_dst(dst_from_fp16(h)), h);
        prop_assert_eq!(tf32_from_src(src_from_tf32(w & SRC_MASK)), w & SRC_MASK);
    }

    #[test]
    fn moves_through_dst_keep_what_fits(h in any::<u16>(), t in 0..=SRC_MASK) {
        let src = src_from_bf16(h);
        prop_assert_eq!(dst16_from_src_exp8(src), dst_from_bf16(h));
        prop_assert_eq!(src_from_dst_bf16(dst16_from_src_exp8(src)), src);
        let src = src_from_fp16(h);
        prop_assert_eq!(dst16_from_src_exp5(src), dst_from_fp16(h));
        prop_assert_eq!(src_from_dst_fp16(dst16_from_src_exp5(src)), src);
        prop_assert_eq!(src_from_dst_fp32(dst32_from_src_tf32(t)), t);
        prop_assert_eq!(fp32_from_dst(dst32_from_src_tf32(t)), tf32_from_src(t) << 13);
    }
}
