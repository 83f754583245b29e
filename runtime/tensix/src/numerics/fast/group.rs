//! The sum of eight products in each lane, at the largest exponent among them, in integers. All
//! align a product by shifting its magnitude, ties away from zero, and put its sign back.

use super::adder::Lanes;
use super::product::Factors;

/// Products that are summed before they meet Dst.
pub(super) const GROUP: usize = 8;

/// Exponents, still without bias, and sums.
pub(super) type Sums = (Lanes<i16>, Lanes<i16>);

/// Sums the products of the rows of `a` with the lanes of `b` from `first`. No exponent is below
/// `floor`, and `a`'s significands are doubled. Nothing wraps: a sum of exponents lies between
/// twice that of an absent factor and 510, a doubled product has 13 bits and a sign, one that is
/// aligned 12, and there are eight.
#[inline(always)]
pub(super) fn sum(floor: i16, a: &[Factors; GROUP], b: &Factors, first: usize) -> Sums {
    let mut common = [floor; 16];
    for (k, a) in a.iter().enumerate() {
        let b = b.exponents[first + k];
        for lane in 0..16 {
            let exponent = a.exponents[lane].wrapping_add(b);
            common[lane] = common[lane].max(exponent);
        }
    }
    let mut sums = [0_i16; 16];
    for (k, a) in a.iter().enumerate() {
        let (b_exponent, b_significand) = (b.exponents[first + k], b.significands[first + k]);
        for lane in 0..16 {
            let exponent = a.exponents[lane].wrapping_add(b_exponent);
            let product = a.significands[lane].wrapping_mul(b_significand);
            let by = common[lane].wrapping_sub(exponent);
            sums[lane] = sums[lane].wrapping_add(align(product, by));
        }
    }
    (common, sums)
}

/// `x / 2^(by + 1)`, ties away from zero, for `x` of 13 bits and a sign.
#[inline(always)]
fn align(x: i16, by: i16) -> i16 {
    let below = x.wrapping_add(x >> 15);
    (below >> by.min(15)).wrapping_add(1) >> 1
}
