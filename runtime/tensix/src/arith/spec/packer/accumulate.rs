//! Accumulation in L1: adds a datum to the stored value.
//!
//! The ISA documentation says no more than that. The sums here are those of ttsim 1.10.0, which
//! supports FP32, BF16 and FP16. All round to nearest even.
//!
//! * FP32: denormal operands and results count as zero; NaN becomes `0x7FC0_0000`.
//! * BF16: denormal operands and results count as zero. Infinities follow IEEE 754; opposite ones
//!   give `0x7FC0`. A NaN in L1 counts as greater than all numbers. A NaN datum counts as the
//!   number that its bits represent if exponent 255 is an ordinary one.
//! * FP16: denormals count as zero, and exponent 31 is an ordinary one. A result below the range
//!   becomes the largest number, unless it lies between 2^-15 and 2^-14: then it becomes zero. A
//!   result above the range becomes the largest number. So do two operands that cancel with
//!   exponent 30 or 31.

/// A number: sign, and magnitude `mantissa · 2^exponent`.
#[derive(Clone, Copy)]
struct Number {
    negative: bool,
    exponent: i32,
    mantissa: u64,
}

/// Bits kept below the mantissas of a sum; further bits count as a sticky bit.
const GUARD: u32 = 32;

impl Number {
    /// Decodes a number with `bits` bits of mantissa; exponent 0 is zero.
    fn new(sign: bool, exponent: u32, mantissa: u32, bits: u32) -> Number {
        Number {
            negative: sign,
            exponent: exponent as i32,
            mantissa: if exponent == 0 {
                0
            } else {
                u64::from(mantissa | 1 << bits) << GUARD
            },
        }
    }

    /// Returns the sum, exact except for a sticky lowest bit.
    fn plus(self, other: Number) -> Number {
        let (big, small) = if (self.exponent, self.mantissa) >= (other.exponent, other.mantissa)
            && self.mantissa != 0
            || other.mantissa == 0
        {
            (self, other)
        } else {
            (other, self)
        };
        if small.mantissa == 0 {
            let negative = match big.mantissa {
                0 => self.negative && other.negative,
                _ => big.negative,
            };
            return Number { negative, ..big };
        }
        let shift = (big.exponent - small.exponent) as u32;
        let aligned = if shift >= 63 {
            1
        } else {
            small.mantissa >> shift | u64::from(small.mantissa & ((1 << shift) - 1) != 0)
        };
        let mantissa = if big.negative == small.negative {
            big.mantissa + aligned
        } else {
            big.mantissa - aligned
        };
        Number {
            negative: big.negative && mantissa != 0,
            mantissa,
            ..big
        }
    }

    /// Returns the exponent field, which may be out of range, and the mantissa rounded to `bits`
    /// bits; `None` for zero.
    fn rounded(self, bits: u32) -> Option<(i32, u32)> {
        if self.mantissa == 0 {
            return None;
        }
        let top = 63 - self.mantissa.leading_zeros();
        let mut exponent = self.exponent + top as i32 - (bits + GUARD) as i32;
        let dropped = top.saturating_sub(bits);
        let kept = if top >= bits {
            self.mantissa >> dropped
        } else {
            self.mantissa << (bits - top)
        };
        let rest = self.mantissa & ((1 << dropped) - 1);
        let half = 1u64 << dropped >> 1;
        let mut mantissa =
            kept + u64::from(rest > half || rest == half && rest != 0 && kept & 1 != 0);
        if mantissa >> (bits + 1) != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
        Some((exponent, mantissa as u32 & ((1 << bits) - 1)))
    }
}

/// Returns `stored + datum` in FP32.
pub fn fp32(stored: u32, datum: u32) -> u32 {
    const NAN: u32 = 0x7FC0_0000;
    const INFINITY: u32 = 0x7F80_0000;
    let magnitude = |x: u32| x & !(1 << 31);
    if magnitude(stored) > INFINITY || magnitude(datum) > INFINITY {
        return NAN;
    }
    match (magnitude(stored) == INFINITY, magnitude(datum) == INFINITY) {
        (true, true) if stored != datum => return NAN,
        (true, _) => return stored,
        (_, true) => return datum,
        _ => {}
    }
    let number = |x: u32| Number::new(x >> 31 != 0, x >> 23 & 0xFF, x & 0x7F_FFFF, 23);
    let sum = number(stored).plus(number(datum));
    let sign = u32::from(sum.negative) << 31;
    match sum.rounded(23) {
        Some((exponent @ 1..=254, mantissa)) => sign | (exponent as u32) << 23 | mantissa,
        Some((255.., _)) => sign | INFINITY,
        _ => sign,
    }
}

/// Returns `stored + datum` in BF16.
pub fn bf16(stored: u16, datum: u16) -> u16 {
    const NAN: u16 = 0x7FC0;
    const INFINITY: u16 = 0x7F80;
    let magnitude = |x: u16| x & 0x7FFF;
    match (magnitude(stored) == INFINITY, magnitude(datum) == INFINITY) {
        (true, true) if stored != datum => return NAN,
        (true, _) => return stored,
        (_, true) => return datum,
        _ if magnitude(stored) > INFINITY => return stored & 0x8000 | INFINITY,
        _ => {}
    }
    let number = |x: u16| {
        let x = u32::from(x);
        Number::new(x >> 15 != 0, x >> 7 & 0xFF, x & 0x7F, 7)
    };
    let sum = number(stored).plus(number(datum));
    let sign = u16::from(sum.negative) << 15;
    match sum.rounded(7) {
        Some((exponent @ 1..=254, mantissa)) => sign | (exponent as u16) << 7 | mantissa as u16,
        Some((255.., _)) => sign | INFINITY,
        _ => sign,
    }
}

/// Returns `stored + datum` in FP16.
pub fn fp16(stored: u16, datum: u16) -> u16 {
    const LARGEST: u16 = 0x7FFF;
    let number = |x: u16| {
        let x = u32::from(x);
        Number::new(x >> 15 != 0, x >> 10 & 31, x & 0x3FF, 10)
    };
    let sum = number(stored).plus(number(datum));
    let sign = u16::from(sum.negative) << 15;
    match sum.rounded(10) {
        None if stored >> 10 & 31 >= 30 => sign | LARGEST,
        None | Some((0, _)) => sign,
        Some((exponent @ 1..=31, mantissa)) => sign | (exponent as u16) << 10 | mantissa as u16,
        Some(_) => sign | LARGEST,
    }
}

#[cfg(test)]
mod tests;
