//! SFPSTOCHRND of all lanes: floats to narrower floats or to integers.
//!
//! Each is a loop over all lanes without branches, so that the compiler turns it into vector
//! instructions.

use super::{vectors, Level, Set};
use crate::arith::spec::sfpu::{Integer, THRESHOLD_BITS};
use crate::arith::{Lanes, LANES};

#[cfg(test)]
mod tests;

/// What FP32 is rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A float with 13 or 16 fewer bits of the mantissa, as
    /// [`crate::arith::spec::sfpu::round_bf16`] does.
    Float {
        /// That number of bits.
        discarded: u32,
    },
    /// An integer, as [`crate::arith::spec::sfpu::integer_of_float`] does.
    Integer(Integer),
}

for_each_level! {
    /// Rounds all lanes by their thresholds.
    all = all_with, (target: Target, values: &Lanes, thresholds: &Lanes) -> Lanes
}

#[inline(always)]
fn all_with<V: vectors::Vector>(target: Target, values: &Lanes, thresholds: &Lanes) -> Lanes {
    match target {
        Target::Float { discarded: 16 } => {
            each(values, thresholds, |x, threshold| float(16, x, threshold))
        }
        Target::Float { discarded } => each(values, thresholds, |x, threshold| {
            float(discarded, x, threshold)
        }),
        Target::Integer(to) => to_integer(to, values, thresholds),
    }
}

for_each_level! {
    /// Rounds some lanes of a register by one threshold, and writes them to another one.
    registers = registers_with, (
        how: (Target, u32),
        registers: &mut [Lanes],
        numbers: [usize; 2],
        lanes: u32,
    )
}

#[inline(always)]
fn registers_with<V: vectors::Vector>(
    (target, threshold): (Target, u32),
    registers: &mut [Lanes],
    [from, to]: [usize; 2],
    lanes: u32,
) {
    let rounded = all_with::<V>(target, &registers[from], &[threshold; LANES]);
    put(&mut registers[to], lanes, &rounded);
}

/// Replaces some lanes of a register.
#[inline(always)]
fn put(register: &mut Lanes, lanes: u32, values: &Lanes) {
    if lanes == u32::MAX {
        *register = *values;
        return;
    }
    for lane in 0..LANES {
        let mask = (lanes >> lane & 1).wrapping_neg();
        register[lane] = register[lane] & !mask | values[lane] & mask;
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

#[inline(always)]
fn to_integer(to: Integer, values: &Lanes, thresholds: &Lanes) -> Lanes {
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
