use super::*;

#[test]
fn products() {
    for (a, b, low, high) in [
        (3, 5, 15, 0),
        (0x7F_FFFF, 0x7F_FFFF, 1, 0x7F_FFFE),
        (0x40_0000, 2, 0, 1),
        (0x40_0000, 4, 0, 2),
        // Bits above the lower 23 count for the lower half alone, whose own they cannot reach.
        (0xFF80_0003, 5, 15, 0),
    ] {
        assert_eq!(
            (product_low(a, b), product_high(a, b)),
            (low, high),
            "{a:#x} * {b:#x}"
        );
    }
}

#[test]
fn additions() {
    for (product, addend, sum) in [
        (5, 0, 5),
        (5, 0x007F_FFFF, 5),
        // The addend's exponent is the product's: eight times its significand, modulo 2^23.
        (5, 129 << 23, 5),
        (5, 129 << 23 | 1, 13),
        // One less: four times it, and nothing is lost.
        (5, 128 << 23 | 1, 9),
        // The addend has a larger exponent: the product is shifted.
        (5, 130 << 23 | 1, 2 + 8),
        (5, 131 << 23, 1),
        // Shifted out completely; shift amounts are modulo 32.
        (5, 100 << 23, 5),
        (5, 97 << 23 | 1, 13),
        // The lost bits round at bit 16.
        (0, 112 << 23 | 0x7F_FFFF, 0x3FF + (1 << 16)),
    ] {
        assert_eq!(
            add_to_product(product, addend),
            sum,
            "{product:#x} + {addend:#x}"
        );
    }
}
