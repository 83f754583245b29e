use super::*;

#[test]
fn numbers_within_a_mask() {
    for mask in 0..32_u64 {
        for limit in 1..40_u64 {
            let expect = (0..limit).filter(|number| number & !mask == 0).count() as u64;
            assert_eq!(below(mask, limit), expect, "{mask:b} below {limit}");
        }
    }
}
