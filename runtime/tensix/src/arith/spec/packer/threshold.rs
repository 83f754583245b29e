//! The exponent threshold between the conversions: datums with a lower exponent become zero.

use super::{exponent5, exponent8};

/// A threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The least exponent of datums that stay.
    pub exponent: u32,
    /// Whether exponents have eight bits, as in FP32, or five, as in FP16.
    pub has_exponent8: bool,
}

impl Threshold {
    /// Applies the threshold to a datum.
    #[inline(always)]
    pub fn apply(self, x: u32) -> u32 {
        let exponent = match self.has_exponent8 {
            true => exponent8(x),
            false => exponent5(x),
        };
        if exponent < self.exponent {
            0
        } else {
            x
        }
    }
}
