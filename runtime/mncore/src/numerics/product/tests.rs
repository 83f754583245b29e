use super::*;

#[test]
fn omitted_products_are_replaced_by_their_highest_bit() {
    // Weight 2^-46 times 2^8 is 2^-38, weight 2^-104 times 2^30 is 2^-74.
    assert_eq!(multiply_single(1, 1), 1 << 8);
    assert_eq!(multiply_single(31, 31), 1 << 8);
    assert_eq!(multiply_single(31, 32), 31 * 32);
    assert_eq!(multiply_single(33, 65), 33 * 65 - 1 + (1 << 8));
    assert_eq!(multiply_double(1, 0xffff), 1 << 30);
    assert_eq!(multiply_double(0x1_0000, 0xffff), 0xffff_0000);
    assert_eq!(multiply_double(0, 3), 0);
}
