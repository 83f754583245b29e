//! SFPSTOCHRND of all lanes: floats to narrower floats or to integers.
//!
//! Each is a loop over all lanes without branches, so that the compiler turns it into vector
//! instructions.

use super::{vectors, Level, Set};
use crate::arith::spec::sfpu::{Integer, THRESHOLD_BITS};
use crate::arith::{Lanes, LANES};

#[cfg(test)]
mod tests;

for_each_level! {
    /// Rounds FP32 to a float with `discarded` fewer bits of the mantissa by the thresholds, as
    /// [`crate::arith::spec::sfpu::round_bf16`] does.
    to_float = to_float_with, (discarded: u32, values: &Lanes, thresholds: &Lanes) -> Lanes
}

#[inline(always)]
fn to_float_with<V: vectors::Vector>(discarded: u32, values: &Lanes, thresholds: &Lanes) -> Lanes {
    match discarded {
        16 => each(values, thresholds, |x, threshold| float(16, x, threshold)),
        _ => each(values, thresholds, |x, threshold| {
            float(discarded, x, threshold)
        }),
    }
}

#[inline(always)]
fn each(values: &Lanes, thresholds: &Lanes, of: impl Fn(u32, u32) -> u32) -> Lanes {
    let mut rounded = [0; LANES];
    for lane in 0..LANES {
        rounded[lane] = of(values[lane], thresholds[lane]);
    }
    rounded
}

#[inline(always)]
fn float(discarded: u32, x: u32, threshold: u32) -> u32 {
    const EXPONENT: u32 = 0x7F80_0000;
    let lost = x & ((1 << discarded) - 1);
    let up = u32::from(lost >= threshold >> (23 - discarded));
    let rounded = (x - lost).wrapping_add(up << discarded);
    let is_finite = x & EXPONENT != EXPONENT;
    let number = if is_finite {
        rounded
    } else {
        x & (1 << 31 | EXPONENT)
    };
    if x & EXPONENT == 0 {
        0
    } else {
        number
    }
}

for_each_level! {
    /// Rounds FP32 to integers by the thresholds, as
    /// [`crate::arith::spec::sfpu::integer_of_float`] does.
    to_integer = to_integer_with, (to: Integer, values: &Lanes, thresholds: &Lanes) -> Lanes
}

#[inline(always)]
fn to_integer_with<V: vectors::Vector>(to: Integer, values: &Lanes, thresholds: &Lanes) -> Lanes {
    let (greatest, sign) = (to.max_magnitude(), if to.is_signed() { 1 << 31 } else { 0 });
    each(values, thresholds, |x, threshold| {
        let magnitude = integer(x, threshold).min(greatest);
        // There is no negative zero.
        magnitude | if magnitude == 0 { 0 } else { x & sign }
    })
}

/// Returns the magnitude of a float rounded to an adjacent integer, or `u32::MAX` from 2^16 on.
#[inline(always)]
fn integer(x: u32, threshold: u32) -> u32 {
    let mantissa = 0x80_0000 | x & 0x7F_FFFF;
    let exponent = (x >> 23 & 0xFF) as i32 - 127;
    // The number has `shift` bits before the point, unless it is below one.
    let shift = exponent.clamp(0, 15) as u32;
    let is_half = exponent == -1;
    let whole = if is_half { 0 } else { mantissa >> (23 - shift) };
    let fraction = mantissa >> u32::from(is_half) << shift & THRESHOLD_BITS;
    let rounded = whole + u32::from(fraction >= threshold);
    if exponent < -1 {
        0
    } else if exponent >= 16 {
        u32::MAX
    } else {
        rounded
    }
}
