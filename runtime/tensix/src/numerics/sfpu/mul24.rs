//! Blackhole's products of integers of 23 bits (SFPMUL24), to which the datapath for floats adds.
//!
//! Source: ISA documentation, `SFPMUL24.md`.

const MASK: u32 = (1 << 23) - 1;

/// The lower half of a product.
pub fn product_low(a: u32, b: u32) -> u32 {
    a.wrapping_mul(b) & MASK
}

/// The upper half.
pub fn product_high(a: u32, b: u32) -> u32 {
    ((u64::from(a & MASK) * u64::from(b & MASK)) >> 23) as u32
}

/// What comes of a product when a third operand is added as if both were parts of floats, the
/// product's with the exponent 129. An operand whose exponent is zero leaves it alone.
pub fn add_to_product(product: u32, addend: u32) -> u32 {
    const EXPONENT: u32 = 129;
    let exponent = addend >> 23 & 0xFF;
    if exponent == 0 {
        return product;
    }
    let common = exponent.max(EXPONENT);
    let product = product >> ((common - EXPONENT) & 31);
    let by = (common - exponent) & 31;
    let significand = (1 << 23 | addend & MASK) << 3;
    let shifted = significand >> by;
    if shifted == 0 {
        return product;
    }
    let lost = shifted << by ^ significand;
    let sum = product
        .wrapping_add(shifted)
        .wrapping_add(u32::from(lost > 0xFFFF) << 16);
    sum & MASK
}

#[cfg(test)]
mod tests {
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
            // Of a larger exponent: the product is shifted.
            (5, 130 << 23 | 1, 2 + 8),
            (5, 131 << 23, 1),
            // So much less that nothing is left; shifts count modulo 32.
            (5, 100 << 23, 5),
            (5, 97 << 23 | 1, 13),
            // What is lost rounds at bit 16.
            (0, 112 << 23 | 0x7F_FFFF, 0x3FF + (1 << 16)),
        ] {
            assert_eq!(
                add_to_product(product, addend),
                sum,
                "{product:#x} + {addend:#x}"
            );
        }
    }
}
