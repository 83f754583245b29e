//! The sum of eight products in each lane at their largest exponent, in integers. Products are
//! aligned by shifting their magnitudes, rounded with ties away from zero; then the sign is
//! restored.

use super::adder::Lanes;
use super::product::OperandRow;

/// Number of products that are summed before they are added to Dst.
pub(super) const GROUP: usize = 8;

/// Exponents without bias, and sums.
pub(super) type Sums = (Lanes<i16>, Lanes<i16>);

/// Sums the products of the rows of `a` with the lanes of `b` from `first` on. `floor` is the
/// minimum of the common exponent. The significands of `a` are doubled.
///
/// 16 bits suffice: a sum of exponents lies between 2 · [`ABSENT`](super::product::ABSENT) and 510.
/// A doubled product has 13 bits and a sign, an aligned one 12 bits, and there are eight of them.
#[inline(always)]
pub(super) fn sum(floor: i16, a: &[OperandRow; GROUP], b: &OperandRow, first: usize) -> Sums {
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

/// Returns `x / 2^(by + 1)`, ties away from zero, for `x` of 13 bits and a sign.
#[inline(always)]
fn align(x: i16, by: i16) -> i16 {
    let below = x.wrapping_add(x >> 15);
    (below >> by.min(15)).wrapping_add(1) >> 1
}
