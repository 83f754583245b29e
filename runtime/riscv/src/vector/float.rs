//! Conversions of single-precision numbers.

use super::config::VectorError;
use crate::float::{Rounding, SINGLE};

/// The sign bit.
pub(super) const SIGN: u32 = 1 << 31;
/// The rounding mode of all operations.
pub(super) const NEAREST: Rounding = Rounding::Nearest;

/// Converts to an integer within bounds.
pub(super) fn nearest(a: u32, bounds: (i64, i64)) -> u32 {
    SINGLE.to_integer(a, NEAREST, bounds) as u32
}

/// Converts by truncation; refused unless rounding to nearest gives the same.
pub(super) fn truncated(a: u32, bounds: (i64, i64)) -> Result<u32, VectorError> {
    let nearest = SINGLE.to_integer(a, NEAREST, bounds);
    match nearest == SINGLE.to_integer(a, Rounding::TowardsZero, bounds) {
        true => Ok(nearest as u32),
        false => Err(VectorError::NotModelled(
            "whether this conversion truncates is not documented; convert integral values only",
        )),
    }
}
