//! Blackhole's approximations (SFPARECIP) of a reciprocal and of an exponential, computed from the
//! upper 16 bits of a magnitude.
//!
//! Source: ISA documentation, `SFPARECIP.md`. Two rules reproduce its tables entry by entry. The
//! mantissa of a reciprocal is that of the middle of the argument's interval, rounded to nearest.
//! An exponential is that of the argument without its lower bits, truncated.

/// The words 2^-126, 2^-6, 1, 2 and 2^126 as FP32.
const SMALLEST: u32 = 0x0080_0000;
const SIXTY_FOURTH: u32 = 0x3C80_0000;
const ONE: u32 = 0x3F80_0000;
const TWO: u32 = 0x4000_0000;
const LARGE: u32 = 0x7E80_0000;
const INFINITY: u32 = 0x7F80_0000;

/// Returns the approximate reciprocal of a positive number: infinity below the normal range, zero
/// from 2^126 on.
pub fn approximate_reciprocal(x: u32) -> u32 {
    match x {
        ..SMALLEST => INFINITY,
        SMALLEST..LARGE => {
            let middle = 2 * (x >> 16 & 0x7F) + 257;
            let mantissa = (2 * 65536 / middle).div_ceil(2) - 128;
            (253 - (x >> 23)) << 23 | mantissa << 16
        }
        _ => 0,
    }
}

/// Returns the approximate exponential of a positive number. From 2 on, the hardware returns 4 with
/// some bits of the argument; below 2^-6 it is not accurate either.
pub fn approximate_exponential(x: u32) -> u32 {
    let lower = x & 0xFFFF;
    match x {
        ..SMALLEST => ONE,
        SMALLEST..SIXTY_FOURTH => 0x3F81_0000 | lower,
        SIXTY_FOURTH..TWO => {
            let index = (x - SIXTY_FOURTH) >> 16;
            u32::from(EXPONENTIALS[index as usize]) << 16 | lower
        }
        _ => 0x4080_0000 | lower,
    }
}

/// The upper 16 bits of the exponentials of the numbers from 2^-6 to 2 with zero lower bits.
static EXPONENTIALS: [u16; 7 * 128] = {
    let mut table = [0; 7 * 128];
    let mut index = 0;
    while index < table.len() {
        table[index] = upper_bits_of_exponential(SIXTY_FOURTH + ((index as u32) << 16));
        index += 1;
    }
    table
};

/// Computes an entry of the table; the exponential is below 8.
const fn upper_bits_of_exponential(x: u32) -> u16 {
    /// Number of fraction bits.
    const POINT: u32 = 56;
    let significand = (x & 0x7F_FFFF | 0x80_0000) as u128;
    // The significand has 23 fraction bits and the weight 2^(exponent - 127).
    let argument = (significand << (POINT - 23 + 1)) >> (128 - (x >> 23));
    let (mut term, mut sum, mut k) = (1u128 << POINT, 0, 1);
    while term != 0 {
        sum += term;
        term = ((term * argument) >> POINT) / k;
        k += 1;
    }
    let exponent = sum.ilog2() - POINT;
    let mantissa = (sum >> (exponent + POINT - 7)) as u16 & 0x7F;
    (127 + exponent as u16) << 7 | mantissa
}

#[cfg(test)]
mod tests;
