//! Blackhole's products of 23-bit integers (SFPMUL24), including the addition by the float
//! datapath.

const MASK: u32 = (1 << 23) - 1;

/// Returns the lower half of a product.
pub fn product_low(a: u32, b: u32) -> u32 {
    a.wrapping_mul(b) & MASK
}

/// Returns the upper half of a product.
pub fn product_high(a: u32, b: u32) -> u32 {
    ((u64::from(a & MASK) * u64::from(b & MASK)) >> 23) as u32
}

/// Returns the result of adding a third operand to a product as if both were floats, the product
/// with exponent 129. An operand whose exponent is zero has no effect.
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
mod tests;
