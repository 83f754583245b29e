//! The approximate reciprocal square root (section 3.6.12.9), *not* bit-exact.
//!
//! The manual says that the sign is ignored and that about five bits are correct; the chip's table
//! is not public. The table here is indexed by the parity of the exponent and five mantissa bits.
//! Its entries are computed with integers at the middle of each interval. Every use records the
//! undetermined point `rsqrt-approximation`.

use super::super::format::{classify, exponent, mantissa, Class, Format};

/// The number of mantissa bits that index the table.
const INDEX_BITS: u32 = 5;
/// The number of mantissa bits of a table entry.
const RESULT_BITS: u32 = 7;

/// Entry `parity · 2^INDEX_BITS + index` is the mantissa of the result. Its hidden bit has the
/// weight 1/2.
const TABLE: [u8; 2 << INDEX_BITS] = table();

const fn table() -> [u8; 2 << INDEX_BITS] {
    let mut table = [0; 2 << INDEX_BITS];
    let mut entry = 0;
    while entry < table.len() {
        let index = entry % (1 << INDEX_BITS);
        let parity = entry >> INDEX_BITS;
        // The middle of the interval, in units of 2^-(INDEX_BITS + 1): from 1 to 2, or from 2 to 4
        // for odd exponents.
        let middle = ((2 << INDEX_BITS) + 2 * index as u64 + 1) << parity;
        // 2^(RESULT_BITS + 1) / sqrt(middle), rounded: the square root of a quotient with two more
        // bits.
        let square = (1u64 << (2 * (RESULT_BITS + 2) + INDEX_BITS + 1)) / middle;
        table[entry] = (square.isqrt().div_ceil(2) - (1 << RESULT_BITS)) as u8;
        entry += 1;
    }
    table
}

/// Approximates `|word|^(-1/2)` with a relative error below 2^-6. Zero gives infinity, infinity
/// gives zero.
pub fn rsqrt<F: Format>(word: u64) -> u64 {
    match classify::<F>(word) {
        Class::Zero => return F::INFINITY,
        Class::Infinite => return 0,
        Class::Finite => {}
    }
    let power = exponent::<F>(word) as i32 - F::BIAS;
    let parity = power & 1;
    let index = mantissa::<F>(word) >> (F::MANTISSA_BITS - INDEX_BITS);
    let entry = TABLE[(parity as usize) << INDEX_BITS | index as usize];
    // x = 2^(power - parity) · (2^parity · 1.mantissa), and the table holds twice the reciprocal of
    // the root.
    let result = -(power - parity) / 2 - 1 + F::BIAS;
    (result as u64) << F::MANTISSA_BITS | u64::from(entry) << (F::MANTISSA_BITS - RESULT_BITS)
}

#[cfg(test)]
mod tests;
