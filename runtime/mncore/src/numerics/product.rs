//! The multipliers of the MAU (sections 4.3 and 4.5), which omit some partial products in single
//! and double precision.
//!
//! Half and pseudo-single products are exact. Single precision omits the products of the low 5 bits
//! of both factors, double precision those of the low 16 bits (equations 4.6 and 4.8). If the
//! omitted sum is not zero, the product of the two highest omitted bits is added as a correction
//! (equations 4.7 and 4.9). The formulas give the lowest mantissa bits the weight 2^-23 or 2^-52.
//! The corrections 2^-38 and 2^-74 are therefore bits 8 and 30 of the integer product.

/// Low bits of a single precision factor whose mutual products are omitted: 23 - 18.
const SINGLE_LOW: u32 = 5;
/// Low bits of a double precision factor whose mutual products are omitted: 52 - 36.
const DOUBLE_LOW: u32 = 16;

/// Multiplies two single precision significands of up to 24 bits as the MAU does.
#[inline]
pub fn multiply_single(a: u64, b: u64) -> u64 {
    let low = (1 << SINGLE_LOW) - 1;
    let omitted = (a & low) * (b & low);
    let correction = u64::from(omitted != 0) << (2 * SINGLE_LOW - 2);
    a * b - omitted + correction
}

/// Multiplies two double precision significands of up to 53 bits as the MAU does.
#[inline]
pub fn multiply_double(a: u64, b: u64) -> u128 {
    let low = (1 << DOUBLE_LOW) - 1;
    let omitted = (a & low) * (b & low);
    let correction = u128::from(omitted != 0) << (2 * DOUBLE_LOW - 2);
    u128::from(a) * u128::from(b) - u128::from(omitted) + correction
}

#[cfg(test)]
mod tests;
