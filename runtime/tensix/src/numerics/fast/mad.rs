//! [`crate::numerics::sfpu::mad_wormhole`] for all lanes of a vector.

use crate::numerics::sfpu::mad_wormhole;
use crate::sfpu::{Lanes, LANES};

/// Position of the leading one of a normalised significand: 23 mantissa bits and 3 more.
const UNIT: i32 = 26;

/// Exponent field, and significand with three bits more; zero if the exponent is.
#[inline(always)]
fn parts(x: u32) -> (i32, u32) {
    let exponent = (x >> 23 & 0xFF) as i32;
    let significand = (x & 0x7F_FFFF | 1 << 23) << 3;
    (exponent, if exponent == 0 { 0 } else { significand })
}

/// Shifted right. Bits lost go into the lowest bit, unless nothing else is left.
#[inline(always)]
fn aligned(significand: u32, by: u32) -> u32 {
    // No significand has more than 29 bits, so that nothing is left of it from there on.
    let by = by.min(31);
    let kept = significand >> by;
    let lost = (kept << by != significand) & (kept != 0);
    kept | u32::from(lost)
}

/// `a·b + c` where neither an operand nor the product is as large as an infinity; whether they are.
#[inline(always)]
fn finite(a: u32, b: u32, c: u32) -> (u32, bool) {
    let ((a_exponent, a_significand), (b_exponent, b_significand)) = (parts(a), parts(b));
    let (c_exponent, c_significand) = parts(c);
    let exact = u64::from(a_significand >> 3).wrapping_mul((b_significand >> 3).into());
    let dropped = exact as u32 & ((1 << 20) - 1);
    let product = (exact >> 20) as u32 | u32::from(dropped != 0);
    let exponent = a_exponent.wrapping_add(b_exponent).wrapping_sub(127);
    let special =
        (a_exponent == 255) | (b_exponent == 255) | (c_exponent == 255) | (exponent >= 255);
    // A product below the normal range counts as zero.
    let alone = (product == 0) | (exponent < 0);
    let common = exponent.max(c_exponent);
    let x = aligned(product, common.abs_diff(exponent));
    let z = aligned(c_significand, common.abs_diff(c_exponent));
    let product_sign = (a ^ b) & 1 << 31;
    let differ = (product_sign ^ c) >> 31 != 0;
    let sign = if x >= z { product_sign } else { c & 1 << 31 };
    let sum = if differ {
        x.abs_diff(z)
    } else {
        x.wrapping_add(z)
    };
    let rounded = round(common, sum);
    let result = if rounded == 0 { 0 } else { sign | rounded };
    let own = if c_exponent == 0 { 0 } else { c };
    (if alone { own } else { result }, special)
}

/// The magnitude of a sum whose bit [`UNIT`] is worth `2^exponent`, normalised and rounded to nearest even.
#[inline(always)]
fn round(exponent: i32, sum: u32) -> u32 {
    let excess = (31 - UNIT).wrapping_sub(sum.leading_zeros() as i32);
    let exponent = exponent.wrapping_add(excess);
    // Of the bits shifted out only the lowest is sticky.
    let sticky = if excess > 0 { sum & 1 } else { 0 };
    let normal = sum >> excess.max(0) << (excess.wrapping_neg().max(0) & 31) | sticky;
    let truncated = ((exponent as u32) << 23).wrapping_add(normal >> 3 & 0x7F_FFFF);
    let rounded = truncated.wrapping_add(u32::from((normal & 7).wrapping_add(truncated & 1) > 4));
    let rounded = if exponent >= 255 { 255 << 23 } else { rounded };
    let vanishes = (sum == 0) | (exponent < 0) | (rounded >> 23 == 0);
    if vanishes {
        0
    } else {
        rounded
    }
}

#[inline(always)]
pub(super) fn mad(a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes {
    let mut results = [0; LANES];
    let mut special = [false; LANES];
    for lane in 0..LANES {
        (results[lane], special[lane]) = finite(a[lane], b[lane], c[lane]);
    }
    if special.contains(&true) {
        for lane in (0..LANES).filter(|&lane| special[lane]) {
            results[lane] = mad_wormhole(a[lane], b[lane], c[lane]);
        }
    }
    results
}
