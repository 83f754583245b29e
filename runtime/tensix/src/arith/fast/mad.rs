//! [`crate::arith::spec::sfpu::mad_wormhole`] and [`crate::arith::spec::sfpu::mad_blackhole`] for all
//! lanes of a vector.

use crate::arith::spec::sfpu::Arithmetic;
use crate::arith::{Lanes, LANES};

/// A chip, as a compile-time constant.
pub(super) trait Chip {
    const ARITHMETIC: Arithmetic;
    const IS_BLACKHOLE: bool = matches!(Self::ARITHMETIC, Arithmetic::Blackhole);
}

pub(super) struct Wormhole;
pub(super) struct Blackhole;

impl Chip for Wormhole {
    const ARITHMETIC: Arithmetic = Arithmetic::Wormhole;
}

impl Chip for Blackhole {
    const ARITHMETIC: Arithmetic = Arithmetic::Blackhole;
}

/// Position of the leading one of a normalised significand: 23 mantissa bits and 3 more.
const UNIT: i32 = 26;
const SIGN: u32 = 1 << 31;

/// Returns the exponent field and the significand with three more bits; zero if the exponent is
/// zero.
#[inline(always)]
fn parts(x: u32) -> (i32, u32) {
    let exponent = (x >> 23 & 0xFF) as i32;
    let significand = (x & 0x7F_FFFF | 1 << 23) << 3;
    (exponent, if exponent == 0 { 0 } else { significand })
}

/// Shifts right. Lost bits are gathered in the lowest bit, unless nothing else is left.
#[inline(always)]
fn aligned(significand: u32, by: u32) -> u32 {
    // Significands have at most 29 bits, so nothing is left from there on.
    let by = by.min(31);
    let kept = significand >> by;
    let lost = (kept << by != significand) & (kept != 0);
    kept | u32::from(lost)
}

/// Returns the exponent of a product.
#[inline(always)]
fn exponent(a: u32, b: u32) -> i32 {
    parts(a).0.wrapping_add(parts(b).0).wrapping_sub(127)
}

/// Returns whether an operand is an infinity or NaN, or the product overflows.
#[inline(always)]
fn is_special(a: u32, b: u32, c: u32) -> bool {
    let of = |x| parts(x).0 == 255;
    of(a) | of(b) | of(c) | (exponent(a, b) >= 255)
}

/// Returns the significand of a product; dropped bits are gathered in the lowest bit.
#[inline(always)]
fn product(a: u32, b: u32) -> u32 {
    let exact = u64::from(parts(a).1 >> 3).wrapping_mul((parts(b).1 >> 3).into());
    let dropped = exact as u32 & ((1 << 20) - 1);
    (exact >> 20) as u32 | u32::from(dropped != 0)
}

/// Returns the common exponent of a product and an addend.
#[inline(always)]
fn common(a: u32, b: u32, c: u32) -> i32 {
    exponent(a, b).max(parts(c).0)
}

/// Returns the magnitude and the sign of `a·b + c` at the common exponent, given the significand of
/// the product. Zero is positive.
#[inline(always)]
fn add(a: u32, b: u32, product: u32, c: u32) -> (u32, u32) {
    let (c_exponent, c_significand) = parts(c);
    let common = common(a, b, c);
    let x = aligned(product, common.abs_diff(exponent(a, b)));
    let z = aligned(c_significand, common.abs_diff(c_exponent));
    let product_sign = (a ^ b) & SIGN;
    // With different signs the addend is subtracted; the difference may be negative.
    let differ = ((product_sign ^ c) as i32 >> 31) as u32;
    let sum = x.wrapping_add((z ^ differ).wrapping_sub(differ));
    let negative = ((sum as i32 >> 31) as u32) & differ;
    let sign = if negative == 0 {
        product_sign
    } else {
        c & SIGN
    };
    ((sum ^ negative).wrapping_sub(negative), sign)
}

/// Normalises the magnitude of a sum whose bit [`UNIT`] has the weight `2^exponent`, and rounds it
/// to nearest even.
#[inline(always)]
fn round<C: Chip>(exponent: i32, sum: u32) -> u32 {
    let excess = (31 - UNIT).wrapping_sub(sum.leading_zeros() as i32);
    let exponent = exponent.wrapping_add(excess);
    // Blackhole shifts results below the normal range by one more place, whatever their exponent.
    let is_below = C::IS_BLACKHOLE & (exponent <= 0);
    let excess = excess.wrapping_add(i32::from(is_below));
    let exponent = if is_below { 0 } else { exponent };
    // Of the bits shifted out, only the lowest is sticky; on Blackhole, of two bits both are.
    let lost = if C::IS_BLACKHOLE {
        excess as u32 | 1
    } else {
        1
    };
    let sticky = u32::from((excess > 0) & (sum & lost != 0));
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

/// Returns the sign of a zero result: none on Wormhole; on Blackhole minus, if product and addend
/// are negative.
#[inline(always)]
fn zero<C: Chip>(a: u32, b: u32, c: u32) -> u32 {
    if C::IS_BLACKHOLE {
        (a ^ b) & c & SIGN
    } else {
        0
    }
}

#[inline(always)]
pub(super) fn mad<C: Chip>(a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes {
    let mut products = [0; LANES];
    for l in 0..LANES {
        products[l] = product(a[l], b[l]);
    }
    let (mut sums, mut signs) = ([0; LANES], [0; LANES]);
    for l in 0..LANES {
        (sums[l], signs[l]) = add(a[l], b[l], products[l], c[l]);
    }
    let mut results = [0; LANES];
    for l in 0..LANES {
        let rounded = round::<C>(common(a[l], b[l], c[l]), sums[l]);
        let zero = zero::<C>(a[l], b[l], c[l]);
        // On Blackhole, results rounded to zero keep their sign.
        let is_zero = if C::IS_BLACKHOLE {
            sums[l] == 0
        } else {
            rounded == 0
        };
        let sum = if is_zero { zero } else { signs[l] | rounded };
        // A product below the normal range counts as zero.
        let own = if parts(c[l]).0 == 0 { zero } else { c[l] };
        let alone = (products[l] == 0) | (exponent(a[l], b[l]) < 0);
        results[l] = if alone { own } else { sum };
    }
    let special = |l: usize| is_special(a[l], b[l], c[l]);
    let mut any = 0;
    for l in 0..LANES {
        any |= u32::from(special(l));
    }
    if any != 0 {
        let mad = C::ARITHMETIC.mad();
        for l in (0..LANES).filter(|&l| special(l)) {
            results[l] = mad(a[l], b[l], c[l]);
        }
    }
    results
}
